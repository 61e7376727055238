# Timed commands: commands whose times the device is asked for when they are complete, and the monitor that asks.
#
# There is a bounded number of timing objects, which are made in rows and used again. Commands of one queue are in a batch,
# whose last command is asked whether it is complete: then all are, since a queue is in order. The monitor, one thread,
# asks the batches in turn, and sleeps between two looks; it never blocks in the driver. What it reads is its own until it
# gives it back: nothing else releases a timing.

cdef enum:
    TIMED_ROW = 256                # timing objects that are made at a time
    BATCH_MOST = 64                # commands of a batch
    MONITOR_LEAST = 200            # microseconds between two looks
    MONITOR_MOST = 100000
    MONITOR_PROFILING = 5000       # the most while a driver's profiler has records
    MONITOR_COMMANDS = 512         # complete commands that a look had better find: each look interrupts other threads
    TIMED_SPARE = 8                # of so many timing objects one is kept for commands that cannot wait for one
    TIMED_PATIENCE = 1000000       # microseconds without a complete command after which a launch goes without times,
    TIMED_PATIENCE_HELD = 2000     # and the same while a queue waits for the host
    DEVICE_CLOCK_EVERY = 1000000000    # nanoseconds

cdef struct lp_timed

cdef struct lp_profiled_call:      # a call of the library's, see profiled.pxi
    lp_profiled_call *next     # of those that the monitor has not seen; of its place in the table
    lp_profiled_call *more     # of the same command
    lp_timed *timed
    uint32_t number
    bint listed                # in the table
    bint refused

cdef struct lp_timed:
    lp_timed *next
    void *timing
    uint64_t generation        # of the trace that took it
    times_slot times
    # What follows is of commands whose times the driver's profiler tells: of the thread that submits until `closed`, then of
    # the monitor.
    bint profiled
    lp_profiled_call *calls    # of the library's, the last one first
    uint32_t to_run            # of these
    lp_domain *domain
    lp_profiled_call first_call
    uint64_t closed            # all of it has been submitted
    bint settled               # the monitor has seen that
    bint timeless              # the profiler has recorded it without times
    uint32_t ran               # records of the profiler's
    lp_timed *ready            # the next one of `unclosed`

cdef struct lp_batch:              # one queue's commands, the oldest first
    lp_batch *next
    lp_queue *queue                # which adds to it; NULL: none does any more
    lp_domain *domain
    lp_timed *first
    lp_timed *last
    uint32_t n
    uint64_t generation

cdef struct timed_state:
    lp_lock lock                   # a leaf
    lp_timed *free
    lp_batch *free_batches
    lp_batch *fresh_first          # of queues, which the monitor has not seen
    lp_batch *fresh_last
    uint64_t n                     # timing objects there are
    uint64_t used                  # those with a command
    uint64_t of_trace              # and those of the trace that goes on
    uint64_t profiled              # and those whose times the profiler is to tell
    uint64_t completed             # commands that the monitor has seen complete, ever
    uint64_t gave_up               # launches wait for no timing object until there is room again
    lp_lock monitor_lock           # held during a look; before `lock`
    lp_batch *watched              # (monitor_lock)
    lp_condition monitor_wanted
    bint monitor                   # its thread was started

cdef struct trace_costs:           # sums of ticks, see costs.pxi
    bint on
    uint64_t launches, timing, arming, record, completed, completion

cdef timed_state lp_timings
cdef trace_costs lp_costs
lp_lock_init(&lp_timings.lock)
lp_lock_init(&lp_timings.monitor_lock)
lp_condition_init(&lp_timings.monitor_wanted)


cdef lp_timed *timed_take(bint profiled) noexcept nogil:
    """A timing object; NULL: none is free. A command's own lock may be held. One that is `profiled` keeps the profiler
    attached until it is given back."""
    cdef lp_timed *timed = NULL
    cdef lp_timed *row
    cdef uint32_t i, n
    lp_lock_acquire(&lp_timings.lock)
    if lp_timings.free == NULL and lp_timings.n < lp_trace.timing_most:
        n = <uint32_t>min(<uint64_t>TIMED_ROW, lp_trace.timing_most - lp_timings.n)
        row = <lp_timed *>calloc(n, sizeof(lp_timed))
        if row != NULL:
            for i in range(n):
                row[i].next, lp_timings.free = lp_timings.free, &row[i]
            lp_timings.n += n
            lp_add(&lp_trace.header.counters.timing_created, n)
    if lp_timings.free != NULL and lp_timings.used < lp_trace.timing_most:
        timed, lp_timings.free = lp_timings.free, lp_timings.free.next
        timed.next, timed.timing, timed.times.kind, timed.profiled = NULL, NULL, 0, profiled
        timed.generation = lp_trace.generation
        if lp_timings.free != NULL:
            lp_expect(lp_timings.free, sizeof(lp_timed))       # the monitor had it
        lp_timings.used += 1
        lp_timings.of_trace += 1
        if profiled:
            lp_add(&lp_timings.profiled, 1)            # a fence too: see `timing_begin`
        lp_raise(&lp_trace.header.counters.timing_most, lp_timings.used)
    lp_lock_release(&lp_timings.lock)
    return timed


