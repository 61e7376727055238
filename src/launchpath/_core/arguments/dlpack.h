/* DLPack's structures (version 1), and its exchange API: a library's own C functions, found on the type of its arrays. */
#ifndef LAUNCHPATH_DLPACK_H
#define LAUNCHPATH_DLPACK_H

#include <stdint.h>

enum { DL_CPU = 1, DL_CUDA = 2, DL_CUDA_HOST = 3, DL_ROCM = 10, DL_ROCM_HOST = 11, DL_CUDA_MANAGED = 13 };
enum { DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2, DL_BFLOAT = 4, DL_COMPLEX = 5, DL_BOOL = 6 };

typedef struct {
    uint32_t major, minor;
} dl_version;

typedef struct {
    void *data;
    int32_t device_type, device_id;
    int32_t ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape;
    int64_t *strides; /* in elements; NULL: C order */
    uint64_t byte_offset;
} dl_tensor;

typedef struct dl_managed {
    dl_tensor tensor;
    void *context;
    void (*deleter)(struct dl_managed *self);
} dl_managed;

typedef struct dl_managed_versioned {
    dl_version version;
    void *context;
    void (*deleter)(struct dl_managed_versioned *self);
    uint64_t flags;
    dl_tensor tensor;
} dl_managed_versioned;

typedef struct dl_exchange {
    dl_version version;
    struct dl_exchange *older;
    void *allocate, *managed_from_object, *managed_to_object;
    int (*tensor_from_object)(void *object, dl_tensor *out);
    int (*current_stream)(int32_t device_type, int32_t device_id, void **out);
} dl_exchange;

#endif
