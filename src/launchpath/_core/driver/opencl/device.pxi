# Devices: finding them, asking what they are, and their contexts.

cdef struct opencl_block       # memory.pxi

cdef struct opencl_device:
    void *domain               # the core's
    void *id                   # cl_device_id
    void *platform
    void *context              # made when it is first needed: on a GPU it costs a tenth of a second and much memory
    lp_lock context_lock
    lp_lock lock               # guards what follows
    size_t allocated
    opencl_block *blocks[256]
    # What never changes:
    uint64_t total_memory
    size_t parameter_bytes
    uint64_t shared_memory     # bytes of local memory in a work-group
    uint64_t svm_flags
    bint host_accessible
    bint priority_hints
    bint amd_free_memory
    bint usm
    bint usm_host
    uint64_t usm_shared        # capabilities of shared allocations; 0: there are none
    uint64_t profiling         # CL_QUEUE_PROFILING_ENABLE, or 0: commands have no times
    uint64_t block_limit       # threads of a block that every kernel is taken to allow; 0: each is asked
    bint failing_is_unsafe     # a failed user event must be passed off as complete
    void *(*clHostMemAllocINTEL)(void *, const cl_property *, size_t, uint32_t, int32_t *) noexcept nogil
    void *(*clDeviceMemAllocINTEL)(void *, void *, const cl_property *, size_t, uint32_t, int32_t *) noexcept nogil
    void *(*clSharedMemAllocINTEL)(void *, void *, const cl_property *, size_t, uint32_t, int32_t *) noexcept nogil
    int32_t (*clMemFreeINTEL)(void *, void *) noexcept nogil
    int32_t (*clSetKernelArgMemPointerINTEL)(void *, uint32_t, const void *) noexcept nogil
    int32_t (*clEnqueueMemcpyINTEL)(void *, uint32_t, void *, const void *, size_t, uint32_t, void **,
                                    void **) noexcept nogil
    int32_t (*clEnqueueMemFillINTEL)(void *, void *, const void *, size_t, size_t, uint32_t, void **,
                                     void **) noexcept nogil


cdef int opencl_context(opencl_device *device) noexcept nogil:
    """Make the device's context if there is none yet."""
    cdef cl_property properties[3]
    cdef int32_t code = 0
    lp_lock_acquire(&device.context_lock)
    if device.context == NULL:
        properties[0] = CL_CONTEXT_PLATFORM
        properties[1] = <cl_property>device.platform
        properties[2] = 0
        device.context = cl_api.clCreateContext(properties, 1, &device.id, NULL, NULL, &code)
        if device.context == NULL:
            opencl_fail("clCreateContext", code)
    lp_lock_release(&device.context_lock)
    return code


# Work-groups are always uniform here, and from OpenCL 2.0 on a compiler assumes that they are not unless it is told.
OPENCL_UNIFORM = "-cl-uniform-work-group-size"

# So that a kernel can be asked whether its last argument is dynamic shared memory.
OPENCL_ARGUMENTS = "-cl-kernel-arg-info"

# CUDA and HIP round quotients and roots of floats correctly unless they are told otherwise; OpenCL compilers only if
# they are told so, and only where the device says that it can.
OPENCL_ROUNDED = "-cl-fp32-correctly-rounded-divide-sqrt"

OPENCL_REFUSALS = (CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS)


