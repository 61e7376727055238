# The heap of a device's pool: its segments, and which extents of them can be used again by whom.
#
# An extent that is given back goes where its users allow it to be used again: to all, to one queue, or among those that
# wait.


cdef lp_extent *heap_new_extent(lp_heap *heap) noexcept nogil:
    cdef lp_extent *extent = heap.spare
    if extent == NULL:
        return <lp_extent *>calloc(1, sizeof(lp_extent))
    heap.spare = extent.next
    memset(extent, 0, sizeof(lp_extent))
    return extent


cdef inline void heap_drop_extent(lp_heap *heap, lp_extent *extent) noexcept nogil:
    users_clear(&extent.users)
    extent.next = heap.spare
    heap.spare = extent


cdef void heap_await(lp_heap *heap, lp_extent *extent) noexcept nogil:
    """Keep an extent until its users are over."""
    extent.state, extent.line, extent.tick = EXTENT_WAITING, NULL, lp_add(&lp_runtime.tick, 1)
    extent.older, extent.newer = heap.newest, NULL
    if heap.newest != NULL:
        heap.newest.newer = extent
    else:
        heap.oldest = extent
    heap.newest = extent
    heap.waiting_bytes += extent.size


cdef void heap_await_no_more(lp_heap *heap, lp_extent *extent) noexcept nogil:
    if extent.older != NULL:
        extent.older.newer = extent.newer
    else:
        heap.oldest = extent.newer
    if extent.newer != NULL:
        extent.newer.older = extent.older
    else:
        heap.newest = extent.older
    heap.waiting_bytes -= extent.size


cdef lp_extent *heap_join(lp_heap *heap, lp_extent *extent, lp_line *line) noexcept nogil:
    """Join an extent that is in no line with its neighbours in a line, which leave it; gives the joint one."""
    cdef lp_extent *other = extent.before
    if other != NULL and other.line == line and other.users.n + extent.users.n <= USERS_INSIDE:
        line_take(heap, other)
        other.size += extent.size
        other.after = extent.after
        if extent.after != NULL:
            extent.after.before = other
        users_join(&other.users, &extent.users)
        other.home = extent.home
        heap_drop_extent(heap, extent)
        extent = other
    other = extent.after
    if other != NULL and other.line == line and other.users.n + extent.users.n <= USERS_INSIDE:
        line_take(heap, other)
        extent.size += other.size
        extent.after = other.after
        if other.after != NULL:
            other.after.before = extent
        users_join(&extent.users, &other.users)
        heap_drop_extent(heap, other)
    return extent


cdef void heap_put(lp_heap *heap, lp_extent *extent) noexcept nogil:
    """Put an extent that is in no line where its users allow it to be used again. Caller holds the lock."""
    cdef lp_user *last
    cdef lp_line *line = &heap.free_line
    extent.exposed, extent.ordered, extent.state = False, 0, EXTENT_FREE
    if users_left(&extent.users):
        last = users_last(&extent.users, extent.home)
        line = heap_new_line(heap, last.identity) if last != NULL else NULL
        extent.state = EXTENT_ORDERED
    else:
        extent.home = 0
        heap.gains += 1
    if line != NULL:
        extent = heap_join(heap, extent, line)
        extent.state = EXTENT_FREE if line == &heap.free_line else EXTENT_ORDERED
        if line_put(line, extent, line.newest):
            if line == &heap.free_line:
                heap.free_bytes += extent.size
            else:
                heap.waiting_bytes += extent.size
            return
        line_end_if_empty(heap, line)
    heap_await(heap, extent)


