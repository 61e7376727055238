/* Occupancy: threads, blocks and shared memory of a multiprocessor; registers are left out. */
#include "../core.h"

int occupancy(CUfunction function, unsigned int block, size_t shared) {
    int threads, blocks, memory, reserved;
    device_attribute(0, SI_DEVICE_MAX_THREADS_PER_MULTIPROCESSOR, &threads);
    device_attribute(0, SI_DEVICE_MAX_BLOCKS_PER_MULTIPROCESSOR, &blocks);
    device_attribute(0, SI_DEVICE_SHARED_PER_MULTIPROCESSOR, &memory);
    device_attribute(0, SI_DEVICE_RESERVED_SHARED, &reserved);
    if (block > (unsigned int)function->max_threads) return 0;
    int by_threads = threads / (int)((block + 31) / 32 * 32);
    size_t by_memory = (size_t)memory / (shared + (size_t)function->shared + (size_t)reserved);
    if (by_threads < blocks) blocks = by_threads;
    return by_memory < (size_t)blocks ? (int)by_memory : blocks;
}

EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int block,
                                                            size_t shared) {
    ENTER(NEEDS_CONTEXT, NULL);
    if (!blocks || block <= 0) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!handle_is(function, MAGIC_FUNCTION)) LEAVE(SI_ERROR_INVALID_HANDLE);
    *blocks = occupancy(function, (unsigned int)block, shared);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function,
                                                 CUoccupancyB2DSize shared_of, size_t shared, int limit) {
    ENTER(NEEDS_CONTEXT, NULL);
    if (!grid || !block || limit < 0) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!handle_is(function, MAGIC_FUNCTION)) LEAVE(SI_ERROR_INVALID_HANDLE);
    int most = limit && limit < function->max_threads ? limit : function->max_threads, best = 0;
    for (int size = most; size > 0; size = (size - 1) / 32 * 32) { /* the largest one with the most threads */
        int blocks = occupancy(function, (unsigned int)size, shared_of ? shared_of(size) : shared);
        if (blocks * size <= best) continue;
        best = blocks * size;
        *block = size;
        *grid = blocks * DEVICE_MULTIPROCESSORS;
    }
    LEAVE(best ? SI_SUCCESS : SI_ERROR_INVALID_VALUE);
}
