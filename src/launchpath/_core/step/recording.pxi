# Recordings: the commands of a step that the driver does not have yet, in the order in which they were accepted.
#
# To the core a recorded command is a command that was accepted: it has its number, and is not complete. So whatever
# looks for the end of work comes to the driver's table in the end, and there the recording is submitted first: see
# layer.pxi.
#
# A recording's lock comes after a queue's lock and before a driver's own. It is all that keeps two threads from calling
# the driver with one queue, while `lp_queue.recording` leads to it: whoever finds that it does takes this lock, and has
# the recording submitted. A thread that holds the GIL never waits for it, since the thread that submits may be waiting
# for the device, and that for a host function: see `make_way`.
#
# Nearly all launches go without the lock (`launch_append`): a step's own thread is the only one that adds commands. So
# it says that it is about to do so (`appending`), and then looks whether it may (`must_lock`); another thread takes the
# lock, raises `must_lock`, and then waits until that thread is not appending.

cdef lp_recording *recording_new() noexcept nogil:
    """A recording that no step uses; NULL: no memory."""
    cdef lp_recording *recording
    lp_lock_acquire(&lp_runtime.registry_lock)
    recording = lp_runtime.recordings
    while recording != NULL and recording.used:
        recording = recording.next
    if recording == NULL:
        recording = <lp_recording *>calloc(1, sizeof(lp_recording))
        if recording != NULL:
            lp_lock_init(&recording.lock)
            lp_lock_rank(&recording.lock, RANK_RECORDING)
            recording.next, lp_runtime.recordings = lp_runtime.recordings, recording
    if recording != NULL:
        recording.used = True
        lp_runtime.step_identities += 1
        recording.identity = lp_runtime.step_identities
    lp_lock_release(&lp_runtime.registry_lock)
    return recording


cdef void recording_give(lp_recording *recording) noexcept nogil:
    """A step is gone. Nothing is recorded any more."""
    recording_lock(recording)
    LP_ASSERT(recording.at == 0)
    sequences_drop(recording, NULL)
    graphs_drop()
    memset(recording.reasons, 0, sizeof(recording.reasons))
    memset(recording.causes, 0, sizeof(recording.causes))
    recording.recorded = recording.submissions = recording.direct = recording.built = recording.graph_runs = 0
    recording.in_graphs = recording.updated = recording.compared = recording.new_sequences = recording.dropped = 0
    recording.events = recording.obstacles = 0
    recording.code, recording.raised, recording.early_variants = 0, False, False
    recording_begin(recording, False)
    recording_unlock(recording)
    lp_lock_acquire(&lp_runtime.registry_lock)
    recording.used = False
    lp_lock_release(&lp_runtime.registry_lock)


cdef void recording_lock(lp_recording *recording) noexcept nogil:
    """Take the lock, and keep the recording's thread from appending without it."""
    lp_lock_acquire(&recording.lock)
    recording_exclude_thread(recording)


cdef bint recording_try_lock(lp_recording *recording) noexcept nogil:
    """The same; False: another thread has the lock."""
    if not lp_lock_try(&recording.lock):
        return False
    recording_exclude_thread(recording)
    return True


cdef void recording_exclude_thread(lp_recording *recording) noexcept nogil:
    """Wait until the recording's thread appends no command: that takes some nanoseconds, unless it is interrupted."""
    cdef uint32_t looks = 0
    lp_add(&recording.must_lock, 1)       # seen before what is loaded next
    while lp_load(&recording.appending):
        looks += 1
        if looks < 1000:
            lp_pause()
        else:
            lp_sleep(10)


cdef inline void recording_unlock(lp_recording *recording) noexcept nogil:
    lp_store(&recording.must_lock, 0)
    lp_lock_release(&recording.lock)


cdef inline void leave_dropped() noexcept:
    """Leave a step, or a capture, that another thread has dropped, if this thread is in one."""
    if lp_here.step != NULL and (<lp_recording *>lp_here.step).abandoned:
        with nogil:
            leave_abandoned(<lp_recording *>lp_here.step)


cdef void leave_abandoned(lp_recording *recording) noexcept nogil:
    """This thread is in a step, or a capture, that another thread has dropped."""
    lp_here.step = NULL
    recording.abandoned = False
    recording_give(recording)


