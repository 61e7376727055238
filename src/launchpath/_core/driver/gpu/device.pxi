# Devices and their contexts. A device opens at first use: its primary context is the one that other libraries use too.

cdef enum:
    GPU_WORDS = 1024           # in one page of pinned memory
    GPU_PEERS = 64             # devices of which one can know that it reaches their memory

cdef struct gpu_event
cdef struct gpu_line
cdef struct gpu_stream
cdef struct gpu_plain

cdef struct gpu_device:
    void *domain               # the core's
    gpu_library *library
    int ordinal
    int id                     # CUdevice, hipDevice_t
    lp_lock opening
    uint64_t opened
    void *context              # CUDA's primary context; HIP goes by ordinals
    void *memory_stream        # for what no stream's order matters to
    void *pool                 # of the library, for stream-ordered allocation; NULL: it is done without
    bint stream_ordered        # wanted
    uint64_t reaches           # a bit for each device whose memory this one has access to, by ordinal
    bint dependent             # kernels that wait at their entry may be launched before the one before has ended
    uint64_t trigger_threads   # of grids behind which the next kernel may start early
    uint64_t early_threads     # of grids for which frozen steps take kernels' early variants; 0: none
    uint64_t limited           # dependent_limit
    uint64_t legacy_turn       # commands of the legacy stream
    bint wait_values           # streams can wait for words of memory
    lp_lock lock               # guards what follows
    gpu_event *free_events[2]  # without and with times
    gpu_event *free_words      # user events whose word can be used again
    gpu_line *free_lines       # of queues that have ended
    gpu_line *spare_lines
    gpu_device *next           # of the library
    uint64_t holds             # user events of this device that the host has not set (the library's `hold_lock`)
    bint failed                # a command failed: what waits for the host there is over
    gpu_plain *plain           # memory that is not from the library's pool, where that is used
    void *unused_graphs        # see driver/gpu/program/command_graph.pxi
    gpu_plain *unfreed         # memory of the pool that could not be freed, and that nobody has
    gpu_stream *free_streams
    uint32_t n_free_streams
    bint every_stream          # some of every kind have been kept
    uint64_t records           # events recorded, or user events made, so far
    size_t total_memory
    lp_lock clock_lock         # guards what follows; before `lock`
    gpu_event *clock_event     # what times count from; NULL: no clock pair has been taken
    uint64_t clock_host        # when that was, by the host's clock
    # Counted by all threads, so not beside what each launch reads
    uint64_t n_dependent       # launches that might start before the kernel before them had ended
    uint64_t n_edges           # edges of graphs that are so
    uint64_t n_early           # nodes of graphs with an early variant


cdef struct gpu_context:           # of a device, which calls of the library are about on this thread
    gpu_device *device
    void *before               # what other libraries go by
    int capture_mode           # theirs; -1: it was left alone


cdef int gpu_context_take(gpu_device *device, bint apart, gpu_context *context) noexcept nogil:
    """Make the device current on this thread, if it is not. With `apart`, calls are no part of anybody's graph: a capture,
    of whatever thread, neither forbids them nor ends by them."""
    cdef gpu_functions *call = &device.library.call
    cdef const gpu_names *names = device.library.names
    cdef int code, ordinal
    context.device, context.capture_mode = device, -1
    if device.library.hip:
        code = call.ordinal(&ordinal)
        if code:
            return gpu_fail(names.ordinal, code)
        context.before = <void *><uintptr_t>ordinal
        code = 0 if ordinal == device.ordinal else call.set_ordinal(device.ordinal)
        if code:
            return gpu_fail(names.set_ordinal, code)
    else:
        code = call.context(&context.before)
        if code:
            return gpu_fail(names.context, code)
        code = 0 if context.before == device.context else call.set_context(device.context)
        if code:
            return gpu_fail(names.set_context, code)
    if apart and call.capture_mode != NULL:
        context.capture_mode = GPU_CAPTURE_RELAXED
        if call.capture_mode(&context.capture_mode):
            context.capture_mode = -1
    return 0


cdef inline int gpu_begin(gpu_device *device, gpu_context *context) noexcept nogil:
    """Before calls about a device. If this fails nothing is to be ended."""
    cdef int code = gpu_open(device)
    return code or gpu_context_take(device, False, context)


cdef inline int gpu_begin_apart(gpu_device *device, gpu_context *context) noexcept nogil:
    cdef int code = gpu_open(device)
    return code or gpu_context_take(device, True, context)


