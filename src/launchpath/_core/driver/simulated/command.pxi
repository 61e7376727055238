# Commands: each is checked as a library would, gets its place in its queue, and its accesses are judged at once.

cdef enum:
    SIM_KINDS = COMMANDS_OF_ALL | COMMANDS_ROWS | COMMANDS_PEER


cdef int sim_submit(void *queue, const driver_command *command) noexcept nogil:
    cdef sim_queue *q = <sim_queue *>queue
    cdef sim_call call = sim_call_of(command.kind)
    cdef sim_node *node
    cdef int code = sim_enter(q, call, command.n_waits, command.waits)
    cdef bint dependent = sim_is_dependent(q, command)
    if code == 0:
        code = sim_command_check(q, command)
    if code == 0:
        node = sim_node_new(q, call)
        sim_node_take(node, command)
        node.dependent = dependent
        # A marker that waits is a command of its own; a bare one stands for the last command before it.
        sim_node_accept(node, command.kind != COMMAND_MARKER or command.n_waits != 0, command.n_waits, command.waits)
        if command.kind == COMMAND_LAUNCH:
            sim_note_launch(node)
        if command.timing != NULL:
            sim_attach(node, True, command.timing)
        elif command.event != NULL:
            sim_attach(node, command.timed, command.event)
        sim_node_judge(node, command)
        dependence_accept(&q.dependence, command, node.kernel != NULL and (
            node.kernel.waits or q.machine.dependent == SIM_ALL))
    return sim_leave(q, call, code)


cdef sim_call sim_call_of(command_kind kind) noexcept nogil:
    if kind == COMMAND_LAUNCH:
        return SIM_LAUNCH
    elif kind == COMMAND_COPY:
        return SIM_COPY
    elif kind == COMMAND_FILL:
        return SIM_FILL
    elif kind == COMMAND_ROWS:
        return SIM_COPY_ROWS
    return SIM_COPY_PEER if kind == COMMAND_PEER else SIM_MARKER


cdef int sim_command_check(sim_queue *q, const driver_command *command) noexcept nogil:
    """The code with which a library would refuse a command, or 0."""
    cdef const copy_command *copy = <const copy_command *>command.bytes
    cdef const rows_command *rows = <const rows_command *>command.bytes
    if command.kind == COMMAND_LAUNCH:
        return sim_launch_check(q, command)
    if command.kind == COMMAND_COPY:
        return SIM_INVALID_VALUE if copy.size and (copy.to == NULL or copy.source == NULL) else 0
    if command.kind == COMMAND_FILL:
        return sim_fill_check(<const fill_command *>command.bytes)
    if command.kind == COMMAND_ROWS:
        return SIM_INVALID_VALUE if rows.to == NULL or rows.source == NULL or (
            min(rows.to_pitch, rows.source_pitch) < rows.width) else 0
    if command.kind == COMMAND_PEER:
        return sim_peer_check(q, <const peer_command *>command.bytes)
    return 0 if command.kind == COMMAND_MARKER else SIM_INVALID_VALUE


cdef int sim_launch_check(sim_queue *q, const driver_command *command) noexcept nogil:
    cdef const launch_config *config = command.config
    cdef sim_kernel *k = <sim_kernel *>command.kernel
    cdef sim_device *d = q.device
    cdef uint64_t threads = 1
    cdef int i
    for i in range(3):
        threads *= config.block[i]
        if config.grid[i] == 0 or config.block[i] == 0 or config.grid[i] > d.max_grid[i] or config.block[i] > d.max_block[i]:
            return SIM_INVALID_CONFIGURATION
    if threads > d.max_threads or config.shared > d.max_shared:
        return SIM_INVALID_CONFIGURATION
    if k.life != SIM_LIVE:
        sim_report_kernel(d.machine, b"launch of a released kernel", k, q, q.number + 1)
        return SIM_INVALID_PROGRAM
    if k.context != d.context:
        return SIM_INVALID_CONTEXT
    return SIM_INVALID_VALUE if command.size < k.needed or command.size > d.max_parameters else 0


