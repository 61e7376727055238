/* Contexts: the primary one of each device, and which one is current on a thread. */
#include <string.h>

#include "../core.h"

struct CUctx_st contexts[MAX_DEVICES];
_Thread_local CUcontext current;

bool context_is(CUcontext context) {
    return context >= contexts && context < contexts + standin_devices && context->users > 0;
}

void context_fail(CUcontext context, int code) {
    if (!context->error) context->error = code;
    workers_completed();
    workers_wake(); /* what is left does nothing, waits for values included */
}

/* Lets go of the lock until all work has ended. */
static void context_end(CUcontext context) {
    captures_end(context);
    work_finish(context);
    modules_end(context);
    memory_end(context);
    while (context->events) event_end(context->events);
    while (context->streams) {
        CUstream stream = context->streams;
        context->streams = stream->next;
        stream->destroyed = true;
        stream_drop(stream);
    }
    memset(context->peers, 0, sizeof context->peers);
    context->legacy = NULL;
    context->error = 0;
}

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    ENTER(NEEDS_INIT, NULL);
    if (!context) LEAVE(SI_ERROR_INVALID_VALUE);
    if (device < 0 || device >= standin_devices) LEAVE(SI_ERROR_INVALID_DEVICE);
    *context = &contexts[device];
    if (contexts[device].error) LEAVE(contexts[device].error);
    if (!contexts[device].users++) {
        contexts[device].legacy = stream_new(&contexts[device], LEGACY, 0);
        contexts[device].local = 1024; /* CUDA's default */
    }
    LEAVE(SI_SUCCESS);
}

static int release(CUdevice device, bool all) {
    if (device < 0 || device >= standin_devices) return SI_ERROR_INVALID_DEVICE;
    CUcontext context = &contexts[device];
    if (!context->users) return all ? SI_SUCCESS : SI_ERROR_INVALID_CONTEXT;
    if (all || context->users == 1) {
        context_end(context);
        context->users = 0;
    } else
        context->users--;
    return SI_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
    ENTER(NEEDS_INIT, NULL);
    LEAVE(release(device, false));
}

EXPORT CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
    ENTER(NEEDS_INIT, NULL);
    LEAVE(release(device, true));
}

EXPORT CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active) {
    ENTER(NEEDS_INIT, NULL);
    if (device < 0 || device >= standin_devices) LEAVE(SI_ERROR_INVALID_DEVICE);
    if (flags) *flags = 0;
    if (active) *active = contexts[device].users > 0;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuCtxGetCurrent(CUcontext *context) {
    ENTER(NEEDS_INIT, NULL);
    if (!context) LEAVE(SI_ERROR_INVALID_VALUE);
    *context = current;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuCtxSetCurrent(CUcontext context) {
    ENTER(NEEDS_INIT, NULL);
    if (context && !context_is(context)) LEAVE(SI_ERROR_INVALID_CONTEXT);
    current = context;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuCtxGetDevice(CUdevice *device) {
    ENTER(NEEDS_CONTEXT, NULL);
    if (!device) LEAVE(SI_ERROR_INVALID_VALUE);
    *device = current->device;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuCtxSynchronize(void) {
    ENTER(NEEDS_CONTEXT, NULL);
    CUcontext context = current;
    int code = capture_of_context(context);
    if (code) LEAVE(code);
    work_finish(context);
    pool_settle(context);
    LEAVE(context->error);
}

EXPORT CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    ENTER(NEEDS_CONTEXT, NULL);
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    LEAVE(SI_SUCCESS);
}

/* The limit of the stack: what launches have raised it to, too (H200, driver 580: to the bytes of the kernel exactly). */
EXPORT CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
    ENTER(NEEDS_CONTEXT, NULL);
    if (!value) LEAVE(SI_ERROR_INVALID_VALUE);
    if (limit != SI_LIMIT_STACK_SIZE) LEAVE(SI_ERROR_UNSUPPORTED_LIMIT);
    *value = (size_t)current->local;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
    ENTER(NEEDS_CONTEXT, NULL);
    if (limit != SI_LIMIT_STACK_SIZE) LEAVE(SI_ERROR_UNSUPPORTED_LIMIT);
    CUcontext context = current;
    context->local = (int)value;
    idle_wait(context, IDLE_ALL);
    LEAVE(SI_SUCCESS);
}

EXPORT void standin_reset(void) {
    pthread_mutex_lock(&standin_lock);
    workers_paused = false;
    user_objects_forget(); /* what their functions are for may be gone with the test */
    for (int i = 0; i < standin_devices; i++) {
        if (!contexts[i].users) continue;
        context_fail(&contexts[i], SI_ERROR_UNKNOWN); /* what can never run, like a wait for a value, is given up */
        context_end(&contexts[i]);
        contexts[i].users = 0;
    }
    graphs_reset();
    user_objects_reset();
    pools_reset();
    calls_reset();
    reports_reset();
    options_read();
    pthread_mutex_unlock(&standin_lock);
}
