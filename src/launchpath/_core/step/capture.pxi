# Captures: a thread's commands on a stream, and on streams that wait for it, become a graph and do not run.
#
# A capture is a recording that is never submitted. Its commands have numbers as all others; they count as complete as
# soon as what the queue really holds is. What would need them to run ends the capture early: they are left out then, and
# the program hears of it when the capture ends.

# The recordings of captures, by their addresses. The streams are not kept: a capture ends with its stream.
cdef set captures_begun = set()

# What was unregistered during captures, which may have launches of it: a graph keeps its kernels only when it is made.
cdef list unregistered_in_captures = []


# Memory that a capturing thread has freed, by the recording's address: captured commands may use it, so nobody else gets it
# before there is a graph that holds it.
cdef dict freed_in_captures = {}

# Events with a time that were recorded in a capture, with the places of their markers, by the recording's address.
cdef dict recorded_in_captures = {}


cdef bint capture_keeps(Allocation allocation) noexcept:
    """Keep memory that this thread frees until its capture has ended; False: it captures nothing."""
    cdef lp_recording *recording = <lp_recording *>lp_here.step
    cdef Allocation kept
    if recording.origin == NULL or recording.abandoned or allocation.extent.private:
        return False
    kept = Allocation.__new__(Allocation)
    kept.address, kept.size, kept.pool = allocation.address, allocation.size, allocation.pool
    freed_in_captures.setdefault(<uintptr_t>recording, []).append(kept)
    kept.extent = allocation.extent    # from here on it is given back with this
    return True


cdef int capture_notes_record(EventBase event, const lp_mark *mark) except -1:
    """An event was recorded. In a capture of this thread each launch of the graph records it, if it has a time."""
    cdef lp_recording *recording = <lp_recording *>lp_here.step
    cdef lp_step_event *point = step_event(mark.event)
    if recording != NULL and recording.origin != NULL and event.event.timing and point != NULL and point.run == recording.run:
        recorded_in_captures.setdefault(<uintptr_t>recording, []).append((point.at, event))
    return 0


def keep_in_captures(things not None):
    """Keep what was unregistered until no thread captures any more."""
    if captures_begun:
        unregistered_in_captures.append(things)


cdef tuple ENDED_EARLY_BY = (
    "", "something waited for a stream or an event of it, asked whether they were complete, or called a host function",
    "a command of it was timed, or was on a stream that foreign code has",
    "another thread used one of its streams or events", "", "a kernel of it was dropped")


cdef void capture_drop(lp_recording *recording) noexcept nogil:
    """Leave out everything that was captured. The caller has locked the recording."""
    cdef uint32_t i
    for i in range(recording.at):
        if recording.sequence.nodes[i].kind == COMMAND_MARKER:
            marker_submitted(recording, &recording.sequence.nodes[i], ERROR_CAPTURE_ENDED)
    queues_let_go(recording)
    recording.at = recording.n_waits = 0
    recording.writing, recording.sequence = False, NULL


cdef void captured_memory_drop(lp_recording *recording) noexcept nogil:
    cdef uint32_t i
    for i in range(recording.n_kept_memory):
        recording.kept_memory[i].release(recording.kept_memory[i].data)
    recording.n_kept_memory = 0


cdef void capture_end_early(lp_recording *recording, submission_reason reason) noexcept nogil:
    """End a capture before its time. The caller has locked the recording."""
    if not recording.ended_early:
        recording.ended_early = <int>reason + 1
        capture_drop(recording)


cdef inline bint capture_has(const lp_queue *queue) noexcept nogil:
    """Whether a queue's commands are captured by launchpath."""
    cdef lp_recording *recording = <lp_recording *>lp_load(<uint64_t *>&queue.recording)
    return recording != NULL and recording.origin != NULL


