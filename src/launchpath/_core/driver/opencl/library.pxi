# The OpenCL library: its functions, found at run time, and the few constants and types that launchpath uses.
#
# Objects (platform, device, context, queue, program, kernel, event, mem) are plain `void *` here. The library is loaded
# once and never unloaded: runtimes keep threads of their own, which would run on in unmapped code.

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport intptr_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, strdup

ctypedef intptr_t cl_property
cdef enum:
    CL_SUCCESS = 0
    CL_MEM_OBJECT_ALLOCATION_FAILURE = -4
    CL_OUT_OF_RESOURCES = -5
    CL_OUT_OF_HOST_MEMORY = -6
    CL_BUILD_PROGRAM_FAILURE = -11
    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST = -14
    CL_INVALID_VALUE = -30
    CL_INVALID_BUILD_OPTIONS = -43
    CL_INVALID_KERNEL_NAME = -46
    CL_INVALID_ARG_SIZE = -51
    CL_INVALID_COMPILER_OPTIONS = -66
    CL_PLATFORM_NOT_FOUND_KHR = -1001

    CL_PLATFORM_VERSION = 0x0901
    CL_PLATFORM_NAME = 0x0902
    CL_PLATFORM_VENDOR = 0x0903
    CL_DEVICE_TYPE = 0x1000
    CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002
    CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004
    CL_DEVICE_MAX_WORK_ITEM_SIZES = 0x1005
    CL_DEVICE_ADDRESS_BITS = 0x100D
    CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010
    CL_DEVICE_MAX_PARAMETER_SIZE = 0x1017
    CL_DEVICE_SINGLE_FP_CONFIG = 0x101B
    CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F
    CL_DEVICE_LOCAL_MEM_SIZE = 0x1023
    CL_DEVICE_AVAILABLE = 0x1027
    CL_DEVICE_COMPILER_AVAILABLE = 0x1028
    CL_DEVICE_NAME = 0x102B
    CL_DEVICE_VENDOR = 0x102C
    CL_DRIVER_VERSION = 0x102D
    CL_DEVICE_VERSION = 0x102F
    CL_DEVICE_EXTENSIONS = 0x1030
    CL_DEVICE_OPENCL_C_VERSION = 0x103D
    CL_DEVICE_SVM_CAPABILITIES = 0x1053
    CL_DEVICE_IL_VERSION = 0x105B
    CL_DEVICE_OPENCL_C_ALL_VERSIONS = 0x1066
    CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT = 0x1069
    CL_DEVICE_GLOBAL_FREE_MEMORY_AMD = 0x4039
    CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL = 0x4190
    CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL = 0x4191
    CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL = 0x4192
    CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT = 0x4230
    CL_DEVICE_TYPE_CPU = 1 << 1
    CL_DEVICE_TYPE_GPU = 1 << 2
    CL_DEVICE_TYPE_ALL = 0xFFFFFFFF
    CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT = 1 << 7
    CL_DEVICE_SVM_COARSE_GRAIN_BUFFER = 1 << 0
    CL_DEVICE_SVM_FINE_GRAIN_BUFFER = 1 << 1
    CL_DEVICE_SVM_ATOMICS = 1 << 3
    CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL = 1 << 0
    CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL = 1 << 2

    CL_CONTEXT_PLATFORM = 0x1084
    CL_QUEUE_PROPERTIES = 0x1093
    CL_QUEUE_PRIORITY_KHR = 0x1096
    CL_QUEUE_PROFILING_ENABLE = 1 << 1
    CL_QUEUE_PRIORITY_HIGH_KHR = 1 << 0
    CL_QUEUE_PRIORITY_MED_KHR = 1 << 1
    CL_QUEUE_PRIORITY_LOW_KHR = 1 << 2

    CL_MEM_READ_WRITE = 1 << 0
    CL_MEM_ALLOC_HOST_PTR = 1 << 4
    CL_MEM_SVM_FINE_GRAIN_BUFFER = 1 << 10
    CL_MEM_SVM_ATOMICS = 1 << 11
    CL_MAP_READ = 1 << 0
    CL_MAP_WRITE = 1 << 1

    CL_PROGRAM_BINARY_SIZES = 0x1165
    CL_PROGRAM_BINARIES = 0x1166
    CL_PROGRAM_NUM_KERNELS = 0x1167
    CL_PROGRAM_KERNEL_NAMES = 0x1168
    CL_PROGRAM_BUILD_LOG = 0x1183
    CL_KERNEL_NUM_ARGS = 0x1191
    CL_KERNEL_ARG_ADDRESS_QUALIFIER = 0x1196
    CL_KERNEL_ARG_ADDRESS_LOCAL = 0x119C
    CL_KERNEL_WORK_GROUP_SIZE = 0x11B0
    CL_KERNEL_LOCAL_MEM_SIZE = 0x11B2
    CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE = 0x11B3
    CL_KERNEL_PRIVATE_MEM_SIZE = 0x11B4
    CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL = 0x4200
    CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL = 0x4201
    CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL = 0x4202

    CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11D3
    CL_PROFILING_COMMAND_QUEUED = 0x1280
    CL_PROFILING_COMMAND_SUBMIT = 0x1281
    CL_PROFILING_COMMAND_START = 0x1282
    CL_PROFILING_COMMAND_END = 0x1283
    CL_PROFILING_INFO_NOT_AVAILABLE = -7
    CL_COMPLETE = 0

