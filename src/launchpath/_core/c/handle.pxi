# Handles: the numbers by which C code names kernels, streams and events.
#
# A handle has a kind, the index of a place, and how often that place had been taken before. The memory of places is never
# freed, so whether a handle still names something can be asked at any time.

cdef enum handle_kind:
    HANDLE_KERNEL = 1
    HANDLE_STREAM = 2
    HANDLE_EVENT = 3

cdef enum:
    HANDLE_CHUNK = 256         # places that are allocated together
    HANDLE_CHUNKS = 4096

cdef struct handle_place:
    uint64_t handle            # that names it now, or 0
    void *thing                # c_kernel, lp_queue or lp_event
    uint32_t index
    uint32_t taken             # so many times
    handle_place *next         # of those that are free

cdef struct handle_state:
    lp_lock lock               # a leaf
    uint64_t n                 # places, ever
    handle_place *free
    handle_place *chunks[HANDLE_CHUNKS]

cdef handle_state lp_handles
lp_lock_init(&lp_handles.lock)


cdef uint64_t handle_take(handle_kind kind, void *thing) noexcept nogil:
    """A new handle; 0: out of memory."""
    cdef handle_place *place
    cdef uint64_t n, handle = 0
    lp_lock_acquire(&lp_handles.lock)
    place = lp_handles.free
    if place != NULL:
        lp_handles.free = place.next
    elif lp_handles.n < HANDLE_CHUNK * HANDLE_CHUNKS:
        n = lp_handles.n
        if lp_handles.chunks[n // HANDLE_CHUNK] == NULL:
            lp_handles.chunks[n // HANDLE_CHUNK] = <handle_place *>calloc(HANDLE_CHUNK, sizeof(handle_place))
        if lp_handles.chunks[n // HANDLE_CHUNK] != NULL:
            place = &lp_handles.chunks[n // HANDLE_CHUNK][n % HANDLE_CHUNK]
            place.index = <uint32_t>n
            lp_store(&lp_handles.n, n + 1)
    if place != NULL:
        place.taken += 1
        place.thing = thing
        handle = <uint64_t>kind << 60 | <uint64_t>place.index << 32 | place.taken
        lp_store(&place.handle, handle)
    lp_lock_release(&lp_handles.lock)
    return handle


cdef inline handle_place *handle_find(uint64_t handle, handle_kind kind) noexcept nogil:
    """The place that a handle names; NULL: it names nothing of this kind."""
    cdef uint64_t index = handle >> 32 & 0xfffffff
    cdef handle_place *place
    if unlikely(handle >> 60 != kind or index >= lp_load(&lp_handles.n)):
        return NULL
    place = &lp_handles.chunks[index // HANDLE_CHUNK][index % HANDLE_CHUNK]
    return place if likely(lp_load(&place.handle) == handle) else NULL


cdef void *handle_drop(uint64_t handle, handle_kind kind) noexcept nogil:
    """Let a handle name nothing from now on; what it named, or NULL."""
    cdef handle_place *place = handle_find(handle, kind)
    cdef void *thing = NULL
    if place == NULL:
        return NULL
    lp_lock_acquire(&lp_handles.lock)
    if lp_load(&place.handle) == handle:       # another thread may have been first
        lp_store(&place.handle, 0)
        thing = place.thing
    lp_lock_release(&lp_handles.lock)
    return thing


cdef void handle_give_back(uint64_t handle) noexcept nogil:
    """The place of a dropped handle can be taken again."""
    cdef uint64_t index = handle >> 32 & 0xfffffff
    cdef handle_place *place = &lp_handles.chunks[index // HANDLE_CHUNK][index % HANDLE_CHUNK]
    lp_lock_acquire(&lp_handles.lock)
    place.next, lp_handles.free = lp_handles.free, place
    lp_lock_release(&lp_handles.lock)
