# Queues: in order, with profiling unless a workaround says no (about 0.05 us a command; times need it, and it cannot be
# turned on later).

cdef struct opencl_queue:
    void *core                 # the core's
    void *queue                # cl_command_queue
    opencl_device *device
    uint32_t number            # of the queues that there have been

cdef uint64_t opencl_queues = 0


cdef inline void **opencl_list(uint32_t n_waits, void **waits) noexcept nogil:
    """A wait list of no events has to be NULL (CL_INVALID_EVENT_WAIT_LIST)."""
    return waits if n_waits else NULL


cdef int opencl_queue_create(void *handle, queue_kind kind, int priority, void **queue) noexcept nogil:
    cdef opencl_device *device = <opencl_device *>handle
    cdef uint64_t properties[5]
    cdef int32_t code = opencl_context(device)
    if code != 0:
        return code
    properties[0] = CL_QUEUE_PROPERTIES
    properties[1] = device.profiling
    properties[2] = properties[3] = properties[4] = 0
    if device.priority_hints and priority != 0:
        properties[2] = CL_QUEUE_PRIORITY_KHR
        properties[3] = CL_QUEUE_PRIORITY_HIGH_KHR if priority < 0 else CL_QUEUE_PRIORITY_LOW_KHR
    cdef opencl_queue *q = <opencl_queue *>calloc(1, sizeof(opencl_queue))
    if q == NULL:
        return opencl_fail("malloc", CL_OUT_OF_HOST_MEMORY)
    q.device, q.number = device, <uint32_t>lp_add(&opencl_queues, 1)
    q.queue = cl_api.clCreateCommandQueueWithProperties(device.context, device.id, properties, &code)
    if q.queue == NULL:
        free(q)
        return opencl_fail("clCreateCommandQueueWithProperties", code)
    queue[0] = q
    return 0


cdef void opencl_queue_release(void *queue) noexcept nogil:
    if lp_exiting:
        return
    cl_api.clReleaseCommandQueue((<opencl_queue *>queue).queue)
    free(queue)


cdef int opencl_queue_flush(void *queue) noexcept nogil:
    cdef int32_t code = cl_api.clFlush((<opencl_queue *>queue).queue)
    return 0 if code == 0 else opencl_fail("clFlush", code)


cdef int opencl_queue_finish(void *queue) noexcept nogil:
    cdef int32_t code = cl_api.clFinish((<opencl_queue *>queue).queue)
    if code == 0:
        return 0
    # The same codes stand for a command that failed and for a call that could not wait. A caller that gets the
    # code of a failed command takes all commands as ended and uses their memory again: so
    # they are waited for once more.
    cl_api.clFinish((<opencl_queue *>queue).queue)
    return opencl_fail("clFinish", code)


cdef void *opencl_queue_handle(void *queue, bint exposed) noexcept nogil:
    return (<opencl_queue *>queue).queue
