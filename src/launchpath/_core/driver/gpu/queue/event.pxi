# Events: recorded ones, which are the library's, and user events, which are words of pinned memory that streams wait
# for.
#
# Both kinds are used again after their release: the core gives an event back only when nothing waits for it any more.

cdef struct gpu_event:
    uint64_t recorded          # the core's; first, see driver/table.pxi
    gpu_device *device
    gpu_event *next            # on a free list
    void *event                # the library's; NULL for a user event
    bint timed
    bint captured              # recorded last while somebody captured the stream: it stands for nothing that runs
    gpu_line *line             # of the queue that it was recorded in; NULL for a user event
    uint64_t sequence          # among the records of the device
    uint32_t *word             # of a user event: it is set when the word has come to `value`
    uint32_t value
    uint64_t failed
    uint64_t held              # of a user event: it counts among the library's holds


cdef gpu_event *gpu_event_take(gpu_device *device, bint timed, int *code) noexcept nogil:
    """An event to record; the device is current."""
    cdef gpu_event *event
    lp_lock_acquire(&device.lock)
    event = device.free_events[timed]
    if event != NULL:
        device.free_events[timed] = event.next
    lp_lock_release(&device.lock)
    if event != NULL:
        return event
    event = <gpu_event *>calloc(1, sizeof(gpu_event))
    if event == NULL:
        code[0] = gpu_fail(b"malloc", GPU_ERROR_OUT_OF_MEMORY)
        return NULL
    event.device, event.timed = device, timed
    code[0] = device.library.call.event_create(&event.event, 0 if timed else GPU_EVENT_DISABLE_TIMING)
    if code[0]:
        gpu_fail(device.library.names.event_create, code[0])
        free(event)
        return NULL
    return event


cdef inline void gpu_let_go(gpu_event *event) noexcept nogil:
    """A user event holds nothing back any more."""
    if event.event == NULL and lp_swap_if(&event.held, 1, 0):
        gpu_hold_end(event.device)


cdef void gpu_event_release(void *domain, void *handle) noexcept nogil:
    cdef gpu_event *event = <gpu_event *>handle
    cdef gpu_event **place
    if lp_exiting:
        return
    gpu_let_go(event)              # that it was never set: what would have waited for it was refused
    place = &event.device.free_words if event.event == NULL else &event.device.free_events[event.timed]
    lp_lock_acquire(&event.device.lock)
    event.next = place[0]
    place[0] = event
    lp_lock_release(&event.device.lock)


cdef inline int gpu_wait_for(gpu_device *device, void *stream, uint32_t n_waits, void **waits) noexcept nogil:
    """Let what is submitted to the stream from now on wait; the device is current."""
    cdef uint32_t i
    cdef int code = 0
    for i in range(n_waits):
        code = gpu_wait_in(device, stream, <gpu_event *>waits[i])
        if code:
            break
    return code


cdef int gpu_wait_in(gpu_device *device, void *stream, gpu_event *event) noexcept nogil:
    cdef gpu_functions *call = &device.library.call
    cdef int code
    if event.event != NULL:
        code = call.stream_wait(stream, event.event, 0)
        return 0 if code == 0 else gpu_fail(device.library.names.stream_wait, code)
    if device.library.hip:
        code = call.hip_wait_value(stream, event.word, event.value, GPU_WAIT_VALUE_GEQ, 0xFFFFFFFF)
        return 0 if code == 0 else gpu_fail(device.library.names.hip_wait_value, code)
    code = call.wait_value(stream, event.word, event.value, GPU_WAIT_VALUE_GEQ)
    return 0 if code == 0 else gpu_fail(device.library.names.wait_value, code)


cdef inline bint gpu_word_set(gpu_event *event) noexcept nogil:
    # As streams compare: the difference, because the count goes round.
    return <int32_t>(gpu_word_load(event.word) - event.value) >= 0


cdef int gpu_event_query(void *domain, void *handle, event_status *status) noexcept nogil:
    cdef gpu_event *event = <gpu_event *>handle
    cdef gpu_context context
    cdef int code
    if event.event == NULL:
        status[0] = EVENT_PENDING
        if gpu_word_set(event):
            status[0] = EVENT_FAILED if lp_load(&event.failed) else EVENT_COMPLETE
        return 0
    status[0] = EVENT_FAILED
    if event.captured:             # the library would end the capture
        return gpu_fail(event.device.library.names.event_query, GPU_ERROR_CAPTURED_EVENT)
    code = gpu_begin_apart(event.device, &context)
    if code:
        return code
    code = event.device.library.call.event_query(event.event)
    gpu_end(&context)
    status[0] = EVENT_PENDING if code == GPU_ERROR_NOT_READY else EVENT_COMPLETE if code == 0 else EVENT_FAILED
    if code == 0 or code == GPU_ERROR_NOT_READY or gpu_command_failed(code):
        return 0
    return gpu_fail(event.device.library.names.event_query, code)


cdef int gpu_event_wait(void *domain, void *handle) noexcept nogil:
    cdef gpu_event *event = <gpu_event *>handle
    cdef gpu_context context
    cdef uint64_t pause = 2
    cdef int code
    if event.event == NULL:
        while not gpu_word_set(event):
            lp_sleep(pause)
            pause = min(2 * pause, <uint64_t>1000)
        return gpu_fail(b"user event", GPU_ERROR_LAUNCH_FAILED) if lp_load(&event.failed) else 0
    if event.captured:
        return gpu_fail(event.device.library.names.event_synchronize, GPU_ERROR_CAPTURED_EVENT)
    code = gpu_begin_apart(event.device, &context)
    if code:
        return code
    code = event.device.library.call.event_synchronize(event.event)
    return gpu_end_call(&context, event.device.library.names.event_synchronize, code)


cdef bint gpu_event_captured(void *domain, void *handle) noexcept nogil:
    return (<gpu_event *>handle).captured


cdef int gpu_event_elapsed(void *domain, void *start, void *end, int64_t *nanoseconds) noexcept nogil:
    cdef gpu_event *first = <gpu_event *>start
    cdef float milliseconds = 0
    cdef gpu_context context
    cdef int code = gpu_begin(first.device, &context)
    if code:
        return code
    code = first.device.library.call.event_elapsed(&milliseconds, first.event, (<gpu_event *>end).event)
    gpu_end(&context)
    nanoseconds[0] = <int64_t>(<double>milliseconds * 1e6)
    return 0 if code == 0 else gpu_fail(first.device.library.names.event_elapsed, code)
