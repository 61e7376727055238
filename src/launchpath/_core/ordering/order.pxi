# Ordering: the waits that a command needs, and no more.
#
# `wanted` is what the next command must come after, `placed` what the driver already orders before it. A command is
# submitted as  order_begin -> the driver's call with queue.events[:queue.n_waits] -> order_accept  under the queue's
# lock. Where nothing new is wanted, order_begin is a few comparisons, however many streams there are: it looks only at
# queues that have moved since this one last looked.
#
# The rules: docs/ordering.md.


cdef int order_take(lp_queue *queue, lp_queue *other) noexcept nogil:
    """The legacy rule: the next command on `queue` comes after all that `other` holds, pending waits included."""
    cdef uint32_t i
    LP_ASSERT(queue.lock == other.lock)
    LP_ASSERT(lp_lock_held(queue.lock))
    if clock_reserve(&queue.wanted, other.wanted.size):
        return ERROR_HOST_MEMORY
    if other.unplaced:
        for i in range(other.n_pending):
            if other.pending[i].slot != queue.slot and queue_pend(queue, other.pending[i]):
                return ERROR_HOST_MEMORY
        if clock_join(&queue.wanted, &other.wanted):
            return ERROR_HOST_MEMORY
        queue.unplaced = True
    if is_complete(other.slot, other.number):
        return 0
    if clock_raise(&queue.wanted, other.slot, other.number):
        return ERROR_HOST_MEMORY
    if clock_get(&queue.placed, other.slot) < other.number:
        queue.unplaced = True
    return 0


cdef int order_look(lp_queue *queue) noexcept nogil:
    """Apply the legacy rule to what has moved since this queue last looked."""
    cdef lp_domain *domain = queue.domain
    cdef lp_queue *other
    cdef int code
    LP_ASSERT(lp_lock_held(queue.lock))
    LP_ASSERT(queue.looked <= domain.moves)
    if capture_has(queue):
        return 0                   # what is captured does not run
    if queue.kind == QUEUE_LEGACY:
        if domain.shared:
            foreign_work(domain)
        other = domain.newest
        if other == NULL or other.stamp <= queue.looked:
            return 0
        while other != NULL and other.stamp > queue.looked:
            code = 0 if capture_has(other) else order_take(queue, other)        # see `capture_enters`
            if code:
                return code
            other = other.older
    elif queue.kind == QUEUE_BLOCKING:
        other = domain.legacy
        if other == NULL:
            return 0
        if other.shared:
            foreign_moved(other)
        if other.stamp <= queue.looked:
            return 0
        code = order_take(queue, other)
        if code:
            return code
    else:
        return 0
    queue.looked = domain.moves
    return 0


cdef void foreign_moved(lp_queue *queue) noexcept nogil:
    """Foreign code may have put work into a shared queue: what stood for its end no longer does."""
    LP_ASSERT(queue.shared)
    LP_ASSERT(lp_lock_held(queue.lock))
    if lp_load(&lp_runtime.failures) != queue.epoch:
        order_forget(queue)
    # A mark that gets no event now stays the newest: its event comes behind the foreign work, and stands for that as
    # well.
    if queue_settle(queue) == 0 or queue.mark.event != NULL:
        mark_unref(queue.mark)
        queue.mark = NULL
        queue.number += 1
    queue_moved(queue)


cdef void foreign_work(lp_domain *domain) noexcept nogil:
    cdef lp_queue *queue = domain.newest
    cdef lp_queue *older
    while queue != NULL:
        older = queue.older
        if queue.shared:
            foreign_moved(queue)
        queue = older


cdef inline int order_begin(lp_queue *queue) noexcept nogil:
    """Everything before the driver's call. Caller holds the lock; on success n_waits and events are set."""
    cdef int code
    LP_ASSERT(lp_lock_held(queue.lock))
    LP_ASSERT(queue.handle != NULL)
    LP_ASSERT(lp_load(&lp_runtime.completed[queue.slot]) <= queue.number)
    if unlikely(queue.epoch != lp_load(&lp_runtime.failures)):
        order_forget(queue)
    queue.n_waits = 0
    if unlikely(queue.mark != NULL):
        code = queue_settle(queue)
        if code:
            return code
    if likely(queue.native):
        return order_collect(queue) if unlikely(queue.unplaced) else 0
    if lp_runtime.ordering != ORDERING_CLOCKS:
        return collect_naive(queue)
    code = order_look(queue)
    if code:
        return code
    return order_collect(queue) if queue.unplaced else 0