cdef class OpenCLDevice(DriverDevice):
    """A device of an OpenCL platform. Made by `opencl_devices`."""
    cdef opencl_device *device
    cdef list languages            # values for -cl-std, the wanted one first
    cdef str rounded               # the option for correct rounding, or "" on a device that cannot
    cdef bint has_il               # it takes SPIR-V

    def __dealloc__(self):
        if self.device == NULL or lp_exiting:
            return
        if self.device.context != NULL:
            cl_api.clReleaseContext(self.device.context)
        lp_lock_destroy(&self.device.context_lock)
        lp_lock_destroy(&self.device.lock)
        free(self.device)

    def build_options(self, str options=""):
        """List the option strings to try in turn, from the one wanted to the least that can work."""
        return self.build_attempts(options)

    cdef list build_attempts(self, str options):
        standards = [""] if "-cl-std" in options else [f"-cl-std={name}" for name in self.languages]
        without = self.info["workarounds"]
        uniform = [""] if "no-uniform-option" in without else [OPENCL_UNIFORM, ""]
        arguments = "" if "no-argument-info-option" in without else OPENCL_ARGUMENTS
        return [" ".join(filter(None, (standard, group, arguments, self.rounded, options)))
                for standard in standards for group in uniform]

    cdef bint refuses_options(self, int code, str log):
        return code in OPENCL_REFUSALS or OPENCL_UNIFORM in log

    cdef str load_options(self, bytes data, str options):
        if not opencl_is_spirv(data, len(data)):
            return options
        if not self.has_il:
            raise LibraryError(f"{self.info['name']} does not support SPIR-V")
        return f"{self.rounded} {options}".strip()

    cdef object refusal(self, int code, str log, str options):
        if code == CL_BUILD_PROGRAM_FAILURE or log:
            return CompileError(f"{self.info['name']} ({self.info['platform']}) does not compile this source", log)
        return failure(self.table, code, f"options: {options}")

    cdef int check_kernel(self, DriverKernel kernel, str name, const kernel_use *use) except -1:
        arguments = kernel.fact(KERNEL_ARGUMENTS)
        wanted = ["a struct"]
        if use.globals_address:
            wanted.append("the address of the globals")
        if kernel.info["dynamic_shared"] or use.dynamic_shared < 0:
            wanted.append("dynamic shared memory")
        if use.takes_record:
            wanted.insert(2 if use.globals_address else 1, "the launch's record")
        hidden = bool(use.globals_address) + bool(use.takes_record) + kernel.info["dynamic_shared"]
        if not hidden <= arguments <= hidden + 1:
            raise CompileError(f"kernel {name!r}: expected {', '.join(wanted)} as OpenCL arguments, got {arguments}")
        return 0


cdef str opencl_dialect(bint spirv, bint generic, bint rather_c):
    """What kernels are handed over as, see `launchpath._compiler.target.Target`."""
    if not generic:
        return "clc"
    return "spirv" if spirv and not rather_c else "clc-generic"


# --- asking -----------------------------------------------------------------------------------------------------------

cdef bytes opencl_platform_bytes(void *platform, uint32_t what):
    cdef size_t size = 0
    cdef int32_t code = cl_api.clGetPlatformInfo(platform, what, 0, NULL, &size)
    if code != 0:
        raise opencl_error("clGetPlatformInfo", code)
    cdef bytes value = PyBytes_FromStringAndSize(NULL, <Py_ssize_t>size)
    code = cl_api.clGetPlatformInfo(platform, what, size, <char *>value, NULL)
    if code != 0:
        raise opencl_error("clGetPlatformInfo", code)
    return value


cdef bytes opencl_device_bytes(void *id, uint32_t what):
    """What the device answers, or b"" if it does not know the question."""
    cdef size_t size = 0
    cdef int32_t code = cl_api.clGetDeviceInfo(id, what, 0, NULL, &size)
    if code == CL_INVALID_VALUE:
        return b""
    if code != 0:
        raise opencl_error("clGetDeviceInfo", code)
    cdef bytes value = PyBytes_FromStringAndSize(NULL, <Py_ssize_t>size)
    code = cl_api.clGetDeviceInfo(id, what, size, <char *>value, NULL)
    if code != 0:
        raise opencl_error("clGetDeviceInfo", code)
    return value


cdef str opencl_text(bytes value):
    return " ".join(value.split(b"\0")[0].decode(errors="replace").split())


cdef object opencl_number(void *id, uint32_t what):
    return int.from_bytes(opencl_device_bytes(id, what), _opencl_byteorder)
