# Kernels of a driver, as Python objects: found in a program, or adopted from other code.

cimport cython


@cython.no_gc_clear
cdef class DriverKernel:
    """A kernel of a program, or one that foreign code loaded: `handle` goes to `launch`. It keeps its program alive.

    Attributes
    ----------
    entry : str
        The name of its entry point, by which the driver knows it; empty for what foreign code loaded.
    info : dict
        What the driver knows of ``max_threads_per_block``, ``shared_memory`` (static, bytes of a block),
        ``local_memory`` (bytes of a thread), ``registers`` (of a thread), ``preferred_block_multiple`` and
        ``dynamic_shared``.
    checks : object
        For the messages about its failed checks, if it checks its accesses to memory: what `register_bounds_error` says.
    """
    cdef const driver_table *table  # the driver's own, for names of errors
    cdef void *handle
    cdef readonly DriverDevice device
    cdef lp_domain *domain         # a reference
    cdef DriverProgram program     # None: foreign code's
    cdef readonly str entry
    cdef readonly bint waits       # at its entry for the kernel before it, so that it may start before that has ended
    # Its early variant, whose module stays as long as the kernel, or None: see `pair`
    cdef readonly DriverKernel early
    cdef public dict info
    cdef public object checks

    def __dealloc__(self):
        if self.handle != NULL and not lp_exiting and not lp_runtime.exiting:
            kernels_by_handle.pop(<uintptr_t>self.handle, None)
            known_kernels.pop(<uintptr_t>self.handle, None)
            step_lets_go(self.handle)
            self.domain.table.kernel_release(self.domain.device, self.handle)
        if self.domain != NULL:
            domain_unref(self.domain)

    cdef object fact(self, kernel_fact fact):
        """What the driver knows of the kernel, an int; None if it cannot tell."""
        cdef int64_t value = 0
        cdef int code
        with nogil:
            code = self.domain.table.kernel_get(self.domain.device, self.handle, fact, &value)
        if code == ERROR_NOT_TOLD:
            return None
        if code:
            raise failure(self.table, code)
        return value

    def facts(self):
        """What the driver knows besides `info`, which it is asked for here and not before, by the names of
        `Attributes`; None where it cannot tell."""
        return {fact_names[fact].decode(): self.fact(<kernel_fact>fact)
                for fact in range(<int>KERNEL_CONSTANT, <int>KERNEL_TAKES_RECORD)}

    @property
    def function(self):
        """The library's own handle, as an int."""
        return self.fact(KERNEL_FUNCTION)

    def take_parameters(self, list places not None):
        """Note the kernel's parameters, [(offset, size)] in the packed bytes, before it is launched."""
        cdef uint32_t i, n = len(places)
        cdef size_t *both
        cdef int code
        if self.domain.table.kernel_lay_out == NULL or not n:
            return
        both = <size_t *>calloc(2 * n, sizeof(size_t))
        if both == NULL:
            raise MemoryError
        try:
            for i in range(n):
                both[i], both[n + i] = places[i]
            with nogil:
                code = self.domain.table.kernel_lay_out(self.domain.device, self.handle, n, both, both + n)
            if code:
                raise failure(self.table, code)
        finally:
            free(both)

    @property
    def variants(self):
        """What its program's early variants come from (`launchpath._programs.builds.variants`), or None."""
        return None if self.program is None else self.program.variants

    @property
    def label(self):
        """What messages call it."""
        return (<const char **>self.handle)[0].decode(errors="replace")

    def pair(self, DriverKernel early not None):
        """Let frozen steps launch another kernel in this one's place where an early trigger pays: it does the same, and has
        the trigger. Once, for good. False: the driver has no such graphs."""
        cdef int code
        if self.domain.table.kernel_pair == NULL:
            return False
        with nogil:
            code = self.domain.table.kernel_pair(self.domain.device, self.handle, early.handle)
        if code:
            raise failure(self.table, code)
        self.early = early
        return True

    def allow_shared(self, size_t size):
        """Prepare for launches with `size` bytes of dynamic shared memory, which is more than the device's default."""
        cdef int code
        if self.domain.table.kernel_allow_shared == NULL:
            return
        with nogil:
            code = self.domain.table.kernel_allow_shared(self.domain.device, self.handle, size)
        if code and code != ERROR_NOT_TOLD:
            name = (<const char **>self.handle)[0].decode(errors="replace")
            raise failure(self.table, code, f"{name}: {size} bytes of dynamic shared memory")

    def occupancy(self, int threads, size_t shared):
        """How many blocks of so many threads run on one compute unit at a time; None if the driver cannot tell."""
        cdef int blocks = 0, code = ERROR_NOT_TOLD
        if self.domain.table.kernel_occupancy != NULL:
            with nogil:
                code = self.domain.table.kernel_occupancy(self.domain.device, self.handle, threads, shared, &blocks)
        return blocks if driver_answered(self.table, code) else None

    def suggest_block(self, size_t shared, int most):
        """(threads of a block that keep the device busiest, blocks that fill it); None if the driver cannot tell."""
        cdef int threads = 0, blocks = 0, code = ERROR_NOT_TOLD
        if self.domain.table.kernel_suggest != NULL:
            with nogil:
                code = self.domain.table.kernel_suggest(self.domain.device, self.handle, shared, most, &threads,
                                                        &blocks)
        return (threads, blocks) if driver_answered(self.table, code) else None

    def parameter_layout(self):
        """[(offset, size)] of the kernel's parameters as the driver sees them; None if it cannot tell."""
        cdef size_t offset = 0, size = 0
        cdef list layout = []
        cdef int code
        if self.domain.table.kernel_parameter == NULL:
            return None
        while True:
            index = <size_t>len(layout)
            with nogil:
                code = self.domain.table.kernel_parameter(self.domain.device, self.handle, index, &offset, &size)
            if code == ERROR_NO_MORE:
                return layout
            if not driver_answered(self.table, code):
                return None
            layout.append((offset, size))


