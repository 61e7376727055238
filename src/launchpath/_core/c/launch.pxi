# Launches of C code: found, checked, packed and submitted without Python, as `launch_plainly` does for Python. What that
# leaves, and every error, goes through a Launcher.
#
# All that a launch reads of its kernel is read under its queue's lock: see `c_withdraw`.

cdef struct c_call:            # a launch by C code
    launchpath_symbol *symbol  # or NULL, and then
    uint64_t kernel
    const launchpath_configuration *configuration
    const void *packed         # or NULL, and then
    size_t size                # of it
    void *const *arguments
    size_t count               # or ALL_ARGUMENTS
    const size_t *sizes        # of them, or NULL

cdef enum c_outcome:
    C_DONE = 0
    C_BY_PYTHON = 1            # nothing was done
    C_FAILED = 2               # the driver refused it

# The legacy stream of the default device; NULL: not asked for yet. The reference is never given up: a launch of another
# thread may be about to lock it.
cdef lp_queue *c_default_queue = NULL


cdef inline bint c_fits(const c_kernel *kernel, const launchpath_configuration *at) noexcept nogil:
    """Whether the device and the kernel take a configuration. False: Python finds out what is wrong with it."""
    cdef uint64_t threads = <uint64_t>at.block[0] * at.block[1] * at.block[2]
    if threads == 0 or threads > kernel.max_threads or at.shared > kernel.shared_most or at.flags:
        return False
    if at.block[0] > kernel.max_block[0] or at.block[1] > kernel.max_block[1] or at.block[2] > kernel.max_block[2]:
        return False
    if not (1 <= at.grid[0] <= kernel.max_grid[0] and 1 <= at.grid[1] <= kernel.max_grid[1]
            and 1 <= at.grid[2] <= kernel.max_grid[2]):
        return False
    return not kernel.rows_are_warps or at.block[0] % 32 == 0 or threads == at.block[0]


cdef inline bint c_pack(const c_kernel *kernel, const c_call *call, char *packed) noexcept nogil:
    """Copy arguments to their places. False: they are not the kernel's."""
    cdef const c_place *place = c_places(kernel)
    cdef uint32_t i
    if call.count != <size_t>kernel.count and call.count != ALL_ARGUMENTS:
        return False
    if kernel.padded:
        memset(packed, 0, kernel.size)
    for i in range(kernel.count):
        if call.arguments[i] == NULL or call.sizes != NULL and call.sizes[i] != place[i].size:
            return False
        if place[i].size == 8:
            memcpy(packed + place[i].offset, call.arguments[i], 8)
        elif place[i].size == 4:
            memcpy(packed + place[i].offset, call.arguments[i], 4)
        else:
            memcpy(packed + place[i].offset, call.arguments[i], place[i].size)
    return True


cdef inline handle_place *c_symbol_place(launchpath_symbol *symbol, lp_queue *queue) noexcept nogil:
    """The kernel of a symbol on a queue's device; NULL: it was not found yet. The caller holds the queue's lock."""
    cdef uint64_t *kept = &symbol.kernels[(<uintptr_t>queue.domain >> 8) % LAUNCHPATH_SYMBOL_DEVICES]
    cdef uint64_t handle = lp_load(kept)
    cdef handle_place *place = handle_find(handle, HANDLE_KERNEL)
    if likely(place != NULL and (<c_kernel *>place.thing).domain == queue.domain):
        return place
    handle = symbol_find(symbol.name, queue.domain) if symbol.name != NULL else 0
    if handle:
        lp_store(kept, handle)
    return handle_find(handle, HANDLE_KERNEL)


cdef inline lp_queue *c_queue_of(uint64_t stream) noexcept nogil:
    """The queue of a stream's handle; NULL: Python must be asked."""
    cdef handle_place *place
    if stream:
        place = handle_find(stream, HANDLE_STREAM)
        return <lp_queue *>place.thing if place != NULL else NULL
    if lp_here.entered != NULL:
        return queue_of_thread()
    return c_default_queue


cdef inline c_outcome c_launch_plainly(const c_call *call, lp_queue *queue, int *code) noexcept nogil:
    """Launch without Python, as for nearly all launches. Without a queue Python must be asked."""
    if unlikely(lp_runtime.watched):
        return c_launch_recorded(call, queue, code)
    return c_launch_straight(call, queue, code, NULL, NULL)