cdef inline bint queue_defers(const lp_queue *queue) noexcept nogil:
    """Whether commands of a queue may be kept back: foreign code that has the stream would not know.

    A native legacy stream is shared from the beginning. What foreign code puts there, or into a stream that the legacy
    rule orders after this one, matters only if it has addresses: see arguments.pxi."""
    return not queue.shared or queue.native and queue.kind == QUEUE_LEGACY and not queue.domain.ask_when_empty


cdef inline bint is_waited_for(const lp_recording *recording) noexcept nogil:
    """Whether its thread waits for the command that it has just submitted: nothing is kept back, and the program looks
    at nothing."""
    return recording.each and recording.quiet


cdef int make_way(lp_recording *recording, submission_reason reason, const lp_queue *queue,
                  lp_step_event *event) noexcept nogil:
    """Have a recording submitted that is in the way of a call, since it has commands of a queue, or an event; not
    NULL. ERROR_WOULD_BLOCK where the GIL is held: `submit_run` does it then, and repeats the call."""
    if reason == STEP_SEEN and is_waited_for(recording):
        return 0
    if PyGILState_Check():
        return ERROR_WOULD_BLOCK
    recording_submit(recording, reason, queue, event, True)
    return 0


cdef inline bint legacy_rule_between(const lp_queue *a, const lp_queue *b) noexcept nogil:
    return a.native and a.domain == b.domain and (a.kind == QUEUE_LEGACY and b.kind == QUEUE_BLOCKING
                                                  or a.kind == QUEUE_BLOCKING and b.kind == QUEUE_LEGACY)


cdef inline bint is_ruled(const lp_queue *queue) noexcept nogil:
    """Whether a driver orders the queue's commands by the legacy rule, in the order of its calls."""
    return queue.native and queue.kind != QUEUE_NONBLOCKING


cdef bint records_ruled(const lp_recording *recording, const lp_domain *domain, uint32_t n) noexcept nogil:
    """Whether one of a recording's first `n` queues is one of the domain's with the legacy rule. The caller holds the
    lock."""
    cdef uint32_t i
    for i in range(n):
        if recording.queues[i].domain == domain and is_ruled(recording.queues[i]):
            return True
    return False


cdef void queues_let_go(lp_recording *recording) noexcept nogil:
    """No queue leads here any more. The caller has locked the recording."""
    cdef lp_queue *queue
    cdef uint32_t i
    for i in range(recording.n_queues):
        queue = recording.queues[i]
        if is_ruled(queue) and not records_ruled(recording, queue.domain, i):
            lp_add(&queue.domain.recorders, -1)
        lp_store(<uint64_t *>&queue.recording, 0)
    recording.n_queues = 0


cdef int make_way_for_rule(lp_recording *recording, const lp_queue *queue) noexcept nogil:
    """The same for one recording."""
    cdef bint between = False
    cdef uint32_t i
    if not recording_try_lock(recording):
        if PyGILState_Check():
            return ERROR_WOULD_BLOCK
        recording_lock(recording)
    for i in range(recording.n_queues):
        between = between or legacy_rule_between(recording.queues[i], queue)
    recording_unlock(recording)
    return make_way(recording, STEP_SHARED, NULL, NULL) if between else 0


cdef int keep_legacy_rule(lp_queue *queue) noexcept nogil:
    """Before a command of a queue that the driver orders by the legacy rule: what other threads have recorded, and what
    the rule puts before it, goes first."""
    cdef lp_recording *recording
    cdef int code = 0
    if not is_ruled(queue) or lp_load(&queue.domain.recorders) == 0:
        return 0
    recording = <lp_recording *>lp_load(<uint64_t *>&lp_runtime.recordings)
    while recording != NULL and code == 0:
        if recording != <lp_recording *>lp_here.step and recording.origin == NULL:
            code = make_way_for_rule(recording, queue)
        recording = recording.next
    return code


