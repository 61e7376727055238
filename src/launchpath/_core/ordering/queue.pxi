# Queues: the core's in-order timelines behind streams, and the domain (one device) whose legacy rule they share.
#
# Locks, in the order in which they may be taken; no two of one line are ever held together, and the holder of a
# lock neither takes the GIL nor drops a Python reference:
#   1. `layers_lock`: see layers/layer.pxi.
#   2. `lp_queue.lock`: a non-blocking queue's own; the legacy queue and the blocking queues of a device share
#      `order_lock`. Where the driver keeps the legacy rule, each queue has its own: one that is full must not hold up
#      the others.
#   3. `lp_recording.lock`: see step/recording.pxi.
#   4. `registry_lock`: slots, and the lists of queues by domain.
#   5. a driver's own locks.
# Taking a number, the driver call and publishing the number are one step under the queue's lock.
#
# The rules: docs/ordering.md.

cdef enum:
    RECENT_LAUNCHES = 16       # names kept for error messages, a power of two

cdef struct lp_kept:
    uint64_t number            # kept until this command of the queue is known to be complete
    lp_mark *mark

cdef struct lp_queue:
    # What every launch reads or writes comes first, and fills two cache lines.
    int (*submit)(void *queue, const driver_command *command) noexcept nogil       # the table's; both change under the lock
    void *handle
    lp_lock *lock
    uint64_t number            # of the last command
    uint64_t tick              # the runtime's, when that was submitted
    uint64_t identity          # which no other queue of the process has, or had
    uint64_t order_identity    # the same, but 0 if foreign code may capture it: then what memory awaits is looked at
    uint64_t lent              # memory was lent since the last mark that stands for its work: see memory/lent.pxi
    lp_mark *lent_mark         # that mark, a reference, or NULL (registry_lock)
    void *recording            # the lp_recording that has commands of this queue, or NULL: see step/recording.pxi
    uint64_t check             # number at which the depth is looked at next
    uint64_t gil_check         # number from which on `keeps_gil` is to be found out anew
    uint64_t epoch             # `failures` when `placed` was last known to be true; EPOCH_CLOSED: nothing of the device can be used
    lp_mark *mark              # stands for `number`, or NULL
    const char *label          # of the launch that is being submitted, for crashes; NULL for other commands
    lp_domain *domain
    uint32_t n_waits, room_waits
    queue_kind kind
    bint native                # the driver keeps the legacy rule
    bint keeps_gil             # no call of the driver's will block for want of room
    bint unplaced              # `wanted` may hold what the driver does not order yet
    lp_lock own_lock
    bint shared                # foreign code has the handle: never assumed to be empty
    bint adopted               # the driver's queue is foreign code's own
    bint unsure                # a failure was heard of, and no command has been submitted since
    uint32_t slot
    const char *recent[RECENT_LAUNCHES]
    const driver_table *table
    void *context
    uint64_t refs
    # calls that have listed it: its driver queue stays (taken under order_lock or registry_lock)
    uint64_t users
    uint64_t stamp             # `domain.moves` when this queue moved last
    uint64_t looked            # `domain.moves` when this queue last looked at the others
    uint64_t failure           # code of a command that failed and that no synchronizing call has told of yet, or 0
    int last_failure           # the last such code, for its name
    # A step's commands were left out behind one that the driver refused: that step's recording, until it is left, and
    # the refusal's code and call.
    void *left_out_by
    int left_out
    const char *left_out_call
    # code of a call after a command that had been accepted; the next synchronize tells of it, or 0
    int late
    const char *late_call
    uint64_t jobs              # host functions under way (jobs_lock)
    uint64_t failed            # a command up to this number failed
    lp_clock wanted            # what the next command must come after; of its own slot it says nothing
    lp_clock placed            # what the driver already orders before the next command; the same
    lp_mark **pending          # of waits not yet handed to the driver
    uint32_t n_pending, room_pending
    lp_mark **waits            # of the command that is being submitted, with the events to hand over
    void **events
    lp_kept *kept
    uint32_t n_kept, room_kept
    # Of a native blocking queue: its last record or wait, unless that is complete, or NULL. It comes after the legacy
    # stream's work. CUDA's event does so, but a query or a synchronize of a stream that holds nothing else says
    # complete at once (seen on an H100, driver 580): the event is asked as well.
    lp_mark *end_mark
    lp_mark *outside           # in a capture of launchpath's: behind what it held before, or NULL. It may stay afterwards
    lp_mark **checkpoints      # oldest first
    uint32_t n_checkpoints, room_checkpoints
    void *batch                # the lp_batch that its timed commands are added to, or NULL: see trace/timed.pxi
    lp_queue *newer            # in `domain.newest`
    lp_queue *older
    lp_queue *closed           # in `closed_first` (registry_lock)
    lp_queue *next             # in `domain.queues` (registry_lock)
    lp_queue *previous