cdef DriverKernel kernel_new(DriverDevice device, void *handle):
    cdef DriverKernel kernel = DriverKernel.__new__(DriverKernel)
    cdef dict info = {}
    cdef int fact
    kernel.device, kernel.domain = device, domain_ref(domain_of(device))
    kernel.table, kernel.handle, kernel.entry = device.table, handle, ""
    for fact in range(KERNEL_ARGUMENTS):
        value = kernel.fact(<kernel_fact>fact)
        if value is not None:
            info[fact_names[fact].decode()] = bool(value) if fact == KERNEL_DYNAMIC_SHARED else value
    kernel.info = info
    kernels_by_handle[<uintptr_t>handle] = <uintptr_t><PyObject *>kernel
    return kernel


cdef DriverKernel kernel_adopt(DriverDevice device, uintptr_t function):
    cdef lp_domain *domain = domain_of(device)
    cdef void *handle = NULL
    cdef int code
    if domain.table.kernel_adopt == NULL:
        raise NotImplementedError(f"kernels that other code loaded for {device.info['platform']} cannot be adopted")
    with nogil:
        code = domain.table.kernel_adopt(domain.device, <void *>function, &handle)
    if code:
        raise failure(device.table, code)
    return kernel_new(device, handle)


cdef object kernel_function(DriverDevice device, uintptr_t kernel):
    cdef lp_domain *domain = domain_of(device)
    cdef void *function = NULL
    cdef int code
    if domain.table.kernel_function == NULL:
        raise NotImplementedError(f"{device.info['platform']} has no libraries of kernels")
    begin_loading(device)
    try:
        with nogil:
            code = domain.table.kernel_function(domain.device, <void *>kernel, &function)
    finally:
        end_loading(device)
    if code:
        raise failure(device.table, code)
    return <uintptr_t>function
