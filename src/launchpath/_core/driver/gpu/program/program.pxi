# Programs: modules of the library. Compiling is not the driver's business here: it loads what a compiler made.

cdef enum:
    GPU_LOG = 16384            # bytes of what the linker may say


cdef int gpu_program_load(void *handle, const void *data, size_t size, const char *options, lp_text *log,
                          void **program) noexcept nogil:
    """PTX, cubin, fat binary; HSACO."""
    cdef gpu_device *device = <gpu_device *>handle
    cdef int keys[2]
    cdef void *values[2]
    cdef gpu_context context
    cdef int code = text_room(log, GPU_LOG)
    if code == 0:
        # Freezing a step may load, whatever is captured meanwhile
        code = gpu_begin_apart(device, &context)
    if code:
        return code
    keys[0], keys[1] = GPU_JIT_ERROR_LOG, GPU_JIT_ERROR_LOG_SIZE
    values[0], values[1] = log.bytes, <void *><size_t>GPU_LOG
    return gpu_end_call(&context, device.library.names.load, device.library.call.load(program, data, 2, keys, values))


cdef int gpu_output_show(void *handle) noexcept nogil:
    """CUDA keeps the output of `printf` until a call that synchronizes, of any stream; a query is none.

    No stream's work is waited for: nothing on this one takes long, and it never waits for the host."""
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_context context
    cdef int code = gpu_begin_apart(device, &context)
    if code:
        return code
    code = device.library.call.stream_synchronize(device.memory_stream)
    return gpu_end_call(&context, device.library.names.stream_synchronize, code)


cdef int gpu_link_add(gpu_device *device, void *link, uint32_t n, const program_part *parts) noexcept nogil:
    """Give the linker all parts."""
    cdef uint32_t i
    cdef int code
    for i in range(n):
        code = device.library.call.link_add(link, CUDA_JIT_PTX if parts[i].text else CUDA_JIT_CUBIN,
                                            <void *>parts[i].data, parts[i].size + parts[i].text, parts[i].name,
                                            0, NULL, NULL)
        if code:
            return gpu_fail(device.library.names.link_add, code)
    return 0


cdef int gpu_link(gpu_device *device, void *link, uint32_t n, const program_part *parts,
                  lp_text *binary) noexcept nogil:
    """Link, and copy the result, which is the linker's own memory."""
    cdef void *linked = NULL
    cdef size_t size = 0
    cdef int code = gpu_link_add(device, link, n, parts)
    if code:
        return code
    code = device.library.call.link_complete(link, &linked, &size)
    if code:
        return gpu_fail(device.library.names.link_complete, code)
    return text_set(binary, <const char *>linked, size)


cdef int gpu_program_link(void *handle, uint32_t n, const program_part *parts, lp_text *log,
                          lp_text *binary) noexcept nogil:
    """Cubins and PTX."""
    cdef gpu_device *device = <gpu_device *>handle
    cdef int keys[2]
    cdef void *values[2]
    cdef gpu_context context
    cdef void *link = NULL
    cdef int code
    if device.library.call.link_create == NULL or device.library.call.link_add == NULL or \
            device.library.call.link_complete == NULL or device.library.call.link_destroy == NULL:
        return gpu_fail(device.library.names.link_create, GPU_LACKING)
    code = gpu_open(device)
    if code == 0:
        code = text_room(log, GPU_LOG)
    if code == 0:
        code = gpu_begin(device, &context)
    if code:
        return code
    keys[0], keys[1] = GPU_JIT_ERROR_LOG, GPU_JIT_ERROR_LOG_SIZE
    values[0], values[1] = log.bytes, <void *><size_t>GPU_LOG
    # The linker writes into the log, and into the options, until it is destroyed.
    code = device.library.call.link_create(2, keys, values, &link)
    if code:
        code = gpu_fail(device.library.names.link_create, code)
    else:
        code = gpu_link(device, link, n, parts, binary)
        device.library.call.link_destroy(link)
    gpu_end(&context)
    return code


cdef int gpu_program_symbol(void *handle, void *program, const char *name, void **address, size_t *size) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_context context
    cdef int code = gpu_begin(device, &context)
    if code:
        return code
    return gpu_end_call(&context, device.library.names.symbol, device.library.call.symbol(address, size, program, name))


cdef int gpu_program_release(void *handle, void *program) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_context context
    cdef int code
    if lp_exiting:
        return 0
    if not gpu_may_wait(device.library):
        return gpu_fail(device.library.names.unload, ERROR_HELD_BACK)
    code = gpu_begin_apart(device, &context)
    if code:
        return code
    code = device.library.call.unload(program)
    gpu_end(&context)
    # A context that has failed says so, and does it all the same.
    return 0 if code == 0 or gpu_command_failed(code) else gpu_fail(device.library.names.unload, code)
