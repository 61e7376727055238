# Points: recording on a queue and waiting on a queue. Each counts as a command for the legacy rule, and costs the
# driver nothing unless there is something to pin.
#
# The rules: docs/ordering.md.


cdef int submit_marker(lp_queue *queue, bint timed, lp_mark **out) noexcept nogil:
    """Hand the waits that order_begin found to the driver, as a marker of its own number. Caller holds the lock."""
    cdef lp_mark *mark = mark_new(queue, True)
    cdef int code
    LP_ASSERT(lp_lock_held(queue.lock))
    if mark == NULL:
        order_refuse(queue, queue.n_waits)
        return ERROR_HOST_MEMORY
    mark.timed = timed
    code = driver_marker(queue.table, queue.handle, timed, queue.n_waits, queue.events, &mark.event)
    if code:
        mark.event = NULL
        order_refuse(queue, queue.n_waits)
        mark_unref(mark)
        return code
    mark_look(mark)
    lp_add(&queue.domain.markers_made, 1)
    order_accept(queue)
    mark_fill(mark)
    LP_ASSERT(queue.mark == NULL)              # order_accept has let go of the one before
    queue.mark = mark
    if queue.native and queue.kind == QUEUE_BLOCKING and not mark.captured:
        mark_unref(queue.end_mark)
        queue.end_mark = mark_ref(mark)
    # It is in the queue, whatever comes of the rest: a wait for the marker tries a failed flush again.
    mark_flush(mark)
    if queue.number >= queue.check:
        queue_checkpoint(queue)
    if out != NULL:
        out[0] = mark_ref(mark)
    return 0


cdef int submit_waits(lp_queue *queue) noexcept nogil:
    """Hand the waits that order_begin found to the driver, which keeps the legacy rule itself: nobody waits for them
    here.

    Caller holds the lock."""
    cdef int code
    if queue.kind == QUEUE_BLOCKING:
        return submit_marker(queue, False, NULL)           # it is an `end_mark`
    code = driver_marker(queue.table, queue.handle, False, queue.n_waits, queue.events, NULL)
    if code:
        order_refuse(queue, queue.n_waits)
        return code
    order_accept(queue)
    if queue.number >= queue.check:
        queue_checkpoint(queue)
    return 0


cdef int queue_record(lp_queue *queue, bint timed, lp_mark **out) noexcept nogil:
    """A mark that everything submitted to the queue so far, pending waits and the legacy rule included, is behind."""
    cdef int code = capture_refuses(queue)
    LP_ASSERT(lp_no_lock_held())
    if code:
        return code
    heed_failures(queue)
    return record_now(queue, timed, False, out)


cdef int queue_record_outside(lp_queue *queue, lp_mark **out) noexcept nogil:
    """The same for the core's own needs: what another thread captures does not run. `out` is NULL if that is all."""
    heed_failures(queue)
    return record_now(queue, False, True, out)


cdef int record_now(lp_queue *queue, bint timed, bint outside, lp_mark **out) noexcept nogil:
    cdef lp_mark *mark
    cdef int code = 0
    lp_lock_acquire(queue.lock)
    if outside and is_captured_elsewhere(queue):
        out[0] = NULL if queue.outside == NULL else mark_ref(queue.outside)
        lp_lock_release(queue.lock)
        return 0
    if queue.shared:
        foreign_moved(queue)
    code = order_begin(queue)
    if queue.domain.native or not outside and is_point_of_run(queue):
        # What it is ordered after is known to the driver alone, so it goes there at once, and has a number of its own.
        if code == 0:
            code = submit_marker(queue, timed, out)
        lp_lock_release(queue.lock)
        return code
    if code == 0 and queue.n_waits:
        # Pinned now: later it could only wait for too much.
        code = submit_marker(queue, False, NULL)
    if code == 0:
        if timed and queue.mark != NULL:
            code = queue_settle(queue)
            mark_unref(queue.mark)
            queue.mark = NULL
        mark = queue_mark(queue)
        if mark == NULL:
            code = ERROR_HOST_MEMORY
        elif timed or is_captured(queue):
            mark.timed = timed
            code = mark_make(mark)
            if mark.event != NULL:
                code = 0           # only the flush failed, which a wait tries again
        if code == 0:
            out[0] = mark_ref(mark)
    lp_lock_release(queue.lock)
    return code


