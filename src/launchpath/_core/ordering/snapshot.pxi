# Snapshots: the state of a queue at a moment, taken under its lock, so that it can be waited for or asked without the
# lock.
#
# The rules: docs/ordering.md.

cdef struct lp_snapshot:
    uint64_t number            # of the last command
    bint known                 # it is known to be complete: the driver is not asked
    lp_clock seen              # what the driver orders before the queue's end; empty if that is `known`
    lp_mark *end               # the queue's end_mark, or NULL
    lp_mark **pending          # waits that no command has carried to the driver
    uint32_t n_pending


cdef inline void snapshot_begin(lp_queue *queue, lp_snapshot *snapshot) noexcept nogil:
    LP_ASSERT(lp_lock_held(queue.lock))
    memset(snapshot, 0, sizeof(lp_snapshot))
    if queue.shared:
        foreign_moved(queue)
    snapshot.number = queue.number
    snapshot.known = is_complete(queue.slot, queue.number)


cdef inline int snapshot_take_order(lp_queue *queue, lp_snapshot *snapshot) noexcept nogil:
    """What comes before the queue's end: all of that is complete when the end is."""
    cdef int code = clock_copy(&snapshot.seen, &queue.placed)
    if queue.end_mark != NULL:
        snapshot.end = mark_ref(queue.end_mark)
    return code


cdef int snapshot_for_finish(lp_queue *queue, lp_snapshot *snapshot) noexcept nogil:
    """Take one that is to be waited for. Caller holds the lock."""
    cdef uint32_t i
    cdef int code = 0
    snapshot_begin(queue, snapshot)
    snapshot.known = snapshot.known and not queue.failure and not queue.late
    if snapshot.known:
        queue_reap(queue)
    if unlikely(lp_here.job != NULL) and (not snapshot.known or queue.n_pending) and (
            waits_for_itself(queue.slot, &queue.placed) or waits_for_itself(queue.slot, &queue.wanted)):
        return ERROR_WAITS_FOR_ITSELF
    if not snapshot.known:
        code = snapshot_take_order(queue, snapshot)
    if code == 0 and queue.n_pending:
        # A wait is part of the queue even while no command has carried it to the driver.
        snapshot.pending = <lp_mark **>malloc(queue.n_pending * sizeof(lp_mark *))
        if snapshot.pending == NULL:
            return ERROR_HOST_MEMORY
        snapshot.n_pending = queue.n_pending
        for i in range(queue.n_pending):
            snapshot.pending[i] = mark_ref(queue.pending[i])
    return code


cdef int snapshot_for_query(lp_queue *queue, lp_snapshot *snapshot) noexcept nogil:
    """Take one that the driver is to be asked for. Caller holds the lock."""
    snapshot_begin(queue, snapshot)
    if not snapshot.known:
        return snapshot_take_order(queue, snapshot)
    return ERROR_ASYNCHRONOUS if queue.failure else 0


cdef int snapshot_wait_pending(lp_queue *queue, lp_snapshot *snapshot) noexcept nogil:
    """Block until the waits that no command had carried are over; the first code that one gave. No lock is held."""
    cdef lp_mark *mark
    cdef uint32_t i
    cdef int code, first = 0
    for i in range(snapshot.n_pending):
        mark = snapshot.pending[i]
        if not mark_complete(mark):
            code = mark_ensure(mark)
            if code == 0 and mark.event != NULL:
                code = mark.domain.table.event_wait(mark.domain, mark.event)
                if code:
                    code = mark_failed(mark, code)
                    queue.last_failure = mark.failure
            first = first or code
        mark_unref(mark)               # now: a mark that is held by more than its queue becomes a marker
    snapshot.n_pending = 0
    return first


cdef int snapshot_wait(lp_queue *queue, lp_snapshot *snapshot) noexcept nogil:
    """Block until the driver has come to the snapshot's end. No lock is held."""
    cdef int code = queue.table.queue_finish(queue.handle)
    if snapshot.end != NULL and code == 0:
        code = snapshot.end.domain.table.event_wait(snapshot.end.domain, snapshot.end.event)
    return code


cdef int snapshot_query(lp_queue *queue, lp_snapshot *snapshot, event_status *status) noexcept nogil:
    """Ask the driver whether it has come to the snapshot's end. No lock is held."""
    cdef lp_mark *end = snapshot.end
    cdef int code = queue.table.queue_query(queue.handle, status)
    if end != NULL and code == 0 and status[0] == EVENT_COMPLETE:
        code = end.domain.table.event_query(end.domain, end.event, status)
        if code == 0 and status[0] == EVENT_FAILED:
            code = end.domain.table.event_wait(end.domain, end.event)         # it returns at once, with the code
    return code


cdef bint snapshot_reached(lp_queue *queue, lp_snapshot *snapshot, event_status *status) noexcept nogil:
    """Whether waiting for it would not block now; `status` is what the driver says of the queue. What fails is left to
    the wait. No lock is held."""
    cdef bint done = True
    cdef uint32_t i
    if not snapshot.known and status[0] == EVENT_PENDING:
        if snapshot_query(queue, snapshot, status):
            status[0] = EVENT_FAILED
        if status[0] == EVENT_PENDING:
            return False
    for i in range(snapshot.n_pending):
        if mark_query(snapshot.pending[i], &done) == 0 and not done:
            return False
    return True


cdef void snapshot_drop(lp_snapshot *snapshot) noexcept nogil:
    """No lock is held."""
    cdef uint32_t i
    for i in range(snapshot.n_pending):
        mark_unref(snapshot.pending[i])
    free(snapshot.pending)
    mark_unref(snapshot.end)
    clock_drop(&snapshot.seen)
