# Memory: the library's stream-ordered pool where it has one and it is wanted, plain allocation else; copies and fills.

cdef enum:
    GPU_MEMORY_PATIENCE = 5000000  # nanoseconds that an allocation waits for the library's memory
    GPU_TRIM_PATIENCE = 100000000

cdef struct gpu_plain:
    gpu_plain *next
    void *address


cdef int gpu_pool_make(gpu_device *device) noexcept nogil:
    """A pool of our own: what it keeps is not to change what other libraries see of the device's default pool."""
    cdef gpu_functions *call = &device.library.call
    cdef gpu_pool_properties properties
    cdef uint64_t threshold = <uint64_t>-1     # the core's pool says when memory goes back
    cdef uint64_t no = 0
    cdef void *pool = NULL
    if call.pool_create == NULL or call.pool_set == NULL or call.pool_allocate == NULL or call.free_ordered == NULL:
        return 0
    memset(&properties, 0, sizeof(properties))
    properties.type = GPU_POOL_TYPE_PINNED
    properties.location.type, properties.location.id = GPU_LOCATION_DEVICE, device.id
    if call.pool_create(&pool, &properties):
        return 0               # done without
    call.pool_set(pool, GPU_POOL_RELEASE_THRESHOLD, &threshold)
    # Else an allocation may make a stream wait for another one, which nobody here would know of.
    call.pool_set(pool, GPU_POOL_REUSE_INTERNAL, &no)
    device.pool = pool
    return 0


cdef int gpu_allocate(void *handle, void *queue, size_t size, memory_kind kind, void **address) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_functions *call = &device.library.call
    cdef const gpu_names *names = device.library.names
    cdef const char *name
    cdef void *stream
    cdef gpu_context context
    cdef int code = gpu_begin_apart(device, &context)
    if code:
        return code
    if queue != NULL and gpu_captured(<gpu_queue *>queue):
        queue = NULL           # else it would be the graph's: there from a launch on, for as long as that likes
    if kind == MEMORY_HOST:
        name, code = names.host_allocate, call.host_allocate(address, size, GPU_HOST_PORTABLE)
    elif kind == MEMORY_MANAGED:
        name, code = names.managed_allocate, GPU_LACKING
        if call.managed_allocate != NULL:
            code = call.managed_allocate(address, size, GPU_ATTACH_GLOBAL)
    elif device.pool != NULL:
        stream = device.memory_stream if queue == NULL else (<gpu_queue *>queue).stream
        name, code = names.pool_allocate, call.pool_allocate(address, size, device.pool, stream)
        if code == 0 and queue == NULL:
            # For whatever stream. This one has nothing else in it, so there is hardly anything to wait for; but it has been
            # seen to wait for a stream that the host held back, and the host for this allocation (H100, driver 580).
            name, code = names.stream_query, gpu_memory_settle(device, GPU_MEMORY_PATIENCE)
            if code == GPU_ERROR_NOT_READY:
                name, code = names.allocate, gpu_allocate_at_once(device, address, size)
            elif code:
                gpu_free_unused(device, address[0])
    else:
        name, code = names.allocate, call.allocate(address, size)
    return gpu_end_call(&context, name, code)


cdef int gpu_allocate_at_once(gpu_device *device, void **address, size_t size) noexcept nogil:
    """Memory that is there now, in place of memory of the pool (`address`) that is not; that one if there is no other."""
    cdef void *plain = NULL
    cdef int code = gpu_allocate_plainly(device, &plain, size)
    if code == GPU_ERROR_OUT_OF_MEMORY and gpu_memory_settle(device, GPU_TRIM_PATIENCE) == 0:
        return 0               # on a busy host the stream may be late without waiting for anything
    gpu_free_unused(device, address[0])
    address[0] = plain
    return code


cdef void gpu_free_unused(gpu_device *device, void *address) noexcept nogil:
    """Free memory of the pool that no caller has got. A failure is no error of the caller's: it is tried again later."""
    cdef gpu_plain *unfreed
    if device.library.call.free_ordered(address, device.memory_stream) == 0:
        return
    unfreed = <gpu_plain *>malloc(sizeof(gpu_plain))
    if unfreed == NULL:
        return                 # the process has other problems
    unfreed.address = address
    lp_lock_acquire(&device.lock)
    unfreed.next, device.unfreed = device.unfreed, unfreed
    lp_lock_release(&device.lock)


cdef void gpu_free_again(gpu_device *device) noexcept nogil:
    """Try again to free what could not be freed."""
    cdef gpu_plain *unfreed
    cdef gpu_plain *next_
    lp_lock_acquire(&device.lock)
    unfreed, device.unfreed = device.unfreed, NULL
    lp_lock_release(&device.lock)
    while unfreed != NULL:
        next_ = unfreed.next
        gpu_free_unused(device, unfreed.address)
        free(unfreed)
        unfreed = next_


