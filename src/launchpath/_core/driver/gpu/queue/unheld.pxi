# Holds and unheld periods, of all devices of a library.
#
# Some calls of CUDA's wait until the device is idle, and hold a lock of the library meanwhile that launches, copies,
# records and new host functions need (measured on an H100, driver 580: cuMemFree, cuMemFreeHost, cuArrayDestroy,
# cuModuleLoadData, cuModuleUnload, cuKernelGetFunction, some calls of cuStreamCreate, and the first launch of a
# kernel that needs more local memory than any before; on an H200, cuMemFree of managed memory too, while
# cuMemAllocManaged does not wait). If the device waits for the host then, and the host for that lock, neither goes
# on. So such a call is made in an unheld period only: while no stream of any device waits for a word that the host
# has not set, and none begins to. Devices count together, because their streams may wait for one another.

cdef enum:
    GPU_GIVE_WAY = 20000000        # nanoseconds that a new hold leaves to periods that want to begin
    GPU_LOOK = 20                  # microseconds between two looks
    GPU_LOOKS = 100                # between two looks for devices that have failed


cdef int gpu_unheld_begin(void *handle, uint64_t microseconds) noexcept nogil:
    cdef gpu_library *library = (<gpu_device *>handle).library
    cdef uint64_t began = lp_nanoseconds(), looks = 0
    cdef int code = 0
    if lp_here.unheld:
        lp_here.unheld += 1             # a period within a period: holds are kept out already
        return 0
    lp_lock_acquire(&library.hold_lock)
    library.unheld_wanted += 1
    while library.holds and code == 0:
        lp_lock_release(&library.hold_lock)
        if looks % GPU_LOOKS == 0:
            gpu_look_for_failures(library)
        looks += 1
        if microseconds:
            lp_sleep(GPU_LOOK)
        lp_lock_acquire(&library.hold_lock)
        if library.holds and lp_nanoseconds() - began >= 1000 * microseconds:
            code = ERROR_HELD_BACK     # `lp_here.failed_call` is that of what needs the period
    library.unheld_wanted -= 1
    if code == 0:
        library.unheld += 1
        lp_here.unheld = 1
    lp_lock_release(&library.hold_lock)
    return code


cdef void gpu_look_for_failures(gpu_library *library) noexcept nogil:
    """Forget the holds of devices that have failed: neither library calls the host functions there, and nothing
    waits."""
    cdef gpu_device *device = library.devices
    cdef gpu_context context
    cdef int code
    while device != NULL:
        if lp_load(&device.opened) and not device.failed and gpu_begin_apart(device, &context) == 0:
            code = library.call.stream_query(device.memory_stream)
            gpu_end(&context)
            if code and gpu_command_failed(code):
                lp_lock_acquire(&library.hold_lock)
                device.failed = True
                library.holds -= device.holds
                device.holds = 0
                lp_lock_release(&library.hold_lock)
        device = device.next


cdef void gpu_unheld_end(void *handle) noexcept nogil:
    cdef gpu_library *library = (<gpu_device *>handle).library
    lp_here.unheld -= 1
    if lp_here.unheld:
        return
    lp_lock_acquire(&library.hold_lock)
    library.unheld -= 1
    if library.unheld == 0:
        lp_condition_broadcast(&library.unheld_ended)
    lp_lock_release(&library.hold_lock)


cdef inline bint gpu_may_wait(gpu_library *library) noexcept nogil:
    """Whether this thread may make a call that waits for the device."""
    return lp_here.unheld != 0 or lp_exiting


cdef void gpu_hold_begin(gpu_device *device, bint may_wait) noexcept nogil:
    """Count a hold. If it may, it waits for unheld periods, which end by themselves: what they wait for does not wait
    for the host. One that may not, of a wait across contexts, is set by a thread of the other library, which needs
    nothing of this."""
    cdef gpu_library *library = device.library
    cdef uint64_t began = lp_nanoseconds()
    lp_lock_acquire(&library.hold_lock)
    # Else holds that follow one another closely let no period begin. Not for ever: a hold may be what the last one
    # waits for.
    while may_wait and library.unheld_wanted and lp_here.job == NULL and lp_nanoseconds() - began < GPU_GIVE_WAY:
        lp_lock_release(&library.hold_lock)
        lp_sleep(GPU_LOOK)
        lp_lock_acquire(&library.hold_lock)
    while may_wait and library.unheld:
        lp_condition_wait(&library.unheld_ended, &library.hold_lock)
    if not device.failed:
        library.holds += 1
        device.holds += 1
    lp_lock_release(&library.hold_lock)


cdef void gpu_hold_end(gpu_device *device) noexcept nogil:
    lp_lock_acquire(&device.library.hold_lock)
    if not device.failed:
        device.library.holds -= 1
        device.holds -= 1
    lp_lock_release(&device.library.hold_lock)
