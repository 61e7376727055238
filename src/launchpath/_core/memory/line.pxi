# Lines: what can be used again at once, by all or in the order of one queue. The heap's lock protects them.


cdef lp_line *heap_line(lp_heap *heap, uint64_t identity) noexcept nogil:
    cdef lp_line *line = heap.lines[identity % HEAP_BUCKETS]
    while line != NULL and line.identity != identity:
        line = line.next
    return line


cdef lp_line *heap_new_line(lp_heap *heap, uint64_t identity) noexcept nogil:
    """The line of a queue, or NULL if there is no host memory for it."""
    cdef lp_line *line = heap_line(heap, identity)
    if line != NULL:
        return line
    line = heap.spare_lines
    if line != NULL:
        heap.spare_lines = line.next
    else:
        line = <lp_line *>calloc(1, sizeof(lp_line))
        if line == NULL:
            return NULL
    line.identity = identity
    line.next = heap.lines[identity % HEAP_BUCKETS]
    heap.lines[identity % HEAP_BUCKETS] = line
    return line


cdef void heap_end_line(lp_heap *heap, lp_line *line) noexcept nogil:
    """Keep an empty line of a queue for the next queue."""
    cdef lp_line **place = &heap.lines[line.identity % HEAP_BUCKETS]
    while place[0] != line:
        place = &place[0].next
    place[0] = line.next
    line.next = heap.spare_lines
    heap.spare_lines = line


cdef bint line_put(lp_line *line, lp_extent *extent, lp_extent *behind) noexcept nogil:
    """Put an extent into a line behind another one of it (NULL: as the first), and into its bin; False: no host
    memory."""
    cdef uint32_t arena = extent.segment.arena
    if line.bins[arena] == NULL:
        line.bins[arena] = <lp_bins *>calloc(1, sizeof(lp_bins))
        if line.bins[arena] == NULL:
            return False
    extent.line = line
    bins_put(line.bins[arena], extent)
    extent.older, extent.newer = behind, line.oldest if behind == NULL else behind.newer
    if extent.older != NULL:
        extent.older.newer = extent
    else:
        line.oldest = extent
    if extent.newer != NULL:
        extent.newer.older = extent
    else:
        line.newest = extent
    return True


cdef void line_take(lp_heap *heap, lp_extent *extent) noexcept nogil:
    cdef lp_line *line = extent.line
    bins_take(line.bins[extent.segment.arena], extent)
    if extent.older != NULL:
        extent.older.newer = extent.newer
    else:
        line.oldest = extent.newer
    if extent.newer != NULL:
        extent.newer.older = extent.older
    else:
        line.newest = extent.older
    extent.line = NULL
    if extent.state == EXTENT_FREE:
        heap.free_bytes -= extent.size
    else:
        heap.waiting_bytes -= extent.size


cdef inline void line_end_if_empty(lp_heap *heap, lp_line *line) noexcept nogil:
    if line.oldest == NULL and line != &heap.free_line:
        heap_end_line(heap, line)
