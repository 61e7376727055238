/* The part of HIP's interface that is exported here: types, and numbers with a prefix of their own.
 *
 * With FORWARD_CHECK the types come from HIP's headers instead, and the compiler compares every function with them.
 * The numbers, which are those of HIP 5 and later, have another prefix, so that ../layout can compare them. */
#ifndef FORWARD_ABI_H
#define FORWARD_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef FORWARD_CHECK
#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>
#include <hip/hip_version.h>
#include <hip/hiprtc.h>
#if HIP_VERSION_MAJOR < 6 /* it came after HIP 5.2 */
typedef struct hipUserObject *hipUserObject_t;
#endif
#else
typedef int hipError_t;
typedef int hipDevice_t;
typedef void *hipDeviceptr_t;
typedef struct ihipCtx_t *hipCtx_t;
typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
typedef struct ihipMemPoolHandle_t *hipMemPool_t;
typedef struct ihipGraph *hipGraph_t;
typedef struct hipGraphNode *hipGraphNode_t;
typedef struct hipGraphExec *hipGraphExec_t;
typedef struct hipUserObject *hipUserObject_t;
typedef int hipDeviceAttribute_t;
typedef int hipFunction_attribute;
typedef int hipFuncAttribute;
typedef int hipPointer_attribute;
typedef int hipMemPoolAttr;
typedef int hipMemcpyKind;
typedef int hipStreamCaptureStatus;
typedef int hipStreamCaptureMode;
typedef int hipJitOption;
typedef void (*hipHostFn_t)(void *data);
typedef struct {
    int allocType;
    int handleTypes;
    struct {
        int type;
        int id;
    } location;
    void *win32SecurityAttributes;
    unsigned char reserved[64];
} hipMemPoolProps;
typedef struct {
    struct {
        int type;
        int id;
    } location;
    int flags;
} hipMemAccessDesc;
typedef struct hipArray hipArray;
typedef struct __hip_texture *hipTextureObject_t;
typedef struct {
    size_t Width, Height, Depth;
    int Format;
    unsigned int NumChannels, Flags;
} HIP_ARRAY3D_DESCRIPTOR;
typedef struct HIP_RESOURCE_DESC_st HIP_RESOURCE_DESC;
typedef struct HIP_TEXTURE_DESC_st HIP_TEXTURE_DESC;
typedef struct HIP_RESOURCE_VIEW_DESC_st HIP_RESOURCE_VIEW_DESC;
typedef struct {
    uint32_t x, y, z;
} dim3;
typedef struct {
    dim3 blockDim;
    void **extra;
    void *func;
    dim3 gridDim;
    void **kernelParams;
    unsigned int sharedMemBytes;
} hipKernelNodeParams;
typedef struct {
    void *ptr;
    size_t pitch, xsize, ysize;
} hipPitchedPtr;
typedef struct {
    void *srcArray;
    struct {
        size_t x, y, z;
    } srcPos;
    hipPitchedPtr srcPtr;
    void *dstArray;
    struct {
        size_t x, y, z;
    } dstPos;
    hipPitchedPtr dstPtr;
    struct {
        size_t width, height, depth;
    } extent;
    hipMemcpyKind kind;
} hipMemcpy3DParms;
typedef struct {
    void *dst;
    unsigned int elementSize;
    size_t height, pitch;
    unsigned int value;
    size_t width;
} hipMemsetParams;
typedef struct {
    hipHostFn_t fn;
    void *userData;
} hipHostNodeParams;
typedef struct {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    int clockRate, memoryClockRate, memoryBusWidth;
    size_t totalConstMem;
    int major, minor, multiProcessorCount, l2CacheSize, maxThreadsPerMultiProcessor, computeMode, clockInstructionRate;
    unsigned int arch;
    int concurrentKernels, pciDomainID, pciBusID, pciDeviceID;
    size_t maxSharedMemoryPerMultiProcessor;
    int isMultiGpuBoard, canMapHostMemory, gcnArch;
    char gcnArchName[256];
    int integrated, cooperativeLaunch;
    char rest[132]; /* of no use here */
} hipDeviceProp_t;
_Static_assert(sizeof(hipDeviceProp_t) == 792 && offsetof(hipDeviceProp_t, gcnArchName) == 396,
               "properties of a device");
typedef int hiprtcResult;
typedef struct _hiprtcProgram *hiprtcProgram;
#endif
_Static_assert(sizeof(hipKernelNodeParams) == 64 && offsetof(hipKernelNodeParams, extra) == 16 &&
                   offsetof(hipKernelNodeParams, func) == 24 && offsetof(hipKernelNodeParams, gridDim) == 32 &&
                   offsetof(hipKernelNodeParams, kernelParams) == 48 &&
                   offsetof(hipKernelNodeParams, sharedMemBytes) == 56,
               "a kernel node");
_Static_assert(sizeof(hipMemcpy3DParms) == 160 && offsetof(hipMemcpy3DParms, srcPtr) == 32 &&
                   offsetof(hipMemcpy3DParms, dstPos) == 72 && offsetof(hipMemcpy3DParms, dstPtr) == 96 &&
                   offsetof(hipMemcpy3DParms, extent) == 128 && offsetof(hipMemcpy3DParms, kind) == 152,
               "a copy node");
