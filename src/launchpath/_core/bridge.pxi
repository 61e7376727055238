# Bridges: a wait across contexts, drivers or platforms goes through the host, without blocking the caller. A user event
# of the waiter's context is completed by the callback of the mark it stands for.

cdef struct lp_bridge:
    driver_table *table
    void *event                # the user event; the bridge's mark holds it too
    lp_mark *mark


cdef void bridge_arrived(void *data, event_status status) noexcept nogil:
    """The driver calls this on a thread of its own; it takes no core lock."""
    cdef lp_bridge *bridge_ = <lp_bridge *>data
    if bridge_.table.user_event_set(bridge_.event, status):
        bridge_.table.user_event_set(bridge_.event, EVENT_FAILED)
    mark_unref(bridge_.mark)
    free(bridge_)


cdef int bridge(lp_queue *queue, lp_mark *origin, lp_mark **out) noexcept nogil:
    """A mark in the queue's context that is complete once `origin` is. `origin` has its event."""
    cdef lp_mark *mark = <lp_mark *>calloc(1, sizeof(lp_mark))
    cdef lp_bridge *bridge_ = <lp_bridge *>malloc(sizeof(lp_bridge))
    cdef int code
    if mark == NULL or bridge_ == NULL or clock_copy(&mark.clock, &origin.clock):
        if mark != NULL:
            clock_drop(&mark.clock)
        free(mark)
        free(bridge_)
        return ERROR_HOST_MEMORY
    mark.refs, mark.table, mark.context = 1, queue.table, queue.context
    mark.slot, mark.number, mark.origin, mark.flushed = origin.slot, origin.number, mark_ref(origin), 1
    code = queue.table.user_event(queue.domain.device, False, &mark.event)
    if code:
        mark.event = NULL
        mark_unref(mark)
        free(bridge_)
        return code
    bridge_.table, bridge_.event, bridge_.mark = queue.table, mark.event, mark_ref(mark)
    code = origin.table.event_callback(origin.event, bridge_arrived, bridge_)
    if code:
        queue.table.user_event_set(mark.event, EVENT_FAILED)
        mark_unref(mark)
        mark_unref(mark)
        free(bridge_)
        return code
    out[0] = mark
    return 0
