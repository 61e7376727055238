# Kernels and their launch: the packed bytes are the library's own form of arguments.

cdef enum:
    GPU_PARAMETERS = 1024          # of a kernel that is launched cooperatively, which takes pointers to them
    GPU_NOT_PLAIN = -1             # no code of the library's

cdef struct gpu_kernel:
    char *name                 # as the source has it; first, see driver/table.pxi
    void *function
    gpu_device *device
    bint waits                 # at its entry, for the kernel before it
    uint64_t early             # the function of its early variant, or 0; set once
    uint32_t n_parameters
    size_t *offsets            # of the parameters in the packed bytes
    size_t size                # to the end of the last one: CUDA refuses a launch that brings more


cdef inline void gpu_arguments(void **extra, const gpu_kernel *k, const void *bytes, void *end) noexcept nogil:
    """The packed arguments of a launch, as the library takes them."""
    extra[0], extra[1] = <void *>GPU_LAUNCH_BUFFER_POINTER, <void *>bytes
    extra[2], extra[3] = <void *>GPU_LAUNCH_BUFFER_SIZE, <void *>&k.size
    extra[4] = end


cdef inline int gpu_launch_plainly(gpu_queue *q, const driver_command *command, bint dependent) noexcept nogil:
    """Launch without making the device current. GPU_NOT_PLAIN: nothing was launched, and that it is current matters."""
    cdef const gpu_kernel *k = <const gpu_kernel *>command.kernel
    cdef const launch_config *config = command.config
    cdef void *extra[5]
    cdef int code
    if unlikely(config.flags or q.launch == NULL):
        return GPU_NOT_PLAIN
    gpu_arguments(extra, k, command.bytes, <void *>CUDA_LAUNCH_END)
    if dependent:
        code = gpu_launch_dependent(q, k, config, extra)
        return code if code == 0 or code == GPU_NOT_PLAIN else gpu_fail(q.device.library.names.launch_dependent, code)
    code = q.launch(k.function, config.grid[0], config.grid[1], config.grid[2], config.block[0], config.block[1],
                    config.block[2], config.shared, q.stream, NULL, extra if k.size else NULL)
    if likely(code == 0):
        return 0
    if code == GPU_ERROR_INVALID_CONTEXT or code == GPU_ERROR_INVALID_HANDLE or gpu_command_failed(code):
        # Another context is current on this thread, perhaps that of a device in a failed state, or none. CUDA refuses a
        # function of another context, so nothing was launched, and asking first would cost every launch.
        return GPU_NOT_PLAIN
    return gpu_fail(q.device.library.names.launch, code)


cdef int gpu_launch_dependent(gpu_queue *q, const gpu_kernel *k, const launch_config *config, void **extra) noexcept nogil:
    """Launch a kernel that may start while the one before ends. GPU_NOT_PLAIN: nothing was launched, try it otherwise."""
    cdef gpu_launch_config launch
    cdef gpu_launch_attribute attribute
    cdef int code
    memset(&attribute, 0, sizeof(attribute))
    attribute.id, attribute.value = CUDA_PROGRAMMATIC_SERIALIZATION, 1
    memcpy(launch.grid, config.grid, sizeof(config.grid))
    memcpy(launch.block, config.block, sizeof(config.block))
    launch.shared, launch.stream = config.shared, q.stream
    launch.attributes, launch.n_attributes = &attribute, 1
    code = q.device.library.call.launch_dependent(&launch, k.function, NULL, extra if k.size else NULL)
    if likely(code == 0):
        lp_add(&q.device.n_dependent, 1)
        return 0
    if code == GPU_ERROR_NOT_SUPPORTED:        # the library takes the attribute nowhere, or not here
        lp_store(&q.device.limited, DEPENDENT_REFUSED)
        return GPU_NOT_PLAIN
    if code == GPU_ERROR_INVALID_CONTEXT or code == GPU_ERROR_INVALID_HANDLE or gpu_command_failed(code):
        return GPU_NOT_PLAIN       # another context is current: see `gpu_launch_plainly`
    return code


