# The simulated driver's device, program and kernel, as the core wraps them.

from launchpath.errors import CompileError as sim_CompileError


cdef SimulatedDevice sim_device_new(Simulated machine, int index, bint share_context, bint host_accessible,
                                    bint flush_each, dict facts):
    cdef sim_machine *m = machine.m
    cdef sim_device *d = <sim_device *>calloc(1, sizeof(sim_device))
    cdef SimulatedDevice device = SimulatedDevice.__new__(SimulatedDevice)
    m.devices[index] = d
    m.n_devices = index + 1
    m.refs += 1
    device.machine, device.d = machine, d
    device.table, device.handle = &sim_table, d
    device.context = <void *>m if share_context else <void *>d
    device.host_accessible, device.flush_each = host_accessible, flush_each
    device.info = dict(facts)
    device.kernels = {}
    if len(machine.devices) or facts["name"] != "Simulated":
        device.info["name"] = f"{facts['name']} {index}"
    d.machine, d.index, d.context = m, index, device.context
    d.host_accessible, d.flush_each = host_accessible, flush_each
    d.capacity = facts["total_memory"]
    d.max_threads = facts["max_threads_per_block"]
    for i in range(3):
        d.max_block[i], d.max_grid[i] = facts["max_block"][i], facts["max_grid"][i]
    d.max_shared, d.max_parameters = facts["shared_memory_per_block"], facts["parameter_bytes"]
    device.implement("mix", None, [("pointer", 0, 8, False, (2, 4)), ("pointer", 8, 8, True, (2, 4)),
                                   ("uint", 16, 4, True), ("uint", 20, 4, True)])
    return device


cdef class SimulatedDevice(DriverDevice):
    """One device of a `Simulated` machine."""
    cdef readonly Simulated machine
    cdef sim_device *d
    cdef dict kernels

    def __init__(self):
        raise TypeError("devices are made by Simulated")

    def __dealloc__(self):
        cdef sim_machine *m
        if self.d != NULL:
            m = self.d.machine
            self.d = NULL
            sim_machine_drop(m)

    def implement(self, str name, function, parameters):
        """Say what a kernel does and what it touches.

        Parameters
        ----------
        name : str
            The kernel's name; a later one of the same name replaces it for kernels looked up from then on.
        function : callable or None
            Called with a `SimulatedCall` when a launch runs. None means the built-in ``mix``.
        parameters : list of tuple
            (kind, offset, size, const) for each, kind one of "pointer", "int", "uint", "float", "struct". A pointer's
            memory is taken to be read (const) or read and written, from the address to its allocation's end, or for as
            many bytes as a fifth item says: a number, or (index, scale) for `scale` times the integer parameter of that
            index. A pointer inside a struct is one more entry, at its own offset.
        """
        cdef sim_kernel *k
        if function is not None and not callable(function):
            raise TypeError("function must be callable")
        k = sim_kernel_new(self.d, name, function, list(parameters))
        self.machine.functions.append(function)
        self.kernels[name] = <uintptr_t>k

    def build(self, str source, str options=""):
        """A program that has every kernel implemented so far or later; `source` is kept, and a ``#error`` fails."""
        cdef SimulatedProgram program
        refuse_forked(self.table)
        for number, line in enumerate(source.splitlines(), 1):
            if line.lstrip().startswith("#error"):
                raise sim_CompileError("the source does not compile", f"{number}: {line.strip()}")
        program = SimulatedProgram.__new__(SimulatedProgram)
        program.device, program.source, program.options, program.log = self, source, options, ""
        return program

    @property
    def allocations(self):
        """Live allocations."""
        return self.d.allocations

    @property
    def used(self):
        """Bytes of device memory in live allocations."""
        return self.d.used

    @property
    def used_host(self):
        """Bytes of pinned host memory in live allocations."""
        return self.d.used_host

    @property
    def capacity(self):
        """Bytes of device memory that can be allocated."""
        return self.d.capacity

    @capacity.setter
    def capacity(self, uint64_t value):
        self.d.capacity = value


cdef class SimulatedProgram(DriverProgram):
    """A program of a `SimulatedDevice`."""
    cdef readonly SimulatedDevice device
    cdef readonly str source
    cdef readonly str options

    def kernel(self, str name, Py_ssize_t parameter_bytes=-1, dynamic_shared=None, uint64_t globals_address=0):
        """The kernel of that name; `CompileError` if nothing implements it. Python functions know their globals."""
        cdef SimulatedKernel kernel
        refuse_forked(self.device.table)
        if name not in self.device.kernels:
            raise sim_CompileError(f"no kernel {name!r} has been implemented on the simulated device")
        kernel = SimulatedKernel.__new__(SimulatedKernel)
        kernel.program, kernel.table = self, &sim_table
        kernel.handle = <void *><uintptr_t>self.device.kernels[name]
        kernel.info = {"max_threads_per_block": self.device.info["max_threads_per_block"], "name": name}
        return kernel


cdef class SimulatedKernel(DriverKernel):
    """A kernel of a `SimulatedProgram`."""
    cdef readonly SimulatedProgram program
