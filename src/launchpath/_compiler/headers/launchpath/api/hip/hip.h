// HIP's runtime API. Its functions are defined in launchpath's part of each program. Where host code is only parsed, they
// are declared all the same.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/vector.h>
#include <launchpath/api/launch.h>
#include <launchpath/api/host.h>

#define __LP_API(name) hip##name
#define __LP_MAKE(name) make_hip##name
#define __LP_CALL(name) extern "C" hipError_t hip##name
#define __LP_CALL_TEXT(name) extern "C" const char *hip##name
#define __LP_CALL_INT(name) extern "C" int hip##name
#define __LP_INLINE(name) inline hipError_t hip##name
#define __LP_API_ARRAYS(name) name##HipArraySupported
#define __LP_API_LIST(name, parameters, values)
// Libraries declare these two again, by these names.
#define __LP_API_STREAM ihipStream_t
#define __LP_API_EVENT ihipEvent_t
#define __LP_API_PROPERTIES hipDeviceProp_t
#define __LP_API_POINTER_ATTRIBUTES hipPointerAttribute_t
#define __LP_API_DEVICE_ATTRIBUTE hipDeviceAttribute_t
#define __LP_API_LIMIT enum hipLimit_t
#define __LP_API_CACHE hipFuncCache_t
#define __LP_API_P2P hipDeviceP2PAttr

typedef enum hipError_t {
#include <launchpath/api/errors.h>
  hipErrorOutOfMemory = 2,
  hipErrorNotInitialized = 3,
  hipErrorDeinitialized = 4,
  hipErrorInvalidImage = 200,
  hipErrorInvalidContext = 201,
  hipErrorContextAlreadyCurrent = 202,
  hipErrorMapBufferObjectFailed = 205,
  hipErrorNoBinaryForGpu = 209,
  hipErrorECCNotCorrectable = 214,
  hipErrorContextAlreadyInUse = 216,
  hipErrorInvalidKernelFile = 218,
  hipErrorInvalidHandle = 400,
  hipErrorNotFound = 500,
  hipErrorLaunchTimeOut = 702,
  hipErrorInvalidChannelDescriptor = 911,
  hipErrorInvalidTexture = 912,
  hipErrorInvalidResourceType = 914,
  hipErrorInvalidResourceConfiguration = 915,
  hipErrorStreamDetached = 916,
  hipErrorRuntimeMemory = 1052,
  hipErrorRuntimeOther = 1053,
  hipErrorInvalidClusterSize = 1054,
  hipErrorTbd
} hipError_t;

typedef enum hipFuncCache_t {
  hipFuncCachePreferNone,
  hipFuncCachePreferShared,
  hipFuncCachePreferL1,
  hipFuncCachePreferEqual
} hipFuncCache_t;
typedef hipFuncCache_t hipFuncCache;
enum hipLimit_t {
  hipLimitStackSize,
  hipLimitPrintfFifoSize,
  hipLimitMallocHeapSize,
  hipExtLimitScratchMin = 0x1000,
  hipExtLimitScratchMax,
  hipExtLimitScratchCurrent,
  hipLimitRange
};
typedef enum hipDeviceP2PAttr {
  hipDevP2PAttrPerformanceRank,
  hipDevP2PAttrAccessSupported,
  hipDevP2PAttrNativeAtomicSupported,
  hipDevP2PAttrHipArrayAccessSupported
} hipDeviceP2PAttr;
#include <launchpath/api/hip/hip_attributes.h>
#include <launchpath/api/types.h>
// What Clang calls for a launch.
extern "C" hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, hipStream_t stream = 0);
extern "C" hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, hipStream_t *stream);
extern "C" hipError_t hipConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem, hipStream_t stream);
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
#include <launchpath/api/texture.h>
#include <launchpath/api/texture_device.h>
#ifdef __LP_CALLS__
#include <launchpath/api/types_host.h>
#include <launchpath/api/functions.h>
#include <launchpath/api/functions_arrays.h>
#include <launchpath/api/functions_graphs.h>
#include <launchpath/api/templates.h>
#include <launchpath/api/templates_arrays.h>
#endif

typedef hipDeviceProp_t hipDeviceProp_tR0600;
typedef int hipDevice_t;
typedef void *hipDeviceptr_t;
typedef int hipLaunchParm;

static constexpr unsigned int hipHostMallocDefault = 0, hipHostMallocPortable = 1, hipHostMallocMapped = 2,
                              hipHostMallocWriteCombined = 4, hipHostMallocNumaUser = 0x20000000,
                              hipHostMallocCoherent = 0x40000000, hipHostMallocNonCoherent = 0x80000000;
static constexpr unsigned int hipHostAllocDefault = 0, hipHostAllocPortable = 1, hipHostAllocMapped = 2,
                              hipHostAllocWriteCombined = 4;
static constexpr unsigned int hipDeviceMallocDefault = 0, hipDeviceMallocFinegrained = 1, hipMallocSignalMemory = 2,
                              hipDeviceMallocUncached = 3;
static constexpr unsigned int hipEventReleaseToDevice = 0x40000000, hipEventReleaseToSystem = 0x80000000,
                              hipEventDisableSystemFence = 0x20000000;

#define HIP_SYMBOL(X) X
#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 2
#define HIP_VERSION_PATCH 0
#define HIP_VERSION 60200000
#define HIP_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define HIP_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)
#define HIP_LAUNCH_PARAM_END ((void *)0x03)
#define hipStreamPerThread ((hipStream_t)2)
#define hipStreamLegacy ((hipStream_t)1)
// A macro of the program's may stand for the whole configuration.
#define hipLaunchKernelGGL(kernel, ...) __lp_launch((kernel), __VA_ARGS__)
#ifdef __LP_HOST_CALLS__  // kernels are called where they were launched
#define __lp_launch(kernel, grid, block, shared, stream, ...) (kernel)(__VA_ARGS__)
#define hipExtLaunchKernelGGL(kernel, grid, block, shared, stream, start, stop, flags, ...) (kernel)(__VA_ARGS__)
#else
#define __lp_launch(kernel, grid, block, shared, stream, ...) \
  (kernel)<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__)
#ifdef __LP_NATIVE__
#define hipExtLaunchKernelGGL(kernel, grid, block, shared, stream, start, stop, flags, ...) \
  hipExtLaunchKernel((kernel), (grid), (block), (shared), (stream), (start), (stop), (flags), ##__VA_ARGS__)
#else
#define hipExtLaunchKernelGGL(kernel, grid, block, shared, stream, start, stop, flags, ...) \
  (kernel)<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__)
#endif
#endif

#ifdef __LP_CALLS__
#include <launchpath/api/hip/hip_types.h>
#include <launchpath/api/hip/hip_functions.h>
#include <launchpath/api/hip/hip_templates.h>
#endif

#include <launchpath/api/end.h>
