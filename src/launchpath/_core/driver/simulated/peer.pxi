# Copies between devices, and what devices can do with each other's memory. Copies of rows.


cdef int sim_peer_get(void *handle, void *other, int *reach) noexcept nogil:
    cdef sim_device *device = <sim_device *>handle
    cdef sim_device *peer = <sim_device *>other
    cdef sim_machine *m = device.machine
    lp_lock_acquire(&m.lock)
    cdef int code = sim_begin(m, SIM_PEER_GET)
    if code == 0:
        reach[0] = device.reach if peer.machine == m else 0
    return sim_end(m, SIM_PEER_GET, code)


cdef int sim_peer_enable(void *handle, void *other) noexcept nogil:
    cdef sim_device *device = <sim_device *>handle
    cdef sim_device *peer = <sim_device *>other
    cdef sim_machine *m = device.machine
    lp_lock_acquire(&m.lock)
    cdef int code = sim_begin(m, SIM_PEER_ENABLE)
    if code == 0 and not (device.reach & PEER_ACCESS and peer.machine == m):
        code = SIM_INVALID_CONTEXT
    if code == 0:
        device.peers |= <uint64_t>1 << peer.index
    return sim_end(m, SIM_PEER_ENABLE, code)


cdef bint sim_is_of(sim_machine *m, uintptr_t address, const sim_device *device) noexcept nogil:
    """Whether an address is in memory of a device."""
    cdef sim_allocation *a = sim_find(m, address)
    return a != NULL and a.kind != MEMORY_HOST and a.device == device


cdef int sim_copy_peer(void *queue, const peer_copy *copy, uint32_t n_waits, void **waits, void **timing) noexcept nogil:
    cdef sim_queue *q = <sim_queue *>queue
    cdef sim_machine *m = q.machine
    cdef sim_node *node
    cdef size_t row
    cdef int code = sim_enter(q, SIM_COPY_PEER, n_waits, waits)
    if code == 0 and not q.device.reach & PEER_COPIES:
        code = SIM_INVALID_CONTEXT
    if code == 0 and copy.rows != 1 and (
            not q.device.reach & PEER_ROWS or min(copy.to_pitch, copy.source_pitch) < copy.width):
        code = SIM_INVALID_VALUE
    if code == 0 and not (sim_is_of(m, <uintptr_t>copy.to, <sim_device *>copy.to_device)
                          and sim_is_of(m, <uintptr_t>copy.source, <sim_device *>copy.source_device)
                          and (q.device == copy.to_device or q.device == copy.source_device)):
        code = SIM_INVALID_ADDRESS
    if code == 0:
        node = sim_node_new(q, SIM_COPY_PEER)
        node.to, node.source, node.size, node.rows = <uintptr_t>copy.to, <uintptr_t>copy.source, copy.width, copy.rows
        node.to_pitch, node.source_pitch = copy.to_pitch, copy.source_pitch
        sim_submit(node, True, n_waits, waits)
        if timing != NULL:
            sim_attach(node, True, timing)
        for row in range(copy.rows):
            sim_node_touches(node, node.source + row * copy.source_pitch, copy.width, False, False)
            sim_node_touches(node, node.to + row * copy.to_pitch, copy.width, False, True)
    return sim_leave(q, SIM_COPY_PEER, code)


cdef int sim_copy_rows(void *queue, void *to, size_t to_pitch, const void *source, size_t source_pitch, size_t width,
                       size_t rows, uint32_t n_waits, void **waits, void **timing) noexcept nogil:
    cdef sim_queue *q = <sim_queue *>queue
    cdef sim_node *node
    cdef size_t row
    cdef int code = sim_enter(q, SIM_COPY_ROWS, n_waits, waits)
    if code == 0 and (to == NULL or source == NULL or to_pitch < width or source_pitch < width):
        code = SIM_INVALID_VALUE
    if code == 0:
        node = sim_node_new(q, SIM_COPY_ROWS)
        node.to, node.source, node.size, node.rows = <uintptr_t>to, <uintptr_t>source, width, rows
        node.to_pitch, node.source_pitch = to_pitch, source_pitch
        sim_submit(node, True, n_waits, waits)
        if timing != NULL:
            sim_attach(node, True, timing)
        for row in range(rows):
            sim_node_touches(node, node.source + row * source_pitch, width, False, False)
            sim_node_touches(node, node.to + row * to_pitch, width, False, True)
    return sim_leave(q, SIM_COPY_ROWS, code)
