# Kernels and their launch.
#
# A kernel takes one by-value struct (the packed bytes; none if there are no parameters), then the address of the
# program's globals if it uses any, the address of the launch's record if it checks its accesses, and last, if it uses
# dynamic shared memory, one `__local` pointer.

cdef enum:
    OPENCL_COPIES = 16         # of a kernel, for queues whose numbers differ by less

cdef struct opencl_kernel:
    char *name                 # as the source has it; first, see driver/table.pxi
    void *kernel               # cl_kernel
    lp_lock lock               # a cl_kernel's arguments belong to nobody: setting and enqueueing are one step
    uint32_t arguments
    bint takes_block           # argument 0 is the packed bytes
    bint takes_record          # argument `record_at` is the address of the launch's record
    uint32_t record_at
    bint takes_shared          # the last argument is the dynamic shared memory
    void *globals              # the argument after the packed bytes; NULL if there is none
    bint known                 # `bytes` are what argument 0 was last set to
    uint64_t most_shared       # of dynamic shared memory
    uint32_t shared            # what the last argument was last set to; 0 if that is not known
    size_t size
    size_t wanted              # what `size` must be; 0 if that is not known
    size_t room
    unsigned char *bytes
    opencl_device *device
    void *program              # cl_program
    char *entry                # the kernel's name there
    # NULL, until two threads want it at the same time; then a copy for each queue, made at its first launch, since threads
    # that share a cl_kernel wait for one another. The first is NULL: it stands for this one
    uint64_t *copies


cdef inline opencl_kernel *opencl_take_kernel(opencl_queue *queue, opencl_kernel *k) noexcept nogil:
    """Lock the kernel, or the copy that the queue uses."""
    if likely(lp_load(<uint64_t *>&k.copies) == 0 and lp_lock_try(&k.lock)):
        return k
    return opencl_take_copy(queue, k)


cdef opencl_kernel *opencl_take_copy(opencl_queue *queue, opencl_kernel *k) noexcept nogil:
    cdef uint32_t place = queue.number % OPENCL_COPIES
    cdef uint64_t *copies = <uint64_t *>lp_load(<uint64_t *>&k.copies)
    cdef opencl_kernel *copy
    if copies == NULL:
        copies = <uint64_t *>calloc(OPENCL_COPIES, sizeof(uint64_t))
        if copies != NULL and not lp_swap_if(<uint64_t *>&k.copies, 0, <uint64_t>copies):
            free(copies)               # another thread was first
            copies = <uint64_t *>lp_load(<uint64_t *>&k.copies)
    if copies != NULL and place:
        copy = <opencl_kernel *>lp_load(&copies[place])
        if copy == NULL:
            copy = opencl_copy_kernel(k)
            if copy != NULL and not lp_swap_if(&copies[place], 0, <uint64_t>copy):
                opencl_kernel_release(k.device, copy)
                copy = <opencl_kernel *>lp_load(&copies[place])
        if copy != NULL:               # else the queues share the kernel
            k = copy
    lp_lock_acquire(&k.lock)
    return k


cdef opencl_kernel *opencl_copy_kernel(opencl_kernel *k) noexcept nogil:
    """One more cl_kernel of the same function; NULL if there is no memory for it."""
    cdef int32_t code = 0
    cdef opencl_kernel *copy = <opencl_kernel *>calloc(1, sizeof(opencl_kernel))
    if copy == NULL:
        return NULL
    copy[0] = k[0]
    lp_lock_init(&copy.lock)
    copy.known, copy.shared, copy.copies, copy.name, copy.entry = False, 0, NULL, NULL, NULL
    copy.bytes = <unsigned char *>malloc(k.room + 1)
    copy.kernel = cl_api.clCreateKernel(k.program, k.entry, &code) if copy.bytes != NULL else NULL
    if copy.kernel == NULL or k.globals != NULL and opencl_set_globals(
            k.device, copy.kernel, 1 if k.takes_block else 0, k.globals):
        opencl_kernel_release(k.device, copy)
        return NULL
    if k.device.usm:
        opencl_allow_indirect(copy.kernel)
    return copy


