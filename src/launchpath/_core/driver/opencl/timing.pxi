# Timings: the events of commands in queues with profiling, and what their clock says beside the host's.

cdef enum:
    OPENCL_CLOCK_TRIES = 8


cdef int opencl_timing_read(void *domain, void *timing, bint whole, lp_times *times) noexcept nogil:
    cdef int code = 0
    times.queued = times.submitted = NO_TIME
    if whole:
        code = opencl_profiled(timing, CL_PROFILING_COMMAND_QUEUED, &times.queued)
        if code == 0:
            code = opencl_profiled(timing, CL_PROFILING_COMMAND_SUBMIT, &times.submitted)
    if code == 0:
        code = opencl_profiled(timing, CL_PROFILING_COMMAND_START, &times.started)
    if code == 0:
        code = opencl_profiled(timing, CL_PROFILING_COMMAND_END, &times.ended)
    return code


cdef int opencl_profiled(void *event, uint32_t moment, uint64_t *nanoseconds) noexcept nogil:
    cdef int32_t code = cl_api.clGetEventProfilingInfo(event, moment, sizeof(nanoseconds[0]), nanoseconds, NULL)
    return 0 if code == 0 else opencl_fail("clGetEventProfilingInfo", code)


cdef int opencl_clock_pair(void *handle, uint64_t *device_time, uint64_t *host_time, uint64_t *error) noexcept nogil:
    """A moment by the device's clock and the host's: of some tries the one of which the host knows most. Where the device
    has no timer, of markers in a queue: a CPU device then keeps the program's kernels back for milliseconds."""
    if (<opencl_device *>handle).profiling == 0:
        return ERROR_NOT_TOLD
    if opencl_clock_timer(<opencl_device *>handle, device_time, host_time, error):
        return 0
    return opencl_clock_markers(handle, device_time, host_time, error)


cdef bint opencl_clock_timer(opencl_device *device, uint64_t *device_time, uint64_t *host_time, uint64_t *error) noexcept nogil:
    """By the device's timer, if it has one: that is the clock of its profiling too (OpenCL 2.1, 4.3)."""
    cdef uint64_t at, host, began, took
    cdef int _attempt
    error[0] = NO_TIME
    if cl_api.clGetDeviceAndHostTimer == NULL:
        return False
    for _attempt in range(OPENCL_CLOCK_TRIES):
        at, began = 0, lp_nanoseconds()
        if cl_api.clGetDeviceAndHostTimer(device.id, &at, &host) or at == 0:
            return False
        took = lp_nanoseconds() - began
        if took // 2 + 1 < error[0]:
            device_time[0], host_time[0], error[0] = at, began + took // 2, took // 2 + 1
    return True


cdef int opencl_clock_markers(void *handle, uint64_t *device_time, uint64_t *host_time, uint64_t *error) noexcept nogil:
    cdef uint64_t at, began, took
    cdef void *queue = NULL
    cdef int code, _attempt
    code = opencl_queue_create(handle, QUEUE_NONBLOCKING, 0, &queue)
    if code:
        return code
    error[0] = NO_TIME
    for _attempt in range(OPENCL_CLOCK_TRIES):
        code = opencl_clock_marker(queue, &at, &began, &took)
        if code:
            break
        if took // 2 + 1 < error[0]:
            device_time[0], host_time[0], error[0] = at, began + took // 2, took // 2 + 1
    opencl_queue_release(queue)
    return code


cdef int opencl_clock_marker(void *queue, uint64_t *at, uint64_t *began, uint64_t *took) noexcept nogil:
    """When a marker was queued, which was within its call; or when it ended, where that is all that is known (Intel
    2026.2)."""
    cdef void *event
    cdef int32_t finished
    cdef int code
    began[0] = lp_nanoseconds()
    code = opencl_marker(<opencl_queue *>queue, True, 0, NULL, &event)
    took[0] = lp_nanoseconds() - began[0]
    if code:
        return code
    finished = cl_api.clFinish((<opencl_queue *>queue).queue)
    code = 0 if finished == 0 else opencl_fail("clFinish", finished)
    if code == 0:
        code = opencl_profiled(event, CL_PROFILING_COMMAND_QUEUED, at)
    if code == 0 and at[0] == 0:
        took[0] = lp_nanoseconds() - began[0]
        code = opencl_profiled(event, CL_PROFILING_COMMAND_END, at)
    cl_api.clReleaseEvent(event)
    return code
