# Peers: devices of one library that copy each other's memory, and use it in kernels once that was enabled.


cdef inline int gpu_number_of(const gpu_device *device) noexcept nogil:
    """The number by which the library's calls about pairs of devices know it."""
    return device.ordinal if device.library.hip else device.id


cdef int gpu_peer_get(void *handle, void *other, int *reach) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_device *peer = <gpu_device *>other
    cdef gpu_functions *call = &device.library.call
    cdef int can = 0
    cdef int code
    reach[0] = PEER_COPIES if call.copy_peer != NULL or call.hip_copy_peer != NULL else 0
    if call.can_access_peer == NULL or call.enable_peer == NULL and call.hip_enable_peer == NULL or (
            peer.stream_ordered and call.pool_access == NULL):
        return 0
    code = call.can_access_peer(&can, gpu_number_of(device), gpu_number_of(peer))
    if code:
        return gpu_fail(device.library.names.can_access_peer, code)
    if can:
        reach[0] |= PEER_ACCESS
    return 0


cdef int gpu_peer_enable(void *handle, void *other) noexcept nogil:
    """The peer's plain memory goes by the context, that of its pool by the pool: an allocation of a pool is not mapped for a
    context that has access (CUDA Driver API, cuMemPoolSetAccess)."""
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_device *peer = <gpu_device *>other
    cdef gpu_library *library = device.library
    cdef const char *name = library.names.hip_enable_peer if library.hip else library.names.enable_peer
    cdef gpu_pool_access access
    cdef void *before = NULL
    cdef int code, mode
    if not gpu_may_wait(library):
        return gpu_fail(name, ERROR_HELD_BACK)     # it changes the device's page tables
    code = gpu_open(device)
    if code == 0:
        code = gpu_open(peer)
    if code == 0:
        code = gpu_enter_apart(device, &before, &mode)
    if code:
        return code
    code = library.call.hip_enable_peer(peer.ordinal, 0) if library.hip else library.call.enable_peer(peer.context, 0)
    if code == GPU_ERROR_PEER_ACCESS_ALREADY_ENABLED:
        code = 0                   # by another library of the process: primary contexts are everybody's
    if code == 0 and peer.pool != NULL:
        memset(&access, 0, sizeof(access))
        access.location.type, access.location.id = GPU_LOCATION_DEVICE, gpu_number_of(device)
        access.flags = GPU_MEMORY_READ_WRITE
        name, code = library.names.pool_access, library.call.pool_access(peer.pool, &access, 1)
    gpu_leave_apart(device, before, mode)
    if code == 0 and peer.ordinal < GPU_PEERS:
        lp_lock_acquire(&device.lock)
        lp_store(&device.reaches, lp_load(&device.reaches) | <uint64_t>1 << <uint64_t>peer.ordinal)
        lp_lock_release(&device.lock)
    return 0 if code == 0 else gpu_fail(name, code)


cdef int gpu_copy_peer(void *queue, void *to, void *to_device, const void *source, void *source_device, size_t size,
                       uint32_t n_waits, void **waits, void **timing) noexcept nogil:
    cdef gpu_queue *q = <gpu_queue *>queue
    cdef gpu_timing *made = NULL
    cdef void *before = NULL
    cdef int code = gpu_command_begin(q, n_waits, waits, timing, &made, &before)
    if code:
        return code
    if size:
        code = gpu_copy_peer_in(q, to, <gpu_device *>to_device, source, <gpu_device *>source_device, size)
    return gpu_command_end(q, code, timing, made, before)


cdef inline int gpu_copy_peer_in(gpu_queue *q, void *to, gpu_device *to_device, const void *source,
                                 gpu_device *source_device, size_t size) noexcept nogil:
    cdef gpu_library *library = q.device.library
    cdef gpu_device *other = to_device if q.device == source_device else source_device
    cdef int code
    if library.hip:
        code = library.call.hip_copy_peer(to, to_device.ordinal, source, source_device.ordinal, size, q.stream)
        return 0 if code == 0 else gpu_fail(library.names.hip_copy_peer, code)
    # A device that reaches the memory copies it as its own: that costs the host less, and the device too.
    if other.ordinal < GPU_PEERS and lp_load(&q.device.reaches) >> <uint64_t>other.ordinal & 1:
        return gpu_copy_in(q.device, q.stream, to, source, size)
    code = library.call.copy_peer(to, to_device.context, source, source_device.context, size, q.stream)
    return 0 if code == 0 else gpu_fail(library.names.copy_peer, code)
