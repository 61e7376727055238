/* Errors: HIP has CUDA's numbers, but not all of them. */
#include "forward.h"

#define ERRORS(_)                                                                                                      \
    _(Success, 0, "no error")                                                                                          \
    _(ErrorInvalidValue, 1, "invalid argument")                                                                        \
    _(ErrorOutOfMemory, 2, "out of memory")                                                                            \
    _(ErrorNotInitialized, 3, "initialization error")                                                                  \
    _(ErrorDeinitialized, 4, "driver shutting down")                                                                   \
    _(ErrorInvalidConfiguration, 9, "invalid configuration argument")                                                  \
    _(ErrorInvalidDevicePointer, 17, "invalid device pointer")                                                         \
    _(ErrorInsufficientDriver, 35, "driver version is insufficient for runtime version")                               \
    _(ErrorNoDevice, 100, "no ROCm-capable device is detected")                                                        \
    _(ErrorInvalidDevice, 101, "invalid device ordinal")                                                               \
    _(ErrorInvalidImage, 200, "device kernel image is invalid")                                                        \
    _(ErrorInvalidContext, 201, "invalid device context")                                                              \
    _(ErrorNoBinaryForGpu, 209, "no kernel image is available for execution on the device")                            \
    _(ErrorECCNotCorrectable, 214, "uncorrectable ECC error encountered")                                              \
    _(ErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices")                       \
    _(ErrorInvalidKernelFile, 218, "invalid kernel file")                                                              \
    _(ErrorInvalidSource, 300, "device kernel image is invalid")                                                       \
    _(ErrorFileNotFound, 301, "file not found")                                                                        \
    _(ErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")                               \
    _(ErrorInvalidHandle, 400, "invalid resource handle")                                                              \
    _(ErrorIllegalState, 401, "the operation cannot be performed in the present state")                                \
    _(ErrorNotFound, 500, "named symbol not found")                                                                    \
    _(ErrorNotReady, 600, "device not ready")                                                                          \
    _(ErrorIllegalAddress, 700, "an illegal memory access was encountered")                                            \
    _(ErrorLaunchOutOfResources, 701, "too many resources requested for launch")                                       \
    _(ErrorLaunchTimeOut, 702, "the launch timed out and was terminated")                                              \
    _(ErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                                            \
    _(ErrorContextIsDestroyed, 709, "context is destroyed")                                                            \
    _(ErrorAssert, 710, "device-side assert triggered")                                                                \
    _(ErrorLaunchFailure, 719, "unspecified launch failure")                                                           \
    _(ErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                                    \
    _(ErrorNotSupported, 801, "operation not supported")                                                               \
    _(ErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")                          \
    _(ErrorStreamCaptureInvalidated, 901, "operation failed due to a previous error during capture")                   \
    _(ErrorStreamCaptureMerge, 902, "operation would result in a merge of separate capture sequences")                 \
    _(ErrorStreamCaptureUnmatched, 903, "capture was not ended in the same stream as it began")                        \
    _(ErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")                                           \
    _(ErrorStreamCaptureIsolation, 905, "dependency created on uncaptured work in another stream")                     \
    _(ErrorStreamCaptureImplicit, 906, "operation would make the legacy stream depend on a capturing blocking stream") \
    _(ErrorCapturedEvent, 907, "operation not permitted on an event last recorded in a capturing stream")              \
    _(ErrorStreamCaptureWrongThread, 908, "attempt to terminate a capture sequence from another thread")               \
    _(ErrorUnknown, 999, "unknown error")

static const struct {
    int code;
    const char *name, *words;
} TABLE[] = {
#define ROW(name, code, words) {code, "hip" #name, words},
    ERRORS(ROW)
#undef ROW
};

hipError_t error_of(CUresult result) {
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
        if (TABLE[i].code == (int)result) return (hipError_t)result;
    if ((int)result == SI_ERROR_UNSUPPORTED_PTX_VERSION) return (hipError_t)HF_ERROR_INVALID_KERNEL_FILE;
    if ((int)result >= SI_ERROR_HARDWARE_STACK_ERROR && (int)result <= SI_ERROR_INVALID_PC)
        return (hipError_t)HF_ERROR_LAUNCH_FAILURE;
    return (hipError_t)HF_ERROR_UNKNOWN;
}

EXPORT const char *hipGetErrorName(hipError_t code) {
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
        if (TABLE[i].code == (int)code) return TABLE[i].name;
    return "hipErrorUnknown";
}

EXPORT const char *hipGetErrorString(hipError_t code) {
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
        if (TABLE[i].code == (int)code) return TABLE[i].words;
    return "unknown error";
}
