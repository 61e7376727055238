# Completion: how the core detects complete commands, and what it then releases.
#
# Marks are waited for and queried here for events, whole queues for streams and devices. `wait/wait.pxi` calls both without
# the GIL, so that signals can end a wait. What is complete is noted in `lp_runtime.completed`, by slot; a queue then
# needs neither its marks (`kept`) nor its checkpoints up to that number, and `queue_reap` releases them.
#
# A wait that returns proves completion. A query that says complete is enough only where the driver's table says so
# (`query_suffices`, `queue_query`). Elsewhere the driver is made to wait on that event first (cheap by then), since
# OpenCL promises visibility only after a wait.
#
# The rules: docs/ordering.md.

cdef enum:
    IDLE_MOMENT = 2000         # microseconds in which the fresh marker of an idle queue is complete


cdef inline bint kept_in_order(const lp_queue *queue) noexcept nogil:
    """Are the marks that commands wait for, and the checkpoints, in the order of their numbers, and none ahead of the
    queue?"""
    cdef uint64_t before = 0
    cdef uint32_t i
    for i in range(queue.n_kept):
        if queue.kept[i].number < before:
            return False
        before = queue.kept[i].number
    if before > queue.number:
        return False
    before = 0
    for i in range(queue.n_checkpoints):
        if queue.checkpoints[i].number < before:
            return False
        before = queue.checkpoints[i].number
    return before <= queue.number


cdef void queue_reap(lp_queue *queue) noexcept nogil:
    """Let go of what complete commands needed. Caller holds the lock."""
    cdef uint64_t done = lp_load(&lp_runtime.completed[queue.slot])
    cdef uint32_t i, n = 0
    LP_ASSERT(lp_lock_held(queue.lock))
    LP_ASSERT(kept_in_order(queue))
    if queue.epoch != lp_load(&lp_runtime.failures):
        order_forget(queue)              # first: it goes by what is kept
    while n < queue.n_kept and queue.kept[n].number <= done:
        mark_unref(queue.kept[n].mark)
        n += 1
    if n:
        for i in range(n, queue.n_kept):
            queue.kept[i - n] = queue.kept[i]
        queue.n_kept -= n
    n = 0
    while n < queue.n_checkpoints and queue.checkpoints[n].number <= done:
        mark_unref(queue.checkpoints[n])
        n += 1
    if n:
        for i in range(n, queue.n_checkpoints):
            queue.checkpoints[i - n] = queue.checkpoints[i]
        queue.n_checkpoints -= n


cdef void learn_failure(lp_queue *queue, uint64_t number, int code) noexcept nogil:
    """A command up to `number` failed: the queue's own commands have ended, whatever they waited for may not have.

    The next call that synchronizes the queue reports it, whichever call detected it."""
    LP_ASSERT(number <= lp_load(&queue.number))
    lp_raise(&lp_runtime.completed[queue.slot], number)
    lp_add(&lp_runtime.failures, 1)
    lp_raise(&queue.failed, number)
    queue.last_failure = code
    lp_store(&queue.failure, 1)


cdef int mark_failed(lp_mark *mark, int code) noexcept nogil:
    """Note the error with which a wait for a mark's event ended: the mark failed, or only the call did."""
    cdef lp_queue *queue = mark.queue if mark.origin == NULL else mark.origin.queue
    if not mark.domain.table.command_failed(code):
        return code
    mark.failure = code
    if queue != NULL:
        learn_failure(queue, mark.number, code)
    return ERROR_ASYNCHRONOUS


cdef int mark_failure(lp_mark *mark) noexcept nogil:
    """A mark that is over: ERROR_ASYNCHRONOUS if something behind it failed, each time it is asked, else 0."""
    cdef event_status status = EVENT_COMPLETE
    if mark.failure == 0 and mark.queue != NULL and mark.queue.last_failure and mark.event != NULL:
        if mark.domain.table.event_query(mark.domain, mark.event, &status) == 0 and status == EVENT_FAILED:
            mark.failure = mark.queue.last_failure
    return ERROR_ASYNCHRONOUS if mark.failure else 0


