/* Streams: the calls. What they wait for is in timeline.c. */
#include <stdio.h>

#include "../core.h"

#define FIND(handle, stream)                          \
    CUstream stream;                                  \
    int missing = stream_find((handle), &stream);     \
    if (!missing) missing = capture_implicit(stream); \
    if (missing) LEAVE(missing)
/* For a command. */
#define TAKE(handle, stream)                      \
    CUstream stream;                              \
    int missing = stream_take((handle), &stream); \
    if (missing) LEAVE(missing)
/* To ask for its end, or to wait for it. */
#define POLL(handle, stream)                        \
    CUstream stream;                                \
    int missing = stream_find((handle), &stream);   \
    if (!missing) missing = capture_polled(stream); \
    if (missing) LEAVE(missing)

static int create(CUstream *stream, unsigned int flags, int priority) {
    if (!stream || flags > SI_STREAM_NON_BLOCKING) return SI_ERROR_INVALID_VALUE;
    if (priority > 0) priority = 0; /* CUDA clamps */
    if (priority < -5) priority = -5;
    if (option_create_waits && ++current->created % option_create_waits == 0) idle_wait(current, IDLE_ALL);
    *stream = stream_new(current, flags ? NON_BLOCKING : BLOCKING, priority);
    return SI_SUCCESS;
}

EXPORT CUresult cuStreamCreate(CUstream *stream, unsigned int flags) {
    ENTER(NEEDS_CONTEXT, NULL);
    int code = create(stream, flags, 0);
    call.stream = code ? NULL : *stream;
    LEAVE(code);
}

EXPORT CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority) {
    ENTER(NEEDS_CONTEXT, NULL);
    int code = create(stream, flags, priority);
    call.stream = code ? NULL : *stream;
    LEAVE(code);
}

/* Its work goes on. */
EXPORT CUresult cuStreamDestroy_v2(CUstream handle) {
    ENTER_TO_END(handle);
    if (!handle_is(handle, MAGIC_STREAM) || handle->destroyed) LEAVE(SI_ERROR_INVALID_HANDLE);
    int error = handle->context->error;
    capture_leave(handle);
    handle->destroyed = true;
    if (!handle->first) stream_end(handle);
    LEAVE(error);
}

EXPORT CUresult cuStreamQuery(CUstream handle) {
    ENTER(NEEDS_CONTEXT, handle);
    POLL(handle, stream);
    struct waits waits = {0};
    waits_of(stream, &waits, false);
    bool over = waits_met(&waits);
    if (!over && option_late_queries && stream->late_queries++ >= option_late_queries) {
        stream->late_queries = 0; /* before the wait, in which the stream may be destroyed */
        waits_finish(&waits);
        over = true;
    } else if (over)
        stream->late_queries = 0;
    waits_end(&waits);
    LEAVE(over ? SI_SUCCESS : SI_ERROR_NOT_READY);
}

EXPORT CUresult cuStreamSynchronize(CUstream handle) {
    ENTER(NEEDS_CONTEXT, handle);
    POLL(handle, stream);
    CUcontext context = stream->context;
    struct waits waits = {0};
    waits_of(stream, &waits, false);
    waits_finish(&waits);
    pool_settle(context);
    LEAVE(context->error);
}

EXPORT CUresult cuStreamWaitEvent(CUstream handle, CUevent event, unsigned int flags) {
    ENTER(NEEDS_CONTEXT, handle);
    snprintf(call.detail, sizeof call.detail, "%p", (void *)event);
    TAKE(handle, stream);
    if (flags > 1) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!handle_is(event, MAGIC_EVENT)) LEAVE(SI_ERROR_INVALID_HANDLE);
    if (event->context->error) LEAVE(event->context->error);
    if (capture_spreads(stream, event)) LEAVE(capture_wait(stream, event));
    if (!event->recorded) LEAVE(SI_SUCCESS);
    struct operation *operation = operation_new(stream, OP_WAIT);
    waits_add(&operation->waits, event->stream, event->position); /* as it is now: recording again changes nothing */
    operation_submit(operation);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuStreamWaitValue32_v2(CUstream handle, CUdeviceptr address, cuuint32_t value, unsigned int flags) {
    ENTER(NEEDS_CONTEXT, handle);
    snprintf(call.detail, sizeof call.detail, "%#llx %u %u", (unsigned long long)address, value, flags);
    TAKE(handle, stream);
    struct memory *memory = memory_find((uintptr_t)address);
    if (flags & SI_WAIT_VALUE_FLUSH) LEAVE(SI_ERROR_NOT_SUPPORTED);
    if (flags > SI_WAIT_VALUE_NOR || address % 4 || !memory || memory->state == STATE_FREED)
        LEAVE(SI_ERROR_INVALID_VALUE);
    struct operation *operation = operation_new(stream, OP_VALUE);
    operation->as.value.word = (const uint32_t *)(uintptr_t)address;
    operation->as.value.value = value;
    operation->as.value.flags = flags;
    operation_submit(operation);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuLaunchHostFunc(CUstream handle, CUhostFn function, void *data) {
    ENTER(NEEDS_CONTEXT, handle);
    TAKE(handle, stream);
    if (!function) LEAVE(SI_ERROR_INVALID_VALUE);
    struct operation *operation = operation_new(stream, OP_HOST);
    operation->as.host.function = function;
    operation->as.host.data = data;
    operation_submit(operation);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuStreamGetFlags(CUstream handle, unsigned int *flags) {
    ENTER(NEEDS_CONTEXT, handle);
    FIND(handle, stream);
    if (stream->capture) LEAVE(capture_break(stream->capture, SI_ERROR_STREAM_CAPTURE_UNSUPPORTED)); /* CUDA's does */
    if (!flags) LEAVE(SI_ERROR_INVALID_VALUE);
    *flags = stream->kind == NON_BLOCKING ? SI_STREAM_NON_BLOCKING : 0;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuStreamGetPriority(CUstream handle, int *priority) {
    ENTER(NEEDS_CONTEXT, handle);
    FIND(handle, stream);
    if (!priority) LEAVE(SI_ERROR_INVALID_VALUE);
    *priority = stream->priority;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuStreamGetCtx(CUstream handle, CUcontext *context) {
    ENTER(NEEDS_CONTEXT, handle);
    FIND(handle, stream);
    if (!context) LEAVE(SI_ERROR_INVALID_VALUE);
    *context = stream->context;
    LEAVE(SI_SUCCESS);
}