cdef int recording_append(lp_recording *recording, lp_queue *queue, const driver_command *command,
                          lp_step_event *event) noexcept nogil:
    """Keep a queue's next command; `event` is a marker's, or NULL. The queue's lock is held; where it fails nothing has
    happened."""
    cdef int code = 0
    LP_ASSERT(lp_lock_held(queue.lock))
    if not lp_lock_try(&recording.lock):
        if PyGILState_Check():
            return ERROR_WOULD_BLOCK
        lp_lock_acquire(&recording.lock)
    if queue.recording != <void *>recording:
        code = items_grow(<void **>&recording.queues, &recording.room_queues, recording.n_queues + 1, sizeof(lp_queue *))
    if code == 0 and command.n_waits:
        code = items_grow(<void **>&recording.waits, &recording.room_waits, recording.n_waits + command.n_waits, sizeof(void *))
        if code == 0:
            memcpy(recording.waits + recording.n_waits, command.waits, command.n_waits * sizeof(void *))
            recording.n_waits += command.n_waits
    if code == 0:
        code = command_follows(recording, queue, command, event)
        if code:
            recording.n_waits -= command.n_waits
    if code == 0 and queue.recording != <void *>recording:
        if is_ruled(queue) and not records_ruled(recording, queue.domain, recording.n_queues):
            lp_add(&queue.domain.recorders, 1)
        recording.queues[recording.n_queues] = queue
        recording.n_queues += 1
        lp_store(<uint64_t *>&queue.recording, <uint64_t>recording)
    if code == 0 and recording.each:
        code = submit_recorded(recording)
    lp_lock_release(&recording.lock)
    return code


cdef int submit_recorded(lp_recording *recording) noexcept nogil:
    """Hand the driver the command that was recorded last. Where that fails the run goes on without it, and is no whole.
    The caller holds both locks."""
    cdef lp_sequence *sequence = recording.sequence
    cdef lp_node *node = &sequence.nodes[recording.at - 1]
    cdef int code = node_submit(recording, sequence, node)
    if code == 0:
        recording.direct += 1
        if node.kind == COMMAND_MARKER:
            marker_submitted(recording, node, 0)
        return 0
    recording.incomplete, node.event = True, NULL
    recording.n_waits -= node.n_waits
    recording.at -= 1
    if recording.writing:
        sequence.n -= 1
    return code


cdef inline bint launch_append(lp_queue *queue, const driver_command *command) noexcept nogil:
    """Append a launch the shortest way, as for nearly all: the run goes on as it did before. False: nothing has happened."""
    cdef lp_recording *recording = <lp_recording *>lp_here.step
    cdef lp_sequence *sequence
    cdef lp_node *node
    if not recording.appending:        # the call does not come from `submit_plainly`
        return False
    lp_fence_after_lock()              # the queue's
    if lp_load(&recording.must_lock) or queue.recording != <void *>recording or (
            is_ruled(queue) and lp_load(&queue.domain.recorders) != 1):
        return False
    sequence = recording.sequence
    if sequence == NULL or recording.writing or recording.at >= sequence.n or lp_load(&recording.mode):
        return False
    node = &sequence.nodes[recording.at]
    if not node_fits(node, queue, command):
        return False
    node.queue, node.label, node.number = queue, command.label, command.number
    node.n_waits, node.external = 0, command.external
    node_set(sequence, node, command.config, command.bytes, command.size)
    recording.at += 1
    return True


cdef bint row_follows(lp_queue *queue, uint64_t stamp, uint32_t n) noexcept nogil:
    """The run goes on with `n` commands in a row, which its sequence has just as they are: see `ExecutableBase`. False:
    nothing has happened. The queue's lock is held, and its thread is `appending`."""
    cdef lp_recording *recording = <lp_recording *>lp_here.step
    cdef lp_sequence *sequence = recording.sequence
    cdef lp_node *node
    cdef uint32_t i
    lp_fence_after_lock()
    if lp_load(&recording.must_lock) or queue.recording != <void *>recording or lp_load(&recording.mode) or (
            is_ruled(queue) and lp_load(&queue.domain.recorders) != 1):
        return False
    # After a part that went to the driver before, a command's place in the sequence is not its place in the graph.
    if sequence == NULL or recording.writing or recording.early or sequence.stamp != stamp or (
            n > sequence.n - recording.at):
        return False
    node = &sequence.nodes[recording.at]
    for i in range(n):
        if node[i].queue_identity != queue.identity or node[i].kind == COMMAND_MARKER:
            return False               # a marker that was left out by now, say
    if order_begin(queue):
        return False
    if queue.n_waits:
        order_refuse(queue, queue.n_waits)
        return False
    for i in range(n):
        node[i].number, node[i].n_waits, node[i].external = queue.number + 1 + i, 0, lp_here.external
        queue.recent[node[i].number % RECENT_LAUNCHES] = node[i].label
    queue.label = node[n - 1].label
    order_accept_row(queue, n)
    recording.at += n
    recording.compared -= node[n - 1].bytes + node[n - 1].size - node.bytes        # the submission counts them
    return True


