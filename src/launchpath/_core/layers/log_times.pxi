# LAUNCHPATH_LOG for commands with times; see log.pxi.


cdef int log_launch_timed(void *queue, void *kernel, const launch_config *config, const void *bytes, size_t size,
                          uint32_t n_waits, void **waits, void **timing) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef uint64_t blocks = <uint64_t>config.grid[0] * config.grid[1] * config.grid[2]
    cdef uint64_t began = log_begin()
    return log_command(below, b"launch_timed", queue, name_of(kernel), b"blocks", blocks, n_waits, began,
                       below.launch_timed(queue, kernel, config, bytes, size, n_waits, waits, timing))

cdef int log_copy_timed(void *queue, void *to, const void *source, size_t size, uint32_t n_waits, void **waits,
                        void **timing) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_command(below, b"copy_timed", queue, b"", b"bytes", size, n_waits, began,
                       below.copy_timed(queue, to, source, size, n_waits, waits, timing))

cdef int log_fill_timed(void *queue, void *to, const void *pattern, size_t pattern_size, size_t size, uint32_t n_waits,
                        void **waits, void **timing) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_command(below, b"fill_timed", queue, b"", b"bytes", size, n_waits, began,
                       below.fill_timed(queue, to, pattern, pattern_size, size, n_waits, waits, timing))

cdef int log_timing_query(void *domain, void *timing, event_status *status) noexcept nogil:
    cdef const driver_table *below = layer_below(domain, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef int code = below.timing_query(domain, timing, status)
    return log_call(below, b"timing_query", timing, b"status", status[0], began, code)

cdef int log_timing_read(void *domain, void *timing, bint whole, lp_times *times) noexcept nogil:
    cdef const driver_table *below = layer_below(domain, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef int code = below.timing_read(domain, timing, whole, times)
    return log_call(below, b"timing_read", timing, b"ended", times.ended, began, code)

cdef void log_timing_release(void *domain, void *timing) noexcept nogil:
    cdef const driver_table *below = layer_below(domain, LAYER_LOG)
    cdef uint64_t began = log_begin()
    below.timing_release(domain, timing)
    log_call(below, b"timing_release", timing, b"-", 0, began, 0)

cdef int log_clock_pair(void *device, uint64_t *device_time, uint64_t *host_time, uint64_t *error) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef int code = below.clock_pair(device, device_time, host_time, error)
    return log_call(below, b"clock_pair", device, b"error ns", error[0], began, code)


cdef void log_times(driver_table *table) noexcept nogil:
    """Take the place of the entries; what the driver leaves out stays out."""
    if table.launch_timed != NULL:
        table.launch_timed, table.copy_timed, table.fill_timed = log_launch_timed, log_copy_timed, log_fill_timed
        table.timing_query, table.timing_read = log_timing_query, log_timing_read
        table.timing_release = log_timing_release
    if table.clock_pair != NULL:
        table.clock_pair = log_clock_pair
