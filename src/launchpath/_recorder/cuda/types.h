/* CUDA's types, as far as the recorder reads them. Handles are `void *`, enums are `int`: the same registers as in cuda.h. */
#ifndef LAUNCHPATH_RECORDER_CUDA_TYPES_H
#define LAUNCHPATH_RECORDER_CUDA_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t cuda_address;

enum {
    CUDA_NOT_FOUND = 500,
    CUDA_NOT_READY = 600,
    CUDA_MEMORY_HOST = 1,
    CUDA_MEMORY_DEVICE = 2,
    CUDA_MEMORY_ARRAY = 3,
    CUDA_MEMORY_UNIFIED = 4,
    CUDA_STREAM_LEGACY = 1,
    CUDA_STREAM_PER_THREAD = 2,
    CUDA_STREAM_NON_BLOCKING = 1,
    CUDA_ATTRIBUTE_COOPERATIVE = 2,
    CUDA_NODE_KERNEL = 0,
    CUDA_NODE_COPY = 1,
    CUDA_NODE_FILL = 2,
    CUDA_NODE_GRAPH = 4,
    CUDA_NODE_CONDITIONAL = 13
};

typedef struct { /* CUDA_MEMCPY2D_v2 */
    size_t source_x, source_y;
    int source_type;
    const void *source_host;
    cuda_address source_device;
    void *source_array;
    size_t source_pitch, to_x, to_y;
    int to_type;
    void *to_host;
    cuda_address to_device;
    void *to_array;
    size_t to_pitch, width, height;
} cuda_rows;

typedef struct { /* CUDA_MEMCPY3D_v2 and CUDA_MEMCPY3D_PEER_v1, which has contexts where the other has nothing */
    size_t source_x, source_y, source_z, source_level;
    int source_type;
    const void *source_host;
    cuda_address source_device;
    void *source_array, *source_context;
    size_t source_pitch, source_height, to_x, to_y, to_z, to_level;
    int to_type;
    void *to_host;
    cuda_address to_device;
    void *to_array, *to_context;
    size_t to_pitch, to_height, width, height, depth;
} cuda_box;

typedef struct { /* CUlaunchAttribute */
    int id;
    char unused[4];
    union {
        char bytes[64];
        int cooperative;
    } value;
} cuda_attribute;

typedef struct { /* CUlaunchConfig */
    unsigned int grid[3], block[3], shared;
    void *stream;
    const cuda_attribute *attributes;
    unsigned int n_attributes;
} cuda_config;

typedef struct { /* CUDA_KERNEL_NODE_PARAMS_v1 and _v2: the first has no `kernel` and no `context` */
    void *function;
    unsigned int grid[3], block[3], shared;
    void **parameters, **extra;
    void *kernel, *context;
} cuda_kernel_node;

typedef struct { /* CUDA_MEMSET_NODE_PARAMS_v1 and _v2: the first has no `context` */
    cuda_address to;
    size_t pitch;
    unsigned int value, element;
    size_t width, height;
    void *context;
} cuda_fill_node;

#endif
