# Programs of a driver, as Python objects: built and loaded through the device's table.

cimport cython

LOADING_WAITS = ("a host function loads a program: {} loads programs only when {} is idle, and it is not idle while a stream "
                 "waits for the host function: compile, load and look up instances of templates before")

cdef bytes FAT_BINARY = b"\x50\xed\x55\xba"             # its first bytes, as NVIDIA's tools write it


cdef inline lp_domain *domain_of(DriverDevice device) noexcept:
    """The domain of a device: the first field of its handle (see table.pxi)."""
    return (<lp_domain **>device.handle)[0]


@cython.no_gc_clear                # __dealloc__ needs `device`, which the cycle collector would have cleared
cdef class DriverProgram:
    """A program on a device, from ``device.build(source)`` or ``device.load(data)``.

    Attributes
    ----------
    log : str
        What the compiler or the loader said.
    options : str
        The options that it was built with.
    variants : object
        What early variants of its kernels come from; None: there are none.
    """
    cdef DriverDevice device
    cdef lp_domain *domain         # a reference
    cdef void *handle
    cdef bytes data                # what was loaded; None: it was built
    cdef public str log
    cdef public str options
    cdef public object variants

    def __dealloc__(self):
        if self.handle != NULL and not lp_exiting and not lp_runtime.exiting:
            if not self.device.unloads:
                step_lets_go(NULL)
                self.domain.table.program_release(self.domain.device, self.handle)
            elif self.device.pool is not None:     # launches may still use it
                (<Pool>self.device.pool).depart(self.handle)
        if self.domain != NULL:
            domain_unref(self.domain)

    def kernel(self, str name not None, Py_ssize_t parameter_bytes=-1, dynamic_shared=None, uint64_t globals_address=0,
               str label=None, bint takes_record=False, bint waits=False):
        """Give the kernel whose entry point is called `name`.

        Parameters
        ----------
        name : str
        parameter_bytes : int
            The size of the packed arguments; -1: any up to the device's limit.
        dynamic_shared : bool, optional
            Whether it takes dynamic shared memory. None asks the library.
        globals_address : int
            Where the program's globals are; 0 if the kernel uses none.
        label : str, optional
            What messages and the log of driver calls call it: its name in the source. `name` if omitted.
        takes_record : bool
            It checks its accesses to memory; see `check_bounds`.
        waits : bool
            It waits at its entry for the kernel before it, so that it may be launched before that has ended.

        Raises
        ------
        CompileError
            It takes other arguments than launches give.
        DriverError
            There is none of that name; the message names those there are.
        """
        cdef kernel_use use
        cdef bytes entry = name.encode()
        cdef bytes text = (label or name).encode("utf-8", "backslashreplace")
        cdef const char *entry_name = entry
        cdef void *handle = NULL
        cdef DriverKernel kernel
        cdef int code
        use.parameter_bytes, use.any_size = max(parameter_bytes, 0), parameter_bytes < 0
        use.dynamic_shared = -1 if dynamic_shared is None else bool(dynamic_shared)
        use.globals_address, use.label, use.takes_record, use.waits = globals_address, text, takes_record, waits
        with nogil:                    # where modules are loaded lazily this may load, and wait
            code = self.domain.table.kernel_find(self.domain.device, self.handle, entry_name, &use, &handle)
        if code:
            called = repr(name) if label in (None, name) else f"{label!r} (entry point {name!r})"
            failed = failure(self.device.table, code, f"kernel {called}")
            kernels = self.kernels
            if kernels is not None and name not in kernels:
                failed = failure(self.device.table, code, f"no kernel {called}; there are: {', '.join(kernels)}")
            raise failed
        kernel = kernel_new(self.device, handle)
        kernel.program, kernel.entry, kernel.waits = self, name, waits and not self.device.dependent_lacks
        self.device.check_kernel(kernel, label or name, &use)
        return kernel

    @property
    def kernels(self):
        """The names of the kernels; None if the library does not tell. Asks it each time."""
        cdef lp_text names
        cdef int code
        if self.domain.table.program_kernels == NULL:
            return None
        memset(&names, 0, sizeof(names))
        with nogil:
            code = self.domain.table.program_kernels(self.domain.device, self.handle, &names)
        if code:
            raise failure(self.device.table, code, "querying the names of the program's kernels")
        return [name for name in text_words(&names).split(";") if name]

    def symbol(self, str name not None):
        """(address, bytes) of the global whose symbol is called `name`."""
        cdef bytes symbol = name.encode()
        cdef const char *symbol_name = symbol
        cdef void *address = NULL
        cdef size_t size = 0
        cdef int code
        if self.domain.table.program_symbol == NULL:
            raise NotImplementedError(f"{self.device.info['platform']} does not look up globals by their symbols")
        with nogil:
            code = self.domain.table.program_symbol(self.domain.device, self.handle, symbol_name, &address, &size)
        if code:
            raise failure(self.device.table, code)
        return <uintptr_t>address, size

    def binary(self):
        """Give the program as the device's own binary, for ``device.load``; of a loaded module what was loaded."""
        cdef lp_text binary
        cdef int code
        if self.domain.table.program_binary == NULL:
            return self.data
        memset(&binary, 0, sizeof(binary))
        with nogil:
            code = self.domain.table.program_binary(self.domain.device, self.handle, &binary)
        if code:
            raise failure(self.device.table, code, "querying the program's binary")
        try:
            return binary.bytes[:binary.size]
        finally:
            text_free(&binary)