cdef void timed_give(lp_timed *timed) noexcept nogil:
    """Give back a row of timing objects."""
    cdef lp_timed *last = timed
    cdef uint64_t generation = lp_trace.generation
    cdef uint32_t n = 1, of_trace = timed.generation == generation, profiled = timed.profiled
    while last.next != NULL:
        last, n = last.next, n + 1
        of_trace += last.generation == generation
        profiled += last.profiled
    lp_lock_acquire(&lp_timings.lock)
    last.next, lp_timings.free = lp_timings.free, timed
    lp_timings.used -= n
    if generation == lp_trace.generation:
        lp_timings.of_trace -= of_trace
    lp_add(&lp_timings.profiled, -<int64_t>profiled)
    lp_lock_release(&lp_timings.lock)


cdef bint timed_keep(lp_queue *queue, lp_timed *timed) noexcept nogil:
    """Add a command to its queue's batch. The queue's lock is held. False: no memory.

    Its trace may have ended while it was in the library's call, and the next one begun: it has no record there."""
    cdef lp_batch *batch
    timed.next = NULL
    lp_lock_acquire(&lp_timings.lock)
    batch = <lp_batch *>queue.batch
    if batch == NULL or batch.n >= lp_trace.batch_most or batch.generation != timed.generation:
        batch = lp_timings.free_batches
        if batch != NULL:
            lp_timings.free_batches = batch.next
        else:
            batch = <lp_batch *>malloc(sizeof(lp_batch))
            if batch == NULL:
                lp_lock_release(&lp_timings.lock)
                return False
        if queue.batch != NULL:
            (<lp_batch *>queue.batch).queue = NULL
        batch.next, batch.queue, batch.domain, batch.first, batch.last, batch.n = NULL, queue, queue.domain, NULL, NULL, 0
        batch.generation = timed.generation
        queue.batch = batch
        if lp_timings.fresh_last != NULL:
            lp_timings.fresh_last.next = batch
        else:
            lp_timings.fresh_first = batch
        lp_timings.fresh_last = batch
    if batch.last != NULL:
        batch.last.next = timed
    else:
        batch.first = timed
    batch.last = timed
    batch.n += 1
    lp_lock_release(&lp_timings.lock)
    return True


cdef void batch_leave(lp_queue *queue) noexcept nogil:
    """A queue ends. What it has submitted is complete."""
    lp_lock_acquire(&lp_timings.lock)
    if queue.batch != NULL:
        (<lp_batch *>queue.batch).queue = NULL
        queue.batch = NULL
    lp_lock_release(&lp_timings.lock)


