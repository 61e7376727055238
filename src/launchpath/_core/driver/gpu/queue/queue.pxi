# Queues: streams of the library, with its own ordering rules.

cdef struct gpu_queue:
    void *core                 # the core's
    void *stream
    # cuLaunchKernel, for which the device need not be current; NULL where it has to be
    int (*launch)(void *, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,
                  unsigned int, void *, void **, void **) noexcept nogil
    gpu_device *device
    gpu_line *line             # for callbacks
    unsigned int flags
    int priority
    bint foreign               # somebody else destroys it
    void *successor            # of a foreign stream: what the queue goes on with when that is gone
    bint shown                 # somebody else may have it captured
    bint legacy                # it is the legacy stream
    lp_dependence dependence
    uint64_t legacy_turn       # the device's, at the last command


cdef int gpu_queue_make(gpu_device *device, void *stream, bint foreign, gpu_queue **queue) noexcept nogil:
    cdef gpu_queue *q = <gpu_queue *>calloc(1, sizeof(gpu_queue))
    if q == NULL:
        return gpu_fail(b"malloc", GPU_ERROR_OUT_OF_MEMORY)
    q.device, q.stream, q.foreign, q.shown = device, stream, foreign, foreign
    q.launch = NULL if device.library.hip else device.library.call.launch
    q.line = gpu_line_take(device, &device.free_lines)
    if q.line == NULL:
        free(q)
        return gpu_fail(b"malloc", GPU_ERROR_OUT_OF_MEMORY)
    queue[0] = q
    return 0


cdef int gpu_queue_create(void *handle, queue_kind kind, int priority, void **queue) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef unsigned int flags = GPU_STREAM_NON_BLOCKING if kind == QUEUE_NONBLOCKING else 0
    cdef gpu_queue *q = NULL
    cdef void *stream = NULL
    cdef int code = gpu_open(device)
    if code:
        return code
    if kind == QUEUE_LEGACY:
        code = gpu_queue_make(device, device.library.legacy_stream, True, &q)
        if code == 0:
            q.legacy = True
            queue[0] = q
        return code
    code = gpu_stream_take(device, flags, priority, GPU_STREAMS_SPARE if flags and priority == 0 else 0, &stream)
    if code:
        return code
    code = gpu_queue_make(device, stream, False, &q)
    if code:
        gpu_stream_give(device, stream, flags, priority)
        return code
    q.flags, q.priority = flags, priority
    queue[0] = q
    return 0


cdef int gpu_queue_adopt(void *handle, void *stream, void **queue) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_queue *q = NULL
    cdef void *successor = NULL
    cdef int code = gpu_open(device)
    if code == 0:
        # Now, because making one later might have to wait.
        code = gpu_stream_take(device, GPU_STREAM_NON_BLOCKING, 0, GPU_STREAMS_SPARE, &successor)
    if code:
        return code
    code = gpu_queue_make(device, stream, True, &q)
    if code:
        gpu_stream_give(device, successor, GPU_STREAM_NON_BLOCKING, 0)
        return code
    q.successor, q.flags = successor, GPU_STREAM_NON_BLOCKING
    queue[0] = q
    return 0


cdef void gpu_queue_release(void *queue) noexcept nogil:
    cdef gpu_queue *q = <gpu_queue *>queue
    if not lp_exiting:
        if q.successor != NULL:
            gpu_stream_give(q.device, q.successor, q.flags, q.priority)
        elif not q.foreign and q.shown:
            gpu_stream_destroy(q.device, q.stream)         # it may be captured, or have other attributes
        elif not q.foreign:
            gpu_stream_give(q.device, q.stream, q.flags, q.priority)
        gpu_line_give(q.line, &q.device.free_lines)
    free(q)


