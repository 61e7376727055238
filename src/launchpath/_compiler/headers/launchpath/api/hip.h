// HIP's runtime API as declarations without definitions: host code is only parsed.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/vector.h>
#include <launchpath/api/launch.h>
#include <launchpath/api/host.h>

#define __LP_API(name) hip##name
#define __LP_MAKE(name) make_hip##name
#define __LP_CALL(name) extern "C" hipError_t hip##name
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
  hipErrorNoBinaryForGpu = 209,
  hipErrorECCNotCorrectable = 214,
  hipErrorContextAlreadyInUse = 216,
  hipErrorInvalidKernelFile = 221,
  hipErrorInvalidHandle = 400,
  hipErrorNotFound = 500,
  hipErrorLaunchTimeOut = 702,
  hipErrorRuntimeMemory = 1052,
  hipErrorRuntimeOther = 1053,
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
#include <launchpath/api/hip_attributes.h>
#include <launchpath/api/types.h>
#include <launchpath/api/texture.h>
#include <launchpath/api/texture_device.h>
#ifdef __LP_CALLS__
#include <launchpath/api/functions.h>
#endif

typedef hipDeviceProp_t hipDeviceProp_tR0600;
typedef enum hipMemcpyKind hipMemcpyKind;
typedef int hipDevice_t;
typedef void *hipDeviceptr_t;
typedef struct ihipCtx_t *hipCtx_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
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
#ifdef __LP_HOST_CALLS__  // kernels are called where they were launched
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...) (kernel)(__VA_ARGS__)
#define hipExtLaunchKernelGGL(kernel, grid, block, shared, stream, start, stop, flags, ...) (kernel)(__VA_ARGS__)
#else
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...) \
  (kernel)<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__)
#define hipExtLaunchKernelGGL(kernel, grid, block, shared, stream, start, stop, flags, ...) \
  (kernel)<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__)
#endif

#ifdef __LP_CALLS__
__LP_CALL(Init)(unsigned int);
__LP_CALL(DeviceTotalMem)(size_t *, int);
__LP_CALL(DeviceGet)(int *, int);
__LP_CALL(DeviceGetName)(char *, int, int);
__LP_CALL(DeviceComputeCapability)(int *, int *, int);
__LP_CALL(HostMalloc)(void **, size_t, unsigned int flags = 0);
__LP_CALL(HostFree)(void *);
__LP_CALL(ExtMallocWithFlags)(void **, size_t, unsigned int);
__LP_CALL(MemcpyWithStream)(void *, const void *, size_t, hipMemcpyKind, hipStream_t);
__LP_CALL(MemcpyHtoD)(hipDeviceptr_t, const void *, size_t);
__LP_CALL(MemcpyDtoH)(void *, hipDeviceptr_t, size_t);
__LP_CALL(MemcpyDtoD)(hipDeviceptr_t, hipDeviceptr_t, size_t);
__LP_CALL(MemcpyHtoDAsync)(hipDeviceptr_t, const void *, size_t, hipStream_t);
__LP_CALL(MemcpyDtoHAsync)(void *, hipDeviceptr_t, size_t, hipStream_t);
__LP_CALL(MemcpyDtoDAsync)(hipDeviceptr_t, hipDeviceptr_t, size_t, hipStream_t);
__LP_CALL(MemsetD8)(hipDeviceptr_t, unsigned char, size_t);
__LP_CALL(MemsetD16)(hipDeviceptr_t, unsigned short, size_t);
__LP_CALL(MemsetD32)(hipDeviceptr_t, int, size_t);
__LP_CALL(MemsetD32Async)(hipDeviceptr_t, int, size_t, hipStream_t = 0);
__LP_CALL(MemPtrGetInfo)(void *, size_t *);
__LP_CALL(MemAllocHost)(void **, size_t);
__LP_CALL(CtxSynchronize)();
__LP_CALL(CtxCreate)(hipCtx_t *, unsigned int, int);
__LP_CALL(CtxSetCurrent)(hipCtx_t);
__LP_CALL(CtxGetDevice)(int *);
__LP_CALL(ModuleLoad)(hipModule_t *, const char *);
__LP_CALL(ModuleLoadData)(hipModule_t *, const void *);
__LP_CALL(ModuleUnload)(hipModule_t);
__LP_CALL(ModuleGetFunction)(hipFunction_t *, hipModule_t, const char *);
__LP_CALL(ModuleGetGlobal)(hipDeviceptr_t *, size_t *, hipModule_t, const char *);
__LP_CALL(ModuleLaunchKernel)(hipFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                              hipStream_t, void **, void **);
__LP_CALL(ExtStreamCreateWithCUMask)(hipStream_t *, unsigned int, const unsigned int *);
extern "C" int hipGetStreamDeviceId(hipStream_t);
template <class _T> hipError_t hipHostMalloc(_T **, size_t, unsigned int flags = 0) { return hipSuccess; }
template <class _T> hipError_t hipExtMallocWithFlags(_T **, size_t, unsigned int) { return hipSuccess; }
template <class _T> hipError_t hipMemAllocHost(_T **, size_t) { return hipSuccess; }
template <class _F, class... _A>
hipError_t hipLaunchKernel(_F *, dim3, dim3, size_t, hipStream_t, _A...) {
  return hipSuccess;
}
template <class... _F, class... _A>
void hipExtLaunchKernel(void (*)(_F...), dim3, dim3, size_t, hipStream_t, hipEvent_t, hipEvent_t, unsigned int, _A...) {
}
#endif

#include <launchpath/api/end.h>
