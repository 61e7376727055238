/* Memory, copies and pools. */
#include <string.h>

#include "forward.h"

#define ADDRESS(pointer) ((CUdeviceptr)(uintptr_t)(pointer))
#define STREAM(stream) ((CUstream)(stream))
#define POOL(pool) ((CUmemoryPool)(pool))

EXPORT hipError_t hipMalloc(void **address, size_t size) {
    if (address && !size) { /* HIP takes that, CUDA does not */
        *address = NULL;
        return HF_SUCCESS;
    }
    FORWARD(cuMemAlloc_v2, (CUdeviceptr *)address, size);
}
EXPORT hipError_t hipFree(void *address) { FORWARD(cuMemFree_v2, ADDRESS(address)); }
EXPORT hipError_t hipHostMalloc(void **address, size_t size, unsigned int flags) {
    FORWARD(cuMemHostAlloc, address, size, flags & ~HF_HOST_COHERENCE_FLAGS);
}
EXPORT hipError_t hipHostFree(void *address) {
    if (!address) return HF_SUCCESS;
    FORWARD(cuMemFreeHost, address);
}
EXPORT hipError_t hipMallocManaged(void **address, size_t size, unsigned int flags) {
    FORWARD(cuMemAllocManaged, (CUdeviceptr *)address, size, flags);
}
EXPORT hipError_t hipMemGetInfo(size_t *available, size_t *total) { FORWARD(cuMemGetInfo_v2, available, total); }

/* CUDA sees from the addresses which way a copy goes. */
EXPORT hipError_t hipMemcpyAsync(void *to, const void *from, size_t size, hipMemcpyKind kind, hipStream_t stream) {
    if ((int)kind < 0 || (int)kind > HF_MEMCPY_DEFAULT) return HF_ERROR_INVALID_VALUE;
    FORWARD(cuMemcpyAsync, ADDRESS(to), ADDRESS(from), size, STREAM(stream));
}
EXPORT hipError_t hipMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t size,
                                     hipStream_t stream) {
    CUcontext to_context = NULL, from_context = NULL;
    hipError_t code = enter();
    if (!code) code = context_of(to_device, &to_context);
    if (!code) code = context_of(from_device, &from_context);
    if (code) return code;
    return CALL(cuMemcpyPeerAsync, ADDRESS(to), to_context, ADDRESS(from), from_context, size, STREAM(stream));
}
EXPORT hipError_t hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                   size_t rows, hipMemcpyKind kind, hipStream_t stream) {
    CUDA_MEMCPY2D command;
    if ((int)kind < 0 || (int)kind > HF_MEMCPY_DEFAULT) return HF_ERROR_INVALID_VALUE;
    memset(&command, 0, sizeof command);
    command.srcMemoryType = command.dstMemoryType = SI_MEMORY_UNIFIED;
    command.dstDevice = ADDRESS(to);
    command.dstPitch = to_pitch;
    command.srcDevice = ADDRESS(from);
    command.srcPitch = from_pitch;
    command.WidthInBytes = width;
    command.Height = rows;
    FORWARD(cuMemcpy2DAsync_v2, &command, STREAM(stream));
}
EXPORT hipError_t hipMemsetD8Async(hipDeviceptr_t address, unsigned char value, size_t count, hipStream_t stream) {
    FORWARD(cuMemsetD8Async, ADDRESS(address), value, count, STREAM(stream));
}
EXPORT hipError_t hipMemsetD16Async(hipDeviceptr_t address, unsigned short value, size_t count, hipStream_t stream) {
    FORWARD(cuMemsetD16Async, ADDRESS(address), value, count, STREAM(stream));
}
EXPORT hipError_t hipMemsetD32Async(hipDeviceptr_t address, int value, size_t count, hipStream_t stream) {
    FORWARD(cuMemsetD32Async, ADDRESS(address), (unsigned int)value, count, STREAM(stream));
}

EXPORT hipError_t hipMemPoolCreate(hipMemPool_t *pool, const hipMemPoolProps *given) {
    CUmemPoolProps properties;
    memset(&properties, 0, sizeof properties);
    if (!given) return HF_ERROR_INVALID_VALUE;
    properties.allocType = (int)given->allocType;
    properties.handleTypes = (int)given->handleTypes;
    properties.location.type = (int)given->location.type;
    properties.location.id = given->location.id;
    properties.win32SecurityAttributes = given->win32SecurityAttributes;
    FORWARD(cuMemPoolCreate, (CUmemoryPool *)pool, &properties);
}
EXPORT hipError_t hipMemPoolSetAccess(hipMemPool_t pool, const hipMemAccessDesc *wanted, size_t count) {
    CUmemAccessDesc access;
    if (!wanted || count != 1) return HF_ERROR_NOT_SUPPORTED; /* nobody here has more */
    memset(&access, 0, sizeof access);
    access.location.type = (int)wanted->location.type;
    access.location.id = wanted->location.id;
    access.flags = (int)wanted->flags;
    FORWARD(cuMemPoolSetAccess, POOL(pool), &access, count);
}
EXPORT hipError_t hipMemPoolDestroy(hipMemPool_t pool) { FORWARD(cuMemPoolDestroy, POOL(pool)); }
EXPORT hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t keep) { FORWARD(cuMemPoolTrimTo, POOL(pool), keep); }
EXPORT hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr which, void *value) {
    FORWARD(cuMemPoolSetAttribute, POOL(pool), (int)which, value);
}
EXPORT hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr which, void *value) {
    FORWARD(cuMemPoolGetAttribute, POOL(pool), (int)which, value);
}
EXPORT hipError_t hipMallocFromPoolAsync(void **address, size_t size, hipMemPool_t pool, hipStream_t stream) {
    FORWARD(cuMemAllocFromPoolAsync, (CUdeviceptr *)address, size, POOL(pool), STREAM(stream));
}
EXPORT hipError_t hipFreeAsync(void *address, hipStream_t stream) {
    FORWARD(cuMemFreeAsync, ADDRESS(address), STREAM(stream));
}

EXPORT hipError_t hipPointerGetAttribute(void *data, hipPointer_attribute which, hipDeviceptr_t pointer) {
    hipError_t code = enter();
    if (!code) code = CALL(cuPointerGetAttribute, data, (int)which, ADDRESS(pointer));
    if (!code && (int)which == HF_POINTER_MEMORY_TYPE) { /* CUDA counts from 1 */
        unsigned int *type = data;
        *type = *type == SI_MEMORY_HOST ? HF_MEMORY_HOST : HF_MEMORY_DEVICE;
    }
    return code;
}
