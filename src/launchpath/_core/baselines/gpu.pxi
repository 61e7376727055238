# Past the driver's table on purpose, as all baselines.
#
# The fastest C sequence for a launch on CUDA and HIP: what the benchmarks hold launchpath's own launch against.
#
# One call with the packed bytes, on the stream's own handle: no look at which context is current, no lock, no ordering.


cdef class GPUBaseline:
    """Launches by C's own loop, with the kernel, grid and block of a launcher.

    Parameters
    ----------
    launcher : Launcher
        ``kernel[grid, block]`` on a CUDA or HIP device.
    stream : Stream
        Its native stream takes the launches.
    """
    cdef Launcher launcher
    cdef QueueBase stream
    cdef gpu_kernel *kernel
    cdef gpu_device *device
    cdef void *native_stream

    def __cinit__(self, Launcher launcher not None, QueueBase stream not None):
        if not isinstance(launcher.kernel.driver.device, GPUDevice) or stream.device is not launcher.kernel.device:
            raise errors.ArgumentValueError("expected a kernel and a stream of the same CUDA or HIP device")
        self.launcher, self.stream = launcher, stream
        self.kernel = <gpu_kernel *>launcher.kernel.handle
        self.device = self.kernel.device
        self.native_stream = (<gpu_queue *>stream.queue.handle).stream

    def callable(self, bytes arguments not None):
        """Give a callable that launches with these packed bytes whatever it is called with.

        A loop that calls it with a launcher's arguments costs what Python itself makes of such a call: fetching the
        arguments, counting references, one call of a C function. What a launch costs beyond that is launchpath's own.
        """
        cdef BaselineCall call = BaselineCall.__new__(BaselineCall)
        call.vectorcall = <vectorcallfunc>baseline_call
        call.baseline, call.bytes = self, arguments
        if len(arguments) != self.launcher.size:
            raise errors.SignatureError(f"expected {self.launcher.size} bytes of arguments, got {len(arguments)}")
        call.extra[0], call.extra[1] = <void *>GPU_LAUNCH_BUFFER_POINTER, <char *>arguments
        call.extra[2], call.extra[3] = <void *>GPU_LAUNCH_BUFFER_SIZE, &self.kernel.size
        call.extra[4] = <void *>self.device.library.launch_end
        return call

    def launch(self, uint32_t n, bytes arguments not None, Py_ssize_t changing=-1, bint synchronize=False):
        """Launch `n` times, and give the nanoseconds that took; see `OpenCLBaseline.launch`."""
        cdef bytes packed = bytes(bytearray(arguments))        # a copy that nobody else has: it is written to
        cdef char *at = packed
        cdef size_t size = len(packed)
        cdef size_t offset = <size_t>changing
        cdef uint32_t i
        cdef int code = 0
        cdef bint sets = changing >= 0
        cdef gpu_functions *call = &self.device.library.call
        cdef launch_config *config = &self.launcher.config
        cdef gpu_context context
        cdef void *extra[5]
        if size != self.launcher.size or changing >= 0 and offset + sizeof(int32_t) > size:
            raise errors.SignatureError(f"expected {self.launcher.size} bytes of arguments, got {size}")
        extra[0], extra[1] = <void *>GPU_LAUNCH_BUFFER_POINTER, at
        extra[2], extra[3] = <void *>GPU_LAUNCH_BUFFER_SIZE, &self.kernel.size
        extra[4] = <void *>self.device.library.launch_end
        code = gpu_begin(self.device, &context)
        if code:
            raise failure(self.device.library.table, code)
        began = _baseline_clock()
        with nogil:
            for i in range(n):
                if sets:
                    (<int32_t *>(at + offset))[0] = <int32_t>(i + 1)
                code = call.launch(self.kernel.function, config.grid[0], config.grid[1], config.grid[2],
                                   config.block[0], config.block[1], config.block[2], config.shared,
                                   self.native_stream, NULL, extra if size else NULL)
                if synchronize and code == 0:
                    code = call.stream_synchronize(self.native_stream)
                if code != 0:
                    break
        took = _baseline_clock() - began
        gpu_end(&context)
        if code != 0:
            raise failure(self.device.library.table, gpu_fail(self.device.library.names.launch, code))
        return took


cdef int gpu_free_after(gpu_queue *q, void *address) noexcept nogil:
    """Free memory behind what a stream holds, or once that is complete where nothing is freed in a stream's order."""
    cdef gpu_functions *call = &q.device.library.call
    cdef const char *name = q.device.library.names.free_ordered
    cdef gpu_context context
    cdef int code = gpu_begin(q.device, &context)
    if code:
        return code
    if q.device.pool != NULL:
        code = call.free_ordered(address, q.stream)
    else:
        name, code = q.device.library.names.stream_synchronize, call.stream_synchronize(q.stream)
        if code == 0:
            name, code = q.device.library.names.free, call.free(address)
    return gpu_end_call(&context, name, code)


def cupti_callbacks(bint on):
    """While a trace has CUPTI: let CUPTI call launchpath at each command, or only record kernels as for a C program that
    wants nothing else. Then no command of launchpath's may be submitted."""
    cdef size_t i
    cdef int code = 0
    if gpu_cupti.subscriber == NULL:
        raise errors.LaunchpathError("CUPTI is not attached")
    for i in range(CUPTI_COMMANDS):
        if code == 0:
            code = gpu_cupti.call.watch(on, gpu_cupti.subscriber, CUPTI_DOMAIN_DRIVER, cupti_commands[i])
    if code:
        raise errors.LaunchpathError(f"CUPTI: {cupti_text(code)}")


cdef class BaselineCall:
    cdef vectorcallfunc vectorcall
    cdef GPUBaseline baseline
    cdef bytes bytes
    cdef void *extra[5]

    def __call__(self, *args):
        """Launch."""
        return call_vector(self, args, {})


cdef object baseline_call(PyObject *callable, PyObject **args, size_t nargsf, PyObject *names):
    cdef BaselineCall self = <BaselineCall><object>callable
    cdef launch_config *config = &self.baseline.launcher.config
    cdef int code = self.baseline.device.library.call.launch(
        self.baseline.kernel.function, config.grid[0], config.grid[1], config.grid[2], config.block[0], config.block[1],
        config.block[2], config.shared, self.baseline.native_stream, NULL,
        self.extra if self.baseline.launcher.size else NULL)
    if code:
        raise failure(self.baseline.device.library.table, gpu_fail(self.baseline.device.library.names.launch, code))
    return None


cdef BaselineCall _baseline_probe = BaselineCall.__new__(BaselineCall)
install_vectorcall(BaselineCall, <char *>&_baseline_probe.vectorcall - <char *><PyObject *>_baseline_probe)
