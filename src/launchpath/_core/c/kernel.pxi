# Kernels of C code: what a launch needs of a Kernel without Python.

cdef struct c_place:           # of an argument among the packed ones, in bytes
    uint32_t offset
    uint32_t size

cdef struct c_kernel:
    # All of it is read under the lock of the queue that it is launched on; `c_withdraw` takes each of them before it frees it.
    # It begins a cache line, and the places of the first arguments are in its second one: a launch reads both after the
    # driver has emptied the caches.
    void *handle
    const char *label
    lp_domain *domain
    PyObject *kernel           # a reference
    void *memory               # that it is in
    uint32_t size              # of the packed arguments
    uint32_t count             # of the parameters
    uint32_t max_threads
    uint32_t shared_most       # dynamic shared memory that needs no preparation
    uint32_t max_block[3]
    uint32_t max_grid[3]
    uint8_t padded             # bytes between the arguments are compared too
    uint8_t plain              # a launch is packing, and a call of the driver's
    uint8_t rows_are_warps


cdef inline const c_place *c_places(const c_kernel *kernel) noexcept nogil:
    return <const c_place *>(kernel + 1)


def c_publish(KernelBase kernel not None):
    """The handle by which C code names a kernel, until `c_withdraw`."""
    cdef uint64_t handle
    cdef Py_ssize_t i
    cdef c_place *places
    cdef void *memory = calloc(1, sizeof(c_kernel) + kernel.count * sizeof(c_place) + 63)
    cdef c_kernel *c = <c_kernel *>((<uintptr_t>memory + 63) & ~<uintptr_t>63)
    if memory == NULL:
        raise MemoryError
    c.memory = memory
    places = <c_place *>(c + 1)
    for i in range(kernel.count):
        places[i].size, places[i].offset = kernel.sizes[i], kernel.parameters[i].offset
    c.handle, c.label, c.domain = kernel.handle, kernel.label, kernel.device.domain
    c.size, c.count = <uint32_t>kernel.size, <uint32_t>kernel.count
    c.max_threads, c.rows_are_warps, c.padded = kernel.max_threads, kernel.rows_are_warps, kernel.padded
    for i in range(3):
        c.max_block[i], c.max_grid[i] = kernel.max_block[i], <uint32_t>min(kernel.max_grid[i], 0xffffffff)
    c_prepare(c, kernel)
    c.kernel = <PyObject *>kernel
    Py_INCREF(kernel)
    handle = handle_take(HANDLE_KERNEL, c)
    if handle == 0:
        Py_DECREF(kernel)
        free(memory)
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
        free(c.memory)
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
    queues_unlist(queues, n)
    return code
