# Segments: what a heap holds from the driver. The driver's calls are made without the heap's lock.


cdef lp_extent *heap_add_segment(lp_heap *heap, uint32_t arena, void *address, size_t held, size_t size,
                                 uint64_t home) noexcept nogil:
    """Take memory of the driver's, and give out its first bytes; NULL: there is no host memory to note it. Takes the
    lock."""
    cdef lp_segment *segment = <lp_segment *>calloc(1, sizeof(lp_segment))
    cdef lp_extent *extent
    cdef bint kept
    lp_lock_acquire(&heap.lock)
    extent = heap_new_extent(heap) if segment != NULL else NULL
    if extent != NULL:
        segment.address, segment.size, segment.arena, segment.first = <char *>address, held, arena, extent
        segment.next = heap.segments
        if segment.next != NULL:
            segment.next.previous = segment
        heap.segments = segment
        extent.address, extent.size, extent.segment, extent.state = segment.address, held, segment, EXTENT_FREE
        kept = held != size and line_put(&heap.free_line, extent, heap.free_line.newest)
        if kept:
            heap.free_bytes += held
            heap_split(heap, extent, size)
        heap_give_out(heap, extent, home)
        heap.counts.driver_allocations += 1
    lp_lock_release(&heap.lock)
    if extent == NULL:
        free(segment)
    return extent


cdef lp_segment *heap_take_segment(lp_heap *heap, uint32_t skipped) noexcept nogil:
    """A segment of which nothing is in use, taken out of the bins so that the caller can free it; or NULL. Takes the
    lock.

    `skipped` has a bit for each kind of memory that is left."""
    cdef lp_segment *segment
    cdef lp_extent *extent = NULL
    lp_lock_acquire(&heap.lock)
    segment = heap.segments
    while segment != NULL:
        extent = segment.first
        if extent.state == EXTENT_FREE and extent.line != NULL and extent.size == segment.size and not (
                skipped >> <uint32_t>arena_kind(segment.arena)) & 1:
            break
        segment = segment.next
    if segment != NULL:
        line_take(heap, extent)
        heap.free_bytes += extent.size         # still held from the driver
    lp_lock_release(&heap.lock)
    return segment


cdef void heap_return_segment(lp_heap *heap, lp_segment *segment) noexcept nogil:
    """The driver did not take it. Takes the lock."""
    lp_lock_acquire(&heap.lock)
    heap.free_bytes -= segment.size
    heap_put(heap, segment.first)
    heap.gains -= 1                # it was free before
    lp_lock_release(&heap.lock)


cdef void heap_drop_segment(lp_heap *heap, lp_segment *segment) noexcept nogil:
    """The driver has taken it back. Takes the lock."""
    lp_lock_acquire(&heap.lock)
    heap.free_bytes -= segment.size
    heap.gains += 1
    heap.counts.driver_frees += 1
    if segment.previous != NULL:
        segment.previous.next = segment.next
    else:
        heap.segments = segment.next
    if segment.next != NULL:
        segment.next.previous = segment.previous
    heap_drop_extent(heap, segment.first)
    lp_lock_release(&heap.lock)
    free(segment)
