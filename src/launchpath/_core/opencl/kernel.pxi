# Kernels and their launch.
#
# A kernel takes one by-value struct (the packed bytes; none if there are no parameters), then the address of the program's
# globals if it uses any, and last, if it uses dynamic shared memory, one `__local` pointer.

# NVIDIA answers CL_KERNEL_WORK_GROUP_SIZE with 256 for every kernel, which fits whatever its registers, and runs blocks of
# 1024: there the device's limit is checked, and the enqueue has the last word.
OPENCL_CAUTIOUS_BLOCKS = frozenset({"NVIDIA CUDA"})

cdef struct opencl_kernel:
    void *kernel               # cl_kernel
    lp_lock lock               # a cl_kernel's arguments belong to nobody: setting and enqueueing are one step
    uint32_t arguments
    bint takes_block           # argument 0 is the packed bytes
    bint takes_shared          # the last argument is the dynamic shared memory
    void *globals              # the argument after the packed bytes; NULL if there is none
    bint known                 # `bytes` are what argument 0 was last set to
    uint64_t most_shared       # of dynamic shared memory
    uint32_t shared            # what the last argument was last set to; 0 if that is not known
    size_t size
    size_t wanted              # what `size` must be; 0 if that is not known
    size_t room
    unsigned char *bytes


cdef int opencl_launch(void *queue, void *kernel, const launch_config *config, const void *bytes, size_t size,
                       uint32_t n_waits, void **waits) noexcept nogil:
    cdef opencl_kernel *k = <opencl_kernel *>kernel
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
    lp_lock_acquire(&k.lock)
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
    if k.takes_shared and code == 0:
        shared = config.shared if config.shared != 0 else 1      # a local argument of no bytes is refused
        if shared > k.most_shared:
            code = CL_OUT_OF_RESOURCES                          # PoCL 3.1 does not check, and aborts the process
        elif k.shared != shared:
            code = cl_api.clSetKernelArg(k.kernel, k.arguments - 1, shared, NULL)
            k.shared = shared if code == 0 else 0
    if code == 0:
        call = "clEnqueueNDRangeKernel"
        code = cl_api.clEnqueueNDRangeKernel((<opencl_queue *>queue).queue, k.kernel, 3, NULL, total, local, n_waits,
                                             opencl_list(n_waits, waits), NULL)
    lp_lock_release(&k.lock)
    return 0 if code == 0 else opencl_fail(call, code)


cdef class OpenCLKernel(DriverKernel):
    """A kernel of an `OpenCLProgram`, from ``program.kernel(name)``."""
    cdef OpenCLProgram program

    def __dealloc__(self):
        cdef opencl_kernel *k = <opencl_kernel *>self.handle
        if k == NULL or lp_exiting:
            return
        cl_api.clReleaseKernel(k.kernel)
        lp_lock_destroy(&k.lock)
        free(k.bytes)
        free(k)


