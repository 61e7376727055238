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
    void *(*clHostMemAllocINTEL)(void *, const cl_property *, size_t, uint32_t, int32_t *) noexcept nogil
    void *(*clDeviceMemAllocINTEL)(void *, void *, const cl_property *, size_t, uint32_t, int32_t *) noexcept nogil
    void *(*clSharedMemAllocINTEL)(void *, void *, const cl_property *, size_t, uint32_t, int32_t *) noexcept nogil
    int32_t (*clMemFreeINTEL)(void *, void *) noexcept nogil
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

# CUDA and HIP round quotients and roots of floats correctly unless they are told otherwise; OpenCL compilers only if they
# are told so, and only where the device says that it can.
OPENCL_ROUNDED = "-cl-fp32-correctly-rounded-divide-sqrt"

# What a platform gets wrong of these options:
# - PoCL 3.1 takes the first with "not yet supported by clang", which then is all that its build log says.
# - NVIDIA's compiler refuses the first, and with the second makes PTX that its assembler cannot parse of every kernel
#   without parameters.
OPENCL_WITHOUT = {
    "Portable Computing Language": (OPENCL_UNIFORM,),
    "NVIDIA CUDA": (OPENCL_UNIFORM, OPENCL_ARGUMENTS),
}


# Platforms whose OpenCL C 3.0 has a generic address space although they say that it has none. NVIDIA's (driver 580)
# shows it neither by CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT nor by a feature macro, but its compiler takes unqualified
# pointers for generic ones, converts to them from global, local and private ones, and has C11's atomics on them, and
# variables at file scope. Without that a GPU could not run HIP's plain pointers: only on a CPU are address spaces one.
OPENCL_SILENT_GENERIC = frozenset({"NVIDIA CUDA"})


# Platforms that take SPIR-V as well, but OpenCL C better. PoCL loads SPIR-V through a translator that it may have been
# built without, and lacks parts of; its OpenCL C is Clang's.
OPENCL_RATHER_C = frozenset({"Portable Computing Language"})


cdef str opencl_dialect(bint spirv, bint generic, str platform_name):
    """What kernels are handed over as, see `launchpath._compiler.target.Target`."""
    if not generic:
        return "clc"
    return "spirv" if spirv and platform_name not in OPENCL_RATHER_C else "clc-generic"


cdef class OpenCLDevice(DriverDevice):
    """A device of an OpenCL platform. Made by `opencl_devices`."""
    cdef opencl_device *device
    cdef list languages            # values for -cl-std, the wanted one first

    def __dealloc__(self):
        if self.device == NULL or lp_exiting:
            return
        if self.device.context != NULL:
            cl_api.clReleaseContext(self.device.context)
        lp_lock_destroy(&self.device.context_lock)
        lp_lock_destroy(&self.device.lock)
        free(self.device)

    def build(self, str source not None, str options=""):
        """Compile `source` and return an `OpenCLProgram`; raises `CompileError` with the compiler's log."""
        refuse_forked(self.table)
        return opencl_build(self, source, options)

    def load(self, bytes data not None, str options=""):
        """Load the device's own binary or SPIR-V and return an `OpenCLProgram`."""
        refuse_forked(self.table)
        return opencl_load_program(self, data, options)

    def build_options(self, str options=""):
        """List the option strings to try in turn, from the one wanted to the least that can work."""
        standards = [""] if "-cl-std" in options else [f"-cl-std={name}" for name in self.languages]
        without = OPENCL_WITHOUT.get(self.info["platform"], ())
        uniform = [OPENCL_UNIFORM, ""] if OPENCL_UNIFORM not in without else [""]
        arguments = OPENCL_ARGUMENTS if OPENCL_ARGUMENTS not in without else ""
        return [" ".join(filter(None, (standard, group, arguments, self.rounded(), options)))
                for standard in standards for group in uniform]

    cdef str rounded(self):
        """The option for correct rounding, or "" on a device that cannot."""
        can = opencl_number(self.device.id, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT
        return OPENCL_ROUNDED if can else ""


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