cdef inline c_outcome c_launch_straight(const c_call *call, lp_queue *queue, int *code, lp_records *ring,
                                        const char **label) noexcept nogil:
    """Launch in a straight line. `ring` is of the thread whose launch is recorded, or NULL; `label` is for its kernel's."""
    cdef uint64_t stack[STACK_WORDS]
    cdef driver_command command
    cdef const void *bytes = call.packed
    cdef handle_place *place = NULL
    cdef c_kernel *kernel
    cdef bint deep
    cdef uint64_t began
    if unlikely(lp_here.step != NULL or queue == NULL):
        return C_BY_PYTHON
    if unlikely(not lp_lock_try(queue.lock)):
        if PyGILState_Check():
            return C_BY_PYTHON         # which waits for the lock without the GIL
        began = waiting_begin()
        lp_lock_acquire(queue.lock)
        waiting_end(began)
    place = c_symbol_place(call.symbol, queue) if call.symbol != NULL else handle_find(call.kernel, HANDLE_KERNEL)
    if unlikely(place == NULL):
        lp_lock_release(queue.lock)
        return C_BY_PYTHON
    kernel = <c_kernel *>place.thing
    if unlikely(queue.number >= queue.gil_check):
        find_room_here(queue)
    deep = not queue.keeps_gil
    if unlikely(kernel.domain != queue.domain or not kernel.plain or queue.epoch != lp_load(&lp_runtime.failures)
                or deep and PyGILState_Check() or not c_fits(kernel, call.configuration)):
        lp_lock_release(queue.lock)
        return C_BY_PYTHON
    if call.packed == NULL:
        bytes = stack
    if unlikely(call.size != kernel.size if call.packed != NULL else not c_pack(kernel, call, <char *>stack)):
        lp_lock_release(queue.lock)
        return C_BY_PYTHON
    command_set_launch(&command, kernel.handle, kernel.label, <const launch_config *>call.configuration, bytes, kernel.size)
    if ring != NULL:
        c_record_names(ring, kernel)
        label[0] = kernel.label
    code[0] = submit_command(queue, &command)
    if ring != NULL:
        ring.parameters = NULL
    lp_lock_release(queue.lock)
    if unlikely(code[0]):
        return C_BY_PYTHON if code[0] == ERROR_WOULD_BLOCK else C_FAILED
    if unlikely(deep and queue_depth(queue) > DEPTH_SOFT):
        began = waiting_begin()
        queue_throttle(queue)
        waiting_end(began)
    return C_DONE


cdef inline launchpath_status c_launch(c_call *call) noexcept nogil:
    cdef int code = 0
    cdef c_outcome outcome = c_launch_plainly(call, c_queue_of(call.configuration.stream), &code)
    if likely(outcome == C_DONE):
        return LAUNCHPATH_SUCCESS
    return c_launch_by_python(call)


# --- the way with all checks


cdef KernelBase c_kernel_object(uint64_t handle):
    """The kernel that a handle names. The GIL keeps it until the caller has its reference."""
    cdef handle_place *place = handle_find(handle, HANDLE_KERNEL)
    if place == NULL:
        raise CHandleError(f"expected a kernel's handle, got {handle:#x}, which names no kernel, or none any more")
    return <KernelBase><object>(<c_kernel *>place.thing).kernel


cdef QueueBase c_stream_object(uint64_t handle):
    """The stream that a handle names; None for 0."""
    cdef handle_place *place
    if handle == 0:
        return None
    place = handle_find(handle, HANDLE_STREAM)
    stream = living_object(streams_by_identity, (<lp_queue *>place.thing).identity) if place != NULL else None
    if stream is None:                 # or it is about to go
        raise CHandleError(f"expected a stream's handle, got {handle:#x}, which names no stream, or none any more")
    return <QueueBase>stream