cdef int gpu_launch(gpu_queue *q, const driver_command *command, bint dependent) noexcept nogil:
    cdef gpu_device *device = q.device
    cdef gpu_kernel *k = <gpu_kernel *>command.kernel
    cdef const launch_config *config = command.config
    cdef void *extra[5]
    cdef int code
    if config.flags & LAUNCH_COOPERATIVE:
        return gpu_launch_cooperative(q, k, config, <const char *>command.bytes)
    gpu_arguments(extra, k, command.bytes, <void *>device.library.launch_end)
    if dependent and gpu_is_alone(q) and gpu_launch_dependent(q, k, config, extra) == 0:
        return 0
    # It says why, if a dependent launch failed.
    code = device.library.call.launch(
        k.function, config.grid[0], config.grid[1], config.grid[2], config.block[0], config.block[1], config.block[2],
        config.shared, q.stream, NULL, extra if k.size else NULL)
    return 0 if code == 0 else gpu_fail(device.library.names.launch, code)


cdef int gpu_launch_cooperative(gpu_queue *q, gpu_kernel *k, const launch_config *config,
                                const char *bytes) noexcept nogil:
    """Neither library takes packed bytes here, only a pointer to each argument."""
    cdef gpu_device *device = q.device
    cdef void *pointers[GPU_PARAMETERS]
    cdef uint32_t i
    cdef int code
    if k.n_parameters > GPU_PARAMETERS:
        return gpu_fail(device.library.names.launch_cooperative, GPU_ERROR_INVALID_VALUE)
    if device.library.call.launch_cooperative == NULL:
        return gpu_fail(device.library.names.launch_cooperative, GPU_LACKING)
    for i in range(k.n_parameters):
        pointers[i] = <void *>(bytes + k.offsets[i])
    code = device.library.call.launch_cooperative(
        k.function, config.grid[0], config.grid[1], config.grid[2], config.block[0], config.block[1], config.block[2],
        config.shared, q.stream, pointers)
    return 0 if code == 0 else gpu_fail(device.library.names.launch_cooperative, code)


cdef int gpu_kernel_new(gpu_device *device, void *function, const char *name, void **kernel) noexcept nogil:
    cdef gpu_kernel *k = <gpu_kernel *>calloc(1, sizeof(gpu_kernel))
    if k != NULL:
        k.name = strdup(name)
    if k == NULL or k.name == NULL:
        free(k)
        return ERROR_HOST_MEMORY
    k.function, k.device = function, device
    kernel[0] = k
    return 0


cdef int gpu_kernel_find(void *handle, void *program, const char *name, const kernel_use *use,
                         void **kernel) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef void *function = NULL
    cdef gpu_context context
    cdef int code = gpu_begin_apart(device, &context)
    if code:
        return code
    code = device.library.call.function(&function, program, name)
    gpu_end(&context)
    if code:
        return gpu_fail(device.library.names.function, code)
    code = gpu_kernel_new(device, function, use.label, kernel)
    if code == 0:
        (<gpu_kernel *>kernel[0]).waits = use.waits and device.dependent
    return code


cdef int gpu_kernel_adopt(void *handle, void *function, void **kernel) noexcept nogil:
    cdef int code = gpu_open(<gpu_device *>handle)
    return code if code else gpu_kernel_new(<gpu_device *>handle, function, b"the kernel", kernel)


cdef void gpu_kernel_release(void *handle, void *kernel) noexcept nogil:
    cdef gpu_kernel *k = <gpu_kernel *>kernel
    free(k.name)
    free(k.offsets)
    free(k)


cdef int gpu_late_attribute(gpu_device *device, kernel_fact fact) noexcept nogil:
    """The library's number of what is only asked for when somebody wants to know it; -1 if it has none."""
    if fact == KERNEL_CONSTANT:
        return GPU_FUNCTION_CONST_SIZE
    elif fact == KERNEL_BINARY_VERSION:
        return GPU_FUNCTION_BINARY_VERSION
    elif fact == KERNEL_MOST_DYNAMIC:
        return GPU_FUNCTION_MAX_DYNAMIC_SHARED
    # HIP has a number for this too, of a PTX that there is not.
    return GPU_FUNCTION_PTX_VERSION if fact == KERNEL_PTX_VERSION and not device.library.hip else -1


