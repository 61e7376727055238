# Programs: building source, or loading what was built before.

cdef enum:
    OPENCL_SPIRV = 0x07230203      # the magic number that SPIR-V begins with, in this machine's byte order


cdef int opencl_program_build(void *handle, const char *source, size_t size, const char *options, lp_text *log,
                              void **program) noexcept nogil:
    cdef opencl_device *device = <opencl_device *>handle
    cdef int32_t code = opencl_context(device)
    cdef void *cl_program
    if code != 0:
        return code
    cl_program = cl_api.clCreateProgramWithSource(device.context, 1, &source, &size, &code)
    if cl_program == NULL:
        return opencl_fail("clCreateProgramWithSource", code)
    return opencl_compile(device, cl_program, options, log, program)


cdef int opencl_program_load(void *handle, const void *data, size_t size, const char *options, lp_text *log,
                             void **program) noexcept nogil:
    """The device's own binary, or SPIR-V."""
    cdef opencl_device *device = <opencl_device *>handle
    cdef const unsigned char *start = <const unsigned char *>data
    cdef int32_t status = 0
    cdef int32_t code = opencl_context(device)
    cdef const char *call = "clCreateProgramWithBinary"
    cdef void *cl_program
    if code != 0:
        return code
    if opencl_is_spirv(start, size):
        call = "clCreateProgramWithIL"
        cl_program = cl_api.clCreateProgramWithIL(device.context, start, size, &code)
    else:
        cl_program = cl_api.clCreateProgramWithBinary(device.context, 1, &device.id, &size, &start, &status, &code)
    if cl_program == NULL:
        return opencl_fail(call, code)
    return opencl_compile(device, cl_program, options, log, program)


cdef bint opencl_is_spirv(const unsigned char *data, size_t size) noexcept nogil:
    cdef uint32_t first = 0
    memcpy(&first, data, min(size, sizeof(first)))
    return first == OPENCL_SPIRV


cdef int opencl_compile(opencl_device *device, void *cl_program, const char *options, lp_text *log,
                        void **program) noexcept nogil:
    """Build what was created; what fails is released."""
    cdef int32_t code = cl_api.clBuildProgram(cl_program, 1, &device.id, options, NULL, NULL)
    cdef int short_of_memory = opencl_log(device, cl_program, log)
    if code == 0:
        code = short_of_memory
    if code == 0:
        program[0] = cl_program
        return 0
    cl_api.clReleaseProgram(cl_program)
    return opencl_fail("clBuildProgram", code)


cdef int opencl_log(opencl_device *device, void *program, lp_text *log) noexcept nogil:
    """What the compiler said, if the library tells."""
    cdef size_t size = 0
    if cl_api.clGetProgramBuildInfo(program, device.id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != 0 or size <= 1:
        return 0
    if text_room(log, size):
        return ERROR_HOST_MEMORY
    if cl_api.clGetProgramBuildInfo(program, device.id, CL_PROGRAM_BUILD_LOG, size, log.bytes, NULL) != 0:
        text_free(log)
    return 0


cdef int opencl_program_kernels(void *handle, void *program, lp_text *names) noexcept nogil:
    cdef size_t size = 0, count = 0
    cdef int32_t code
    # NVIDIA's (driver 580) crashes when it is asked for the names of no kernels.
    code = cl_api.clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, NULL)
    if code == 0 and count == 0:
        return 0
    if code == 0:
        code = cl_api.clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size)
    if code == 0 and text_room(names, size):
        return ERROR_HOST_MEMORY
    if code == 0 and size != 0:
        code = cl_api.clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, size, names.bytes, NULL)
    return 0 if code == 0 else opencl_fail("clGetProgramInfo", code)


cdef int opencl_program_binary(void *handle, void *program, lp_text *binary) noexcept nogil:
    cdef size_t size = 0
    cdef int32_t code = cl_api.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL)
    if code == 0 and size == 0:
        code = CL_INVALID_VALUE        # the library gives no binary
    if code != 0:
        return opencl_fail("clGetProgramInfo", code)
    if text_room(binary, size):
        return ERROR_HOST_MEMORY
    code = cl_api.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary.bytes), &binary.bytes, NULL)
    if code == 0:
        return 0
    text_free(binary)
    return opencl_fail("clGetProgramInfo", code)


cdef int opencl_program_release(void *handle, void *program) noexcept nogil:
    cdef int32_t code = 0 if lp_exiting else cl_api.clReleaseProgram(program)
    return 0 if code == 0 else opencl_fail("clReleaseProgram", code)
