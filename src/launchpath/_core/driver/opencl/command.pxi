# Commands: a call of the library's each.

cdef enum:
    OPENCL_KINDS = COMMANDS_OF_ALL
    OPENCL_WAITS = 16          # events of a command that need no memory of their own


cdef int opencl_submit(void *queue, const driver_command *command) noexcept nogil:
    cdef void *room[OPENCL_WAITS]
    cdef driver_command behind
    cdef uint32_t i
    cdef int code
    if likely(command.n_waits == 0):
        return opencl_command(<opencl_queue *>queue, command)
    behind = command[0]
    behind.waits = room
    if command.n_waits > OPENCL_WAITS:
        behind.waits = <void **>malloc(command.n_waits * sizeof(void *))
    if behind.waits == NULL:
        return opencl_fail("malloc", CL_OUT_OF_HOST_MEMORY)
    for i in range(command.n_waits):
        behind.waits[i] = opencl_event_of(command.waits[i])
    code = opencl_command(<opencl_queue *>queue, &behind)
    if behind.waits != room:
        free(behind.waits)
    return code


cdef inline int opencl_command(opencl_queue *q, const driver_command *command) noexcept nogil:
    """A command that waits for the library's own events."""
    if likely(command.kind == COMMAND_LAUNCH):
        return opencl_launch(q, command)
    if command.kind == COMMAND_COPY:
        return opencl_copy(q, command, <const copy_command *>command.bytes)
    if command.kind == COMMAND_FILL:
        return opencl_fill(q, command, <const fill_command *>command.bytes)
    if command.kind == COMMAND_MARKER:
        return opencl_mark(q, command)
    return opencl_fail("clEnqueueNDRangeKernel", CL_INVALID_VALUE)


cdef int opencl_copy(opencl_queue *q, const driver_command *command, const copy_command *copy) noexcept nogil:
    cdef void **events = opencl_list(command.n_waits, command.waits)
    cdef int32_t code
    if copy.size == 0:
        return opencl_nothing(q, command)
    if q.device.usm:
        code = q.device.clEnqueueMemcpyINTEL(q.queue, 0, copy.to, copy.source, copy.size, command.n_waits, events,
                                             command.timing)
        return 0 if code == 0 else opencl_fail("clEnqueueMemcpyINTEL", code)
    code = cl_api.clEnqueueSVMMemcpy(q.queue, 0, copy.to, copy.source, copy.size, command.n_waits, events, command.timing)
    return 0 if code == 0 else opencl_fail("clEnqueueSVMMemcpy", code)


# Both libraries refuse (CL_INVALID_VALUE) a size that is no multiple of the pattern's, and an address not aligned to it.
cdef int opencl_fill(opencl_queue *q, const driver_command *command, const fill_command *fill) noexcept nogil:
    cdef void **events = opencl_list(command.n_waits, command.waits)
    cdef int32_t code
    if fill.size == 0:
        return opencl_nothing(q, command)
    if q.device.usm:
        code = q.device.clEnqueueMemFillINTEL(q.queue, fill.to, fill.pattern, fill.pattern_size, fill.size, command.n_waits,
                                              events, command.timing)
        return 0 if code == 0 else opencl_fail("clEnqueueMemFillINTEL", code)
    code = cl_api.clEnqueueSVMMemFill(q.queue, fill.to, fill.pattern, fill.pattern_size, fill.size, command.n_waits, events,
                                      command.timing)
    return 0 if code == 0 else opencl_fail("clEnqueueSVMMemFill", code)


cdef int opencl_nothing(opencl_queue *q, const driver_command *command) noexcept nogil:
    """A command over no bytes: only its waits count, and its times."""
    if command.n_waits or command.timing != NULL:
        return opencl_marker(q, command.timing != NULL, command.n_waits, command.waits, command.timing)
    return 0


cdef int opencl_mark(opencl_queue *q, const driver_command *command) noexcept nogil:
    cdef opencl_event *event = NULL
    cdef int code
    if command.event == NULL:
        return opencl_marker(q, command.timed, command.n_waits, command.waits, NULL)
    event = opencl_event_new()
    if event == NULL:
        return CL_OUT_OF_HOST_MEMORY
    code = opencl_marker(q, command.timed, command.n_waits, command.waits, &event.event)
    if code:
        free(event)
    else:
        command.event[0] = event
    return code


cdef int opencl_marker(opencl_queue *q, bint timed, uint32_t n_waits, void **waits, void **event) noexcept nogil:
    # A barrier: it holds later commands by its definition, where a marker does so only because the queue is in order.
    # It is as cheap (0.42 us on Intel's CPU runtime, both) or cheaper (PoCL: 0.25 against 0.31).
    cdef int32_t code
    if timed:
        # On NVIDIA a barrier's event has no times, nor has a marker's with a wait list: queue order carries the waits.
        if n_waits:
            code = cl_api.clEnqueueBarrierWithWaitList(q.queue, n_waits, waits, NULL)
            if code != 0:
                return opencl_fail("clEnqueueBarrierWithWaitList", code)
        code = cl_api.clEnqueueMarkerWithWaitList(q.queue, 0, NULL, event)
        return 0 if code == 0 else opencl_fail("clEnqueueMarkerWithWaitList", code)
    code = cl_api.clEnqueueBarrierWithWaitList(q.queue, n_waits, opencl_list(n_waits, waits), event)
    return 0 if code == 0 else opencl_fail("clEnqueueBarrierWithWaitList", code)
