# Timings: a timed event before a command and one behind it. The libraries give the time between two events and no
# clock, so times count from an event of the device whose host time is known: that of the last clock pair.

cdef enum:
    GPU_CLOCK_TRIES = 8
    GPU_CLOCK_PATIENCE = 1000000000    # nanoseconds; the memory stream may be held up for a while
    GPU_CLOCK_SPIN = 1000000           # nanoseconds after which the processor is left to other threads between two looks

cdef struct gpu_timing:
    gpu_event *start
    gpu_event *end


cdef int gpu_timing_begin(gpu_queue *q, uint32_t n_waits, void **waits, gpu_timing **timing) noexcept nogil:
    """Take two events, and record the first behind the waits. The device is current."""
    cdef gpu_timing *events = <gpu_timing *>calloc(1, sizeof(gpu_timing))
    cdef int code = 0
    if events == NULL:
        return gpu_fail(b"malloc", GPU_ERROR_OUT_OF_MEMORY)
    events.start = gpu_event_take(q.device, True, &code)
    if events.start != NULL:
        events.end = gpu_event_take(q.device, True, &code)
    if events.end != NULL:
        code = gpu_wait_for(q.device, q.stream, n_waits, waits)
        if code == 0:
            code = gpu_record(q, events.start)
    if code:
        gpu_timing_release(NULL, events)
    else:
        timing[0] = events
    return code


cdef int gpu_timing_end(gpu_queue *q, gpu_timing *timing, int code, void **out) noexcept nogil:
    """Record the second event, if the command was accepted. One that cannot be timed has been accepted all the same."""
    if code == 0 and gpu_record(q, timing.end) == 0:
        out[0] = timing
    else:
        out[0] = NULL
        gpu_timing_release(NULL, timing)
    return code


cdef int gpu_record(gpu_queue *q, gpu_event *event) noexcept nogil:
    cdef int code
    event.line, event.sequence, event.captured = q.line, lp_add(&q.device.records, 1), gpu_captured(q)
    code = q.device.library.call.event_record(event.event, q.stream)
    return 0 if code == 0 else gpu_fail(q.device.library.names.event_record, code)


cdef int gpu_timing_query(void *domain, void *timing, event_status *status) noexcept nogil:
    return gpu_event_query(domain, (<gpu_timing *>timing).end, status)


cdef int gpu_timing_read(void *domain, void *timing, bint whole, lp_times *times) noexcept nogil:
    cdef gpu_timing *t = <gpu_timing *>timing
    cdef gpu_device *device = t.start.device
    cdef int64_t since = 0, took = 0
    cdef int code = 0
    times.queued = times.submitted = times.started = times.ended = NO_TIME
    if t.start.captured or t.end.captured:
        return gpu_fail(device.library.names.event_elapsed, GPU_ERROR_CAPTURED_EVENT)
    lp_lock_acquire(&device.clock_lock)
    if device.clock_event == NULL:
        code = ERROR_NOT_TOLD          # no clock pair has been taken yet
    else:
        code = gpu_event_elapsed(domain, device.clock_event, t.start, &since)
    if code == 0:
        code = gpu_event_elapsed(domain, t.start, t.end, &took)
    if code == 0:
        times.started = device.clock_host + since
        times.ended = times.started + took
    lp_lock_release(&device.clock_lock)
    return code


cdef void gpu_timing_release(void *domain, void *timing) noexcept nogil:
    cdef gpu_timing *t = <gpu_timing *>timing
    if t.start != NULL:
        gpu_event_release(domain, t.start)
    if t.end != NULL:
        gpu_event_release(domain, t.end)
    free(t)


cdef int gpu_clock_pair(void *handle, uint64_t *device_time, uint64_t *host_time, uint64_t *error) noexcept nogil:
    """Record an event in a stream that holds nothing else; of some tries the one that took least is what times count
    from."""
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_event *event
    cdef gpu_context context
    cdef uint64_t began, took
    cdef int _attempt
    cdef int code = gpu_begin_apart(device, &context)
    if code:
        return code
    lp_lock_acquire(&device.clock_lock)
    error[0] = NO_TIME
    for _attempt in range(GPU_CLOCK_TRIES):
        event = gpu_event_take(device, True, &code)
        if event == NULL:
            break
        event.captured = False
        began = lp_nanoseconds()
        code = gpu_clock_record(device, event)
        took = lp_nanoseconds() - began
        if code or took // 2 + 1 >= error[0]:
            gpu_event_release(NULL, event)
            if code == GPU_ERROR_NOT_READY and error[0] != NO_TIME:
                code = 0           # an earlier try serves
                break
            if code:
                break
            continue
        if device.clock_event != NULL:
            gpu_event_release(NULL, device.clock_event)
        device.clock_event, device.clock_host = event, began + took // 2
        device_time[0] = host_time[0] = device.clock_host
        error[0] = took // 2 + 1
    lp_lock_release(&device.clock_lock)
    gpu_end(&context)
    return code


cdef int gpu_clock_record(gpu_device *device, gpu_event *event) noexcept nogil:
    """Record an event and wait for it, but not for long."""
    cdef const char *name = device.library.names.event_record
    cdef uint64_t began = lp_nanoseconds(), waited = 0
    cdef int code = device.library.call.event_record(event.event, device.memory_stream)
    if code == 0:
        name, code = device.library.names.event_query, device.library.call.event_query(event.event)
        while code == GPU_ERROR_NOT_READY and waited < GPU_CLOCK_PATIENCE:
            waited = lp_nanoseconds() - began
            if waited > GPU_CLOCK_SPIN:
                lp_sleep(20)
            code = device.library.call.event_query(event.event)
    return 0 if code == 0 else gpu_fail(name, code)
