/* HIP's types, as far as the recorder reads them. Handles are `void *`, enums are `int`. */
#ifndef LAUNCHPATH_RECORDER_HIP_TYPES_H
#define LAUNCHPATH_RECORDER_HIP_TYPES_H

#include "../cuda/types.h"

enum {
    HIP_NOT_READY = 600,
    HIP_MEMORY_HOST = 1, /* these are of HIP 6 and later */
    HIP_MEMORY_DEVICE = 2,
    HIP_MEMORY_MANAGED = 3,
    HIP_MEMORY_ARRAY = 10,
    HIP_MEMORY_UNIFIED = 11,
    HIP_COPY_TO_DEVICE = 1,
    HIP_COPY_TO_HOST = 2,
    HIP_COPY_ON_DEVICE = 3,
    HIP_COPY_ON_DEVICE_BY_COPIERS = 1024,
    HIP_STREAM_LEGACY = 1,
    HIP_STREAM_PER_THREAD = 2,
    HIP_STREAM_NON_BLOCKING = 1,
    HIP_COOPERATIVE = 2 /* an attribute of launches */
};

typedef struct { /* rocprofiler hands dim3 over as this */
    uint32_t x, y, z;
} hip_sizes;

typedef struct {
    size_t width, height, depth;
} hip_extent;

typedef struct { /* hipPitchedPtr */
    void *at;
    size_t pitch, width, height;
} hip_pitched;

typedef struct { /* hipMemcpy3DParms */
    void *source_array;
    hip_extent source_from;
    hip_pitched source;
    void *to_array;
    hip_extent to_from;
    hip_pitched to;
    hip_extent extent;
    int kind;
} hip_volume;

typedef struct { /* HIP_MEMCPY3D */
    size_t source_x, source_y, source_z, source_level;
    int source_type;
    const void *source_host;
    uint64_t source_device;
    void *source_array;
    size_t source_pitch, source_height, to_x, to_y, to_z, to_level;
    int to_type;
    void *to_host;
    uint64_t to_device;
    void *to_array;
    size_t to_pitch, to_height, width, height, depth;
} hip_box;

typedef cuda_rows hip_rows;     /* hip_Memcpy2D is laid out as CUDA's, with other numbers of memory types */
typedef cuda_config hip_config; /* HIP_LAUNCH_CONFIG */

typedef struct { /* hipLaunchConfig_t */
    hip_sizes grid, block;
    size_t shared;
    void *stream;
    const cuda_attribute *attributes;
    unsigned int n_attributes;
} hip_launch_config;

#endif
