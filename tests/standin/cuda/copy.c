/* Copies and fills. What is read from pageable memory is staged before the call returns; who writes there waits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

static bool pageable(const void *address) { return !memory_find((uintptr_t)address); }

/* A graph's memory is there from a launch on; until then its own capture alone can use the address. */
static int usable(const void *address, size_t size, CUstream stream) {
    struct memory *memory = memory_find((uintptr_t)address);
    bool own = memory && stream->capture && memory->graph == stream->capture->graph;
    if (memory && memory->place == PLACE_GRAPH && !memory->promised && !own) return SI_ERROR_INVALID_VALUE;
    return memory_check(address, size, false);
}

EXPORT CUresult cuMemcpyAsync(CUdeviceptr destination, CUdeviceptr source, size_t size, CUstream handle) {
    ENTER(NEEDS_CONTEXT, handle);
    void *to = (void *)(uintptr_t)destination;
    const void *from = (const void *)(uintptr_t)source;
    snprintf(call.detail, sizeof call.detail, "%p %p %zu", to, from, size);
    CUstream stream;
    int code = stream_take(handle, &stream);
    if (code) LEAVE(code);
    if (!size) LEAVE(SI_SUCCESS);
    if (!to || !from) LEAVE(SI_ERROR_INVALID_VALUE);
    code = usable(to, size, stream);
    if (!code) code = usable(from, size, stream);
    if (code) LEAVE(code);
    CUcontext context = stream->context;
    struct operation *operation = operation_new(stream, OP_COPY);
    operation->as.copy.to = to;
    operation->as.copy.from = from;
    operation->as.copy.size = size;
    if (pageable(from) && !stream->capture) { /* a graph's node reads it at each launch */
        operation->as.copy.staged = malloc(size);
        memcpy(operation->as.copy.staged, from, size);
        operation->as.copy.from = operation->as.copy.staged;
    }
    struct waits waits = {0};
    unsigned long long position = operation_submit(operation);
    if (pageable(to)) waits_add(&waits, stream, position);
    waits_finish(&waits);
    LEAVE(context->error);
}

static int fill(CUdeviceptr address, unsigned int value, size_t count, unsigned int width, CUstream handle,
                struct call *call) {
    void *to = (void *)(uintptr_t)address;
    snprintf(call->detail, sizeof call->detail, "%p %#x %zu", to, value, count);
    CUstream stream;
    int code = stream_take(handle, &stream);
    if (code) return code;
    if (!count) return SI_SUCCESS;
    if (address % width || pageable(to)) return SI_ERROR_INVALID_VALUE;
    code = usable(to, count * width, stream);
    if (code) return code;
    struct operation *operation = operation_new(stream, OP_FILL);
    operation->as.fill.to = to;
    operation->as.fill.count = count;
    operation->as.fill.value = value;
    operation->as.fill.width = width;
    operation_submit(operation);
    return SI_SUCCESS;
}

EXPORT CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, size_t count, CUstream handle) {
    ENTER(NEEDS_CONTEXT, handle);
    LEAVE(fill(address, value, count, 1, handle, &call));
}

EXPORT CUresult cuMemsetD16Async(CUdeviceptr address, unsigned short value, size_t count, CUstream handle) {
    ENTER(NEEDS_CONTEXT, handle);
    LEAVE(fill(address, value, count, 2, handle, &call));
}

EXPORT CUresult cuMemsetD32Async(CUdeviceptr address, unsigned int value, size_t count, CUstream handle) {
    ENTER(NEEDS_CONTEXT, handle);
    LEAVE(fill(address, value, count, 4, handle, &call));
}
