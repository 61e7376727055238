# Streams of C code: their handles, and what it does with them.


def c_stream_handle(QueueBase stream not None):
    """The handle by which C code names a stream. It ends with the stream."""
    if stream.c_handle == 0:
        stream.c_handle = handle_take(HANDLE_STREAM, stream.queue)
        if stream.c_handle == 0:
            raise MemoryError
    return stream.c_handle


cdef void c_stream_ends(uint64_t handle) noexcept nogil:
    if handle_drop(handle, HANDLE_STREAM) != NULL:
        handle_give_back(handle)


cdef dict c_streams = {}               # handle -> stream, of those that C code created
cdef object create_stream = None       # (blocking, priority) -> stream


def register_stream_creator(function not None):
    """Name the function that creates a stream of the current device."""
    global create_stream
    create_stream = function


cdef launchpath_status c_stream_create(uint32_t flags, int priority, launchpath_stream *stream) noexcept with gil:
    if stream == NULL or flags & ~LAUNCHPATH_NON_BLOCKING:
        return c_refuse(LAUNCHPATH_INVALID_VALUE,
                        b"stream_create: expected flags of 0 or LAUNCHPATH_NON_BLOCKING, and room for a stream")
    try:
        created = create_stream(not flags & LAUNCHPATH_NON_BLOCKING, priority)
        handle = c_stream_handle(created)
        c_streams[handle] = created
        stream[0] = handle
        return LAUNCHPATH_SUCCESS
    except BaseException as error:
        return c_status(error)


cdef launchpath_status c_stream_destroy(launchpath_stream stream) noexcept with gil:
    if c_streams.pop(stream, None) is None:
        return c_refuse(LAUNCHPATH_INVALID_HANDLE, b"stream_destroy: expected a stream of stream_create, got another number")
    return LAUNCHPATH_SUCCESS


cdef launchpath_status c_stream_query(launchpath_stream stream) noexcept nogil:
    cdef lp_queue *queue = c_queue_of(stream)
    cdef bint done = False
    cdef int code
    if queue == NULL or queue.kind == QUEUE_LEGACY or queue.domain.refused or PyGILState_Check():
        return c_stream_by_python(stream, False)
    step_observe(queue)
    code = queue_query(queue, &done)
    if code == 0:
        code = refusal_here()
    if code:
        return c_queue_failure(queue, code)
    return LAUNCHPATH_SUCCESS if done else LAUNCHPATH_NOT_READY


cdef launchpath_status c_stream_synchronize(launchpath_stream stream) noexcept nogil:
    # What Python's host functions of the stream have raised stays for the next synchronize in Python.
    cdef lp_queue *queue = c_queue_of(stream)
    cdef int code
    if queue == NULL or queue.kind == QUEUE_LEGACY or queue.domain.refused or PyGILState_Check() or find_own_hold():
        return c_stream_by_python(stream, True)
    step_observe(queue)
    code = queue_finish(queue) if likely(not lp_runtime.watched) else finish_recorded(queue)
    if code == 0:
        code = refusal_here()
    return c_queue_failure(queue, code) if code else LAUNCHPATH_SUCCESS


cdef launchpath_status c_stream_by_python(uint64_t handle, bint waits) noexcept with gil:
    """The legacy stream, which stands for others; and where signals, or a hold of the thread's, may end the wait."""
    if lp_runtime.exiting:
        return c_refuse(LAUNCHPATH_NOT_AVAILABLE, b"Python ends")
    try:
        stream = c_stream_object(handle)
        if stream is None:
            stream = current_stream_of_device()
        if waits:
            QueueBase.synchronize(stream)
            return LAUNCHPATH_SUCCESS
        return LAUNCHPATH_SUCCESS if QueueBase.query(stream) else LAUNCHPATH_NOT_READY
    except BaseException as error:
        return c_status(error)


cdef object current_stream_of_device = None    # -> the stream of work that names none


def register_current_stream(function not None):
    """Name the function that returns the stream that work without a stream goes to."""
    global current_stream_of_device
    current_stream_of_device = function
