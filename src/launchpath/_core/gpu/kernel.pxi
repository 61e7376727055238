# Kernels and their launch: the packed bytes are the library's own form of arguments.

cdef enum:
    GPU_PARAMETERS = 1024          # of a kernel that is launched cooperatively, which takes pointers to them

cdef struct gpu_kernel:
    void *function
    gpu_device *device
    uint32_t n_parameters
    size_t *offsets            # of the parameters in the packed bytes
    size_t size                # to the end of the last one: CUDA refuses a launch that brings more


cdef int gpu_launch(void *queue, void *kernel, const launch_config *config, const void *bytes, size_t size,
                    uint32_t n_waits, void **waits) noexcept nogil:
    cdef gpu_queue *q = <gpu_queue *>queue
    cdef gpu_kernel *k = <gpu_kernel *>kernel
    cdef void *extra[5]
    cdef int code
    if unlikely(n_waits or config.flags or q.launch == NULL):
        return gpu_launch_within(q, k, config, bytes, n_waits, waits)
    extra[0], extra[1] = <void *>GPU_LAUNCH_BUFFER_POINTER, <void *>bytes
    extra[2], extra[3] = <void *>GPU_LAUNCH_BUFFER_SIZE, &k.size
    extra[4] = <void *>CUDA_LAUNCH_END
    code = q.launch(k.function, config.grid[0], config.grid[1], config.grid[2], config.block[0], config.block[1],
                    config.block[2], config.shared, q.stream, NULL, extra if k.size else NULL)
    if likely(code == 0):
        return 0
    if code == GPU_ERROR_INVALID_CONTEXT or code == GPU_ERROR_INVALID_HANDLE or gpu_command_failed(code):
        # Another context is current on this thread, perhaps that of a device in a failed state, or none. CUDA refuses a
        # function of another context, so nothing was launched, and asking first would cost every launch.
        return gpu_launch_within(q, k, config, bytes, n_waits, waits)
    return gpu_fail(q.device.library.names.launch, code)


cdef int gpu_launch_within(gpu_queue *q, gpu_kernel *k, const launch_config *config, const void *bytes,
                           uint32_t n_waits, void **waits) noexcept nogil:
    """Launch with the device made current, behind `waits`."""
    cdef gpu_device *device = q.device
    cdef void *extra[5]
    cdef void *before = NULL
    cdef int code = gpu_enter(device, &before)
    if code:
        return code
    code = gpu_wait_for(device, q.stream, n_waits, waits)
    if code == 0 and config.flags & LAUNCH_COOPERATIVE:
        code = gpu_launch_cooperative(q, k, config, <const char *>bytes)
    elif code == 0:
        extra[0], extra[1] = <void *>GPU_LAUNCH_BUFFER_POINTER, <void *>bytes
        extra[2], extra[3] = <void *>GPU_LAUNCH_BUFFER_SIZE, &k.size
        extra[4] = <void *>device.library.launch_end
        code = device.library.call.launch(
            k.function, config.grid[0], config.grid[1], config.grid[2], config.block[0], config.block[1], config.block[2],
            config.shared, q.stream, NULL, extra if k.size else NULL)
        if code:
            gpu_fail(device.library.names.launch, code)
    gpu_leave(device, before)
    return code


cdef int gpu_launch_cooperative(gpu_queue *q, gpu_kernel *k, const launch_config *config, const char *bytes) noexcept nogil:
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


cdef class GPUKernel(DriverKernel):
    """A kernel of a `GPUProgram`, or one that foreign code loaded."""
    cdef GPUProgram program        # None: somebody else's
    cdef GPUDevice device
    cdef str name

    def __dealloc__(self):
        cdef gpu_kernel *k = <gpu_kernel *>self.handle
        if k != NULL:
            free(k.offsets)
            free(k)

    @property
    def function(self):
        """The library's own handle, as an int."""
        return <uintptr_t>(<gpu_kernel *>self.handle).function

    def take_parameters(self, list places):
        cdef gpu_kernel *k = <gpu_kernel *>self.handle
        cdef uint32_t i
        if k.offsets != NULL or not places:
            return
        k.offsets = <size_t *>calloc(len(places), sizeof(size_t))
        if k.offsets == NULL:
            raise MemoryError
        for i in range(len(places)):
            k.offsets[i] = places[i][0]
            k.size = max(k.size, places[i][0] + places[i][1])
        k.n_parameters = len(places)

    def allow_shared(self, size_t size):
        cdef gpu_device *device = self.device.device
        if device.library.call.function_set == NULL:
            return
        code = gpu_function_set(device, (<gpu_kernel *>self.handle).function, GPU_FUNCTION_MAX_DYNAMIC_SHARED, <int>size)
        # HIP takes the host's symbol of a kernel there, which one of a module has not; its limit is the device's anyway.
        if code and not device.library.hip:
            raise failure(device.library.table, code, f"{self.name}: {size} bytes of dynamic shared memory")

    def occupancy(self, unsigned int threads, size_t shared):
        cdef gpu_device *device = self.device.device
        cdef int blocks = 0
        if device.library.call.occupancy == NULL:
            return None
        gpu_raise(device, gpu_occupancy(device, (<gpu_kernel *>self.handle).function, <int>threads, shared, &blocks))
        return blocks

    def suggest_block(self, size_t shared, unsigned int most):
        cdef gpu_device *device = self.device.device
        cdef int blocks = 0, threads = 0
        if device.library.call.suggest == NULL and device.library.call.hip_suggest == NULL:
            return None
        gpu_raise(device, gpu_suggest(device, (<gpu_kernel *>self.handle).function, shared, <int>most, &blocks, &threads))
        return threads, blocks

    def parameter_layout(self):
        cdef gpu_device *device = self.device.device
        cdef size_t offset = 0, size = 0, index = 0
        cdef list layout = []
        if device.library.call.parameter_info == NULL:
            return None
        while gpu_parameter(device, (<gpu_kernel *>self.handle).function, index, &offset, &size) == 0:
            layout.append((offset, size))
            index += 1
        return layout


