# Events of C code.

def c_event_handle(EventBase event not None, DeviceBase device=None):
    """The handle by which C code names an event of Python's. It ends with the event. With a device, compiled programs
    record the event on streams of this device alone."""
    if device is not None:
        event.event.domain = device.domain
    if event.c_handle == 0:
        event.c_handle = handle_take(HANDLE_EVENT, &event.event)
        if event.c_handle == 0:
            raise MemoryError
    return event.c_handle


cdef launchpath_status c_event_create(uint32_t flags, launchpath_event *event) noexcept nogil:
    cdef lp_event *created
    if event == NULL or flags & ~LAUNCHPATH_TIMING:
        return c_refuse(LAUNCHPATH_INVALID_VALUE, b"event_create: expected flags of 0 or LAUNCHPATH_TIMING, and room for an event")
    created = <lp_event *>calloc(1, sizeof(lp_event))
    event[0] = 0
    if created != NULL:
        lp_lock_init(&created.lock)
        created.timing, created.by_c = flags & LAUNCHPATH_TIMING, True
        event[0] = handle_take(HANDLE_EVENT, created)
    if event[0] == 0:
        free(created)
        return c_refuse(LAUNCHPATH_OUT_OF_MEMORY, b"event_create: no host memory")
    return LAUNCHPATH_SUCCESS


cdef launchpath_status c_event_destroy(launchpath_event event) noexcept nogil:
    cdef lp_event *destroyed = c_event_of(event)
    if destroyed == NULL or not destroyed.by_c:
        return c_no_event()
    destroyed = <lp_event *>handle_drop(event, HANDLE_EVENT)
    if destroyed == NULL:              # another thread was first
        return c_no_event()
    event_set(destroyed, NULL)
    lp_lock_destroy(&destroyed.lock)
    free(destroyed)
    handle_give_back(event)
    return LAUNCHPATH_SUCCESS


cdef launchpath_status c_no_event() noexcept nogil:
    return c_refuse(LAUNCHPATH_INVALID_HANDLE, b"expected an event's handle, got a number that names no event, or none any more")


cdef inline lp_event *c_event_of(uint64_t handle) noexcept nogil:
    """The event of a handle; NULL: it names none, or only Python knows what it stands for."""
    cdef handle_place *place = handle_find(handle, HANDLE_EVENT)
    return <lp_event *>place.thing if place != NULL and not (<lp_event *>place.thing).by_python else NULL


cdef inline int c_mark_refused(const lp_mark *mark) noexcept nogil:
    """In a forked child a complete mark says nothing of the device."""
    return ERROR_FORKED if mark.domain.refused == ERROR_FORKED else 0


cdef launchpath_status c_event_record(launchpath_event event, launchpath_stream stream) noexcept nogil:
    cdef lp_event *recorded = c_event_of(event)
    cdef lp_queue *queue
    cdef lp_mark *mark = NULL
    cdef launchpath_status status = c_queue_for(stream, &queue)
    cdef int code
    if status or recorded == NULL:
        return status if status else c_no_event()
    code = queue_record(queue, recorded.timing, &mark)
    if code:
        return c_failure(queue.table, code)
    event_set(recorded, mark)
    return LAUNCHPATH_SUCCESS


cdef launchpath_status c_stream_wait(launchpath_stream stream, launchpath_event event) noexcept nogil:
    cdef lp_event *awaited = c_event_of(event)
    cdef lp_queue *queue
    cdef lp_mark *mark
    cdef launchpath_status status = c_queue_for(stream, &queue)
    cdef int code
    if status or awaited == NULL:
        return status if status else c_no_event()
    mark = event_mark(awaited)
    if mark == NULL:
        return LAUNCHPATH_SUCCESS      # never recorded: complete, as in HIP
    code = queue_wait(queue, mark)
    if code == 0:
        step_notes_wait(queue, mark)
    mark_unref(mark)
    return c_failure(queue.table, code) if code else LAUNCHPATH_SUCCESS


cdef launchpath_status c_queue_for(uint64_t stream, lp_queue **queue) noexcept nogil:
    """The queue of a stream, to be used at once."""
    queue[0] = c_queue_of(stream)
    if queue[0] == NULL:
        return c_queue_by_python(stream, queue)
    if queue[0].domain.refused:
        return c_failure(queue[0].table, queue[0].domain.refused)
    return LAUNCHPATH_SUCCESS