cdef uint64_t EPOCH_CLOSED = <uint64_t>-1     # never a count of failures, so that launches take the way with all checks


cdef int items_grow(void **items, uint32_t *room, uint32_t need, size_t item) noexcept nogil:
    cdef uint32_t size = 8
    cdef void *at
    if need <= room[0]:
        return 0
    while size < need:
        size *= 2
    at = realloc(items[0], size * item)
    if at == NULL:
        return ERROR_HOST_MEMORY
    items[0], room[0] = at, size
    return 0


cdef int queue_new(lp_domain *domain, queue_kind kind, int priority, void *foreign, lp_queue **out) noexcept nogil:
    """Create a queue with its driver queue, or over a `foreign` stream. The driver call is made with no lock held."""
    cdef lp_queue *queue
    cdef int code
    LP_ASSERT(lp_no_lock_held())
    if domain.refused:
        return domain.refused
    queue = <lp_queue *>calloc(1, sizeof(lp_queue))
    if queue == NULL:
        return ERROR_HOST_MEMORY
    if foreign != NULL:
        code = domain.table.queue_adopt(domain.device, foreign, &queue.handle)
    else:
        code = domain.table.queue_create(domain.device, kind, priority, &queue.handle)
    if code:
        free(queue)
        return code
    (<lp_queue **>queue.handle)[0] = queue
    queue.context, queue.domain, queue.kind, queue.refs = domain.context, domain_ref(domain), kind, 1
    queue.adopted, queue.native = foreign != NULL, domain.native
    # A driver's own legacy stream is everybody's in the process.
    queue.shared = queue.adopted or domain.native and kind == QUEUE_LEGACY or domain.ask_when_empty
    domain.exposed = domain.exposed or queue.adopted
    queue.epoch = lp_load(&lp_runtime.failures)
    lp_lock_init(&queue.own_lock)
    lp_lock_rank(&queue.own_lock, RANK_QUEUE)
    queue.lock = &queue.own_lock if kind == QUEUE_NONBLOCKING or domain.native else &domain.order_lock
    lp_lock_acquire(queue.lock)
    lp_lock_acquire(&lp_runtime.registry_lock)
    code = queue_take_slot(queue)
    if code == 0:
        queue_take_table(queue)        # under the lock under which others are given a new one
        queue.next = domain.queues
        if domain.queues != NULL:
            domain.queues.previous = queue
        domain.queues = queue
    lp_lock_release(&lp_runtime.registry_lock)
    if code == 0:
        queue_join_order(queue)
    lp_lock_release(queue.lock)
    if code == 0 and domain.traced:
        stream_write(queue)
        profiled_watch_captures(queue)
    if code:
        domain.table.queue_release(queue.handle)
        domain_unref(domain)
        free(queue)
        return code
    out[0] = queue
    return 0


cdef int queue_take_slot(lp_queue *queue) noexcept nogil:
    """Give the queue a slot, and the numbers after those of the slot's last queue. Caller holds both locks."""
    cdef uint32_t slot
    LP_ASSERT(lp_lock_held(queue.lock))
    LP_ASSERT(lp_lock_held(&lp_runtime.registry_lock))
    if lp_runtime.n_slots_free:
        lp_runtime.n_slots_free -= 1
        slot = lp_runtime.slots_free[lp_runtime.n_slots_free]
    elif lp_runtime.n_slots < MAX_QUEUES:
        slot = <uint32_t>lp_runtime.n_slots
        lp_store(&lp_runtime.n_slots, slot + 1)
    else:
        return ERROR_QUEUES
    LP_ASSERT(lp_runtime.slot_queue[slot] == NULL)
    LP_ASSERT(is_complete(slot, lp_runtime.slot_base[slot]))
    lp_runtime.slot_lock[slot], lp_runtime.slot_queue[slot] = queue.lock, queue
    lp_runtime.identities += 1
    queue.slot, queue.identity = slot, lp_runtime.identities
    queue.order_identity = 0 if queue.adopted else queue.identity
    queue.number = lp_runtime.slot_base[slot]
    queue.check = queue.number + CHECK_EVERY
    queue.gil_check, queue.keeps_gil = queue.number, False
    return 0


