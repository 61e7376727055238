# LAUNCHPATH_LOG: a layer that prints every driver call on stderr, with its main arguments, its result and how long it
# took. What is asked of a driver while a device is being found comes before: there is no device to log yet.

from libc.stdio cimport fflush, fprintf, stderr


cdef inline uint64_t log_begin() noexcept nogil:
    """Begin a call of the driver's; the time."""
    lp_here.in_driver += 1
    return lp_nanoseconds()


cdef int log_call(const driver_table *below, const char *call, const void *on, const char *quantity, uint64_t size,
                  uint64_t began, int code) noexcept nogil:
    """Print a call; `quantity` names `size`."""
    lp_here.in_driver -= 1
    fprintf(stderr, b"launchpath: %s.%s(%p, %s %llu) %s %d, %.2f us\n", below.name, call, on, quantity,
            <unsigned long long>size, result_name(below, code), code, (lp_nanoseconds() - began) / 1000.0)
    fflush(stderr)
    return code


cdef int log_command(const driver_table *below, const char *call, const void *on, const char *name,
                     const char *quantity, uint64_t size, uint32_t n_waits, uint64_t began, int code) noexcept nogil:
    """Print a command; `name` is the kernel's, or empty."""
    cdef const char *comma = b""
    lp_here.in_driver -= 1
    if name[0]:
        comma = b", "
    fprintf(stderr, b"launchpath: %s.%s(%p, %s%s%s %llu, %u waits) %s %d, %.2f us\n", below.name, call, on, name, comma,
            quantity, <unsigned long long>size, n_waits, result_name(below, code), code,
            (lp_nanoseconds() - began) / 1000.0)
    fflush(stderr)
    return code


cdef const char *result_name(const driver_table *below, int code) noexcept nogil:
    cdef const char *name = b"ok"
    if code == ERROR_NOT_TOLD:
        name = b"not told"
    elif code == ERROR_NO_MORE:
        name = b"no more"
    elif code == ERROR_HELD_BACK:
        name = b"held back"
    elif code == ERROR_FORKED:
        name = b"forked"
    elif code:
        name = below.error_name(code)
        if name == NULL:
            name = b"unknown error"
    return name


cdef int log_unheld_begin(void *device, uint64_t microseconds) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"unheld_begin", device, b"at most us", microseconds, began,
                    below.unheld_begin(device, microseconds))

cdef void log_unheld_end(void *device) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    below.unheld_end(device)
    log_call(below, b"unheld_end", device, b"-", 0, began, 0)

cdef int log_queue_create(void *device, queue_kind kind, int priority, void **queue) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"queue_create", device, b"priority", <uint64_t><int64_t>priority, began,
                below.queue_create(device, kind, priority, queue))

cdef int log_queue_adopt(void *device, void *handle, void **queue) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"queue_adopt", device, b"stream", <uint64_t><uintptr_t>handle, began,
                below.queue_adopt(device, handle, queue))

cdef void log_queue_release(void *queue) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef uint64_t began = log_begin()
    below.queue_release(queue)
    log_call(below, b"queue_release", queue, b"-", 0, began, 0)

cdef int log_queue_flush(void *queue) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"queue_flush", queue, b"-", 0, began, below.queue_flush(queue))

cdef int log_queue_finish(void *queue) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"queue_finish", queue, b"-", 0, began, below.queue_finish(queue))

cdef int log_queue_detach(void *queue) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"queue_detach", queue, b"-", 0, began, below.queue_detach(queue))

cdef void *log_queue_handle(void *queue, bint exposed) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef void *handle = below.queue_handle(queue, exposed)
    log_call(below, b"queue_handle", queue, b"handle", <uint64_t><uintptr_t>handle, began, 0)
    return handle

cdef int log_queue_query(void *queue, event_status *status) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef int code = below.queue_query(queue, status)
    return log_call(below, b"queue_query", queue, b"status", status[0], began, code)

cdef bint log_queue_capturing(void *queue) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef bint capturing = below.queue_capturing(queue)
    log_call(below, b"queue_capturing", queue, b"capturing", capturing, began, 0)
    return capturing

cdef int log_graph_keep(void *queue, void (*release)(void *data) noexcept nogil, void *data) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"graph_keep", queue, b"-", 0, began, below.graph_keep(queue, release, data))

cdef int log_launch(void *queue, void *kernel, const launch_config *config, const void *bytes, size_t size,
                    uint32_t n_waits, void **waits) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef const char *name = command_label(layer_queue(queue))
    if name == NULL:
        name = b""
    cdef uint64_t blocks = <uint64_t>config.grid[0] * config.grid[1] * config.grid[2]
    cdef uint64_t began = log_begin()
    return log_command(below, b"launch", queue, name, b"blocks", blocks, n_waits, began,
                        below.launch(queue, kernel, config, bytes, size, n_waits, waits))

cdef int log_copy(void *queue, void *to, const void *source, size_t size, uint32_t n_waits,
                  void **waits) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_command(below, b"copy", queue, b"", b"bytes", size, n_waits, began,
                        below.copy(queue, to, source, size, n_waits, waits))

cdef int log_fill(void *queue, void *to, const void *pattern, size_t pattern_size, size_t size, uint32_t n_waits,
                  void **waits) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_command(below, b"fill", queue, b"", b"bytes", size, n_waits, began,
                        below.fill(queue, to, pattern, pattern_size, size, n_waits, waits))

cdef int log_marker(void *queue, bint timed, uint32_t n_waits, void **waits, void **event) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_command(below, b"marker", queue, b"", b"timed", timed, n_waits, began,
                        below.marker(queue, timed, n_waits, waits, event))

