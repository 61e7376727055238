# Rings: pinned memory that is kept for copies between a device and other host memory, in pieces of one size.
#
# A piece belongs to one thread from `ring_take` to `ring_give`, and then to the device until its copy is complete; the
# ring has it in the order of their copies. A ring grows while its pieces are busy, or in a step cannot be looked at
# without a submission, up to a bound; then the oldest copy is waited for. That wait ends: a host that holds its own
# stream back is slowed, and not hung.

cdef enum:
    PIECE_SMALL = 64 << 10
    PIECE_LARGE = 4 << 20
    RING_BYTES = 32 << 20          # of each ring, before a thread waits
    RING_PATIENCE = 20000          # microseconds of that wait
    RING_LOOK = 20                 # microseconds between two looks

cdef struct lp_piece:
    lp_piece *next
    char *bytes
    PyObject *memory               # its Allocation, a reference
    lp_user user                   # the queue of its last copy
    lp_mark *mark                  # behind that copy, a reference, or NULL: `user` says how far the queue must be

cdef struct lp_ring:
    lp_lock lock                   # a leaf
    lp_piece *oldest
    lp_piece *newest
    size_t size                    # of a piece
    uint64_t n                     # pieces, those that threads have included
    uint64_t most


cdef void ring_init(lp_ring *ring, size_t size) noexcept nogil:
    lp_lock_init(&ring.lock)
    ring.size, ring.most = size, RING_BYTES // size


cdef bint look_submits(const lp_piece *piece) noexcept nogil:
    """Whether a look at a piece has commands of a step submitted: those of its queue, or the marker that the look makes."""
    cdef lp_recording *here = <lp_recording *>lp_here.step
    cdef lp_queue *queue
    cdef lp_step_event *own
    cdef void *event = NULL if piece.mark == NULL else <void *>lp_load(<uint64_t *>&piece.mark.event)
    cdef bint submits
    if here != NULL and here.each:
        return False
    if event != NULL:
        own = step_event(event)
        return own != NULL and not lp_load(&own.submitted)
    queue = queue_of_user(&piece.user)
    if queue == NULL:
        return False
    submits = lp_load(<uint64_t *>&queue.recording) != 0 or here != NULL and (piece.mark != NULL or not queue.native)
    lp_add(&queue.users, -1)
    queue_unref(queue)
    return submits


cdef bint piece_is_free(lp_piece *piece, bint submits) noexcept nogil:
    """Whether its copy is complete; the driver is asked, without `submits` only if that submits no command of a step. No lock is
    held."""
    cdef lp_queue *queue
    cdef bint done = False
    if is_complete(piece.user.slot, piece.user.number):
        return True
    if not submits and look_submits(piece):
        return False
    if piece.mark != NULL:
        mark_query(piece.mark, &done)          # what failed has ended, and the next synchronize tells of it
    else:
        queue = queue_of_user(&piece.user)
        if queue == NULL:
            return True
        if lp_lock_try(queue.lock):            # else a thread may be in the driver with it, for as long as it likes
            advance_checkpoints(queue)         # a queue that always has work is never found to be idle
            lp_lock_release(queue.lock)
            if not is_complete(piece.user.slot, piece.user.number):
                queue_query(queue, &done)
        lp_add(&queue.users, -1)
        queue_unref(queue)
    return is_complete(piece.user.slot, piece.user.number)


cdef lp_piece *ring_pop(lp_ring *ring) noexcept nogil:
    cdef lp_piece *piece
    lp_lock_acquire(&ring.lock)
    piece = ring.oldest
    if piece != NULL:
        ring.oldest = piece.next
        if ring.oldest == NULL:
            ring.newest = NULL
    lp_lock_release(&ring.lock)
    return piece


cdef void ring_push_first(lp_ring *ring, lp_piece *piece) noexcept nogil:
    lp_lock_acquire(&ring.lock)
    piece.next = ring.oldest
    ring.oldest = piece
    if ring.newest == NULL:
        ring.newest = piece
    lp_lock_release(&ring.lock)


cdef void ring_give(lp_ring *ring, lp_piece *piece, lp_queue *queue, lp_mark *mark) noexcept nogil:
    """Take a piece back, which the queue's last command may use. A mark behind that becomes the piece's."""
    mark_unref(piece.mark)
    piece.mark, piece.next = mark, NULL
    piece.user = queue_as_user(queue, lp_load(&queue.number) if mark == NULL else mark.number)
    lp_lock_acquire(&ring.lock)
    if ring.newest != NULL:
        ring.newest.next = piece
    else:
        ring.oldest = piece
    ring.newest = piece
    lp_lock_release(&ring.lock)


cdef lp_piece *ring_take(DeviceBase device, lp_ring *ring) except NULL:
    """A piece that no copy uses any more. The caller holds the GIL and no lock."""
    cdef lp_piece *piece = ring_pop(ring)
    cdef uint64_t until
    cdef bint is_free, is_full = lp_load(&ring.n) >= ring.most
    if piece == NULL:
        return ring_grow(device, ring)
    try:
        with nogil:
            is_free = piece_is_free(piece, is_full)
        if not is_free and not is_full:
            return ring_grow(device, ring)
        until = lp_nanoseconds() + 1000 * <uint64_t>RING_PATIENCE
        while not is_free:
            if lp_nanoseconds() > until:
                ring.most += RING_BYTES // ring.size
                return ring_grow(device, ring)
            PyErr_CheckSignals()
            with nogil:
                lp_sleep(RING_LOOK)
                is_free = piece_is_free(piece, True)
        taken, piece = piece, NULL
        return taken
    finally:
        if piece != NULL:
            ring_push_first(ring, piece)


cdef lp_piece *ring_grow(DeviceBase device, lp_ring *ring) except NULL:
    cdef lp_piece *piece = <lp_piece *>calloc(1, sizeof(lp_piece))
    cdef Allocation memory
    if piece == NULL:
        raise MemoryError
    try:
        memory = device.pool.take(ring.size, NULL, MEMORY_HOST, False)
    except BaseException:
        free(piece)
        raise
    piece.bytes, piece.memory = <char *>memory.address, <PyObject *>memory
    Py_INCREF(memory)
    device.pool.count_staging(memory, 1)
    lp_add(&ring.n, 1)
    return piece


cdef ring_trim(DeviceBase device, lp_ring *ring):
    """Give the pieces that no copy uses back to the pool."""
    cdef lp_piece *piece
    cdef lp_piece *busy = NULL
    cdef bint is_free
    while True:
        piece = ring_pop(ring)
        if piece == NULL:
            break
        with nogil:
            is_free = piece_is_free(piece, True)
        if not is_free:
            piece.next, busy = busy, piece
            continue
        lp_add(&ring.n, -1)
        memory = <Allocation><object>piece.memory
        device.pool.count_staging(memory, -1)
        Py_DECREF(memory)
        mark_unref(piece.mark)
        free(piece)
    while busy != NULL:
        piece, busy = busy, busy.next
        ring_push_first(ring, piece)
