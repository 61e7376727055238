/* Streams and events: the handles are CUDA's, those of the null stream and the per-thread stream too. */
#include "forward.h"

#define STREAM(stream) ((CUstream)(stream))
#define EVENT(event) ((CUevent)(event))

EXPORT hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned int flags, int priority) {
    FORWARD(cuStreamCreateWithPriority, (CUstream *)stream, flags, priority);
}
EXPORT hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags) {
    FORWARD(cuStreamCreateWithPriority, (CUstream *)stream, flags, 0);
}
EXPORT hipError_t hipStreamDestroy(hipStream_t stream) { FORWARD(cuStreamDestroy_v2, STREAM(stream)); }
EXPORT hipError_t hipStreamQuery(hipStream_t stream) { FORWARD(cuStreamQuery, STREAM(stream)); }
EXPORT hipError_t hipStreamSynchronize(hipStream_t stream) { FORWARD(cuStreamSynchronize, STREAM(stream)); }
EXPORT hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int *flags) {
    FORWARD(cuStreamGetFlags, STREAM(stream), flags);
}
EXPORT hipError_t hipStreamGetPriority(hipStream_t stream, int *priority) {
    FORWARD(cuStreamGetPriority, STREAM(stream), priority);
}
EXPORT hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags) {
    FORWARD(cuStreamWaitEvent, STREAM(stream), EVENT(event), flags);
}
EXPORT hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *data) {
    FORWARD(cuLaunchHostFunc, STREAM(stream), function, data);
}

/* CUDA has no mask: any other one than all bits could not be kept. */
EXPORT hipError_t hipStreamWaitValue32(hipStream_t stream, void *word, uint32_t value, unsigned int flags,
                                       uint32_t mask) {
    if (mask != 0xFFFFFFFFu) return HF_ERROR_NOT_SUPPORTED;
    FORWARD(cuStreamWaitValue32_v2, STREAM(stream), (CUdeviceptr)(uintptr_t)word, value, flags);
}

EXPORT hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags) {
    FORWARD(cuEventCreate, (CUevent *)event, flags & ~HF_EVENT_RELEASE_FLAGS);
}
EXPORT hipError_t hipEventDestroy(hipEvent_t event) { FORWARD(cuEventDestroy_v2, EVENT(event)); }
EXPORT hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
    FORWARD(cuEventRecord, EVENT(event), STREAM(stream));
}
EXPORT hipError_t hipEventQuery(hipEvent_t event) { FORWARD(cuEventQuery, EVENT(event)); }
EXPORT hipError_t hipEventSynchronize(hipEvent_t event) { FORWARD(cuEventSynchronize, EVENT(event)); }
EXPORT hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t start, hipEvent_t end) {
    FORWARD(cuEventElapsedTime, milliseconds, EVENT(start), EVENT(end));
}
