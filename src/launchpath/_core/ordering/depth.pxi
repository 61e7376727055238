# Depth: how many commands are in flight. A producer that is far ahead of the device is slowed, never stopped for good,
# and does not keep the GIL where the driver may block for want of room.

cdef enum:
    DEPTH_SOFT = 4096          # commands not known to be complete, beyond which the producer is slowed
    DEPTH_GIL = 1024           # beyond it a driver may block, so the GIL is released around the call
    # The same for CUDA and HIP. One H200 took 1020 commands before a launch blocked, in each of 8 queues that streams
    # share.
    DEPTH_NATIVE = 900         # commands of all streams
    LOOK_NATIVE = 64           # between two looks of a stream at that
    DEPTH_FULL = 1000          # commands of a stream beyond which their driver may block until some are complete
    # Microseconds that a launch beyond DEPTH_SOFT waits for, twice as long for each DEPTH_SOFT more, and at most.
    DELAY = 2000
    DELAY_MOST = 100000


cdef inline uint64_t queue_depth(lp_queue *queue) noexcept nogil:
    return queue.number - lp_load(&lp_runtime.completed[queue.slot])


cdef inline bint is_full(const lp_queue *queue) noexcept nogil:
    """Whether the driver may block in a call until commands of the queue are complete. A step's it does not have yet."""
    return queue.native and lp_here.step == NULL and (
        queue.number - lp_load(&lp_runtime.completed[queue.slot]) >= DEPTH_FULL)


cdef void queue_throttle(lp_queue *queue) noexcept nogil:
    """Slow a producer that is far ahead of the device. No lock is held, the GIL is not.

    The delay doubles with every DEPTH_SOFT commands more, so memory grows slower and slower; it ends, by the clock and
    not by the number of sleeps, so that a host that holds its own queue back on purpose is slowed and not hung."""
    cdef uint64_t excess, until
    cdef uint64_t delay = DELAY
    LP_ASSERT(lp_no_lock_held())
    if is_captured(queue):
        return
    step_observe(queue)
    lp_lock_acquire(queue.lock)
    advance_checkpoints(queue)
    excess = queue_depth(queue)
    lp_lock_release(queue.lock)
    if excess <= DEPTH_SOFT:
        return
    while excess > 2 * DEPTH_SOFT and delay < DELAY_MOST:
        delay *= 2
        excess -= DEPTH_SOFT
    until = lp_nanoseconds() + 1000 * min(delay, <uint64_t>DELAY_MOST)
    while lp_nanoseconds() < until:
        lp_sleep(50)
        lp_lock_acquire(queue.lock)
        advance_checkpoints(queue)
        excess = queue_depth(queue)
        lp_lock_release(queue.lock)
        if excess <= DEPTH_SOFT:
            return


cdef uint64_t domain_depth(lp_domain *domain) noexcept nogil:
    """Commands in flight on all queues of a device, at most; each may have had LOOK_NATIVE more by the time of its next
    look. The caller holds `registry_lock`."""
    cdef lp_queue *queue = domain.queues
    cdef uint64_t total = 0, number, done
    LP_ASSERT(lp_lock_held(&lp_runtime.registry_lock))
    while queue != NULL:
        number, done = lp_load(&queue.number), lp_load(&lp_runtime.completed[queue.slot])
        if number > done:
            total += number - done + LOOK_NATIVE
        queue = queue.next
    return total


cdef bint domain_has_room(lp_domain *domain) noexcept nogil:
    """Whether no queue of the device will make the driver block before its next look."""
    cdef bint room
    lp_lock_acquire(&lp_runtime.registry_lock)
    room = domain_depth(domain) < DEPTH_NATIVE
    lp_lock_release(&lp_runtime.registry_lock)
    return room


cdef void domain_poll(lp_domain *domain) noexcept:
    """Ask every queue that may be busy how far it is. Never blocks; the caller holds the GIL and no lock."""
    cdef lp_queue **queues = NULL
    cdef uint32_t i, n = 0
    cdef bint done
    with nogil:
        list_queues(domain, &queues, &n)
        for i in range(n):
            queue_query(queues[i], &done)
    queues_unlist(queues, n)
