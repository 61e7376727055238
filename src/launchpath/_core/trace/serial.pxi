# Serialized launches, of traces in the mode "serialized": a launch begins when the launch before is complete, whatever
# the stream or the thread. So the times of a kernel are those of a kernel alone on the device.
#
# `serial_begin` and `serial_end` are around the submission of each launch, `serial_wait` is behind it, within the two. A
# kernel may wait for another kernel, or its queue for the host: then the launch before is never complete while the next
# launch waits for it. So each wait has a bound: after it the launch runs beside the other, and `overlapped` counts it.

cdef enum:
    SERIAL_PATIENCE = 1000000      # microseconds that a launch waits for the one before,
    SERIAL_PATIENCE_HELD = 2000    # and the same while a queue waits for the host, by default
    SERIAL_SPIN = 50               # microseconds of polling without a sleep
    SERIAL_SLICE = 50000000        # nanoseconds between two checks for signals


lp_trace.serial_held = SERIAL_PATIENCE_HELD


def set_serial_patience(double seconds):
    """How long a serialized launch waits for the launch before it while a queue waits for the host. For tests."""
    cdef uint64_t before = lp_trace.serial_held
    lp_trace.serial_held = <uint64_t>(1e6 * seconds)
    return before / 1e6


cdef inline uint64_t serial_patience() noexcept nogil:
    return 1000 * (lp_trace.serial_held if lp_load(&lp_runtime.holds) else <uint64_t>SERIAL_PATIENCE)


cdef inline uint64_t thread_here() noexcept nogil:
    """A number of this thread that no other running thread has: the address of a thread-local variable."""
    return <uint64_t><uintptr_t>&lp_external


cdef bint serial_begin() except? True:
    """Before a launch: wait for the turn of this thread. True: the launch has it, and `serial_end` gives it back; False: a
    launch around this one has it, or the launch goes on without."""
    cdef uint64_t began = lp_nanoseconds(), looked = began, turns = lp_load(&lp_trace.turns)
    if lp_trace.serial == thread_here():
        return False
    while not lp_swap_if(&lp_trace.serial, 0, thread_here()):
        if turns != lp_load(&lp_trace.turns):          # other threads' launches end: nothing waits for this one
            turns, began = lp_load(&lp_trace.turns), lp_nanoseconds()
        if lp_nanoseconds() - began > serial_patience():
            lp_add(&lp_trace.header.counters.overlapped, 1)
            return False
        with nogil:
            lp_sleep(20)
        if lp_nanoseconds() - looked > SERIAL_SLICE:
            looked = lp_nanoseconds()
            PyErr_CheckSignals()
    return True


cdef inline void serial_end() noexcept:
    """Let the next thread have its turn."""
    lp_add(&lp_trace.turns, 1)
    lp_swap_if(&lp_trace.serial, thread_here(), 0)


cdef int serial_wait(lp_queue *queue) except -1:
    """After a launch that has its turn: wait until it is complete. What this raises is no refusal of the launch."""
    cdef uint64_t began = lp_nanoseconds(), looked = began
    cdef lp_mark *mark = NULL
    cdef bint done = False
    cdef lp_records *ring = records_here()
    cdef int code
    if lp_trace.serial != thread_here() or is_captured(queue):
        return 0
    with nogil:
        code = queue_record_outside(queue, &mark)
    if ring != NULL:
        ring.polls = True
    try:
        while code == 0 and mark != NULL and not done:
            with nogil:
                code = mark_query(mark, &done)
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
    return 0