cdef bint capture_takes(lp_recording *recording, lp_queue *queue, const driver_command *command, int *code) noexcept nogil:
    """Whether a command of the capturing thread is part of the capture: its queue is, or waits for one that is."""
    cdef bint takes = queue.recording == <void *>recording
    cdef lp_step_event *event
    cdef uint32_t i
    if recording.ended_early:
        # A marker is the core's own here (`capture_refuses`): other streams wait for what the queue really holds.
        code[0] = ERROR_CAPTURE_ENDED if queue == recording.origin and command.kind != COMMAND_MARKER else 0
        return False
    for i in range(command.n_waits):
        event = step_event(command.waits[i])
        takes = takes or event != NULL and event.recording == recording and not lp_load(&event.submitted)
    if takes and (queue.kind == QUEUE_LEGACY or not queue_defers(queue)):
        code[0] = ERROR_CAPTURE_QUEUE
        return False
    return takes


cdef inline int capture_refuses(const lp_queue *queue) noexcept nogil:
    """Before the program submits something to a queue: a code if this thread captures it, and that was ended early. Markers
    that the core needs for other streams go to the driver: see `capture_takes`."""
    cdef lp_recording *recording = <lp_recording *>lp_here.step
    if likely(recording == NULL) or recording.origin != queue or recording.abandoned or not recording.ended_early:
        return 0
    return ERROR_CAPTURE_ENDED


cdef inline bint is_captured_elsewhere(const lp_queue *queue) noexcept nogil:
    """Whether another thread captures a queue's commands."""
    return capture_has(queue) and queue.recording != lp_here.step


cdef lp_mark *outside_of(lp_queue *queue) noexcept nogil:
    """A reference to the mark behind what a captured queue held before; NULL: it was idle."""
    cdef lp_mark *mark = NULL
    lp_lock_acquire(queue.lock)
    if queue.outside != NULL:
        mark = mark_ref(queue.outside)
    lp_lock_release(queue.lock)
    return mark


cdef int outside_query(lp_queue *queue, bint *done) noexcept nogil:
    """Whether what a captured queue held before is complete."""
    cdef lp_mark *mark = outside_of(queue)
    cdef int code = 0
    done[0] = True
    if mark != NULL:
        code = mark_query(mark, done)
        mark_unref(mark)
    return code


cdef int capture_enters(lp_queue *queue) noexcept nogil:
    """Before a queue becomes part of a capture: what it holds, and what it waits for, is outside. Caller holds the lock.

    Where the core keeps the legacy rule, captured commands have no part in it."""
    cdef lp_queue *legacy = queue.domain.legacy
    cdef lp_mark *mark = NULL
    cdef int code = order_begin(queue)
    LP_ASSERT(queue.kind != QUEUE_LEGACY)
    if code == 0 and (queue.n_waits or not is_complete(queue.slot, queue.number)):
        code = submit_marker(queue, False, &mark)
    if code:
        return code
    mark_unref(queue.outside)
    queue.outside = mark
    if mark != NULL and not queue.native and queue.kind == QUEUE_BLOCKING and legacy != NULL:
        if clock_reserve(&legacy.wanted, mark.clock.size) or queue_pend(legacy, mark) or (
                clock_join(&legacy.wanted, &mark.clock)):
            return ERROR_HOST_MEMORY
        legacy.unplaced = True
    mark_unref(queue.mark)             # a record in the capture is another point
    queue.mark = NULL
    return 0


