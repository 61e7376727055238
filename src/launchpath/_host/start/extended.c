/* Launches of a number of threads, between two events. */
#include "start.h"

enum { INVALID_VALUE = 1, NOT_SUPPORTED = 801, ANY_ORDER = 1 };

int hipEventRecord(uint64_t event, uint64_t stream);
int hipModuleLaunchKernel(uint64_t function, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z, uint32_t block_x,
                          uint32_t block_y, uint32_t block_z, uint32_t shared, uint64_t stream, uint64_t parameters,
                          uint64_t extra);

/* Either event may be null. */
int hipExtModuleLaunchKernel(uint64_t function, uint32_t x, uint32_t y, uint32_t z, uint32_t block_x, uint32_t block_y,
                             uint32_t block_z, size_t shared, uint64_t stream, uint64_t parameters, uint64_t extra,
                             uint64_t start, uint64_t stop, uint32_t flags) {
    const char *const name = "hipExtModuleLaunchKernel";
    int code = 0;
    if (block_x == 0 || block_y == 0 || block_z == 0 || (flags & ~ANY_ORDER))
        return launchpath_refuse(name, INVALID_VALUE, "expected blocks of threads, and flags of 0 or 1");
    /* AMD's devices run a last block of fewer threads; the others have whole blocks only. */
    if (x % block_x || y % block_y || z % block_z)
        return launchpath_refuse(name, NOT_SUPPORTED, "expected whole blocks: make the number of threads a multiple");
    if (start != 0) code = hipEventRecord(start, stream);
    if (code == 0)
        code = hipModuleLaunchKernel(function, x / block_x, y / block_y, z / block_z, block_x, block_y, block_z,
                                     (uint32_t)shared, stream, parameters, extra);
    return code == 0 && stop != 0 ? hipEventRecord(stop, stream) : code;
}

int hipHccModuleLaunchKernel(uint64_t function, uint32_t x, uint32_t y, uint32_t z, uint32_t block_x, uint32_t block_y,
                             uint32_t block_z, size_t shared, uint64_t stream, uint64_t parameters, uint64_t extra,
                             uint64_t start, uint64_t stop) {
    return hipExtModuleLaunchKernel(function, x, y, z, block_x, block_y, block_z, shared, stream, parameters, extra,
                                    start, stop, 0);
}
