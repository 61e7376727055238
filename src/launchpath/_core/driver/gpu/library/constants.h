/* Numbers of CUDA's driver API (cuda.h) and of HIP's (hip_runtime_api.h). The tests hold them against the vendors' headers.

   GPU_ numbers are the same in both. */
#ifndef LAUNCHPATH_GPU_CONSTANTS_H
#define LAUNCHPATH_GPU_CONSTANTS_H

/* CUresult, hipError_t */
#define GPU_SUCCESS 0
#define GPU_ERROR_INVALID_VALUE 1
#define GPU_ERROR_OUT_OF_MEMORY 2
#define GPU_ERROR_DEINITIALIZED 4
#define GPU_ERROR_NO_DEVICE 100
#define GPU_ERROR_INVALID_IMAGE 200
#define GPU_ERROR_INVALID_CONTEXT 201
#define GPU_ERROR_NO_BINARY_FOR_GPU 209
#define GPU_ERROR_ECC_UNCORRECTABLE 214
#define GPU_ERROR_INVALID_HANDLE 400
#define GPU_ERROR_NOT_FOUND 500
#define GPU_ERROR_NOT_READY 600
#define GPU_ERROR_ILLEGAL_ADDRESS 700
#define GPU_ERROR_LAUNCH_OUT_OF_RESOURCES 701
#define GPU_ERROR_LAUNCH_TIMEOUT 702
#define GPU_ERROR_PEER_ACCESS_ALREADY_ENABLED 704
#define GPU_ERROR_ASSERT 710
#define GPU_ERROR_LAUNCH_FAILED 719
#define GPU_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE 720
#define GPU_ERROR_NOT_SUPPORTED 801
#define GPU_ERROR_STREAM_CAPTURE_UNSUPPORTED 900
#define GPU_ERROR_STREAM_CAPTURE_IMPLICIT 906
#define GPU_ERROR_CAPTURED_EVENT 907
#define GPU_ERROR_UNKNOWN 999
/* CUDA alone */
#define CUDA_ERROR_INVALID_PTX_NUMBER 218
#define CUDA_ERROR_UNSUPPORTED_PTX_VERSION_NUMBER 222
#define CUDA_ERROR_HARDWARE_STACK_ERROR_NUMBER 714
#define CUDA_ERROR_ILLEGAL_INSTRUCTION_NUMBER 715
#define CUDA_ERROR_MISALIGNED_ADDRESS_NUMBER 716
#define CUDA_ERROR_INVALID_ADDRESS_SPACE_NUMBER 717
#define CUDA_ERROR_INVALID_PC_NUMBER 718

/* Streams and events */
#define GPU_STREAM_NON_BLOCKING 1
#define GPU_EVENT_DISABLE_TIMING 2
#define GPU_WAIT_VALUE_GEQ 0
#define GPU_CAPTURE_RELAXED 2
#define GPU_CAPTURE_ACTIVE 1
#define GPU_USER_OBJECT_NO_DESTRUCTOR_SYNC 1
#define GPU_GRAPH_USER_OBJECT_MOVE 1
#define CUDA_STREAM_LEGACY 1
#define HIP_STREAM_LEGACY 0

/* Memory */
#define GPU_HOST_PORTABLE 1
#define GPU_HOST_MAPPED 2
#define GPU_ATTACH_GLOBAL 1
#define HIP_MEMCPY_DEFAULT 4
#define CUDA_MEMORY_DEVICE 2
#define CUDA_MEMORY_UNIFIED 4
#define GPU_MEMORY_READ_WRITE 3
#define GPU_POOL_REUSE_INTERNAL 3
#define GPU_POOL_RELEASE_THRESHOLD 4
#define GPU_POOL_TYPE_PINNED 1
#define GPU_LOCATION_DEVICE 1
#define GPU_POINTER_DEVICE_ORDINAL 9

