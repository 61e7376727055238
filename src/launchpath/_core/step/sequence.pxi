# Sequences: a run of a step follows the sequence that it most likely repeats, command by command, and notes only what
# differs. At the first command that does not fit it goes on in another sequence that begins in the same way, or writes
# a new one.
#
# The caller of all of this holds the recording's lock.

from libc.string cimport strcmp, strncpy


cdef inline bint node_fits(const lp_node *node, const lp_queue *queue, const driver_command *command) noexcept nogil:
    """Whether a command is that of a node, whatever its arguments, its grid and the events it waits for.

    A wait that is over is left out, so the same step waits in some runs and not in others."""
    return (node.queue_identity == queue.identity) & (node.kernel == command.kernel) & (node.size == command.size) & (
        node.kind == <uint8_t>command.kind) & (node.variant == command_variant(command))


cdef bint nodes_fit(const lp_node *a, const lp_node *b, uint32_t n) noexcept nogil:
    cdef uint32_t i
    for i in range(n):
        if a[i].queue_identity != b[i].queue_identity or a[i].kernel != b[i].kernel or a[i].size != b[i].size or (
                a[i].kind != b[i].kind or a[i].variant != b[i].variant):
            return False
    return True


cdef inline void node_changed(lp_sequence *sequence, lp_node *node) noexcept nogil:
    """Note that a graph has other arguments, or another grid, than the node."""
    cdef lp_chain *chain
    if sequence.chains == NULL or node.changed:
        return
    chain = &sequence.chains[node.chain]
    if chain.graph != NULL:
        node.changed = True
        chain.changes[chain.n_changes] = node.place
        chain.n_changes += 1


cdef inline void node_set(lp_sequence *sequence, lp_node *node, const launch_config *config, const void *bytes,
                          size_t size) noexcept nogil:
    """Take over what a command has, and note whether that is new."""
    cdef char *kept = sequence.bytes + node.bytes
    if size and memcmp(kept, bytes, size) or config != NULL and memcmp(&node.config, config, sizeof(launch_config)):
        if size:
            memcpy(kept, bytes, size)
        if config != NULL:
            node.config = config[0]
        sequence.stamp = 0
        node_changed(sequence, node)


cdef int node_add(lp_sequence *sequence, size_t size, lp_node **out) noexcept nogil:
    """A further node, with room for its bytes. The sequence counts it once it is complete."""
    cdef size_t begin = (sequence.size + 15) // 16 * 16
    cdef size_t room = max(<size_t>1024, sequence.room_bytes)
    cdef void *grown
    cdef int code
    if size > <uint32_t>-1:
        return ERROR_HOST_MEMORY
    code = items_grow(<void **>&sequence.nodes, &sequence.room, sequence.n + 1, sizeof(lp_node))
    if code:
        return code
    while room < begin + size:
        room *= 2
    if room > sequence.room_bytes:
        grown = realloc(sequence.bytes, room)
        if grown == NULL:
            return ERROR_HOST_MEMORY
        sequence.bytes, sequence.room_bytes = <char *>grown, room
    out[0] = &sequence.nodes[sequence.n]
    memset(out[0], 0, sizeof(lp_node))
    out[0].bytes, out[0].size = begin, <uint32_t>size
    return 0


cdef inline void node_counted(lp_sequence *sequence, const lp_node *node) noexcept nogil:
    sequence.size = node.bytes + node.size
    sequence.n += 1


cdef int command_append(lp_sequence *sequence, const lp_queue *queue, const driver_command *command) noexcept nogil:
    cdef lp_node *node
    cdef int code = node_add(sequence, command.size, &node)
    if code:
        return code
    node.queue_identity, node.kernel, node.kind = queue.identity, command.kernel, <uint8_t>command.kind
    node.variant = command_variant(command)
    if command.config != NULL:
        node.config = command.config[0]
    if command.size:
        memcpy(sequence.bytes + node.bytes, command.bytes, command.size)
    node_counted(sequence, node)
    return 0


cdef inline void node_waits(lp_sequence *sequence, lp_node *node) noexcept nogil:
    """It waits in this run: from now on a chain begins there, whether it waits or not."""
    if not node.waits:
        node.waits = True
        chains_drop(sequence)


cdef inline void node_moved(lp_node *to, lp_node *node) noexcept nogil:
    """The present run's part of a node is another node's."""
    to.n_waits, to.wait, to.number, to.external = node.n_waits, node.wait, node.number, node.external
    to.queue, to.label = node.queue, node.label
    to.event, node.event = node.event, NULL


cdef void sequence_taken_over(lp_sequence *sequence, lp_sequence *other, uint32_t n) noexcept nogil:
    """The run's first commands are the same in another sequence, but for what may change."""
    cdef lp_node *node
    cdef uint32_t i
    for i in range(n):
        node = &other.nodes[i]
        node_set(sequence, &sequence.nodes[i], &node.config, other.bytes + node.bytes, node.size)
        node_moved(&sequence.nodes[i], node)
        if node.waits:
            node_waits(sequence, &sequence.nodes[i])


