/* The profiler, if one is attached: it hears of each call, and of the operations that the call submits. */
#include "../core.h"
#include "../profiler.h"

static _Atomic(const standin_profiler *) attached;
/* Of the call that this thread is in. */
static _Thread_local const standin_profiler *profiler;
static _Thread_local unsigned int number;

EXPORT void standin_profile(const standin_profiler *next) { attached = next; }

void profile_begin(const char *name) {
    const standin_profiler *now = attached;
    if (!now) return;
    unsigned int call_number = now->begins(name); /* it may make calls itself */
    profiler = now;
    number = call_number;
}

void profile_end(const char *name, const int *result) {
    const standin_profiler *now = profiler;
    if (!now) return;
    profiler = NULL;
    now->ends(name, number, result);
}

void profile_cloned(const void *node, const void *from, uint64_t id) {
    if (profiler) profiler->cloned(node, from, id);
}

static int device_of(const void *address) {
    const struct memory *memory = memory_find((uintptr_t)address);
    bool device = memory && (memory->place == PLACE_DEVICE || memory->place == PLACE_POOL);
    return device && memory->context ? memory->context->device : -1;
}

standin_profiled *profile_submitted(const struct operation *operation) {
    standin_submitted submitted = {.device = operation->stream->context->device, .node = operation->node};
    if (!profiler || !operation_is_long(operation)) return NULL;
    if (operation->kind == OP_KERNEL) {
        submitted.kind = STANDIN_KERNEL;
        submitted.launch = &operation->as.kernel.launch;
    } else if (operation->kind == OP_FILL) {
        submitted.kind = STANDIN_FILL;
        submitted.bytes = fill_size(operation);
    } else {
        int to = device_of(operation->as.copy.to), from = device_of(operation->as.copy.from);
        submitted.kind = to >= 0 && from >= 0 && to != from ? STANDIN_PEER_COPY : STANDIN_COPY;
        submitted.bytes = operation->as.copy.size;
    }
    return profiler->submits(number, &submitted);
}
