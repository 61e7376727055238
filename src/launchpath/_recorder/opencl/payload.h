/* What commands of OpenCL do. */
#ifndef LAUNCHPATH_RECORDER_OPENCL_PAYLOAD_H
#define LAUNCHPATH_RECORDER_OPENCL_PAYLOAD_H

#include "evidence.h"

/* A launch. Where the program leaves the size of work-groups to the library, the record has groups of one item. */
static inline void opencl_launch(payload *what, void *handle, uint32_t dimensions, const size_t *global, const size_t *local) {
    const opencl_kernel *kernel = opencl_kernel_of(handle);
    uint32_t i;
    what->command = COMMAND_LAUNCH, what->name = kernel->name;
    what->waits = 0;
    for (i = 0; i < 3; i++) {
        size_t items = i < dimensions && global ? global[i] : 1, group = i < dimensions && local && local[i] ? local[i] : 1;
        what->of.launch.block[i] = (uint32_t)group, what->of.launch.grid[i] = (uint32_t)((items + group - 1) / group);
    }
    if (LP_UNLIKELY(kernel->excluded)) what->command = 0;
}

static inline void opencl_copy(payload *what, uint8_t command, uint8_t direction, size_t size, const void *to, const void *from) {
    what->command = command, what->flags = direction, what->of.copy.bytes = size;
    what->of.copy.to = (uint64_t)(uintptr_t)to, what->of.copy.source = (uint64_t)(uintptr_t)from;
}

/* A copy of a box; `element`: bytes of one of its elements. */
static void opencl_rows(payload *what, uint8_t direction, const size_t *region, size_t element, const void *to, const void *from) {
    size_t rows = region ? region[1] * region[2] : 0;
    opencl_copy(what, COMMAND_ROWS, direction, region ? region[0] * element * rows : 0, to, from);
    what->shared = (uint32_t)rows;
}

static void opencl_fill_image(payload *what, void *image, const size_t *region) {
    opencl_copy(what, COMMAND_FILL, 0, region ? region[0] * region[1] * region[2] * opencl_texel(image) : 0, image, 0);
}

/* Of a part of a buffer, by a region of its bytes. */
static size_t opencl_part_size(uint32_t type, const void *info) { return type == CL_BUFFER_REGION_ && info ? ((const size_t *)info)[1] : 0; }

#endif
