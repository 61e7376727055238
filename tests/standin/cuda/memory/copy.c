/* Copies and fills. What is read from pageable memory is staged before the call returns; who writes there waits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core.h"

static bool pageable(const void *address) { return !memory_find((uintptr_t)address); }

/* A graph's memory is there from a launch on; until then its own nodes alone can use the address. */
int memory_usable(const void *address, size_t size, CUcontext context, CUgraph graph) {
    struct memory *memory = memory_find((uintptr_t)address);
    bool own = memory && graph && memory->graph == graph;
    if (memory && memory->place == PLACE_GRAPH && !memory->promised && !own) return SI_ERROR_INVALID_VALUE;
    /* Outside of a graph the library takes it through the host. */
    if (memory && graph && !peer_reaches(context, memory)) return SI_ERROR_INVALID_VALUE;
    return memory_check(address, size, false);
}

static CUgraph graph_of(CUstream stream) { return stream->capture ? stream->capture->graph : NULL; }

static int usable(const void *address, size_t size, CUstream stream) {
    return memory_usable(address, size, stream->context, graph_of(stream));
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

static void rows_submit(CUstream stream, void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                        size_t rows) {
    struct operation *operation = operation_new(stream, OP_COPY);
    operation->as.copy.to = to;
    operation->as.copy.from = from;
    operation->as.copy.size = (rows - 1) * (to_pitch < from_pitch ? to_pitch : from_pitch) + width;
    operation->as.copy.rows = rows;
    operation->as.copy.width = width;
    operation->as.copy.to_pitch = to_pitch;
    operation->as.copy.from_pitch = from_pitch;
    operation_submit(operation);
}

/* The two contexts are taken at their word by CUDA: what is not theirs goes wrong. */
static int peer(CUdeviceptr address, CUcontext context, size_t size, CUstream stream) {
    struct memory *memory = memory_find((uintptr_t)address);
    if (!context_is(context)) return SI_ERROR_INVALID_CONTEXT;
    if (!memory || (memory->context != context && memory->place != PLACE_PINNED && memory->place != PLACE_MANAGED)) {
        report("a copy between devices was told the wrong context of %#llx", address);
        return SI_ERROR_INVALID_VALUE;
    }
    return usable((void *)(uintptr_t)address, size, stream);
}

EXPORT CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                                  size_t size, CUstream handle) {
    ENTER(NEEDS_CONTEXT, handle);
    snprintf(call.detail, sizeof call.detail, "%#llx %#llx %zu", to, from, size);
    CUstream stream;
    int code = stream_take(handle, &stream);
    if (code) LEAVE(code);
    if (stream->capture) LEAVE(capture_break(stream->capture, SI_ERROR_STREAM_CAPTURE_UNSUPPORTED)); /* as on an H200 */
    if (!size) LEAVE(SI_SUCCESS);
    code = peer(to, to_context, size, stream);
    if (!code) code = peer(from, from_context, size, stream);
    if (code) LEAVE(code);
    struct operation *operation = operation_new(stream, OP_COPY);
    operation->as.copy.to = (void *)(uintptr_t)to;
    operation->as.copy.from = (const void *)(uintptr_t)from;
    operation->as.copy.size = size;
    operation_submit(operation);
    LEAVE(SI_SUCCESS);
}

