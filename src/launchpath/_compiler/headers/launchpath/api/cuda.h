// CUDA's runtime API as declarations without definitions: host code is only parsed.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/vector.h>
#include <launchpath/api/launch.h>
#include <launchpath/api/host.h>

#define __LP_API(name) cuda##name
#define __LP_MAKE(name) make_cuda##name
#define __LP_CALL(name) extern "C" cudaError_t cuda##name
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
  cudaErrorCudartUnloading = 4,
  cudaErrorInvalidHostPointer = 16,
  cudaErrorInvalidTexture = 18,
  cudaErrorInvalidTextureBinding = 19,
  cudaErrorInvalidChannelDescriptor = 20,
  cudaErrorInvalidFilterSetting = 26,
  cudaErrorInvalidNormSetting = 27,
  cudaErrorCallRequiresNewerDriver = 36,
  cudaErrorInvalidSurface = 37,
  cudaErrorDuplicateVariableName = 43,
  cudaErrorDuplicateTextureName = 44,
  cudaErrorDuplicateSurfaceName = 45,
  cudaErrorDevicesUnavailable = 46,
  cudaErrorIncompatibleDriverContext = 49,
  cudaErrorLaunchMaxDepthExceeded = 65,
  cudaErrorSyncDepthExceeded = 68,
  cudaErrorLaunchPendingCountExceeded = 69,
  cudaErrorDeviceNotLicensed = 102,
  cudaErrorStartupFailure = 127,
  cudaErrorInvalidKernelImage = 200,
  cudaErrorDeviceUninitialized = 201,
  cudaErrorNoKernelImageForDevice = 209,
  cudaErrorECCUncorrectable = 214,
  cudaErrorDeviceAlreadyInUse = 216,
  cudaErrorInvalidPtx = 221,
  cudaErrorNvlinkUncorrectable = 220,
  cudaErrorJitCompilerNotFound = 222,
  cudaErrorUnsupportedPtxVersion = 223,
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
  cudaErrorTimeout = 909,
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
  cudaDevP2PAttrPerformanceRank = 1,
  cudaDevP2PAttrAccessSupported,
  cudaDevP2PAttrNativeAtomicSupported,
  cudaDevP2PAttrCudaArrayAccessSupported
};
enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxShared = 100,
  cudaSharedmemCarveoutMaxL1 = 0
};
enum cudaAccessProperty { cudaAccessPropertyNormal, cudaAccessPropertyStreaming, cudaAccessPropertyPersisting };
struct cudaAccessPolicyWindow {
  void *base_ptr;
  size_t num_bytes;
  float hitRatio;
  enum cudaAccessProperty hitProp, missProp;
};
#include <launchpath/api/cuda_attributes.h>
#include <launchpath/api/types.h>
typedef cudaTextureObject_t CUtexObject;  // the driver API's, which nvcc knows without an include
typedef cudaSurfaceObject_t CUsurfObject;
#include <launchpath/api/texture.h>
#include <launchpath/api/texture_device.h>
#ifdef __LP_CALLS__
#include <launchpath/api/functions.h>
#endif

typedef cudaDeviceProp cudaDeviceProp_t;
typedef struct __lp_cuda_function *cudaFunction_t;
typedef unsigned long long cudaGraphConditionalHandle, CUgraphConditionalHandle;
extern "C" __attribute__((device, unavailable("graphs have conditional nodes on CUDA devices only: let the host decide "
                                              "what is launched next"))) void
cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
struct cudaGraphicsResource;
enum cudaStreamAttrID { cudaStreamAttributeAccessPolicyWindow = 1, cudaStreamAttributeSynchronizationPolicy = 3 };
union cudaStreamAttrValue {
  struct cudaAccessPolicyWindow accessPolicyWindow;
  int syncPolicy;
};
enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore,
  cudaLaunchAttributeAccessPolicyWindow,
  cudaLaunchAttributeCooperative,
  cudaLaunchAttributeSynchronizationPolicy,
  cudaLaunchAttributeClusterDimension,
  cudaLaunchAttributeClusterSchedulingPolicyPreference,
  cudaLaunchAttributeProgrammaticStreamSerialization
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  union {
    int cooperative, programmaticStreamSerializationAllowed;
    struct { unsigned int x, y, z; } clusterDim;
  } val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned int numAttrs;
};

static constexpr unsigned int cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2,
                              cudaHostAllocWriteCombined = 4;
static constexpr unsigned int cudaDeviceBlockingSync = 4, cudaStreamAddCallbackDefault = 0;

#include <launchpath/cuda_version.h>
#define CUDART_VERSION __LP_CUDA_VERSION
#define CUDA_IPC_HANDLE_SIZE 64
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
#define cudaDevicePropDontCare {}

#ifdef __LP_CALLS__
cudaError_t cudaEventCreate(cudaEvent_t *, unsigned int);
__LP_CALL(ThreadSynchronize)();
__LP_CALL(ThreadExit)();
__LP_CALL(CtxResetPersistingL2Cache)();
__LP_CALL(StreamSetAttribute)(cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue *);
__LP_CALL(StreamGetAttribute)(cudaStream_t, cudaStreamAttrID, cudaStreamAttrValue *);
__LP_CALL(GraphicsMapResources)(int, cudaGraphicsResource **, cudaStream_t = 0);
__LP_CALL(GraphicsUnmapResources)(int, cudaGraphicsResource **, cudaStream_t = 0);
__LP_CALL(GraphicsResourceGetMappedPointer)(void **, size_t *, cudaGraphicsResource *);
__LP_CALL(GraphicsUnregisterResource)(cudaGraphicsResource *);
template <class... _P, class... _A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *, void (*)(_P...), _A &&...) { return cudaSuccess; }
#endif

#include <launchpath/api/end.h>
