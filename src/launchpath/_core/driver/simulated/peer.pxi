# What devices can do with each other's memory.


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
