# Programs that were dropped: they are unloaded once nothing uses them, as memory becomes free.


cdef void heap_depart(lp_heap *heap, void *program, const lp_domain *domain) noexcept nogil:
    """Keep a program until nothing uses it; without host memory to note it, for ever."""
    cdef lp_departed *departed = <lp_departed *>calloc(1, sizeof(lp_departed))
    if departed == NULL:
        return
    departed.program, departed.tick = program, lp_add(&lp_runtime.tick, 1)
    users_collect(&departed.users, domain, 0, True)
    heap_departed_again(heap, departed)


cdef void heap_departed_again(lp_heap *heap, lp_departed *departed) noexcept nogil:
    lp_lock_acquire(&heap.lock)
    departed.next, heap.departed = heap.departed, departed
    heap.n_departed += 1
    lp_lock_release(&heap.lock)


cdef lp_departed *heap_next_departed(lp_heap *heap) noexcept nogil:
    """A program that nothing uses any more, which the caller unloads; or NULL. Takes the lock."""
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
