# Marks: a point in a queue that other queues can wait for, and the clock that a wait on it adds.
#
# A mark stands for everything up to `number` on its queue. It becomes a marker (a driver event) only when it is needed:
# when somebody waits for it, or when the next command is about to enter the queue while somebody still could. By
# construction only a queue's newest mark, `queue.mark`, can lack its event.
#
# The rules: docs/ordering.md.

cdef struct lp_mark:
    uint64_t refs
    lp_domain *domain          # a reference
    void *context
    lp_queue *queue            # NULL for a bridge: an event in one context that stands for a mark of another,
    lp_mark *origin            # which is kept here
    uint64_t number
    uint32_t slot
    bint timed
    bint captured              # recorded while somebody captured the queue: it stands for nothing that runs
    int failure                # the code with which it failed, or 0
    void *event                # written once, under the queue's lock
    uint64_t flushed           # the event is on its way
    lp_clock clock             # as of the mark, its own number included


cdef lp_mark *mark_new(lp_queue *queue, bint next_number) noexcept nogil:
    """A mark at the queue's number or, filled in by `mark_fill` once it is accepted, at its next command; NULL: no
    memory."""
    cdef lp_mark *mark = <lp_mark *>calloc(1, sizeof(lp_mark))
    if mark == NULL:
        return NULL
    mark.refs, mark.queue = 1, queue
    mark.domain, mark.context, mark.slot = domain_ref(queue.domain), queue.context, queue.slot
    queue_ref(queue)
    # Room for its own number: `mark_fill` cannot be refused, and without that number nobody could tell what it stands
    # for.
    if clock_raise(&mark.clock, queue.slot, 1) or not next_number and clock_reserve(&mark.clock, queue.placed.size):
        mark_unref(mark)
        return NULL
    if not next_number:
        mark_fill(mark)
    return mark