cdef bint driver_answered(const driver_table *table, int code) except -1:
    """Whether a question was answered; raises if asking failed."""
    if code and code != ERROR_NOT_TOLD:
        raise failure(table, code)
    return code == 0


cdef DriverProgram program_new(DriverDevice device, bytes data):
    cdef DriverProgram program = DriverProgram.__new__(DriverProgram)
    program.device, program.domain, program.data = device, domain_ref(domain_of(device)), data
    program.log = program.options = ""
    return program


cdef DriverProgram program_build(DriverDevice device, str source, str options):
    """Build with the options that the driver wants, less those that its library refuses."""
    cdef DriverProgram program = program_new(device, None)
    cdef lp_domain *domain = program.domain
    cdef bytes text = source.encode(), chosen
    cdef const char *start = text
    cdef const char *chosen_options
    cdef size_t length = len(text)
    cdef lp_text log
    cdef int code = 0
    if domain.table.program_build == NULL:
        raise NotImplementedError(f"{device.info['platform']} does not compile source")
    for attempt in device.build_attempts(options):
        chosen = attempt.encode()
        chosen_options = chosen
        memset(&log, 0, sizeof(log))
        with nogil:
            code = domain.table.program_build(domain.device, start, length, chosen_options, &log, &program.handle)
        program.log, program.options = text_words(&log), attempt
        if code == 0 or not device.refuses_options(code, program.log):
            break
    if code:
        raise device.refusal(code, program.log, program.options)
    return program


cdef DriverProgram program_load(DriverDevice device, bytes data, str options):
    cdef DriverProgram program = program_new(device, data)
    cdef lp_domain *domain = program.domain
    cdef bytes image, chosen
    cdef const char *start
    cdef const char *chosen_options
    cdef size_t length = len(data)
    cdef lp_text log
    cdef int code
    if domain.table.program_load == NULL:
        raise NotImplementedError(f"{device.info['platform']} does not load programs")
    options = device.load_options(data, options)
    image, chosen = data + b"\0", options.encode()         # PTX is a C string
    start, chosen_options = image, chosen
    for last in (device.pool is None, True):
        memset(&log, 0, sizeof(log))
        begin_loading(device)
        try:
            with nogil:
                code = domain.table.program_load(domain.device, start, length, chosen_options, &log, &program.handle)
        finally:
            end_loading(device)
        program.log, program.options = text_words(&log), options
        if last or not code or not isinstance(failure(device.table, code), errors.OutOfMemoryError):
            break
        device.pool.trim()             # memory that the pool keeps may be what is short
    if code:
        raise device.refusal(code, program.log, options)
    if domain.table.output_show != NULL and (b"vprintf" in data or data.startswith(FAT_BINARY)):
        domain.prints = True           # a fat binary may be compressed, so its symbols are not looked for
    if device.pool is not None:
        device.pool.unload()
    return program


cdef bytes program_link(DriverDevice device, parts):
    """Link parts, (name, data, is text), to a binary for `program_load`."""
    cdef lp_domain *domain = domain_of(device)
    cdef list held = [(name.encode(), data + b"\0", len(data), is_text) for name, data, is_text in parts]
    cdef program_part *link_parts
    cdef lp_text log, binary
    cdef uint32_t n = <uint32_t>len(held), i
    cdef bytes label, image
    cdef int code
    if domain.table.program_link == NULL:
        raise NotImplementedError(f"{device.info['platform']} does not link programs")
    link_parts = <program_part *>calloc(max(n, 1), sizeof(program_part))
    if link_parts == NULL:
        raise MemoryError()
    memset(&log, 0, sizeof(log))
    memset(&binary, 0, sizeof(binary))
    try:
        for i in range(n):
            label, image, link_parts[i].size, link_parts[i].text = held[i]
            link_parts[i].name, link_parts[i].data = <const char *>label, <const char *>image     # `held` holds them
        with nogil:
            code = domain.table.program_link(domain.device, n, link_parts, &log, &binary)
        message = text_words(&log)
        if code:
            raise device.refusal(code, message, "")
        return binary.bytes[:binary.size]
    finally:
        free(link_parts)
        text_free(&log)
        text_free(&binary)


cdef int begin_loading(DriverDevice device) except -1:
    """Wait until a call may be made that waits for the device, if loading is one; refused in a host function."""
    if not device.loads_unheld:
        return 0
    # Whichever device's stream waits for it: those of this one may wait for that.
    if runs_host_function_of(device.table):
        raise errors.ConfigurationError(LOADING_WAITS.format(device.info["platform"], device.info["name"]))
    if device.pool is not None:
        device.pool.begin_unheld()
    return 0


cdef int end_loading(DriverDevice device) except -1:
    if device.loads_unheld and device.pool is not None:
        device.pool.end_unheld()
    return 0


cdef bint stream_is_blocking(DriverDevice device, uintptr_t handle) except -1:
    cdef lp_domain *domain = domain_of(device)
    cdef bint blocking = True
    cdef int code = ERROR_NOT_TOLD
    if domain.table.stream_blocking != NULL:
        with nogil:
            code = domain.table.stream_blocking(domain.device, <void *>handle, &blocking)
    return blocking if driver_answered(device.table, code) else True


cdef object device_of(DriverDevice device, uintptr_t address):
    cdef lp_domain *domain = domain_of(device)
    cdef int ordinal = -1, code = ERROR_NOT_TOLD
    if domain.table.address_device != NULL:
        with nogil:
            code = domain.table.address_device(domain.device, <void *>address, &ordinal)
    if code == ERROR_FORKED:
        raise failure(device.table, code)
    return None if code else ordinal
