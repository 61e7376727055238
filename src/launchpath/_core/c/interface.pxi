# The C interface: the declarations of launchpath.h.

cdef extern from "launchpath.h" nogil:
    cdef enum:
        LAUNCHPATH_API_VERSION
        LAUNCHPATH_COOPERATIVE
        LAUNCHPATH_TIMING
        LAUNCHPATH_NON_BLOCKING
        LAUNCHPATH_STACK
        LAUNCHPATH_SYMBOL_DEVICES
    const char *LAUNCHPATH_API_NAME
    ctypedef enum launchpath_status:
        LAUNCHPATH_SUCCESS
        LAUNCHPATH_NOT_READY
        LAUNCHPATH_INVALID_VALUE
        LAUNCHPATH_INVALID_HANDLE
        LAUNCHPATH_INVALID_CONFIGURATION
        LAUNCHPATH_NOT_FOUND
        LAUNCHPATH_COMPILE_FAILED
        LAUNCHPATH_OUT_OF_MEMORY
        LAUNCHPATH_LAUNCH_FAILURE
        LAUNCHPATH_DRIVER_ERROR
        LAUNCHPATH_EMPTY_STACK
        LAUNCHPATH_FULL_STACK
        LAUNCHPATH_NOT_AVAILABLE
        LAUNCHPATH_UNKNOWN
    ctypedef uint64_t launchpath_kernel
    ctypedef uint64_t launchpath_stream
    ctypedef uint64_t launchpath_event
    ctypedef struct launchpath_configuration:
        uint32_t grid[3]
        uint32_t block[3]
        uint32_t shared
        uint32_t flags
        launchpath_stream stream
    ctypedef struct launchpath_symbol:
        const char *name
        launchpath_kernel kernels[LAUNCHPATH_SYMBOL_DEVICES]
    ctypedef struct launchpath_api:
        uint32_t version
        uint32_t size
        launchpath_status (*launch_symbol)(launchpath_symbol *, const launchpath_configuration *, void *const *, size_t,
                                           const size_t *) noexcept nogil
        launchpath_status (*launch_symbol_packed)(launchpath_symbol *, const launchpath_configuration *, const void *,
                                                  size_t) noexcept nogil
        launchpath_status (*launch)(launchpath_kernel, const launchpath_configuration *, void *const *, size_t,
                                    const size_t *) noexcept nogil
        launchpath_status (*launch_packed)(launchpath_kernel, const launchpath_configuration *, const void *,
                                           size_t) noexcept nogil
        launchpath_status (*find)(const char *, launchpath_stream, launchpath_kernel *) noexcept nogil
        launchpath_status (*parameter)(launchpath_kernel, size_t, size_t *, size_t *) noexcept nogil
        launchpath_status (*push)(const launchpath_configuration *) noexcept nogil
        launchpath_status (*pop)(launchpath_configuration *) noexcept nogil
        launchpath_status (*stream_create)(uint32_t, int, launchpath_stream *) noexcept nogil
        launchpath_status (*stream_destroy)(launchpath_stream) noexcept nogil
        launchpath_status (*stream_query)(launchpath_stream) noexcept nogil
        launchpath_status (*stream_synchronize)(launchpath_stream) noexcept nogil
        launchpath_status (*stream_wait)(launchpath_stream, launchpath_event) noexcept nogil
        launchpath_status (*event_create)(uint32_t, launchpath_event *) noexcept nogil
        launchpath_status (*event_destroy)(launchpath_event) noexcept nogil
        launchpath_status (*event_record)(launchpath_event, launchpath_stream) noexcept nogil
        launchpath_status (*event_query)(launchpath_event) noexcept nogil
        launchpath_status (*event_synchronize)(launchpath_event) noexcept nogil
        launchpath_status (*event_elapsed)(launchpath_event, launchpath_event, double *) noexcept nogil
        const char *(*error_text)() noexcept nogil

cdef extern from "c/thread.h" nogil:
    const size_t ALL_ARGUMENTS
    ctypedef struct lp_c_thread:
        uint32_t n
        launchpath_configuration at[LAUNCHPATH_STACK]
        char text[1024]
        void *null_queue
        int device
        bint failure_pending
    lp_c_thread *lp_c_here
    uint64_t lp_c_threads
    lp_c_thread *lp_c_thread_here()
    void lp_c_keep_python()

cdef extern from "Python.h":
    bint PyGILState_Check() noexcept nogil