cdef int gpu_queue_detach(void *queue) noexcept nogil:
    """Go on with a stream of our own that waits for what the foreign one holds."""
    cdef gpu_queue *q = <gpu_queue *>queue
    cdef void *event = NULL
    cdef gpu_context context
    cdef int code
    if q.successor == NULL:
        return 0
    if gpu_queue_capturing(queue):
        return gpu_fail(q.device.library.names.stream_capturing, GPU_ERROR_STREAM_CAPTURE_UNSUPPORTED)
    code = driver_marker(&cuda_table, queue, False, 0, NULL, &event)
    if code:
        return code
    code = gpu_begin(q.device, &context)
    if code == 0:
        code = gpu_wait_in(q.device, q.successor, <gpu_event *>event)
        gpu_end(&context)
    if code:
        # if the stream cannot wait, the host does; then there is nothing to wait for
        code = gpu_event_wait(NULL, event)
    if code == 0:
        q.stream, q.successor, q.foreign, q.shown = q.successor, NULL, False, False
    gpu_event_release(NULL, event)
    return code


cdef int gpu_queue_flush(void *queue) noexcept nogil:
    return 0                   # both libraries start commands by themselves


cdef int gpu_queue_finish(void *queue) noexcept nogil:
    cdef gpu_queue *q = <gpu_queue *>queue
    cdef gpu_context context
    cdef int code = gpu_begin_apart(q.device, &context)
    if code:
        return code
    # The library would not only refuse to look at a stream that is captured, but end the capture.
    code = GPU_ERROR_STREAM_CAPTURE_UNSUPPORTED
    if not gpu_captured(q):
        code = q.device.library.call.stream_synchronize(q.stream)
    return gpu_end_call(&context, q.device.library.names.stream_synchronize, code)


cdef int gpu_queue_query(void *queue, event_status *status) noexcept nogil:
    cdef gpu_queue *q = <gpu_queue *>queue
    cdef gpu_context context
    cdef int code = gpu_begin_apart(q.device, &context)
    if code:
        return code
    code = GPU_ERROR_STREAM_CAPTURE_UNSUPPORTED
    if not gpu_captured(q):
        code = q.device.library.call.stream_query(q.stream)
    gpu_end(&context)
    status[0] = EVENT_PENDING if code == GPU_ERROR_NOT_READY else EVENT_COMPLETE if code == 0 else EVENT_FAILED
    return 0 if code == 0 or code == GPU_ERROR_NOT_READY else gpu_fail(q.device.library.names.stream_query, code)


cdef bint gpu_queue_capturing(void *queue) noexcept nogil:
    cdef gpu_queue *q = <gpu_queue *>queue
    cdef gpu_context context
    cdef bint captured
    if not q.shown or gpu_begin(q.device, &context):
        return False
    captured = gpu_captured(q)
    gpu_end(&context)
    return captured


cdef inline bint gpu_captured(gpu_queue *q) noexcept nogil:
    """Is it captured, or the legacy stream while a blocking one is? The device is current."""
    cdef int status = 0
    cdef int code
    if not q.shown or q.device.library.call.stream_capturing == NULL:
        return False
    code = q.device.library.call.stream_capturing(q.stream, &status)
    return status != 0 if code == 0 else code == GPU_ERROR_STREAM_CAPTURE_IMPLICIT


cdef void *gpu_queue_handle(void *queue, bint exposed) noexcept nogil:
    (<gpu_queue *>queue).shown |= exposed
    return (<gpu_queue *>queue).stream


cdef int gpu_queue_callback(void *queue, void (*function)(void *, event_status) noexcept nogil,
                            void *data) noexcept nogil:
    """A host function in the stream itself: it comes before what is submitted from now on."""
    cdef gpu_queue *q = <gpu_queue *>queue
    cdef gpu_device *device = q.device
    cdef gpu_job *job
    cdef gpu_context context
    cdef int code
    if device.library.call.host_function == NULL:
        return gpu_fail(device.library.names.host_function, GPU_LACKING)
    job = <gpu_job *>calloc(1, sizeof(gpu_job))
    if job == NULL:
        return gpu_fail(b"malloc", GPU_ERROR_OUT_OF_MEMORY)
    job.function, job.data = function, data
    q.dependence.behind = False
    code = gpu_begin(device, &context)
    if code == 0:
        code = device.library.call.host_function(q.stream, gpu_called, job)
        if code:
            gpu_fail(device.library.names.host_function, code)
        gpu_end(&context)
    if code:
        free(job)
    return code