cdef int sim_fill_check(const fill_command *fill) noexcept nogil:
    cdef size_t size = fill.pattern_size
    return SIM_INVALID_VALUE if size == 0 or size > FILL_MOST or size & (size - 1) or fill.size % size or (
        <uintptr_t>fill.to % size or fill.to == NULL) else 0


cdef int sim_peer_check(sim_queue *q, const peer_command *copy) noexcept nogil:
    if not q.device.reach & PEER_COPIES:
        return SIM_INVALID_CONTEXT
    if copy.rows != 1 and (not q.device.reach & PEER_ROWS or min(copy.to_pitch, copy.source_pitch) < copy.width):
        return SIM_INVALID_VALUE
    if sim_is_of(q.machine, <uintptr_t>copy.to, <sim_device *>copy.to_device) and (
            sim_is_of(q.machine, <uintptr_t>copy.source, <sim_device *>copy.source_device)
            and (q.device == copy.to_device or q.device == copy.source_device)):
        return 0
    return SIM_INVALID_ADDRESS


cdef void sim_node_take(sim_node *node, const driver_command *command) noexcept nogil:
    """Copy what a command is to do."""
    cdef const copy_command *copy = <const copy_command *>command.bytes
    cdef const fill_command *fill = <const fill_command *>command.bytes
    cdef const rows_command *rows = <const rows_command *>command.bytes
    cdef const peer_command *peer = <const peer_command *>command.bytes
    if command.kind == COMMAND_LAUNCH:
        node.kernel, node.config = <sim_kernel *>command.kernel, command.config[0]
        node.waits_at_entry = node.kernel.waits and not node.kernel.lacks
        if command.size:
            sim_node_bytes(node, command.bytes, command.size)
    elif command.kind == COMMAND_COPY:
        node.to, node.source, node.size = <uintptr_t>copy.to, <uintptr_t>copy.source, copy.size
    elif command.kind == COMMAND_FILL:
        node.to, node.size = <uintptr_t>fill.to, fill.size
        sim_node_bytes(node, fill.pattern, fill.pattern_size)
    elif command.kind == COMMAND_ROWS:
        node.to, node.source, node.size, node.rows = <uintptr_t>rows.to, <uintptr_t>rows.source, rows.width, rows.rows
        node.to_pitch, node.source_pitch = rows.to_pitch, rows.source_pitch
    elif command.kind == COMMAND_PEER:
        node.to, node.source, node.size, node.rows = <uintptr_t>peer.to, <uintptr_t>peer.source, peer.width, peer.rows
        node.to_pitch, node.source_pitch = peer.to_pitch, peer.source_pitch


cdef void sim_node_judge(sim_node *node, const driver_command *command) noexcept nogil:
    """Judge the memory that an accepted command reads and writes."""
    cdef size_t row
    if command.kind == COMMAND_LAUNCH:
        sim_kernel_touches(node)
    elif command.kind == COMMAND_FILL:
        sim_node_touches(node, node.to, node.size, False, True)
    elif command.kind != COMMAND_MARKER:
        if command.kind == COMMAND_COPY:
            sim_watch_source(node)
        for row in range(node.rows):
            sim_node_touches(node, node.source + row * node.source_pitch, node.size, False, False)
            sim_node_touches(node, node.to + row * node.to_pitch, node.size, False, True)
        if command.kind == COMMAND_COPY:
            sim_count_copied(node)


cdef void sim_count_copied(const sim_node *node) noexcept nogil:
    """Count what goes from the host to a device, and back."""
    cdef sim_machine *m = node.queue.machine
    cdef bint from_device = sim_is_device(m, node.source), to_device = sim_is_device(m, node.to)
    if to_device and not from_device:
        m.uploaded += node.size
    elif from_device and not to_device:
        m.downloaded += node.size


cdef inline bint sim_is_device(sim_machine *m, uintptr_t address) noexcept nogil:
    cdef sim_allocation *a = sim_find(m, address)
    return a != NULL and a.kind != MEMORY_HOST


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