cdef uint64_t c_find_kernel(str symbol, QueueBase stream) except 0:
    """Find the kernel of a symbol, for the stream's device or the current one; it may be loaded now."""
    global c_default_queue
    if find_registered is None:
        raise errors.LaunchpathError("expected launchpath to be imported before C code launches by symbol")
    handle, queue = find_registered(symbol, stream)
    if lp_here.entered == NULL and stream is None:
        if c_default_queue != (<QueueBase>queue).queue:
            queue_ref((<QueueBase>queue).queue)
            c_default_queue = (<QueueBase>queue).queue
    return handle


cdef KernelBase c_kernel_by_symbol(const launchpath_symbol *symbol, QueueBase stream, uint64_t *handle):
    """The kernel of a symbol and its handle. Another thread may unregister it meanwhile: then it is looked for again."""
    cdef handle_place *place = NULL
    if symbol.name == NULL:
        raise errors.ArgumentValueError("expected a symbol with a name, got NULL")
    while place == NULL:
        handle[0] = c_find_kernel(symbol.name.decode(), stream)
        place = handle_find(handle[0], HANDLE_KERNEL)
    return <KernelBase><object>(<c_kernel *>place.thing).kernel


cdef bytes c_packed(KernelBase kernel, const c_call *call):
    """The packed arguments of a launch."""
    cdef size_t i
    cdef bytes packed
    if call.packed != NULL:
        if call.size != kernel.size:
            raise errors.SignatureError(f"{kernel.signature} packs into {kernel.size} bytes, got {call.size}")
        return (<const char *>call.packed)[:call.size]
    if call.arguments == NULL and kernel.count:
        raise errors.SignatureError(f"{kernel.signature}: expected the addresses of its arguments, got NULL")
    if <Py_ssize_t>call.count != kernel.count:
        raise kernel.count_error(call.count)
    packed = bytes(kernel.size)
    for i in range(call.count):
        if call.arguments[i] == NULL:
            raise errors.SignatureError(f"{kernel.where(i)}: expected the address of the argument, got NULL")
        if call.sizes != NULL and call.sizes[i] != kernel.sizes[i]:
            raise errors.SignatureError(f"{kernel.where(i)}: expected {kernel.sizes[i]} bytes, got {call.sizes[i]}")
        memcpy(PyBytes_AS_STRING(<PyObject *>packed) + kernel.parameters[i].offset, call.arguments[i], kernel.sizes[i])
    if kernel.closing:
        kernel.close(PyBytes_AS_STRING(<PyObject *>packed))
    return packed


cdef launchpath_status c_launch_by_python(const c_call *call) noexcept with gil:
    cdef const launchpath_configuration *at = call.configuration
    cdef KernelBase kernel
    cdef QueueBase stream
    cdef Launcher launcher
    cdef handle_place *place
    cdef uint64_t handle = 0
    if lp_runtime.exiting:
        return c_refuse(LAUNCHPATH_NOT_AVAILABLE, b"Python ends: nothing can be launched any more")
    try:
        stream = c_stream_object(at.stream)
        if call.symbol != NULL:
            kernel = c_kernel_by_symbol(call.symbol, stream, &handle)
        else:
            handle = call.kernel
            kernel = c_kernel_object(handle)
        packed = c_packed(kernel, call)
        if at.flags & ~LAUNCHPATH_COOPERATIVE:
            raise errors.ConfigurationError(f"{kernel.name}: expected flags of 0 or LAUNCHPATH_COOPERATIVE, got {at.flags}")
        launched = kernel.cooperative if at.flags else kernel
        launcher = new_launcher(<KernelBase>launched, (at.grid[0], at.grid[1], at.grid[2]),
                                (at.block[0], at.block[1], at.block[2]), stream, True, at.shared)
        if lp_here.step != NULL:
            step_records_nothing()            # what the arguments point to is not known
        submit_watched(launcher, packed)
        place = handle_find(handle, HANDLE_KERNEL)
        if place != NULL:
            c_prepare(<c_kernel *>place.thing, kernel)
        return LAUNCHPATH_SUCCESS
    except BaseException as error:
        return c_status(error)


# --- the functions of the table