cdef void heap_split(lp_heap *heap, lp_extent *extent, size_t size) noexcept nogil:
    """Leave the rest of an extent in its line, in the extent's place. Without host memory it is not split."""
    cdef lp_line *line = extent.line
    cdef lp_extent *rest
    cdef lp_extent *behind
    cdef bint kept
    if not heap.whole and may_split(extent, size) and extent.users.n <= USERS_INSIDE:
        rest = heap_new_extent(heap)
        if rest != NULL:
            rest.address, rest.size, rest.segment = extent.address + size, extent.size - size, extent.segment
            rest.state, rest.home = extent.state, extent.home
            users_join(&rest.users, &extent.users)
            rest.before, rest.after = extent, extent.after
            behind = extent.older
            line_take(heap, extent)
            extent.size = size
            if rest.after != NULL:
                rest.after.before = rest
            extent.after = rest
            kept = line_put(line, rest, behind)        # its bins exist: the extent was in them
            LP_ASSERT(kept)
            if rest.state == EXTENT_FREE:
                heap.free_bytes += rest.size
            else:
                heap.waiting_bytes += rest.size
            return
    line_take(heap, extent)
    line_end_if_empty(heap, line)


cdef lp_extent *heap_take(lp_heap *heap, uint32_t arena, size_t size, lp_queue *queue, bint named) noexcept nogil:
    """An extent that can be used at once, by all or in the order of a queue; NULL: there is none. Caller holds the
    lock.

    `size` is a rounded one. What the queue's own commands still use is preferred where both fit equally: it is in the
    caches, and what is free suits other queues as well. `named`: the caller chose the queue, see lent.pxi."""
    cdef lp_line *line = NULL
    cdef lp_extent *extent
    cdef uint32_t wanted = bin_of(size, arena), mine = BINS, all_ = bins_find(heap.free_line.bins[arena], wanted)
    if queue != NULL:
        line = heap_line(heap, queue.identity)
        if line != NULL:
            mine = bins_find(line.bins[arena], wanted)
    if heap.whole:
        mine, all_ = mine if mine == wanted else <uint32_t>BINS, all_ if all_ == wanted else <uint32_t>BINS
    if mine == BINS and all_ == BINS:
        return NULL
    if mine <= all_ and not memory_lend(queue, named):
        mine = BINS
        if all_ == BINS:
            return NULL
    if mine <= all_:
        extent = line.bins[arena].first[mine]
    else:
        extent = heap.free_line.bins[arena].first[all_]
    if extent.size < size:
        return NULL                # the last bin holds all that is larger than any device's memory
    heap.counts.reused += mine <= all_
    heap_split(heap, extent, size)
    heap_give_out(heap, extent, 0 if queue == NULL else queue.identity)
    return extent


cdef inline void heap_give_out(lp_heap *heap, lp_extent *extent, uint64_t home) noexcept nogil:
    extent.state, extent.home, extent.exposed = EXTENT_USED, home, False
    extent.private, extent.ended, extent.holds = False, False, 0
    extent.ordered = home if extent.users.n else 0
    extent.tick = lp_add(&lp_runtime.tick, 1)
    heap.in_use += extent.size
    heap.live += 1
    heap.counts.allocations += 1


cdef void heap_give_back(lp_heap *heap, lp_extent *extent, const lp_domain *domain) noexcept nogil:
    """Take an extent back that its owner does not use any more. No lock of the core's is held."""
    cdef lp_users users
    users.n, users.room, users.outside = 0, 0, NULL
    users_collect(&users, domain, extent.tick, extent.exposed)
    lp_lock_acquire(&heap.lock)
    LP_ASSERT(extent.state == EXTENT_USED)
    if unlikely(extent.holds):
        extent.ended = True        # whoever holds it gives it back, with all that uses it until then
    else:
        users_join(&extent.users, &users)
        LP_ASSERT(heap.live != 0)
        heap.in_use -= extent.size
        heap.live -= 1
        heap_put(heap, extent)
    users_clear(&users)
    lp_lock_release(&heap.lock)


cdef bint heap_hold(lp_heap *heap, const void *address, lp_extent **out) noexcept nogil:
    """Find the extent that an address is in, and keep it from being given back until `heap_let_go`. An extent that
    nobody has, or that is private, is found but not held. False: the address is none of this heap's."""
    cdef const char *at = <const char *>address
    cdef lp_segment *segment
    cdef lp_extent *extent = NULL
    lp_lock_acquire(&heap.lock)
    segment = heap.segments
    while segment != NULL and not (segment.address <= at < segment.address + segment.size):
        segment = segment.next
    if segment != NULL:
        extent = segment.first
        while extent != NULL and not (extent.address <= at < extent.address + extent.size):
            extent = extent.after
    if extent != NULL and extent.state == EXTENT_USED and not extent.ended and not extent.private:
        extent.holds += 1
    lp_lock_release(&heap.lock)
    out[0] = extent
    return extent != NULL