cdef OpenCLKernel opencl_kernel_make(OpenCLProgram program, str name, Py_ssize_t parameter_bytes, dynamic_shared,
                                     uint64_t globals_address):
    cdef opencl_device *device = program.device.device
    cdef int32_t code = 0
    cdef uint32_t arguments = 0
    cdef void *kernel = cl_api.clCreateKernel(program.program, name.encode(), &code)
    if kernel == NULL:
        detail = f"no kernel {name!r}; there are: {', '.join(program.kernels)}" if code == CL_INVALID_KERNEL_NAME else ""
        raise opencl_error("clCreateKernel", code, detail)
    cdef OpenCLKernel made = OpenCLKernel.__new__(OpenCLKernel)
    cdef opencl_kernel *k = <opencl_kernel *>calloc(1, sizeof(opencl_kernel))
    if k != NULL:
        k.wanted = parameter_bytes if parameter_bytes >= 0 else 0
        k.room = parameter_bytes if parameter_bytes >= 0 else device.parameter_bytes
        k.bytes = <unsigned char *>malloc(k.room + 1)
    if k == NULL or k.bytes == NULL:
        free(k)
        cl_api.clReleaseKernel(kernel)
        raise MemoryError()
    lp_lock_init(&k.lock)
    k.kernel = kernel
    made.table = &opencl_table
    made.handle = k
    made.program = program
    code = cl_api.clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(arguments), &arguments, NULL)
    if code != 0:
        raise opencl_error("clGetKernelInfo", code)
    k.arguments = arguments
    k.globals = <void *><uintptr_t>globals_address
    cdef uint32_t hidden = 1 if k.globals != NULL else 0
    k.takes_shared = opencl_takes_shared(kernel, arguments, 2 + hidden) if dynamic_shared is None else bool(dynamic_shared)
    hidden += 1 if k.takes_shared else 0
    k.takes_block = arguments > hidden
    if not hidden <= arguments <= hidden + 1:
        wanted = ["one struct"]
        if k.globals != NULL:
            wanted.append("the globals' address")
        if k.takes_shared or dynamic_shared is None:
            wanted.append("dynamic shared memory")
        raise CompileError(f"kernel {name!r} has {arguments} OpenCL arguments, not {', '.join(wanted)}")
    if k.globals != NULL:
        opencl_set_globals(device, kernel, 1 if k.takes_block else 0, k.globals)
    static = opencl_kernel_number(device, kernel, CL_KERNEL_LOCAL_MEM_SIZE)
    k.most_shared = device.shared_memory - min(device.shared_memory, static)
    if device.usm:
        opencl_allow_indirect(kernel)
    made.info = {
        "max_threads_per_block": (
            program.device.info["max_threads_per_block"] if program.device.info["platform"] in OPENCL_CAUTIOUS_BLOCKS
            else opencl_kernel_number(device, kernel, CL_KERNEL_WORK_GROUP_SIZE)),
        "shared_memory": static,
        "local_memory": opencl_kernel_number(device, kernel, CL_KERNEL_PRIVATE_MEM_SIZE),
        "preferred_block_multiple": opencl_kernel_number(device, kernel, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE),
        "dynamic_shared": bool(k.takes_shared),
    }
    return made


cdef int opencl_set_globals(opencl_device *device, void *kernel, uint32_t argument, const void *address) except -1:
    """Set the address of the program's globals: once, it never changes."""
    cdef int32_t (*set_pointer)(void *, uint32_t, const void *) noexcept nogil
    cdef int32_t code
    cdef list missing = []
    if device.usm:
        call = "clSetKernelArgMemPointerINTEL"
        (<void **>&set_pointer)[0] = opencl_extension(device, b"clSetKernelArgMemPointerINTEL", missing)
        if missing:
            raise LibraryError(f"the OpenCL driver has unified shared memory but no {call}")
    else:
        call = "clSetKernelArgSVMPointer"
        set_pointer = cl_api.clSetKernelArgSVMPointer
    code = set_pointer(kernel, argument, address)
    if code != 0:
        raise opencl_error(call, code, "setting the address of the program's globals")
    return 0


cdef bint opencl_takes_shared(void *kernel, uint32_t arguments, uint32_t most):
    cdef uint32_t qualifier = 0
    if arguments == 0:
        return False
    if cl_api.clGetKernelArgInfo(kernel, arguments - 1, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(qualifier), &qualifier,
                                 NULL) != 0:
        return arguments == most   # a binary built elsewhere may carry no argument information
    return qualifier == CL_KERNEL_ARG_ADDRESS_LOCAL


cdef void opencl_allow_indirect(void *kernel):
    """Addresses inside the packed bytes are reached indirectly; USM wants to be told, once. Refusing it is no error."""
    cdef uint32_t yes = 1
    cl_api.clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, sizeof(yes), &yes)
    cl_api.clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, sizeof(yes), &yes)
    cl_api.clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, sizeof(yes), &yes)


cdef object opencl_kernel_number(opencl_device *device, void *kernel, uint32_t what):
    cdef uint64_t number = 0
    cdef int32_t code = cl_api.clGetKernelWorkGroupInfo(kernel, device.id, what, sizeof(number), &number, NULL)
    if code != 0:
        raise opencl_error("clGetKernelWorkGroupInfo", code)
    return number
