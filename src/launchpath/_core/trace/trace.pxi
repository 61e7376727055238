# Traces: one at a time in a process. It begins and ends at any time, for streams that there are and those to come.
#
# `_tracing/session.py` opens the file and says what is traced; all that happens on the way of a launch is here.

import os


def trace_entry_names():
    """The names of what records call by number: the driver's calls, and launchpath's."""
    return list(ENTRY_NAMES), list(API_NAMES)


def trace_begin(int file, uint32_t capacity, uint32_t timing_most, bint timed, bint serialized, bint drop,
                bint count_ticks, int findings=0, uint32_t keep=0, waits=(), uint64_t slow=0, uint64_t window=0):
    """Begin a trace in an empty file that is open for reading and writing, and stays open until `trace_close`.

    Parameters
    ----------
    file : int
    capacity : int
        Slots of a ring, a power of 2.
    timing_most : int
        Timing objects at most.
    timed, serialized : bool
        Ask devices for times; one launch at a time.
    drop : bool
        Whether slots that find no room are dropped and counted, or wait.
    count_ticks : bool
        Whether the processor's counter may be the clock, if it is a constant one.
    findings : int
        1: with evidence. 3: and with the source lines of calls.
    keep : int
        Bits of `trace_keep`; 0: the records.
    waits : pair of list of int
        Entries that wait for a device: of launchpath's calls, and of drivers'.
    slow, window : int
        Nanoseconds from which on a turn is slow, and of the records around it that are kept.
    """
    cdef int code
    cdef bint drains
    cdef lp_records *ring = NULL
    if lp_trace.generation:
        raise errors.LaunchpathError("a trace is going on in this process: end it first")
    if capacity < RECORDS_LEAST or capacity > RECORDS_MOST or capacity & (capacity - 1):
        raise ValueError(f"expected a power of 2 from {RECORDS_LEAST} to {RECORDS_MOST}, got {capacity}")
    if lp_trace.excluded == NULL:
        lp_trace.excluded = <uint8_t *>lp_region(RANGE_NAMES)
    if findings:
        with nogil:
            looks_begin(count_ticks)
            python_look()
    lp_lock_acquire(&lp_trace.lock)
    # Before the trace begins: from then on launches look at these.
    lp_trace.timing_most, lp_trace.timed, lp_trace.serialized = timing_most, timed, serialized
    lp_trace.findings = findings
    lp_trace.batch_most = 1 if serialized else BATCH_MOST
    lp_trace.serial, lp_timings.gave_up = 0, 0
    lp_lock_acquire(&lp_timings.lock)
    lp_timings.of_trace = 0
    lp_lock_release(&lp_timings.lock)
    lp_trace.keep = keep                # rings are mapped by it
    code = store_begin(file, capacity, drop, count_ticks)
    if code == 0:
        code = begin_keeping(keep, waits, slow, window)
    if code:
        lp_trace.timed = lp_trace.serialized = False
        lp_trace.findings = 0
    lp_lock_release(&lp_trace.lock)
    if code:
        raise OSError(code, os.strerror(code))
    with nogil:
        ring = records_here()
        if ring != NULL:
            host_clock_write(ring)
    delays_begin()
    drains = drainer_start()
    if timed and not lp_timings.monitor and drains:
        lp_timings.monitor = drains = lp_thread(monitor_life, NULL)
    if ring == NULL or not drains:
        code = <int>lp_trace.failed
        trace_close()
        raise OSError(code, os.strerror(code)) if code else MemoryError("no thread can be started for the trace")
    lp_condition_signal(&lp_timings.monitor_wanted)


cdef int begin_keeping(uint32_t keep, waits, uint64_t slow, uint64_t window):
    """Prepare the summary, if there is to be one; 0, or an error number. Caller holds the trace's lock."""
    cdef bint well
    cdef uint32_t entry
    lp_lock_acquire(&lp_trace.drain_lock)
    well = keep_begin(keep, False, slow, window)
    if well and trace_keep.of != NULL:
        for api, entries in enumerate(reversed(waits)):
            for entry in entries:
                condenser_waits(trace_keep.of, api, entry)
    if not well:
        lp_store(&lp_trace.generation, 0)
    lp_lock_release(&lp_trace.drain_lock)
    return 0 if well else 12        # ENOMEM


