# Copiers: threads that help a caller to copy host memory. One thread does not use all of a machine's memory bandwidth,
# and pays alone for pages that are touched for the first time.
#
# They touch nothing of Python's. They start at the first large copy, and sleep between copies.

cdef extern from "transfer/streaming.h" nogil:
    void lp_copy_streaming(char *to, const char *source, size_t size)

cdef enum:
    COPIERS = 7                    # threads at most
    SHARES = 16                    # parts of a copy, which threads take one after the other, but
    SHARE_UNIT = 4 << 10           # parts are a multiple of so many,
    SHARE_LEAST = 64 << 10         # at least and
    SHARE_MOST = 256 << 10         # at most of so many bytes
    COPIED_ALONE = 1 << 20         # bytes; below it the help comes too late
    COPIER_PATIENCE = 100000       # nanoseconds that a copier looks for the next copy before it sleeps

cdef struct lp_host_copy:
    lp_host_copy *next
    char *to
    const char *source
    size_t size
    size_t share                   # bytes that a thread takes at a time
    bint streaming                 # a device reads it next: see streaming.h
    uint64_t taken                 # bytes that threads have taken on
    uint64_t helpers               # copiers at it; more only under copiers_lock, while it is listed


cdef void copy_shares(lp_host_copy *copy) noexcept nogil:
    """Copy parts until all are taken."""
    cdef uint64_t begin = lp_add(&copy.taken, copy.share) - copy.share
    cdef size_t part
    while begin < copy.size:
        part = min(copy.share, copy.size - begin)
        if copy.streaming:
            lp_copy_streaming(copy.to + begin, copy.source + begin, part)
        else:
            memcpy(copy.to + begin, copy.source + begin, part)
        begin = lp_add(&copy.taken, copy.share) - copy.share


cdef lp_host_copy *next_host_copy() noexcept nogil:
    """A copy that still has parts to take, with this thread as a helper; or NULL. Caller holds the lock."""
    cdef lp_host_copy *copy = lp_runtime.host_copies
    while copy != NULL and lp_load(&copy.taken) >= copy.size:
        copy = copy.next
    if copy != NULL:
        lp_add(&copy.helpers, 1)
    return copy


cdef void copier_life(void *nothing) noexcept nogil:
    """A copier's life."""
    cdef lp_host_copy *copy
    cdef uint64_t until, begun = 0
    while True:
        until = lp_nanoseconds() + COPIER_PATIENCE
        while lp_load(&lp_runtime.host_copies_begun) == begun and lp_nanoseconds() < until:
            lp_pause()
        lp_lock_acquire(&lp_runtime.copiers_lock)
        while lp_runtime.host_copies_begun == begun:
            lp_condition_wait(&lp_runtime.copies_wanted, &lp_runtime.copiers_lock)
        begun = lp_runtime.host_copies_begun
        copy = next_host_copy()
        lp_lock_release(&lp_runtime.copiers_lock)
        while copy != NULL:
            copy_shares(copy)
            lp_add(&copy.helpers, -1)          # the last touch: the caller may be gone after it
            copy = NULL
            if lp_load(&lp_runtime.n_host_copies) > 1:
                # Another thread's. The lock is not taken for nothing: the caller needs it now.
                lp_lock_acquire(&lp_runtime.copiers_lock)
                copy = next_host_copy()
                lp_lock_release(&lp_runtime.copiers_lock)


cdef void copy_host(char *to, const char *source, size_t size, bint streaming) noexcept nogil:
    """`memcpy`, by several threads if that is worth it; then, if it is `streaming`, past the caches.

    `to` of a streaming copy is a multiple of 16."""
    cdef lp_host_copy copy
    cdef lp_host_copy **place
    cdef bint started
    LP_ASSERT((<uintptr_t>to & 15) * streaming == 0)
    if size < COPIED_ALONE or lp_runtime.most_copiers == 0:
        memcpy(to, source, size)
        return
    copy.to, copy.source, copy.size, copy.streaming = to, source, size, streaming
    copy.share = max(<size_t>SHARE_LEAST, min(<size_t>SHARE_MOST, size // SHARES // SHARE_UNIT * SHARE_UNIT))
    copy.taken, copy.helpers = 0, 0
    lp_lock_acquire(&lp_runtime.copiers_lock)
    while lp_runtime.n_copiers < lp_runtime.most_copiers:
        started = lp_thread(copier_life, NULL)
        if not started:
            break
        lp_runtime.n_copiers += 1
    copy.next = lp_runtime.host_copies
    lp_runtime.host_copies = &copy
    lp_add(&lp_runtime.n_host_copies, 1)
    lp_add(&lp_runtime.host_copies_begun, 1)
    lp_condition_broadcast(&lp_runtime.copies_wanted)
    lp_lock_release(&lp_runtime.copiers_lock)
    copy_shares(&copy)
    lp_lock_acquire(&lp_runtime.copiers_lock)
    place = &lp_runtime.host_copies
    while place[0] != &copy:
        place = &place[0].next
    place[0] = copy.next
    lp_add(&lp_runtime.n_host_copies, -1)
    lp_lock_release(&lp_runtime.copiers_lock)
    while lp_load(&copy.helpers):
        lp_pause()


cdef void forget_copiers() noexcept nogil:
    """In a forked child, which has none of its parent's threads."""
    lp_lock_init(&lp_runtime.copiers_lock)
    lp_condition_init(&lp_runtime.copies_wanted)
    lp_runtime.n_copiers, lp_runtime.host_copies, lp_runtime.n_host_copies = 0, NULL, 0


def set_copiers(int most):
    """Let so many threads help with large copies of host memory; threads that have started stay. Gives what it was
    before."""
    cdef int before = lp_runtime.most_copiers
    lp_runtime.most_copiers = max(0, min(most, <int>COPIERS))
    return before
