# The functions and constants of the CUDA and HIP libraries, as constants.h and functions.h declare them.
#
# Their driver APIs agree in nearly all but names, numbers of errors included: functions.h has each function once, under
# both. A function that a library lacks is NULL; code that needs it fails with GPU_LACKING and the function's name.

cdef extern from "driver/gpu/library/constants.h" nogil:
    ctypedef struct gpu_pool_location:
        int type
        int id
    ctypedef struct gpu_pool_properties "struct gpu_pool_properties":
        int type
        gpu_pool_location location
    ctypedef struct gpu_pool_access "struct gpu_pool_access":
        gpu_pool_location location
        int flags
    ctypedef struct gpu_row_copy "struct gpu_row_copy":
        int source_type
        const void *source
        size_t source_pitch
        int to_type
        void *to
        size_t to_pitch
        size_t width
        size_t rows
    ctypedef struct gpu_kernel_node "struct gpu_kernel_node":
        void *function
        unsigned int grid[3]
        unsigned int block[3]
        unsigned int shared
        void **extra
    ctypedef struct gpu_launch_attribute "struct gpu_launch_attribute":
        int id
        int value
    ctypedef struct gpu_launch_config "struct gpu_launch_config":
        unsigned int grid[3]
        unsigned int block[3]
        unsigned int shared
        void *stream
        gpu_launch_attribute *attributes
        unsigned int n_attributes
    ctypedef struct gpu_edge "struct gpu_edge":
        unsigned char from_port
        unsigned char type
    ctypedef struct gpu_hip_kernel_node "struct gpu_hip_kernel_node":
        void *function
        unsigned int grid[3]
        unsigned int block[3]
        unsigned int shared
        void **extra
    ctypedef struct gpu_fill_node "struct gpu_fill_node":
        void *to
        unsigned int value
        unsigned int element
        size_t width
        size_t height
    ctypedef struct gpu_hip_fill_node "struct gpu_hip_fill_node":
        void *to
        unsigned int value
        unsigned int element
        size_t width
        size_t height
    ctypedef struct gpu_peer_row_copy "struct gpu_peer_row_copy":
        int source_type
        const void *source
        void *source_context
        size_t source_pitch
        size_t source_height
        int to_type
        void *to
        void *to_array
        void *to_context
        size_t to_pitch
        size_t to_height
        size_t width
        size_t rows
        size_t depth
    ctypedef struct gpu_array "struct gpu_array":
        size_t width
        size_t height
        size_t depth
        int format
        unsigned int channels
        unsigned int flags
    ctypedef struct gpu_linear:
        void *memory
        int format
        unsigned int channels
        size_t size
    ctypedef struct gpu_rows:
        void *memory
        int format
        unsigned int channels
        size_t width
        size_t height
        size_t pitch
    ctypedef union gpu_resource_of:
        void *array
        gpu_linear linear
        gpu_rows rows
    ctypedef struct gpu_resource "struct gpu_resource":
        int type
        gpu_resource_of of
    ctypedef struct gpu_texture_reads "struct gpu_texture_reads":
        int address[3]
        int filter
        unsigned int flags
        int level_filter
    ctypedef struct gpu_hip_array_copy "struct gpu_hip_array_copy":
        const void *source
        size_t source_pitch
        size_t source_width
        size_t source_rows
        void *to_array
        size_t width
        size_t height
        size_t depth
        int kind
    cdef enum:
        CUDA_MEMORY_ARRAY, HIP_MEMCPY_DEVICE_TO_DEVICE, GPU_ARRAY_LAYERED, GPU_FORMAT_UINT8, GPU_FORMAT_UINT16
        GPU_FORMAT_UINT32, GPU_FORMAT_INT8, GPU_FORMAT_INT16, GPU_FORMAT_INT32, GPU_FORMAT_HALF, GPU_FORMAT_FLOAT
        GPU_RESOURCE_ARRAY, GPU_RESOURCE_LINEAR, GPU_RESOURCE_ROWS, GPU_ADDRESS_WRAP, GPU_ADDRESS_CLAMP, GPU_ADDRESS_MIRROR
        GPU_ADDRESS_BORDER, GPU_FILTER_POINT, GPU_FILTER_LINEAR, GPU_READ_AS_INTEGER, GPU_NORMALIZED_COORDINATES
        GPU_SUCCESS, GPU_ERROR_INVALID_VALUE, GPU_ERROR_OUT_OF_MEMORY, GPU_ERROR_DEINITIALIZED, GPU_ERROR_NO_DEVICE
        GPU_ERROR_INVALID_IMAGE, GPU_ERROR_INVALID_CONTEXT, GPU_ERROR_NO_BINARY_FOR_GPU, GPU_ERROR_ECC_UNCORRECTABLE
        GPU_ERROR_INVALID_HANDLE, GPU_ERROR_NOT_FOUND, GPU_ERROR_NOT_READY, GPU_ERROR_ILLEGAL_ADDRESS
        GPU_ERROR_LAUNCH_OUT_OF_RESOURCES, GPU_ERROR_LAUNCH_TIMEOUT, GPU_ERROR_ASSERT, GPU_ERROR_LAUNCH_FAILED
        GPU_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, GPU_ERROR_NOT_SUPPORTED, GPU_ERROR_STREAM_CAPTURE_UNSUPPORTED
        GPU_ERROR_UNKNOWN, GPU_ERROR_STREAM_CAPTURE_IMPLICIT, GPU_ERROR_CAPTURED_EVENT, GPU_CAPTURE_RELAXED
        GPU_CAPTURE_ACTIVE, GPU_USER_OBJECT_NO_DESTRUCTOR_SYNC, GPU_GRAPH_USER_OBJECT_MOVE
        GPU_STREAM_NON_BLOCKING, GPU_EVENT_DISABLE_TIMING, GPU_WAIT_VALUE_GEQ, CUDA_STREAM_LEGACY, HIP_STREAM_LEGACY
        GPU_HOST_PORTABLE, GPU_HOST_MAPPED, GPU_ATTACH_GLOBAL, HIP_MEMCPY_DEFAULT, GPU_POOL_RELEASE_THRESHOLD
        GPU_POOL_REUSE_INTERNAL, GPU_POOL_TYPE_PINNED
        GPU_ERROR_PEER_ACCESS_ALREADY_ENABLED, CUDA_MEMORY_DEVICE, CUDA_MEMORY_UNIFIED, GPU_MEMORY_READ_WRITE
        GPU_LOCATION_DEVICE, GPU_POINTER_DEVICE_ORDINAL
        GPU_LAUNCH_BUFFER_POINTER, GPU_LAUNCH_BUFFER_SIZE, CUDA_LAUNCH_END, HIP_LAUNCH_END
        GPU_FUNCTION_MAX_THREADS, GPU_FUNCTION_SHARED_SIZE, GPU_FUNCTION_CONST_SIZE, GPU_FUNCTION_LOCAL_SIZE
        GPU_FUNCTION_REGISTERS, GPU_FUNCTION_PTX_VERSION, GPU_FUNCTION_BINARY_VERSION
        GPU_FUNCTION_MAX_DYNAMIC_SHARED, GPU_FUNCTION_CARVEOUT, GPU_JIT_ERROR_LOG, GPU_JIT_ERROR_LOG_SIZE
        CUDA_JIT_CUBIN, CUDA_JIT_PTX, CUDA_LIMIT_STACK
        CUDA_PROGRAMMATIC_SERIALIZATION, CUDA_PORT_PROGRAMMATIC, CUDA_EDGE_PROGRAMMATIC, CUDA_MAX_THREADS_PER_MULTIPROCESSOR
        CUDA_MAX_THREADS_PER_BLOCK, CUDA_MAX_BLOCK_X, CUDA_MAX_GRID_X, CUDA_MAX_SHARED_PER_BLOCK, CUDA_WARP_SIZE
        CUDA_MULTIPROCESSORS, CUDA_CAPABILITY_MAJOR, CUDA_CAPABILITY_MINOR, CUDA_COOPERATIVE_LAUNCH
        CUDA_MAX_SHARED_PER_BLOCK_OPTIN, CUDA_MEMORY_POOLS, CUDA_MANAGED_MEMORY
        CUDA_CONCURRENT_MANAGED_ACCESS
        HIP_MAX_THREADS_PER_BLOCK, HIP_MAX_BLOCK_X, HIP_MAX_GRID_X, HIP_MAX_SHARED_PER_BLOCK, HIP_WARP_SIZE
        HIP_MULTIPROCESSORS, HIP_CAPABILITY_MAJOR, HIP_CAPABILITY_MINOR, HIP_COOPERATIVE_LAUNCH
        HIP_MAX_SHARED_PER_BLOCK_OPTIN, HIP_MEMORY_POOLS, HIP_WAIT_VALUE, HIP_MANAGED_MEMORY
        HIP_CONCURRENT_MANAGED_ACCESS
        HIP_PROPERTIES_SIZE, HIP_PROPERTIES_ARCHITECTURE