cdef inline void gpu_end(gpu_context *context) noexcept nogil:
    """Put back what other libraries go by."""
    cdef gpu_device *device = context.device
    if context.capture_mode >= 0:
        device.library.call.capture_mode(&context.capture_mode)
    if device.library.hip:
        if <int><uintptr_t>context.before != device.ordinal:
            device.library.call.set_ordinal(<int><uintptr_t>context.before)
    elif context.before != device.context and not (context.before == NULL and device.ordinal == 0):
        # A thread without a context would get device 0's at its first call into a runtime API.
        device.library.call.set_context(context.before)


cdef inline int gpu_end_call(gpu_context *context, const char *name, int code) noexcept nogil:
    """The same after a call that gave a code; gives the code, and notes whose it is."""
    gpu_end(context)
    return 0 if code == 0 else gpu_fail(name, code)


cdef int gpu_open(gpu_device *device) noexcept nogil:
    """Take the primary context and what the driver itself needs, once; it lives as long as the process."""
    cdef int code
    if lp_load(&device.opened):
        return 0
    lp_lock_acquire(&device.opening)
    code = 0 if device.opened else gpu_open_now(device)
    lp_lock_release(&device.opening)
    return code


cdef int gpu_open_now(gpu_device *device) noexcept nogil:
    cdef gpu_functions *call = &device.library.call
    cdef const gpu_names *names = device.library.names
    cdef gpu_context context
    cdef int code = 0
    if not device.library.hip and device.context == NULL:
        code = call.retain(&device.context, device.id)
        if code:
            device.context = NULL
            return gpu_fail(names.retain, code)
    code = gpu_context_take(device, True, &context)
    if code:
        return code
    if device.memory_stream == NULL:
        code = call.stream_create(&device.memory_stream, GPU_STREAM_NON_BLOCKING, 0)
        if code:
            device.memory_stream = NULL
            gpu_fail(names.stream_create, code)
    if code == 0 and device.stream_ordered and device.pool == NULL:
        gpu_pool_make(device)
    gpu_end(&context)
    if code == 0:
        lp_store(&device.opened, 1)
    return code


cdef class GPUDevice(DriverDevice):
    """A device of the CUDA or the HIP library. Made by `gpu_devices`."""
    cdef gpu_device *device

    @property
    def kept_streams(self):
        """How many streams of the library are kept for the next queues."""
        return self.device.n_free_streams

    @property
    def dependent_launches(self):
        """How many launches might start before the kernel before them had ended."""
        return self.device.n_dependent

    @property
    def dependent_edges(self):
        """How many edges of graphs let a kernel start before the one before it has ended."""
        return self.device.n_edges

    @property
    def early_nodes(self):
        """How many nodes of graphs have a kernel's early variant."""
        return self.device.n_early

    @property
    def dependent_limit(self):
        """Why launches or edges are not dependent that otherwise would be; empty: all are."""
        return dependent_limits[<int>lp_load(&self.device.limited)].decode()

    cdef object refusal(self, int code, str log, str options):
        error = failure(self.table, code, log)
        return CompileError(f"{self.info['name']}: {error}", log) if log else error


cdef int gpu_stream_blocking(void *handle, void *stream, bint *blocking) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef unsigned int flags = 0
    cdef int code
    if device.library.call.stream_flags == NULL or <uintptr_t>stream <= 2:
        return ERROR_NOT_TOLD
    code = gpu_open(device)
    if code == 0:
        code = gpu_stream_flags(device, stream, &flags)
    blocking[0] = not flags & GPU_STREAM_NON_BLOCKING
    return code


cdef int gpu_stream_flags(gpu_device *device, void *stream, unsigned int *flags) noexcept nogil:
    cdef gpu_context context
    cdef int status = 0
    cdef int code = gpu_begin(device, &context)
    if code:
        return code
    if device.library.call.stream_capturing != NULL and (
            device.library.call.stream_capturing(stream, &status) == 0 and status):
        # To ask for its flags would end the capture. The legacy stream waits for the end of a capture if that is of a
        # blocking stream; if it is of another one, taking this one for blocking orders too much and not too little.
        code = device.library.call.stream_capturing(device.library.legacy_stream, &status)
        flags[0] = 0 if code == GPU_ERROR_STREAM_CAPTURE_IMPLICIT else GPU_STREAM_NON_BLOCKING
        gpu_end(&context)
        return 0
    return gpu_end_call(&context, device.library.names.stream_flags, device.library.call.stream_flags(stream, flags))


cdef int gpu_address_device(void *handle, void *address, int *ordinal) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_context context
    cdef int code
    if device.library.call.pointer_attribute == NULL:
        return ERROR_NOT_TOLD
    code = gpu_begin(device, &context)
    if code:
        return code
    code = device.library.call.pointer_attribute(ordinal, GPU_POINTER_DEVICE_ORDINAL, address)
    return gpu_end_call(&context, device.library.names.pointer_attribute, code)