cdef int mark_wait(lp_mark *mark) noexcept nogil:
    """Block until the mark is complete. No lock is held."""
    cdef int code = 0
    LP_ASSERT(lp_no_lock_held())
    if mark.captured:
        return mark.domain.table.event_wait(mark.domain, mark.event)           # which refuses
    if mark_complete(mark):
        return mark_failure(mark)
    if unlikely(lp_here.job != NULL) and waits_for_itself(mark.slot, &mark.clock):
        return ERROR_WAITS_FOR_ITSELF
    code = mark_ensure(mark)
    if code or mark.event == NULL:
        return code
    code = mark.domain.table.event_wait(mark.domain, mark.event)
    if code:
        return mark_failed(mark, code)
    clock_learn(&mark.clock)
    return mark_failure(mark)


cdef inline bint learn_answer(lp_mark *mark, event_status status) noexcept nogil:
    """Learn from `event_query`'s answer for a mark. False: the answer does not suffice, the mark must be waited for."""
    if status != EVENT_COMPLETE or not mark.domain.table.query_suffices:
        return False
    clock_learn(&mark.clock)
    return True


cdef int mark_query(lp_mark *mark, bint *done) noexcept nogil:
    """Is it complete? Never blocks."""
    cdef event_status status = EVENT_PENDING
    cdef int code = 0
    done[0] = mark_complete(mark) and not mark.captured
    if done[0]:
        return mark_failure(mark)
    code = mark_ensure(mark)
    if code == 0 and mark.event != NULL:
        code = mark.domain.table.event_query(mark.domain, mark.event, &status)
    if code == 0 and learn_answer(mark, status):
        done[0] = True
        code = mark_failure(mark)
    elif code == 0 and status != EVENT_PENDING:
        code = mark_wait(mark)
        done[0] = code == 0
    return code


cdef bint kept_pending(lp_queue *queue, uint64_t number) noexcept nogil:
    """Did a command up to `number` end although something it waits for has not, or has failed? Caller holds the
    lock."""
    cdef event_status status
    cdef lp_mark *mark
    cdef uint32_t i
    LP_ASSERT(lp_lock_held(queue.lock))
    for i in range(queue.n_kept):
        if queue.kept[i].number > number:
            break
        mark = queue.kept[i].mark
        if mark.origin != NULL:
            mark = mark.origin         # a library that cannot fail a user event completes it: see user_event_set
        if mark_complete(mark) and not mark.failure:
            continue
        status = EVENT_COMPLETE
        if mark.domain.table.event_query(mark.domain, mark.event, &status) or status != EVENT_COMPLETE:
            return True
    return False


cdef void end_mark_reached(lp_queue *queue, lp_mark *mark) noexcept nogil:
    """The last point of the queue is complete: nothing but the library's own stream need be asked from now on.

    Caller holds the lock."""
    LP_ASSERT(lp_lock_held(queue.lock))
    if mark != NULL and queue.end_mark == mark:
        queue.end_mark = NULL
        mark_unref(mark)


cdef struct lp_arrival:
    uint64_t number            # of the command that was waited for
    bint known                 # it was known to be complete before
    int pending_code           # of a wait that no command had carried to the driver


cdef int queue_finish(lp_queue *queue) noexcept nogil:
    """Block until everything submitted to this queue so far, and what it waits for, is complete. No lock is held."""
    cdef lp_arrival arrival
    cdef int code = queue_arrive(queue, &arrival)
    return queue_report(queue, &arrival, code)


cdef int queue_arrive(lp_queue *queue, lp_arrival *arrival) noexcept nogil:
    """The half of `queue_finish` that blocks. It notes what is complete and what failed, and reports nothing: a signal
    may have ended its caller's wait. `queue_report` is the other half."""
    cdef lp_snapshot snapshot
    cdef int code
    LP_ASSERT(lp_no_lock_held())
    arrival.known, arrival.number, arrival.pending_code = True, 0, 0
    lp_lock_acquire(queue.lock)
    code = snapshot_for_finish(queue, &snapshot)
    lp_lock_release(queue.lock)
    if code == 0:
        code = arrive_at(queue, &snapshot, arrival, False)
    snapshot_drop(&snapshot)
    return code


