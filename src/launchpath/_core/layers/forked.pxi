# The layer of a forked child: a library that was in use before does not work there. Each function fails, or does
# nothing where there is no error to return.

cdef int forked_queue(void *queue) noexcept nogil:
    return ERROR_FORKED

cdef int forked_queue_create(void *device, queue_kind kind, int priority, void **queue) noexcept nogil:
    return ERROR_FORKED

cdef void forked_release(void *item) noexcept nogil:
    pass

cdef void *forked_handle(void *queue, bint exposed) noexcept nogil:
    return NULL

cdef int forked_launch(void *queue, void *kernel, const launch_config *config, const void *bytes, size_t size,
                       uint32_t n_waits, void **waits) noexcept nogil:
    return ERROR_FORKED

cdef int forked_copy(void *queue, void *to, const void *source, size_t size, uint32_t n_waits,
                     void **waits) noexcept nogil:
    return ERROR_FORKED

cdef int forked_copy_peer(void *queue, const peer_copy *copy, uint32_t n_waits, void **waits, void **timing) noexcept nogil:
    return ERROR_FORKED

cdef int forked_copy_rows(void *queue, void *to, size_t to_pitch, const void *source, size_t source_pitch, size_t width,
                          size_t rows, uint32_t n_waits, void **waits, void **timing) noexcept nogil:
    return ERROR_FORKED

cdef int forked_peer_get(void *device, void *other, int *reach) noexcept nogil:
    return ERROR_FORKED

cdef int forked_peer_enable(void *device, void *other) noexcept nogil:
    return ERROR_FORKED

cdef int forked_texture_create(void *device, const texture_facts *facts, void **texture, uint64_t *object) noexcept nogil:
    return ERROR_FORKED

cdef int forked_texture_release(void *device, void *texture) noexcept nogil:
    return 0

cdef int forked_fill(void *queue, void *to, const void *pattern, size_t pattern_size, size_t size, uint32_t n_waits,
                     void **waits) noexcept nogil:
    return ERROR_FORKED

cdef int forked_marker(void *queue, bint timed, uint32_t n_waits, void **waits, void **event) noexcept nogil:
    return ERROR_FORKED

cdef int forked_queue_query(void *queue, event_status *status) noexcept nogil:
    return ERROR_FORKED

cdef int forked_event_query(void *domain, void *event, event_status *status) noexcept nogil:
    return ERROR_FORKED

cdef int forked_event_wait(void *domain, void *event) noexcept nogil:
    return ERROR_FORKED

cdef void forked_event_release(void *domain, void *event) noexcept nogil:
    pass

cdef int forked_event_time(void *domain, void *event, uint64_t *nanoseconds) noexcept nogil:
    return ERROR_FORKED

cdef int forked_timing_read(void *domain, void *timing, bint whole, lp_times *times) noexcept nogil:
    return ERROR_FORKED

cdef int forked_event_callback(void *domain, void *event, void (*function)(void *, event_status) noexcept nogil,
                               void *data) noexcept nogil:
    return ERROR_FORKED

cdef int forked_user_event(void *device, bint may_wait, void **event) noexcept nogil:
    return ERROR_FORKED

cdef int forked_user_event_set(void *domain, void *event, event_status status) noexcept nogil:
    return ERROR_FORKED

cdef int forked_adopt(void *device, void *handle, void **queue) noexcept nogil:
    return ERROR_FORKED

cdef int forked_elapsed(void *domain, void *start, void *end, int64_t *nanoseconds) noexcept nogil:
    return ERROR_FORKED

cdef bint forked_capturing(void *queue) noexcept nogil:
    return False

cdef int forked_allocate(void *device, void *queue, size_t size, memory_kind kind, void **address) noexcept nogil:
    return ERROR_FORKED

cdef int forked_free(void *device, void *address, memory_kind kind) noexcept nogil:
    return 0

cdef bint forked_command_failed(int code) noexcept nogil:
    return False

cdef int forked_memory_info(void *device, size_t *free_bytes, size_t *total) noexcept nogil:
    return ERROR_FORKED


cdef int forked_program_build(void *device, const char *source, size_t size, const char *options, lp_text *log,
                              void **program) noexcept nogil:
    return ERROR_FORKED

cdef int forked_program_load(void *device, const void *data, size_t size, const char *options, lp_text *log,
                             void **program) noexcept nogil:
    return ERROR_FORKED

cdef int forked_program_link(void *device, uint32_t n, const program_part *parts, lp_text *log,
                             lp_text *binary) noexcept nogil:
    return ERROR_FORKED

cdef int forked_output_show(void *device) noexcept nogil:
    return ERROR_FORKED

cdef int forked_program_text(void *device, void *program, lp_text *text) noexcept nogil:
    return ERROR_FORKED

cdef int forked_program_symbol(void *device, void *program, const char *name, void **address,
                               size_t *size) noexcept nogil:
    return ERROR_FORKED