cdef inline int opencl_launch(opencl_queue *queue, const driver_command *command) noexcept nogil:
    cdef opencl_kernel *k = opencl_take_kernel(queue, <opencl_kernel *>command.kernel)
    cdef const launch_config *config = command.config
    cdef const void *bytes = command.bytes
    cdef size_t size = command.size
    cdef size_t total[3]
    cdef size_t local[3]
    cdef int32_t code = 0
    cdef uint32_t shared
    cdef const char *call = "clSetKernelArg"
    local[0] = config.block[0]
    local[1] = config.block[1]
    local[2] = config.block[2]
    total[0] = local[0] * config.grid[0]
    total[1] = local[1] * config.grid[1]
    total[2] = local[2] * config.grid[2]
    if k.takes_block or size != 0:
        if not (k.known and k.size == size and memcmp(k.bytes, bytes, size) == 0):
            k.known = False
            # Without bytes the kernel would run with those of an earlier launch, and PoCL 3.1 takes any size.
            if size == 0 or size != k.wanted != 0:
                code = CL_INVALID_ARG_SIZE
            else:
                code = cl_api.clSetKernelArg(k.kernel, 0, size, bytes)
            if code == 0 and size <= k.room:
                memcpy(k.bytes, bytes, size)
                k.size = size
                k.known = True
    if unlikely(k.takes_record) and code == 0:
        code = opencl_set_record(k, command.launch_record)
    if k.takes_shared and code == 0:
        shared = config.shared if config.shared != 0 else 1      # a local argument of no bytes is refused
        if shared > k.most_shared:
            code = CL_OUT_OF_RESOURCES                          # PoCL 3.1 does not check, and aborts the process
        elif k.shared != shared:
            code = cl_api.clSetKernelArg(k.kernel, k.arguments - 1, shared, NULL)
            k.shared = shared if code == 0 else 0
    if code == 0:
        call = "clEnqueueNDRangeKernel"
        code = cl_api.clEnqueueNDRangeKernel(queue.queue, k.kernel, 3, NULL, total, local, command.n_waits,
                                             opencl_list(command.n_waits, command.waits), command.timing)
    lp_lock_release(&k.lock)
    return 0 if code == 0 else opencl_fail(call, code)


cdef inline int opencl_set_record(opencl_kernel *k, uint64_t record) noexcept nogil:
    """Set what a kernel that checks its accesses writes to: each launch has its own."""
    if record == 0:
        return CL_INVALID_ARG_SIZE     # it would write there
    return cl_api.clSetKernelArg(k.kernel, k.record_at, sizeof(record), &record)


cdef int opencl_kernel_find(void *handle, void *program, const char *name, const kernel_use *use,
                            void **kernel) noexcept nogil:
    cdef opencl_device *device = <opencl_device *>handle
    cdef opencl_kernel *k
    cdef int32_t code = 0
    cdef void *cl_kernel = cl_api.clCreateKernel(program, name, &code)
    if cl_kernel == NULL:
        return opencl_fail("clCreateKernel", code)
    k = <opencl_kernel *>calloc(1, sizeof(opencl_kernel))
    if k == NULL:
        cl_api.clReleaseKernel(cl_kernel)
        return ERROR_HOST_MEMORY
    lp_lock_init(&k.lock)
    k.kernel, k.device, k.program, k.entry = cl_kernel, device, program, strdup(name)
    k.wanted = 0 if use.any_size else use.parameter_bytes
    k.room = device.parameter_bytes if use.any_size else use.parameter_bytes
    k.bytes, k.name = <unsigned char *>malloc(k.room + 1), strdup(use.label)
    code = opencl_kernel_prepare(device, k, use) if (
        k.bytes != NULL and k.name != NULL and k.entry != NULL) else ERROR_HOST_MEMORY
    if code != 0:
        opencl_kernel_release(handle, k)
        return code
    kernel[0] = k
    return 0


cdef int opencl_kernel_prepare(opencl_device *device, opencl_kernel *k, const kernel_use *use) noexcept nogil:
    """Ask for the arguments, and set what never changes."""
    cdef uint32_t arguments = 0, hidden
    cdef uint64_t static = 0
    cdef int32_t code = cl_api.clGetKernelInfo(k.kernel, CL_KERNEL_NUM_ARGS, sizeof(arguments), &arguments, NULL)
    if code != 0:
        return opencl_fail("clGetKernelInfo", code)
    k.arguments = arguments
    k.globals = <void *><uintptr_t>use.globals_address
    k.takes_record = use.takes_record
    hidden = (1 if k.globals != NULL else 0) + (1 if k.takes_record else 0)
    k.takes_shared = (use.dynamic_shared > 0
                      or use.dynamic_shared < 0 and opencl_takes_shared(k.kernel, arguments, 2 + hidden))
    hidden += 1 if k.takes_shared else 0
    k.takes_block = arguments > hidden
    k.record_at = (1 if k.takes_block else 0) + (1 if k.globals != NULL else 0)
    code = opencl_kernel_number(device, k, CL_KERNEL_LOCAL_MEM_SIZE, &static)
    if code == 0 and k.globals != NULL and hidden <= arguments <= hidden + 1:
        code = opencl_set_globals(device, k.kernel, 1 if k.takes_block else 0, k.globals)
    if code != 0:
        return code
    k.most_shared = device.shared_memory - min(device.shared_memory, static)
    if device.usm:
        opencl_allow_indirect(k.kernel)
    return 0