cdef void mark_fill(lp_mark *mark) noexcept nogil:
    """Nobody else has it yet. Where memory is lacking it says less of what it comes after, which makes others wait for
    more."""
    cdef lp_page *own
    LP_ASSERT(lp_lock_held(mark.queue.lock))
    LP_ASSERT(lp_load(&mark.refs) == 1)
    mark.number = mark.queue.number
    own = mark.clock.pages[mark.slot // PAGE]
    own.at[mark.slot % PAGE] = mark.number
    clock_reserve(&mark.clock, mark.queue.placed.size)
    clock_join(&mark.clock, &mark.queue.placed)


cdef inline lp_mark *mark_ref(lp_mark *mark) noexcept nogil:
    LP_ASSERT(lp_load(&mark.refs) != 0)
    lp_add(&mark.refs, 1)
    return mark


cdef inline bint mark_is_held(const lp_mark *mark) noexcept nogil:
    return mark == NULL or lp_load(&mark.refs) != 0


cdef void mark_unref(lp_mark *mark) noexcept nogil:
    LP_ASSERT(mark_is_held(mark))
    if mark == NULL or lp_add(&mark.refs, -1):
        return
    if mark.event != NULL:
        mark.domain.table.event_release(mark.domain, mark.event)
    clock_drop(&mark.clock)
    mark_unref(mark.origin)
    if mark.queue != NULL:
        queue_unref(mark.queue)
    domain_unref(mark.domain)
    free(mark)


cdef inline bint mark_complete(const lp_mark *mark) noexcept nogil:
    return is_complete(mark.slot, mark.number)


cdef inline void mark_look(lp_mark *mark) noexcept nogil:
    mark.captured = (mark.domain.table.event_captured != NULL
                     and mark.domain.table.event_captured(mark.domain, mark.event))


cdef inline bint is_captured(lp_queue *queue) noexcept nogil:
    """Does somebody record what is submitted to the queue, instead of letting it run?"""
    return queue.table.queue_capturing != NULL and queue.table.queue_capturing(queue.handle)


cdef int mark_make(lp_mark *mark) noexcept nogil:
    """Turn a mark into a driver event and flush it: a marker must be on its way before anyone waits for it.

    The caller holds the lock of the mark's queue, and `mark` is the queue's newest."""
    cdef lp_queue *queue = mark.queue
    cdef int code
    LP_ASSERT(lp_lock_held(queue.lock))
    if mark.event == NULL:
        LP_ASSERT(mark == queue.mark)          # else it would stand for what was submitted since
        code = driver_marker(queue.table, queue.handle, mark.timed, 0, NULL, &mark.event)
        if code:
            mark.event = NULL
            return code
        mark_look(mark)
        lp_add(&queue.domain.markers_made, 1)
    return mark_flush(mark)


cdef int mark_flush(lp_mark *mark) noexcept nogil:
    """Flush a mark that has its event; the next user of the mark tries a failed flush again. Caller holds the lock."""
    cdef int code = 0
    LP_ASSERT(mark.event != NULL)
    LP_ASSERT(lp_lock_held(mark.queue.lock))
    if not mark.flushed:
        code = mark.domain.table.queue_flush(mark.queue.handle)
        if code == 0:
            lp_store(&mark.flushed, 1)     # `mark_ensure` reads it without the lock
    return code


cdef int mark_ensure(lp_mark *mark) noexcept nogil:
    """`mark_make` for a caller that holds no lock."""
    cdef int code
    if lp_load(&mark.flushed) or mark_complete(mark):
        return 0
    lp_lock_acquire(mark.queue.lock)
    code = mark_make(mark)
    lp_lock_release(mark.queue.lock)
    return code


cdef lp_mark *queue_mark(lp_queue *queue) noexcept nogil:
    """The queue's mark at its present number (borrowed), NULL if there is no memory. Caller holds the lock."""
    LP_ASSERT(lp_lock_held(queue.lock))
    if queue.mark != NULL and queue.mark.captured and not is_captured(queue):
        mark_unref(queue.mark)         # of a capture that is over
        queue.mark = NULL
    if queue.mark == NULL:
        queue.mark = mark_new(queue, False)
    return queue.mark


cdef int queue_pend(lp_queue *queue, lp_mark *mark) noexcept nogil:
    """Hold on to a mark until a command carries the wait for it. A later mark of the same queue stands for an earlier
    one.

    Caller holds the queue's lock."""
    cdef uint32_t i
    LP_ASSERT(lp_lock_held(queue.lock))
    for i in range(queue.n_pending):
        if queue.pending[i].slot == mark.slot:
            if queue.pending[i].number < mark.number:
                mark_ref(mark)
                mark_unref(queue.pending[i])
                queue.pending[i] = mark
            return 0
    if items_grow(<void **>&queue.pending, &queue.room_pending, queue.n_pending + 1, sizeof(lp_mark *)):
        return ERROR_HOST_MEMORY
    queue.pending[queue.n_pending] = mark_ref(mark)
    queue.n_pending += 1
    return 0


cdef inline int queue_settle(lp_queue *queue) noexcept nogil:
    """Before a command enters: the newest mark becomes a marker if anyone could still wait for it."""
    cdef lp_mark *mark = queue.mark
    LP_ASSERT(lp_lock_held(queue.lock))
    if mark == NULL or mark.flushed or lp_load(&mark.refs) == 1 or mark_complete(mark):
        return 0
    return mark_make(mark)


cdef void queue_forget_marks(lp_queue *queue) noexcept nogil:
    """Drop all that the queue holds of marks. Caller holds the lock; a mark holds its queue, so these are cycles."""
    cdef uint32_t i
    LP_ASSERT(lp_lock_held(queue.lock))
    mark_unref(queue.mark)
    mark_unref(queue.end_mark)
    mark_unref(queue.outside)
    queue.mark = queue.end_mark = queue.outside = NULL
    for i in range(queue.n_pending):
        mark_unref(queue.pending[i])
    for i in range(queue.n_kept):
        mark_unref(queue.kept[i].mark)
    for i in range(queue.n_checkpoints):
        mark_unref(queue.checkpoints[i])
    queue.n_pending = queue.n_kept = queue.n_checkpoints = 0
