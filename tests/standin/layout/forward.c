/* The forwarding library's numbers, held against HIP's headers. */
#define FORWARD_CHECK
#include "../hip/abi.h"
#include "same.h"
#include <hip/hip_version.h>

SAME(HF_SUCCESS, hipSuccess);
SAME(HF_ERROR_INVALID_VALUE, hipErrorInvalidValue);
SAME(HF_ERROR_NOT_INITIALIZED, hipErrorNotInitialized);
SAME(HF_ERROR_INSUFFICIENT_DRIVER, hipErrorInsufficientDriver);
SAME(HF_ERROR_NO_DEVICE, hipErrorNoDevice);
SAME(HF_ERROR_INVALID_DEVICE, hipErrorInvalidDevice);
SAME(HF_ERROR_INVALID_KERNEL_FILE, hipErrorInvalidKernelFile);
SAME(HF_ERROR_LAUNCH_FAILURE, hipErrorLaunchFailure);
SAME(HF_ERROR_NOT_SUPPORTED, hipErrorNotSupported);
SAME(HF_ERROR_UNKNOWN, hipErrorUnknown);
SAME(HF_LAUNCH_PARAM_BUFFER_POINTER, (uintptr_t)HIP_LAUNCH_PARAM_BUFFER_POINTER);
SAME(HF_LAUNCH_PARAM_BUFFER_SIZE, (uintptr_t)HIP_LAUNCH_PARAM_BUFFER_SIZE);
SAME(HF_LAUNCH_PARAM_END, (uintptr_t)HIP_LAUNCH_PARAM_END);
SAME(HF_MEMCPY_HOST_TO_HOST, hipMemcpyHostToHost);
SAME(HF_MEMCPY_HOST_TO_DEVICE, hipMemcpyHostToDevice);
SAME(HF_MEMCPY_DEVICE_TO_HOST, hipMemcpyDeviceToHost);
SAME(HF_MEMCPY_DEVICE_TO_DEVICE, hipMemcpyDeviceToDevice);
SAME(HF_MEMCPY_DEFAULT, hipMemcpyDefault);
#if HIP_VERSION_MAJOR < 6
SAME(HF_MEMORY_HOST, hipMemoryTypeHost);
SAME(HF_MEMORY_DEVICE, hipMemoryTypeDevice);
#endif
SAME(HF_POINTER_MEMORY_TYPE, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE);
SAME(HF_EVENT_RELEASE_FLAGS, hipEventReleaseToDevice | hipEventReleaseToSystem);
SAME(HF_HOST_COHERENCE_FLAGS, hipHostMallocNumaUser | hipHostMallocCoherent | hipHostMallocNonCoherent);
SAME(HF_FUNCTION_MAX_DYNAMIC_SHARED, hipFuncAttributeMaxDynamicSharedMemorySize);
SAME(HF_FUNCTION_CARVEOUT, hipFuncAttributePreferredSharedMemoryCarveout);
SAME(HF_DEVICE_CAN_USE_WAIT_VALUE, hipDeviceAttributeCanUseStreamWaitValue);
SAME(HF_RTC_INVALID_INPUT, HIPRTC_ERROR_INVALID_INPUT);
SAME(HF_RTC_INVALID_PROGRAM, HIPRTC_ERROR_INVALID_PROGRAM);
SAME(HF_RTC_INTERNAL_ERROR, HIPRTC_ERROR_INTERNAL_ERROR);
#define ROW(name, hip, cuda) SAME(hip, hipDeviceAttribute##name);
HF_ATTRIBUTES(ROW)
#undef ROW

/* What it and CUDA have the same numbers for, so that it hands them on. */
SAME(hipHostMallocPortable, 1);
SAME(hipHostMallocMapped, 2);
SAME(hipHostMallocWriteCombined, 4);
SAME(hipStreamCaptureStatusNone, 0);
SAME(hipStreamCaptureStatusActive, 1);
SAME(hipStreamCaptureStatusInvalidated, 2);
SAME(hipStreamCaptureModeGlobal, 0);
SAME(hipStreamCaptureModeThreadLocal, 1);
SAME(hipStreamCaptureModeRelaxed, 2);
SAME(hipErrorStreamCaptureInvalidated, 901);
SAME(hipErrorStreamCaptureWrongThread, 908);
SAME(hipMemPoolAttrReleaseThreshold, 4);
#if HIP_VERSION_MAJOR >= 6
SAME(hipUserObjectNoDestructorSync, 1);
SAME(hipGraphUserObjectMove, 1);
#endif
SAME(HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL, 9);
SAME(HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, 17);
SAME(HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 9);
SAME((uintptr_t)hipStreamPerThread, 2);
SAME(sizeof(hipDeviceptr_t), 8);
#if HIP_VERSION_MAJOR < 6
SAME(sizeof(hipDeviceProp_t), 792);
SAME(offsetof(hipDeviceProp_t, gcnArchName), 396);
#endif
SAME(sizeof(hipMemPoolProps), 88);
