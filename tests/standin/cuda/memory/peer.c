/* Peers: which devices' memory a device's kernels may use. */
#include "../core.h"

bool peer_reaches(CUcontext context, const struct memory *memory) {
    if (memory->context == context || memory->place == PLACE_PINNED || memory->place == PLACE_MANAGED) return true;
    /* A pool's memory is not mapped for contexts that have access to the pool's. */
    if (memory->pool) return memory->pool->access[context->device];
    return context->peers[memory->context->device];
}

static bool device_is(int device) { return device >= 0 && device < standin_devices; }

EXPORT CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
    ENTER(NEEDS_INIT, NULL);
    if (!can) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!device_is(device) || !device_is(peer)) LEAVE(SI_ERROR_INVALID_DEVICE);
    *can = option_peers && device != peer;
    LEAVE(SI_SUCCESS);
}

/* It waits for its context here: whether CUDA's does is not known, so that nobody may rely on its not waiting. */
EXPORT CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
    ENTER(NEEDS_CONTEXT, NULL);
    SAFE;
    if (!context_is(peer)) LEAVE(SI_ERROR_INVALID_CONTEXT);
    if (flags) LEAVE(SI_ERROR_INVALID_VALUE);
    if (peer == current || !option_peers) LEAVE(SI_ERROR_PEER_ACCESS_UNSUPPORTED);
    if (current->peers[peer->device]) LEAVE(SI_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    CUcontext context = current;
    if (option_free_waits) idle_wait(context, IDLE_FREE);
    context->peers[peer->device] = true;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *access, size_t count) {
    ENTER(NEEDS_INIT, NULL);
    SAFE;
    if (!handle_is(pool, MAGIC_POOL) || pool->destroyed || (count && !access)) LEAVE(SI_ERROR_INVALID_VALUE);
    for (size_t i = 0; i < count; i++) {
        int device = access[i].location.id, flags = (int)access[i].flags;
        if ((int)access[i].location.type != SI_LOCATION_DEVICE || !device_is(device)) LEAVE(SI_ERROR_INVALID_VALUE);
        if ((flags && flags != SI_ACCESS_READ_WRITE) || (!flags && device == pool->device))
            LEAVE(SI_ERROR_INVALID_VALUE);
        if (!option_peers && device != pool->device) LEAVE(SI_ERROR_INVALID_DEVICE);
        pool->access[device] = flags != 0;
    }
    LEAVE(SI_SUCCESS);
}
