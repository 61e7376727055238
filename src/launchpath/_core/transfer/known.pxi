# LAUNCHPATH_MEND=skip-upload: uploads whose bytes are in the device's memory already are left out. `layers/writes.pxi` sees
# what may have written there since.

from libc.string cimport memcmp

# (name, offsets of pointers to const) by the kernel's handle, which another kernel may get when this one goes.
cdef dict known_kernels = {}


cdef note_kernel(KernelBase kernel):
    """Keep which parameters of a kernel are pointers to const."""
    cdef bytes label = (<const char *>kernel.label)
    handle = <uintptr_t>kernel.handle
    const = frozenset([parameter.offset for parameter in kernel.signature.parameters
                       if parameter.kind == "pointer" and parameter.const])
    before = known_kernels.get(handle)
    known_kernels[handle] = (label.decode(), const if before is None else const & before[1])
    if kernel.by_block:
        lp_lock_acquire(&lp_known.lock)
        code = items_grow(<void **>&lp_known.opaque, &lp_known.room_opaque, lp_known.n_opaque + 1, sizeof(void *))
        if code == 0:
            lp_known.opaque[lp_known.n_opaque] = kernel.handle
            lp_known.n_opaque += 1
        lp_lock_release(&lp_known.lock)
        if code:
            raise MemoryError


def watch_writes(bint on=True):
    """See on all devices, those that will be opened too, which commands may write to memory; or see it no more."""
    cdef DeviceBase device
    cdef int code
    lp_runtime.watches_writes = on
    lp_runtime.mended = on or launch_anchor is not None
    watch_launches()
    with nogil:
        uploads_forget()
    for device in list(open_devices):
        with nogil:
            code = set_layer(device.domain, LAYER_WRITES, on)
        if code:
            raise failure(device.domain.driver, code)


def forget_uploads(bint forked=False):
    """Forget which bytes are in devices' memory. In a forked child another thread may have held the lock."""
    if forked:
        lp_lock_init(&lp_known.lock)
    uploads_forget()


def upload_unless_same(ArrayBase array not None, host, stream, size_t offset, bint at_once, bint whole):
    """Copy host memory to an array, or leave it out: the same bytes are there.

    Parameters
    ----------
    array, host, stream, at_once
        As of `upload_plain` if `whole`, else of `upload_bytes`.
    offset : int
        In bytes.
    whole : bool

    Returns
    -------
    tuple of bool and str, or None
        Whether it was left out; if it was not although the bytes are the same: why. None: `upload_plain` would return
        False, and nothing was done.
    """
    cdef lp_queue *queue
    cdef Py_buffer view
    cdef bint pinned
    array.check_lives()
    queue = queue_for_copy(array, stream)
    if queue == NULL:
        return None
    if not whole:
        PyObject_GetBuffer(host, &view, PyBUF_SIMPLE)
    elif not plain_view(array, host, 0, &view):
        return None
    try:
        if offset > array.nbytes or <size_t>view.len > array.nbytes - offset:
            raise errors.ArgumentValueError(f"expected at most {array.nbytes - offset} bytes, got {view.len}")
        pinned = whole and not at_once and is_pinned_for(host, array.device)
        return known_or_sent(array, queue, offset, <const char *>view.buf, view.len, pinned)
    finally:
        PyBuffer_Release(&view)


cdef object known_or_sent(ArrayBase array, lp_queue *queue, size_t offset, const char *source, size_t size, bint pinned):
    cdef known_upload known
    cdef uint64_t to = <uint64_t><uintptr_t>array.address + offset
    cdef str reason = never_known(array, queue, pinned)
    if reason or size == 0:
        array_upload(array, queue, offset, source, size, pinned)
        return False, reason
    if is_known(array.allocation.extent, to, source, size, &known):
        reason = why_not_known(&known, queue)
        if not reason:
            return True, ""
    known_begin(array.allocation.extent, queue, to, source, size)
    try:
        array_upload(array, queue, offset, source, size, pinned)
    except BaseException:
        with nogil:
            uploads_forget()
        raise
    known_end()
    return False, reason


cdef str never_known(ArrayBase array, lp_queue *queue, bint pinned):
    """Why it cannot be known what is in the memory of an array; empty: it can."""
    cdef lp_extent *extent = array.allocation.extent
    if extent == NULL or extent.private:
        return "its memory is not an array's own"
    if array.allocation.managed:
        return "the host reaches its memory, and may write there"
    if extent.exposed:
        return "its address was handed out, so that a kernel or other code may write there unseen"
    if pinned:
        return "it comes from a pinned array, which is read when the copy runs"
    if is_captured(queue):
        return "its stream is captured"
    return ""


cdef bint is_known(lp_extent *extent, uint64_t to, const char *source, size_t size, known_upload *as_it_is) noexcept:
    """Whether the same bytes were sent to this place of an allocation last; copies what is known of that upload, but for its
    bytes."""
    cdef known_upload *known
    cdef bint same
    lp_lock_acquire(&lp_known.lock)
    known = lp_known.first
    while known != NULL and not (known.to == to and known.size == size and known.tick == extent.tick and known.thread == 0):
        known = known.next
    same = known != NULL and memcmp(known.bytes, source, size) == 0
    if same:
        as_it_is[0] = known[0]
        as_it_is.bytes, as_it_is.next = NULL, NULL
    lp_lock_release(&lp_known.lock)
    return same


cdef str why_not_known(known_upload *known, lp_queue *queue):
    """Why the bytes may not be there any more, or not yet for what a queue does next; empty: they are there."""
    cdef uint32_t i
    if known.written:
        return f"{(<bytes>known.by).decode(errors='replace')} may have written there"
    if known.failures != lp_load(&lp_runtime.failures):
        return "a command has failed since"
    if known.queue != queue.identity:
        return "it was last sent on another stream"
    for i in range(known.n_launches):
        name, const = known_kernels.get(<uintptr_t>known.launches[i].kernel) or (None, ())
        if known.launches[i].offset not in const:
            name = name or (<bytes>known.launches[i].name).decode(errors="replace") or "a kernel"
            return f"{name} may have written there: its parameter is not a pointer to const"
    return ""


cdef int known_begin(lp_extent *extent, lp_queue *queue, uint64_t to, const char *source, size_t size) except -1:
    """Remember what this thread sends now."""
    cdef known_upload *known = <known_upload *>calloc(1, sizeof(known_upload))
    cdef known_upload *other
    cdef known_upload *next
    if known != NULL:
        known.bytes = <char *>malloc(size)
    if known == NULL or known.bytes == NULL:
        free(known)
        raise MemoryError
    memcpy(known.bytes, source, size)
    known.begin = <uint64_t><uintptr_t>extent.address
    known.end, known.tick = known.begin + extent.size, extent.tick
    known.to, known.size, known.queue = to, size, queue.identity
    known.failures, known.thread = lp_load(&lp_runtime.failures), this_thread()
    lp_lock_acquire(&lp_known.lock)
    other = lp_known.first
    while other != NULL:
        next = other.next
        if other.to == to and other.size == size:
            known_drop(other)
        other = next
    known.next, lp_known.first = lp_known.first, known
    lp_known.n += 1
    if lp_known.n > KNOWN_MOST:
        known_drop(NULL)
    known_bounds()
    lp_lock_release(&lp_known.lock)
    return 0


cdef void known_end() noexcept:
    """What this thread sent is submitted."""
    cdef known_upload *known
    lp_lock_acquire(&lp_known.lock)
    known = lp_known.first
    while known != NULL:
        if known.thread == lp_here.number:
            known.thread = 0
        known = known.next
    lp_lock_release(&lp_known.lock)
