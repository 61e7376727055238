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
    if reach[0] and call.copy_peer_rows != NULL:
        reach[0] |= PEER_ROWS
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
    cdef gpu_context context
    cdef int code
    if not gpu_may_wait(library):
        return gpu_fail(name, ERROR_HELD_BACK)     # it changes the device's page tables
    code = gpu_open(device)
    if code == 0:
        code = gpu_open(peer)
    if code == 0:
        code = gpu_begin_apart(device, &context)
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
    gpu_end(&context)
    if code == 0 and peer.ordinal < GPU_PEERS:
        lp_lock_acquire(&device.lock)
        lp_store(&device.reaches, lp_load(&device.reaches) | <uint64_t>1 << <uint64_t>peer.ordinal)
        lp_lock_release(&device.lock)
    return 0 if code == 0 else gpu_fail(name, code)


cdef int gpu_submit_peer(gpu_queue *q, const peer_command *copy) noexcept nogil:
    cdef size_t row
    cdef int code = 0
    if copy.to_texture != NULL:
        return gpu_copy_texture(q, copy)
    if copy.width == 0:
        return 0
    if copy.captured:
        return gpu_copy_peer_captured(q, copy)
    if copy.rows > 1 and max(copy.to_pitch, copy.source_pitch) <= GPU_LARGEST_PITCH and (
            q.device.library.call.copy_peer_rows != NULL):
        return gpu_copy_peer_rows(q, copy)
    for row in range(copy.rows):       # so far apart that there are few
        if code == 0:
            code = gpu_copy_peer(q, copy, row)
    return code


cdef inline int gpu_copy_peer(gpu_queue *q, const peer_command *copy, size_t row) noexcept nogil:
    cdef gpu_library *library = q.device.library
    cdef gpu_device *to_device = <gpu_device *>copy.to_device
    cdef gpu_device *source_device = <gpu_device *>copy.source_device
    cdef char *to = <char *>copy.to + row * copy.to_pitch
    cdef const char *source = <const char *>copy.source + row * copy.source_pitch
    cdef gpu_device *other = to_device if q.device == source_device else source_device
    cdef int code
    if library.hip:
        code = library.call.hip_copy_peer(to, to_device.ordinal, source, source_device.ordinal, copy.width, q.stream)
        return 0 if code == 0 else gpu_fail(library.names.hip_copy_peer, code)
    # A device that reaches the memory copies it as its own: that costs the host less, and the device too.
    if other.ordinal < GPU_PEERS and lp_load(&q.device.reaches) >> <uint64_t>other.ordinal & 1:
        return gpu_copy(q.device, q.stream, to, source, copy.width)
    code = library.call.copy_peer(to, to_device.context, source, source_device.context, copy.width, q.stream)
    return 0 if code == 0 else gpu_fail(library.names.copy_peer, code)


cdef int gpu_copy_peer_captured(gpu_queue *q, const peer_command *copy) noexcept nogil:
    """CUDA takes no copies between two contexts into a graph, and ends the capture (measured on H200s, driver 580). It
    takes plain copies, which see the devices from the addresses, where the stream's device has access."""
    cdef size_t row
    cdef int code = 0
    if copy.rows > 1 and gpu_takes_rows(q.device.library) and max(copy.to_pitch, copy.source_pitch) <= GPU_LARGEST_PITCH:
        return gpu_copy_rows(q, copy.to, copy.to_pitch, copy.source, copy.source_pitch, copy.width, copy.rows)
    for row in range(copy.rows):
        if code == 0:
            code = gpu_copy(q.device, q.stream, <char *>copy.to + row * copy.to_pitch,
                               <const char *>copy.source + row * copy.source_pitch, copy.width)
    return code


cdef int gpu_copy_peer_rows(gpu_queue *q, const peer_command *copy) noexcept nogil:
    """CUDA only: HIP has no such call in all of its versions."""
    cdef gpu_library *library = q.device.library
    cdef gpu_peer_row_copy rows
    cdef int code
    memset(&rows, 0, sizeof(rows))
    rows.to_type = rows.source_type = CUDA_MEMORY_DEVICE
    rows.to, rows.to_pitch, rows.to_height = copy.to, copy.to_pitch, copy.rows
    rows.source, rows.source_pitch, rows.source_height = copy.source, copy.source_pitch, copy.rows
    rows.to_context = (<gpu_device *>copy.to_device).context
    rows.source_context = (<gpu_device *>copy.source_device).context
    rows.width, rows.rows, rows.depth = copy.width, copy.rows, 1
    code = library.call.copy_peer_rows(&rows, q.stream)
    return 0 if code == 0 else gpu_fail(library.names.copy_peer_rows, code)
