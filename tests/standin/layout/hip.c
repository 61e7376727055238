/* The HIP driver's numbers and structs, held against HIP's header. */
#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>
#include <hip/hip_version.h>
#include <stddef.h>
#include <stdint.h>

#include "constants.h"
#include "same.h"

#define NAME(name) HIP_##name
#define STRUCT(name) HIP_##name
#define POOL_PROPERTIES hipMemPoolProps
#define POOL_ACCESS hipMemAccessDesc
#include "both.h"

SAME(GPU_SUCCESS, hipSuccess);
SAME(GPU_ERROR_INVALID_VALUE, hipErrorInvalidValue);
SAME(GPU_ERROR_OUT_OF_MEMORY, hipErrorOutOfMemory);
SAME(GPU_ERROR_DEINITIALIZED, hipErrorDeinitialized);
SAME(GPU_ERROR_NO_DEVICE, hipErrorNoDevice);
SAME(GPU_ERROR_INVALID_IMAGE, hipErrorInvalidImage);
SAME(GPU_ERROR_INVALID_CONTEXT, hipErrorInvalidContext);
SAME(GPU_ERROR_NO_BINARY_FOR_GPU, hipErrorNoBinaryForGpu);
SAME(GPU_ERROR_ECC_UNCORRECTABLE, hipErrorECCNotCorrectable);
SAME(GPU_ERROR_INVALID_HANDLE, hipErrorInvalidHandle);
SAME(GPU_ERROR_NOT_FOUND, hipErrorNotFound);
SAME(GPU_ERROR_NOT_READY, hipErrorNotReady);
SAME(GPU_ERROR_ILLEGAL_ADDRESS, hipErrorIllegalAddress);
SAME(GPU_ERROR_LAUNCH_OUT_OF_RESOURCES, hipErrorLaunchOutOfResources);
SAME(GPU_ERROR_LAUNCH_TIMEOUT, hipErrorLaunchTimeOut);
SAME(GPU_ERROR_ASSERT, hipErrorAssert);
SAME(GPU_ERROR_LAUNCH_FAILED, hipErrorLaunchFailure);
SAME(GPU_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, hipErrorCooperativeLaunchTooLarge);
SAME(GPU_ERROR_NOT_SUPPORTED, hipErrorNotSupported);
SAME(GPU_ERROR_STREAM_CAPTURE_UNSUPPORTED, hipErrorStreamCaptureUnsupported);
SAME(GPU_ERROR_STREAM_CAPTURE_IMPLICIT, hipErrorStreamCaptureImplicit);
SAME(GPU_ERROR_CAPTURED_EVENT, hipErrorCapturedEvent);
SAME(GPU_CAPTURE_RELAXED, hipStreamCaptureModeRelaxed);
SAME(GPU_CAPTURE_ACTIVE, hipStreamCaptureStatusActive);
SAME(GPU_ERROR_UNKNOWN, hipErrorUnknown);

SAME(GPU_STREAM_NON_BLOCKING, hipStreamNonBlocking);
SAME(GPU_EVENT_DISABLE_TIMING, hipEventDisableTiming);
SAME(GPU_WAIT_VALUE_GEQ, hipStreamWaitValueGte);
SAME(HIP_STREAM_LEGACY, (uintptr_t)(hipStream_t)NULL); /* the null stream; a name for it came later */

#if HIP_VERSION_MAJOR >= 6 /* these came after HIP 5.2 */
SAME(GPU_USER_OBJECT_NO_DESTRUCTOR_SYNC, hipUserObjectNoDestructorSync);
SAME(GPU_GRAPH_USER_OBJECT_MOVE, hipGraphUserObjectMove);
#endif

SAME(GPU_HOST_PORTABLE, hipHostMallocPortable);
SAME(GPU_HOST_MAPPED, hipHostMallocMapped);
SAME(GPU_ATTACH_GLOBAL, hipMemAttachGlobal);
SAME(HIP_MEMCPY_DEFAULT, hipMemcpyDefault);
SAME(GPU_POOL_REUSE_INTERNAL, hipMemPoolReuseAllowInternalDependencies);
SAME(GPU_POOL_RELEASE_THRESHOLD, hipMemPoolAttrReleaseThreshold);
SAME(GPU_POOL_TYPE_PINNED, hipMemAllocationTypePinned);
SAME(GPU_ERROR_PEER_ACCESS_ALREADY_ENABLED, hipErrorPeerAccessAlreadyEnabled);
SAME(GPU_MEMORY_READ_WRITE, hipMemAccessFlagsProtReadWrite);
SAME(GPU_LOCATION_DEVICE, hipMemLocationTypeDevice);

