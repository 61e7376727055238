/* Pools: they only count. Memory itself is never reused early, see memory.c. */
#include "../core.h"

long long pools_live;
static CUmemoryPool pools;

static CUmemoryPool pool_new(int device) {
    CUmemoryPool pool = handle_new(sizeof *pool, MAGIC_POOL);
    pool->device = device;
    for (int i = 1; i < 4; i++) pool->reuse[i] = 1;
    pool->next = pools;
    pool->link = &pools;
    if (pools) pools->link = &pool->next;
    pools = pool;
    return pool;
}

CUmemoryPool pool_default(CUcontext context) {
    for (CUmemoryPool pool = pools; pool; pool = pool->next)
        if (pool->is_default && pool->device == context->device) return pool;
    CUmemoryPool pool = pool_new(context->device);
    pool->is_default = true;
    return pool;
}

static void reserve(CUmemoryPool pool, unsigned long long bytes) {
    CUcontext context = &contexts[pool->device];
    context->used += bytes - pool->reserved;
    pool->reserved = bytes;
    if (bytes > pool->reserved_high) pool->reserved_high = bytes;
}

bool pool_take(CUmemoryPool pool, size_t size) {
    CUcontext context = &contexts[pool->device];
    unsigned long long used = pool->used + size;
    if (used < size || (pool->limit && used > pool->limit)) return false;
    if (used > pool->reserved) {
        unsigned long long more = used - pool->reserved;
        if (more > option_memory || context->used + more > option_memory) return false;
        reserve(pool, used);
    }
    pool->used = used;
    if (used > pool->used_high) pool->used_high = used;
    return true;
}

static void pool_trim(CUmemoryPool pool, unsigned long long keep) {
    unsigned long long least = pool->used > keep ? pool->used : keep;
    if (pool->reserved > least) reserve(pool, least);
}

void pool_give(CUmemoryPool pool, size_t size) {
    pool->used -= size;
    if (pool->destroyed) pool_trim(pool, 0);
    if (pool->destroyed && !pool->used) handle_end(pool);
}

void pool_settle(CUcontext context) {
    for (CUmemoryPool pool = pools; pool; pool = pool->next)
        if (pool->device == context->device) pool_trim(pool, pool->threshold);
}

/* Its memory may still be in use. */
static void pool_end(CUmemoryPool pool) {
    *pool->link = pool->next;
    if (pool->next) pool->next->link = pool->link;
    pools_live -= !pool->is_default;
    pool->destroyed = true;
    pool_trim(pool, 0);
    if (!pool->used) handle_end(pool);
}

void pools_reset(void) {
    while (pools) pool_end(pools);
}

EXPORT CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties) {
    ENTER(NEEDS_INIT, NULL);
    SAFE;
    if (!pool || !properties) LEAVE(SI_ERROR_INVALID_VALUE);
    int device = properties->location.id;
    if (properties->allocType != SI_ALLOCATION_PINNED || properties->location.type != SI_LOCATION_DEVICE)
        LEAVE(SI_ERROR_INVALID_VALUE);
    if (device < 0 || device >= standin_devices || properties->handleTypes || properties->win32SecurityAttributes)
        LEAVE(SI_ERROR_INVALID_VALUE);
    for (size_t i = 0; i < sizeof properties->reserved; i++)
        if (properties->reserved[i]) LEAVE(SI_ERROR_INVALID_VALUE);
    *pool = pool_new(device);
    (*pool)->limit = properties->maxSize;
    pools_live++;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuMemPoolDestroy(CUmemoryPool pool) {
    ENTER(NEEDS_INIT, NULL);
    SAFE;
    if (!handle_is(pool, MAGIC_POOL) || pool->destroyed || pool->is_default) LEAVE(SI_ERROR_INVALID_VALUE);
    pool_end(pool);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
    ENTER(NEEDS_INIT, NULL);
    if (!pool) LEAVE(SI_ERROR_INVALID_VALUE);
    if (device < 0 || device >= standin_devices) LEAVE(SI_ERROR_INVALID_DEVICE);
    *pool = pool_default(&contexts[device]);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep) {
    ENTER(NEEDS_INIT, NULL);
    SAFE;
    if (!handle_is(pool, MAGIC_POOL) || pool->destroyed) LEAVE(SI_ERROR_INVALID_VALUE);
    pool_trim(pool, keep);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
    ENTER(NEEDS_INIT, NULL);
    SAFE;
    if (!handle_is(pool, MAGIC_POOL) || pool->destroyed || !value) LEAVE(SI_ERROR_INVALID_VALUE);
    switch ((int)attribute) {
    case SI_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case SI_POOL_REUSE_ALLOW_OPPORTUNISTIC:
    case SI_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES: pool->reuse[attribute] = *(uint32_t *)value; break;
    case SI_POOL_RELEASE_THRESHOLD: pool->threshold = *(uint64_t *)value; break;
    case SI_POOL_RESERVED_HIGH:
    case SI_POOL_USED_HIGH: /* can be set back to 0 only */
        if (*(uint64_t *)value) LEAVE(SI_ERROR_INVALID_VALUE);
        *((int)attribute == SI_POOL_USED_HIGH ? &pool->used_high : &pool->reserved_high) = 0;
        break;
    default: LEAVE(SI_ERROR_INVALID_VALUE);
    }
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
    ENTER(NEEDS_INIT, NULL);
    SAFE;
    if (!handle_is(pool, MAGIC_POOL) || pool->destroyed || !value) LEAVE(SI_ERROR_INVALID_VALUE);
    switch ((int)attribute) {
    case SI_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case SI_POOL_REUSE_ALLOW_OPPORTUNISTIC:
    case SI_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES: *(uint32_t *)value = pool->reuse[attribute]; break;
    case SI_POOL_RELEASE_THRESHOLD: *(uint64_t *)value = pool->threshold; break;
    case SI_POOL_RESERVED_CURRENT: *(uint64_t *)value = pool->reserved; break;
    case SI_POOL_RESERVED_HIGH: *(uint64_t *)value = pool->reserved_high; break;
    case SI_POOL_USED_CURRENT: *(uint64_t *)value = pool->used; break;
    case SI_POOL_USED_HIGH: *(uint64_t *)value = pool->used_high; break;
    default: LEAVE(SI_ERROR_INVALID_VALUE);
    }
    LEAVE(SI_SUCCESS);
}