_Static_assert(sizeof(hipMemsetParams) == 48 && offsetof(hipMemsetParams, elementSize) == 8 &&
                   offsetof(hipMemsetParams, height) == 16 && offsetof(hipMemsetParams, value) == 32 &&
                   offsetof(hipMemsetParams, width) == 40,
               "a fill node");
_Static_assert(sizeof(hipHostNodeParams) == 16 && offsetof(hipHostNodeParams, userData) == 8, "a host node");

#define HF_SUCCESS 0
#define HF_ERROR_INVALID_VALUE 1
#define HF_ERROR_NOT_INITIALIZED 3
#define HF_ERROR_INSUFFICIENT_DRIVER 35
#define HF_ERROR_NO_DEVICE 100
#define HF_ERROR_INVALID_DEVICE 101
#define HF_ERROR_INVALID_KERNEL_FILE 218
#define HF_ERROR_LAUNCH_FAILURE 719
#define HF_ERROR_NOT_SUPPORTED 801
#define HF_ERROR_UNKNOWN 999
#define HF_LAUNCH_PARAM_BUFFER_POINTER 1
#define HF_LAUNCH_PARAM_BUFFER_SIZE 2
#define HF_LAUNCH_PARAM_END 3
#define HF_MEMCPY_HOST_TO_HOST 0
#define HF_MEMCPY_HOST_TO_DEVICE 1
#define HF_MEMCPY_DEVICE_TO_HOST 2
#define HF_MEMCPY_DEVICE_TO_DEVICE 3
#define HF_MEMCPY_DEFAULT 4
#define HF_MEMORY_HOST 0 /* 1 from HIP 6.0 on */
#define HF_MEMORY_DEVICE 1
#define HF_POINTER_MEMORY_TYPE 2
#define HF_EVENT_RELEASE_FLAGS 0xC0000000u
#define HF_HOST_COHERENCE_FLAGS 0xE0000000u
#define HF_FUNCTION_MAX_DYNAMIC_SHARED 8
#define HF_FUNCTION_CARVEOUT 9
#define HF_DEVICE_CAN_USE_WAIT_VALUE 10013
#define HF_RTC_INVALID_INPUT 3
#define HF_RTC_INVALID_PROGRAM 4
#define HF_RTC_INTERNAL_ERROR 11

/* Attributes of devices: HIP's number, and CUDA's for the same. */
#define HF_ATTRIBUTES(_)                     \
    _(EccEnabled, 0, 32)                     \
    _(AsyncEngineCount, 2, 40)               \
    _(CanMapHostMemory, 3, 19)               \
    _(ClockRate, 5, 13)                      \
    _(ComputeMode, 6, 20)                    \
    _(ConcurrentKernels, 8, 31)              \
    _(ConcurrentManagedAccess, 9, 89)        \
    _(CooperativeLaunch, 10, 95)             \
    _(Integrated, 16, 18)                    \
    _(L2CacheSize, 19, 38)                   \
    _(ComputeCapabilityMajor, 23, 75)        \
    _(ManagedMemory, 24, 83)                 \
    _(MaxBlocksPerMultiProcessor, 25, 106)   \
    _(MaxBlockDimX, 26, 2)                   \
    _(MaxBlockDimY, 27, 3)                   \
    _(MaxBlockDimZ, 28, 4)                   \
    _(MaxGridDimX, 29, 5)                    \
    _(MaxGridDimY, 30, 6)                    \
    _(MaxGridDimZ, 31, 7)                    \
    _(MaxThreadsPerBlock, 56, 1)             \
    _(MaxThreadsPerMultiProcessor, 57, 39)   \
    _(MaxPitch, 58, 11)                      \
    _(MemoryBusWidth, 59, 37)                \
    _(MemoryClockRate, 60, 36)               \
    _(ComputeCapabilityMinor, 61, 76)        \
    _(MultiprocessorCount, 63, 16)           \
    _(PageableMemoryAccess, 65, 88)          \
    _(PciBusId, 67, 33)                      \
    _(PciDeviceId, 68, 34)                   \
    _(PciDomainID, 69, 50)                   \
    _(MaxRegistersPerBlock, 71, 12)          \
    _(MaxRegistersPerMultiprocessor, 72, 82) \
    _(ReservedSharedMemPerBlock, 73, 111)    \
    _(MaxSharedMemoryPerBlock, 74, 8)        \
    _(SharedMemPerBlockOptin, 75, 97)        \
    _(SharedMemPerMultiprocessor, 76, 81)    \
    _(StreamPrioritiesSupported, 78, 78)     \
    _(TextureAlignment, 81, 14)              \
    _(TotalConstantMemory, 83, 9)            \
    _(UnifiedAddressing, 85, 41)             \
    _(WarpSize, 87, 10)                      \
    _(MemoryPoolsSupported, 88, 115)

#endif