def begin_capture(QueueBase stream not None):
    """Capture this thread's commands on a stream from now on."""
    cdef lp_queue *queue = stream.usable()
    cdef lp_recording *recording
    cdef int code
    leave_dropped()
    if lp_here.step != NULL:
        raise thread_is_busy()
    if capture_has(queue):
        raise errors.LaunchpathError(
            "expected a stream that no thread captures, got one that another thread captures: call end_capture() on that "
            "thread, or, where it has ended, synchronize() of the stream")
    if queue.kind == QUEUE_LEGACY or not queue_defers(queue) or stream.capturing:
        raise failure(queue.table, ERROR_CAPTURE_QUEUE)
    if not lp_runtime.step_layers:
        put_step_layers()
    recording = recording_new()
    if recording == NULL:
        raise MemoryError
    with nogil:
        step_observe(queue)                 # another thread's step has commands of it
        lp_lock_acquire(queue.lock)
        code = capture_enters(queue)
        recording_lock(recording)     # a thread that found it while it was a step's may only now submit that
        recording_begin(recording, False)
        recording.origin, recording.ended_early = queue, 0
        code = code or items_grow(<void **>&recording.queues, &recording.room_queues, 1, sizeof(lp_queue *))
        if code == 0:
            if is_ruled(queue):
                lp_add(&queue.domain.recorders, 1)
            recording.queues[0], recording.n_queues = queue, 1
            lp_store(<uint64_t *>&queue.recording, <uint64_t>recording)
        else:
            recording.origin = NULL
        recording_unlock(recording)
        lp_lock_release(queue.lock)
    if code:
        with nogil:
            recording_give(recording)
        raise failure(queue.table, code)
    captures_begun.add(<uintptr_t>recording)
    lp_here.step = recording


cdef object thread_is_busy():
    """The error for a thread that is in a step, or captures."""
    cdef lp_queue *origin = (<lp_recording *>lp_here.step).origin
    if origin == NULL:
        return errors.LaunchpathError("expected a thread that is in no step, got one that is: leave the step first")
    return errors.LaunchpathError(
        f"expected a thread that captures nothing, got one that captures {living_object(streams_by_identity, origin.identity)!r}: "
        "call end_capture() of that stream first, also where an exception has left the code in between")


cdef void capture_abandon(lp_queue *queue) noexcept:
    """A stream goes: its capture ends without a graph, on whichever thread it was begun. There are several where another
    thread has begun one after the first was ended early."""
    cdef lp_recording *recording = lp_runtime.recordings
    if not captures_begun:
        return
    while recording != NULL:
        if recording.origin == queue and lp_here.step == <void *>recording:
            lp_here.step = NULL
            capture_over(recording, False)
        elif recording.origin == queue:
            capture_over(recording, True)
        recording = recording.next


cdef void capture_over(lp_recording *recording, bint abandoned) noexcept:
    """Nothing is captured any more, and what no graph has taken goes. If its thread has not left it, that finds out later: see
    `leave_abandoned`."""
    captures_begun.discard(<uintptr_t>recording)
    graphs_of_runs.pop(<uintptr_t>recording, None)
    recorded_in_captures.pop(<uintptr_t>recording, None)
    freed_in_captures.pop(<uintptr_t>recording, None)
    with nogil:
        recording_lock(recording)
        capture_drop(recording)
        captured_memory_drop(recording)
        recording.origin = NULL
        if abandoned:
            lp_store(&recording.mode, RECORDS_NOTHING)
            recording.abandoned = True
        recording_unlock(recording)
        if not abandoned:
            recording_give(recording)
    if not captures_begun:
        unregistered_in_captures.clear()


def end_capture(QueueBase stream not None, GraphBase graph not None):
    """End a capture, and make `graph` of it."""
    cdef lp_recording *recording = <lp_recording *>lp_here.step
    if recording == NULL or recording.origin == NULL or recording.origin != stream.queue:
        raise errors.LaunchpathError(
            "expected a stream whose capture this thread has begun, got one that it does not capture: end a capture on the thread "
            "and the stream of begin_capture")
    lp_here.step = NULL
    try:
        if recording.ended_early:
            raise errors.LaunchpathError(
                f"the capture was ended before, and has no graph: {ENDED_EARLY_BY[recording.ended_early - 1]}")
        if recording.incomplete:
            raise MemoryError
        graph.streams = [stream]
        recording.last = recording.sequence
        graph.take_commands(recording)
        graph.take_memory(lp_load(&lp_runtime.tick))
        graph.check_joined()
    finally:
        capture_over(recording, False)
