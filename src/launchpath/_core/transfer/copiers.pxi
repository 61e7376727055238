# Copiers: threads that help a caller to copy host memory. One thread does not use all of a machine's memory bandwidth,
# and pays alone for pages that are touched for the first time.
#
# They touch nothing of Python's. They start at the first large copy, and sleep between copies.

cdef enum:
    COPIERS = 7                    # threads at most
    COPIED_AT_ONCE = 256 << 10     # bytes that a thread takes at a time
    COPIED_ALONE = 1 << 20         # below it the help comes too late
    COPIER_PATIENCE = 100000       # nanoseconds that a copier looks for the next copy before it sleeps

cdef struct lp_host_copy:
    lp_host_copy *next
    char *to
    const char *source
    size_t size
    uint64_t taken                 # bytes that threads have taken on
    uint64_t helpers               # copiers at it (copiers_lock)


cdef void copy_shares(lp_host_copy *copy) noexcept nogil:
    """Copy parts until all are taken."""
    cdef uint64_t begin = lp_add(&copy.taken, COPIED_AT_ONCE) - COPIED_AT_ONCE
    while begin < copy.size:
        memcpy(copy.to + begin, copy.source + begin, min(<size_t>COPIED_AT_ONCE, copy.size - begin))
        begin = lp_add(&copy.taken, COPIED_AT_ONCE) - COPIED_AT_ONCE


cdef lp_host_copy *next_host_copy() noexcept nogil:
    """A copy that still has parts to take, with this thread as a helper; or NULL. Caller holds the lock."""
    cdef lp_host_copy *copy = lp_runtime.host_copies
    while copy != NULL and lp_load(&copy.taken) >= copy.size:
        copy = copy.next
    if copy != NULL:
        copy.helpers += 1
    return copy


cdef void copier(void *nothing) noexcept nogil:
    """A copier's life."""
    cdef lp_host_copy *copy
    cdef uint64_t until
    lp_lock_acquire(&lp_runtime.copiers_lock)
    while True:
        copy = next_host_copy()
        if copy == NULL:
            lp_lock_release(&lp_runtime.copiers_lock)
            until = lp_nanoseconds() + COPIER_PATIENCE
            while lp_load(<uint64_t *>&lp_runtime.host_copies) == 0 and lp_nanoseconds() < until:
                lp_pause()
            lp_lock_acquire(&lp_runtime.copiers_lock)
            copy = next_host_copy()
        if copy == NULL:
            lp_condition_wait(&lp_runtime.copies_wanted, &lp_runtime.copiers_lock)
            continue
        lp_lock_release(&lp_runtime.copiers_lock)
        copy_shares(copy)
        lp_lock_acquire(&lp_runtime.copiers_lock)
        lp_store(&copy.helpers, copy.helpers - 1)      # the last touch: the caller may be gone after it


cdef void copy_host(char *to, const char *source, size_t size) noexcept nogil:
    """`memcpy`, by several threads if that is worth it."""
    cdef lp_host_copy copy
    cdef lp_host_copy **place
    cdef bint started
    if size < COPIED_ALONE or lp_runtime.most_copiers == 0:
        memcpy(to, source, size)
        return
    copy.to, copy.source, copy.size, copy.taken, copy.helpers = to, source, size, 0, 0
    lp_lock_acquire(&lp_runtime.copiers_lock)
    while lp_runtime.n_copiers < lp_runtime.most_copiers:
        started = lp_thread(copier, NULL)
        if not started:
            break
        lp_runtime.n_copiers += 1
    copy.next = lp_runtime.host_copies
    lp_store(<uint64_t *>&lp_runtime.host_copies, <uint64_t>&copy)
    lp_condition_broadcast(&lp_runtime.copies_wanted)
    lp_lock_release(&lp_runtime.copiers_lock)
    copy_shares(&copy)
    lp_lock_acquire(&lp_runtime.copiers_lock)
    place = &lp_runtime.host_copies
    while place[0] != &copy:
        place = &place[0].next
    lp_store(<uint64_t *>place, <uint64_t>copy.next)
    lp_lock_release(&lp_runtime.copiers_lock)
    while lp_load(&copy.helpers):
        lp_pause()


cdef void forget_copiers() noexcept nogil:
    """In a forked child, which has none of its parent's threads."""
    lp_lock_init(&lp_runtime.copiers_lock)
    lp_condition_init(&lp_runtime.copies_wanted)
    lp_runtime.n_copiers, lp_runtime.host_copies = 0, NULL


def set_copiers(int most):
    """Let so many threads help with large copies of host memory; threads that have started stay. Gives what it was
    before."""
    cdef int before = lp_runtime.most_copiers
    lp_runtime.most_copiers = max(0, min(most, <int>COPIERS))
    return before
