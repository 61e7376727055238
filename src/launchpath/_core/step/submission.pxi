# Submissions: a recording goes to the driver, as the calls that were recorded, and where a sequence comes again by the
# graphs of its chains.

cdef void node_command(const lp_recording *recording, const lp_sequence *sequence, const lp_node *node, driver_command *command,
                       step_place *place) noexcept nogil:
    """A node as the command that it is, without what it waits for; `place` is where it is in the run."""
    command_set(command, <command_kind>node.kind, sequence.bytes + node.bytes, node.size)
    command.label, command.number, command.external, command.place = node.label, node.number, node.external, place
    if node.kind == COMMAND_LAUNCH:
        command.kernel, command.config = node.kernel, &node.config
    elif node.kind == COMMAND_MARKER:
        command.timed = node.variant != 0
    place.step, place.run = <uint32_t>recording.identity, <uint32_t>recording.run
    place.node = commands_before(recording) + <uint32_t>(node - sequence.nodes)


cdef inline uint32_t commands_before(const lp_recording *recording) noexcept nogil:
    """How many commands of a run the driver has."""
    return recording.nodes_before + <uint32_t>recording.passed


cdef int node_submit(lp_recording *recording, lp_sequence *sequence, lp_node *node) noexcept nogil:
    """Make a node's call. Its events are the driver's own by now: a marker comes before what waits for it."""
    cdef const driver_table *below = below_queue(node.queue.handle, LAYER_STEP)
    cdef lp_step_event *event = node.event
    cdef void *room[STEP_WAITS]
    cdef void **waits = recording.waits + node.wait
    cdef driver_command command
    cdef step_place place
    cdef int code
    node_command(recording, sequence, node, &command, &place)
    code = step_waits(node.n_waits, waits, room, &command.waits)
    if code:
        return code
    command.n_waits = node.n_waits
    if event != NULL:
        command.event = &event.event
    code = below.submit(node.queue.handle, &command)
    if event != NULL:
        code = marker_flush(below, node, code)
    step_waits_drop(waits, room, command.waits)
    return code


cdef int marker_flush(const driver_table *below, lp_node *node, int code) noexcept nogil:
    """Send a marker on its way before anything waits for it, as with the core's own markers; `code` is what its call
    gave."""
    if code == 0:
        code = below.queue_flush(node.queue.handle)
        if code:
            below.event_release(node.queue.domain, node.event.event)
    if code:
        node.event.event = NULL
    return code


cdef void marker_submitted(lp_recording *recording, lp_node *node, int code) noexcept nogil:
    """An event stands for the driver's from now on, or says for ever why there is none. Behind a refused command it
    orders what waits for it, and fails for the host."""
    cdef lp_step_event *own = node.event
    if own == NULL:
        return
    node.event = NULL
    own.refused, own.call = recording.code, recording.call
    if code:
        own.event, own.code = NULL, code
    lp_store(&own.submitted, 1)
    step_event_drop(node.queue.domain, own)


cdef void node_go(lp_recording *recording, lp_sequence *sequence, lp_node *node) noexcept nogil:
    """Submit a command, unless one before it was refused. Markers are submitted all the same: somebody may wait for
    them."""
    cdef int code = recording.code
    if unlikely(lp_trace.serialized) and code == 0 and node.kind == COMMAND_LAUNCH:
        code = node_submit_alone(recording, sequence, node)
    elif code == 0 or node.kind == COMMAND_MARKER:
        code = node_submit(recording, sequence, node)
    if node.kind == COMMAND_MARKER:
        marker_submitted(recording, node, code)
    if code and recording.code == 0:
        recording.code, recording.call, recording.label = code, lp_here.failed_call, node.label
        recording.table, recording.refused_run = node.queue.domain.driver, recording.run
        lp_add(&lp_runtime.failures, 1)        # what was believed to be uploaded may not be
    if code:
        leave_out(node.queue, recording)


cdef void sequence_submit(lp_recording *recording, lp_sequence *sequence, uint32_t n) noexcept nogil:
    """Submit the first `n` commands of a sequence; all of them, by its chains, if those are known."""
    cdef lp_chain *chain
    cdef uint32_t i, j
    if sequence.chains == NULL or n != sequence.n:
        for i in range(n):
            node_go(recording, sequence, &sequence.nodes[i])
    else:
        for i in range(sequence.n_chains):
            chain = &sequence.chains[i]
            j = chain_submit(recording, sequence, chain) if recording.code == 0 else 0
            while j < chain.n:
                node_go(recording, sequence, &sequence.nodes[chain.nodes[j]])
                j += 1
    recording.nodes_before += n


cdef void recording_go(lp_recording *recording, lp_sequence *sequence) noexcept nogil:
    """Hand the driver what is kept back."""
    if unlikely(lp_trace.timed) and timed_short(recording.at):
        timed_room(recording.at)
    if recording.at == sequence.n:
        if sequence.runs and sequence.chains == NULL:
            chains_plan(recording, sequence)
        sequence.runs += 1
    sequence_submit(recording, sequence, recording.at)
    recording.submissions += 1
    recording.recorded += recording.at
    if not recording.writing:
        recording.compared += sequence.size