cdef launchpath_status c_launch_symbol(launchpath_symbol *symbol, const launchpath_configuration *configuration,
                                       void *const *arguments, size_t count, const size_t *sizes) noexcept nogil:
    cdef c_call call
    if unlikely(symbol == NULL or configuration == NULL or arguments == NULL and count):
        return c_refuse(LAUNCHPATH_INVALID_VALUE, b"launch: expected a symbol, a configuration and arguments, got NULL")
    call.symbol, call.kernel, call.configuration = symbol, 0, configuration
    call.packed, call.size, call.arguments, call.count, call.sizes = NULL, 0, arguments, count, sizes
    return c_launch(&call)


cdef launchpath_status c_launch_symbol_packed(launchpath_symbol *symbol, const launchpath_configuration *configuration,
                                              const void *packed, size_t size) noexcept nogil:
    cdef c_call call
    if unlikely(symbol == NULL or configuration == NULL or packed == NULL and size):
        return c_refuse(LAUNCHPATH_INVALID_VALUE, b"launch: expected a symbol, a configuration and arguments, got NULL")
    call.symbol, call.kernel, call.configuration = symbol, 0, configuration
    call.packed, call.size, call.arguments, call.count, call.sizes = packed, size, NULL, 0, NULL
    return c_launch(&call)


cdef launchpath_status c_launch_kernel(launchpath_kernel kernel, const launchpath_configuration *configuration,
                                       void *const *arguments, size_t count, const size_t *sizes) noexcept nogil:
    cdef c_call call
    if unlikely(configuration == NULL or arguments == NULL and count):
        return c_refuse(LAUNCHPATH_INVALID_VALUE, b"launch: expected a configuration and arguments, got NULL")
    call.symbol, call.kernel, call.configuration = NULL, kernel, configuration
    call.packed, call.size, call.arguments, call.count, call.sizes = NULL, 0, arguments, count, sizes
    return c_launch(&call)


cdef launchpath_status c_launch_kernel_packed(launchpath_kernel kernel, const launchpath_configuration *configuration,
                                              const void *packed, size_t size) noexcept nogil:
    cdef c_call call
    if unlikely(configuration == NULL or packed == NULL and size):
        return c_refuse(LAUNCHPATH_INVALID_VALUE, b"launch: expected a configuration and arguments, got NULL")
    call.symbol, call.kernel, call.configuration = NULL, kernel, configuration
    call.packed, call.size, call.arguments, call.count, call.sizes = packed, size, NULL, 0, NULL
    return c_launch(&call)


cdef launchpath_status c_find(const char *symbol, launchpath_stream stream, launchpath_kernel *kernel) noexcept nogil:
    cdef lp_queue *queue
    if symbol == NULL or kernel == NULL:
        return c_refuse(LAUNCHPATH_INVALID_VALUE, b"find: expected a symbol and room for a kernel, got NULL")
    queue = c_queue_of(stream)
    kernel[0] = symbol_find(symbol, queue.domain) if queue != NULL else 0
    return LAUNCHPATH_SUCCESS if kernel[0] else c_find_by_python(symbol, stream, kernel)


cdef launchpath_status c_find_by_python(const char *symbol, uint64_t stream, uint64_t *kernel) noexcept with gil:
    if lp_runtime.exiting:
        return c_refuse(LAUNCHPATH_NOT_AVAILABLE, b"Python ends: nothing can be found any more")
    try:
        kernel[0] = c_find_kernel(symbol.decode(), c_stream_object(stream))
        return LAUNCHPATH_SUCCESS
    except BaseException as error:
        return c_status(error)


cdef launchpath_status c_parameter(launchpath_kernel kernel, size_t index, size_t *offset, size_t *size) noexcept with gil:
    cdef handle_place *place = handle_find(kernel, HANDLE_KERNEL)      # withdrawn only with the GIL
    cdef c_kernel *c
    if place == NULL:
        return c_refuse(LAUNCHPATH_INVALID_HANDLE, b"parameter: expected a kernel's handle, got another number")
    c = <c_kernel *>place.thing
    if index >= c.count or offset == NULL or size == NULL:
        return c_refuse(LAUNCHPATH_NOT_FOUND if index >= c.count else LAUNCHPATH_INVALID_VALUE,
                        b"parameter: expected the index of a parameter, and room for its place and size")
    offset[0], size[0] = c_places(c)[index].offset, c_places(c)[index].size
    return LAUNCHPATH_SUCCESS
