# Checkpoints: markers that a queue leaves at intervals, to learn how far the device has come without a wait.
#
# The rules: docs/ordering.md.

cdef enum:
    CHECK_EVERY = 256          # commands between two looks at a queue's depth


cdef int queue_checkpoint(lp_queue *queue) noexcept nogil:
    """Every CHECK_EVERY commands: leave a marker, and see how far the device has come. Caller holds the lock."""
    cdef lp_mark *mark
    LP_ASSERT(lp_lock_held(queue.lock))
    if lp_here.step != NULL and queue.recording == lp_here.step:
        return 0               # when the step is left: a marker in it would be another one each time
    queue.check = queue.number + CHECK_EVERY
    if is_complete(queue.slot, queue.number):
        return 0
    if is_captured(queue):
        return 0               # a marker would become a part of somebody's graph
    mark = queue_mark(queue)
    if mark == NULL or items_grow(<void **>&queue.checkpoints, &queue.room_checkpoints, queue.n_checkpoints + 1,
                            sizeof(lp_mark *)):
        return ERROR_HOST_MEMORY
    if mark_make(mark):
        return 0               # what is wrong will show in the next command
    queue.checkpoints[queue.n_checkpoints] = mark_ref(mark)
    queue.n_checkpoints += 1
    LP_ASSERT(kept_in_order(queue))
    advance_checkpoints(queue)
    return 0


cdef void advance_checkpoints(lp_queue *queue) noexcept nogil:
    """Learn from checkpoints that are complete. Caller holds the lock; the waits return at once."""
    cdef event_status status
    cdef lp_mark *mark
    cdef uint32_t i
    LP_ASSERT(lp_lock_held(queue.lock))
    for i in range(queue.n_checkpoints):
        mark = queue.checkpoints[i]
        status = EVENT_PENDING
        if queue.table.event_query(queue.domain, mark.event, &status) or status == EVENT_PENDING:
            break
        if status == EVENT_FAILED:
            mark_failed(mark, queue.table.event_wait(queue.domain, mark.event))      # it returns at once, with the code
        elif kept_pending(queue, mark.number):
            lp_raise(&lp_runtime.completed[mark.slot], mark.number)
            lp_add(&lp_runtime.failures, 1)
        elif queue.table.event_wait(queue.domain, mark.event) == 0:
            clock_learn(&mark.clock)
    queue_reap(queue)