/* Arrays and textures */
#define CUDA_MEMORY_ARRAY 3
#define HIP_MEMCPY_DEVICE_TO_DEVICE 3
#define GPU_ARRAY_LAYERED 1
#define GPU_FORMAT_UINT8 0x01
#define GPU_FORMAT_UINT16 0x02
#define GPU_FORMAT_UINT32 0x03
#define GPU_FORMAT_INT8 0x08
#define GPU_FORMAT_INT16 0x09
#define GPU_FORMAT_INT32 0x0a
#define GPU_FORMAT_HALF 0x10
#define GPU_FORMAT_FLOAT 0x20
#define GPU_RESOURCE_ARRAY 0
#define GPU_RESOURCE_LINEAR 2
#define GPU_RESOURCE_ROWS 3
#define GPU_ADDRESS_WRAP 0
#define GPU_ADDRESS_CLAMP 1
#define GPU_ADDRESS_MIRROR 2
#define GPU_ADDRESS_BORDER 3
#define GPU_FILTER_POINT 0
#define GPU_FILTER_LINEAR 1
#define GPU_READ_AS_INTEGER 1
#define GPU_NORMALIZED_COORDINATES 2

/* Launching */
#define GPU_LAUNCH_BUFFER_POINTER 1
#define GPU_LAUNCH_BUFFER_SIZE 2
#define CUDA_LAUNCH_END 0
#define HIP_LAUNCH_END 3
#define GPU_FUNCTION_MAX_THREADS 0
#define GPU_FUNCTION_SHARED_SIZE 1
#define GPU_FUNCTION_CONST_SIZE 2
#define GPU_FUNCTION_LOCAL_SIZE 3
#define GPU_FUNCTION_REGISTERS 4
#define GPU_FUNCTION_PTX_VERSION 5
#define GPU_FUNCTION_BINARY_VERSION 6
#define GPU_FUNCTION_MAX_DYNAMIC_SHARED 8
#define GPU_FUNCTION_CARVEOUT 9
#define CUDA_PROGRAMMATIC_SERIALIZATION 6
#define CUDA_PORT_PROGRAMMATIC 1
#define CUDA_EDGE_PROGRAMMATIC 1

/* Limits of a context */
#define CUDA_LIMIT_STACK 0

/* Options of loading a module */
#define GPU_JIT_ERROR_LOG 5
#define GPU_JIT_ERROR_LOG_SIZE 6

/* CUjitInputType */
#define CUDA_JIT_CUBIN 0
#define CUDA_JIT_PTX 1

/* CUdevice_attribute */
#define CUDA_MAX_THREADS_PER_BLOCK 1
#define CUDA_MAX_BLOCK_X 2
#define CUDA_MAX_BLOCK_Y 3
#define CUDA_MAX_BLOCK_Z 4
#define CUDA_MAX_GRID_X 5
#define CUDA_MAX_GRID_Y 6
#define CUDA_MAX_GRID_Z 7
#define CUDA_MAX_SHARED_PER_BLOCK 8
#define CUDA_WARP_SIZE 10
#define CUDA_MULTIPROCESSORS 16
#define CUDA_MAX_THREADS_PER_MULTIPROCESSOR 39
#define CUDA_CAPABILITY_MAJOR 75
#define CUDA_CAPABILITY_MINOR 76
#define CUDA_MANAGED_MEMORY 83
#define CUDA_CONCURRENT_MANAGED_ACCESS 89
#define CUDA_COOPERATIVE_LAUNCH 95
#define CUDA_MAX_SHARED_PER_BLOCK_OPTIN 97
#define CUDA_MEMORY_POOLS 115

/* hipDeviceAttribute_t, as it has been since HIP 5.0 */
#define HIP_MAX_THREADS_PER_BLOCK 56
#define HIP_MAX_BLOCK_X 26
#define HIP_MAX_BLOCK_Y 27
#define HIP_MAX_BLOCK_Z 28
#define HIP_MAX_GRID_X 29
#define HIP_MAX_GRID_Y 30
#define HIP_MAX_GRID_Z 31
#define HIP_MAX_SHARED_PER_BLOCK 74
#define HIP_WARP_SIZE 87
#define HIP_MULTIPROCESSORS 63
#define HIP_CAPABILITY_MAJOR 23
#define HIP_CAPABILITY_MINOR 61
#define HIP_CONCURRENT_MANAGED_ACCESS 9
#define HIP_COOPERATIVE_LAUNCH 10
#define HIP_MANAGED_MEMORY 24
#define HIP_MAX_SHARED_PER_BLOCK_OPTIN 75
#define HIP_MEMORY_POOLS 88
#define HIP_WAIT_VALUE 10013