cdef void queue_join_order(lp_queue *queue) noexcept nogil:
    """From now on the legacy rule is about this queue too, if it is of that kind. Caller holds the queue's lock."""
    cdef lp_domain *domain = queue.domain
    LP_ASSERT(lp_lock_held(queue.lock))
    if queue.kind == QUEUE_LEGACY:
        domain.legacy = queue
    elif queue.kind == QUEUE_BLOCKING and not domain.native:
        domain.blocking += 1
        domain.shared += queue.shared
        # It has not moved: the end of the list is where it belongs, but nobody looks at what is older than `looked`.
        queue.older = domain.newest
        if domain.newest != NULL:
            domain.newest.newer = queue
        domain.newest = queue
        domain.moves += 1
        queue.stamp = domain.moves


cdef inline void queue_moved(lp_queue *queue) noexcept nogil:
    """The others have something new to look at. Caller holds the queue's lock."""
    cdef lp_domain *domain = queue.domain
    LP_ASSERT(lp_lock_held(queue.lock))
    if likely(queue.native) or queue.kind == QUEUE_NONBLOCKING:
        return
    domain.moves += 1
    queue.stamp = domain.moves
    if queue.kind == QUEUE_LEGACY or domain.newest == queue:
        return
    LP_ASSERT(queue.newer.older == queue)
    queue.newer.older = queue.older
    if queue.older != NULL:
        LP_ASSERT(queue.older.newer == queue)
        queue.older.newer = queue.newer
    queue.newer, queue.older = NULL, domain.newest
    domain.newest.newer = queue
    domain.newest = queue


cdef inline void queue_ref(lp_queue *queue) noexcept nogil:
    LP_ASSERT(lp_load(&queue.refs) != 0)
    lp_add(&queue.refs, 1)


cdef void queue_unref(lp_queue *queue) noexcept nogil:
    LP_ASSERT(lp_load(&queue.refs) != 0)
    if lp_add(&queue.refs, -1):
        return
    LP_ASSERT(queue.handle == NULL)
    LP_ASSERT(lp_load(&queue.users) == 0)
    LP_ASSERT(queue.jobs == 0)
    LP_ASSERT(queue.n_kept + queue.n_pending + queue.n_checkpoints == 0)
    clock_drop(&queue.wanted)
    clock_drop(&queue.placed)
    free(queue.pending)
    free(queue.waits)
    free(queue.events)
    free(queue.kept)
    free(queue.checkpoints)
    lp_lock_destroy(&queue.own_lock)
    domain_unref(queue.domain)
    free(queue)


cdef bint queue_end(lp_queue *queue) noexcept nogil:
    """Release a queue whose commands are known to be complete, and its slot, unless some call uses it. No lock is held.

    False: it has to be tried again later."""
    cdef lp_domain *domain = queue.domain
    cdef lp_mark *lent
    LP_ASSERT(lp_no_lock_held())
    LP_ASSERT(lp_runtime.slot_queue[queue.slot] == queue)
    lp_lock_acquire(queue.lock)
    lp_lock_acquire(&lp_runtime.registry_lock)
    # A mark may have been recorded since the caller looked, for memory that the queue's work still uses.
    # A recording may have a marker of it, which is no command, and a capture has commands that do not run.
    if lp_load(&queue.users) or lp_load(<uint64_t *>&queue.recording) or not is_complete(queue.slot, queue.number):
        lp_lock_release(&lp_runtime.registry_lock)
        lp_lock_release(queue.lock)
        return False
    queue_forget_marks(queue)
    if lp_load(&queue.lent):
        lp_store(&queue.lent, 0)
        lp_add(&lp_runtime.lending, -1)
    if queue.kind == QUEUE_BLOCKING and not domain.native:
        if queue.newer != NULL:
            queue.newer.older = queue.older
        else:
            domain.newest = queue.older
        if queue.older != NULL:
            queue.older.newer = queue.newer
        LP_ASSERT(domain.blocking != 0)
        domain.blocking -= 1
        domain.shared -= queue.shared
        LP_ASSERT(domain.shared <= domain.blocking)
    elif queue.kind == QUEUE_LEGACY:
        domain.legacy = NULL
    if queue.previous != NULL:
        queue.previous.next = queue.next
    else:
        domain.queues = queue.next
    if queue.next != NULL:
        queue.next.previous = queue.previous
    lent, queue.lent_mark = queue.lent_mark, NULL
    lp_runtime.slot_base[queue.slot] = queue.number
    lp_raise(&lp_runtime.completed[queue.slot], queue.number)
    lp_runtime.slot_lock[queue.slot], lp_runtime.slot_queue[queue.slot] = NULL, NULL
    lp_runtime.slots_free[lp_runtime.n_slots_free] = queue.slot
    lp_runtime.n_slots_free += 1
    lp_lock_release(&lp_runtime.registry_lock)
    lp_lock_release(queue.lock)
    if lent != NULL:
        mark_unref(lent)
    if queue.batch != NULL:
        batch_leave(queue)
    queue.table.queue_release(queue.handle)
    queue.handle = NULL
    queue_unref(queue)
    return True