SAME(HIP_LAUNCH_END, (uintptr_t)HIP_LAUNCH_PARAM_END);
SAME(GPU_FUNCTION_MAX_DYNAMIC_SHARED, hipFuncAttributeMaxDynamicSharedMemorySize); /* hipFuncSetAttribute has its own */
#if HIP_VERSION_MAJOR < 7
SAME(GPU_JIT_ERROR_LOG, hipJitOptionErrorLogBuffer);
SAME(GPU_JIT_ERROR_LOG_SIZE, hipJitOptionErrorLogBufferSizeBytes);
#endif

SAME(HIP_MAX_THREADS_PER_BLOCK, hipDeviceAttributeMaxThreadsPerBlock);
SAME(HIP_MAX_BLOCK_X, hipDeviceAttributeMaxBlockDimX);
SAME(HIP_MAX_BLOCK_Y, hipDeviceAttributeMaxBlockDimY);
SAME(HIP_MAX_BLOCK_Z, hipDeviceAttributeMaxBlockDimZ);
SAME(HIP_MAX_GRID_X, hipDeviceAttributeMaxGridDimX);
SAME(HIP_MAX_GRID_Y, hipDeviceAttributeMaxGridDimY);
SAME(HIP_MAX_GRID_Z, hipDeviceAttributeMaxGridDimZ);
SAME(HIP_MAX_SHARED_PER_BLOCK, hipDeviceAttributeMaxSharedMemoryPerBlock);
SAME(HIP_WARP_SIZE, hipDeviceAttributeWarpSize);
SAME(HIP_MULTIPROCESSORS, hipDeviceAttributeMultiprocessorCount);
SAME(HIP_CAPABILITY_MAJOR, hipDeviceAttributeComputeCapabilityMajor);
SAME(HIP_CAPABILITY_MINOR, hipDeviceAttributeComputeCapabilityMinor);
SAME(HIP_COOPERATIVE_LAUNCH, hipDeviceAttributeCooperativeLaunch);
SAME(HIP_MANAGED_MEMORY, hipDeviceAttributeManagedMemory);
SAME(HIP_CONCURRENT_MANAGED_ACCESS, hipDeviceAttributeConcurrentManagedAccess);
SAME(HIP_MAX_SHARED_PER_BLOCK_OPTIN, hipDeviceAttributeSharedMemPerBlockOptin);
SAME(HIP_MEMORY_POOLS, hipDeviceAttributeMemoryPoolsSupported);
SAME(HIP_WAIT_VALUE, hipDeviceAttributeCanUseStreamWaitValue);

#if HIP_VERSION_MAJOR < 6 /* later headers give the struct and the function a version in their names */
SAME(HIP_PROPERTIES_SIZE, sizeof(hipDeviceProp_t));
SAME(HIP_PROPERTIES_ARCHITECTURE, offsetof(hipDeviceProp_t, gcnArchName));
#endif

SAME(HIP_MEMCPY_DEVICE_TO_DEVICE, hipMemcpyDeviceToDevice);
SAME(GPU_ARRAY_LAYERED, hipArrayLayered);

SAME(sizeof(struct gpu_hip_array_copy), sizeof(hipMemcpy3DParms));
OFFSET(struct gpu_hip_array_copy, source, hipMemcpy3DParms, srcPtr.ptr);
OFFSET(struct gpu_hip_array_copy, source_pitch, hipMemcpy3DParms, srcPtr.pitch);
OFFSET(struct gpu_hip_array_copy, source_width, hipMemcpy3DParms, srcPtr.xsize);
OFFSET(struct gpu_hip_array_copy, source_rows, hipMemcpy3DParms, srcPtr.ysize);
OFFSET(struct gpu_hip_array_copy, to_array, hipMemcpy3DParms, dstArray);
OFFSET(struct gpu_hip_array_copy, width, hipMemcpy3DParms, extent.width);
OFFSET(struct gpu_hip_array_copy, height, hipMemcpy3DParms, extent.height);
OFFSET(struct gpu_hip_array_copy, depth, hipMemcpy3DParms, extent.depth);
OFFSET(struct gpu_hip_array_copy, kind, hipMemcpy3DParms, kind);
