# Waits of C code and of compiled programs while a trace records them, without Python.


cdef int finish_recorded(lp_queue *queue) noexcept nogil:
    """`queue_finish`, and the record of it."""
    cdef lp_call call
    cdef int code
    call_begin(&call, API_STREAM_SYNCHRONIZE)
    code = queue_finish(queue)
    call_end(&call, code, 0, queue)
    return code


cdef int mark_wait_recorded(lp_mark *mark) noexcept nogil:
    """`mark_wait`, and the record of it."""
    cdef lp_call call
    cdef int code
    call_begin(&call, API_EVENT_SYNCHRONIZE)
    code = mark_wait(mark)
    call_end(&call, code, 0, mark.queue, NULL, waited_event(mark))
    return code


cdef inline int call_left(lp_call *call, int answer) noexcept nogil:
    """A call that has begun is left to Python, which makes its record; gives `answer`."""
    if unlikely(call.ring != NULL):
        call_restore(call)
    return answer
