# Holds: user events that a queue waits for, and the host sets. What waits for the device would wait for the host meanwhile.

cdef enum:
    HELD_TRIES = 20            # 50 microseconds apart, for the lock of a queue that may be held back


cdef int submit_hold(lp_queue *queue, lp_mark **out) noexcept nogil:
    """Nothing submitted from now on starts before the event of the mark given out is set. Caller holds the lock."""
    cdef lp_mark *mark
    cdef int code
    if is_captured(queue):
        return ERROR_CAPTURED
    mark = <lp_mark *>calloc(1, sizeof(lp_mark))
    if mark == NULL:
        return ERROR_HOST_MEMORY
    mark.refs, mark.table, mark.context, mark.slot, mark.flushed = 1, queue.table, queue.context, queue.slot, 1
    code = queue.table.user_event(queue.domain.device, &mark.event)
    if code:
        mark.event = NULL
        mark_unref(mark)
        return code
    code = order_begin(queue)
    if code == 0 and queue.n_waits:
        code = submit_marker(queue, False, NULL)
    if code == 0:
        code = grow(<void **>&queue.kept, &queue.room_kept, queue.n_kept + 1, sizeof(lp_kept))
    if code == 0:
        code = queue.table.marker(queue.handle, False, 1, &mark.event, NULL)
    if code:
        mark_unref(mark)
        return code
    order_accept(queue)
    mark.number = queue.number
    queue.kept[queue.n_kept].number = queue.number
    queue.kept[queue.n_kept].mark = mark_ref(mark)
    queue.n_kept += 1
    code = queue.table.queue_flush(queue.handle)
    if queue.number >= queue.check:
        checkpoint(queue)
    if code:
        release_hold(mark)
    else:
        out[0] = mark
    return code


cdef int release_hold(lp_mark *mark) noexcept nogil:
    """Set the event of a hold, and drop the mark. A library that refuses is asked to fail the event: nothing may hang."""
    cdef int code = mark.table.user_event_set(mark.event, EVENT_COMPLETE)
    if code:
        mark.table.user_event_set(mark.event, EVENT_FAILED)
    # Not before: as soon as the event is set another thread may let go of the queue's own reference.
    mark_unref(mark)
    return code


cdef bint domain_held_back(lp_domain *domain) noexcept:
    """Whether a queue waits for a user event that the host has not set, or may do so: who has its lock for long is in a
    driver that blocks. The caller holds the GIL and no queue's lock."""
    cdef lp_queue **queues = NULL
    cdef lp_mark *mark
    cdef event_status status
    cdef uint32_t i, j, n = 0, tries
    cdef bint held = False, taken
    with nogil:
        held = list_queues(domain, &queues, &n) != 0
        for i in range(n):
            tries, taken = 0, lp_lock_try(queues[i].lock)
            while not taken and tries < HELD_TRIES:
                lp_sleep(50)
                tries, taken = tries + 1, lp_lock_try(queues[i].lock)
            if not taken:
                held = True
                continue
            for j in range(queues[i].n_kept):
                mark = queues[i].kept[j].mark
                if mark.queue != NULL:
                    continue               # what it waits for is a command
                status = EVENT_PENDING
                if mark.table.event_query(mark.event, &status) == 0 and status == EVENT_PENDING:
                    held = True
            lp_lock_release(queues[i].lock)
    unlist(queues, n)
    return held
