# Launches of other libraries' kernels as C makes them.


def fast_baseline(FastPlace place not None, FastSpecialization of not None, grid not None, block not None, uint32_t shared,
                  stream, bytes packed not None, uint32_t n):
    """Launch `n` times with the same bytes, and give the nanoseconds that took.

    Parameters
    ----------
    grid, block : tuple of int
        Three extents each.
    stream : int
        A handle."""
    cdef uint32_t extents[3]
    cdef uint32_t threads[3]
    cdef void *extra[5]
    cdef size_t size = of.size
    cdef void *function = of.function
    cdef void *handle = <void *><uintptr_t>stream
    cdef lp_fast_launch launch = place.launch
    cdef uint32_t _i
    cdef uint64_t began
    cdef int code = 0
    if <size_t>len(packed) != size:
        raise errors.SignatureError(f"expected {size} bytes of arguments, got {len(packed)}")
    extents, threads = [grid[0], grid[1], grid[2]], [block[0], block[1], block[2]]
    extra[0], extra[1] = <void *>GPU_LAUNCH_BUFFER_POINTER, PyBytes_AS_STRING(<PyObject *>packed)
    extra[2], extra[3], extra[4] = <void *>GPU_LAUNCH_BUFFER_SIZE, <void *>&size, <void *>CUDA_LAUNCH_END
    began = lp_fast_clock()
    with nogil:
        for _i in range(n):
            code = launch(function, extents[0], extents[1], extents[2], threads[0], threads[1], threads[2], shared, handle,
                          NULL, extra if size else NULL)
            if code:
                break
    if code:
        raise errors.LaunchpathError(f"cuLaunchKernel failed with code {code}")
    return lp_fast_clock() - began