def trace_device(DeviceBase device not None, uint32_t number, bint on, bint profiler=False):
    """Let the commands of a device be recorded from now on, or not any more. `number` is its place in the file.

    Parameters
    ----------
    device : Device
    number : int
    on : bool
    profiler : bool
        Whether the driver's profiler may tell the times.

    Returns
    -------
    int
        Why it does not: a code of the profiler's library. 0: it does, or was not asked for.
    """
    cdef lp_domain *domain = device.domain
    cdef lp_records *ring
    cdef lp_queue **queues = NULL
    cdef uint32_t i, n = 0
    cdef int code, refused = 0
    cdef bint profiles = on and profiler and lp_trace.timed and not lp_trace.serialized
    domain.traced_as = number
    if on:
        domain.traced, domain.traced_clock = True, 0       # a stream that is made from now on writes what it is
    else:
        domain.traced = False          # a launch that is not seen any more is none that was kept back
    with nogil:
        if profiles:
            refused = profiler_want(domain)
        if domain.profiled:
            profiled_clock_write(domain)
        code = set_layer(domain, LAYER_TRACE, on)
        if code or not on:
            profiler_leave(domain)
        if code == 0 and on:
            list_every_queue(domain, &queues, &n)
            for i in range(n):
                stream_write(queues[i])
                profiled_watch_captures(queues[i])
            queues_unlist(queues, n)
        elif code == 0 and lp_trace.timed and domain.traced_clock:
            ring = records_here()
            device_clock(domain, ring, 0)      # the last commands are between two measurements too
    if code:
        domain.traced = False
        raise failure(domain.driver, code)
    return refused


cdef void list_every_queue(lp_domain *domain, lp_queue ***queues, uint32_t *n) noexcept nogil:
    cdef uint32_t room = 0
    lp_lock_acquire(&lp_runtime.registry_lock)
    domain_queues(domain, queues, n, &room)
    lp_lock_release(&lp_runtime.registry_lock)


cdef bint domain_queues(lp_domain *domain, lp_queue ***queues, uint32_t *n, uint32_t *room) noexcept nogil:
    """Add a device's queues to a list; False: not all, there is no memory. The caller holds `registry_lock`."""
    cdef lp_queue *queue = domain.queues
    while queue != NULL:
        if items_grow(<void **>queues, room, n[0] + 1, sizeof(lp_queue *)):
            return False
        queues[0][n[0]] = queue_use(queue)
        n[0] += 1
        queue = queue.next
    return True


cdef void stream_write(lp_queue *queue) noexcept nogil:
    """Write what a stream is. Its numbers are of no other stream of the process."""
    cdef lp_records *ring = records_here()
    cdef stream_slot *slot
    if ring == NULL or not records_has_room(ring, 1):
        return
    slot = &records_slot(ring, 0).stream
    memset(slot, 0, sizeof(stream_slot))
    slot.kind, slot.type, slot.device = SLOT_STREAM, <uint8_t>queue.kind, queue.domain.traced_as
    slot.stream, slot.ticks = <uint32_t>queue.identity, lp_ticks()
    slot.handle = <uint64_t><uintptr_t>queue.domain.driver.queue_handle(queue.handle, False)
    records_publish(ring, 1)


def devices_open():
    """The devices that have been opened and not closed."""
    return list(open_devices)


def trace_record(bint on):
    """Have calls of launchpath recorded, or not, until this is called again: the trace goes on."""
    lp_trace.recording = on and lp_trace.generation != 0
    watch_launches()


def trace_exclude(uint32_t number, bint excluded):
    """Leave launches of a kernel out of the trace, by the number of its name."""
    if lp_trace.excluded != NULL and number < RANGE_NAMES:
        lp_trace.excluded[number] = excluded


def trace_block(uint16_t kind, bytes payload not None, uint64_t count):
    """Append a block to the file: names, or facts about the trace."""
    cdef const char *at = payload
    cdef size_t size = len(payload)
    with nogil:
        store_write(lp_trace.generation, kind, count, at, size, NULL, 0)


