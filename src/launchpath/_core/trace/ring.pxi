# Rings: a thread's slots on their way to the file. Only the thread writes to its ring, without a lock; the drainer copies
# from it. A ring is a part of the file, so what a killed process had written there is in the file too.

cdef enum:
    RECORDS_MOST = 16384              # slots
    RECORDS_LEAST = 64
    RECORDS_BYTES = TRACE_PAGE + 64 * RECORDS_MOST
    RECORDS_FULL_WAIT = 50            # microseconds between two looks for room

cdef struct lp_records:
    uint64_t generation            # of the trace that it is attached to
    uint64_t head                  # slots written
    uint64_t limit                 # up to which there is room for certain
    uint64_t mask
    lp_slot_bytes *slots
    uint64_t *head_there           # the same for the drainer and the file's readers
    uint64_t *tail_there
    lp_slot_bytes *frame           # the command that is being made, in the file too
    # The call of launchpath that the thread is in.
    uint32_t api                   # 0: none
    bint polls                     # it asks the driver again and again: answers in vain have no record
    bint pending                   # its launch is in `frame`, and ends with the call
    bint launched                  # it had one
    uint64_t call                  # its correlation id
    uint64_t begin
    uint64_t waited
    uint64_t calls                 # correlation ids given
    uint32_t number
    uint32_t thread
    uint32_t ranges                # that the thread is in
    void *opened                   # the open_range of NVTX that it is in
    uint32_t n_opened
    uint64_t opened_generation
    uint64_t refused               # generation of a trace that had no room in its file
    uint64_t drained               # copied to the file (drain_lock)
    lp_timed *profiled             # of the command that its thread submits, or NULL: see trace/profiled.pxi
    uint64_t thread_ended          # and its records are still to be copied
    char *region
    lp_records *next


cdef inline lp_records *records_here() noexcept nogil:
    """The thread's ring; NULL: there is no trace, or it has no room for a ring."""
    cdef lp_records *ring = <lp_records *>lp_here.records
    if likely(ring != NULL and ring.generation == lp_trace.generation):
        return ring
    return records_attach()


cdef lp_records *records_attach() noexcept nogil:
    cdef lp_records *ring = <lp_records *>lp_here.records
    cdef uint64_t generation
    lp_lock_acquire(&lp_trace.lock)
    generation = lp_trace.generation
    if generation == 0 or lp_trace.failed or ring != NULL and ring.refused == generation:
        if generation:
            lp_add(&lp_trace.header.counters.dropped, 1)
        lp_lock_release(&lp_trace.lock)
        return NULL
    if ring == NULL:
        ring = records_find()
    if ring != NULL:
        lp_here.records = ring
        lp_thread_end_with(&records_end, ring)
        if ring.generation != generation and records_map(ring, generation):
            ring.refused = generation
            lp_add(&lp_trace.header.counters.dropped, 1)
            ring = NULL
    lp_lock_release(&lp_trace.lock)
    return ring


cdef lp_records *records_find() noexcept nogil:
    """A ring for this thread: of a thread that has ended, or a new one. The caller holds the lock."""
    cdef lp_records *ring = <lp_records *>lp_trace.rings
    while ring != NULL and ring.thread_ended == 0:
        ring = ring.next
    if ring != NULL:
        if ring.generation == lp_trace.generation:
            records_drain(ring, 1)    # with the number of the thread that wrote it
        ring.thread_ended, ring.api, ring.pending, ring.ranges, ring.n_opened = 0, 0, False, 0, 0
        ring.frame[0].kind = 0
    else:
        ring = <lp_records *>calloc(1, sizeof(lp_records))
        if ring == NULL:
            return NULL
        ring.region = <char *>lp_region(RECORDS_BYTES)
        if ring.region == NULL:
            free(ring)
            return NULL
        ring.slots = <lp_slot_bytes *>(ring.region + TRACE_PAGE)
        ring.head_there, ring.tail_there = <uint64_t *>(ring.region + 64), <uint64_t *>(ring.region + 128)
        ring.frame = <lp_slot_bytes *>(ring.region + 192)
        ring.next = <lp_records *>lp_trace.rings
        lp_store(&lp_trace.rings, <uint64_t>ring)
    ring.thread = lp_system_thread()
    (<store_block *>ring.region).thread = ring.thread
    return ring


