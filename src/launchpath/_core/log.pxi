# LAUNCHPATH_LOG: every driver call on stderr, with its main arguments, its result and how long it took.
#
# Logging swaps the entries of a driver's table for functions that call the real ones: while it is off it costs nothing.

from libc.stdio cimport FILE, fflush, fprintf, stderr

cdef driver_table logged           # the real entries of the one table that is logged
cdef driver_table *logged_table = NULL


cdef int told(const char *call, const void *on, const char *what, uint64_t size, uint32_t n_waits, uint64_t began,
              int code) noexcept nogil:
    cdef double microseconds = (lp_nanoseconds() - began) / 1000.0
    cdef const char *name = b"ok"
    if code:
        name = logged.error_name(code)
        if name == NULL:
            name = b"unknown error"
    fprintf(stderr, b"launchpath: %s.%s(%p, %s %llu, %u waits) %s %d, %.2f us\n", logged.name, call, on, what,
            <unsigned long long>size, n_waits, name, code, microseconds)
    fflush(stderr)
    return code


cdef int log_queue_create(void *device, queue_kind kind, int priority, void **queue) noexcept nogil:
    cdef uint64_t began = lp_nanoseconds()
    return told(b"queue_create", device, b"priority", <uint64_t><int64_t>priority, 0, began,
                logged.queue_create(device, kind, priority, queue))

cdef void log_queue_release(void *queue) noexcept nogil:
    cdef uint64_t began = lp_nanoseconds()
    logged.queue_release(queue)
    told(b"queue_release", queue, b"-", 0, 0, began, 0)

cdef int log_queue_flush(void *queue) noexcept nogil:
    cdef uint64_t began = lp_nanoseconds()
    return told(b"queue_flush", queue, b"-", 0, 0, began, logged.queue_flush(queue))

cdef int log_queue_finish(void *queue) noexcept nogil:
    cdef uint64_t began = lp_nanoseconds()
    return told(b"queue_finish", queue, b"-", 0, 0, began, logged.queue_finish(queue))

cdef int log_launch(void *queue, void *kernel, const launch_config *config, const void *bytes, size_t size,
                    uint32_t n_waits, void **waits) noexcept nogil:
    cdef uint64_t began = lp_nanoseconds()
    cdef uint64_t blocks = <uint64_t>config.grid[0] * config.grid[1] * config.grid[2]
    return told(b"launch", queue, b"blocks", blocks, n_waits, began,
                logged.launch(queue, kernel, config, bytes, size, n_waits, waits))

cdef int log_copy(void *queue, void *to, const void *source, size_t size, uint32_t n_waits, void **waits) noexcept nogil:
    cdef uint64_t began = lp_nanoseconds()
    return told(b"copy", queue, b"bytes", size, n_waits, began, logged.copy(queue, to, source, size, n_waits, waits))

cdef int log_fill(void *queue, void *to, const void *pattern, size_t pattern_size, size_t size, uint32_t n_waits,
                  void **waits) noexcept nogil:
    cdef uint64_t began = lp_nanoseconds()
    return told(b"fill", queue, b"bytes", size, n_waits, began,
                logged.fill(queue, to, pattern, pattern_size, size, n_waits, waits))

cdef int log_marker(void *queue, bint timed, uint32_t n_waits, void **waits, void **event) noexcept nogil:
    cdef uint64_t began = lp_nanoseconds()
    return told(b"marker", queue, b"timed", timed, n_waits, began, logged.marker(queue, timed, n_waits, waits, event))

cdef int log_event_query(void *event, event_status *status) noexcept nogil:
    cdef uint64_t began = lp_nanoseconds()
    cdef int code = logged.event_query(event, status)
    return told(b"event_query", event, b"status", status[0], 0, began, code)

cdef int log_event_wait(void *event) noexcept nogil:
    cdef uint64_t began = lp_nanoseconds()
    return told(b"event_wait", event, b"-", 0, 0, began, logged.event_wait(event))

cdef int log_event_time(void *event, uint64_t *nanoseconds) noexcept nogil:
    cdef uint64_t began = lp_nanoseconds()
    cdef int code = logged.event_time(event, nanoseconds)
    return told(b"event_time", event, b"nanoseconds", nanoseconds[0], 0, began, code)

cdef int log_user_event(void *device, bint may_wait, void **event) noexcept nogil:
    cdef uint64_t began = lp_nanoseconds()
    return told(b"user_event", device, b"-", 0, 0, began, logged.user_event(device, may_wait, event))

cdef int log_user_event_set(void *event, event_status status) noexcept nogil:
    cdef uint64_t began = lp_nanoseconds()
    return told(b"user_event_set", event, b"status", status, 0, began, logged.user_event_set(event, status))

cdef int log_allocate(void *device, void *queue, size_t size, memory_kind kind, void **address) noexcept nogil:
    cdef uint64_t began = lp_nanoseconds()
    return told(b"allocate", device, b"bytes", size, 0, began, logged.allocate(device, queue, size, kind, address))

cdef int log_free(void *device, void *address, memory_kind kind) noexcept nogil:
    cdef uint64_t began = lp_nanoseconds()
    return told(b"free", address, b"-", 0, 0, began, logged.free(device, address, kind))


cdef void log_table(driver_table *table) noexcept nogil:
    """Swap the entries of `table`, once; a second table is left as it is."""
    global logged, logged_table
    if logged_table != NULL:
        return
    logged, logged_table = table[0], table
    table.queue_create, table.queue_release, table.queue_flush = log_queue_create, log_queue_release, log_queue_flush
    table.queue_finish, table.launch, table.copy = log_queue_finish, log_launch, log_copy
    table.fill, table.marker, table.event_query = log_fill, log_marker, log_event_query
    table.event_wait, table.event_time, table.user_event = log_event_wait, log_event_time, log_user_event
    table.user_event_set, table.allocate, table.free = log_user_event_set, log_allocate, log_free


def log_driver_calls(DriverDevice device not None):
    """Print every call into this device's driver on stderr from now on, before its first queue is made."""
    log_table(device.table)
