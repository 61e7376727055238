# Callbacks: a host function on a helper stream that waits for the event. In the event's own stream it would come after
# commands that were submitted since.
#
# Events of one queue come in order, so one helper stream (a line) serves the callbacks of a queue. A callback for an
# event that is older than that of the last one must not stand behind it: it goes to a spare line, which serves one at a
# time.

cdef enum:
    GPU_LINE_ROOM = 256  # callbacks under way on a line; the library blocks when a stream holds about 1,000 commands

cdef struct gpu_line:
    gpu_device *device
    gpu_line *next                 # on a free list
    void *stream                   # made when it is first needed
    lp_lock lock
    uint64_t last                  # `gpu_event.sequence` of the last callback
    uint64_t waiting               # callbacks that have not run

cdef struct gpu_job:
    gpu_line *line             # NULL: none, it is in the queue's own stream
    bint spare
    void (*function)(void *, event_status) noexcept nogil
    void *data


cdef gpu_line *gpu_line_take(gpu_device *device, gpu_line **free_lines) noexcept nogil:
    """A line that nobody uses, or NULL if there is no memory. Lines stay for the process."""
    cdef gpu_line *line
    lp_lock_acquire(&device.lock)
    line = free_lines[0]
    if line != NULL:
        free_lines[0] = line.next
    lp_lock_release(&device.lock)
    if line == NULL:
        line = <gpu_line *>calloc(1, sizeof(gpu_line))
        if line != NULL:
            line.device = device
            lp_lock_init(&line.lock)
    return line


cdef void gpu_line_give(gpu_line *line, gpu_line **free_lines) noexcept nogil:
    lp_lock_acquire(&line.device.lock)
    line.next = free_lines[0]
    free_lines[0] = line
    lp_lock_release(&line.device.lock)


cdef void gpu_called(void *data) noexcept nogil:
    """On a thread of the library's, which allows no call of the library."""
    cdef gpu_job job = (<gpu_job *>data)[0]
    free(data)
    if job.line != NULL:
        lp_add(&job.line.waiting, -1)
    if job.spare:
        gpu_line_give(job.line, &job.line.device.spare_lines)      # whoever takes it now submits behind this function
    if not lp_exiting:
        job.function(job.data, EVENT_COMPLETE)


cdef int gpu_line_submit(gpu_line *line, gpu_event *event, gpu_job *job) noexcept nogil:
    """Put a callback into a line, which the caller has locked or has to itself; the device is current."""
    cdef gpu_device *device = line.device
    cdef int code = 0
    if line.stream == NULL:
        code = gpu_stream_take(device, GPU_STREAM_NON_BLOCKING, 0, 0, &line.stream)
        if code:
            return code
    code = gpu_wait_in(device, line.stream, event)
    if code:
        return code
    job.line = line
    lp_add(&line.waiting, 1)
    code = device.library.call.host_function(line.stream, gpu_called, job)
    if code:
        lp_add(&line.waiting, -1)
        return gpu_fail(device.library.names.host_function, code)
    return 0


cdef int gpu_event_callback(void *domain, void *handle, void (*function)(void *, event_status) noexcept nogil,
                            void *data) noexcept nogil:
    cdef gpu_event *event = <gpu_event *>handle
    cdef gpu_device *device = event.device
    cdef gpu_line *line = event.line
    cdef gpu_job *job
    cdef gpu_context context
    cdef int code
    if event.captured:
        return gpu_fail(device.library.names.host_function, GPU_ERROR_CAPTURED_EVENT)
    if device.library.call.host_function == NULL:
        return gpu_fail(device.library.names.host_function, GPU_LACKING)
    job = <gpu_job *>calloc(1, sizeof(gpu_job))
    if job == NULL:
        return gpu_fail(b"malloc", GPU_ERROR_OUT_OF_MEMORY)
    job.function, job.data = function, data
    code = gpu_begin(device, &context)
    if code:
        free(job)
        return code
    if line != NULL:
        lp_lock_acquire(&line.lock)
        if event.sequence >= line.last and lp_load(&line.waiting) < GPU_LINE_ROOM:
            line.last = event.sequence
            code = gpu_line_submit(line, event, job)
            lp_lock_release(&line.lock)
            gpu_end(&context)
            if code:
                free(job)
            return code
        lp_lock_release(&line.lock)
    line = gpu_line_take(device, &device.spare_lines)
    job.spare = True
    code = gpu_fail(b"malloc", GPU_ERROR_OUT_OF_MEMORY) if line == NULL else gpu_line_submit(line, event, job)
    gpu_end(&context)
    if code:
        free(job)
        if line != NULL:
            gpu_line_give(line, &device.spare_lines)
    return code
