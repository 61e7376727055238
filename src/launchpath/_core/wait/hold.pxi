# Holds: user events that a queue waits for, and the host sets. What waits for the device would wait for the host
# meanwhile.

cdef int hold_new(lp_queue *queue, bint may_wait, lp_mark **out) noexcept nogil:
    """The mark of a user event that a queue is to wait for. No lock is held if it may wait for other threads' unheld
    periods."""
    cdef lp_mark *mark = <lp_mark *>calloc(1, sizeof(lp_mark))
    cdef int code
    if mark == NULL:
        return ERROR_HOST_MEMORY
    if may_wait:
        profiler_bar()
    lp_add(&lp_runtime.holds, 1)               # from now on no trace attaches a profiler
    if may_wait and is_profiling():
        profiler_bar()                         # one had begun to
    code = mark_lent()
    if code:
        lp_add(&lp_runtime.holds, -1)
        free(mark)
        return code
    mark.refs, mark.flushed = 1, 1
    mark.domain, mark.context, mark.slot = domain_ref(queue.domain), queue.context, queue.slot
    code = queue.table.user_event(queue.domain.device, may_wait, &mark.event)
    if code:
        mark.event = NULL
        mark_unref(mark)
        lp_add(&lp_runtime.holds, -1)
        return code
    out[0] = mark
    return 0


cdef int hold_place(lp_queue *queue, lp_mark *mark) noexcept nogil:
    """Let nothing submitted from now on start before the mark's event is set. Caller holds the lock."""
    cdef int code = order_begin(queue)
    LP_ASSERT(mark.number == 0)                # it is placed once
    if code == 0 and queue.n_waits:
        code = submit_marker(queue, False, NULL)
    if code == 0:
        code = items_grow(<void **>&queue.kept, &queue.room_kept, queue.n_kept + 1, sizeof(lp_kept))
    if code == 0:
        code = driver_marker(queue.table, queue.handle, False, 1, &mark.event, NULL)
    if code:
        return code
    order_accept(queue)
    mark.number = queue.number
    queue.kept[queue.n_kept].number = queue.number
    queue.kept[queue.n_kept].mark = mark_ref(mark)
    queue.n_kept += 1
    code = queue.table.queue_flush(queue.handle)
    if queue.number >= queue.check:
        queue_checkpoint(queue)
    return code


cdef int submit_hold(lp_queue *queue, lp_mark **out) noexcept nogil:
    """Nothing submitted from now on starts before the event of the mark given out is set. No lock is held."""
    cdef lp_mark *mark = NULL
    cdef int code
    if is_captured(queue):
        return ERROR_CAPTURED
    code = capture_refuses(queue) or hold_new(queue, True, &mark)
    if code:
        return code
    lp_lock_acquire(queue.lock)
    code = hold_place(queue, mark)
    lp_lock_release(queue.lock)
    if code:
        release_hold(mark)
    else:
        out[0] = mark
    return code


cdef int release_hold(lp_mark *mark) noexcept nogil:
    """Set the event of a hold, and drop the mark. A library that refuses is asked to fail the event: nothing may
    hang."""
    cdef int code = mark.domain.table.user_event_set(mark.domain, mark.event, EVENT_COMPLETE)
    if code:
        mark.domain.table.user_event_set(mark.domain, mark.event, EVENT_FAILED)
    lp_add(&lp_runtime.holds, -1)
    # Not before: as soon as the event is set another thread may let go of the queue's own reference.
    mark_unref(mark)
    return code
