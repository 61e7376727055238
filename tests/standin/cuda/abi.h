/* The part of CUDA's driver interface that the stand-in exports: types, and numbers with a prefix of their own.
 *
 * With STANDIN_CHECK the types come from NVIDIA's header instead, and the compiler compares every function with it.
 * The numbers have another prefix, so that ../layout can hold both and compare them. */
#ifndef STANDIN_ABI_H
#define STANDIN_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef STANDIN_CHECK
#include <cuda.h>
#else
typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUkern_st *CUkernel;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUuserObject_st *CUuserObject;
typedef struct CUarray_st *CUarray;
typedef unsigned long long CUtexObject;
typedef int CUdevice_attribute;
typedef int CUfunction_attribute;
typedef int CUpointer_attribute;
typedef int CUmemPool_attribute;
typedef int CUstreamCaptureStatus;
typedef int CUstreamCaptureMode;
typedef int CUgraphNodeType;
typedef struct CUgraphEdgeData_st CUgraphEdgeData;
typedef int CUjit_option;
typedef int CUlimit;
typedef int CUjitInputType;
typedef struct CUlinkState_st *CUlinkState;
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef void (*CUhostFn)(void *data);
typedef size_t (*CUoccupancyB2DSize)(int block);
typedef struct {
    char bytes[16];
} CUuuid;
typedef struct {
    int allocType;
    int handleTypes;
    struct {
        int type;
        int id;
    } location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
} CUmemPoolProps;
typedef struct {
    struct {
        int type;
        int id;
    } location;
    int flags;
} CUmemAccessDesc;
typedef struct {
    size_t srcXInBytes, srcY;
    int srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    void *srcArray;
    size_t srcPitch;
    size_t dstXInBytes, dstY;
    int dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    void *dstArray;
    size_t dstPitch;
    size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;
typedef struct {
    size_t srcXInBytes, srcY, srcZ, srcLOD;
    int srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    void *srcArray;
    CUcontext srcContext;
    size_t srcPitch, srcHeight;
    size_t dstXInBytes, dstY, dstZ, dstLOD;
    int dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    void *dstArray;
    CUcontext dstContext;
    size_t dstPitch, dstHeight;
    size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D_PEER;
typedef struct {
    size_t srcXInBytes, srcY, srcZ, srcLOD;
    int srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    void *srcArray, *reserved0;
    size_t srcPitch, srcHeight;
    size_t dstXInBytes, dstY, dstZ, dstLOD;
    int dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    void *dstArray, *reserved1;
    size_t dstPitch, dstHeight;
    size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;
typedef struct {
    CUfunction func;
    unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    void **kernelParams, **extra;
    CUkernel kern;
    CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS;
typedef struct {
    CUdeviceptr dst;
    size_t pitch;
    unsigned int value, elementSize;
    size_t width, height;
} CUDA_MEMSET_NODE_PARAMS;
typedef struct {
    CUhostFn fn;
    void *userData;
} CUDA_HOST_NODE_PARAMS;
typedef struct {
    size_t Width, Height, Depth;
    int Format;
    unsigned int NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;
typedef struct {
    int resType;
    union {
        struct {
            CUarray hArray;
        } array;
        struct {
            CUdeviceptr devPtr;
            int format;
            unsigned int numChannels;
            size_t sizeInBytes;
        } linear;
        struct {
            CUdeviceptr devPtr;
            int format;
            unsigned int numChannels;
            size_t width, height, pitchInBytes;
        } pitch2D;
        int reserved[32];
    } res;
    unsigned int flags;
} CUDA_RESOURCE_DESC;
typedef struct {
    int addressMode[3], filterMode;
    unsigned int flags, maxAnisotropy;
    int mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp, borderColor[4];
    int reserved[12];
} CUDA_TEXTURE_DESC;
typedef struct CUDA_RESOURCE_VIEW_DESC_st CUDA_RESOURCE_VIEW_DESC;
#endif
_Static_assert(sizeof(CUDA_MEMCPY3D_PEER) == 200, "a copy of rows between devices");
_Static_assert(sizeof(CUDA_MEMCPY3D) == 200 && offsetof(CUDA_MEMCPY3D, srcMemoryType) == 32 &&
                   offsetof(CUDA_MEMCPY3D, srcDevice) == 48 && offsetof(CUDA_MEMCPY3D, srcPitch) == 72 &&
                   offsetof(CUDA_MEMCPY3D, dstMemoryType) == 120 && offsetof(CUDA_MEMCPY3D, dstDevice) == 136 &&
                   offsetof(CUDA_MEMCPY3D, dstPitch) == 160 && offsetof(CUDA_MEMCPY3D, WidthInBytes) == 176,
               "a copy node");
_Static_assert(sizeof(CUDA_KERNEL_NODE_PARAMS) == 72 && offsetof(CUDA_KERNEL_NODE_PARAMS, gridDimX) == 8 &&
                   offsetof(CUDA_KERNEL_NODE_PARAMS, sharedMemBytes) == 32 &&
                   offsetof(CUDA_KERNEL_NODE_PARAMS, kernelParams) == 40 &&
                   offsetof(CUDA_KERNEL_NODE_PARAMS, kern) == 56,
               "a kernel node");
_Static_assert(sizeof(CUDA_MEMSET_NODE_PARAMS) == 40 && offsetof(CUDA_MEMSET_NODE_PARAMS, pitch) == 8 &&
                   offsetof(CUDA_MEMSET_NODE_PARAMS, elementSize) == 20 &&
                   offsetof(CUDA_MEMSET_NODE_PARAMS, height) == 32,
               "a fill node");
_Static_assert(sizeof(CUDA_ARRAY3D_DESCRIPTOR) == 40 && offsetof(CUDA_ARRAY3D_DESCRIPTOR, Format) == 24, "an array");
_Static_assert(sizeof(CUDA_RESOURCE_DESC) == 144 && offsetof(CUDA_RESOURCE_DESC, res) == 8 &&
                   offsetof(CUDA_RESOURCE_DESC, res.linear.format) == 16 &&
                   offsetof(CUDA_RESOURCE_DESC, res.linear.sizeInBytes) == 24,
               "what a texture reads");
_Static_assert(sizeof(CUDA_TEXTURE_DESC) == 104 && offsetof(CUDA_TEXTURE_DESC, flags) == 16, "how it is read");
_Static_assert(sizeof(CUDA_HOST_NODE_PARAMS) == 16 && offsetof(CUDA_HOST_NODE_PARAMS, userData) == 8, "a host node");
_Static_assert(sizeof(CUmemAccessDesc) == 12 && sizeof(CUDA_MEMCPY2D) == 128, "access to a pool, a copy of rows");
_Static_assert(sizeof(CUmemPoolProps) == 88 && offsetof(CUmemPoolProps, location) == 8 &&
                   offsetof(CUmemPoolProps, maxSize) == 24,
               "a pool's properties");

/* Results. Their names are in error.c. */
#define SI_SUCCESS 0
#define SI_ERROR_INVALID_VALUE 1
#define SI_ERROR_OUT_OF_MEMORY 2
#define SI_ERROR_NOT_INITIALIZED 3
#define SI_ERROR_DEINITIALIZED 4
#define SI_ERROR_NO_DEVICE 100
#define SI_ERROR_INVALID_DEVICE 101
#define SI_ERROR_INVALID_IMAGE 200
#define SI_ERROR_INVALID_CONTEXT 201
#define SI_ERROR_NO_BINARY_FOR_GPU 209
#define SI_ERROR_PEER_ACCESS_UNSUPPORTED 217
#define SI_ERROR_INVALID_PTX 218
#define SI_ERROR_JIT_COMPILER_NOT_FOUND 221
#define SI_ERROR_UNSUPPORTED_PTX_VERSION 222
#define SI_ERROR_INVALID_SOURCE 300
#define SI_ERROR_FILE_NOT_FOUND 301
#define SI_ERROR_OPERATING_SYSTEM 304
#define SI_ERROR_INVALID_HANDLE 400
#define SI_ERROR_ILLEGAL_STATE 401
#define SI_ERROR_NOT_FOUND 500
#define SI_ERROR_NOT_READY 600
#define SI_ERROR_ILLEGAL_ADDRESS 700
#define SI_ERROR_LAUNCH_OUT_OF_RESOURCES 701
#define SI_ERROR_LAUNCH_TIMEOUT 702
#define SI_ERROR_PEER_ACCESS_ALREADY_ENABLED 704
#define SI_ERROR_PRIMARY_CONTEXT_ACTIVE 708
#define SI_ERROR_CONTEXT_IS_DESTROYED 709
#define SI_ERROR_ASSERT 710
#define SI_ERROR_HARDWARE_STACK_ERROR 714
#define SI_ERROR_ILLEGAL_INSTRUCTION 715
#define SI_ERROR_MISALIGNED_ADDRESS 716
#define SI_ERROR_INVALID_ADDRESS_SPACE 717
#define SI_ERROR_INVALID_PC 718
#define SI_ERROR_LAUNCH_FAILED 719
#define SI_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE 720
#define SI_ERROR_NOT_PERMITTED 800
#define SI_ERROR_NOT_SUPPORTED 801
#define SI_ERROR_UNSUPPORTED_LIMIT 215

#define SI_LIMIT_STACK_SIZE 0
#define SI_ERROR_SYSTEM_DRIVER_MISMATCH 803
#define SI_ERROR_STREAM_CAPTURE_UNSUPPORTED 900
#define SI_ERROR_STREAM_CAPTURE_INVALIDATED 901
#define SI_ERROR_STREAM_CAPTURE_MERGE 902
#define SI_ERROR_STREAM_CAPTURE_UNMATCHED 903
#define SI_ERROR_STREAM_CAPTURE_UNJOINED 904
#define SI_ERROR_STREAM_CAPTURE_ISOLATION 905
#define SI_ERROR_STREAM_CAPTURE_IMPLICIT 906
#define SI_ERROR_CAPTURED_EVENT 907
#define SI_ERROR_STREAM_CAPTURE_WRONG_THREAD 908
#define SI_ERROR_UNKNOWN 999

/* Handles and flags */
#define SI_STREAM_LEGACY 1
#define SI_STREAM_PER_THREAD 2
#define SI_STREAM_NON_BLOCKING 1
#define SI_EVENT_BLOCKING_SYNC 1
#define SI_EVENT_DISABLE_TIMING 2
#define SI_EVENT_INTERPROCESS 4
#define SI_WAIT_VALUE_GEQ 0
#define SI_WAIT_VALUE_EQ 1
#define SI_WAIT_VALUE_AND 2
#define SI_WAIT_VALUE_NOR 3
#define SI_WAIT_VALUE_FLUSH (1 << 30)
#define SI_CAPTURE_NONE 0
#define SI_CAPTURE_ACTIVE 1
#define SI_CAPTURE_INVALIDATED 2
#define SI_CAPTURE_GLOBAL 0
#define SI_CAPTURE_THREAD_LOCAL 1
#define SI_CAPTURE_RELAXED 2
#define SI_HOST_ALLOC_FLAGS 7
#define SI_ATTACH_GLOBAL 1
#define SI_LAUNCH_PARAM_END 0
#define SI_LAUNCH_PARAM_BUFFER_POINTER 1
#define SI_LAUNCH_PARAM_BUFFER_SIZE 2
#define SI_JIT_INFO_LOG_BUFFER 3
#define SI_JIT_INFO_LOG_BUFFER_SIZE_BYTES 4
#define SI_JIT_ERROR_LOG_BUFFER 5
#define SI_JIT_ERROR_LOG_BUFFER_SIZE_BYTES 6
#define SI_JIT_INPUT_CUBIN 0
#define SI_JIT_INPUT_PTX 1
#define SI_MEMORY_HOST 1
#define SI_MEMORY_DEVICE 2
#define SI_MEMORY_ARRAY 3
#define SI_MEMORY_UNIFIED 4
#define SI_ARRAY_LAYERED 1
#define SI_FORMAT_UINT8 0x01
#define SI_FORMAT_UINT16 0x02
#define SI_FORMAT_UINT32 0x03
#define SI_FORMAT_INT8 0x08
#define SI_FORMAT_INT16 0x09
#define SI_FORMAT_INT32 0x0a
#define SI_FORMAT_HALF 0x10
#define SI_FORMAT_FLOAT 0x20
#define SI_RESOURCE_ARRAY 0
#define SI_RESOURCE_LINEAR 2
#define SI_RESOURCE_PITCH2D 3
#define SI_ADDRESS_CLAMP 1
#define SI_ADDRESS_BORDER 3
#define SI_FILTER_LINEAR 1
#define SI_READ_AS_INTEGER 1
#define SI_NORMALIZED_COORDINATES 2
#define SI_ACCESS_READ_WRITE 3
#define SI_LARGEST_PITCH 0x7FFFFFFF

/* Graphs */
#define SI_INSTANTIATE_AUTO_FREE 1
#define SI_INSTANTIATE_UPLOAD 2
#define SI_INSTANTIATE_NODE_PRIORITY 8
#define SI_NODE_KERNEL 0
#define SI_NODE_MEMCPY 1
#define SI_NODE_MEMSET 2
#define SI_NODE_HOST 3
#define SI_NODE_EMPTY 5
#define SI_NODE_WAIT_EVENT 6
#define SI_NODE_EVENT_RECORD 7
#define SI_NODE_MEM_ALLOC 10
#define SI_NODE_MEM_FREE 11
#define SI_NODE_BATCH_MEM_OP 12
#define SI_USER_OBJECT_NO_DESTRUCTOR_SYNC 1
#define SI_GRAPH_USER_OBJECT_MOVE 1

/* Pools */
#define SI_ALLOCATION_PINNED 1
#define SI_LOCATION_DEVICE 1
#define SI_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES 1
#define SI_POOL_REUSE_ALLOW_OPPORTUNISTIC 2
#define SI_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES 3
#define SI_POOL_RELEASE_THRESHOLD 4
#define SI_POOL_RESERVED_CURRENT 5
#define SI_POOL_RESERVED_HIGH 6
#define SI_POOL_USED_CURRENT 7
#define SI_POOL_USED_HIGH 8

/* Attributes of pointers */
#define SI_POINTER_CONTEXT 1
#define SI_POINTER_MEMORY_TYPE 2
#define SI_POINTER_DEVICE_POINTER 3
#define SI_POINTER_HOST_POINTER 4
#define SI_POINTER_BUFFER_ID 7
#define SI_POINTER_IS_MANAGED 8
#define SI_POINTER_DEVICE_ORDINAL 9
#define SI_POINTER_RANGE_START 11
#define SI_POINTER_RANGE_SIZE 12
#define SI_POINTER_MAPPED 13
#define SI_POINTER_POOL 17

/* Attributes of functions */
#define SI_FUNCTION_MAX_THREADS 0
#define SI_FUNCTION_SHARED_BYTES 1
#define SI_FUNCTION_CONST_BYTES 2
#define SI_FUNCTION_LOCAL_BYTES 3
#define SI_FUNCTION_REGISTERS 4
#define SI_FUNCTION_PTX_VERSION 5
#define SI_FUNCTION_BINARY_VERSION 6
#define SI_FUNCTION_CACHE_MODE 7
#define SI_FUNCTION_MAX_DYNAMIC_SHARED 8
#define SI_FUNCTION_CARVEOUT 9

/* Attributes of devices */
#define SI_DEVICE_MAX_THREADS_PER_BLOCK 1
#define SI_DEVICE_MAX_BLOCK_X 2
#define SI_DEVICE_MAX_BLOCK_Y 3
#define SI_DEVICE_MAX_BLOCK_Z 4
#define SI_DEVICE_MAX_GRID_X 5
#define SI_DEVICE_MAX_GRID_Y 6
#define SI_DEVICE_MAX_GRID_Z 7
#define SI_DEVICE_SHARED_PER_BLOCK 8
#define SI_DEVICE_CONSTANT_MEMORY 9
#define SI_DEVICE_WARP_SIZE 10
#define SI_DEVICE_REGISTERS_PER_BLOCK 12
#define SI_DEVICE_CLOCK_RATE 13
#define SI_DEVICE_TEXTURE_ALIGNMENT 14
#define SI_DEVICE_MULTIPROCESSORS 16
#define SI_DEVICE_INTEGRATED 18
#define SI_DEVICE_CAN_MAP_HOST_MEMORY 19
#define SI_DEVICE_COMPUTE_MODE 20
#define SI_DEVICE_CONCURRENT_KERNELS 31
#define SI_DEVICE_PCI_BUS 33
#define SI_DEVICE_PCI_DEVICE 34
#define SI_DEVICE_MEMORY_CLOCK_RATE 36
#define SI_DEVICE_MEMORY_BUS_WIDTH 37
#define SI_DEVICE_L2_CACHE_SIZE 38
#define SI_DEVICE_MAX_THREADS_PER_MULTIPROCESSOR 39
#define SI_DEVICE_ASYNC_ENGINES 40
#define SI_DEVICE_UNIFIED_ADDRESSING 41
#define SI_DEVICE_PCI_DOMAIN 50
#define SI_DEVICE_CAPABILITY_MAJOR 75
#define SI_DEVICE_CAPABILITY_MINOR 76
#define SI_DEVICE_STREAM_PRIORITIES 78
#define SI_DEVICE_SHARED_PER_MULTIPROCESSOR 81
#define SI_DEVICE_REGISTERS_PER_MULTIPROCESSOR 82
#define SI_DEVICE_MANAGED_MEMORY 83
#define SI_DEVICE_CONCURRENT_MANAGED 89
#define SI_DEVICE_COOPERATIVE_LAUNCH 95
#define SI_DEVICE_SHARED_OPTIN 97
#define SI_DEVICE_MAX_BLOCKS_PER_MULTIPROCESSOR 106
#define SI_DEVICE_RESERVED_SHARED 111
#define SI_DEVICE_MEMORY_POOLS 115
#define SI_DEVICE_WAIT_VALUE_NOR 123

#endif