cdef int arrive_at(lp_queue *queue, lp_snapshot *snapshot, lp_arrival *arrival, bint reached) noexcept nogil:
    """Wait for a snapshot, unless the driver reported that the queue has `reached` it, and learn from that.

    No lock is held."""
    cdef int code = 0
    arrival.pending_code = snapshot_wait_pending(queue, snapshot)
    if not snapshot.known:
        if not reached:
            code = snapshot_wait(queue, snapshot)
        lp_lock_acquire(queue.lock)
        learn_finished(queue, snapshot, code)
        lp_lock_release(queue.lock)
        arrival.known, arrival.number = False, snapshot.number
    return code


cdef void learn_finished(lp_queue *queue, lp_snapshot *snapshot, int code) noexcept nogil:
    """Note what a wait for the driver's queue, which ended with this code, says of it. Caller holds the lock."""
    if code == 0:
        end_mark_reached(queue, snapshot.end)
    if code and queue.table.command_failed(code):
        learn_failure(queue, snapshot.number, code)
    elif code == 0:
        if queue.failure or kept_pending(queue, snapshot.number):
            lp_raise(&lp_runtime.completed[queue.slot], snapshot.number)
            lp_add(&lp_runtime.failures, 1)
        else:
            clock_raise(&snapshot.seen, queue.slot, snapshot.number)
            clock_learn(&snapshot.seen)


cdef int queue_report(lp_queue *queue, lp_arrival *arrival, int code) noexcept nogil:
    """The half of `queue_finish` that reports: the code of a failure, each failure once. Only for a caller whose wait
    no signal has ended."""
    LP_ASSERT(lp_no_lock_held())
    if code == 0 and arrival.known:
        return arrival.pending_code
    if arrival.known:
        return code                # it was not waited for
    lp_lock_acquire(queue.lock)
    if queue.failure:
        # The first call that synchronizes reports it, once; an event behind the failure reports it each time.
        queue.failure = 0
        code = ERROR_ASYNCHRONOUS
        if queue.mark != NULL and queue.mark.number <= arrival.number:
            queue.mark.failure = queue.last_failure
            mark_unref(queue.mark)
            queue.mark = NULL          # later records are behind a failure that was reported already
    if code == 0 and queue.late:
        code, queue.late = queue.late, 0
        lp_here.failed_call = queue.late_call
    queue_reap(queue)
    lp_lock_release(queue.lock)
    return code or arrival.pending_code


cdef bint queue_finishes(lp_queue *queue) noexcept nogil:
    """`queue_finish`, but what is to be reported stays for the next call to report: then False. No lock is held."""
    cdef lp_arrival arrival
    cdef int code = queue_arrive(queue, &arrival)
    cdef bint well
    if code or arrival.known or arrival.pending_code:
        return code == 0 and arrival.pending_code == 0
    lp_lock_acquire(queue.lock)
    well = queue.failure == 0 and queue.late == 0
    if well:
        queue_reap(queue)
    lp_lock_release(queue.lock)
    return well


cdef int queue_query(lp_queue *queue, bint *done) noexcept nogil:
    """Is everything submitted to this queue complete? One marker serves all polls until work comes in.

    Of a captured queue it is asked what it held before."""
    cdef lp_mark *end = NULL
    cdef int code
    if capture_has(queue):
        return outside_query(queue, done)
    if queue.table.queue_query != NULL:
        return queue_query_native(queue, done)
    done[0] = True
    lp_lock_acquire(queue.lock)
    if capture_has(queue):                # since then
        done[0], code = False, 0
    else:
        code = poll_pending(queue, &end, done)
    lp_lock_release(queue.lock)
    if end != NULL and code == 0 and done[0]:
        code = poll_end(queue, end, done)
    mark_unref(end)
    return code


