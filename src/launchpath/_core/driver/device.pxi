# Devices as drivers find them: the part in Python of each driver.

cdef enum:
    SLAB = 2 << 20                # bytes


cdef class DriverDevice:
    """One device of one driver, as found. Drivers derive from it; the core wraps it.

    Attributes that Python reads: ``info``, a dict with ``name``, ``vendor``, ``platform``, ``driver_version``,
    ``driver`` (the table's name), ``kind`` ("cpu", "gpu", "simulated"), ``compute_units``, ``max_threads_per_block``,
    ``max_block`` (3 ints), ``max_grid`` (3 ints), ``shared_memory_per_block`` (bytes), ``parameter_bytes``,
    ``total_memory`` (bytes), ``priorities`` (lowest, highest; HIP's sense, lower number is more urgent; (0, 0) if
    none), ``dialect`` ("spirv", "clc-generic", "clc", "simulated").
    """
    cdef const driver_table *table    # the driver's own
    cdef void *handle             # first argument of queue_create, allocate, ...
    cdef void *context            # events can be waited for by queues with the same context only
    cdef bint host_accessible     # MEMORY_DEVICE can be read and written by the host
    cdef readonly str managed_lacks   # what MEMORY_MANAGED needs and the device does not have; empty: it has all
    # why kernels that launchpath compiles do not start before the kernel before them has ended; empty: they may
    cdef readonly str dependent_lacks
    # the host may use MEMORY_MANAGED while the device runs, but for bytes that running commands use
    cdef bint managed_concurrent
    cdef bint flush_each          # a command may not start until its queue is flushed
    # the library orders its legacy stream with blocking ones itself: the core leaves it to it
    cdef bint native
    cdef bint unloads             # releasing a program ends it, whatever launches of it have not run yet
    cdef bint loads_unheld        # `program_load` and `kernel_function` wait for the device: they need an unheld period
    cdef readonly bint stages     # a copy to or from memory that is not pinned blocks until the queue has come to it
    cdef size_t slab              # bytes of a piece of memory that small requests share
    cdef object pool              # the core's pool for this device, for what must outlive commands
    cdef public dict info
    # What a part of launchpath must know of it that no entry of the table tells: "runs_on_host", "foreign_streams" (they
    # can be adopted), "dlpack" and "dlpack_managed" (its kinds of memory there), "profiler", "keeps_local_memory", "calls"
    # (see `Driver.calls`). What is not there is not so
    cdef public dict traits

    def __cinit__(self, *args, **kwargs):
        self.slab, self.managed_lacks, self.dependent_lacks, self.traits = SLAB, "", "its driver has no dependent launches", {}

    def refuse_forked(self):
        """Raise in a process that was forked after a device of this driver had been opened: the library does not work
        there."""
        refuse_forked(self.table)

    def build(self, str source not None, str options=""):
        """Compile `source` and return a `DriverProgram`; raises `CompileError` with the compiler's log."""
        return program_build(self, source, options)

    def load(self, bytes data not None, str options=""):
        """Load the device's own binary, or what its library takes in its place, and return a `DriverProgram`.

        Raises
        ------
        CompileError
            The library refuses it; with what it says.
        """
        return program_load(self, data, options)

    def link(self, parts):
        """Link ``(name, data, is text)`` of several binaries to the one that `load` takes; text is PTX.

        Raises
        ------
        CompileError
            They do not link; with what the library says.
        NotImplementedError
            The library links nothing.
        """
        return program_link(self, parts)

    def adopt(self, uintptr_t function):
        """Give the kernel that foreign code loaded (CUfunction, hipFunction_t), which must stay loaded."""
        return kernel_adopt(self, function)

    def function_of(self, uintptr_t kernel):
        """Give the CUfunction of a CUkernel, as libraries of kernels have them, in this device's context."""
        return kernel_function(self, kernel)

    def stream_is_blocking(self, uintptr_t handle):
        """Whether a foreign stream is ordered with the legacy one; True if the library cannot tell."""
        return stream_is_blocking(self, handle)

    def device_of(self, uintptr_t address):
        """The ordinal of the device that an address is on, or None if the library does not know the address."""
        return device_of(self, address)

    # What drivers do differently before and after a call of the table's.

    cdef list build_attempts(self, str options):
        """The options to build with, from those wanted to the least that can work."""
        return [options]

    cdef bint refuses_options(self, int code, str log):
        """Whether a build failed for its options, so that others may do."""
        return False

    cdef str load_options(self, bytes data, str options):
        """The options to load with, or raise `LibraryError` if the device takes no such data."""
        return options

    cdef object refusal(self, int code, str log, str options):
        """The exception for a build or a load that failed."""
        return failure(self.table, code, log)

    cdef int check_kernel(self, DriverKernel kernel, str name, const kernel_use *use) except -1:
        """Raise if a kernel takes other arguments than launches give."""
        return 0


def device_traits(DeviceBase device not None):
    """The device's `DriverDevice.traits`."""
    return device.driver.traits
