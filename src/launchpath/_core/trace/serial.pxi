# Serialized launches, of traces in the mode "serialized": a launch begins when the launch before is complete, whatever
# the stream or the thread. So the times of a kernel are those of a kernel alone on the device.
#
# The turn is one thread's at a time. A thread takes it by `serial_begin` before it submits a launch, waits for the launch by
# `serial_wait`, and gives the turn back by `serial_end`. What a step keeps back begins when the step is submitted: the
# submission takes the turn, and keeps it for all its launches. A thread takes the turn before it takes a lock, because the
# thread that has the turn may need the lock.
#
# A kernel may wait for another kernel, or its queue for the host: then the launch before is never complete while the next
# launch waits for it. So each wait has a time limit. After it the launch runs beside the other, and `overlapped` counts it.

cdef enum:
    SERIAL_PATIENCE = 1000000      # microseconds that a launch waits for the one before
    SERIAL_PATIENCE_HELD = 2000    # and while a queue waits for the host, or this thread has a lock; by default
    SERIAL_SPIN = 50               # microseconds of polling without a sleep
    SERIAL_SLICE = 50000000        # nanoseconds between two checks for signals


lp_trace.serial_held = SERIAL_PATIENCE_HELD


def set_serial_patience(double seconds):
    """Set how long a serialized launch waits for the one before while a queue waits for the host; give the value before.
    For tests."""
    cdef uint64_t before = lp_trace.serial_held
    lp_trace.serial_held = <uint64_t>(1e6 * seconds)
    return before / 1e6


cdef inline uint64_t serial_patience() noexcept nogil:
    return 1000 * (lp_trace.serial_held if lp_load(&lp_runtime.holds) else <uint64_t>SERIAL_PATIENCE)


cdef inline uint64_t thread_here() noexcept nogil:
    """A number of this thread that no other running thread has: the address of a thread-local variable."""
    return <uint64_t><uintptr_t>&lp_here.external


cdef enum turn_state:
    TURN_COMES = -1                # another thread has it
    TURN_NOT_TAKEN = 0             # the thread has it from a launch around this one, or has waited too long
    TURN_TAKEN = 1                 # `serial_end` gives it back

cdef struct lp_turn:               # the wait for a turn
    uint64_t began
    uint64_t turns                 # how many had ended then


cdef turn_state turn_begin(lp_turn *turn) noexcept nogil:
    """Before a launch: begin to wait for the turn of this thread."""
    turn.began, turn.turns = lp_nanoseconds(), lp_load(&lp_trace.turns)
    if lp_trace.serial == thread_here():
        return TURN_NOT_TAKEN
    return TURN_TAKEN if lp_swap_if(&lp_trace.serial, 0, thread_here()) else TURN_COMES


cdef turn_state turn_look(lp_turn *turn, uint64_t patience) noexcept nogil:
    """Wait a little for the turn; without it if the patience, in nanoseconds, is at its end."""
    if turn.turns != lp_load(&lp_trace.turns):         # others make progress, so no deadlock: the patience begins anew
        turn.turns, turn.began = lp_load(&lp_trace.turns), lp_nanoseconds()
    if lp_nanoseconds() - turn.began > patience:
        lp_add(&lp_trace.header.counters.overlapped, 1)
        return TURN_NOT_TAKEN
    lp_sleep(20)
    return TURN_TAKEN if lp_swap_if(&lp_trace.serial, 0, thread_here()) else TURN_COMES


cdef bint serial_begin() except? True:
    """Before a launch: wait for the turn of this thread. True: the caller gives it back by `serial_end`."""
    cdef lp_turn turn
    cdef turn_state state = turn_begin(&turn)
    cdef uint64_t looked = turn.began
    while state == TURN_COMES:
        with nogil:
            state = turn_look(&turn, serial_patience())
        if state == TURN_COMES and lp_nanoseconds() - looked > SERIAL_SLICE:
            looked = lp_nanoseconds()
            PyErr_CheckSignals()
    return state == TURN_TAKEN