cdef int sequence_begun(lp_sequence *sequence, lp_sequence *other, uint32_t n) noexcept nogil:
    """Write a new sequence that begins as another one."""
    cdef lp_node *node
    cdef lp_node *copy
    cdef uint32_t i
    cdef int code
    for i in range(n):
        code = node_add(sequence, other.nodes[i].size, &copy)
        if code:
            return code
        node = &other.nodes[i]
        copy.queue_identity, copy.kernel, copy.kind = node.queue_identity, node.kernel, node.kind
        copy.waits, copy.variant, copy.config = node.waits, node.variant, node.config
        memcpy(sequence.bytes + copy.bytes, other.bytes + node.bytes, node.size)
        node_counted(sequence, copy)
    for i in range(n):             # nothing fails from here on
        node_moved(&sequence.nodes[i], &other.nodes[i])
    return 0


cdef void sequence_drop(lp_sequence *sequence) noexcept nogil:
    """The place is free. No run is in it."""
    chains_drop(sequence)
    free(sequence.nodes)
    free(sequence.bytes)
    memset(sequence, 0, sizeof(lp_sequence))


cdef lp_sequence *sequence_place(lp_recording *recording) noexcept nogil:
    """A free place, or that of the sequence whose last run was longest ago."""
    cdef lp_sequence *place = NULL
    cdef lp_sequence *kept
    cdef uint32_t i
    for i in range(SEQUENCES):
        kept = &recording.kept[i]
        if kept.n == 0:
            place = kept
            break
        if kept != recording.sequence and (place == NULL or kept.turn < place.turn):
            place = kept
    if place.n:
        recording.dropped += 1
    sequence_drop(place)
    return place


cdef lp_sequence *sequence_like(lp_recording *recording, const lp_queue *queue, const driver_command *command) noexcept nogil:
    """Another sequence that has the run's commands so far, and then a further one; NULL as a command: that ends
    there."""
    cdef lp_sequence *kept
    cdef uint32_t i
    for i in range(SEQUENCES):
        kept = &recording.kept[i]
        if kept.n == 0 or kept == recording.sequence:
            continue
        if command == NULL and kept.n != recording.at:
            continue
        if command != NULL and (kept.n <= recording.at or not node_fits(&kept.nodes[recording.at], queue, command)):
            continue
        if recording.at == 0 or nodes_fit(kept.nodes, recording.sequence.nodes, recording.at):
            return kept
    return NULL


cdef int sequence_change(lp_recording *recording, const lp_queue *queue, const driver_command *command) noexcept nogil:
    """The run does not go on as its sequence does: another one from here on. NULL as a command: it ends."""
    cdef lp_sequence *other = sequence_like(recording, queue, command)
    cdef int code
    if other != NULL:
        if recording.at:
            sequence_taken_over(other, recording.sequence, recording.at)
        recording.sequence = other
        return 0
    other = sequence_place(recording)
    code = sequence_begun(other, recording.sequence, recording.at)
    if code:
        sequence_drop(other)
        return code
    cause_noted(recording, queue, command)
    recording.sequence, recording.writing = other, True
    return 0


cdef const char *expected_instead(const lp_node *expected, const lp_queue *queue, const driver_command *got) noexcept nogil:
    """What was expected instead of a command of the same name, in words."""
    if expected.queue_identity != queue.identity:
        return b"one on another stream"
    if expected.kernel != got.kernel:
        return b"another kernel of that name"
    if expected.variant == command_variant(got):
        return b"one with a pattern of another length"
    if got.kind == COMMAND_LAUNCH:
        return b"a cooperative launch of it" if expected.variant else b"a launch of it that is not cooperative"
    return b"one with a time" if expected.variant else b"one without a time"


cdef void cause_noted(lp_recording *recording, const lp_queue *queue, const driver_command *command) noexcept nogil:
    """Note where a new sequence leaves the one that it is most like."""
    cdef step_cause *cause = &recording.causes[recording.new_sequences % STEP_CAUSES]
    cdef lp_sequence *like = recording.sequence
    cdef lp_node *expected
    recording.new_sequences += 1
    memset(cause, 0, sizeof(step_cause))
    cause.at = recording.at
    if command != NULL:
        strncpy(cause.got, command.label if command.label != NULL else command_phrases[<int>command.kind], STEP_NAME - 1)
    if like == NULL or like.n == 0:
        return
    cause.expected_n = like.n
    if recording.at < like.n:
        expected = &like.nodes[recording.at]
        strncpy(cause.expected, expected.label if expected.label != NULL else command_phrases[expected.kind], STEP_NAME - 1)
        if command != NULL and strcmp(cause.expected, cause.got) == 0:
            cause.instead = expected_instead(expected, queue, command)


cdef inline int command_follows(lp_recording *recording, lp_queue *queue, const driver_command *command,
                                lp_step_event *event) noexcept nogil:
    """The run's next command; `event` is a marker's, a reference, or NULL. Where it fails nothing has happened."""
    cdef lp_sequence *sequence = recording.sequence
    cdef lp_node *node
    cdef int code
    if not recording.writing and (sequence == NULL or recording.at >= sequence.n
                                  or not node_fits(&sequence.nodes[recording.at], queue, command)):
        code = sequence_change(recording, queue, command)
        if code:
            return code
        sequence = recording.sequence
    if recording.writing:
        code = command_append(sequence, queue, command)
        if code:
            return code
    else:
        node_set(sequence, &sequence.nodes[recording.at], command.config, command.bytes, command.size)
    node = &sequence.nodes[recording.at]
    node.queue, node.label, node.event = queue, command.label, event
    node.number, node.external = queue.number + 1, lp_here.external
    if event != NULL:
        event.at = recording.at
    if command.n_waits:
        node_waits(sequence, node)
    node.n_waits, node.wait = command.n_waits, recording.n_waits - command.n_waits
    recording.at += 1
    return 0
