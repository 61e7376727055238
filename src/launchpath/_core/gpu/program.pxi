# Programs: modules of the library. Compiling is not the driver's business here: it loads what a compiler made.

cimport cython


@cython.no_gc_clear                # __dealloc__ needs `device`, which the cycle collector would have cleared
cdef class GPUProgram(DriverProgram):
    """A loaded module, from ``device.load(data)``. It is unloaded once no launch can be using it any more."""
    cdef void *module
    cdef GPUDevice device
    cdef bytes data

    def __dealloc__(self):
        if self.module != NULL and not lp_exiting and not lp_runtime.exiting and self.device.pool is not None:
            self.device.pool.give_back(<uintptr_t>self.module, 0, MEMORY_MODULE)

    def kernel(self, str name not None, Py_ssize_t parameter_bytes=-1, dynamic_shared=None, uint64_t globals_address=0):
        """Give the kernel whose entry point is called `name`."""
        cdef void *function = NULL
        cdef bytes entry = name.encode()
        cdef GPUKernel made
        cdef gpu_device *device = self.device.device
        cdef const char *entry_name = entry
        cdef int code
        refuse_forked(self.device.table)
        with nogil:                    # where modules are loaded lazily this may load, and wait
            code = gpu_find_function(device, self.module, entry_name, &function)
        gpu_raise(device, code)
        made = gpu_kernel_adopt(self.device, function, name)
        made.program = self
        return made

    def symbol(self, str name not None):
        """(address, bytes) of the global whose symbol is called `name`."""
        cdef void *address = NULL
        cdef size_t size = 0
        cdef bytes symbol = name.encode()
        cdef gpu_device *device = self.device.device
        cdef const char *symbol_name = symbol
        cdef int code
        refuse_forked(self.device.table)
        with nogil:
            code = gpu_find_symbol(device, self.module, symbol_name, &address, &size)
        gpu_raise(device, code)
        return <uintptr_t>address, size

    def binary(self):
        """Give back what was loaded."""
        return self.data


cdef int gpu_begin_unheld(GPUDevice device) except -1:
    """Wait until a call may be made that waits for the device: CUDA's loading does."""
    if not device.device.library.hip and device.pool is not None:
        device.pool.begin_unheld()
    return 0


cdef int gpu_end_unheld(GPUDevice device) except -1:
    if not device.device.library.hip and device.pool is not None:
        device.pool.end_unheld()
    return 0


cdef GPUProgram gpu_load_module(GPUDevice device, bytes data):
    cdef GPUProgram made = GPUProgram.__new__(GPUProgram)
    cdef bytes log = PyBytes_FromStringAndSize(NULL, 16384)
    cdef char *text = log
    cdef bytes image = data + b"\0"             # PTX is a C string
    cdef const char *at = image
    cdef gpu_device *handle = device.device
    cdef void *module = NULL
    cdef int code = gpu_open(device.device)
    gpu_raise(device.device, code)
    # Whichever device's stream waits for it: those of this one may wait for that.
    if lp_awaited == device.table and not device.device.library.hip:
        raise errors.ConfigurationError(
            f"a host function loads a program: CUDA loads none before {device.info['name']} is idle, which it is not while a "
            "stream waits for the host function; compile, load and look up instances of templates before")
    for last in (device.pool is None, True):
        text[0] = 0
        gpu_begin_unheld(device)
        try:
            with nogil:
                code = gpu_load_image(handle, at, text, 16384, &module)
        finally:
            gpu_end_unheld(device)
        if code != GPU_ERROR_OUT_OF_MEMORY or last:
            break
        device.pool.trim()             # memory that the pool keeps may be what is short
    made.device, made.data = device, data
    made.log = text.decode(errors="replace").strip()
    if code:
        error = failure(device.device.library.table, code, made.log)
        if made.log:
            raise CompileError(f"{device.info['name']}: {error}", made.log)
        raise error
    made.module = module
    if device.pool is not None:
        device.pool.unload()
    return made


cdef int gpu_load_image(gpu_device *device, const char *image, char *log, size_t room, void **module) noexcept nogil:
    cdef int options[2]
    cdef void *values[2]
    cdef void *before = NULL
    cdef int code = gpu_enter(device, &before)
    if code:
        return code
    options[0], options[1] = GPU_JIT_ERROR_LOG, GPU_JIT_ERROR_LOG_SIZE
    values[0], values[1] = log, <void *>room
    code = device.library.call.load(module, image, 2, options, values)
    gpu_leave(device, before)
    return 0 if code == 0 else gpu_fail(device.library.names.load, code)


cdef int gpu_find_function(gpu_device *device, void *module, const char *name, void **function) noexcept nogil:
    cdef void *before = NULL
    cdef int code = gpu_enter(device, &before)
    if code:
        return code
    code = device.library.call.function(function, module, name)
    gpu_leave(device, before)
    return 0 if code == 0 else gpu_fail(device.library.names.function, code)


cdef int gpu_find_symbol(gpu_device *device, void *module, const char *name, void **address, size_t *size) noexcept nogil:
    cdef void *before = NULL
    cdef int code = gpu_enter(device, &before)
    if code:
        return code
    code = device.library.call.symbol(address, size, module, name)
    gpu_leave(device, before)
    return 0 if code == 0 else gpu_fail(device.library.names.symbol, code)


cdef int gpu_module_release(void *handle, void *module) noexcept nogil:
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
    code = device.library.call.unload(module)
    gpu_leave_apart(device, before, mode)
    # A context that has failed says so, and does it all the same.
    return 0 if code == 0 or gpu_command_failed(code) else gpu_fail(device.library.names.unload, code)