cdef void opencl_kernel_release(void *handle, void *kernel) noexcept nogil:
    cdef opencl_kernel *k = <opencl_kernel *>kernel
    cdef int i
    if lp_exiting:
        return
    for i in range(OPENCL_COPIES if k.copies != NULL else 0):
        if k.copies[i]:
            opencl_kernel_release(handle, <opencl_kernel *>k.copies[i])
    if k.kernel != NULL:
        cl_api.clReleaseKernel(k.kernel)
    lp_lock_destroy(&k.lock)
    free(k.copies)
    free(k.bytes)
    free(k.entry)
    free(k.name)
    free(k)


cdef int opencl_kernel_get(void *handle, void *kernel, kernel_fact fact, int64_t *value) noexcept nogil:
    cdef opencl_device *device = <opencl_device *>handle
    cdef opencl_kernel *k = <opencl_kernel *>kernel
    cdef uint64_t number = 0
    cdef int code = 0
    if fact == KERNEL_MAX_THREADS and device.block_limit:
        number = device.block_limit
    elif fact == KERNEL_MAX_THREADS:
        code = opencl_kernel_number(device, k, CL_KERNEL_WORK_GROUP_SIZE, &number)
    elif fact == KERNEL_SHARED:
        code = opencl_kernel_number(device, k, CL_KERNEL_LOCAL_MEM_SIZE, &number)
    elif fact == KERNEL_LOCAL:
        code = opencl_kernel_number(device, k, CL_KERNEL_PRIVATE_MEM_SIZE, &number)
    elif fact == KERNEL_BLOCK_MULTIPLE:
        code = opencl_kernel_number(device, k, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, &number)
    elif fact == KERNEL_DYNAMIC_SHARED:
        number = k.takes_shared
    elif fact == KERNEL_TAKES_RECORD:
        number = k.takes_record
    elif fact == KERNEL_ARGUMENTS:
        number = k.arguments
    elif fact == KERNEL_FUNCTION:
        number = <uint64_t><uintptr_t>k.kernel
    else:
        code = ERROR_NOT_TOLD
    value[0] = <int64_t>number
    return code


cdef int opencl_set_globals(opencl_device *device, void *kernel, uint32_t argument, const void *address) noexcept nogil:
    """Set the address of the program's globals: once, it never changes."""
    cdef const char *call = "clSetKernelArgSVMPointer"
    cdef int32_t code
    if not device.usm:
        code = cl_api.clSetKernelArgSVMPointer(kernel, argument, address)
    else:
        call, code = "clSetKernelArgMemPointerINTEL", device.clSetKernelArgMemPointerINTEL(kernel, argument, address)
    return 0 if code == 0 else opencl_fail(call, code)


cdef bint opencl_takes_shared(void *kernel, uint32_t arguments, uint32_t most) noexcept nogil:
    cdef uint32_t qualifier = 0
    if arguments == 0:
        return False
    if cl_api.clGetKernelArgInfo(kernel, arguments - 1, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(qualifier), &qualifier,
                                 NULL) != 0:
        return arguments == most   # a binary built elsewhere may carry no argument information
    return qualifier == CL_KERNEL_ARG_ADDRESS_LOCAL


cdef void opencl_allow_indirect(void *kernel) noexcept nogil:
    """Addresses inside the packed bytes are reached indirectly; USM wants to be told, once. Refusing it is no error."""
    cdef uint32_t yes = 1
    cl_api.clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, sizeof(yes), &yes)
    cl_api.clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, sizeof(yes), &yes)
    cl_api.clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, sizeof(yes), &yes)


cdef int opencl_kernel_number(opencl_device *device, opencl_kernel *k, uint32_t query, uint64_t *number) noexcept nogil:
    cdef int32_t code = cl_api.clGetKernelWorkGroupInfo(k.kernel, device.id, query, sizeof(number[0]), number, NULL)
    return 0 if code == 0 else opencl_fail("clGetKernelWorkGroupInfo", code)