cdef inline bint may_be_busy(lp_queue *queue) noexcept nogil:
    """Is there something to wait for, or to tell?"""
    return queue.shared or queue.n_pending != 0 or queue.failure != 0 or queue.late != 0 or not is_complete(
        queue.slot, lp_load(&queue.number))


cdef int list_queues(lp_domain *domain, lp_queue ***out, uint32_t *n, bint all_kinds=True) noexcept nogil:
    """All queues of the device that may be busy, each with a reference; the caller frees the array. No lock is held.

    Without `all_kinds` those that are ordered with the legacy stream, itself included."""
    cdef lp_queue *queue
    cdef lp_queue **queues = NULL
    cdef uint32_t room = 0
    cdef int code = 0
    LP_ASSERT(lp_no_lock_held())
    n[0] = 0
    lp_lock_acquire(&lp_runtime.registry_lock)
    queue = domain.queues
    while queue != NULL and code == 0:
        if (all_kinds or queue.kind != QUEUE_NONBLOCKING) and may_be_busy(queue):
            code = items_grow(<void **>&queues, &room, n[0] + 1, sizeof(lp_queue *))
            if code == 0:
                queues[n[0]] = queue_use(queue)
                n[0] += 1
        queue = queue.next
    lp_lock_release(&lp_runtime.registry_lock)
    out[0] = queues
    return code


cdef int list_every(lp_domain *domain, lp_queue ***out, uint32_t *n) noexcept nogil:
    """All queues of the device, each with a reference; the caller frees the array. The caller holds `registry_lock`."""
    cdef lp_queue *queue = domain.queues
    cdef lp_queue **queues = NULL
    cdef uint32_t room = 0
    cdef int code = 0
    n[0] = 0
    while queue != NULL and code == 0:
        code = items_grow(<void **>&queues, &room, n[0] + 1, sizeof(lp_queue *))
        if code == 0:
            queues[n[0]] = queue_use(queue)
            n[0] += 1
        queue = queue.next
    out[0] = queues
    return code


cdef int list_blocking(lp_domain *domain, lp_queue ***out, uint32_t *n, uint64_t *moves) noexcept nogil:
    """The same for what the legacy stream covers: itself, and blocking queues that have moved since all was quiet."""
    cdef lp_queue *queue
    cdef lp_queue **queues = NULL
    cdef uint32_t room = 0
    cdef int code
    n[0] = 0
    moves[0] = 0
    if domain.native:
        return list_queues(domain, out, n, False)
    lp_lock_acquire(&domain.order_lock)
    moves[0] = domain.moves
    code = items_grow(<void **>&queues, &room, 1, sizeof(lp_queue *))
    if code == 0:
        queues[0] = queue_use(domain.legacy)
        n[0] = 1
    queue = domain.newest
    while code == 0 and queue != NULL and (queue.stamp > domain.quiet or domain.shared):
        if may_be_busy(queue):
            code = items_grow(<void **>&queues, &room, n[0] + 1, sizeof(lp_queue *))
            if code == 0:
                queues[n[0]] = queue_use(queue)
                n[0] += 1
        queue = queue.older
    lp_lock_release(&domain.order_lock)
    out[0] = queues
    return code


cdef void queues_unlist(lp_queue **queues, uint32_t n) noexcept nogil:
    cdef uint32_t i
    for i in range(n):
        LP_ASSERT(lp_load(&queues[i].users) != 0)
        lp_add(&queues[i].users, -1)
        queue_unref(queues[i])
    free(queues)


cdef inline lp_queue *queue_use(lp_queue *queue) noexcept nogil:
    """List a queue: neither its structure nor its driver queue goes before `queues_unlist`."""
    queue_ref(queue)
    lp_add(&queue.users, 1)
    return queue
