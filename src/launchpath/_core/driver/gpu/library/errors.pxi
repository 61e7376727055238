# Errors: which codes say what, the same numbers in CUDA and HIP.

cdef const char *cuda_name_of(int code) noexcept nogil:
    return gpu_name_of(&cuda_library, code)


cdef const char *hip_name_of(int code) noexcept nogil:
    return gpu_name_of(&hip_library, code)


cdef bint gpu_command_failed(int code) noexcept nogil:
    """A command failed while it ran. Neither library recovers: all that follows fails with the same code."""
    return (code == GPU_ERROR_ECC_UNCORRECTABLE or code == 220 or code == 226 or code == GPU_ERROR_ILLEGAL_ADDRESS
            or code == GPU_ERROR_LAUNCH_TIMEOUT or code == GPU_ERROR_ASSERT or 714 <= code <= GPU_ERROR_LAUNCH_FAILED)


cdef const char *gpu_advice(int code) noexcept nogil:
    """What to do about a code, where that is known."""
    if code == GPU_LACKING:
        return b"this driver library is too old to have it; calls that do not need it still work: update the driver"
    if gpu_command_failed(code):
        if lp_runtime.launch_blocking:
            return (b"the device is in a failed state since a command failed while it ran: all later calls of this "
                    b"process on it fail. Start a new process")
        return (b"the device is in a failed state since a command failed while it ran: all later calls of this "
                b"process on it fail. Start a new process; LAUNCHPATH_LAUNCH_BLOCKING=1 shows there which launch failed")
    if code == GPU_ERROR_NO_BINARY_FOR_GPU or code == 222:
        return b"it was compiled for another architecture, or by a compiler newer than this driver"
    if code == GPU_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
        return b"all blocks of a cooperative launch must run at the same time: kernel.occupancy gives their number"
    if code == GPU_ERROR_LAUNCH_OUT_OF_RESOURCES:
        return b"a block needs more registers or shared memory than the device has: use fewer threads, or __launch_bounds__"
    if code == GPU_ERROR_DEINITIALIZED:
        return b"the process is ending"
    return NULL