cdef extern from "driver/gpu/library/functions.h" nogil:
    ctypedef void (*gpu_host_function)(void *data) noexcept nogil
    ctypedef struct gpu_functions:
        int (*init)(unsigned int) noexcept nogil
        int (*version)(int *) noexcept nogil
        int (*count)(int *) noexcept nogil
        int (*device)(int *, int) noexcept nogil
        int (*name)(char *, int, int) noexcept nogil
        int (*memory)(size_t *, int) noexcept nogil
        int (*attribute)(int *, int, int) noexcept nogil
        int (*bus)(char *, int, int) noexcept nogil
        int (*retain)(void **, int) noexcept nogil
        int (*context)(void **) noexcept nogil
        int (*set_context)(void *) noexcept nogil
        int (*ordinal)(int *) noexcept nogil
        int (*set_ordinal)(int) noexcept nogil
        int (*properties)(void *, int) noexcept nogil
        int (*priorities)(int *, int *) noexcept nogil
        int (*stream_create)(void **, unsigned int, int) noexcept nogil
        int (*stream_destroy)(void *) noexcept nogil
        int (*stream_query)(void *) noexcept nogil
        int (*stream_synchronize)(void *) noexcept nogil
        int (*stream_wait)(void *, void *, unsigned int) noexcept nogil
        int (*stream_flags)(void *, unsigned int *) noexcept nogil
        int (*stream_capturing)(void *, int *) noexcept nogil
        int (*capture_mode)(int *) noexcept nogil
        int (*capture_info)(void *, int *, unsigned long long *, void **, void *, size_t *) noexcept nogil
        int (*user_object_create)(void **, void *, gpu_host_function, unsigned int, unsigned int) noexcept nogil
        int (*user_object_release)(void *, unsigned int) noexcept nogil
        int (*graph_retain)(void *, void *, unsigned int, unsigned int) noexcept nogil
        int (*graph_create)(void **, unsigned int) noexcept nogil
        int (*graph_add_kernel)(void **, void *, void **, size_t, const void *) noexcept nogil
        int (*graph_add_edge)(void *, void **, void **, const gpu_edge *, size_t) noexcept nogil
        int (*graph_add_copy)(void **, void *, void **, size_t, const gpu_peer_row_copy *, void *) noexcept nogil
        int (*hip_graph_add_copy)(void **, void *, void **, size_t, void *, const void *, size_t, int) noexcept nogil
        int (*graph_add_fill)(void **, void *, void **, size_t, const gpu_fill_node *, void *) noexcept nogil
        int (*hip_graph_add_fill)(void **, void *, void **, size_t, const gpu_hip_fill_node *) noexcept nogil
        int (*graph_instantiate)(void **, void *, unsigned long long) noexcept nogil
        int (*graph_set_kernel)(void *, void *, const void *) noexcept nogil
        int (*graph_set_copy)(void *, void *, const gpu_peer_row_copy *, void *) noexcept nogil
        int (*hip_graph_set_copy)(void *, void *, void *, const void *, size_t, int) noexcept nogil
        int (*graph_set_fill)(void *, void *, const gpu_fill_node *, void *) noexcept nogil
        int (*hip_graph_set_fill)(void *, void *, const gpu_hip_fill_node *) noexcept nogil
        int (*graph_launch)(void *, void *) noexcept nogil
        int (*graph_end_executable)(void *) noexcept nogil
        int (*graph_end)(void *) noexcept nogil
        int (*wait_value)(void *, void *, uint32_t, unsigned int) noexcept nogil
        int (*hip_wait_value)(void *, void *, uint32_t, unsigned int, uint32_t) noexcept nogil
        int (*host_function)(void *, gpu_host_function, void *) noexcept nogil
        int (*event_create)(void **, unsigned int) noexcept nogil
        int (*event_destroy)(void *) noexcept nogil
        int (*event_record)(void *, void *) noexcept nogil
        int (*event_query)(void *) noexcept nogil
        int (*event_synchronize)(void *) noexcept nogil
        int (*event_elapsed)(float *, void *, void *) noexcept nogil
        int (*allocate)(void **, size_t) noexcept nogil
        int (*free)(void *) noexcept nogil
        int (*host_allocate)(void **, size_t, unsigned int) noexcept nogil
        int (*host_free)(void *) noexcept nogil
        int (*managed_allocate)(void **, size_t, unsigned int) noexcept nogil
        int (*limit_get)(size_t *, int) noexcept nogil
        int (*limit_set)(int, size_t) noexcept nogil
        int (*memory_info)(size_t *, size_t *) noexcept nogil
        int (*copy)(void *, const void *, size_t, void *) noexcept nogil
        int (*hip_copy)(void *, const void *, size_t, int, void *) noexcept nogil
        int (*copy_peer)(void *, void *, const void *, void *, size_t, void *) noexcept nogil
        int (*hip_copy_peer)(void *, int, const void *, int, size_t, void *) noexcept nogil
        int (*copy_peer_rows)(const gpu_peer_row_copy *, void *) noexcept nogil
        int (*copy_rows)(const gpu_row_copy *, void *) noexcept nogil
        int (*hip_copy_rows)(void *, size_t, const void *, size_t, size_t, size_t, int, void *) noexcept nogil
        int (*array_create)(void **, const gpu_array *) noexcept nogil
        int (*array_destroy)(void *) noexcept nogil
        int (*copy_array)(const gpu_peer_row_copy *, void *) noexcept nogil
        int (*hip_copy_array)(const gpu_hip_array_copy *, void *) noexcept nogil
        int (*texture_create)(unsigned long long *, const gpu_resource *, const gpu_texture_reads *, const void *) noexcept nogil
        int (*texture_destroy)(unsigned long long) noexcept nogil
        int (*can_access_peer)(int *, int, int) noexcept nogil
        int (*enable_peer)(void *, unsigned int) noexcept nogil
        int (*hip_enable_peer)(int, unsigned int) noexcept nogil
        int (*fill8)(void *, unsigned char, size_t, void *) noexcept nogil
        int (*fill16)(void *, unsigned short, size_t, void *) noexcept nogil
        int (*fill32)(void *, unsigned int, size_t, void *) noexcept nogil
        int (*pool_create)(void **, const gpu_pool_properties *) noexcept nogil
        int (*pool_set)(void *, int, void *) noexcept nogil
        int (*pool_access)(void *, const gpu_pool_access *, size_t) noexcept nogil
        int (*pool_trim)(void *, size_t) noexcept nogil
        int (*pool_allocate)(void **, size_t, void *, void *) noexcept nogil
        int (*free_ordered)(void *, void *) noexcept nogil
        int (*pointer_attribute)(void *, int, void *) noexcept nogil
        int (*load)(void **, const void *, unsigned int, int *, void **) noexcept nogil
        int (*link_create)(unsigned int, int *, void **, void **) noexcept nogil
        int (*link_add)(void *, int, void *, size_t, const char *, unsigned int, int *, void **) noexcept nogil
        int (*link_complete)(void *, void **, size_t *) noexcept nogil
        int (*link_destroy)(void *) noexcept nogil
        int (*unload)(void *) noexcept nogil
        int (*function)(void **, void *, const char *) noexcept nogil
        int (*symbol)(void **, size_t *, void *, const char *) noexcept nogil
        int (*function_attribute)(int *, int, void *) noexcept nogil
        int (*function_set)(void *, int, int) noexcept nogil
        int (*parameter_info)(void *, size_t, size_t *, size_t *) noexcept nogil
        int (*kernel_function)(void **, void *) noexcept nogil
        int (*launch)(void *, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,
                        unsigned int, void *, void **, void **) noexcept nogil
        int (*launch_dependent)(const gpu_launch_config *, void *, void **, void **) noexcept nogil
        int (*launch_cooperative)(void *, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,
                        unsigned int, unsigned int, void *, void **) noexcept nogil
        int (*occupancy)(int *, void *, int, size_t) noexcept nogil
        int (*suggest)(int *, int *, void *, void *, size_t, int) noexcept nogil
        int (*hip_suggest)(int *, int *, void *, size_t, int) noexcept nogil
        int (*error_name)(int, const char **) noexcept nogil
        const char *(*hip_error_name)(int) noexcept nogil
    ctypedef struct gpu_names:
        const char *init
        const char *version
        const char *count
        const char *device
        const char *name
        const char *memory
        const char *attribute
        const char *bus
        const char *retain
        const char *context
        const char *set_context
        const char *ordinal
        const char *set_ordinal
        const char *properties
        const char *priorities
        const char *stream_create
        const char *stream_destroy
        const char *stream_query
        const char *stream_synchronize
        const char *stream_wait
        const char *stream_flags
        const char *stream_capturing
        const char *capture_mode
        const char *capture_info
        const char *user_object_create
        const char *user_object_release
        const char *graph_retain
        const char *graph_create
        const char *graph_add_kernel
        const char *graph_add_edge
        const char *graph_add_copy
        const char *hip_graph_add_copy
        const char *graph_add_fill
        const char *hip_graph_add_fill
        const char *graph_instantiate
        const char *graph_set_kernel
        const char *graph_set_copy
        const char *hip_graph_set_copy
        const char *graph_set_fill
        const char *hip_graph_set_fill
        const char *graph_launch
        const char *graph_end_executable
        const char *graph_end
        const char *wait_value
        const char *hip_wait_value
        const char *host_function
        const char *event_create
        const char *event_destroy
        const char *event_record
        const char *event_query
        const char *event_synchronize
        const char *event_elapsed
        const char *allocate
        const char *free
        const char *host_allocate
        const char *host_free
        const char *managed_allocate
        const char *limit_get
        const char *limit_set
        const char *memory_info
        const char *copy
        const char *hip_copy
        const char *copy_peer
        const char *hip_copy_peer
        const char *copy_peer_rows
        const char *copy_rows
        const char *hip_copy_rows
        const char *array_create
        const char *array_destroy
        const char *copy_array
        const char *hip_copy_array
        const char *texture_create
        const char *texture_destroy
        const char *can_access_peer
        const char *enable_peer
        const char *hip_enable_peer
        const char *fill8
        const char *fill16
        const char *fill32
        const char *pool_create
        const char *pool_set
        const char *pool_access
        const char *pool_trim
        const char *pool_allocate
        const char *free_ordered
        const char *pointer_attribute
        const char *load
        const char *link_create
        const char *link_add
        const char *link_complete
        const char *link_destroy
        const char *unload
        const char *function
        const char *symbol
        const char *function_attribute
        const char *function_set
        const char *parameter_info
        const char *kernel_function
        const char *launch
        const char *launch_dependent
        const char *launch_cooperative
        const char *occupancy
        const char *suggest
        const char *hip_suggest
        const char *error_name
    const gpu_names gpu_cuda_names, gpu_hip_names
    const unsigned char gpu_needed[1]
    const size_t GPU_N_FUNCTIONS
