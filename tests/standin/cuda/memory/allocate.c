/* Allocating and freeing, and what a pointer is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core.h"

EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size) {
    ENTER(NEEDS_CONTEXT, NULL);
    SAFE;
    if (!address || !size) LEAVE(SI_ERROR_INVALID_VALUE);
    struct memory *memory = memory_new(current, size, PLACE_DEVICE, NULL);
    if (!memory) LEAVE(SI_ERROR_OUT_OF_MEMORY);
    *address = memory->address;
    snprintf(call.detail, sizeof call.detail, "%#llx %zu", (unsigned long long)memory->address, size);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuMemHostAlloc(void **address, size_t size, unsigned int flags) {
    ENTER(NEEDS_CONTEXT, NULL);
    SAFE;
    if (!address || !size || flags > SI_HOST_ALLOC_FLAGS) LEAVE(SI_ERROR_INVALID_VALUE);
    struct memory *memory = memory_new(current, size, PLACE_PINNED, NULL);
    if (!memory) LEAVE(SI_ERROR_OUT_OF_MEMORY);
    *address = (void *)memory->address;
    snprintf(call.detail, sizeof call.detail, "%p %zu", *address, size);
    LEAVE(SI_SUCCESS);
}

/* The host reaches all memory here: what differs is who may free it, and what is told of it. */
EXPORT CUresult cuMemAllocManaged(CUdeviceptr *address, size_t size, unsigned int flags) {
    ENTER(NEEDS_CONTEXT, NULL);
    SAFE;
    if (!option_managed) LEAVE(SI_ERROR_NOT_SUPPORTED);
    if (!address || !size || flags != SI_ATTACH_GLOBAL) LEAVE(SI_ERROR_INVALID_VALUE); /* there are more, unused here */
    struct memory *memory = memory_new(current, size, PLACE_MANAGED, NULL);
    if (!memory) LEAVE(SI_ERROR_OUT_OF_MEMORY);
    *address = memory->address;
    snprintf(call.detail, sizeof call.detail, "%#llx %zu", (unsigned long long)memory->address, size);
    LEAVE(SI_SUCCESS);
}

/* Exactly what was allocated, once. */
static struct memory *to_free(uintptr_t address) {
    struct memory *memory = memory_find(address);
    if (!memory || memory->address != address || memory->place == PLACE_GLOBAL) return NULL;
    if (memory->place == PLACE_GRAPH && !memory->promised) return NULL; /* no launch has allocated it */
    if (memory->state == STATE_FREED || memory->state == STATE_GOING) {
        report("freed twice: block %llu at %p", memory->id, (void *)address);
        return NULL;
    }
    return memory;
}

/* CUDA's waits for all work of the context. A pool's memory is the exception: it is freed at once. */
static int free_waiting(struct memory *memory) {
    CUcontext context = memory->context;
    memory->state = STATE_GOING;
    memory->promised = false;
    if (option_free_waits && !memory->pool) idle_wait(context, IDLE_FREE);
    memory_freed(memory);
    return context->error;
}

EXPORT CUresult cuMemFree_v2(CUdeviceptr address) {
    ENTER_TO_END(NULL);
    snprintf(call.detail, sizeof call.detail, "%#llx", (unsigned long long)address);
    SAFE;
    if (!address) LEAVE(SI_SUCCESS);
    struct memory *memory = to_free((uintptr_t)address);
    if (!memory || memory->place == PLACE_PINNED) LEAVE(SI_ERROR_INVALID_VALUE);
    LEAVE(free_waiting(memory));
}

EXPORT CUresult cuMemFreeHost(void *address) {
    ENTER_TO_END(NULL);
    snprintf(call.detail, sizeof call.detail, "%p", address);
    SAFE;
    struct memory *memory = to_free((uintptr_t)address);
    if (!memory || memory->place != PLACE_PINNED) LEAVE(SI_ERROR_INVALID_VALUE);
    LEAVE(free_waiting(memory));
}

EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *address, unsigned int flags) {
    ENTER(NEEDS_CONTEXT, NULL);
    struct memory *memory = memory_find((uintptr_t)address);
    if (!device || flags || !memory || memory->place != PLACE_PINNED) LEAVE(SI_ERROR_INVALID_VALUE);
    *device = (uintptr_t)address;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total) {
    ENTER(NEEDS_CONTEXT, NULL);
    if (free_bytes) *free_bytes = option_memory > current->used ? option_memory - current->used : 0;
    if (total) *total = option_memory;
    LEAVE(SI_SUCCESS);
}

/* A node: the address is the graph's, and each launch allocates what is there. */
static int allocate_in_graph(CUdeviceptr *address, size_t size, CUstream stream) {
    struct memory *memory = memory_new(stream->context, size, PLACE_GRAPH, NULL);
    if (!memory) return SI_ERROR_OUT_OF_MEMORY;
    memory->graph = stream->capture->graph;
    struct operation *operation = operation_new(stream, OP_ALLOCATE);
    *address = operation->as.memory = memory->address;
    operation_submit(operation);
    return SI_SUCCESS;
}