cdef void heap_let_go(lp_heap *heap, lp_extent *extent, const lp_domain *domain) noexcept nogil:
    """Hold an extent no more. No lock of the core's is held."""
    cdef bint over
    lp_lock_acquire(&heap.lock)
    extent.holds -= 1
    over = extent.holds == 0 and extent.ended
    if over:
        extent.ended = False
    lp_lock_release(&heap.lock)
    if over:
        heap_give_back(heap, extent, domain)


cdef void heap_sweep(lp_heap *heap, bint all_) noexcept nogil:
    """Free what only waited for work that is known to be over: all of it, or as much as an allocation can afford.

    Caller holds the lock."""
    cdef lp_extent *extent
    cdef lp_extent *newer
    cdef lp_extent *last = heap.newest
    cdef lp_line *line
    cdef lp_line *next_line
    cdef uint32_t i, looks = 0, before
    for i in range(HEAP_BUCKETS):
        line = heap.lines[i]
        while line != NULL:
            next_line = line.next
            while line.oldest != NULL and not users_left(&line.oldest.users):
                extent = line.oldest
                line_take(heap, extent)
                heap_put(heap, extent)
            line_end_if_empty(heap, line)
            line = next_line
    extent = heap.oldest
    while extent != NULL and last != NULL and (all_ or looks < HEAP_LOOKS):
        newer = extent.newer if extent != last else NULL
        before = extent.users.n
        if not users_left(&extent.users) or extent.users.n != before:
            heap_await_no_more(heap, extent)
            heap_put(heap, extent)
        else:
            looks += 1
        extent = newer


cdef bint heap_waits(lp_heap *heap) noexcept nogil:
    """Whether some memory waits for work. Caller holds the lock."""
    return heap.waiting_bytes != 0


cdef void heap_forget_unknown(lp_heap *heap, uint64_t tick) noexcept nogil:
    """The device was idle after a tick: so what could not be noted before is over (see USERS_UNKNOWN). Takes the
    lock."""
    cdef lp_extent *extent
    cdef lp_departed *departed
    lp_lock_acquire(&heap.lock)
    extent = heap.oldest
    while extent != NULL:
        if extent.users.n == USERS_UNKNOWN and extent.tick < tick:
            users_clear(&extent.users)
        extent = extent.newer
    departed = heap.departed
    while departed != NULL:
        if departed.users.n == USERS_UNKNOWN and departed.tick < tick:
            users_clear(&departed.users)
        departed = departed.next
    lp_lock_release(&heap.lock)


cdef void heap_delete(lp_heap *heap) noexcept nogil:
    """Free what the host keeps of it. The driver's memory has been given back, or goes with the process."""
    cdef lp_segment *segment
    cdef lp_extent *extent
    cdef lp_line *line
    cdef lp_departed *departed
    cdef uint32_t i, arena
    while heap.segments != NULL:
        segment = heap.segments
        heap.segments = segment.next
        while segment.first != NULL:
            extent = segment.first
            segment.first = extent.after
            users_clear(&extent.users)
            free(extent)
        free(segment)
    while heap.departed != NULL:
        departed = heap.departed
        heap.departed = departed.next
        users_clear(&departed.users)
        free(departed)
    while heap.spare != NULL:
        extent = heap.spare
        heap.spare = extent.next
        free(extent)
    for i in range(HEAP_BUCKETS):
        while heap.lines[i] != NULL:
            heap_end_line(heap, heap.lines[i])
    while heap.spare_lines != NULL:
        line = heap.spare_lines
        heap.spare_lines = line.next
        for arena in range(ARENAS):
            free(line.bins[arena])
        free(line)
    for arena in range(ARENAS):
        free(heap.free_line.bins[arena])
    lp_lock_destroy(&heap.lock)
