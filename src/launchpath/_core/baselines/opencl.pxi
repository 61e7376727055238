# Past the driver's table on purpose, as all baselines.
#
# The fastest C sequence for a launch on OpenCL: what the benchmarks hold launchpath's own launch against.
#
# The packed bytes are set, the kernel is enqueued: no lock, no GIL, no ordering, no look at what was set before. The
# cl_kernel is one of its own, so that nothing of what the driver's kernel remembers becomes untrue. The queue is the
# stream's own, which does not become shared by this: whoever uses it sees to it that the core knows of a command before
# these (a hold), and synchronizes the stream after them.

cdef class OpenCLBaseline:
    """Launches by C's own loop, with the kernel, grid and block of a launcher.

    Parameters
    ----------
    launcher : Launcher
        ``kernel[grid, block]`` of a kernel without dynamic shared memory, on an OpenCL device.
    stream : Stream
        Its native queue takes the launches.
    """
    cdef Launcher launcher
    cdef QueueBase stream
    cdef DriverProgram program
    cdef opencl_device *device
    cdef void *kernel
    cdef void *queue
    cdef uint32_t dimensions
    cdef size_t total[3]
    cdef size_t local[3]
    cdef void **events             # of launches with times that nobody has read
    cdef uint32_t n_events
    cdef uint32_t room_events

    def __cinit__(self, Launcher launcher not None, QueueBase stream not None):
        cdef opencl_kernel *k
        cdef int32_t code = 0
        cdef int i
        if not isinstance(launcher.kernel.driver.device, OpenCLDevice) or stream.device is not launcher.kernel.device:
            raise errors.ArgumentValueError("expected a kernel and a stream of the same OpenCL device")
        k = <opencl_kernel *>launcher.kernel.handle
        if k.takes_shared:
            raise errors.ArgumentValueError("expected a kernel without dynamic shared memory, got a kernel with it")
        self.launcher, self.stream = launcher, stream
        self.program = launcher.kernel.driver.program
        self.device = (<OpenCLDevice>launcher.kernel.driver.device).device
        entry = launcher.kernel.driver.entry.encode()
        self.kernel = cl_api.clCreateKernel(self.program.handle, entry, &code)
        if self.kernel == NULL:
            raise opencl_error("clCreateKernel", code)
        if self.device.usm:
            opencl_allow_indirect(self.kernel)
        if k.globals != NULL:
            code = opencl_set_globals(self.device, self.kernel, 1 if k.takes_block else 0, k.globals)
            if code:
                raise failure(self.program.device.table, code)
        self.queue = (<opencl_queue *>stream.queue.handle).queue
        self.dimensions = 1
        for i in range(3):
            self.local[i] = launcher.config.block[i]
            self.total[i] = self.local[i] * launcher.config.grid[i]
            if self.total[i] > 1:
                self.dimensions = i + 1

    def __dealloc__(self):
        cdef uint32_t i
        if not lp_exiting:
            for i in range(self.n_events):
                cl_api.clReleaseEvent(self.events[i])
            if self.kernel != NULL:
                cl_api.clReleaseKernel(self.kernel)
        free(self.events)

    def launch(self, uint32_t n, bytes arguments not None, Py_ssize_t changing=-1, bint synchronize=False,
               bint timed=False):
        """Launch `n` times, and give the nanoseconds that took.

        Parameters
        ----------
        n : int
        arguments : bytes
            Packed, ``signature.size`` of them.
        changing : int
            Offset of an ``int`` that gets another value before every launch. -1: the arguments are set once before the
            clock starts, and only enqueueing is timed.
        synchronize : bool
            Finish the queue after every launch.
        timed : bool
            Keep an event of each launch, for `read_times`.
        """
        cdef bytes packed = bytes(bytearray(arguments))        # a copy that nobody else has: it is written to
        cdef char *at = packed
        cdef size_t size = len(packed)
        cdef size_t offset = <size_t>changing
        cdef uint32_t i
        cdef int32_t code = 0
        cdef bint sets = changing >= 0
        cdef void **event = NULL
        if timed and items_grow(<void **>&self.events, &self.room_events, self.n_events + n, sizeof(void *)):
            raise MemoryError
        if size != self.launcher.size or changing >= 0 and offset + sizeof(int32_t) > size:
            raise errors.SignatureError(f"expected {self.launcher.size} bytes of arguments, got {size}")
        if size:
            code = cl_api.clSetKernelArg(self.kernel, 0, size, at)
        began = _baseline_clock()
        with nogil:
            for i in range(n):
                if sets:
                    (<int32_t *>(at + offset))[0] = <int32_t>(i + 1)
                    code = cl_api.clSetKernelArg(self.kernel, 0, size, at)
                if timed:
                    event = &self.events[self.n_events]
                if code == 0:
                    code = cl_api.clEnqueueNDRangeKernel(self.queue, self.kernel, self.dimensions, NULL, self.total,
                                                         self.local, 0, NULL, event)
                    self.n_events += timed and code == 0
                if synchronize and code == 0:
                    code = cl_api.clFinish(self.queue)
                if code != 0:
                    break
        took = _baseline_clock() - began
        if code != 0:
            raise opencl_error("clEnqueueNDRangeKernel", code)
        return took

    def read_times(self):
        """Wait for the launches with times, and read begin and end of each; gives the nanoseconds that took."""
        cdef uint64_t started, ended
        cdef uint32_t i
        cdef int code = 0
        began = _baseline_clock()
        with nogil:
            cl_api.clFinish(self.queue)
            for i in range(self.n_events):
                code = code or opencl_profiled(self.events[i], CL_PROFILING_COMMAND_START, &started)
                code = code or opencl_profiled(self.events[i], CL_PROFILING_COMMAND_END, &ended)
                cl_api.clReleaseEvent(self.events[i])
            self.n_events = 0
        took = _baseline_clock() - began
        if code:
            raise failure(self.program.device.table, code)
        return took

    def native(self):
        """The library's own platform, device and context, as ints: another binding can work in the same context."""
        return <uintptr_t>self.device.platform, <uintptr_t>self.device.id, <uintptr_t>self.device.context


from time import perf_counter_ns as _baseline_clock
