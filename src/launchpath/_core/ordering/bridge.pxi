# Bridges: a wait across contexts, drivers or platforms goes through the host, without blocking the caller. A user event
# of the waiter's context is completed by the callback of the mark it stands for.
#
# The rules: docs/ordering.md.


cdef void bridge_arrived(void *data, event_status status) noexcept nogil:
    """The driver calls this on a thread of its own; it takes no core lock."""
    cdef lp_mark *mark = <lp_mark *>data
    if mark.domain.table.user_event_set(mark.domain, mark.event, status):
        mark.domain.table.user_event_set(mark.domain, mark.event, EVENT_FAILED)
    mark_unref(mark)


cdef int mark_bridge(lp_queue *queue, lp_mark *origin, lp_mark **out) noexcept nogil:
    """A mark in the queue's context that is complete once `origin` is. `origin` has its event."""
    cdef lp_mark *mark = <lp_mark *>calloc(1, sizeof(lp_mark))
    cdef int code
    LP_ASSERT(lp_lock_held(queue.lock))
    LP_ASSERT(origin.event != NULL)
    if mark == NULL or clock_copy(&mark.clock, &origin.clock):
        if mark != NULL:
            clock_drop(&mark.clock)
        free(mark)
        return ERROR_HOST_MEMORY
    mark.refs, mark.domain, mark.context = 1, domain_ref(queue.domain), queue.context
    mark.slot, mark.number, mark.origin, mark.flushed = origin.slot, origin.number, mark_ref(origin), 1
    code = queue.table.user_event(queue.domain.device, False, &mark.event)
    if code:
        mark.event = NULL
        mark_unref(mark)
        return code
    code = origin.domain.table.event_callback(origin.domain, origin.event, bridge_arrived, mark_ref(mark))
    if code:
        queue.table.user_event_set(queue.domain, mark.event, EVENT_FAILED)
        mark_unref(mark)
        mark_unref(mark)
        return code
    out[0] = mark
    return 0