cdef int queue_wait(lp_queue *queue, lp_mark *mark) noexcept nogil:
    """The next command on `queue` comes after `mark`. The mark's queue is locked and released first: never two at
    once."""
    cdef int code = capture_refuses(queue)
    code = code or mark_ensure(mark)
    if code:
        return code
    if mark.captured:
        # The library's alone: nothing is in flight there, and nothing of it is known outside.
        if mark.context != queue.context:
            return mark.domain.table.event_wait(mark.domain, mark.event)       # which refuses
        lp_lock_acquire(queue.lock)
        if step_event(mark.event) != NULL and not capture_has(queue):
            code = capture_enters(queue)
        code = code or driver_marker(queue.table, queue.handle, False, 1, &mark.event, NULL)
        lp_lock_release(queue.lock)
        return code
    if capture_has(queue):
        return ERROR_CAPTURE_WAITS     # even if it is complete: that would be luck
    heed_failures(queue)
    lp_lock_acquire(queue.lock)
    code = order_wait(queue, mark)
    lp_lock_release(queue.lock)
    return code


cdef int order_wait(lp_queue *queue, lp_mark *mark) noexcept nogil:
    cdef int code
    LP_ASSERT(lp_lock_held(queue.lock))
    if queue.epoch != lp_load(&lp_runtime.failures):
        order_forget(queue)
    if queue.domain.native:
        return order_wait_native(queue, mark)
    if queue.kind == QUEUE_LEGACY:
        # It will hold back every blocking stream from here on, so it is pinned at once, by a command of its own.
        code = queue_settle(queue)
        if code:
            return code
    code = order_look(queue)
    if code == 0 and queue.kind == QUEUE_BLOCKING:
        code = pin_legacy(queue)
    if code:
        return code
    if mark.slot != queue.slot and not mark_complete(mark):
        if clock_get(&queue.placed, mark.slot) < mark.number:
            if clock_reserve(&queue.wanted, mark.clock.size) or queue_pend(queue, mark):
                return ERROR_HOST_MEMORY
            if clock_join(&queue.wanted, &mark.clock):
                return ERROR_HOST_MEMORY
            queue.unplaced = True
    if queue.kind == QUEUE_LEGACY:
        if queue.unplaced:
            code = order_collect(queue)
            if code == 0 and queue.n_waits:
                code = submit_marker(queue, False, NULL)
        return code
    queue_moved(queue)
    return 0


cdef int order_wait_native(lp_queue *queue, lp_mark *mark) noexcept nogil:
    """The same where the driver keeps the legacy rule: a wait is a command that others are ordered after, so it goes
    there, whether there is still something to wait for or not."""
    cdef int code
    if (mark.slot == queue.slot or mark_complete(mark)) and is_captured(queue):
        return 0                       # a graph waits for nothing that has run; the library would end the capture
    if mark.slot != queue.slot and not mark_complete(mark) and clock_get(&queue.placed, mark.slot) < mark.number:
        # Kept until a command carries it, in case the library refuses it now.
        if (clock_reserve(&queue.wanted, mark.clock.size) or clock_join(&queue.wanted, &mark.clock)
                or queue_pend(queue, mark)):
            return ERROR_HOST_MEMORY
        queue.unplaced = True
    code = order_begin(queue)
    if code == 0 and queue.n_waits:
        return submit_waits(queue)
    if code:
        return code
    if mark.context != queue.context and mark_complete(mark):
        return submit_marker(queue, False, NULL)           # a command all the same
    code = reserve_waits(queue, 1)
    if code == 0 and clock_reserve(&queue.placed, mark.clock.size):
        code = ERROR_HOST_MEMORY
    if code:
        return code
    queue.waits[0] = mark
    code = hand_over(queue, 1)
    return code or submit_waits(queue)


cdef int pin_legacy(lp_queue *queue) noexcept nogil:
    """A wait is a command: what it has to come after of the legacy stream is fixed now, for the next synchronize
    too."""
    cdef lp_queue *legacy = queue.domain.legacy
    cdef lp_mark *mark
    cdef uint64_t number
    if legacy == NULL:
        return 0
    LP_ASSERT(lp_lock_held(legacy.lock))
    number = clock_get(&queue.wanted, legacy.slot)
    if number != legacy.number or number <= clock_get(&queue.placed, legacy.slot) or is_complete(legacy.slot, number):
        return 0
    mark = queue_mark(legacy)
    return ERROR_HOST_MEMORY if mark == NULL else queue_pend(queue, mark)
