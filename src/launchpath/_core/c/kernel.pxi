# Kernels of C code: what a launch needs of a Kernel without Python.

cdef struct c_kernel:
    # All of it is read under the lock of the queue that it is launched on; `c_withdraw` takes each of them before it frees it.
    void *handle
    const char *label
    lp_domain *domain
    size_t size                # of the packed arguments
    uint32_t count             # of the parameters
    uint32_t max_threads
    uint32_t shared_most       # dynamic shared memory that needs no preparation
    uint32_t max_block[3]
    uint64_t max_grid[3]
    bint padded                # bytes between the arguments are compared too
    bint plain                 # a launch is packing, and a call of the driver's
    bint rows_are_warps
    uint32_t *sizes            # of the parameters, and after them their offsets
    uint32_t *offsets
    PyObject *kernel           # a reference


def c_publish(KernelBase kernel not None):
    """The handle by which C code names a kernel, until `c_withdraw`."""
    cdef uint64_t handle
    cdef Py_ssize_t i
    cdef c_kernel *c = <c_kernel *>calloc(1, sizeof(c_kernel) + 2 * (kernel.count + 1) * sizeof(uint32_t))
    if c == NULL:
        raise MemoryError
    c.sizes = <uint32_t *>(c + 1)
    c.offsets = c.sizes + kernel.count
    for i in range(kernel.count):
        c.sizes[i], c.offsets[i] = kernel.sizes[i], kernel.parameters[i].offset
    c.handle, c.label, c.domain = kernel.handle, kernel.label, kernel.device.domain
    c.size, c.count = kernel.size, <uint32_t>kernel.count
    c.max_threads, c.rows_are_warps, c.padded = kernel.max_threads, kernel.rows_are_warps, kernel.padded
    for i in range(3):
        c.max_block[i], c.max_grid[i] = kernel.max_block[i], kernel.max_grid[i]
    c_prepare(c, kernel)
    c.kernel = <PyObject *>kernel
    Py_INCREF(kernel)
    handle = handle_take(HANDLE_KERNEL, c)
    if handle == 0:
        Py_DECREF(kernel)
        free(c)
        raise MemoryError
    return handle


cdef void c_prepare(c_kernel *c, KernelBase kernel) noexcept:
    """Note what a launch by Python may have changed."""
    c.plain = (not kernel.by_block and not kernel.closing and not kernel.flags and c.size <= 8 * (STACK_WORDS - 1)
               and kernel.local_memory <= kernel.device.local_memory)
    c.shared_most = kernel.shared_default if kernel.dynamic else 0


def c_withdraw(uint64_t handle):
    """Let a kernel's handle name nothing any more. Launches that have begun are submitted then."""
    cdef int code
    cdef c_kernel *c
    with nogil:
        c = <c_kernel *>handle_drop(handle, HANDLE_KERNEL)
        code = pass_queues(c.domain) if c != NULL else 0
    if c != NULL and code == 0:                # else it stays: a launch may still read it
        Py_DECREF(<object>c.kernel)
        free(c)
        handle_give_back(handle)


cdef int pass_queues(lp_domain *domain) noexcept nogil:
    """Wait until every launch has ended that is under way on a queue of the device now."""
    cdef lp_queue **queues = NULL
    cdef uint32_t i, n = 0
    cdef int code
    lp_lock_acquire(&lp_runtime.registry_lock)
    code = list_every(domain, &queues, &n)
    lp_lock_release(&lp_runtime.registry_lock)
    for i in range(n):
        lp_lock_acquire(queues[i].lock)
        lp_lock_release(queues[i].lock)
    unlist(queues, n)
    return code
