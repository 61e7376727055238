# Past the driver's table on purpose, as all baselines.
#
# The fastest C sequences for memory on CUDA and HIP: allocating in a stream's order, and copying from and to host
# memory.


cdef class MemoryBaseline:
    """Allocations and copies by C's own loop.

    Parameters
    ----------
    stream : Stream
        Of a CUDA or HIP device. Its native stream takes the commands.
    """
    cdef QueueBase stream
    cdef gpu_device *device
    cdef void *native_stream

    def __cinit__(self, QueueBase stream not None):
        if not isinstance(stream.device.driver, GPUDevice):
            raise errors.ArgumentValueError("expected a stream of a CUDA or HIP device: only they have this baseline")
        self.stream = stream
        self.device = <gpu_device *>stream.device.driver.handle
        self.native_stream = (<gpu_queue *>stream.queue.handle).stream

    def allocate(self, uint32_t n, size_t size, bint fill=False):
        """Allocate and free `n` times in the stream's order, with a fill in between if `fill`, and give the nanoseconds
        that took."""
        cdef gpu_functions *call = &self.device.library.call
        cdef const gpu_names *names = self.device.library.names
        cdef const char *failed = names.pool_allocate
        cdef void *address = NULL
        cdef gpu_context context
        cdef uint32_t _i
        cdef int code = gpu_begin(self.device, &context)
        cdef int freed
        if code:
            raise failure(self.device.library.table, code)
        if self.device.pool == NULL:
            gpu_end(&context)
            raise errors.LaunchpathError("the library does not allocate in a stream's order")
        began = _baseline_clock()
        with nogil:
            for _i in range(n):
                failed = names.pool_allocate
                code = call.pool_allocate(&address, size, self.device.pool, self.native_stream)
                if code:
                    break
                if fill:
                    failed, code = names.fill32, call.fill32(address, 0x3F800000, size // 4, self.native_stream)
                freed = call.free_ordered(address, self.native_stream)     # whatever came of the fill
                if code == 0 and freed:
                    failed, code = names.free_ordered, freed
                if code:
                    break
        took = _baseline_clock() - began
        gpu_end(&context)
        if code:
            raise failure(self.device.library.table, gpu_fail(failed, code))
        return took

    def copy(self, uint32_t n, uintptr_t to, uintptr_t source, size_t size, bint synchronize=False):
        """Copy `n` times, waiting for each if `synchronize`, and give the nanoseconds that took."""
        cdef gpu_context context
        cdef uint32_t _i
        cdef int code = gpu_begin(self.device, &context)
        if code:
            raise failure(self.device.library.table, code)
        began = _baseline_clock()
        with nogil:
            for _i in range(n):
                code = gpu_copy(self.device, self.native_stream, <void *>to, <const void *>source, size)
                if code == 0 and synchronize:
                    code = self.device.library.call.stream_synchronize(self.native_stream)
                if code:
                    break
        took = _baseline_clock() - began
        gpu_end(&context)
        if code:
            raise failure(self.device.library.table, gpu_fail(self.device.library.names.copy, code))
        return took