cdef extern from "driver/opencl/functions.h" nogil:
    ctypedef void (*cl_event_function)(void *event, int32_t status, void *data) noexcept nogil
    ctypedef struct cl_functions:
        int32_t (*clGetPlatformIDs)(uint32_t, void **, uint32_t *) noexcept nogil
        int32_t (*clGetPlatformInfo)(void *, uint32_t, size_t, void *, size_t *) noexcept nogil
        int32_t (*clGetDeviceIDs)(void *, uint64_t, uint32_t, void **, uint32_t *) noexcept nogil
        int32_t (*clGetDeviceInfo)(void *, uint32_t, size_t, void *, size_t *) noexcept nogil
        void *(*clGetExtensionFunctionAddressForPlatform)(void *, const char *) noexcept nogil
        void *(*clCreateContext)(const cl_property *, uint32_t, void **, void *, void *, int32_t *) noexcept nogil
        int32_t (*clReleaseContext)(void *) noexcept nogil
        void *(*clCreateCommandQueueWithProperties)(void *, void *, const uint64_t *, int32_t *) noexcept nogil
        int32_t (*clReleaseCommandQueue)(void *) noexcept nogil
        int32_t (*clFlush)(void *) noexcept nogil
        int32_t (*clFinish)(void *) noexcept nogil
        void *(*clCreateProgramWithSource)(void *, uint32_t, const char **, const size_t *, int32_t *) noexcept nogil
        void *(*clCreateProgramWithBinary)(void *, uint32_t, void **, const size_t *, const unsigned char **, int32_t *,
                                           int32_t *) noexcept nogil
        # OpenCL 2.1; may be NULL
        void *(*clCreateProgramWithIL)(void *, const void *, size_t, int32_t *) noexcept nogil
        int32_t (*clReleaseProgram)(void *) noexcept nogil
        int32_t (*clBuildProgram)(void *, uint32_t, void **, const char *, void *, void *) noexcept nogil
        int32_t (*clGetProgramInfo)(void *, uint32_t, size_t, void *, size_t *) noexcept nogil
        int32_t (*clGetProgramBuildInfo)(void *, void *, uint32_t, size_t, void *, size_t *) noexcept nogil
        void *(*clCreateKernel)(void *, const char *, int32_t *) noexcept nogil
        int32_t (*clReleaseKernel)(void *) noexcept nogil
        int32_t (*clSetKernelArg)(void *, uint32_t, size_t, const void *) noexcept nogil
        int32_t (*clSetKernelArgSVMPointer)(void *, uint32_t, const void *) noexcept nogil
        int32_t (*clSetKernelExecInfo)(void *, uint32_t, size_t, const void *) noexcept nogil
        int32_t (*clGetKernelInfo)(void *, uint32_t, size_t, void *, size_t *) noexcept nogil
        int32_t (*clGetKernelArgInfo)(void *, uint32_t, uint32_t, size_t, void *, size_t *) noexcept nogil
        int32_t (*clGetKernelWorkGroupInfo)(void *, void *, uint32_t, size_t, void *, size_t *) noexcept nogil
        int32_t (*clEnqueueNDRangeKernel)(void *, void *, uint32_t, const size_t *, const size_t *, const size_t *,
                                          uint32_t, void **, void **) noexcept nogil
        int32_t (*clEnqueueMarkerWithWaitList)(void *, uint32_t, void **, void **) noexcept nogil
        int32_t (*clEnqueueBarrierWithWaitList)(void *, uint32_t, void **, void **) noexcept nogil
        int32_t (*clWaitForEvents)(uint32_t, void **) noexcept nogil
        int32_t (*clGetEventInfo)(void *, uint32_t, size_t, void *, size_t *) noexcept nogil
        int32_t (*clGetEventProfilingInfo)(void *, uint32_t, size_t, void *, size_t *) noexcept nogil
        int32_t (*clGetDeviceAndHostTimer)(void *, uint64_t *, uint64_t *) noexcept nogil
        int32_t (*clReleaseEvent)(void *) noexcept nogil
        int32_t (*clSetEventCallback)(void *, int32_t, cl_event_function, void *) noexcept nogil
        void *(*clCreateUserEvent)(void *, int32_t *) noexcept nogil
        int32_t (*clSetUserEventStatus)(void *, int32_t) noexcept nogil
        void *(*clSVMAlloc)(void *, uint64_t, size_t, uint32_t) noexcept nogil
        void (*clSVMFree)(void *, void *) noexcept nogil
        int32_t (*clEnqueueSVMMemcpy)(void *, uint32_t, void *, const void *, size_t, uint32_t, void **,
                                      void **) noexcept nogil
        int32_t (*clEnqueueSVMMemFill)(void *, void *, const void *, size_t, size_t, uint32_t, void **,
                                       void **) noexcept nogil
        void *(*clCreateBuffer)(void *, uint64_t, size_t, void *, int32_t *) noexcept nogil
        int32_t (*clReleaseMemObject)(void *) noexcept nogil
        void *(*clEnqueueMapBuffer)(void *, void *, uint32_t, uint64_t, size_t, size_t, uint32_t, void **, void **,
                                    int32_t *) noexcept nogil
        int32_t (*clEnqueueUnmapMemObject)(void *, void *, void *, uint32_t, void **, void **) noexcept nogil
    const char *opencl_names[1]
    const unsigned char opencl_needed[1]
    const size_t OPENCL_N_FUNCTIONS