cdef void recording_submit(lp_recording *recording, submission_reason reason, const lp_queue *queue,
                           lp_step_event *event, bint locked=False) noexcept nogil:
    """`recording_hand_over`; where a trace serializes launches, when it is this thread's turn. `submit_locked`: a queue's lock is
    held."""
    cdef turn_state state = TURN_NOT_TAKEN
    if unlikely(lp_trace.serialized) and recording.at and recording.origin == NULL:
        state = turn_take(locked)
    recording_hand_over(recording, reason, queue, event)
    if unlikely(state == TURN_TAKEN):
        serial_end()


cdef void recording_hand_over(lp_recording *recording, submission_reason reason, const lp_queue *queue,
                              lp_step_event *event) noexcept nogil:
    """Hand everything that is recorded to the driver. What is captured is left out, if the cause is still there: a
    queue with commands in the recording, or an event of it. The recording that the caller found may be another step's
    by now, or a capture's.

    No lock but one queue's is held, and the GIL is not. If the driver refuses a command, those behind it are left out,
    as a program would not have come to them; but of other queues some may have been submitted."""
    recording_lock(recording)
    if recording.origin != NULL:
        if is_in_the_way(recording, queue, event):
            capture_end_early(recording, reason)
    elif reason != STEP_SEEN or not is_waited_for(recording):
        graphs_drop()
        if recording.at:
            part_submit_recorded(recording, reason)
        recording.writing = False
        queues_flush(recording)
        queues_let_go(recording)
        recording.n_waits = 0
        if reason == STEP_LEFT:        # the next run most likely begins as this one
            recording.before, recording.sequence = NULL, recording.begin
            recording.end_tick = lp_load(&lp_runtime.tick)
    recording_unlock(recording)


cdef inline bint is_in_the_way(const lp_recording *recording, const lp_queue *queue, lp_step_event *event) noexcept nogil:
    return queue != NULL and queue.recording == <void *>recording or (
        event != NULL and event.recording == recording and not lp_load(&event.submitted))


cdef void part_submit_recorded(lp_recording *recording, submission_reason reason) noexcept nogil:
    """Submit the run's commands since the last submission, and go on in the sequence that most likely follows."""
    cdef lp_sequence *sequence
    cdef bint whole
    if not recording.writing and recording.at != recording.sequence.n:
        sequence_change(recording, NULL, NULL)         # without memory: one by one
    sequence = recording.sequence
    if recording.each:                 # the driver has them
        recording.nodes_before += recording.at
    else:
        recording_go(recording, sequence)
    if recording.code:                 # what was left out is not uploaded either
        lp_add(&lp_runtime.failures, 1)
    whole = reason == STEP_LEFT and recording.at == sequence.n and recording.code == 0
    recording.last = sequence if whole else NULL
    recording.early += reason != STEP_LEFT
    recording.reasons[<int>reason] += 1
    recording.turn += 1
    sequence.turn = recording.turn
    if recording.writing:
        recording.causes[(recording.new_sequences - 1) % STEP_CAUSES].n = recording.at
    if recording.before == NULL:
        recording.begin = sequence
    else:
        recording.before.next = sequence
    recording.before, recording.sequence, recording.at = sequence, sequence.next, 0


cdef void queues_flush(const lp_recording *recording) noexcept nogil:
    """Send the commands of all queues of a recording on their way."""
    cdef lp_queue *queue
    cdef uint32_t i
    for i in range(recording.n_queues):
        queue = recording.queues[i]
        below_queue(queue.handle, LAYER_STEP).queue_flush(queue.handle)


cdef inline void step_observe(lp_queue *queue) noexcept nogil:
    """Before the core looks for the end of what a queue holds without a call of the driver's. No lock is held, the GIL
    is not."""
    cdef lp_recording *recording = <lp_recording *>lp_load(<uint64_t *>&queue.recording)
    if recording != NULL:
        recording_submit(recording, STEP_SEEN, queue, NULL)


cdef inline void observe_mark(const lp_mark *mark) noexcept:
    """The program looks at an event: in a step whose commands are not kept back this counts as if they were."""
    cdef lp_recording *recording = <lp_recording *>lp_here.step
    cdef lp_step_event *event = step_event(mark.event)
    if recording != NULL and recording.each and event != NULL and event.run == recording.run:
        with nogil:
            recording_submit(recording, STEP_SEEN, NULL, NULL)


cdef void capture_loses(lp_recording *recording, void *kernel) noexcept nogil:
    """A kernel goes: a capture that launches it ends."""
    cdef uint32_t i
    recording_lock(recording)
    for i in range(recording.at if recording.origin != NULL and kernel != NULL else 0):
        if recording.sequence.nodes[i].kernel == kernel:
            capture_end_early(recording, STEP_KERNEL)
            break
    recording_unlock(recording)


cdef void submit_recordings(void *kernel) noexcept nogil:
    """Before a kernel goes that any of them may launch; NULL: a program. No lock is held, the GIL is not."""
    cdef lp_recording *recording = <lp_recording *>lp_load(<uint64_t *>&lp_runtime.recordings)
    while recording != NULL:
        if recording.origin == NULL:
            recording_submit(recording, STEP_KERNEL, NULL, NULL)
        else:
            capture_loses(recording, kernel)
        if kernel != NULL:
            recording_lock(recording)
            sequences_drop(recording, kernel)
            recording_unlock(recording)
        recording = recording.next