cdef int gpu_memory_settle(gpu_device *device, uint64_t patience) noexcept nogil:
    """Wait a little until all that memory was asked for or given back is there; GPU_ERROR_NOT_READY: it is not."""
    cdef uint64_t began = lp_nanoseconds(), waited = 0
    cdef int code = device.library.call.stream_query(device.memory_stream)
    while code == GPU_ERROR_NOT_READY and waited < patience:
        if waited > 20000:
            lp_sleep(10)
        code = device.library.call.stream_query(device.memory_stream)
        waited = lp_nanoseconds() - began
    return code


cdef int gpu_allocate_plainly(gpu_device *device, void **address, size_t size) noexcept nogil:
    """Memory that is there at once, and that only a call which waits for the device gives back."""
    cdef gpu_plain *plain = <gpu_plain *>malloc(sizeof(gpu_plain))
    cdef int code
    if plain == NULL:
        return GPU_ERROR_OUT_OF_MEMORY
    code = device.library.call.allocate(address, size)
    if code:
        free(plain)
        return code
    plain.address = address[0]
    lp_lock_acquire(&device.lock)
    plain.next, device.plain = device.plain, plain
    lp_lock_release(&device.lock)
    return 0


cdef gpu_plain *gpu_plain_take(gpu_device *device, void *address) noexcept nogil:
    """The note that an address was allocated plainly, taken off the device's list; or NULL."""
    cdef gpu_plain **place = &device.plain
    cdef gpu_plain *plain = NULL
    if device.plain == NULL:
        return NULL
    lp_lock_acquire(&device.lock)
    while place[0] != NULL and place[0].address != address:
        place = &place[0].next
    plain = place[0]
    if plain != NULL:
        place[0] = plain.next
    lp_lock_release(&device.lock)
    return plain


cdef int gpu_free(void *handle, void *address, memory_kind kind) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_functions *call = &device.library.call
    cdef const gpu_names *names = device.library.names
    cdef const char *name
    cdef gpu_plain *plain
    cdef gpu_context context
    cdef int code
    if lp_exiting:
        return 0
    plain = gpu_plain_take(device, address) if kind == MEMORY_DEVICE else NULL
    code = 0
    if (kind != MEMORY_DEVICE or device.pool == NULL or plain != NULL) and not gpu_may_wait(device.library):
        code = gpu_fail(names.host_free if kind == MEMORY_HOST else names.free, ERROR_HELD_BACK)
    if code == 0:
        code = gpu_begin_apart(device, &context)
    if code == 0:
        if kind == MEMORY_HOST:
            name, code = names.host_free, call.host_free(address)
        elif kind == MEMORY_DEVICE and device.pool != NULL and plain == NULL:
            name, code = names.free_ordered, call.free_ordered(address, device.memory_stream)
        else:
            name, code = names.free, call.free(address)
        gpu_end(&context)
        if code:
            gpu_fail(name, code)
    if plain != NULL and code == 0:
        free(plain)
    elif plain != NULL:
        lp_lock_acquire(&device.lock)
        plain.next, device.plain = device.plain, plain
        lp_lock_release(&device.lock)
    return code


cdef int gpu_memory_info(void *handle, size_t *free_bytes, size_t *total) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_context context
    cdef int code = gpu_begin(device, &context)
    if code:
        return code
    return gpu_end_call(&context, device.library.names.memory_info, device.library.call.memory_info(free_bytes, total))


cdef int gpu_memory_trim(void *handle) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef const char *name
    cdef gpu_context context
    cdef int code
    if device.pool == NULL or device.library.call.pool_trim == NULL:
        return 0
    code = gpu_begin_apart(device, &context)
    if code:
        return code
    if device.unfreed != NULL:
        gpu_free_again(device)
    # What was freed is free only once the stream has come to it. If that takes long, a later call gives it back.
    name, code = device.library.names.stream_query, gpu_memory_settle(device, GPU_TRIM_PATIENCE)
    if code == 0:
        name, code = device.library.names.pool_trim, device.library.call.pool_trim(device.pool, 0)
    elif code == GPU_ERROR_NOT_READY:
        code = 0
    return gpu_end_call(&context, name, code)


cdef int gpu_local_memory(void *handle, size_t limit, size_t *kept) noexcept nogil:
    """CUDA's limit of the stack: a launch that needs more raises it, and no unloading lowers it again (H200, driver 580).

    On an H200, 64 KiB for each of its 270,336 threads are 17 GB. Setting the limit gives the memory back."""
    cdef gpu_device *device = <gpu_device *>handle
    cdef const char *name
    cdef gpu_context context
    cdef int code
    if device.library.call.limit_get == NULL or device.library.call.limit_set == NULL:
        return ERROR_NOT_TOLD
    if limit and not gpu_may_wait(device.library):
        return gpu_fail(device.library.names.limit_set, ERROR_HELD_BACK)
    code = gpu_begin_apart(device, &context)
    if code:
        return code
    name, code = device.library.names.limit_set, device.library.call.limit_set(CUDA_LIMIT_STACK, limit) if limit else 0
    if code == 0:
        name, code = device.library.names.limit_get, device.library.call.limit_get(kept, CUDA_LIMIT_STACK)
    return gpu_end_call(&context, name, code)