cdef int forked_program_release(void *device, void *program) noexcept nogil:
    return 0

cdef int forked_kernel_find(void *device, void *program, const char *name, const kernel_use *use,
                            void **kernel) noexcept nogil:
    return ERROR_FORKED

cdef int forked_kernel_adopt(void *device, void *function, void **kernel) noexcept nogil:
    return ERROR_FORKED

cdef void forked_kernel_release(void *device, void *kernel) noexcept nogil:
    pass

cdef int forked_kernel_get(void *device, void *kernel, kernel_fact fact, int64_t *value) noexcept nogil:
    return ERROR_FORKED

cdef int forked_kernel_lay_out(void *device, void *kernel, uint32_t n, const size_t *offsets,
                               const size_t *sizes) noexcept nogil:
    return ERROR_FORKED

cdef int forked_kernel_allow_shared(void *device, void *kernel, size_t size) noexcept nogil:
    return ERROR_FORKED

cdef int forked_kernel_occupancy(void *device, void *kernel, int threads, size_t shared, int *blocks) noexcept nogil:
    return ERROR_FORKED

cdef int forked_kernel_suggest(void *device, void *kernel, size_t shared, int most, int *threads,
                               int *blocks) noexcept nogil:
    return ERROR_FORKED

cdef int forked_kernel_parameter(void *device, void *kernel, size_t index, size_t *offset, size_t *size) noexcept nogil:
    return ERROR_FORKED

cdef int forked_kernel_function(void *device, void *kernel, void **function) noexcept nogil:
    return ERROR_FORKED

cdef int forked_stream_blocking(void *device, void *stream, bint *blocking) noexcept nogil:
    return ERROR_FORKED

cdef int forked_address_device(void *device, void *address, int *ordinal) noexcept nogil:
    return ERROR_FORKED


cdef void forked_entries(driver_table *table) noexcept nogil:
    table.queue_create, table.queue_release, table.queue_handle = forked_queue_create, forked_release, forked_handle
    table.queue_flush = table.queue_finish = table.queue_detach = table.memory_trim = forked_queue
    table.launch, table.copy, table.fill, table.marker = forked_launch, forked_copy, forked_fill, forked_marker
    table.event_query, table.event_wait, table.event_time = forked_event_query, forked_event_wait, forked_event_time
    table.event_callback, table.event_release = forked_event_callback, forked_event_release
    table.event_elapsed, table.queue_query = forked_elapsed, forked_queue_query
    table.user_event, table.user_event_set = forked_user_event, forked_user_event_set
    table.allocate, table.free, table.memory_info = forked_allocate, forked_free, forked_memory_info
    table.queue_adopt, table.queue_capturing = forked_adopt, forked_capturing
    table.command_failed = forked_command_failed
    table.event_captured = NULL
    table.timing_query, table.timing_read = forked_event_query, forked_timing_read
    table.timing_release = forked_event_release
    table.launch_timed, table.copy_timed, table.fill_timed, table.clock_pair = NULL, NULL, NULL, NULL
    table.profile_begin, table.profile_flush, table.profile_read, table.profile_end = NULL, NULL, NULL, NULL
    table.profile_unload = NULL
    table.graph_keep = NULL
    table.copy_peer, table.copy_rows = forked_copy_peer, forked_copy_rows
    table.peer_get, table.peer_enable = forked_peer_get, forked_peer_enable
    if table.texture_create != NULL:
        table.texture_create, table.texture_release = forked_texture_create, forked_texture_release
    table.unheld_begin, table.unheld_end, table.queue_callback = NULL, NULL, NULL
    table.local_memory = NULL
    forked_programs(table)


cdef void forked_programs(driver_table *table) noexcept nogil:
    """What a program cannot do stays NULL: the messages say so, in a child as in its parent."""
    if table.program_build != NULL:
        table.program_build = forked_program_build
    if table.program_load != NULL:
        table.program_load = forked_program_load
    if table.program_link != NULL:
        table.program_link = forked_program_link
    if table.output_show != NULL:
        table.output_show = forked_output_show
    if table.program_kernels != NULL:
        table.program_kernels = forked_program_text
    if table.program_binary != NULL:
        table.program_binary = forked_program_text
    if table.program_symbol != NULL:
        table.program_symbol = forked_program_symbol
    table.program_release, table.kernel_release = forked_program_release, forked_kernel_release
    table.kernel_find, table.kernel_get, table.kernel_adopt = forked_kernel_find, forked_kernel_get, forked_kernel_adopt
    table.kernel_lay_out, table.kernel_allow_shared = forked_kernel_lay_out, forked_kernel_allow_shared
    table.kernel_occupancy, table.kernel_suggest = forked_kernel_occupancy, forked_kernel_suggest
    table.kernel_parameter, table.kernel_function = forked_kernel_parameter, forked_kernel_function
    table.stream_blocking, table.address_device = forked_stream_blocking, forked_address_device
