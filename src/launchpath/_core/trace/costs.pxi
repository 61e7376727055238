# What the parts of a trace cost, for `launchpath bench trace`.

cdef extern from "time.h" nogil:
    ctypedef struct lp_timespec "struct timespec":
        long tv_sec
        long tv_nsec
    int clock_gettime(int clock, lp_timespec *time)
    int CLOCK_THREAD_CPUTIME_ID


cdef int launch_with_costs(void *queue, const driver_command *command) noexcept nogil:
    """`trace_submit`, with a look at the clock between its parts."""
    cdef const driver_table *below = below_queue(queue, LAYER_TRACE)
    cdef uint64_t began = lp_ticks()
    cdef lp_records *ring = traced_begin(queue, command)
    cdef uint64_t begun = lp_ticks(), taken, accepted, kept
    cdef lp_timed *timed
    cdef int code
    if ring == NULL:
        return below.submit(queue, command)
    timed = timing_begin(ring, queue, below, True)
    taken = lp_ticks()
    traced_go(ring)
    if timed == NULL:
        return traced_end(ring, below.submit(queue, command))
    code = submit_timed(below, queue, command, timed)
    accepted = lp_ticks()
    timing_end(ring, queue, timed, code)
    kept = lp_ticks()
    traced_end(ring, code)
    lp_add(&lp_costs.launches, 1)
    lp_add(&lp_costs.timing, <int64_t>(taken - begun))
    lp_add(&lp_costs.arming, <int64_t>(kept - accepted))
    lp_add(&lp_costs.record, <int64_t>(begun - began + lp_ticks() - kept))
    return code


def trace_phases(bint on):
    """Begin to add up what the parts of a trace cost, or stop and give it in microseconds.

    Returns
    -------
    list of float, or None
        For a launch: the timing object, its arming, its completion on the monitor's thread, and all of these and the
        record together.
    """
    cdef uint64_t ticks, nanoseconds
    cdef double scale
    if on:
        memset(&lp_costs, 0, sizeof(lp_costs))
        lp_costs.on = True
        return None
    lp_costs.on = False
    ticks, nanoseconds = lp_ticks(), lp_nanoseconds()
    with nogil:
        lp_sleep(2000)
    scale = <double>(lp_nanoseconds() - nanoseconds) / max(lp_ticks() - ticks, 1) / 1000.0
    timing = scale * lp_costs.timing / max(lp_costs.launches, 1)
    arming = scale * lp_costs.arming / max(lp_costs.launches, 1)
    record = scale * lp_costs.record / max(lp_costs.launches, 1)
    completion = scale * lp_costs.completion / max(lp_costs.completed, 1)
    return [timing, arming, completion, timing + arming + completion + record]


def trace_record_cost(uint32_t n):
    """Nanoseconds of a processor that this thread takes to write the record of a launch, as the mean of `n`."""
    cdef lp_records *ring
    cdef lp_timespec began, ended
    cdef uint64_t took = 0
    cdef uint32_t i, row, _record
    cdef command_slot *command
    cdef detail_slot *detail
    with nogil:
        ring = records_here()
        i = 0
        while ring != NULL and i < n and not lp_trace.failed:
            row = min(n - i, lp_trace.capacity // 8)
            while ring.head - lp_load(ring.tail_there) > lp_trace.capacity // 4 and not lp_trace.failed:
                lp_condition_signal(&lp_trace.drainer_wanted)
                lp_sleep(100)
                records_drain(ring, 1)
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &began)
            for _record in range(row):
                command, detail = &ring.frame[0].command, &ring.frame[1].detail
                memset(detail, 0, 64)
                command.kind, command.flags, command.waits, command.result = SLOT_COMMAND, 0, 0, 0
                command.stream = command.name = 0
                detail.kind, detail.command = SLOT_DETAIL, COMMAND_LAUNCH
                command.correlation, command.begin = records_correlation(ring), lp_ticks()
                command.driver_begin = lp_ticks()
                command.driver_end = lp_ticks()
                command_publish(ring, lp_ticks(), 0)
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ended)
            took += <uint64_t>(1000000000 * (ended.tv_sec - began.tv_sec) + ended.tv_nsec - began.tv_nsec)
            i += row
    if ring == NULL:
        raise errors.LaunchpathError("no trace is going on")
    return took / max(i, 1)