cdef int records_map(lp_records *ring, uint64_t generation) noexcept nogil:
    """Make a ring a part of the present trace's file. The caller holds the lock."""
    cdef store_block *block = <store_block *>ring.region
    cdef size_t size = TRACE_PAGE + 64 * <size_t>lp_trace.capacity
    cdef int code = lp_region_map(ring.region, size, lp_trace.file, lp_add(&lp_trace.end, <int64_t>size) - size)
    if code:
        store_fails(code)
        return code
    ring.head = ring.limit = ring.drained = 0
    ring.mask = lp_trace.capacity - 1
    ring.number = lp_trace.n_rings
    ring.api, ring.pending, ring.calls, ring.ranges = 0, False, 0, 0
    lp_trace.n_rings += 1
    block.kind, block.version, block.size, block.ring = STORE_RING, TRACE_VERSION, size, ring.number
    block.thread, block.capacity = ring.thread, lp_trace.capacity
    block.magic = TRACE_MAGIC
    lp_store(&ring.generation, generation)
    return 0


cdef void records_leave(void *ring) noexcept nogil:
    """A thread ends. Another one may have its ring."""
    lp_here.records = NULL
    lp_store(&(<lp_records *>ring).thread_ended, 1)


cdef inline bint records_has_room(lp_records *ring, uint32_t n) noexcept nogil:
    return likely(ring.head + n <= ring.limit) or records_makes_room(ring, n)


cdef bint records_makes_room(lp_records *ring, uint32_t n) noexcept nogil:
    """Wait for room, or drop the slots and count them; False: they are dropped. The drainer needs no lock that the caller
    may hold, and no GIL."""
    cdef uint64_t used, began = 0
    # A trace that has ended drains nothing any more: what a call under way still writes goes nowhere.
    while ring.generation and ring.generation == lp_load(&lp_trace.generation):
        used = ring.head + n - lp_load(ring.tail_there)
        if used <= lp_trace.capacity - lp_trace.capacity // 4:
            ring.limit = ring.head + n + (lp_trace.capacity - lp_trace.capacity // 4 - used)
            break
        lp_condition_signal(&lp_trace.drainer_wanted)
        if used <= lp_trace.capacity:
            ring.limit = ring.head + n + (lp_trace.capacity - used) // 2
            break
        if lp_trace.drop or lp_load(&lp_trace.failed):
            lp_add(&lp_trace.header.counters.dropped, n)
            return False
        if began == 0:
            began = lp_ticks()
            lp_add(&lp_trace.header.counters.waits, 1)
        lp_sleep(RECORDS_FULL_WAIT)
    if began:
        ring.waited += lp_ticks() - began
    return True


cdef inline lp_slot_bytes *records_slot(lp_records *ring, uint32_t ahead) noexcept nogil:
    return &ring.slots[(ring.head + ahead) & ring.mask]


cdef inline void records_publish(lp_records *ring, uint32_t n) noexcept nogil:
    ring.head += n
    lp_store(ring.head_there, ring.head)
    lp_expect(records_slot(ring, 0), 128)      # the drainer has read them


cdef inline uint64_t records_correlation(lp_records *ring) noexcept nogil:
    ring.calls += 1
    return (<uint64_t>ring.number + 1) << 40 | ring.calls


cdef uint64_t records_drain(lp_records *ring, uint64_t least) noexcept nogil:
    """Copy a ring's slots to the file, if there are so many; how many were copied."""
    cdef store_block block
    cdef uint64_t head, n, place, straight
    lp_lock_acquire(&lp_trace.drain_lock)
    head = lp_load(ring.head_there)
    n = head - ring.drained
    if n < least or ring.generation != lp_trace.generation or lp_trace.failed:
        lp_lock_release(&lp_trace.drain_lock)
        return 0
    memset(&block, 0, sizeof(block))
    block.kind, block.ring, block.thread, block.first, block.count = STORE_SLOTS, ring.number, ring.thread, ring.drained, n
    place = ring.drained & ring.mask
    straight = min(n, ring.mask + 1 - place)
    if store_append(&block, &ring.slots[place], 64 * straight, &ring.slots[0], 64 * (n - straight)) == 0:
        ring.drained = head
        lp_store(ring.tail_there, head)
        lp_add(&lp_trace.header.counters.slots, <int64_t>n)
    lp_lock_release(&lp_trace.drain_lock)
    return n


lp_thread_end_by(&records_end, records_leave)
