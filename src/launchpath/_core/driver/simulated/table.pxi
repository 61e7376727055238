# The simulated driver's table.

cdef driver_table sim_table

cdef bint sim_forked = False
sim_table.forked = &sim_forked
sim_table.name = b"simulated"
sim_table.queue_create = sim_queue_create
sim_table.queue_release = sim_queue_release
sim_table.queue_flush = sim_queue_flush
sim_table.queue_finish = sim_queue_finish
sim_table.queue_handle = sim_queue_handle
sim_table.kinds = SIM_KINDS
sim_table.submit = sim_submit
sim_table.timing_query = sim_event_query
sim_table.timing_read = sim_timing_read
sim_table.timing_release = sim_event_release
sim_table.clock_pair = sim_clock_pair
sim_table.event_query = sim_event_query
sim_table.event_wait = sim_event_wait
sim_table.event_time = sim_event_time
sim_table.event_release = sim_event_release
sim_table.event_callback = sim_event_callback
sim_table.user_event = sim_user_event
sim_table.user_event_set = sim_user_event_set
sim_table.allocate = sim_allocate
sim_table.free = sim_free
sim_table.memory_info = sim_memory_info
sim_table.peer_get = sim_peer_get
sim_table.peer_enable = sim_peer_enable
sim_table.program_build = sim_program_build
sim_table.program_release = sim_program_release
sim_table.kernel_find = sim_kernel_find
sim_table.kernel_release = sim_kernel_release
sim_table.kernel_get = sim_kernel_get
sim_table.command_failed = sim_command_failed
sim_table.error_name = sim_error_name


cdef sim_machine *sim_machine_new(uint64_t seed) noexcept nogil:
    cdef sim_machine *m = <sim_machine *>calloc(1, sizeof(sim_machine))
    lp_lock_init(&m.lock)
    m.refs = 1
    m.rng = (seed + 1) * <uint64_t>0x9E3779B97F4A7C15 | 1
    m.host, m.known = sim_clock_new(0), sim_clock_new(0)
    return m


cdef void sim_machine_close(sim_machine *m) noexcept nogil:
    """Report what was never given back; blocking calls return, and nothing more is accepted."""
    cdef sim_event *event = m.live_events
    cdef sim_allocation *a
    cdef sim_report *report
    cdef uint32_t i
    if m.closed:
        return
    for i in range(m.n_queues):
        if m.queues[i].life == SIM_LIVE:
            sim_report_queue(m, b"queue leaked", m.queues[i])
    while event != NULL:
        sim_report_event(m, b"event leaked", event, b"")
        event = event.next
    for i in range(m.n_allocations):
        a = m.allocations[i]
        if not a.freed:
            sim_check_fence(m, a)
            report = sim_report_new(m, b"allocation leaked", NULL, 0, NULL, 0)
            report.low, report.high = a.low, a.high
            snprintf(report.text, sizeof(report.text), b"%s: allocation %llu (%llu bytes) on device %d", report.kind,
                     <unsigned long long>a.identity, <unsigned long long>(a.high - a.low), a.device.index)
    m.closed = True
    m.progress += 1


cdef void sim_machine_drop(sim_machine *m) noexcept nogil:
    """A Python object lets go."""
    lp_lock_acquire(&m.lock)
    m.refs -= 1
    sim_machine_leave(m)


cdef void sim_machine_leave(sim_machine *m) noexcept nogil:
    """Release the lock, and the machine if that was the last that anyone held of it.

    The core's own queues and events count: the collector may well take the devices before them.
    """
    cdef bint last = not (m.refs or m.live_queues or m.n_live_events or m.running or m.delivering)
    lp_lock_release(&m.lock)
    if last:
        sim_machine_free(m)


cdef void sim_machine_free(sim_machine *m) noexcept nogil:
    """Free all of it, the latest first. Nobody has it any more, and its lock is not held."""
    cdef uint32_t i
    sim_free_callbacks(&m.due_head)
    m.quarantine_limit = <uint64_t>-1
    for i in range(m.n_queues):
        sim_free_commands(m.queues[i])
    sim_free_clocks(m)
    sim_free_memory(m)
    sim_free_programs(m)
    for i in range(m.n_queues):
        free(m.queues[i])
    for i in range(<uint32_t>m.n_devices):
        free(m.devices[i])
    free(m.queues)
    free(m.active)
    free(m.devices)
    free(m.reports)
    free(m.log)
    free(m.log_waits)
    free(m.suspects)
    free(m.failures)
    lp_lock_destroy(&m.lock)
    free(m)


cdef void sim_free_callbacks(sim_callback **first) noexcept nogil:
    """Those that were never called."""
    cdef sim_callback *callback
    while first[0] != NULL:
        callback = first[0]
        first[0] = callback.next
        sim_event_drop(callback.event)
        free(callback)


cdef void sim_free_commands(sim_queue *queue) noexcept nogil:
    """What has not run."""
    cdef sim_node *node
    while queue.head != NULL:
        node = queue.head
        queue.head = node.next
        if node.event != NULL:
            sim_free_callbacks(&node.event.callbacks)
        sim_node_delete(node)


cdef void sim_free_clocks(sim_machine *m) noexcept nogil:
    cdef uint32_t i
    for i in range(m.n_suspects):
        sim_clock_drop(m.suspects[i].clock)
    for i in range(m.n_queues):
        sim_clock_drop(m.queues[i].order)
        sim_clock_drop(m.queues[i].full)
    sim_clock_drop(m.host)
    sim_clock_drop(m.known)


cdef void sim_free_memory(sim_machine *m) noexcept nogil:
    """What is kept of commands and events that are gone, and the allocations."""
    cdef sim_node *node
    cdef sim_event *event
    cdef uint32_t i
    while m.free_nodes != NULL:
        node = m.free_nodes
        m.free_nodes = node.next
        free(node)
    while m.grave_head != NULL:
        event = m.grave_head
        m.grave_head = event.next
        free(event)
    for i in range(m.n_allocations):
        free(m.allocations[i].accesses)
        free(m.allocations[i].base)
        free(m.allocations[i])
    free(m.allocations)


cdef void sim_free_programs(sim_machine *m) noexcept nogil:
    """Kernels, and which calls and commands are to fail."""
    cdef sim_kernel *kernel
    cdef sim_program *program
    cdef sim_fault *fault
    cdef sim_bad_command *bad
    while m.looked_up != NULL:
        kernel = m.looked_up
        m.looked_up = kernel.next
        free(kernel)
    while m.programs != NULL:
        program = m.programs
        m.programs = program.next
        free(program.launched)
        free(program)
    while m.kernels != NULL:
        kernel = m.kernels
        m.kernels = kernel.next
        free(kernel.name)
        free(kernel.parameters)
        free(kernel)
    while m.faults != NULL:
        fault = m.faults
        m.faults = fault.next
        free(fault)
    while m.bad_commands != NULL:
        bad = m.bad_commands
        m.bad_commands = bad.next
        free(bad)