cdef GPUKernel gpu_kernel_adopt(GPUDevice device, void *function, str name):
    cdef GPUKernel made = GPUKernel.__new__(GPUKernel)
    cdef gpu_kernel *k = <gpu_kernel *>calloc(1, sizeof(gpu_kernel))
    if k == NULL:
        raise MemoryError
    k.function, k.device = function, device.device
    made.table, made.handle, made.device, made.name = device.table, k, device, name
    gpu_raise(device.device, gpu_open(device.device))
    made.info = {
        "max_threads_per_block": gpu_attribute_of(device, function, GPU_FUNCTION_MAX_THREADS),
        "shared_memory": gpu_attribute_of(device, function, GPU_FUNCTION_SHARED_SIZE),
        "local_memory": gpu_attribute_of(device, function, GPU_FUNCTION_LOCAL_SIZE),
        "registers": gpu_attribute_of(device, function, GPU_FUNCTION_REGISTERS),
        "dynamic_shared": True,
    }
    return made


cdef object gpu_attribute_of(GPUDevice device, void *function, int what):
    cdef int value = 0
    gpu_raise(device.device, gpu_function_get(device.device, function, what, &value))
    return value


cdef object gpu_function_of(GPUDevice device, uintptr_t kernel):
    cdef void *function = NULL
    cdef void *before = NULL
    cdef gpu_device *d = device.device
    cdef int code
    if d.library.call.kernel_function == NULL:
        raise failure(d.library.table, gpu_fail(d.library.names.kernel_function, GPU_LACKING))
    gpu_raise(d, gpu_open(d))
    if lp_awaited == device.table and not d.library.hip:
        raise failure(d.library.table, gpu_fail(d.library.names.kernel_function, ERROR_HELD_BACK))
    gpu_begin_unheld(device)
    try:
        with nogil:
            code = gpu_enter(d, &before)
            if code == 0:
                code = d.library.call.kernel_function(&function, <void *>kernel)
                if code:
                    gpu_fail(d.library.names.kernel_function, code)
                gpu_leave(d, before)
    finally:
        gpu_end_unheld(device)
    gpu_raise(d, code)
    return <uintptr_t>function


cdef int gpu_function_get(gpu_device *device, void *function, int what, int *value) noexcept nogil:
    cdef void *before = NULL
    cdef int code = gpu_enter(device, &before)
    if code:
        return code
    code = device.library.call.function_attribute(value, what, function)
    gpu_leave(device, before)
    return 0 if code == 0 else gpu_fail(device.library.names.function_attribute, code)


cdef int gpu_function_set(gpu_device *device, void *function, int what, int value) noexcept nogil:
    cdef void *before = NULL
    cdef int code = gpu_enter(device, &before)
    if code:
        return code
    code = device.library.call.function_set(function, what, value)
    gpu_leave(device, before)
    return 0 if code == 0 else gpu_fail(device.library.names.function_set, code)


cdef int gpu_occupancy(gpu_device *device, void *function, int threads, size_t shared, int *blocks) noexcept nogil:
    cdef void *before = NULL
    cdef int code = gpu_enter(device, &before)
    if code:
        return code
    code = device.library.call.occupancy(blocks, function, threads, shared)
    gpu_leave(device, before)
    return 0 if code == 0 else gpu_fail(device.library.names.occupancy, code)


cdef int gpu_suggest(gpu_device *device, void *function, size_t shared, int most, int *blocks, int *threads) noexcept nogil:
    cdef const char *name
    cdef void *before = NULL
    cdef int code = gpu_enter(device, &before)
    if code:
        return code
    if device.library.hip:
        code = device.library.call.hip_suggest(blocks, threads, function, shared, most)
    else:
        code = device.library.call.suggest(blocks, threads, function, NULL, shared, most)
    gpu_leave(device, before)
    name = device.library.names.hip_suggest if device.library.hip else device.library.names.suggest
    return 0 if code == 0 else gpu_fail(name, code)


cdef int gpu_parameter(gpu_device *device, void *function, size_t index, size_t *offset, size_t *size) noexcept nogil:
    cdef void *before = NULL
    cdef int code = gpu_enter(device, &before)
    if code == 0:
        code = device.library.call.parameter_info(function, index, offset, size)
        gpu_leave(device, before)
    return code