static int free_in_graph(uintptr_t address, CUstream stream) {
    struct memory *memory = memory_find(address);
    if (!memory || memory->address != address || memory->graph != stream->capture->graph || memory->freed_within)
        return SI_ERROR_INVALID_VALUE; /* what the graph does not allocate could be freed only once */
    memory->freed_within = true;
    struct operation *operation = operation_new(stream, OP_FREE);
    operation->as.memory = address;
    operation_submit(operation);
    return SI_SUCCESS;
}

static int allocate_in_order(CUdeviceptr *address, size_t size, CUmemoryPool pool, CUstream stream) {
    int code = stream->capture ? SI_SUCCESS : capture_unsafe();
    if (code) return code;
    if (!address || !size || !handle_is(pool, MAGIC_POOL) || pool->destroyed) return SI_ERROR_INVALID_VALUE;
    if (pool->device != stream->context->device) return SI_ERROR_INVALID_VALUE;
    if (stream->capture) return allocate_in_graph(address, size, stream);
    struct operation *operation = operation_new(stream, OP_ALLOCATE);
    struct memory *memory = memory_new(stream->context, size, PLACE_POOL, pool);
    if (!memory) {
        waits_end(&operation->waits);
        free(operation);
        return SI_ERROR_OUT_OF_MEMORY;
    }
    operation->as.memory = memory->address;
    operation_submit(operation);
    *address = memory->address;
    return SI_SUCCESS;
}

EXPORT CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t size, CUmemoryPool pool, CUstream handle) {
    ENTER_TO_SUBMIT;
    if (!code) code = allocate_in_order(address, size, pool, stream);
    if (!code) snprintf(call.detail, sizeof call.detail, "%#llx %zu", *address, size);
    LEAVE(code);
}

EXPORT CUresult cuMemAllocAsync(CUdeviceptr *address, size_t size, CUstream handle) {
    ENTER_TO_SUBMIT;
    if (!code) code = allocate_in_order(address, size, pool_default(stream->context), stream);
    LEAVE(code);
}

EXPORT CUresult cuMemFreeAsync(CUdeviceptr address, CUstream handle) {
    ENTER_TO_END(handle);
    snprintf(call.detail, sizeof call.detail, "%#llx", (unsigned long long)address);
    CUstream stream;
    int code = stream_take(handle, &stream);
    if (!code && stream->capture) LEAVE(free_in_graph((uintptr_t)address, stream));
    if (!code) code = capture_unsafe();
    if (code && code != (int)current->error) LEAVE(code);
    struct memory *memory = to_free((uintptr_t)address);
    if (!memory || memory->place == PLACE_PINNED) LEAVE(SI_ERROR_INVALID_VALUE);
    if (memory->place == PLACE_MANAGED) LEAVE(SI_ERROR_NOT_SUPPORTED); /* as on an H200, driver 580 */
    memory->state = STATE_GOING;
    memory->promised = false;
    if (!code) {
        struct operation *operation = operation_new(stream, OP_FREE);
        operation->as.memory = memory->address;
        operation_submit(operation);
    } else
        memory_freed(memory);
    LEAVE(code);
}

EXPORT CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr address) {
    ENTER(NEEDS_CONTEXT, NULL);
    struct memory *memory = memory_find((uintptr_t)address);
    if (!data || !memory || memory->state == STATE_FREED) LEAVE(SI_ERROR_INVALID_VALUE);
    if (memory->place == PLACE_GRAPH && !memory->promised) LEAVE(SI_ERROR_INVALID_VALUE);
    bool pinned = memory->place == PLACE_PINNED;
    switch ((int)attribute) {
    case SI_POINTER_CONTEXT: *(CUcontext *)data = memory->context; break;
    case SI_POINTER_MEMORY_TYPE: *(unsigned int *)data = pinned ? SI_MEMORY_HOST : SI_MEMORY_DEVICE; break;
    case SI_POINTER_DEVICE_POINTER: *(CUdeviceptr *)data = address; break;
    case SI_POINTER_HOST_POINTER:
        if (!pinned && memory->place != PLACE_MANAGED) LEAVE(SI_ERROR_INVALID_VALUE);
        *(void **)data = (void *)(uintptr_t)address;
        break;
    case SI_POINTER_BUFFER_ID: *(unsigned long long *)data = memory->id; break;
    case SI_POINTER_IS_MANAGED: *(unsigned char *)data = memory->place == PLACE_MANAGED; break;
    case SI_POINTER_DEVICE_ORDINAL: *(int *)data = memory->context->device; break;
    case SI_POINTER_RANGE_START: *(CUdeviceptr *)data = memory->address; break;
    case SI_POINTER_RANGE_SIZE: *(size_t *)data = memory->size; break;
    case SI_POINTER_MAPPED: *(unsigned char *)data = 1; break;
    case SI_POINTER_POOL: *(CUmemoryPool *)data = memory->pool; break;
    default: LEAVE(SI_ERROR_INVALID_VALUE);
    }
    LEAVE(SI_SUCCESS);
}
