// CUDA's runtime API. Its functions are defined in launchpath's part of each program, as HIP's of the same arguments; where
// host code is only parsed, they are declared all the same.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/vector.h>
#include <launchpath/api/launch.h>
#include <launchpath/api/host.h>

#define __LP_API_CUDA
#define __LP_API(name) cuda##name
#define __LP_MAKE(name) make_cuda##name
#define __LP_CALL(name) extern "C" cudaError_t cuda##name
#define __LP_CALL_TEXT(name) extern "C" const char *cuda##name
#define __LP_CALL_INT(name) extern "C" int cuda##name
#define __LP_INLINE(name) inline cudaError_t cuda##name
#define __LP_API_ARRAYS(name) name##CudaArraySupported
#define __LP_API_UNWRAP(...) __VA_ARGS__
#define __LP_API_LIST(name, parameters, values) \
  cuda##name() = default;                       \
  __LP_MEMBER cuda##name parameters : __LP_API_UNWRAP values {}
// Libraries declare these two again, by these names.
#define __LP_API_STREAM CUstream_st
#define __LP_API_EVENT CUevent_st
#define __LP_API_PROPERTIES cudaDeviceProp
#define __LP_API_POINTER_ATTRIBUTES cudaPointerAttributes
#define __LP_API_DEVICE_ATTRIBUTE enum cudaDeviceAttr
#define __LP_API_LIMIT enum cudaLimit
#define __LP_API_CACHE enum cudaFuncCache
#define __LP_API_P2P enum cudaDeviceP2PAttr

enum cudaError {
#include <launchpath/api/errors.h>
#define __LP_ERROR(name, number, hip) name = number,
#include <launchpath/api/cuda_numbers.h>
#undef __LP_ERROR
  cudaErrorCudartUnloading = 4,
  cudaErrorInvalidHostPointer = 16,
  cudaErrorInvalidTextureBinding = 19,
  cudaErrorAddressOfConstant = 22,
  cudaErrorTextureFetchFailed = 23,
  cudaErrorTextureNotBound = 24,
  cudaErrorSynchronizationError = 25,
  cudaErrorInvalidFilterSetting = 26,
  cudaErrorInvalidNormSetting = 27,
  cudaErrorMixedDeviceExecution = 28,
  cudaErrorNotYetImplemented = 31,
  cudaErrorMemoryValueTooLarge = 32,
  cudaErrorStubLibrary = 34,
  cudaErrorCallRequiresNewerDriver = 36,
  cudaErrorInvalidSurface = 37,
  cudaErrorDuplicateVariableName = 43,
  cudaErrorDuplicateTextureName = 44,
  cudaErrorDuplicateSurfaceName = 45,
  cudaErrorDevicesUnavailable = 46,
  cudaErrorIncompatibleDriverContext = 49,
  cudaErrorLaunchMaxDepthExceeded = 65,
  cudaErrorLaunchFileScopedTex = 66,
  cudaErrorLaunchFileScopedSurf = 67,
  cudaErrorSyncDepthExceeded = 68,
  cudaErrorLaunchPendingCountExceeded = 69,
  cudaErrorDeviceNotLicensed = 102,
  cudaErrorSoftwareValidityNotEstablished = 103,
  cudaErrorStartupFailure = 127,
  cudaErrorInvalidKernelImage = 200,
  cudaErrorDeviceUninitialized = 201,
  cudaErrorMapBufferObjectFailed = 205,
  cudaErrorUnmapBufferObjectFailed = 206,
  cudaErrorNoKernelImageForDevice = 209,
  cudaErrorECCUncorrectable = 214,
  cudaErrorDeviceAlreadyInUse = 216,
  cudaErrorInvalidPtx = 218,
  cudaErrorNvlinkUncorrectable = 220,
  cudaErrorJitCompilerNotFound = 221,
  cudaErrorUnsupportedPtxVersion = 222,
  cudaErrorJitCompilationDisabled = 223,
  cudaErrorUnsupportedExecAffinity = 224,
  cudaErrorUnsupportedDevSideSync = 225,
  cudaErrorLossyQuery = 402,
  cudaErrorSymbolNotFound = 500,
  cudaErrorLaunchTimeout = 702,
  cudaErrorLaunchIncompatibleTexturing = 703,
  cudaErrorTooManyPeers = 711,
  cudaErrorHardwareStackError = 714,
  cudaErrorIllegalInstruction = 715,
  cudaErrorMisalignedAddress = 716,
  cudaErrorInvalidAddressSpace = 717,
  cudaErrorInvalidPc = 718,
  cudaErrorNotPermitted = 800,
  cudaErrorSystemNotReady = 802,
  cudaErrorSystemDriverMismatch = 803,
  cudaErrorCompatNotSupportedOnDevice = 804,
  cudaErrorMpsConnectionFailed = 805,
  cudaErrorMpsRpcFailure = 806,
  cudaErrorMpsServerNotReady = 807,
  cudaErrorMpsMaxClientsReached = 808,
  cudaErrorMpsMaxConnectionsReached = 809,
  cudaErrorTimeout = 909,
  cudaErrorExternalDevice = 911,
  cudaErrorFunctionNotLoaded = 913,
  cudaErrorInvalidResourceType = 914,
  cudaErrorInvalidResourceConfiguration = 915,
  cudaErrorApiFailureBase = 10000
};
typedef enum cudaError cudaError_t;

