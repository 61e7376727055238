# Launches of compiled programs: `kernel<<<grid, block, shared, stream>>>(...)`. Clang pushes the configuration, evaluates
# the arguments, and calls the kernel's stub, which pops it and calls hipLaunchKernel.

cdef enum:
    HOST_INVALID_CONFIGURATION = 9     # hipErrorInvalidConfiguration
    HOST_MISSING_CONFIGURATION = 52    # hipErrorMissingConfiguration
    HOST_OUT_OF_MEMORY = 2
    HOST_LEGACY = 1                    # hipStreamLegacy, as 0


cdef int host_push(uint64_t grid_xy, uint32_t grid_z, uint64_t block_xy, uint32_t block_z, size_t shared,
                   void *stream) noexcept nogil:
    cdef lp_c_thread *here = lp_c_thread_here()
    cdef launchpath_configuration *at
    if here == NULL:
        return HOST_OUT_OF_MEMORY
    if here.n == LAUNCHPATH_STACK:
        return HOST_INVALID_CONFIGURATION
    at = &here.at[here.n]
    here.n += 1
    lp_extent_write(at.grid, grid_xy, grid_z)
    lp_extent_write(at.block, block_xy, block_z)
    at.shared, at.flags, at.stream = host_shared(shared), 0, <uintptr_t>stream
    return 0


cdef inline uint32_t host_shared(size_t bytes_) noexcept nogil:
    """Bytes of shared memory; more than a configuration has room for are more than any device has."""
    return <uint32_t>bytes_ if bytes_ >> 32 == 0 else ~<uint32_t>0


cdef int host_pop(void *grid, void *block, size_t *shared, void **stream) noexcept nogil:
    cdef lp_c_thread *here = lp_c_here
    cdef const launchpath_configuration *at
    if here == NULL or here.n == 0:
        return HOST_MISSING_CONFIGURATION
    here.n -= 1
    at = &here.at[here.n]
    lp_extent_copy(grid, at.grid)
    lp_extent_copy(block, at.block)
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


cdef int host_launch(const void *stub, uint64_t grid_xy, uint32_t grid_z, uint64_t block_xy, uint32_t block_z,
                     void **arguments, size_t shared, void *stream) noexcept nogil:
    cdef launchpath_configuration at
    cdef c_call call
    cdef int code = 0
    cdef void *addresses[6]
    cdef host_function *function = host_function_of(stub)
    cdef lp_queue *queue = host_queue_of(stream)
    lp_extent_write(at.grid, grid_xy, grid_z)
    lp_extent_write(at.block, block_xy, block_z)
    if likely(function != NULL and queue != NULL and shared >> 32 == 0):
        at.shared, at.flags, at.stream = <uint32_t>shared, 0, <uintptr_t>stream
        call.symbol, call.kernel, call.configuration = &function.symbol, 0, &at
        call.packed, call.size, call.arguments, call.count, call.sizes = NULL, 0, arguments, ALL_ARGUMENTS, NULL
        if likely(c_launch_plainly(&call, queue, &code) == C_DONE):
            lp_here.hip_code = 0
            return 0
    addresses[0], addresses[1], addresses[2] = &stub, at.grid, at.block
    addresses[3], addresses[4], addresses[5] = &arguments, &shared, &stream
    return <int>host_call("hipLaunchKernel", addresses)
