# Profiled commands: launches whose times the driver's profiler tells, by the numbers of the calls that submitted them.
#
# The thread that submits a command says so (`lp_records.profiled`); the profiler calls back on that thread, with the number of
# the library's call, which goes to the monitor without a lock (`fresh`). The monitor alone has the table of numbers: it asks
# the profiler what has run, finds the commands, writes their times, and gives back their timing objects. A call is in `fresh`
# before it submits anything, so it is in the table before its times are looked for.
#
# A launch that the library refused may be made by a second call.

cdef enum:
    PROFILED_PLACES = 4096         # of the table of numbers, a power of 2

cdef struct profiled_state:
    uint64_t fresh                 # the lp_profiled_call that the monitor has not seen, the newest first
    uint64_t captures              # streams were or are captured since it was attached: each queue is asked from then on
    # What follows is guarded by `monitor_lock`.
    lp_profiled_call *places[PROFILED_PLACES]
    uint64_t listed                # calls in the table
    lp_timed *unclosed             # commands in the table that were still being submitted
    lp_timed *done                 # to be given back
    lp_records *ring               # of the monitor, during a look
    uint32_t n                     # commands whose times have come, during a look

cdef profiled_state lp_profiled_calls


cdef inline bint is_outstanding() noexcept nogil:
    """Whether the profiler has still to tell of commands."""
    return lp_load(&lp_timings.profiled) != 0


# The way of a command.

cdef inline lp_timed *profiled_here() noexcept nogil:
    """The command that this thread submits; NULL: none that the profiler tells of."""
    cdef lp_records *ring = <lp_records *>lp_here.records
    return ring.profiled if ring != NULL else NULL


cdef void profiled_called(uint32_t number) noexcept nogil:
    """The library's call of this number begins, for the command that this thread submits."""
    cdef lp_timed *timed = profiled_here()
    cdef lp_profiled_call *call
    if timed == NULL:
        return
    call = &timed.first_call
    if unlikely(timed.calls != NULL):
        call = <lp_profiled_call *>malloc(sizeof(lp_profiled_call))
        if call == NULL:
            return
    call.timed, call.number, call.listed, call.refused, call.more = timed, number, False, False, timed.calls
    timed.calls = call
    timed.to_run += 1
    while True:
        call.next = <lp_profiled_call *>lp_load(&lp_profiled_calls.fresh)
        if likely(lp_swap_if(&lp_profiled_calls.fresh, <uint64_t>call.next, <uint64_t>call)):
            return


cdef void profiled_refused(uint32_t number) noexcept nogil:
    """It was refused; it may be made once more."""
    cdef lp_timed *timed = profiled_here()
    cdef lp_profiled_call *call = timed.calls if timed != NULL else NULL
    while call != NULL and call.number != number:
        call = call.more
    if call != NULL and not call.refused:
        call.refused = True
        timed.to_run -= 1


cdef void profiled_captures() noexcept nogil:
    """A stream is captured, by any code: what is submitted there does not run."""
    lp_store(&lp_profiled_calls.captures, 1)


cdef inline void profiled_begin(lp_timed *timed, lp_domain *domain) noexcept nogil:
    """This thread submits a command next."""
    timed.closed, timed.settled, timed.timeless = 0, False, False
    timed.calls, timed.to_run, timed.ran, timed.domain = NULL, 0, 0, domain
    (<lp_records *>lp_here.records).profiled = timed


cdef inline bint profiled_submitted(lp_timed *timed, int code) noexcept nogil:
    """The driver's call is over. True: the command will have times, and its slot of times is to be made before
    `profiled_close`. False: it is not this thread's any more."""
    (<lp_records *>lp_here.records).profiled = NULL
    if likely(code == 0 and timed.to_run):
        return True
    if timed.calls == NULL:
        timed_give(timed)
    else:
        timed.to_run = 0
        profiled_close(timed)
    return False


cdef inline void profiled_close(lp_timed *timed) noexcept nogil:
    """Leave a command to the monitor."""
    lp_store(&timed.closed, 1)


# The monitor's part. The caller holds `monitor_lock`.

cdef void profiled_take_in() noexcept nogil:
    """Put the calls that have been made since the last time into the table."""
    cdef lp_profiled_call **place
    cdef lp_profiled_call *call
    cdef lp_profiled_call *next_
    while True:
        call = <lp_profiled_call *>lp_load(&lp_profiled_calls.fresh)
        if call == NULL or lp_swap_if(&lp_profiled_calls.fresh, <uint64_t>call, 0):
            break
    while call != NULL:
        next_, place = call.next, &lp_profiled_calls.places[call.number & (PROFILED_PLACES - 1)]
        call.next, place[0], call.listed = place[0], call, True
        lp_profiled_calls.listed += 1
        if call == &call.timed.first_call:
            call.timed.settled = lp_load(&call.timed.closed) and call.timed.to_run
            if not call.timed.settled:
                call.timed.ready, lp_profiled_calls.unclosed = lp_profiled_calls.unclosed, call.timed
        call = next_


cdef void call_unlist(lp_profiled_call *call) noexcept nogil:
    cdef lp_profiled_call **place = &lp_profiled_calls.places[call.number & (PROFILED_PLACES - 1)]
    if not call.listed:
        return
    while place[0] != call:
        place = &place[0].next
    place[0], call.listed = call.next, False
    lp_profiled_calls.listed -= 1