cdef inline void order_accept(lp_queue *queue) noexcept nogil:
    """The driver took the command: it has a number now, and what it waits for is ordered before all that follows."""
    cdef lp_domain *domain = queue.domain
    cdef uint32_t i
    LP_ASSERT(lp_lock_held(queue.lock))
    LP_ASSERT(queue.n_kept + queue.n_waits <= queue.room_kept)
    queue.number += 1
    queue.tick = lp_load(&lp_runtime.tick)
    queue.recent[queue.number % RECENT_LAUNCHES] = queue.label
    queue.label = NULL
    if likely(queue.native):
        pass
    elif queue.kind == QUEUE_LEGACY:
        domain.markers_left_out += domain.blocking
    elif queue.kind == QUEUE_BLOCKING:
        domain.markers_left_out += 1
    if unlikely(queue.n_waits):
        if queue.kind != QUEUE_NONBLOCKING and not queue.native:
            i = domain.blocking if queue.kind == QUEUE_LEGACY else 1
            domain.markers_left_out -= queue.n_waits if queue.n_waits < i else i
        for i in range(queue.n_waits):
            clock_join(&queue.placed, &queue.waits[i].clock)
            queue.kept[queue.n_kept].number = queue.number
            queue.kept[queue.n_kept].mark = queue.waits[i]
            queue.n_kept += 1
        LP_ASSERT(kept_in_order(queue))
        queue.n_waits = 0
        drop_pending(queue)
    if unlikely(queue.mark != NULL):
        mark_unref(queue.mark)
        queue.mark = NULL
    queue_moved(queue)


cdef inline void order_accept_row(lp_queue *queue, uint32_t n) noexcept nogil:
    """The same for several commands in a row, which wait for nothing. Their labels are the caller's."""
    LP_ASSERT(queue.n_waits == 0)
    queue.number += n - 1
    if queue.native:
        pass
    elif queue.kind == QUEUE_LEGACY:
        queue.domain.markers_left_out += (n - 1) * queue.domain.blocking
    elif queue.kind == QUEUE_BLOCKING:
        queue.domain.markers_left_out += n - 1
    order_accept(queue)


cdef void order_refuse(lp_queue *queue, uint32_t n) noexcept nogil:
    """The driver did not take the command: nothing was learned."""
    cdef uint32_t i
    LP_ASSERT(lp_lock_held(queue.lock))
    LP_ASSERT(n <= queue.room_waits)
    for i in range(n):
        mark_unref(queue.waits[i])
    queue.n_waits = 0


cdef void order_forget(lp_queue *queue) noexcept nogil:
    """A command failed somewhere. What was learned by waiting may be untrue: a driver may let a waiter go at the
    failure while others of its wait list still ran. So all that is kept is waited for anew, and only the own order is
    relied on."""
    cdef uint32_t i
    cdef lp_mark *mark
    cdef event_status status
    LP_ASSERT(lp_lock_held(queue.lock))
    for i in range(queue.n_kept):
        mark = queue.kept[i].mark
        if mark.origin != NULL:
            mark = mark.origin
        status = EVENT_PENDING
        if not mark_complete(mark) and (
                mark.domain.table.event_query(mark.domain, mark.event, &status) == 0 and status == EVENT_FAILED):
            # it returns at once, with the code
            mark_failed(mark, mark.domain.table.event_wait(mark.domain, mark.event))
        if clock_reserve(&queue.wanted, mark.clock.size) == 0:
            clock_join(&queue.wanted, &mark.clock)
        if not mark_complete(mark):
            queue_pend(queue, mark)
    lp_store(&queue.epoch, lp_load(&lp_runtime.failures))
    if queue.domain.refused:
        lp_store(&queue.epoch, EPOCH_CLOSED)
    clock_clear(&queue.placed)
    queue.unplaced = queue.unsure = True
    queue.looked = 0


cdef void order_heed(lp_queue *queue) noexcept nogil:
    """After a failure, before a command: find marks for numbers that this queue knew only through others. No lock is
    held.

    Waits for more than necessary, once after each failure."""
    cdef lp_queue *other
    cdef lp_mark *mark = NULL
    cdef uint32_t slot
    LP_ASSERT(lp_no_lock_held())
    lp_lock_acquire(queue.lock)
    if queue.epoch != lp_load(&lp_runtime.failures):
        order_forget(queue)
    lp_lock_release(queue.lock)
    for slot in range(<uint32_t>lp_load(&lp_runtime.n_slots)):
        lp_lock_acquire(queue.lock)
        other = NULL
        if lp_runtime.slot_lock[slot] != queue.lock and order_unmarked(queue, slot):
            lp_lock_acquire(&lp_runtime.registry_lock)
            if lp_runtime.slot_queue[slot] != NULL:
                other = queue_use(lp_runtime.slot_queue[slot])
            lp_lock_release(&lp_runtime.registry_lock)
        lp_lock_release(queue.lock)
        if other == NULL:
            continue
        if record_now(other, False, True, &mark) == 0 and mark != NULL:
            if mark_ensure(mark) == 0:
                lp_lock_acquire(queue.lock)
                order_wait(queue, mark)
                lp_lock_release(queue.lock)
            mark_unref(mark)
        lp_add(&other.users, -1)
        queue_unref(other)


cdef bint order_unmarked(lp_queue *queue, uint32_t slot) noexcept nogil:
    """Is something of `slot` wanted that no pending mark stands for? Caller holds the lock."""
    cdef uint64_t number = clock_get(&queue.wanted, slot)
    cdef uint32_t i
    if slot == queue.slot or number <= clock_get(&queue.placed, slot) or is_complete(slot, number):
        return False
    for i in range(queue.n_pending):
        if clock_get(&queue.pending[i].clock, slot) >= number:
            return False
    return True


cdef inline void heed_failures(lp_queue *queue) noexcept nogil:
    if queue.epoch != lp_load(&lp_runtime.failures):
        order_heed(queue)
