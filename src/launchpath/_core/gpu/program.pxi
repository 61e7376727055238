# Programs: modules of the library. Compiling is not the driver's business here: it loads what a compiler made.

cdef enum:
    GPU_LOG = 16384            # bytes of what the linker may say


cdef int gpu_program_load(void *handle, const void *data, size_t size, const char *options, lp_text *log,
                          void **program) noexcept nogil:
    """PTX, cubin, fat binary; HSACO."""
    cdef gpu_device *device = <gpu_device *>handle
    cdef int keys[2]
    cdef void *values[2]
    cdef void *before = NULL
    cdef int code = gpu_open(device)
    if code == 0:
        code = text_room(log, GPU_LOG)
    if code == 0:
        code = gpu_enter(device, &before)
    if code:
        return code
    keys[0], keys[1] = GPU_JIT_ERROR_LOG, GPU_JIT_ERROR_LOG_SIZE
    values[0], values[1] = log.bytes, <void *><size_t>GPU_LOG
    code = device.library.call.load(program, data, 2, keys, values)
    gpu_leave(device, before)
    return 0 if code == 0 else gpu_fail(device.library.names.load, code)


cdef int gpu_program_symbol(void *handle, void *program, const char *name, void **address, size_t *size) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef void *before = NULL
    cdef int code = gpu_enter(device, &before)
    if code:
        return code
    code = device.library.call.symbol(address, size, program, name)
    gpu_leave(device, before)
    return 0 if code == 0 else gpu_fail(device.library.names.symbol, code)


cdef int gpu_program_release(void *handle, void *program) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef void *before = NULL
    cdef int code, mode
    if lp_exiting:
        return 0
    if not gpu_may_wait(device.library):
        return gpu_fail(device.library.names.unload, ERROR_HELD_BACK)
    code = gpu_enter_apart(device, &before, &mode)
    if code:
        return code
    code = device.library.call.unload(program)
    gpu_leave_apart(device, before, mode)
    # A context that has failed says so, and does it all the same.
    return 0 if code == 0 or gpu_command_failed(code) else gpu_fail(device.library.names.unload, code)