cdef void profiled_end(lp_timed *timed, bint has_times) noexcept nogil:
    """A command is complete, or will have no times: write its times, and give it back."""
    cdef lp_profiled_call *call = timed.calls
    cdef lp_profiled_call *more
    if call != &timed.first_call:
        profiled_take_in()             # a call that was refused may have come after the others
    if has_times and timed.times.kind == SLOT_TIMES and timed.generation == lp_trace.generation:
        if timed.timeless and lp_profiled_calls.ring != NULL:
            timed.times.flags |= SLOT_FAILED
            timed.times.started = timed.times.ended = 0
            lp_add(&lp_trace.header.counters.failed_times, 1)
        times_publish(lp_profiled_calls.ring, &timed.times)
    lp_profiled_calls.n += has_times
    while call != NULL:
        more = call.more
        call_unlist(call)
        if call != &timed.first_call:
            free(call)
        call = more
    timed.next, lp_profiled_calls.done = lp_profiled_calls.done, timed


cdef void profiled_ran(uint32_t number, uint64_t start, uint64_t end) noexcept nogil:
    """The profiler tells of something that a call submitted: ours, or another library's."""
    cdef lp_profiled_call *call = NULL
    cdef lp_timed *timed
    cdef bint looked = False
    while True:
        call = lp_profiled_calls.places[number & (PROFILED_PLACES - 1)]
        while call != NULL and call.number != number:
            call = call.next
        if call != NULL or looked or lp_load(&lp_profiled_calls.fresh) == 0:
            break
        profiled_take_in()
        looked = True
    if call == NULL:
        return
    timed = call.timed
    timed.timeless = timed.timeless or start == 0 or end == 0
    timed.times.started = min(timed.times.started, start) if timed.ran else start
    timed.times.ended = max(timed.times.ended, end) if timed.ran else end
    timed.ran += 1
    call_unlist(call)
    # A command that was still being submitted when it came into the table is ended by `profiled_look`.
    if timed.settled and timed.ran == timed.to_run:
        profiled_end(timed, True)


cdef profile_observer lp_profile_observer
lp_profile_observer.called = profiled_called
lp_profile_observer.refused = profiled_refused
lp_profile_observer.captures = profiled_captures
lp_profile_observer.ran = profiled_ran


cdef void profiled_settle() noexcept nogil:
    """Go through the commands that were still being submitted."""
    cdef lp_timed *timed = lp_profiled_calls.unclosed
    cdef lp_timed *closed = NULL
    cdef lp_timed *next_
    lp_profiled_calls.unclosed = NULL
    while timed != NULL:
        next_ = timed.ready
        if lp_load(&timed.closed):
            timed.ready, closed = closed, timed
        else:
            timed.ready, lp_profiled_calls.unclosed = lp_profiled_calls.unclosed, timed
        timed = next_
    if closed != NULL:
        profiled_take_in()             # all of their calls are in the table now
    while closed != NULL:
        timed, closed = closed, closed.ready
        timed.settled = True
        if timed.to_run == 0 or timed.ran == timed.to_run:
            profiled_end(timed, timed.to_run != 0)


cdef void profiled_give_back() noexcept nogil:
    if lp_profiled_calls.done != NULL:
        timed_give(lp_profiled_calls.done)
        lp_profiled_calls.done = NULL


cdef uint32_t profiled_look() noexcept nogil:
    """Write the times that the profiler reported; return the number of their commands."""
    cdef uint64_t began = lp_ticks()
    if not is_outstanding() and not is_profiling():
        return 0
    lp_profiled_calls.n, lp_profiled_calls.ring = 0, records_here() if lp_load(&lp_trace.generation) else NULL
    profiled_take_in()
    profiler_read()
    profiled_settle()
    if lp_profiled_calls.done != NULL:
        if lp_profiled_calls.ring != NULL:
            lp_add(&lp_trace.header.counters.batches, 1)
        profiled_give_back()
        lp_add(&lp_timings.completed, lp_profiled_calls.n)
        lp_costs.completed += lp_profiled_calls.n
        lp_costs.completion += lp_ticks() - began
    return lp_profiled_calls.n


cdef void profiled_drop(lp_domain *domain) noexcept nogil:
    """A device's commands, NULL: all devices', will have no times any more: count them as not complete. Those that are
    still being submitted stay: the monitor ends them."""
    cdef lp_profiled_call *call
    cdef uint32_t i, n = 0
    profiled_look()
    for i in range(PROFILED_PLACES):
        call = lp_profiled_calls.places[i]
        while call != NULL:
            if (domain == NULL or call.timed.domain == domain) and call.timed.settled:
                if call.timed.generation == lp_trace.generation:
                    n += 1
                profiled_end(call.timed, False)
                call = lp_profiled_calls.places[i]           # it may have had others of this place
            else:
                call = call.next
    profiled_give_back()
    if n:
        lp_add(&lp_trace.header.counters.unfinished, n)


cdef void profiled_watch_captures(const lp_queue *queue) noexcept nogil:
    """A queue whose commands are profiled from now on: one that is captured already has to be asked about each time."""
    cdef const driver_table *driver = queue.domain.driver
    if queue.domain.profiled and driver.queue_capturing != NULL and driver.queue_capturing(queue.handle):
        profiled_captures()


cdef void profiled_clock_write(const lp_domain *domain) noexcept nogil:
    """Write that a device's times are those of the host's clock: the profiler tells them so, and so do this driver's
    timings."""
    cdef lp_records *ring = records_here()
    cdef device_clock_slot *slot
    if ring == NULL or not records_has_room(ring, 1):
        return
    slot = &records_slot(ring, 0).device_clock
    memset(slot, 0, sizeof(device_clock_slot))
    slot.kind, slot.device = SLOT_DEVICE_CLOCK, domain.traced_as
    slot.device_time = slot.monotonic = lp_nanoseconds()
    records_publish(ring, 1)
