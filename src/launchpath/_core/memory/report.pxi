# The report of a pool: each extent as it is at a moment.

cdef struct lp_reported:
    size_t size
    extent_state state
    memory_kind kind
    uint32_t n
    lp_user users[USERS_INSIDE]    # of more the first


cdef uint32_t heap_report(lp_heap *heap, lp_reported *into, uint32_t room) noexcept nogil:
    """Describe the extents, as many as there is room for; gives how many there are. Takes the lock."""
    cdef lp_segment *segment
    cdef lp_extent *extent
    cdef uint32_t n = 0, i
    lp_lock_acquire(&heap.lock)
    segment = heap.segments
    while segment != NULL:
        extent = segment.first
        while extent != NULL:
            if n < room:
                into[n].size, into[n].state, into[n].kind = extent.size, extent.state, arena_kind(segment.arena)
                into[n].n = min(extent.users.n, <uint32_t>USERS_INSIDE)
                for i in range(into[n].n):
                    into[n].users[i] = users_list(&extent.users)[i]
            n += 1
            extent = extent.after
        segment = segment.next
    lp_lock_release(&heap.lock)
    return n


def memory_extents(DeviceBase device not None):
    """Describe what a device's pool has from its driver.

    Returns
    -------
    list of tuple
        (bytes, "in use", "waiting" or "free", kind, waits) for each contiguous part. `kind` is that of `Pool.allocate`;
        `waits` has (kind of the stream, number of its queue, number of the command) for each stream that it waits for,
        three at most.
    """
    cdef lp_reported *reported = NULL
    cdef uint32_t n = 0, room = 0, i, j
    cdef Pool pool = device.pool
    pool.settle()
    try:
        while True:
            n = heap_report(&pool.heap, reported, room)
            if n <= room:
                break
            if items_grow(<void **>&reported, &room, n, sizeof(lp_reported)):
                raise MemoryError
        states = {EXTENT_USED: "in use", EXTENT_FREE: "free"}
        kinds = {QUEUE_LEGACY: "legacy", QUEUE_BLOCKING: "blocking", QUEUE_NONBLOCKING: "non-blocking"}
        return [
            (reported[i].size, states.get(reported[i].state, "waiting"), <int>reported[i].kind,
             [(kinds[reported[i].users[j].kind], reported[i].users[j].identity, reported[i].users[j].number)
              for j in range(reported[i].n)])
            for i in range(n)]
    finally:
        free(reported)
