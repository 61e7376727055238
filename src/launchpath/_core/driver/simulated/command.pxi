# The commands of the driver table.

cdef int sim_launch(void *queue, void *kernel, const launch_config *config, const void *bytes, size_t size,
                    uint32_t n_waits, void **waits) noexcept nogil:
    return sim_launch_timed(queue, kernel, config, bytes, size, n_waits, waits, NULL)


cdef int sim_launch_timed(void *queue, void *kernel, const launch_config *config, const void *bytes, size_t size,
                          uint32_t n_waits, void **waits, void **timing) noexcept nogil:
    cdef sim_queue *q = <sim_queue *>queue
    cdef sim_kernel *k = <sim_kernel *>kernel
    cdef sim_device *d = q.device
    cdef sim_node *node
    cdef uint64_t threads = 1
    cdef int i, code = sim_enter(q, SIM_LAUNCH, n_waits, waits)
    if code == 0:
        for i in range(3):
            threads *= config.block[i]
            if (config.grid[i] == 0 or config.block[i] == 0 or config.grid[i] > d.max_grid[i]
                    or config.block[i] > d.max_block[i]):
                code = SIM_INVALID_CONFIGURATION
        if threads > d.max_threads or config.shared > d.max_shared:
            code = SIM_INVALID_CONFIGURATION
        elif k.life != SIM_LIVE:
            sim_report_kernel(d.machine, b"launch of a released kernel", k, q, q.number + 1)
            code = SIM_INVALID_PROGRAM
        elif k.context != d.context:
            code = SIM_INVALID_CONTEXT
        elif size < k.needed or size > d.max_parameters:
            code = SIM_INVALID_VALUE
    if code == 0:
        node = sim_node_new(q, SIM_LAUNCH)
        node.kernel, node.config = k, config[0]
        if size:
            sim_node_bytes(node, bytes, size)
        sim_submit(node, True, n_waits, waits)
        sim_note_launch(node)
        if timing != NULL:
            sim_attach(node, True, timing)
        sim_kernel_touches(node)
    return sim_leave(q, SIM_LAUNCH, code)


cdef int sim_copy(void *queue, void *to, const void *source, size_t size, uint32_t n_waits,
                  void **waits) noexcept nogil:
    return sim_copy_timed(queue, to, source, size, n_waits, waits, NULL)


cdef int sim_copy_timed(void *queue, void *to, const void *source, size_t size, uint32_t n_waits, void **waits,
                        void **timing) noexcept nogil:
    cdef sim_queue *q = <sim_queue *>queue
    cdef sim_machine *m = q.machine
    cdef sim_allocation *a
    cdef sim_node *node
    cdef bint from_device, to_device
    cdef int code = sim_enter(q, SIM_COPY, n_waits, waits)
    if code == 0 and size and (to == NULL or source == NULL):
        code = SIM_INVALID_VALUE
    if code == 0:
        node = sim_node_new(q, SIM_COPY)
        node.to, node.source, node.size = <uintptr_t>to, <uintptr_t>source, size
        sim_submit(node, True, n_waits, waits)
        if timing != NULL:
            sim_attach(node, True, timing)
        sim_watch_source(node)
        sim_node_touches(node, node.source, size, False, False)
        sim_node_touches(node, node.to, size, False, True)
        a = sim_find(m, node.source)
        from_device = a != NULL and a.kind != MEMORY_HOST
        a = sim_find(m, node.to)
        to_device = a != NULL and a.kind != MEMORY_HOST
        if to_device and not from_device:
            m.uploaded += size
        elif from_device and not to_device:
            m.downloaded += size
    return sim_leave(q, SIM_COPY, code)


cdef int sim_fill(void *queue, void *to, const void *pattern, size_t pattern_size, size_t size, uint32_t n_waits,
                  void **waits) noexcept nogil:
    return sim_fill_timed(queue, to, pattern, pattern_size, size, n_waits, waits, NULL)


cdef int sim_fill_timed(void *queue, void *to, const void *pattern, size_t pattern_size, size_t size, uint32_t n_waits,
                        void **waits, void **timing) noexcept nogil:
    cdef sim_queue *q = <sim_queue *>queue
    cdef sim_node *node
    cdef int code = sim_enter(q, SIM_FILL, n_waits, waits)
    if code == 0 and (pattern_size == 0 or pattern_size > 128 or pattern_size & (pattern_size - 1)
                      or size % pattern_size or <uintptr_t>to % pattern_size or to == NULL):
        code = SIM_INVALID_VALUE
    if code == 0:
        node = sim_node_new(q, SIM_FILL)
        node.to, node.size = <uintptr_t>to, size
        sim_node_bytes(node, pattern, pattern_size)
        sim_submit(node, True, n_waits, waits)
        if timing != NULL:
            sim_attach(node, True, timing)
        sim_node_touches(node, node.to, size, False, True)
    return sim_leave(q, SIM_FILL, code)


cdef int sim_marker(void *queue, bint timed, uint32_t n_waits, void **waits, void **event) noexcept nogil:
    cdef sim_queue *q = <sim_queue *>queue
    cdef sim_node *node
    cdef int code = sim_enter(q, SIM_MARKER, n_waits, waits)
    if code == 0:
        node = sim_node_new(q, SIM_MARKER)
        # A marker that waits is a command of its own; a bare one stands for the last command before it.
        sim_submit(node, n_waits != 0, n_waits, waits)
        if event != NULL:
            sim_attach(node, timed, event)
    return sim_leave(q, SIM_MARKER, code)


cdef void sim_attach(sim_node *node, bint timed, void **event) noexcept nogil:
    """Give a command that has been submitted an event of its own."""
    cdef sim_queue *q = node.queue
    cdef sim_event *attached = sim_event_new(q.machine, q.device.context)
    attached.queue, attached.number, attached.sequence, attached.timed = q, node.number, node.sequence, timed
    attached.order, attached.full = sim_clock_keep(q.order), sim_clock_keep(q.full)
    attached.queued = sim_clock_ns()
    attached.refs += 1
    node.event = attached
    event[0] = attached


cdef int sim_timing_read(void *domain, void *timing, bint whole, lp_times *times) noexcept nogil:
    cdef sim_event *event = <sim_event *>timing
    cdef int code = sim_event_time(domain, timing, &times.ended)
    if code == 0:
        times.queued, times.submitted, times.started = event.queued, NO_TIME, event.started
    return code


cdef int sim_clock_pair(void *device, uint64_t *device_time, uint64_t *host_time, uint64_t *error) noexcept nogil:
    """Both clocks are the same."""
    device_time[0] = host_time[0] = lp_nanoseconds()
    error[0] = 1
    return 0
