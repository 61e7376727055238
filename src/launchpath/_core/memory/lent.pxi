# Lent memory: given out in the order of a queue, while the queue's own earlier work may still use it.
#
# Whoever needs it otherwise, another stream or the host, has to wait for that work, and must not wait for what the host
# holds back: the thread that waits may be the one that has to let it go. So such memory is not lent, unless the queue
# is named, while the host holds any queue back. And before a hold is placed each queue that has lent memory gets a
# mark, which stands for all work that the memory awaits.


cdef enum:
    LENT_PATIENCE = 5000           # microseconds that a hold waits for the lock of a queue that has lent memory


cdef inline bint memory_lend(lp_queue *queue, bint named) noexcept nogil:
    """Note that a queue lends memory; False: it must not now. Caller holds the heap's lock.

    A thread that places a hold counts it first and then looks for queues that have lent; here it is the other way
    round."""
    if not named and lp_load(&lp_runtime.holds):
        return False
    if lp_load(&queue.lent) == 0:
        lp_store(&queue.lent, 1)
        lp_add(&lp_runtime.lending, 1)         # a full barrier
    return named or lp_load(&lp_runtime.holds) == 0


cdef bint has_lent(lp_domain *domain, bint ordered) noexcept nogil:
    """Whether a queue of a device has lent memory, of those that the legacy rule is about if `ordered`. Caller holds
    registry_lock."""
    cdef lp_queue *queue = domain.queues
    while queue != NULL:
        if lp_load(&queue.lent) and not (ordered and queue.kind == QUEUE_NONBLOCKING):
            return True
        queue = queue.next
    return False


cdef int list_lending(lp_queue ***out, uint32_t *n) noexcept nogil:
    """The queues whose work lent memory may await, listed (see `queue_use`); the caller frees the array.

    They are those that have lent, and by the rule of the legacy stream others of their device: one of them may lend
    what another one used."""
    cdef lp_domain *domain
    cdef lp_queue *queue
    cdef lp_queue **queues = NULL
    cdef uint32_t room = 0
    cdef int code = 0
    cdef bint all_ordered
    n[0] = 0
    lp_lock_acquire(&lp_runtime.registry_lock)
    domain = lp_runtime.domains
    while domain != NULL and code == 0:
        all_ordered = has_lent(domain, True)
        queue = domain.queues
        while queue != NULL and code == 0:
            if lp_load(&queue.lent) or all_ordered and queue.kind != QUEUE_NONBLOCKING and may_be_busy(queue):
                code = items_grow(<void **>&queues, &room, n[0] + 1, sizeof(lp_queue *))
                if code == 0:
                    queues[n[0]] = queue_use(queue)
                    n[0] += 1
            queue = queue.next
        domain = domain.next_domain
    lp_lock_release(&lp_runtime.registry_lock)
    out[0] = queues
    return code


cdef int mark_lent() noexcept nogil:
    """Place marks behind the work that lent memory awaits, before a hold that is already counted. No lock is held.

    A queue whose lock is not to be had is full, and another thread is in the driver with it: it keeps its note."""
    cdef lp_queue **queues = NULL
    cdef uint32_t i, n = 0
    cdef int code
    LP_ASSERT(lp_no_lock_held())
    if lp_load(&lp_runtime.lending) == 0:
        return 0
    code = list_lending(&queues, &n)
    for i in range(n):
        if code == 0 and lock_soon(queues[i].lock):
            mark_lending(queues[i])
            lp_lock_release(queues[i].lock)
    queues_unlist(queues, n)
    return code


cdef bint lock_soon(lp_lock *lock) noexcept nogil:
    cdef uint64_t until
    if lp_lock_try(lock):
        return True
    until = lp_nanoseconds() + 1000 * <uint64_t>LENT_PATIENCE
    while lp_nanoseconds() < until:
        lp_sleep(20)
        if lp_lock_try(lock):
            return True
    return False


cdef void mark_lending(lp_queue *queue) noexcept nogil:
    """Place the mark of one queue. Caller holds its lock."""
    cdef lp_mark *mark
    cdef lp_mark *before
    if is_captured(queue):
        return
    if queue.shared:
        foreign_moved(queue)       # what awaits foreign work awaits the next number
    mark = queue_mark(queue)
    if mark == NULL or not mark_complete(mark) and mark_make(mark) and mark.event == NULL:
        return
    mark_ref(mark)
    lp_lock_acquire(&lp_runtime.registry_lock)
    before, queue.lent_mark = queue.lent_mark, mark
    lp_lock_release(&lp_runtime.registry_lock)
    if before != NULL:
        mark_unref(before)
    if lp_load(&queue.lent):
        lp_store(&queue.lent, 0)
        lp_add(&lp_runtime.lending, -1)


cdef lp_mark *mark_behind(lp_queue *queue, uint64_t number) noexcept nogil:
    """A mark of a queue that stands for a command, with a reference; NULL: none was placed. Takes no queue's lock: a
    thread may be in the driver with it."""
    cdef lp_mark *mark = NULL
    lp_lock_acquire(&lp_runtime.registry_lock)
    if queue.lent_mark != NULL and queue.lent_mark.number >= number:
        mark = mark_ref(queue.lent_mark)
    lp_lock_release(&lp_runtime.registry_lock)
    return mark