cdef inline bint goes_one_by_one() noexcept nogil:
    """Whether commands are waited for at their calls: by a debug mode."""
    return lp_runtime.launch_blocking or lp_runtime.bounds


cdef inline bint is_point_of_run(const lp_queue *queue) noexcept nogil:
    """Whether a record is to be a command of its own in the run of this thread's step: where commands are submitted at
    their calls, since all that is before it may be complete, and then the mark says nothing of its place; and where a
    graph that is launched in the step begins with it."""
    cdef lp_recording *recording = <lp_recording *>lp_here.step
    cdef uint64_t mode
    if recording == NULL or recording.origin != NULL:
        return False
    mode = lp_load(&recording.mode)
    return mode == SUBMITS_EACH or recording.replaying and mode == KEEPS_BACK and (
        queue.recording != <void *>recording and queue_defers(queue))


cdef void recording_begin(lp_recording *recording, bint each) noexcept nogil:
    """Its step is entered. With `each`, commands are recorded, but not kept back."""
    recording.each, recording.quiet, recording.replaying = each, False, False
    lp_store(&recording.mode, SUBMITS_EACH if each else KEEPS_BACK)
    recording.early, recording.passed, recording.last = 0, 0, NULL
    recording.n_noted, recording.incomplete, recording.lends, recording.nodes_before = 0, False, False, 0
    recording.run = lp_add(&lp_runtime.step_runs, 1)


cdef void step_notes_wait(lp_queue *queue, const lp_mark *mark, bint inside_alone=False) noexcept nogil:
    """The program has let a queue wait; with `inside_alone` it is noted if it is for a point of the same run."""
    cdef lp_recording *recording = <lp_recording *>lp_here.step
    cdef lp_step_event *event = step_event(mark.event)
    cdef step_wait *noted
    if recording == NULL or mark.slot == queue.slot or inside_alone and (event == NULL or event.run != recording.run):
        return
    if items_grow(<void **>&recording.noted, &recording.room_noted, recording.n_noted + 1, sizeof(step_wait)):
        recording.incomplete = True
        return
    noted = &recording.noted[recording.n_noted]
    noted.at, noted.identity, noted.end = recording.at, queue.identity, 0
    noted.captured, noted.number = mark.captured, mark.number
    noted.other = 0 if mark.queue == NULL else mark.queue.identity
    noted.inside = event != NULL and event.run == recording.run
    if noted.inside:
        noted.end = event.at
    recording.n_noted += 1


cdef void sequences_drop(lp_recording *recording, void *kernel) noexcept nogil:
    """Let go of the sequences that launch a kernel; NULL: of all. The caller holds the lock."""
    cdef lp_sequence *sequence
    cdef uint32_t i, j
    for i in range(SEQUENCES):
        sequence = &recording.kept[i]
        for j in range(sequence.n):
            if kernel != NULL and sequence.nodes[j].kernel != kernel:
                continue
            if sequence != recording.sequence or recording.at == 0:
                sequence_drop(sequence)
            elif j >= recording.at:        # the run goes on without the rest
                chains_drop(sequence)
                sequence.n, recording.writing, sequence.runs = recording.at, True, 0
                sequence.size = sequence.nodes[sequence.n - 1].bytes + sequence.nodes[sequence.n - 1].size
            break


cdef void forget_recordings() noexcept nogil:
    """In a forked child: what the parent's threads had recorded is theirs, and so are the graphs."""
    cdef lp_recording *recording = lp_runtime.recordings
    cdef uint32_t i
    while recording != NULL:
        lp_lock_init(&recording.lock)
        recording.appending = recording.must_lock = 0
        for i in range(recording.n_queues):
            recording.queues[i].recording = NULL
            recording.queues[i].domain.recorders = 0
        recording.at = recording.n_queues = recording.n_waits = 0
        recording.sequence, recording.writing = NULL, False
        recording.before = recording.begin = recording.last = NULL
        memset(recording.kept, 0, sizeof(recording.kept))
        recording = recording.next
    lp_here.step, lp_runtime.unused = NULL, NULL