/* Rows only, and without offsets: nobody here uses more. */
EXPORT CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *copy, CUstream handle) {
    ENTER_TO_SUBMIT;
    if (code) LEAVE(code);
    if (stream->capture) LEAVE(capture_break(stream->capture, SI_ERROR_STREAM_CAPTURE_UNSUPPORTED));
    if (!copy || (int)copy->srcMemoryType != SI_MEMORY_DEVICE || (int)copy->dstMemoryType != SI_MEMORY_DEVICE)
        LEAVE(SI_ERROR_INVALID_VALUE);
    if (copy->srcXInBytes || copy->srcY || copy->srcZ || copy->srcLOD || copy->Depth != 1)
        LEAVE(SI_ERROR_INVALID_VALUE);
    if (copy->dstXInBytes || copy->dstY || copy->dstZ || copy->dstLOD) LEAVE(SI_ERROR_INVALID_VALUE);
    size_t width = copy->WidthInBytes, rows = copy->Height;
    if (!width || !rows) LEAVE(SI_SUCCESS);
    if (copy->srcPitch < width || copy->dstPitch < width) LEAVE(SI_ERROR_INVALID_VALUE);
    snprintf(call.detail, sizeof call.detail, "%#llx %zu %#llx %zu %zu %zu", (unsigned long long)copy->dstDevice,
             copy->dstPitch, (unsigned long long)copy->srcDevice, copy->srcPitch, width, rows);
    code = peer(copy->dstDevice, copy->dstContext, (rows - 1) * copy->dstPitch + width, stream);
    if (!code) code = peer(copy->srcDevice, copy->srcContext, (rows - 1) * copy->srcPitch + width, stream);
    if (code) LEAVE(code);
    rows_submit(stream, (void *)(uintptr_t)copy->dstDevice, copy->dstPitch, (const void *)(uintptr_t)copy->srcDevice,
                copy->srcPitch, width, rows);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream handle) {
    ENTER_TO_SUBMIT;
    if (code) LEAVE(code);
    if (!copy || (int)copy->srcMemoryType != SI_MEMORY_UNIFIED || (int)copy->dstMemoryType != SI_MEMORY_UNIFIED)
        LEAVE(SI_ERROR_INVALID_VALUE); /* there is more, which nobody here uses */
    if (copy->srcXInBytes || copy->srcY || copy->dstXInBytes || copy->dstY) LEAVE(SI_ERROR_INVALID_VALUE);
    size_t width = copy->WidthInBytes, rows = copy->Height;
    if (!width || !rows) LEAVE(SI_SUCCESS);
    if (copy->srcPitch < width || copy->dstPitch < width) LEAVE(SI_ERROR_INVALID_VALUE);
    if (copy->srcPitch > SI_LARGEST_PITCH || copy->dstPitch > SI_LARGEST_PITCH) LEAVE(SI_ERROR_INVALID_VALUE);
    void *to = (void *)(uintptr_t)copy->dstDevice;
    const void *from = (const void *)(uintptr_t)copy->srcDevice;
    snprintf(call.detail, sizeof call.detail, "%p %zu %p %zu %zu %zu", to, copy->dstPitch, from, copy->srcPitch, width,
             rows);
    if (!to || !from || pageable(to) || pageable(from)) LEAVE(SI_ERROR_INVALID_VALUE); /* CUDA's stages; unused here */
    code = usable(to, (rows - 1) * copy->dstPitch + width, stream);
    if (!code) code = usable(from, (rows - 1) * copy->srcPitch + width, stream);
    if (code) LEAVE(code);
    rows_submit(stream, to, copy->dstPitch, from, copy->srcPitch, width, rows);
    LEAVE(SI_SUCCESS);
}

size_t fill_size(const struct operation *operation) {
    size_t row = operation->as.fill.count * operation->as.fill.width, rows = operation->as.fill.rows;
    return rows ? (rows - 1) * operation->as.fill.pitch + row : row;
}

int fill_check(const struct operation *operation, CUcontext context, CUgraph graph) {
    const void *to = operation->as.fill.to;
    if ((uintptr_t)to % operation->as.fill.width || pageable(to)) return SI_ERROR_INVALID_VALUE;
    return memory_usable(to, fill_size(operation), context, graph);
}

static int fill(CUdeviceptr address, unsigned int value, size_t count, unsigned int width, CUstream handle,
                struct call *call) {
    void *to = (void *)(uintptr_t)address;
    snprintf(call->detail, sizeof call->detail, "%p %#x %zu", to, value, count);
    CUstream stream;
    int code = stream_take(handle, &stream);
    if (code) return code;
    if (!count) return SI_SUCCESS;
    struct operation prepared = {.kind = OP_FILL};
    prepared.as.fill.to = to;
    prepared.as.fill.count = count;
    prepared.as.fill.value = value;
    prepared.as.fill.width = width;
    code = fill_check(&prepared, stream->context, graph_of(stream));
    if (code) return code;
    struct operation *operation = operation_new(stream, OP_FILL);
    operation->as = prepared.as;
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