/* Where `gcnArchName` is in what hipGetDeviceProperties fills: the unversioned symbol keeps HIP 5's struct. */
#define HIP_PROPERTIES_SIZE 792
#define HIP_PROPERTIES_ARCHITECTURE 396

/* CUmemPoolProps, hipMemPoolProps */
struct gpu_pool_properties {
    int type;
    int handles;
    struct {
        int type;
        int id;
    } location;
    void *security;
    unsigned long long most;
    unsigned char reserved[56];
};

/* CUmemAccessDesc, hipMemAccessDesc */
struct gpu_pool_access {
    struct {
        int type;
        int id;
    } location;
    int flags;
};

/* CUDA_KERNEL_NODE_PARAMS_v2 */
struct gpu_kernel_node {
    void *function;
    unsigned int grid[3], block[3], shared;
    void **arguments;
    void **extra;
    void *kernel;
    void *context;
};

/* CUlaunchAttribute, CUlaunchConfig */
struct gpu_launch_attribute {
    int id, padding;
    int value, rest[15];
};
struct gpu_launch_config {
    unsigned int grid[3], block[3], shared;
    void *stream;
    struct gpu_launch_attribute *attributes;
    unsigned int n_attributes;
};

/* CUgraphEdgeData */
struct gpu_edge {
    unsigned char from_port, to_port, type, reserved[5];
};

/* hipKernelNodeParams */
struct gpu_hip_kernel_node {
    unsigned int block[3];
    void **extra;
    void *function;
    unsigned int grid[3];
    void **arguments;
    unsigned int shared;
};

/* CUDA_MEMSET_NODE_PARAMS */
struct gpu_fill_node {
    void *to;
    size_t pitch;
    unsigned int value, element;
    size_t width, height;
};

/* hipMemsetParams */
struct gpu_hip_fill_node {
    void *to;
    unsigned int element;
    size_t height, pitch;
    unsigned int value;
    size_t width;
};

/* CUDA_MEMCPY2D */
struct gpu_row_copy {
    size_t source_x, source_y;
    int source_type;
    const void *source_host;
    const void *source;
    void *source_array;
    size_t source_pitch;
    size_t to_x, to_y;
    int to_type;
    void *to_host;
    void *to;
    void *to_array;
    size_t to_pitch;
    size_t width;
    size_t rows;
};

/* CUDA_MEMCPY3D_PEER; with NULL as contexts, CUDA_MEMCPY3D */
struct gpu_peer_row_copy {
    size_t source_x, source_y, source_z, source_lod;
    int source_type;
    const void *source_host;
    const void *source;
    void *source_array;
    void *source_context;
    size_t source_pitch, source_height;
    size_t to_x, to_y, to_z, to_lod;
    int to_type;
    void *to_host;
    void *to;
    void *to_array;
    void *to_context;
    size_t to_pitch, to_height;
    size_t width, rows, depth;
};

/* CUDA_ARRAY3D_DESCRIPTOR, HIP_ARRAY3D_DESCRIPTOR */
struct gpu_array {
    size_t width, height, depth;
    int format;
    unsigned int channels, flags;
};

/* CUDA_RESOURCE_DESC, HIP_RESOURCE_DESC */
struct gpu_resource {
    int type;
    union {
        void *array;
        struct {
            void *memory;
            int format;
            unsigned int channels;
            size_t size;
        } linear;
        struct {
            void *memory;
            int format;
            unsigned int channels;
            size_t width, height, pitch;
        } rows;
        int reserved[32];
    } of;
    unsigned int flags;
};

/* CUDA_TEXTURE_DESC, HIP_TEXTURE_DESC */
struct gpu_texture_reads {
    int address[3];
    int filter;
    unsigned int flags, anisotropy;
    int level_filter;
    float level_bias, lowest_level, highest_level, border[4];
    int reserved[12];
};

/* hipMemcpy3DParms */
struct gpu_hip_array_copy {
    void *source_array;
    size_t source_x, source_y, source_z;
    const void *source;
    size_t source_pitch, source_width, source_rows;
    void *to_array;
    size_t to_x, to_y, to_z;
    void *to;
    size_t to_pitch, to_width, to_rows;
    size_t width, height, depth;
    int kind;
};

#endif
