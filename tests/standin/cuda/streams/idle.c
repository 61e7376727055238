/* Calls that wait until their context is idle, and hold a lock of the library meanwhile which other calls need.
 *
 * Measured on an H100 with driver 580, while a stream waited for a value: what did not return, and what did not return
 * beside it. Queries of events and streams, waits of streams, pool allocations and attributes are never held up. */
#include <string.h>

#include "../core.h"

static const struct {
    const char *name;
    enum idle_lock lock; /* the weakest that the call cannot pass */
} needs[] = {
    {"cuModuleLoadData", IDLE_UNLOAD},
    {"cuModuleLoadDataEx", IDLE_UNLOAD},
    {"cuModuleUnload", IDLE_UNLOAD},
    {"cuStreamCreate", IDLE_UNLOAD},
    {"cuStreamCreateWithPriority", IDLE_UNLOAD},
    {"cuMemHostAlloc", IDLE_UNLOAD},
    {"cuMemAllocManaged", IDLE_UNLOAD},
    {"cuMemFree_v2", IDLE_UNLOAD},
    {"cuMemFreeHost", IDLE_UNLOAD},
    {"cuMemcpyAsync", IDLE_UNLOAD},
    {"cuMemcpyPeerAsync", IDLE_UNLOAD},
    {"cuMemcpy3DPeerAsync", IDLE_UNLOAD},
    {"cuMemcpy2DAsync_v2", IDLE_UNLOAD},
    {"cuMemsetD8Async", IDLE_UNLOAD},
    {"cuMemsetD16Async", IDLE_UNLOAD},
    {"cuMemsetD32Async", IDLE_UNLOAD},
    {"cuLaunchKernel", IDLE_FREE},
    {"cuLaunchKernelEx", IDLE_FREE},
    {"cuLaunchCooperativeKernel", IDLE_FREE},
    {"cuLaunchHostFunc", IDLE_FREE},
    {"cuEventCreate", IDLE_FREE},
    {"cuEventRecord", IDLE_FREE},
    {"cuStreamSynchronize", IDLE_ALL},
};

void idle_wait(CUcontext context, enum idle_lock lock) {
    while (context->idle_lock && !standin_stopped) workers_wait();
    context->idle_lock = lock;
    work_finish(context);
    context->idle_lock = IDLE_NONE;
    workers_completed();
}

void idle_pass(CUcontext context, const char *name) {
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (!strcmp(needs[i].name, name))
            while (context->idle_lock >= needs[i].lock && !standin_stopped) workers_wait();
}
