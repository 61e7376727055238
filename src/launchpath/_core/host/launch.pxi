# Launches of compiled programs: `kernel<<<grid, block, shared, stream>>>(...)`. Clang pushes the configuration, evaluates
# the arguments, and calls the kernel's stub, which pops it and calls hipLaunchKernel.

cdef enum:
    HOST_INVALID_CONFIGURATION = 9     # hipErrorInvalidConfiguration
    HOST_MISSING_CONFIGURATION = 52    # hipErrorMissingConfiguration
    HOST_OUT_OF_MEMORY = 2
    HOST_LEGACY = 1                    # hipStreamLegacy, as 0


cdef int host_push(launchpath_extent grid, launchpath_extent block, size_t shared, void *stream) noexcept nogil:
    cdef lp_c_thread *here = lp_c_thread_here()
    cdef launchpath_configuration *at
    if here == NULL:
        return HOST_OUT_OF_MEMORY
    if here.n == LAUNCHPATH_STACK:
        return HOST_INVALID_CONFIGURATION
    at = &here.at[here.n]
    here.n += 1
    host_configure(at, &grid, &block, shared, stream)
    return 0


cdef inline void host_configure(launchpath_configuration *at, const launchpath_extent *grid, const launchpath_extent *block,
                                size_t shared, void *stream) noexcept nogil:
    at.grid[0], at.grid[1], at.grid[2] = grid.x, grid.y, grid.z
    at.block[0], at.block[1], at.block[2] = block.x, block.y, block.z
    at.shared, at.flags, at.stream = <uint32_t>shared if shared >> 32 == 0 else ~<uint32_t>0, 0, <uintptr_t>stream


cdef int host_pop(launchpath_extent *grid, launchpath_extent *block, size_t *shared, void **stream) noexcept nogil:
    cdef lp_c_thread *here = lp_c_here
    cdef const launchpath_configuration *at
    if here == NULL or here.n == 0:
        return HOST_MISSING_CONFIGURATION
    here.n -= 1
    at = &here.at[here.n]
    grid.x, grid.y, grid.z = at.grid[0], at.grid[1], at.grid[2]
    block.x, block.y, block.z = at.block[0], at.block[1], at.block[2]
    shared[0], stream[0] = at.shared, <void *><uintptr_t>at.stream
    return 0


cdef inline lp_queue *host_queue_of(void *stream) noexcept nogil:
    """The queue of a program's stream; NULL: Python must be asked."""
    cdef uint64_t number = <uintptr_t>stream
    cdef handle_place *place
    if lp_host.captured:
        return NULL
    if number <= HOST_LEGACY:
        return <lp_queue *>lp_c_here.null_queue if lp_c_here != NULL and lp_c_here.null_queue != NULL else lp_host.queue
    place = handle_find(number, HANDLE_STREAM)
    return <lp_queue *>place.thing if place != NULL else NULL


cdef int host_launch(const void *stub, launchpath_extent grid, launchpath_extent block, void **arguments, size_t shared,
                     void *stream) noexcept nogil:
    cdef launchpath_configuration at
    cdef c_call call
    cdef int code = 0
    cdef void *addresses[6]
    cdef host_function *function = host_function_of(stub)
    cdef lp_queue *queue = host_queue_of(stream)
    if likely(function != NULL and queue != NULL and shared >> 32 == 0):
        host_configure(&at, &grid, &block, shared, stream)
        call.symbol, call.kernel, call.configuration = &function.symbol, 0, &at
        call.packed, call.size, call.arguments, call.count, call.sizes = NULL, 0, arguments, ALL_ARGUMENTS, NULL
        if likely(c_launch_plainly(&call, queue, &code) == C_DONE):
            lp_here.hip_code = 0
            return 0
    addresses[0], addresses[1], addresses[2] = &stub, &grid, &block
    addresses[3], addresses[4], addresses[5] = &arguments, &shared, &stream
    return <int>host_call("hipLaunchKernel", addresses)
