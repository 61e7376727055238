# Local memory: what the threads of a kernel hold beyond their registers.
#
# CUDA keeps room for every thread that a device can run at once, for as many bytes as any launch has needed. The launch
# that needs more waits until the device is idle, so it is made in an unheld period. No unloading makes the room smaller:
# here it is, once no kernel that is left needs as much.


cdef int local_memory_limit(DeviceBase device, size_t limit, size_t *kept) noexcept:
    """Set the limit, unless it is 0 (unheld), and read it; the driver's code. A failure changes nothing here, and the
    next launch reports what is wrong with the device."""
    cdef lp_domain *domain = device.domain
    cdef int code = ERROR_NOT_TOLD
    if domain.table.local_memory != NULL:
        with nogil:
            code = domain.table.local_memory(domain.device, limit, kept)
    return code


cdef int local_memory_grow(DeviceBase device) except -1:
    """Before a launch that needs more than any before. `local_memory_grown` follows, whether or not it succeeds."""
    cdef size_t limit = 0
    device.growing.acquire()
    if local_memory_limit(device, 0, &limit) == 0 and limit != device.limit_grown:
        device.limit_before = limit            # the library's own, or what other code has set
    return 0


cdef int local_memory_grown(DeviceBase device) except -1:
    local_memory_limit(device, 0, &device.limit_grown)
    device.growing.release()
    return 0


cdef int local_memory_shrink(DeviceBase device) except -1:
    """Give back what only kernels that are gone have needed. In an unheld period.

    A limit that is not the one after a launch of ours is other code's, and stays."""
    cdef size_t limit = 0, needed = 0
    cdef DriverKernel kernel
    if not device.local_memory:
        return 0
    with device.growing:                       # a kernel that is launched meanwhile finds the new limit
        for key in list(kernels_by_handle):
            kernel = living_object(kernels_by_handle, key)
            if kernel is not None and kernel.domain == device.domain:
                needed = max(needed, <size_t>kernel.info.get("local_memory", 0))
        if needed >= device.local_memory or local_memory_limit(device, 0, &limit) or limit != device.limit_grown:
            return 0
        device.local_memory = needed
        local_memory_limit(device, max(needed, device.limit_before), &device.limit_grown)
    return 0