cdef int poll_pending(lp_queue *queue, lp_mark **end, bint *done) noexcept nogil:
    """Make the marker of the queue's end, unless all is known to be complete, and ask the waits that no command has
    carried.

    Caller holds the lock."""
    cdef lp_mark *mark
    cdef uint32_t i
    cdef int code = 0
    if queue.shared and (queue.mark == NULL or queue.mark.event == NULL or mark_complete(queue.mark)):
        # While the last poll's marker is under way it serves this poll too; a fresh one each time might never be
        # complete.
        foreign_moved(queue)
    if is_complete(queue.slot, queue.number) and queue.n_pending == 0:
        return ERROR_ASYNCHRONOUS if queue.failure else 0
    mark = queue_mark(queue)
    if mark == NULL:
        return ERROR_HOST_MEMORY
    end[0] = mark_ref(mark)
    if not mark_complete(mark):
        code = mark_make(mark)
    for i in range(queue.n_pending):
        if code == 0 and not mark_complete(queue.pending[i]):
            code = pending_query(queue.pending[i], done)
    return code


cdef int poll_end(lp_queue *queue, lp_mark *end, bint *done) noexcept nogil:
    """Ask the marker of the queue's end, and let go of what complete commands needed. No lock is held."""
    cdef uint64_t until
    cdef int code = mark_query(end, done)
    if code and mark_refused(end):
        # The queue is empty. The thread whose step it is hears of the refusal; what failed while it ran is for all.
        lp_lock_acquire(queue.lock)
        done[0], code = True, ERROR_ASYNCHRONOUS if queue.failure else 0
        lp_lock_release(queue.lock)
    if queue.shared:
        # Its marker is fresh even where nothing came in: an idle queue needs a moment until that is complete.
        until = lp_nanoseconds() + 1000 * IDLE_MOMENT
        while code == 0 and not done[0] and lp_nanoseconds() < until:
            lp_sleep(1)
            code = mark_query(end, done)
    if code == 0 and done[0]:
        lp_lock_acquire(queue.lock)
        queue_reap(queue)
        lp_lock_release(queue.lock)
    return code


cdef int queue_query_native(lp_queue *queue, bint *done) noexcept nogil:
    """`queue_query` for a driver that can be asked for a whole queue, without a marker."""
    cdef lp_snapshot snapshot
    cdef event_status status = EVENT_PENDING
    cdef int code
    if not lp_lock_try(queue.lock):
        # The lock's holder submits. It may wait for room in the driver until we release what holds the queue back.
        done[0] = False
        return 0
    code = snapshot_for_query(queue, &snapshot)
    lp_lock_release(queue.lock)
    done[0] = snapshot.known
    if code == 0 and not snapshot.known:
        code = snapshot_query(queue, &snapshot, &status)
        if code or status != EVENT_PENDING:
            lp_lock_acquire(queue.lock)
            code = learn_queried(queue, &snapshot, code, done)
            lp_lock_release(queue.lock)
    snapshot_drop(&snapshot)
    return code


cdef int learn_queried(lp_queue *queue, lp_snapshot *snapshot, int code, bint *done) noexcept nogil:
    """The driver says that the queue is complete, or gave this code. Caller holds the lock."""
    if code == 0:
        end_mark_reached(queue, snapshot.end)
        clock_raise(&snapshot.seen, queue.slot, snapshot.number)
        clock_learn(&snapshot.seen)
        done[0] = True
    elif queue.table.command_failed(code):
        learn_failure(queue, snapshot.number, code)
        code = ERROR_ASYNCHRONOUS
    queue_reap(queue)
    return code


cdef int pending_query(lp_mark *mark, bint *done) noexcept nogil:
    # Without an event it is of this queue's own order lock, which the caller holds.
    cdef event_status status = EVENT_PENDING
    cdef int code = mark_make(mark) if mark.event == NULL else 0
    if code == 0:
        code = mark.domain.table.event_query(mark.domain, mark.event, &status)
    if status == EVENT_PENDING:
        done[0] = False
    return code
