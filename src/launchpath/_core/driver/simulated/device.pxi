# The simulated driver's device, as the core wraps it.

from launchpath.errors import CompileError as sim_CompileError


cdef SimulatedDevice sim_device_new(Simulated machine, int index, bint share_context, bint host_accessible,
                                    bint flush_each, size_t slab, int reach, dict facts):
    cdef sim_machine *m = machine.m
    cdef sim_device *d = <sim_device *>calloc(1, sizeof(sim_device))
    cdef SimulatedDevice device = SimulatedDevice.__new__(SimulatedDevice)
    m.devices[index] = d
    m.n_devices = index + 1
    m.refs += 1
    device.machine, device.d = machine, d
    device.table, device.handle = &sim_table, d
    device.context = <void *>m if share_context else <void *>d
    device.host_accessible, device.flush_each, device.slab = host_accessible, flush_each, slab
    device.info = dict(facts)
    device.info.setdefault("workarounds", ())
    if len(machine.devices) or facts["name"] != "Simulated":
        device.info["name"] = f"{facts['name']} {index}"
    d.machine, d.index, d.context = m, index, device.context
    d.host_accessible, d.flush_each = host_accessible, flush_each
    d.reach = reach
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

    def __init__(self):
        raise TypeError("use Simulated to create devices")

    def manage(self, str managed):
        """Set what managed memory there is, before the core uses the device; see `Simulated`."""
        self.managed_lacks = {"concurrent": "", "idle": "", "none": "it simulates none"}[managed]
        self.managed_concurrent = managed == "concurrent"

    def unload(self, bint unloads, bint known=True):
        """Set whether releasing a program unloads it; see `Simulated`. `known`: the core knows it."""
        self.d.unloads = unloads
        self.unloads = unloads and known

    def launch_dependently(self, bint dependent):
        """Set whether kernels that wait at their entry may start while the kernel before them ends; see `Simulated`."""
        self.dependent_lacks = "" if dependent else "its machine simulates none"

    def forget_wait(self, str name not None):
        """Let kernels of a name, looked up from now on, not wait at their entry though the core is told that they do: a
        mistake, to see that it is noticed."""
        cdef bytes text = name.encode()
        cdef sim_kernel *k
        lp_lock_acquire(&self.d.machine.lock)
        k = self.d.machine.kernels
        while k != NULL:
            k.lacks |= k.device == self.d and strcmp(k.name, text) == 0
            k = k.next
        lp_lock_release(&self.d.machine.lock)

    def release(self, DriverKernel kernel not None, bint program=False):
        """Release a kernel, or its program, which the core goes on to use: a mistake, to see that it is noticed."""
        if program:
            sim_program_release(self.d, kernel.program.handle)
        else:
            sim_kernel_release(self.d, kernel.handle)

    cdef object refusal(self, int code, str log, str options):
        return sim_CompileError("the source does not compile", log)

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
        if function is not None and not callable(function):
            raise TypeError(f"expected a callable function, got {type(function).__name__}")
        sim_kernel_new(self.d, name, function, list(parameters))
        self.machine.functions.append(function)

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