cdef launchpath_status c_queue_by_python(uint64_t handle, lp_queue **queue) noexcept with gil:
    if lp_runtime.exiting:
        return c_refuse(LAUNCHPATH_NOT_AVAILABLE, b"Python ends")
    try:
        stream = c_stream_object(handle)
        if stream is None:
            stream = current_stream_of_device()
        queue[0] = (<QueueBase>stream).usable()
        return LAUNCHPATH_SUCCESS
    except BaseException as error:
        return c_status(error)


cdef launchpath_status c_event_query(launchpath_event event) noexcept nogil:
    cdef lp_event *asked = c_event_of(event)
    cdef lp_mark *mark
    cdef bint done = True
    cdef int code = 0
    cdef launchpath_status status
    if asked == NULL:
        return c_no_event()
    mark = event_mark(asked)
    if mark == NULL:
        return LAUNCHPATH_SUCCESS
    code = c_mark_refused(mark) or mark_query(mark, &done)
    status = c_mark_failure(mark, code) if code else LAUNCHPATH_SUCCESS if done else LAUNCHPATH_NOT_READY
    mark_unref(mark)
    return status


cdef launchpath_status c_mark_failure(lp_mark *mark, int code) noexcept with gil:
    if code == ERROR_ASYNCHRONOUS:
        return c_status(asynchronous_failure(mark.queue, mark.failure))
    return c_status(failure(mark.domain.table, code))


cdef launchpath_status c_event_synchronize(launchpath_event event) noexcept nogil:
    cdef lp_event *awaited = c_event_of(event)
    cdef lp_mark *mark
    cdef launchpath_status status = LAUNCHPATH_SUCCESS
    cdef int code
    if awaited == NULL:
        return c_no_event()
    mark = event_mark(awaited)
    if mark == NULL:
        return LAUNCHPATH_SUCCESS
    if c_mark_refused(mark) == 0 and (PyGILState_Check() or find_own_hold()):
        status = c_await_by_python(mark)
    else:
        code = c_mark_refused(mark) or (mark_wait(mark) if likely(not lp_runtime.watched) else mark_wait_recorded(mark))
        if code:
            status = c_mark_failure(mark, code)
    mark_unref(mark)
    return status


cdef launchpath_status c_await_by_python(lp_mark *mark) noexcept with gil:
    """Wait without the GIL that the caller may have, until a signal, or a hold of the thread's, ends it."""
    cdef int code = 0
    try:
        await_mark(mark, &code)
    except BaseException as error:
        return c_status(error)
    return c_mark_failure(mark, code) if code else LAUNCHPATH_SUCCESS


cdef launchpath_status c_event_elapsed(launchpath_event start, launchpath_event end, double *milliseconds) noexcept nogil:
    cdef lp_event *first_event = c_event_of(start)
    cdef lp_event *last_event = c_event_of(end)
    cdef lp_mark *first
    cdef lp_mark *last
    cdef launchpath_status status
    if first_event == NULL or last_event == NULL:
        return c_no_event()
    first, last = event_mark(first_event), event_mark(last_event)
    if milliseconds == NULL or first == NULL or last == NULL or not (first_event.timing and last_event.timing) or (
            first.domain != last.domain):
        status = c_refuse(LAUNCHPATH_INVALID_VALUE, b"event_elapsed: expected recorded events of one device, created with "
                          b"LAUNCHPATH_TIMING, and room for the milliseconds")
    else:
        status = c_event_query(start)
        if status == LAUNCHPATH_SUCCESS:
            status = c_event_query(end)
        if status == LAUNCHPATH_SUCCESS:
            status = c_elapsed(first, last, milliseconds)
    mark_unref(first)
    mark_unref(last)
    return status


cdef launchpath_status c_elapsed(lp_mark *first, lp_mark *last, double *milliseconds) noexcept nogil:
    cdef int64_t nanoseconds = 0
    cdef int code = first.domain.table.event_wait(first.domain, first.event)   # see `timed_mark`
    if code == 0:
        code = last.domain.table.event_wait(last.domain, last.event)
    if code == 0:
        code = marks_elapsed(first, last, &nanoseconds)
    milliseconds[0] = nanoseconds / 1e6
    return c_failure(first.domain.table, code) if code else LAUNCHPATH_SUCCESS