cdef int log_event_query(void *domain, void *event, event_status *status) noexcept nogil:
    cdef const driver_table *below = layer_below(domain, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef int code = below.event_query(domain, event, status)
    return log_call(below, b"event_query", event, b"status", status[0], began, code)

cdef int log_event_wait(void *domain, void *event) noexcept nogil:
    cdef const driver_table *below = layer_below(domain, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"event_wait", event, b"-", 0, began, below.event_wait(domain, event))

cdef int log_event_time(void *domain, void *event, uint64_t *nanoseconds) noexcept nogil:
    cdef const driver_table *below = layer_below(domain, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef int code = below.event_time(domain, event, nanoseconds)
    return log_call(below, b"event_time", event, b"nanoseconds", nanoseconds[0], began, code)

cdef int log_event_elapsed(void *domain, void *start, void *end, int64_t *nanoseconds) noexcept nogil:
    cdef const driver_table *below = layer_below(domain, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef int code = below.event_elapsed(domain, start, end, nanoseconds)
    return log_call(below, b"event_elapsed", start, b"nanoseconds", <uint64_t>nanoseconds[0], began, code)

cdef bint log_event_captured(void *domain, void *event) noexcept nogil:
    cdef const driver_table *below = layer_below(domain, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef bint captured = below.event_captured(domain, event)
    log_call(below, b"event_captured", event, b"captured", captured, began, 0)
    return captured

cdef void log_event_release(void *domain, void *event) noexcept nogil:
    cdef const driver_table *below = layer_below(domain, LAYER_LOG)
    cdef uint64_t began = log_begin()
    below.event_release(domain, event)
    log_call(below, b"event_release", event, b"-", 0, began, 0)

cdef int log_event_callback(void *domain, void *event, void (*function)(void *, event_status) noexcept nogil,
                            void *data) noexcept nogil:
    cdef const driver_table *below = layer_below(domain, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"event_callback", event, b"-", 0, began,
                    below.event_callback(domain, event, function, data))

cdef int log_queue_callback(void *queue, void (*function)(void *, event_status) noexcept nogil,
                            void *data) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"queue_callback", queue, b"-", 0, began, below.queue_callback(queue, function, data))

cdef int log_user_event(void *device, bint may_wait, void **event) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"user_event", device, b"may wait", may_wait, began,
                    below.user_event(device, may_wait, event))

cdef int log_user_event_set(void *domain, void *event, event_status status) noexcept nogil:
    cdef const driver_table *below = layer_below(domain, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"user_event_set", event, b"status", status, began,
                    below.user_event_set(domain, event, status))

cdef int log_allocate(void *device, void *queue, size_t size, memory_kind kind, void **address) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"allocate", device, b"bytes", size, began,
                    below.allocate(device, queue, size, kind, address))

cdef int log_free(void *device, void *address, memory_kind kind) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"free", address, b"kind", kind, began, below.free(device, address, kind))

cdef int log_memory_info(void *device, size_t *free_bytes, size_t *total) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef int code = below.memory_info(device, free_bytes, total)
    return log_call(below, b"memory_info", device, b"bytes free", free_bytes[0], began, code)

cdef int log_memory_trim(void *device) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"memory_trim", device, b"-", 0, began, below.memory_trim(device))

cdef int log_local_memory(void *device, size_t limit, size_t *kept) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"local_memory", device, b"limit", limit, began, below.local_memory(device, limit, kept))

cdef void log_entries(driver_table *table) noexcept nogil:
    """Take the place of every entry; what the driver leaves out stays out."""
    table.queue_create, table.queue_release, table.queue_flush = log_queue_create, log_queue_release, log_queue_flush
    table.queue_finish, table.queue_handle = log_queue_finish, log_queue_handle
    table.launch, table.copy, table.fill, table.marker = log_launch, log_copy, log_fill, log_marker
    table.event_query, table.event_wait, table.event_time = log_event_query, log_event_wait, log_event_time
    table.event_release, table.event_callback = log_event_release, log_event_callback
    table.user_event, table.user_event_set = log_user_event, log_user_event_set
    table.allocate, table.free, table.memory_info = log_allocate, log_free, log_memory_info
    if table.unheld_begin != NULL:
        table.unheld_begin, table.unheld_end = log_unheld_begin, log_unheld_end
    if table.queue_adopt != NULL:
        table.queue_adopt = log_queue_adopt
    if table.queue_detach != NULL:
        table.queue_detach = log_queue_detach
    if table.queue_query != NULL:
        table.queue_query = log_queue_query
    if table.queue_capturing != NULL:
        table.queue_capturing = log_queue_capturing
    if table.graph_keep != NULL:
        table.graph_keep = log_graph_keep
    if table.event_elapsed != NULL:
        table.event_elapsed = log_event_elapsed
    if table.event_captured != NULL:
        table.event_captured = log_event_captured
    if table.queue_callback != NULL:
        table.queue_callback = log_queue_callback
    if table.memory_trim != NULL:
        table.memory_trim = log_memory_trim
    if table.local_memory != NULL:
        table.local_memory = log_local_memory
    table.graph_build = NULL           # so each command of a step has its line
    log_programs(table)
    log_times(table)
    log_peers(table)


def log_driver_calls(DeviceBase device not None, bint on=True):
    """Print every call into a device's driver on stderr from now on, or print none any more."""
    cdef int code
    with nogil:
        code = set_layer(device.domain, LAYER_LOG, on)
    if code:
        raise failure(device.domain.driver, code)


cdef int lp_driver_depth() noexcept nogil:
    return lp_here.in_driver


def driver_depth():
    """The address of a C function that says how many logged calls into a driver its thread is in. For tests."""
    return <uintptr_t>&lp_driver_depth