cdef int gpu_kernel_get(void *handle, void *kernel, kernel_fact fact, int64_t *value) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_kernel *k = <gpu_kernel *>kernel
    cdef gpu_context context
    cdef int attribute, code, number = 0
    if fact == KERNEL_MAX_THREADS:
        attribute = GPU_FUNCTION_MAX_THREADS
    elif fact == KERNEL_SHARED:
        attribute = GPU_FUNCTION_SHARED_SIZE
    elif fact == KERNEL_LOCAL:
        attribute = GPU_FUNCTION_LOCAL_SIZE
    elif fact == KERNEL_REGISTERS:
        attribute = GPU_FUNCTION_REGISTERS
    elif fact == KERNEL_DYNAMIC_SHARED or fact == KERNEL_FUNCTION:
        value[0] = 1 if fact == KERNEL_DYNAMIC_SHARED else <int64_t><uintptr_t>k.function
        return 0
    else:
        attribute = gpu_late_attribute(device, fact)
        if attribute < 0:
            return ERROR_NOT_TOLD
    code = gpu_begin(device, &context)
    if code:
        return code
    code = device.library.call.function_attribute(&number, attribute, k.function)
    gpu_end(&context)
    if code == GPU_ERROR_INVALID_VALUE and fact >= KERNEL_CONSTANT:  # a library that does not know it
        return ERROR_NOT_TOLD
    value[0] = number
    return 0 if code == 0 else gpu_fail(device.library.names.function_attribute, code)


cdef int gpu_kernel_lay_out(void *handle, void *kernel, uint32_t n, const size_t *offsets,
                            const size_t *sizes) noexcept nogil:
    cdef gpu_kernel *k = <gpu_kernel *>kernel
    cdef uint32_t i
    if k.offsets != NULL:
        return 0
    k.offsets = <size_t *>calloc(n, sizeof(size_t))
    if k.offsets == NULL:
        return ERROR_HOST_MEMORY
    for i in range(n):
        k.offsets[i] = offsets[i]
        k.size = max(k.size, offsets[i] + sizes[i])
    k.n_parameters = n
    return 0


cdef int gpu_kernel_allow_shared(void *handle, void *kernel, size_t size) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_context context
    cdef int code
    if device.library.call.function_set == NULL:
        return 0
    code = gpu_begin(device, &context)
    if code:
        return code
    code = device.library.call.function_set((<gpu_kernel *>kernel).function, GPU_FUNCTION_MAX_DYNAMIC_SHARED, <int>size)
    gpu_end(&context)
    # HIP takes the host's symbol of a kernel there, which one of a module has not; its limit is the device's anyway.
    return 0 if code == 0 or device.library.hip else gpu_fail(device.library.names.function_set, code)


cdef int gpu_kernel_pair(void *handle, void *kernel, void *early) noexcept nogil:
    lp_store(&(<gpu_kernel *>kernel).early, <uint64_t><uintptr_t>(<gpu_kernel *>early).function)
    return 0


cdef int gpu_kernel_occupancy(void *handle, void *kernel, int threads, size_t shared, int *blocks) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_context context
    cdef int code
    if device.library.call.occupancy == NULL:
        return ERROR_NOT_TOLD
    code = gpu_begin(device, &context)
    if code:
        return code
    code = device.library.call.occupancy(blocks, (<gpu_kernel *>kernel).function, threads, shared)
    return gpu_end_call(&context, device.library.names.occupancy, code)


cdef int gpu_kernel_suggest(void *handle, void *kernel, size_t shared, int most, int *threads,
                            int *blocks) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef void *function = (<gpu_kernel *>kernel).function
    cdef const char *name
    cdef gpu_context context
    cdef int code
    if device.library.call.suggest == NULL and device.library.call.hip_suggest == NULL:
        return ERROR_NOT_TOLD
    code = gpu_begin(device, &context)
    if code:
        return code
    if device.library.hip:
        name = device.library.names.hip_suggest
        code = device.library.call.hip_suggest(blocks, threads, function, shared, most)
    else:
        name = device.library.names.suggest
        code = device.library.call.suggest(blocks, threads, function, NULL, shared, most)
    return gpu_end_call(&context, name, code)


cdef int gpu_kernel_parameter(void *handle, void *kernel, size_t index, size_t *offset, size_t *size) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_context context
    cdef int code
    if device.library.call.parameter_info == NULL:
        return ERROR_NOT_TOLD
    code = gpu_begin(device, &context)
    if code:
        return code
    code = device.library.call.parameter_info((<gpu_kernel *>kernel).function, index, offset, size)
    gpu_end(&context)
    if code == GPU_ERROR_INVALID_VALUE:  # behind the last one
        return ERROR_NO_MORE
    return 0 if code == 0 else gpu_fail(device.library.names.parameter_info, code)


cdef int gpu_kernel_function(void *handle, void *kernel, void **function) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_context context
    cdef int code
    if device.library.call.kernel_function == NULL:
        return gpu_fail(device.library.names.kernel_function, GPU_LACKING)
    code = gpu_begin(device, &context)
    if code:
        return code
    code = device.library.call.kernel_function(function, kernel)
    return gpu_end_call(&context, device.library.names.kernel_function, code)
