# The names of OpenCL's error codes (cl.h; cl_khr_icd, cl_khr_command_buffer).

cdef const char *opencl_error_name(int code) noexcept nogil:
    if code == 0: return "CL_SUCCESS"
    elif code == -1: return "CL_DEVICE_NOT_FOUND"
    elif code == -2: return "CL_DEVICE_NOT_AVAILABLE"
    elif code == -3: return "CL_COMPILER_NOT_AVAILABLE"
    elif code == -4: return "CL_MEM_OBJECT_ALLOCATION_FAILURE"
    elif code == -5: return "CL_OUT_OF_RESOURCES"
    elif code == -6: return "CL_OUT_OF_HOST_MEMORY"
    elif code == -7: return "CL_PROFILING_INFO_NOT_AVAILABLE"
    elif code == -8: return "CL_MEM_COPY_OVERLAP"
    elif code == -9: return "CL_IMAGE_FORMAT_MISMATCH"
    elif code == -10: return "CL_IMAGE_FORMAT_NOT_SUPPORTED"
    elif code == -11: return "CL_BUILD_PROGRAM_FAILURE"
    elif code == -12: return "CL_MAP_FAILURE"
    elif code == -13: return "CL_MISALIGNED_SUB_BUFFER_OFFSET"
    elif code == -14: return "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"
    elif code == -15: return "CL_COMPILE_PROGRAM_FAILURE"
    elif code == -16: return "CL_LINKER_NOT_AVAILABLE"
    elif code == -17: return "CL_LINK_PROGRAM_FAILURE"
    elif code == -18: return "CL_DEVICE_PARTITION_FAILED"
    elif code == -19: return "CL_KERNEL_ARG_INFO_NOT_AVAILABLE"
    elif code == -30: return "CL_INVALID_VALUE"
    elif code == -31: return "CL_INVALID_DEVICE_TYPE"
    elif code == -32: return "CL_INVALID_PLATFORM"
    elif code == -33: return "CL_INVALID_DEVICE"
    elif code == -34: return "CL_INVALID_CONTEXT"
    elif code == -35: return "CL_INVALID_QUEUE_PROPERTIES"
    elif code == -36: return "CL_INVALID_COMMAND_QUEUE"
    elif code == -37: return "CL_INVALID_HOST_PTR"
    elif code == -38: return "CL_INVALID_MEM_OBJECT"
    elif code == -39: return "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR"
    elif code == -40: return "CL_INVALID_IMAGE_SIZE"
    elif code == -41: return "CL_INVALID_SAMPLER"
    elif code == -42: return "CL_INVALID_BINARY"
    elif code == -43: return "CL_INVALID_BUILD_OPTIONS"
    elif code == -44: return "CL_INVALID_PROGRAM"
    elif code == -45: return "CL_INVALID_PROGRAM_EXECUTABLE"
    elif code == -46: return "CL_INVALID_KERNEL_NAME"
    elif code == -47: return "CL_INVALID_KERNEL_DEFINITION"
    elif code == -48: return "CL_INVALID_KERNEL"
    elif code == -49: return "CL_INVALID_ARG_INDEX"
    elif code == -50: return "CL_INVALID_ARG_VALUE"
    elif code == -51: return "CL_INVALID_ARG_SIZE"
    elif code == -52: return "CL_INVALID_KERNEL_ARGS"
    elif code == -53: return "CL_INVALID_WORK_DIMENSION"
    elif code == -54: return "CL_INVALID_WORK_GROUP_SIZE"
    elif code == -55: return "CL_INVALID_WORK_ITEM_SIZE"
    elif code == -56: return "CL_INVALID_GLOBAL_OFFSET"
    elif code == -57: return "CL_INVALID_EVENT_WAIT_LIST"
    elif code == -58: return "CL_INVALID_EVENT"
    elif code == -59: return "CL_INVALID_OPERATION"
    elif code == -60: return "CL_INVALID_GL_OBJECT"
    elif code == -61: return "CL_INVALID_BUFFER_SIZE"
    elif code == -62: return "CL_INVALID_MIP_LEVEL"
    elif code == -63: return "CL_INVALID_GLOBAL_WORK_SIZE"
    elif code == -64: return "CL_INVALID_PROPERTY"
    elif code == -65: return "CL_INVALID_IMAGE_DESCRIPTOR"
    elif code == -66: return "CL_INVALID_COMPILER_OPTIONS"
    elif code == -67: return "CL_INVALID_LINKER_OPTIONS"
    elif code == -68: return "CL_INVALID_DEVICE_PARTITION_COUNT"
    elif code == -69: return "CL_INVALID_PIPE_SIZE"
    elif code == -70: return "CL_INVALID_DEVICE_QUEUE"
    elif code == -71: return "CL_INVALID_SPEC_ID"
    elif code == -72: return "CL_MAX_SIZE_RESTRICTION_EXCEEDED"
    elif code == -1001: return "CL_PLATFORM_NOT_FOUND_KHR"
    elif code == -1138: return "CL_INVALID_COMMAND_BUFFER_KHR"
    elif code == -1139: return "CL_INVALID_SYNC_POINT_WAIT_LIST_KHR"
    elif code == -1140: return "CL_INCOMPATIBLE_COMMAND_QUEUE_KHR"
    elif code == -1141: return "CL_INVALID_MUTABLE_COMMAND_KHR"
    return NULL


cdef opencl_error(const char *call, int code, str detail=""):
    cdef const char *name = opencl_error_name(code)
    return DriverError(call.decode(), name.decode() if name != NULL else "unknown error", code, detail)


cdef bint opencl_command_failed(int code) noexcept nogil:
    # What the call itself was given or lacked is invalid or out of host memory; NVIDIA has codes of its own for the
    # rest.
    return code != CL_OUT_OF_HOST_MEMORY and not -72 <= code <= -30


cdef const char *opencl_advice(int code) noexcept nogil:
    """What to do about a code, where that is known."""
    if code == CL_PROFILING_INFO_NOT_AVAILABLE:
        return b"the stream's queue has no profiling if the workaround no-profiling is in force: `launchpath devices -v` shows it"
    return NULL