cdef inline bint timed_short(uint64_t n) noexcept nogil:
    """Whether `n` commands had better wait for timing objects."""
    cdef uint64_t most = lp_trace.timing_most - lp_trace.timing_most // TIMED_SPARE
    return lp_load(&lp_timings.used) + min(n, most // 2 + 1) > most


cdef void timed_room(uint64_t n) noexcept nogil:
    """Before `n` commands: wait until timing objects are free. The GIL is not held, nor a lock that the device's work may
    need; the monitor needs none.

    A queue that waits for the host may never complete, and neither may a kernel: then commands go without times."""
    cdef uint64_t began, at, completed
    if lp_load(&lp_timings.gave_up):
        return
    began = at = lp_nanoseconds()
    completed = lp_load(&lp_timings.completed)
    lp_add(&lp_trace.header.counters.timing_waits, 1)
    # Commands of other threads may complete all the time: there is a bound for all of it as well.
    while timed_short(n) and lp_trace.timed and lp_nanoseconds() - began < 10000 * <uint64_t>TIMED_PATIENCE:
        lp_store(&lp_profiler.wanted, 1)
        lp_condition_signal(&lp_timings.monitor_wanted)
        lp_sleep(100)
        if completed != lp_load(&lp_timings.completed):
            completed, at = lp_load(&lp_timings.completed), lp_nanoseconds()
        elif lp_nanoseconds() - at > 1000 * <uint64_t>(
                TIMED_PATIENCE_HELD if lp_load(&lp_runtime.holds) else TIMED_PATIENCE):
            lp_store(&lp_timings.gave_up, 1)
            break


# The monitor.

cdef event_status batch_status(lp_batch *batch, lp_timed *last) noexcept nogil:
    cdef event_status status = EVENT_PENDING
    if batch.domain.driver.timing_query(batch.domain, last.timing, &status):
        status = EVENT_FAILED
    return status


cdef inline void times_publish(lp_records *ring, const times_slot *times) noexcept nogil:
    if ring != NULL and records_has_room(ring, 1):
        records_slot(ring, 0).times = times[0]
        records_publish(ring, 1)


cdef void times_write(lp_records *ring, lp_batch *batch, lp_timed *timed) noexcept nogil:
    """Write what the device says of a command that is complete."""
    cdef lp_times times
    cdef int code = batch.domain.driver.timing_read(batch.domain, timed.timing, False, &times)
    if ring == NULL:
        return
    if code or times.started == NO_TIME or times.ended == NO_TIME:
        timed.times.flags |= SLOT_FAILED
        times.submitted = times.started = times.ended = 0
        lp_add(&lp_trace.header.counters.failed_times, 1)
    timed.times.submitted = 0 if times.submitted == NO_TIME else times.submitted
    timed.times.started, timed.times.ended = times.started, times.ended
    times_publish(ring, &timed.times)


cdef void batch_end(lp_batch *batch) noexcept nogil:
    """Write the times of a batch whose commands are complete, and give back what it has."""
    cdef lp_records *ring = NULL
    cdef lp_timed *timed = batch.first
    cdef lp_domain *domain = batch.domain
    cdef uint64_t began = lp_ticks()
    cdef uint32_t n = batch.n
    if batch.generation == lp_load(&lp_trace.generation):
        ring = records_here()
        device_clock(domain, ring, DEVICE_CLOCK_EVERY)
        lp_add(&lp_trace.header.counters.batches, 1)
    while timed != NULL:
        times_write(ring, batch, timed)
        domain.driver.timing_release(domain, timed.timing)
        timed = timed.next
    timed_give(batch.first)
    lp_add(&lp_timings.completed, n)
    lp_lock_acquire(&lp_timings.lock)
    batch.next, lp_timings.free_batches = lp_timings.free_batches, batch
    lp_lock_release(&lp_timings.lock)
    lp_costs.completed += n
    lp_costs.completion += lp_ticks() - began


cdef bint batch_look(lp_batch *batch) noexcept nogil:
    """End a batch, if all of it is complete; False: it is not. The caller holds `monitor_lock`."""
    cdef lp_timed *last
    lp_lock_acquire(&lp_timings.lock)
    last = batch.last
    lp_lock_release(&lp_timings.lock)
    if batch_status(batch, last) == EVENT_PENDING:
        return False
    lp_lock_acquire(&lp_timings.lock)
    if batch.last != last:
        lp_lock_release(&lp_timings.lock)
        return False
    if batch.queue != NULL:
        batch.queue.batch, batch.queue = NULL, NULL
    lp_lock_release(&lp_timings.lock)
    batch_end(batch)
    return True


cdef uint32_t monitor_look() noexcept nogil:
    """Look at all batches once; how many were complete. A queue's batches are complete in their order."""
    cdef lp_batch **place
    cdef lp_batch *batch
    cdef lp_batch *fresh
    cdef uint32_t n = 0
    lp_lock_acquire(&lp_timings.monitor_lock)
    lp_lock_acquire(&lp_timings.lock)
    fresh, lp_timings.fresh_first, lp_timings.fresh_last = lp_timings.fresh_first, NULL, NULL
    lp_lock_release(&lp_timings.lock)
    place = &lp_timings.watched
    while place[0] != NULL:
        place = &place[0].next
    place[0] = fresh
    place = &lp_timings.watched
    while place[0] != NULL:
        batch = place[0]
        fresh = batch.next
        if batch_look(batch):
            place[0] = fresh
            n += 1
        else:
            place = &batch.next
    n += profiled_look()
    if lp_timings.gave_up and not timed_short(1):
        lp_store(&lp_timings.gave_up, 0)
    lp_lock_release(&lp_timings.monitor_lock)
    return n


cdef void monitor_life(void *data) noexcept nogil:
    """The monitor's life. It touches nothing of Python's."""
    cdef uint64_t pause = MONITOR_LEAST, completed
    cdef lp_lock lock
    lp_lock_init(&lock)
    while True:
        if not lp_runtime.exiting:
            profiler_flush_if_due()
            profiler_linger()
            profiler_end(0)
            profiler_unload_if_idle()
        completed = lp_load(&lp_timings.completed)
        if (lp_load(&lp_timings.used) or is_profiling()) and not lp_runtime.exiting:
            monitor_look()
        pause = monitor_pause(pause, lp_load(&lp_timings.completed) - completed)
        lp_lock_acquire(&lock)
        if lp_trace.generation == 0 and lp_load(&lp_timings.used) == 0 and not lp_load(&lp_profiler.loaded):
            lp_condition_wait_for(&lp_timings.monitor_wanted, &lock, 1000000)
        else:
            lp_condition_wait_for(&lp_timings.monitor_wanted, &lock, pause)
        lp_lock_release(&lock)


cdef uint64_t monitor_pause(uint64_t pause, uint64_t completed) noexcept nogil:
    """How long to sleep after a look that has seen so many commands complete. Where the host's threads and a CPU device
    need all processors each look interrupts one of them, so it should be worth it."""
    cdef uint64_t most = MONITOR_PROFILING if is_profiling() else MONITOR_MOST
    cdef uint64_t next_ = pause * MONITOR_COMMANDS // max(completed, 1)
    if timed_short(MONITOR_COMMANDS):
        return MONITOR_LEAST
    return min(max(min(next_, 2 * pause), MONITOR_LEAST), most)


cdef void device_clock(lp_domain *domain, lp_records *ring, uint64_t age) noexcept nogil:
    """Measure a device's clock and the host's anew, if the last time is so long ago. No core lock is held."""
    cdef device_clock_slot *slot
    cdef uint64_t there = 0, here = 0, error = 0
    if ring == NULL or domain.driver.clock_pair == NULL or domain.refused or lp_nanoseconds() - domain.traced_clock < age:
        return
    domain.traced_clock = lp_nanoseconds()
    if domain.driver.clock_pair(domain.device, &there, &here, &error) or not records_has_room(ring, 1):
        return
    slot = &records_slot(ring, 0).device_clock
    memset(slot, 0, sizeof(device_clock_slot))
    slot.kind, slot.device = SLOT_DEVICE_CLOCK, domain.traced_as
    slot.device_time, slot.monotonic, slot.error = there, here, error
    records_publish(ring, 1)


cdef void drop_timed(lp_domain *domain) noexcept nogil:
    """A device is closed or gone: release the timings of its commands, and count them as not complete."""
    cdef lp_batch **place
    cdef lp_batch *batch
    cdef lp_timed *timed
    if lp_load(&lp_timings.used) == 0:
        return
    profiler_flush(False)
    lp_lock_acquire(&lp_timings.monitor_lock)
    lp_lock_acquire(&lp_timings.lock)
    place = &lp_timings.watched
    while place[0] != NULL:
        place = &place[0].next
    place[0], lp_timings.fresh_first, lp_timings.fresh_last = lp_timings.fresh_first, NULL, NULL
    lp_lock_release(&lp_timings.lock)
    place = &lp_timings.watched
    while place[0] != NULL:
        batch = place[0]
        if batch.domain != domain:
            place = &batch.next
            continue
        place[0] = batch.next
        timed = batch.first
        while timed != NULL:
            domain.driver.timing_release(domain, timed.timing)
            timed = timed.next
        if batch.generation == lp_trace.generation and lp_trace.generation:
            lp_add(&lp_trace.header.counters.unfinished, batch.n)
        timed_give(batch.first)
        lp_lock_acquire(&lp_timings.lock)
        if batch.queue != NULL:
            batch.queue.batch = NULL
        batch.next, lp_timings.free_batches = lp_timings.free_batches, batch
        lp_lock_release(&lp_timings.lock)
    profiled_drop(domain)
    lp_lock_release(&lp_timings.monitor_lock)
