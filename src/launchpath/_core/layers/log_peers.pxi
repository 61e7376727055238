# LAUNCHPATH_LOG for copies between devices and into textures, copies of rows, and textures; see log.pxi.


cdef int log_copy_peer(void *queue, const peer_copy *copy, uint32_t n_waits, void **waits, void **timing) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef const char *name = b"copy_peer" if copy.to_texture == NULL else b"copy_texture"
    return log_command(below, name, queue, b"", b"bytes", copy.width * copy.rows, n_waits, began, below.copy_peer(
        queue, copy, n_waits, waits, timing))

cdef int log_copy_rows(void *queue, void *to, size_t to_pitch, const void *source, size_t source_pitch, size_t width,
                       size_t rows, uint32_t n_waits, void **waits, void **timing) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_command(below, b"copy_rows", queue, b"", b"rows", rows, n_waits, began, below.copy_rows(
        queue, to, to_pitch, source, source_pitch, width, rows, n_waits, waits, timing))

cdef int log_peer_get(void *device, void *other, int *reach) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef int code = below.peer_get(device, other, reach)
    return log_call(below, b"peer_get", device, b"reach", <uint64_t>reach[0], began, code)

cdef int log_peer_enable(void *device, void *other) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"peer_enable", device, b"device", <uint64_t><uintptr_t>other, began,
                    below.peer_enable(device, other))


cdef int log_texture_create(void *device, const texture_facts *facts, void **texture, uint64_t *object) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef int code = below.texture_create(device, facts, texture, object)
    return log_call(below, b"texture_create", device, b"object", object[0], began, code)

cdef int log_texture_release(void *device, void *texture) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"texture_release", texture, b"-", 0, began, below.texture_release(device, texture))


cdef void log_peers(driver_table *table) noexcept nogil:
    """Take the place of the entries; what the driver leaves out stays out."""
    if table.copy_peer != NULL:
        table.copy_peer = log_copy_peer
    if table.copy_rows != NULL:
        table.copy_rows = log_copy_rows
    if table.peer_get != NULL:
        table.peer_get, table.peer_enable = log_peer_get, log_peer_enable
    if table.texture_create != NULL:
        table.texture_create, table.texture_release = log_texture_create, log_texture_release
