# The wait list of a command: a mark, and its event, for each point that the command needs and the driver does not have
# yet.
#
# `order.pxi` keeps two clocks: `wanted`, what the next command must come after, and `placed`, what the driver already
# orders before it. Where `wanted` is ahead, `order_collect` puts a mark into `queue.waits` and its event into `queue.events`,
# which the driver's call takes. `order_accept` then moves the marks to `queue.kept`; `order_refuse` releases them.
#
# The rules: docs/ordering.md.


cdef lp_mark *mark_for(lp_queue *queue, uint32_t slot, uint64_t number) noexcept nogil:
    """The mark to wait for to come after `number` of `slot` (borrowed), or NULL if another wait brings that along.

    Explicit waits brought their mark with them; those that the legacy rule asks for are at the source's present
    number."""
    cdef lp_queue *other
    cdef uint32_t i
    for i in range(queue.n_pending):
        if queue.pending[i].slot == slot and queue.pending[i].number >= number:
            return queue.pending[i]
    if lp_runtime.slot_lock[slot] != queue.lock:
        return NULL
    # The slot is of this order lock, which is held: its queue stays.
    other = lp_runtime.slot_queue[slot]
    LP_ASSERT(other.slot == slot)
    LP_ASSERT(number <= other.number)
    # Another mark in the list comes after a number in the past. Not so just after a failure, when what the driver orders
    # is unknown: then the queue's present end is waited for.
    if other.number != number and not queue.unsure:
        return NULL
    return queue_mark(other)


cdef int order_collect(lp_queue *queue) noexcept nogil:
    """Choose the marks to wait for: those missing, less what another of them brings along."""
    cdef uint32_t n = 0
    cdef int code = collect_missing(queue, &n)
    if code:
        return code
    n = leave_out_implied(queue.waits, n)
    if n == 0:
        drop_pending(queue)
    return hand_over(queue, n)


cdef int collect_missing(lp_queue *queue, uint32_t *n) noexcept nogil:
    """A mark in queue.waits for each number that is wanted, not placed yet and not known to be complete."""
    cdef uint32_t page, slot
    cdef uint64_t number
    cdef lp_mark *mark
    cdef int code
    queue.n_waits = 0
    if clock_reserve(&queue.placed, queue.wanted.size):
        return ERROR_HOST_MEMORY
    for page in range(queue.wanted.size // PAGE):
        if queue.wanted.pages[page] == NULL or queue.wanted.pages[page] == queue.placed.pages[page]:
            continue
        for slot in range(page * PAGE, (page + 1) * PAGE):
            number = clock_get(&queue.wanted, slot)
            if number <= clock_get(&queue.placed, slot) or slot == queue.slot or is_complete(slot, number):
                continue
            mark = mark_for(queue, slot, number)
            if mark == NULL:
                continue
            code = reserve_waits(queue, n[0] + 1)
            if code:
                return code
            queue.waits[n[0]] = mark
            n[0] += 1
    return 0


cdef uint32_t leave_out_implied(lp_mark **waits, uint32_t n) noexcept nogil:
    """Keep the marks that no other one brings along by its clock; how many those are."""
    cdef uint32_t i, j, kept = 0
    for i in range(n):
        for j in range(n):
            if j != i and waits[j] != NULL and clock_get(&waits[j].clock, waits[i].slot) >= waits[i].number:
                waits[i] = NULL
                break
    for i in range(n):
        if waits[i] != NULL:
            waits[kept] = waits[i]
            kept += 1
    return kept


cdef int reserve_waits(lp_queue *queue, uint32_t n) noexcept nogil:
    cdef uint32_t room = queue.room_waits
    if items_grow(<void **>&queue.events, &room, n, sizeof(void *)):
        return ERROR_HOST_MEMORY
    return items_grow(<void **>&queue.waits, &queue.room_waits, n, sizeof(lp_mark *))


cdef int hand_over(lp_queue *queue, uint32_t n) noexcept nogil:
    """Create the events of queue.waits[:n], and take references. If that fails, the marks keep the events that they
    have by then: the next attempt uses them."""
    cdef uint32_t i
    cdef lp_mark *mark
    cdef int code
    LP_ASSERT(lp_lock_held(queue.lock))
    LP_ASSERT(n <= queue.room_waits)
    if items_grow(<void **>&queue.kept, &queue.room_kept, queue.n_kept + n, sizeof(lp_kept)):
        return ERROR_HOST_MEMORY
    for i in range(n):
        mark = queue.waits[i]
        if not mark.flushed:
            code = mark_make(mark)
            if code:
                order_refuse(queue, i)
                return code
        if mark.context != queue.context:
            code = mark_bridge(queue, mark, &mark)
            if code:
                order_refuse(queue, i)
                return code
        else:
            mark_ref(mark)
        if clock_reserve(&queue.placed, mark.clock.size):
            mark_unref(mark)
            order_refuse(queue, i)
            return ERROR_HOST_MEMORY
        LP_ASSERT(mark.event != NULL)
        LP_ASSERT(mark.context == queue.context)
        queue.waits[i] = mark
        queue.events[i] = mark.event
    queue.n_waits = n
    return 0


cdef void drop_pending(lp_queue *queue) noexcept nogil:
    """The driver has all waits, or needs none: release the marks that explicit waits brought."""
    cdef uint32_t i
    for i in range(queue.n_pending):
        mark_unref(queue.pending[i])
    queue.n_pending = 0
    queue.unplaced = queue.unsure = False


cdef int collect_naive(lp_queue *queue) noexcept nogil:
    """ORDERING_ALWAYS and ORDERING_NONEMPTY, with which benchmarks compare: a fresh marker in every queue that the
    legacy rule names, for every command."""
    cdef lp_domain *domain = queue.domain
    cdef lp_queue *other = NULL
    cdef lp_mark *mark
    cdef uint32_t i, n = 0
    cdef int code = order_look(queue)
    if code:
        return code
    if capture_has(queue):
        pass                           # what is captured does not run
    elif queue.kind == QUEUE_LEGACY:
        other = domain.newest
    elif queue.kind == QUEUE_BLOCKING:
        other = domain.legacy
    while other != NULL:
        if not capture_has(other) and (
                lp_runtime.ordering == ORDERING_ALWAYS or not is_complete(other.slot, other.number)):
            code = queue_settle(other)
            if code:
                return code
            mark_unref(other.mark)
            other.mark = NULL
            mark = queue_mark(other)
            if mark == NULL or reserve_waits(queue, n + 1):
                return ERROR_HOST_MEMORY
            queue.waits[n] = mark
            n += 1
        other = other.older if queue.kind == QUEUE_LEGACY else NULL
    for i in range(queue.n_pending):
        if reserve_waits(queue, n + 1):
            return ERROR_HOST_MEMORY
        queue.waits[n] = queue.pending[i]
        n += 1
    if n == 0:
        drop_pending(queue)
    return hand_over(queue, n)
