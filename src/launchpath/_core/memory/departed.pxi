# Programs and textures that were dropped: they are released once nothing uses them, as memory becomes free.


cdef void heap_depart(lp_heap *heap, void *program, void *texture, const lp_domain *domain) noexcept nogil:
    """Keep a program or a texture until nothing uses it; without host memory to note it, for ever."""
    cdef lp_departed *departed = <lp_departed *>calloc(1, sizeof(lp_departed))
    if departed == NULL:
        return
    departed.program, departed.texture, departed.tick = program, texture, lp_add(&lp_runtime.tick, 1)
    users_collect(&departed.users, domain, 0, True)
    heap_departed_again(heap, departed)


cdef int release_departed(lp_domain *domain, const lp_departed *departed) noexcept nogil:
    if departed.texture != NULL:
        return domain.table.texture_release(domain.device, departed.texture)
    return domain.table.program_release(domain.device, departed.program)


cdef void heap_departed_again(lp_heap *heap, lp_departed *departed) noexcept nogil:
    lp_lock_acquire(&heap.lock)
    departed.next, heap.departed = heap.departed, departed
    heap.n_departed += 1
    lp_lock_release(&heap.lock)


cdef lp_departed *heap_next_departed(lp_heap *heap) noexcept nogil:
    """What nothing uses any more, which the caller releases; or NULL. Takes the lock."""
    cdef lp_departed **place
    cdef lp_departed *departed
    lp_lock_acquire(&heap.lock)
    place = &heap.departed
    while place[0] != NULL and users_left(&place[0].users):
        place = &place[0].next
    departed = place[0]
    if departed != NULL:
        place[0] = departed.next
        heap.n_departed -= 1
    lp_lock_release(&heap.lock)
    return departed