cdef inline void serial_end() noexcept nogil:
    """Let the next thread have its turn."""
    lp_add(&lp_trace.turns, 1)
    lp_swap_if(&lp_trace.serial, thread_here(), 0)


cdef int serial_wait(lp_queue *queue) except -1:
    """After a launch of a thread that has the turn: wait until it is complete. An exception here is a signal's: the launch
    was submitted."""
    cdef uint64_t began = lp_nanoseconds(), looked = began
    cdef lp_mark *mark = NULL
    cdef bint done = False
    cdef lp_records *ring = records_here()
    cdef void *step = lp_here.step
    cdef int code
    if lp_trace.serial != thread_here() or is_captured(queue):
        return 0
    if step != NULL and lp_load(<uint64_t *>&queue.recording) == <uint64_t>step:
        return 0                       # the step keeps the launch back
    with nogil:
        lp_here.step = NULL                 # the mark goes to the driver, and not into the step
        code = queue_record_outside(queue, &mark)
        lp_here.step = step
    if ring != NULL:
        ring.polls = True                   # queries that find the launch pending have no records
    try:
        while code == 0 and mark != NULL and not done:
            with nogil:
                lp_here.step = NULL
                code = mark_query(mark, &done)
                lp_here.step = step
                if not done and lp_nanoseconds() - began > 1000 * <uint64_t>SERIAL_SPIN:
                    lp_sleep(20)
            if not done and lp_nanoseconds() - began > serial_patience():
                lp_add(&lp_trace.header.counters.overlapped, 1)
                break
            if lp_nanoseconds() - looked > SERIAL_SLICE:
                looked = lp_nanoseconds()
                PyErr_CheckSignals()
    finally:
        mark_unref(mark)
        if ring != NULL:
            ring.polls = False
    return 0                                # the next call that synchronizes the queue tells of what failed


cdef turn_state turn_take(bint locked) noexcept nogil:
    """Before the submission of launches that were kept back: `serial_begin` without the check for signals. `locked`: the thread
    holds a queue's lock. Then it does not wait for long: the thread that has the turn may need that lock."""
    cdef lp_turn turn
    cdef turn_state state = turn_begin(&turn)
    while state == TURN_COMES:
        state = turn_look(&turn, 1000 * lp_trace.serial_held if locked else serial_patience())
    return state


cdef int node_submit_alone(lp_recording *recording, lp_sequence *sequence, lp_node *node) noexcept nogil:
    """Submit a launch of a step, and wait until it is complete. The recording's lock is held, and a queue's may be. The kernel
    may end only after what another thread does, which may need these locks: the time limit ends that deadlock."""
    cdef turn_state state = turn_take(True)  # usually it is ours already; a launch added since takes its own
    cdef int code = node_submit(recording, sequence, node)
    if code == 0 and lp_trace.serial == thread_here():
        queue_wait_alone(node.queue)
    if state == TURN_TAKEN:
        serial_end()
    return code


cdef void queue_wait_alone(lp_queue *queue) noexcept nogil:
    """Wait until the driver has done what it has of a queue. The next call that synchronizes the queue tells of what failed."""
    cdef const driver_table *below = below_queue(queue.handle, LAYER_STEP)
    cdef lp_records *ring = records_here()
    cdef uint64_t began = lp_nanoseconds()
    cdef event_status status = EVENT_PENDING
    cdef void *event = NULL
    if driver_marker(below, queue.handle, False, 0, NULL, &event):
        return
    if ring != NULL:
        ring.polls = True
    if below.queue_flush(queue.handle):
        status = EVENT_FAILED
    while status == EVENT_PENDING and below.event_query(queue.domain, event, &status) == 0:
        if status == EVENT_PENDING and lp_nanoseconds() - began > 1000 * <uint64_t>SERIAL_SPIN:
            lp_sleep(20)
        if status == EVENT_PENDING and lp_nanoseconds() - began > serial_patience():
            lp_add(&lp_trace.header.counters.overlapped, 1)
            break
    if ring != NULL:
        ring.polls = False
    below.event_release(queue.domain, event)
