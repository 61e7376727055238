/* Names and words of results. */
#include "core.h"

static const struct {
    int code;
    const char *name, *words;
} RESULTS[] = {
#define RESULT(name, words) {SI_##name, "CUDA_" #name, words}
    RESULT(SUCCESS, "no error"),
    RESULT(ERROR_INVALID_VALUE, "invalid argument"),
    RESULT(ERROR_OUT_OF_MEMORY, "out of memory"),
    RESULT(ERROR_NOT_INITIALIZED, "initialization error"),
    RESULT(ERROR_DEINITIALIZED, "driver shutting down"),
    RESULT(ERROR_NO_DEVICE, "no CUDA-capable device is detected"),
    RESULT(ERROR_INVALID_DEVICE, "invalid device ordinal"),
    RESULT(ERROR_INVALID_IMAGE, "device kernel image is invalid"),
    RESULT(ERROR_INVALID_CONTEXT, "invalid device context"),
    RESULT(ERROR_NO_BINARY_FOR_GPU, "no kernel image is available for execution on the device"),
    RESULT(ERROR_PEER_ACCESS_UNSUPPORTED, "peer access is not supported between these two devices"),
    RESULT(ERROR_INVALID_PTX, "a PTX JIT compilation failed"),
    RESULT(ERROR_JIT_COMPILER_NOT_FOUND, "PTX JIT compiler library not found"),
    RESULT(ERROR_UNSUPPORTED_PTX_VERSION, "the provided PTX was compiled with an unsupported toolchain."),
    RESULT(ERROR_INVALID_SOURCE, "device kernel image is invalid"),
    RESULT(ERROR_FILE_NOT_FOUND, "file not found"),
    RESULT(ERROR_OPERATING_SYSTEM, "OS call failed or operation not supported on this OS"),
    RESULT(ERROR_INVALID_HANDLE, "invalid resource handle"),
    RESULT(ERROR_ILLEGAL_STATE, "the operation cannot be performed in the present state"),
    RESULT(ERROR_NOT_FOUND, "named symbol not found"),
    RESULT(ERROR_NOT_READY, "device not ready"),
    RESULT(ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered"),
    RESULT(ERROR_LAUNCH_OUT_OF_RESOURCES, "too many resources requested for launch"),
    RESULT(ERROR_LAUNCH_TIMEOUT, "the launch timed out and was terminated"),
    RESULT(ERROR_PEER_ACCESS_ALREADY_ENABLED, "peer access is already enabled"),
    RESULT(ERROR_PRIMARY_CONTEXT_ACTIVE, "cannot set while device is active in this process"),
    RESULT(ERROR_CONTEXT_IS_DESTROYED, "context is destroyed"),
    RESULT(ERROR_ASSERT, "device-side assert triggered"),
    RESULT(ERROR_HARDWARE_STACK_ERROR, "hardware stack error"),
    RESULT(ERROR_ILLEGAL_INSTRUCTION, "an illegal instruction was encountered"),
    RESULT(ERROR_MISALIGNED_ADDRESS, "misaligned address"),
    RESULT(ERROR_INVALID_ADDRESS_SPACE, "operation not supported on global/shared address space"),
    RESULT(ERROR_INVALID_PC, "invalid program counter"),
    RESULT(ERROR_LAUNCH_FAILED, "unspecified launch failure"),
    RESULT(ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "too many blocks in cooperative launch"),
    RESULT(ERROR_NOT_PERMITTED, "operation not permitted"),
    RESULT(ERROR_NOT_SUPPORTED, "operation not supported"),
    RESULT(ERROR_SYSTEM_DRIVER_MISMATCH, "system has unsupported display driver / cuda driver combination"),
    RESULT(ERROR_STREAM_CAPTURE_UNSUPPORTED, "operation not permitted when stream is capturing"),
    RESULT(ERROR_STREAM_CAPTURE_INVALIDATED, "operation failed due to a previous error during capture"),
    RESULT(ERROR_STREAM_CAPTURE_MERGE, "operation would result in a merge of separate capture sequences"),
    RESULT(ERROR_STREAM_CAPTURE_UNMATCHED, "capture was not ended in the same stream as it began"),
    RESULT(ERROR_STREAM_CAPTURE_UNJOINED, "capturing stream has unjoined work"),
    RESULT(ERROR_STREAM_CAPTURE_ISOLATION, "dependency created on uncaptured work in another stream"),
    RESULT(ERROR_STREAM_CAPTURE_IMPLICIT,
           "operation would make the legacy stream depend on a capturing blocking stream"),
    RESULT(ERROR_CAPTURED_EVENT, "operation not permitted on an event last recorded in a capturing stream"),
    RESULT(ERROR_STREAM_CAPTURE_WRONG_THREAD,
           "attempt to terminate a thread-local capture sequence from another thread"),
    RESULT(ERROR_UNKNOWN, "unknown error"),
};

static int find(int code) {
    for (size_t i = 0; i < sizeof RESULTS / sizeof *RESULTS; i++)
        if (RESULTS[i].code == code) return (int)i;
    return -1;
}

EXPORT CUresult cuGetErrorName(CUresult code, const char **text) {
    ENTER(NEEDS_NOTHING, NULL);
    int at = find((int)code);
    if (text) *text = at < 0 ? NULL : RESULTS[at].name;
    LEAVE(at < 0 || !text ? SI_ERROR_INVALID_VALUE : SI_SUCCESS);
}

EXPORT CUresult cuGetErrorString(CUresult code, const char **text) {
    ENTER(NEEDS_NOTHING, NULL);
    int at = find((int)code);
    if (text) *text = at < 0 ? NULL : RESULTS[at].words;
    LEAVE(at < 0 || !text ? SI_ERROR_INVALID_VALUE : SI_SUCCESS);
}