def trace_counters():
    """The counters of the trace that goes on, in the order of the file, and the error number of its file or 0."""
    if lp_trace.generation == 0:
        return None
    return counted_values(&lp_trace.header.counters), lp_trace.failed


def trace_outstanding():
    """Commands whose times are not known yet, how many are, ever, whether a queue waits for the host, and how many of the
    first are of the trace that goes on."""
    return lp_timings.used, lp_timings.completed, lp_runtime.holds != 0, lp_timings.of_trace


def trace_wait(uint64_t microseconds):
    """Let the monitor look, and wait a little."""
    with nogil:
        lp_store(&lp_profiler.wanted, 1)
        lp_condition_signal(&lp_timings.monitor_wanted)
        lp_sleep(microseconds)


def trace_flush():
    """Copy everything that is in rings to the file."""
    with nogil:
        drain_all()


def trace_close(uint64_t uploads=0, uint64_t uploads_skipped=0, uint64_t left_out=0):
    """End the trace: its counters, and the error number of its file or 0. Layers are off.

    Commands that other threads are submitting, in launches and in steps, have a moment to end. What is not complete by
    then stays without times."""
    cdef trace_counts *counters
    cdef lp_records *ring
    cdef uint64_t code, until
    cdef trace_counts counts
    if lp_trace.generation == 0:
        return [0] * (sizeof(trace_counts) // 8), 0
    lp_trace.recording = False
    delays_stop()
    watch_launches()
    counters = &lp_trace.header.counters
    with nogil:
        until = lp_nanoseconds() + 1000 * <uint64_t>PUBLISH_PATIENCE
        ring = <lp_records *>lp_load(&lp_trace.rings)
        while ring != NULL:
            while ring != <lp_records *>lp_here.records and ring.pending and lp_nanoseconds() < until:
                lp_sleep(20)
            ring = ring.next
        ring = records_here()
        if ring != NULL:
            host_clock_write(ring)
        lp_lock_acquire(&lp_timings.monitor_lock)      # no record is being written by the monitor
        profiled_look()
        if is_outstanding():
            profiler_flush(True)       # after which it tells nothing of the others
            profiled_drop(NULL)
        lp_lock_acquire(&lp_trace.lock)
        lp_add(&counters.unfinished, <int64_t>lp_timings.of_trace)
        drain_all()
        lp_lock_acquire(&lp_trace.drain_lock)
        keep_end()
        counters.uploads, counters.uploads_skipped = uploads, uploads_skipped
        counters.markers_left_out = left_out
        if counters.state == 0:
            counters.state = 1
        code = lp_trace.failed
        counts = counters[0]
        records_close()
        lp_trace.timed = lp_trace.serialized = False
        lp_trace.findings = 0
        lp_lock_release(&lp_trace.drain_lock)
        lp_lock_release(&lp_trace.lock)
        lp_lock_release(&lp_timings.monitor_lock)
        profiler_end(PROFILER_PATIENCE)
        profiler_unloaded()
    return counted_values(&counts), code


cdef list counted_values(trace_counts *counts):
    cdef uint64_t *at = <uint64_t *>counts
    cdef size_t i
    return [at[i] for i in range(sizeof(trace_counts) // 8)]


cdef void forget_trace() noexcept:
    """In a forked child: the trace is the parent's, and so are the rings' memory and the threads."""
    records_forget()
    keep_forget()
    delays_forget()
    ranges_init()
    sites_init()
    lp_trace.findings = 0
    watch_launches()
    lp_lock_init(&lp_timings.lock)
    lp_lock_init(&lp_timings.monitor_lock)
    lp_timings.monitor = False
    lp_timings.free, lp_timings.free_batches, lp_timings.watched = NULL, NULL, NULL
    lp_timings.fresh_first = lp_timings.fresh_last = NULL
    lp_timings.n = lp_timings.used = lp_timings.of_trace = lp_timings.profiled = 0
    profiler_forget()


# What only a user's thread asks for.

def external_correlation_id(uint64_t identifier):
    """Name what this thread's records belong to from now on; gives the number before. 0: nothing."""
    cdef uint64_t before = lp_here.external
    lp_here.external = identifier
    return before
