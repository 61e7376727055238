# Events. Those of the driver table have the library's in them; timings are the library's own.

cdef struct opencl_event:
    uint64_t recorded          # the core's; first, see driver/table.pxi
    void *event                # cl_event


cdef inline void *opencl_event_of(void *event) noexcept nogil:
    """The library's event."""
    return (<opencl_event *>event).event


cdef opencl_event *opencl_event_new() noexcept nogil:
    """An event without the library's yet; NULL: there is no memory."""
    cdef opencl_event *event = <opencl_event *>calloc(1, sizeof(opencl_event))
    if event == NULL:
        opencl_fail("malloc", CL_OUT_OF_HOST_MEMORY)
    return event


cdef int opencl_event_query(void *domain, void *event, event_status *status) noexcept nogil:
    return opencl_timing_query(domain, opencl_event_of(event), status)


cdef int opencl_timing_query(void *domain, void *event, event_status *status) noexcept nogil:
    cdef int32_t state = 0
    cdef int32_t code = cl_api.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state), &state, NULL)
    if code != 0:
        return opencl_fail("clGetEventInfo", code)
    status[0] = EVENT_FAILED if state < 0 else EVENT_COMPLETE if state == CL_COMPLETE else EVENT_PENDING
    return 0


cdef int opencl_event_wait(void *domain, void *event) noexcept nogil:
    # On Intel's CPU runtime the waiting thread joins the pool: behind a wide kernel of 40 ms this came back after 80 to
    # 160, having worked on the kernel after it. A query does not.
    cdef event_status status = EVENT_COMPLETE
    cdef void *cl_event = opencl_event_of(event)
    cdef int32_t code = cl_api.clWaitForEvents(1, &cl_event)
    if code != 0 and opencl_event_query(domain, event, &status) == 0 and status != EVENT_FAILED:
        code = cl_api.clWaitForEvents(1, &cl_event)    # it was the call that failed, not the command
        status = EVENT_COMPLETE
    if code == 0:
        # A library may report a failed event's wait as a success.
        if opencl_event_query(domain, event, &status) != 0 or status != EVENT_FAILED:
            return 0
        code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
    return opencl_fail("clWaitForEvents", code)


cdef int opencl_event_time(void *domain, void *event, uint64_t *nanoseconds) noexcept nogil:
    cdef int32_t code = cl_api.clGetEventProfilingInfo(
        opencl_event_of(event), CL_PROFILING_COMMAND_END, sizeof(uint64_t), nanoseconds, NULL)
    return 0 if code == 0 else opencl_fail("clGetEventProfilingInfo", code)


cdef void opencl_event_release(void *domain, void *event) noexcept nogil:
    if not lp_exiting:
        cl_api.clReleaseEvent(opencl_event_of(event))
        free(event)


cdef void opencl_timing_release(void *domain, void *timing) noexcept nogil:
    if not lp_exiting:
        cl_api.clReleaseEvent(timing)


cdef struct opencl_callback:
    void (*function)(void *, event_status) noexcept nogil
    void *data


cdef void opencl_event_done(void *event, int32_t state, void *data) noexcept nogil:
    cdef opencl_callback callback = (<opencl_callback *>data)[0]
    free(data)
    if lp_exiting:
        return                 # a function that takes the GIL would end this thread inside the runtime
    callback.function(callback.data, EVENT_FAILED if state < 0 else EVENT_COMPLETE)


cdef int opencl_event_callback(void *domain, void *event, void (*function)(void *, event_status) noexcept nogil,
                               void *data) noexcept nogil:
    cdef int32_t code
    cdef opencl_callback *callback = <opencl_callback *>malloc(sizeof(opencl_callback))
    if callback == NULL:
        return opencl_fail("malloc", CL_OUT_OF_HOST_MEMORY)
    callback.function = function
    callback.data = data
    code = cl_api.clSetEventCallback(opencl_event_of(event), CL_COMPLETE, opencl_event_done, callback)
    if code != 0:
        free(callback)
        return opencl_fail("clSetEventCallback", code)
    return 0


cdef int opencl_user_event(void *handle, bint may_wait, void **event) noexcept nogil:
    cdef opencl_device *device = <opencl_device *>handle
    cdef opencl_event *made
    cdef int32_t code = opencl_context(device)
    if code != 0:
        return code
    made = opencl_event_new()
    if made == NULL:
        return CL_OUT_OF_HOST_MEMORY
    made.event = cl_api.clCreateUserEvent(device.context, &code)
    if made.event == NULL:
        free(made)
        return opencl_fail("clCreateUserEvent", code)
    event[0] = made
    return 0


cdef int opencl_user_event_set(void *domain, void *event, event_status status) noexcept nogil:
    cdef int32_t state = CL_COMPLETE
    cdef int32_t code
    if status == EVENT_FAILED and not (<opencl_device *>(<lp_domain *>domain).device).failing_is_unsafe:
        state = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
    code = cl_api.clSetUserEventStatus(opencl_event_of(event), state)
    return 0 if code == 0 else opencl_fail("clSetUserEventStatus", code)
