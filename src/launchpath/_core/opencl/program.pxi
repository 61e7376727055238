# Programs: building source, or loading what was built before.

OPENCL_REFUSALS = (CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS)


cdef class OpenCLProgram(DriverProgram):
    """A built program, from ``device.build(source)`` or ``device.load(data)``.

    Attributes
    ----------
    kernels : list of str
        Names of the kernels in it.
    options : str
        The options that it was built with.
    """
    cdef void *program
    cdef OpenCLDevice device
    cdef public list kernels
    cdef public str options

    def __dealloc__(self):
        if self.program != NULL and not lp_exiting:
            cl_api.clReleaseProgram(self.program)

    def kernel(self, str name not None, Py_ssize_t parameter_bytes=-1, dynamic_shared=None, uint64_t globals_address=0):
        """Give the kernel called `name`.

        `parameter_bytes` is the size of the packed arguments (-1: any up to the device's limit). `dynamic_shared` says
        whether the last argument is dynamic shared memory; None asks the driver. `globals_address`, if not 0, is what the
        argument after the packed ones is set to, for good: where the program's globals are.
        """
        refuse_forked(self.device.table)
        return opencl_kernel_make(self, name, parameter_bytes, dynamic_shared, globals_address)

    def binary(self):
        """Give the program as the device's own binary, for ``device.load``."""
        refuse_forked(self.device.table)
        cdef size_t size = 0
        cdef int32_t code = cl_api.clGetProgramInfo(self.program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL)
        if code != 0 or size == 0:
            raise opencl_error("clGetProgramInfo", code if code != 0 else CL_INVALID_VALUE, "the driver gives no binary")
        cdef bytes data = PyBytes_FromStringAndSize(NULL, <Py_ssize_t>size)
        cdef char *at = data
        code = cl_api.clGetProgramInfo(self.program, CL_PROGRAM_BINARIES, sizeof(at), &at, NULL)
        if code != 0:
            raise opencl_error("clGetProgramInfo", code)
        return data


cdef OpenCLProgram opencl_build(OpenCLDevice device, str source, str options):
    """Build with the dialect's options, less those that this library refuses, before the caller's own."""
    cdef bytes text = source.encode()
    cdef const char *start = text
    cdef size_t length = len(text)
    cdef int32_t code = 0
    cdef void *program
    cdef OpenCLProgram made = None
    for attempt in device.build_options(options):
        code = opencl_context(device.device)
        if code != 0:
            raise opencl_error(lp_failed_call, code)
        program = cl_api.clCreateProgramWithSource(device.device.context, 1, &start, &length, &code)
        if program == NULL:
            raise opencl_error("clCreateProgramWithSource", code)
        made = opencl_program(device, program)
        code = opencl_compile(made, attempt)
        if code == 0 or code not in OPENCL_REFUSALS and OPENCL_UNIFORM not in made.log:
            break
    return opencl_built(made, code)


cdef OpenCLProgram opencl_load_program(OpenCLDevice device, bytes data, str options):
    cdef const unsigned char *start = data
    cdef size_t length = len(data)
    cdef int32_t code = opencl_context(device.device)
    cdef int32_t status = 0
    cdef void *program
    if code != 0:
        raise opencl_error(lp_failed_call, code)
    if data[:4] == b"\x03\x02\x23\x07":         # SPIR-V
        if cl_api.clCreateProgramWithIL == NULL or not device.info["spirv"]:
            raise LibraryError(f"{device.info['name']} takes no SPIR-V")
        call = b"clCreateProgramWithIL"
        options = f"{device.rounded()} {options}".strip()
        program = cl_api.clCreateProgramWithIL(device.device.context, start, length, &code)
    else:
        call = b"clCreateProgramWithBinary"
        program = cl_api.clCreateProgramWithBinary(device.device.context, 1, &device.device.id, &length, &start, &status,
                                                   &code)
    if program == NULL:
        raise opencl_error(call, code)
    cdef OpenCLProgram made = opencl_program(device, program)
    return opencl_built(made, opencl_compile(made, options))


cdef OpenCLProgram opencl_program(OpenCLDevice device, void *program):
    cdef OpenCLProgram made = OpenCLProgram.__new__(OpenCLProgram)
    made.program = program
    made.device = device
    made.log = ""
    made.kernels = []
    return made


cdef int opencl_compile(OpenCLProgram made, str options) except? 1:
    cdef bytes text = options.encode()
    cdef const char *chars = text
    cdef void *program = made.program
    cdef opencl_device *device = made.device.device
    cdef int32_t code
    with nogil:
        code = cl_api.clBuildProgram(program, 1, &device.id, chars, NULL, NULL)
    made.options = options
    made.log = opencl_log(made)
    return code


cdef OpenCLProgram opencl_built(OpenCLProgram made, int code):
    cdef size_t size = 0, count = 0
    if code == CL_BUILD_PROGRAM_FAILURE or (code != 0 and made.log):
        raise CompileError(f"{made.device.info['name']} ({made.device.info['platform']}) does not compile this source",
                           made.log)
    if code != 0:
        raise opencl_error("clBuildProgram", code, f"options: {made.options}")
    # NVIDIA's (driver 580) crashes when it is asked for the names of no kernels.
    code = cl_api.clGetProgramInfo(made.program, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, NULL)
    if code == 0 and count == 0:
        return made
    if code == 0:
        code = cl_api.clGetProgramInfo(made.program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size)
    cdef bytes names = PyBytes_FromStringAndSize(NULL, <Py_ssize_t>size)
    if code == 0 and size != 0:
        code = cl_api.clGetProgramInfo(made.program, CL_PROGRAM_KERNEL_NAMES, size, <char *>names, NULL)
    if code != 0:
        raise opencl_error("clGetProgramInfo", code, "asking for the names of the program's kernels")
    made.kernels = [name for name in names.split(b"\0")[0].decode(errors="replace").split(";") if name]
    return made


cdef str opencl_log(OpenCLProgram made):
    cdef size_t size = 0
    cdef void *id = made.device.device.id
    if cl_api.clGetProgramBuildInfo(made.program, id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != 0 or size <= 1:
        return ""
    cdef bytes log = PyBytes_FromStringAndSize(NULL, <Py_ssize_t>size)
    if cl_api.clGetProgramBuildInfo(made.program, id, CL_PROGRAM_BUILD_LOG, size, <char *>log, NULL) != 0:
        return ""
    return log.rstrip(b"\0").decode(errors="replace").strip()
