# The baseline of argument blocks: the same launches by a loop in C, directly on the driver table.


cdef class BlockBaseline:
    """Launches of a kernel that takes the address of its arguments, without the core.

    Parameters
    ----------
    launcher : Launcher
        ``kernel[grid, block]`` of a kernel whose arguments go by a block.
    stream : Stream
        Its queue takes the launches. Whoever uses this sees to it that nothing else does meanwhile, and synchronizes
        the stream before; it knows nothing of these launches.
    """
    cdef Launcher launcher
    cdef QueueBase stream
    cdef Allocation device, staging
    cdef uint32_t pieces

    def __cinit__(self, Launcher launcher not None, QueueBase stream not None):
        if not launcher.kernel.by_block or stream.device is not launcher.kernel.device:
            raise errors.ArgumentValueError("expected a kernel with its arguments in a block, and its stream")
        self.launcher, self.stream = launcher, stream
        self.device = stream.device.pool.allocate(launcher.size)
        self.pieces = 64
        self.staging = stream.device.pool.allocate(launcher.size * self.pieces, None, MEMORY_HOST)

    def launch(self, uint32_t n, bytes arguments not None, bint changed=False, bint fresh=False):
        """Launch `n` times, and give the nanoseconds that took until all of them were complete.

        Parameters
        ----------
        n : int
        arguments : bytes
            Packed, ``signature.size`` of them. They are uploaded once before the clock starts.
        changed : bool
            Upload for every launch, from one of 64 pieces of pinned memory.
        fresh : bool
            Allocate device memory, upload, launch and free for every launch, and finish the queue before the free where
            the driver does not free in a stream's order.
        """
        cdef const char *bytes_ = arguments
        cdef lp_queue *queue = self.stream.queue
        cdef const driver_table *table = queue.table
        cdef driver_command upload, launch
        cdef copy_command copy
        cdef size_t size = self.launcher.size
        cdef void *address = self.device.address
        cdef char *staging
        cdef uint32_t i
        cdef int code
        if <size_t>len(arguments) != size:
            raise errors.SignatureError(f"expected {size} bytes of arguments, got {len(arguments)}")
        memcpy(self.staging.address, bytes_, size)
        with nogil:
            command_set_copy(&upload, &copy, address, self.staging.address, size, COPY_UP)
            command_set_launch(&launch, self.launcher.handle, self.launcher.label, &self.launcher.config, &address,
                               sizeof(void *))
            code = table.submit(queue.handle, &upload)
            code = code or table.queue_finish(queue.handle)
        began = _baseline_clock()
        with nogil:
            for i in range(n):
                if code:
                    break
                if fresh:
                    code = table.allocate(self.stream.device.domain.device, queue.handle, size, MEMORY_DEVICE, &address)
                if (fresh or changed) and code == 0:
                    staging = <char *>self.staging.address + i % self.pieces * size
                    memcpy(staging, bytes_, size)
                    copy.to, copy.source = address, staging
                    code = table.submit(queue.handle, &upload)
                if code == 0:
                    code = queue.submit(queue.handle, &launch)
                if fresh and code == 0 and queue.native:
                    code = gpu_free_after(<gpu_queue *>queue.handle, address)
                elif fresh and code == 0:
                    code = table.queue_finish(queue.handle)
                    code = code or table.free(self.stream.device.domain.device, address, MEMORY_DEVICE)
            code = code or table.queue_finish(queue.handle)
        took = _baseline_clock() - began
        if code:
            raise failure(table, code)
        return took