enum cudaFuncCache {
  cudaFuncCachePreferNone,
  cudaFuncCachePreferShared,
  cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual
};
enum cudaLimit {
  cudaLimitStackSize,
  cudaLimitPrintfFifoSize,
  cudaLimitMallocHeapSize,
  cudaLimitDevRuntimeSyncDepth,
  cudaLimitDevRuntimePendingLaunchCount,
  cudaLimitMaxL2FetchGranularity,
  cudaLimitPersistingL2CacheSize
};
enum cudaDeviceP2PAttr {
#define __LP_P2P(name, number, hip) name = number,
#include <launchpath/api/cuda_numbers.h>
#undef __LP_P2P
};
enum cudaDeviceAttr {
#define __LP_ATTRIBUTE(name, number, hip) name = number,
#include <launchpath/api/cuda_numbers.h>
#undef __LP_ATTRIBUTE
};
enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxShared = 100,
  cudaSharedmemCarveoutMaxL1 = 0
};
#include <launchpath/api/types.h>
typedef struct CUfunc_st *cudaFunction_t;
typedef cudaTextureObject_t CUtexObject;  // the driver API's, which nvcc knows without an include
typedef cudaSurfaceObject_t CUsurfObject;
#include <launchpath/api/texture.h>
#include <launchpath/api/texture_device.h>
#ifdef __LP_CALLS__
#include <launchpath/api/types_host.h>
#include <launchpath/api/functions.h>
#include <launchpath/api/functions_arrays.h>
#include <launchpath/api/functions_graphs.h>
#include <launchpath/api/templates.h>
#include <launchpath/api/templates_arrays.h>
#include <launchpath/api/cuda_templates.h>
#endif

typedef cudaDeviceProp cudaDeviceProp_t;
typedef unsigned long long cudaGraphConditionalHandle, CUgraphConditionalHandle;
extern "C" __attribute__((device, unavailable("graphs have conditional nodes on CUDA devices only: let the host decide "
                                              "what is launched next"))) void
cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
static constexpr unsigned int cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2,
                              cudaHostAllocWriteCombined = 4;
static constexpr unsigned int cudaDeviceBlockingSync = 4, cudaStreamAddCallbackDefault = 0, cudaInitDeviceFlagsAreValid = 1;
static constexpr unsigned int cudaPeerAccessDefault = 0, cudaCooperativeLaunchMultiDeviceNoPreSync = 1,
                              cudaCooperativeLaunchMultiDeviceNoPostSync = 2;
static constexpr unsigned int cudaGraphKernelNodePortDefault = 0, cudaGraphKernelNodePortProgrammatic = 1;

#include <launchpath/cuda_version.h>
#define CUDART_VERSION __LP_CUDA_VERSION
#define CUDA_IPC_HANDLE_SIZE 64
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
#define cudaDevicePropDontCare {}

#include <launchpath/api/end.h>