cdef cl_functions cl_api
cdef void *opencl_library = NULL
cdef str opencl_library_path = None


def _opencl_exit():
    global lp_exiting
    lp_exiting = True


import atexit as _opencl_atexit
_opencl_atexit.register(_opencl_exit)
from launchpath.errors import CompileError, DriverError


cdef inline int opencl_fail(const char *call, int code) noexcept nogil:
    lp_here.failed_call = call
    return code


def opencl_open(str path not None):
    """Open a library that another one needs, for the life of the process; raises `LibraryError`."""
    open_library(path)


def opencl_load(str path not None):
    """Load the OpenCL library at `path` and find its functions; raises `LibraryError`. The first one loaded stays."""
    global cl_api, opencl_library, opencl_library_path
    if opencl_library != NULL:
        if path != opencl_library_path:
            raise LibraryError(f"cannot load {path}: this process already uses {opencl_library_path}")
        return
    cdef void *library = open_library(path)
    cdef cl_functions api
    cdef void **functions = <void **>&api
    cdef list missing = []
    cdef size_t i
    for i in range(OPENCL_N_FUNCTIONS):
        functions[i] = lp_library_find(library, opencl_names[i])
        if functions[i] == NULL and opencl_needed[i]:
            missing.append(opencl_names[i].decode())
    if "clGetPlatformIDs" in missing:
        raise LibraryError(f"expected an OpenCL library, got {path}, which lacks clGetPlatformIDs")
    if missing:
        raise LibraryError(f"expected a library of OpenCL 2.0 or later, got {path}, which lacks {', '.join(missing)}")
    lp_watch_forks()
    cl_api = api
    opencl_library = library
    opencl_library_path = path
