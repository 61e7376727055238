# Compiled programs: the declarations of launchpath_host.h.

cdef extern from "host/table.h" nogil:
    cdef enum:
        LAUNCHPATH_HOST_VERSION
    void lp_extent_write(void *to, uint64_t xy, uint32_t z)
    void lp_extent_copy(void *to, const void *source)
    ctypedef struct launchpath_host:
        uint32_t version
        uint32_t size
        void **(*register_binary)(const void *) noexcept nogil
        void (*register_function)(void **, const void *, const char *) noexcept nogil
        void (*register_variable)(void **, void *, const char *, size_t, uint32_t) noexcept nogil
        void (*unregister_binary)(void **) noexcept nogil
        int (*push)(uint64_t, uint32_t, uint64_t, uint32_t, size_t, void *) noexcept nogil
        int (*pop)(void *, void *, size_t *, void **) noexcept nogil
        int (*launch)(const void *, uint64_t, uint32_t, uint64_t, uint32_t, void **, size_t, void *) noexcept nogil
        uint64_t (*call)(const char *, void *const *) noexcept nogil
        int (*has_failed)() noexcept nogil
        int (*allocate)(uint64_t, uint64_t) noexcept nogil
        int (*free)(uint64_t) noexcept nogil
        int (*copy)(uint64_t, uint64_t, uint64_t, uint32_t, uint64_t) noexcept nogil
        int (*copy_and_wait)(uint64_t, uint64_t, uint64_t, uint32_t) noexcept nogil
        int (*fill)(uint64_t, uint32_t, uint64_t, uint64_t) noexcept nogil
        int (*fill_default)(uint64_t, uint32_t, uint64_t) noexcept nogil
        int (*event_record)(uint64_t, uint64_t) noexcept nogil
        int (*event_query)(uint64_t) noexcept nogil
        int (*event_synchronize)(uint64_t) noexcept nogil
        int (*stream_wait_event)(uint64_t, uint64_t, uint32_t) noexcept nogil
        int (*stream_query)(uint64_t) noexcept nogil
        int (*stream_synchronize)(uint64_t) noexcept nogil
        int (*device_synchronize)() noexcept nogil
        int (*get_device)(uint64_t) noexcept nogil
        int (*set_device)(uint32_t) noexcept nogil
    void lp_host_table_is(const launchpath_host *) noexcept
