# The layer of traces: right over the driver's own table, so what it sees is what the driver gets. Commands that a step has
# kept back pass here when they are submitted.

# Entries of the table whose calls have records, in the order of `ENTRY_NAMES`. Commands have records of their own kind.
cdef enum driver_entry:
    ENTRY_NONE = 0
    ENTRY_QUEUE_CREATE
    ENTRY_QUEUE_FLUSH
    ENTRY_QUEUE_FINISH
    ENTRY_QUEUE_QUERY
    ENTRY_MARKER
    ENTRY_EVENT_QUERY
    ENTRY_EVENT_WAIT
    ENTRY_USER_EVENT
    ENTRY_USER_EVENT_SET
    ENTRY_ALLOCATE
    ENTRY_FREE
    ENTRY_MEMORY_INFO
    ENTRY_MEMORY_TRIM
    ENTRY_UNHELD_BEGIN
    ENTRY_PROGRAM_BUILD
    ENTRY_PROGRAM_LOAD
    ENTRY_PROGRAM_RELEASE
    ENTRY_KERNEL_FIND
    ENTRY_QUEUE_CALLBACK
    ENTRY_EVENT_CALLBACK
    ENTRY_GRAPH_BUILD
    ENTRY_GRAPH_RUN

ENTRY_NAMES = ("", "queue_create", "queue_flush", "queue_finish", "queue_query", "marker", "event_query", "event_wait",
               "user_event", "user_event_set", "allocate", "free", "memory_info", "memory_trim", "unheld_begin",
               "program_build", "program_load", "program_release", "kernel_find", "queue_callback", "event_callback",
               "graph_build", "graph_run")


# Commands.

cdef inline lp_records *traced_begin(void *queue, traced_command kind, uint32_t n_waits) noexcept nogil:
    """Begin the record of a command in the ring's frame; NULL: it has none. `traced_go` comes next."""
    cdef lp_queue *q = layer_queue(queue)
    cdef lp_records *ring
    cdef command_slot *command
    cdef detail_slot *detail
    cdef const char *label = NULL
    if kind == TRACED_LAUNCH:
        label = command_label(q)
        if unlikely(is_excluded(label)):
            lp_add(&lp_trace.header.counters.excluded, 1)
            return NULL
    ring = records_here()
    if unlikely(ring == NULL):
        return NULL
    if unlikely(ring.pending):
        command_publish(ring, 0, ring.waited)
    command, detail = &ring.frame[0].command, &ring.frame[1].detail
    command.flags, command.waits, command.result = 0, <uint16_t>min(n_waits, <uint32_t>0xFFFF), 0
    command.driver_end = command.end = command.waited = 0
    command.stream, command.name = <uint32_t>q.identity, name_number(label)
    detail.kind, detail.command, detail.device, detail.shared = SLOT_DETAIL, <uint8_t>kind, q.domain.traced_as, 0
    detail.number, detail.external = command_number(q), lp_here.external
    detail.step, detail.node, detail.run, detail.left_out = 0, 0, 0, markers_left_out(q, n_waits)
    if kind == TRACED_LAUNCH and ring.api == API_LAUNCH and not ring.launched and lp_here.submitted == NULL:
        command.correlation, command.begin = ring.call, ring.begin
    else:
        command.correlation, command.begin = records_correlation(ring), 0
    if unlikely(lp_here.submitted != NULL):
        node_of_command(command, detail)
    elif unlikely(lp_here.replaying != 0 and ring.api != API_LAUNCH):
        replayed_command(command, detail)
    command.kind = SLOT_COMMAND
    return ring


cdef inline uint32_t markers_left_out(const lp_queue *queue, uint32_t n_waits) noexcept nogil:
    """Waits that a marker in every queue of the legacy rule would have made, and this command does not."""
    cdef uint32_t n = 0
    if not queue.native and queue.kind != QUEUE_NONBLOCKING:
        n = queue.domain.blocking if queue.kind == QUEUE_LEGACY else 1
    return n - n_waits if n > n_waits else 0


cdef void node_of_command(command_slot *command, detail_slot *detail) noexcept nogil:
    """Of a command that a step submits: its place there."""
    cdef lp_recording *recording = <lp_recording *>lp_here.submitting
    cdef lp_node *node = <lp_node *>lp_here.submitted
    command.flags |= SLOT_IN_STEP
    detail.number, detail.external = node.number, node.external
    if recording != NULL:
        detail.step, detail.run = <uint32_t>recording.identity, <uint32_t>recording.run
        detail.node = commands_before(recording) + <uint32_t>(node - recording.submitted.nodes)


cdef inline uint32_t commands_before(const lp_recording *recording) noexcept nogil:
    """How many commands of a run the driver has."""
    return recording.nodes_before + <uint32_t>recording.passed


cdef void replayed_command(command_slot *command, detail_slot *detail) noexcept nogil:
    """Of a command that the launch of an executable graph does not keep back: its place in the run."""
    cdef lp_recording *recording = <lp_recording *>lp_here.step
    command.flags |= SLOT_IN_STEP
    if recording != NULL:
        detail.step, detail.run = <uint32_t>recording.identity, <uint32_t>recording.run
        detail.node = commands_before(recording) - 1           # it is counted


cdef inline void traced_go(lp_records *ring) noexcept nogil:
    """The driver is called next."""
    ring.frame[0].command.driver_begin = lp_ticks()


cdef inline int traced_end(lp_records *ring, int code) noexcept nogil:
    """The driver's call is over; a launch of a call of launchpath goes on to the call's end."""
    cdef command_slot *command = &ring.frame[0].command
    command.driver_end = lp_ticks()
    if unlikely(code):
        command.flags |= SLOT_FAILED
        command.result = code
    if likely(command.begin):
        ring.pending = ring.launched = True
    else:
        command.begin = command.driver_begin
        command_publish(ring, 0, 0)
    return code


cdef inline bint is_timed(void *queue, const driver_table *below, uint32_t n) noexcept nogil:
    """Whether commands that come next, `n` in one call, are to have times of the device."""
    if not lp_trace.timed or below.launch_timed == NULL:
        return False
    if layer_queue(queue).domain.profiled and lp_profiled_calls.captures == 0:
        return True            # the profiler knows; asking costs more than all the rest of a record
    if below.queue_capturing != NULL and below.queue_capturing(queue):
        lp_add(&lp_trace.header.counters.captured, n)
        return False
    return True


cdef inline lp_timed *timing_begin(lp_records *ring, void *queue, const driver_table *below, bint launch) noexcept nogil:
    """A timing object for the command in the frame; NULL: it goes without times. A profiler tells the times of launches
    only: see `profile_begin`."""
    cdef lp_domain *domain = layer_queue(queue).domain
    cdef bint profiled = domain.profiled and launch
    cdef lp_timed *timed
    if not is_timed(queue, below, 1):
        return NULL
    timed = timed_take(profiled)
    if unlikely(profiled and timed != NULL and not domain.profiled):
        # The profiler is detached as soon as it sees no such object, so it must be asked for again after the take.
        timed_give(timed)
        profiled, timed = False, timed_take(False)
    if timed == NULL:
        lp_add(&lp_trace.header.counters.untimed, 1)
    else:
        ring.frame[0].command.flags |= SLOT_TIMED
        if profiled:
            profiled_begin(timed, domain)
    return timed


cdef inline bint has_timing(const lp_timed *timed) noexcept nogil:
    """Whether the driver is asked for a timing of the command."""
    return timed != NULL and not timed.profiled


cdef inline void slot_begin(times_slot *times, const command_slot *command, const detail_slot *detail) noexcept nogil:
    """What is known of a command's times by now."""
    times.kind, times.flags, times.device, times.stream = SLOT_TIMES, 0, detail.device, command.stream
    times.correlation, times.enqueued, times.name = command.correlation, command.driver_begin, command.name
    times.node, times.step, times.command, times.submitted = detail.node, detail.step, detail.command, 0


cdef void timing_end(lp_records *ring, void *queue, lp_timed *timed, int code) noexcept nogil:
    """The command was accepted: its times are asked for when it is complete. Before `traced_end`."""
    cdef command_slot *command = &ring.frame[0].command
    cdef lp_queue *q = layer_queue(queue)
    if timed.profiled:
        if likely(profiled_submitted(timed, code)):
            slot_begin(&timed.times, command, &ring.frame[1].detail)
            profiled_close(timed)
            return
    else:
        if code == 0 and timed.timing != NULL:
            slot_begin(&timed.times, command, &ring.frame[1].detail)
            if timed_keep(q, timed):
                return
            q.domain.driver.timing_release(q.domain, timed.timing)
        timed_give(timed)
    command.flags &= ~<uint8_t>SLOT_TIMED
    if code == 0:
        lp_add(&lp_trace.header.counters.untimed, 1)


cdef int trace_launch(void *queue, void *kernel, const launch_config *config, const void *bytes, size_t size,
                      uint32_t n_waits, void **waits) noexcept nogil:
    cdef const driver_table *below
    cdef lp_records *ring
    cdef lp_timed *timed
    cdef detail_slot *detail
    cdef int code
    if unlikely(lp_costs.on):
        return launch_with_costs(queue, kernel, config, bytes, size, n_waits, waits)
    below, ring = below_queue(queue, LAYER_TRACE), traced_begin(queue, TRACED_LAUNCH, n_waits)
    if unlikely(ring == NULL):
        return below.launch(queue, kernel, config, bytes, size, n_waits, waits)
    detail = &ring.frame[1].detail
    memcpy(&detail.of, config, sizeof(detail_launch))      # its grid and its block
    detail.shared = config.shared
    if unlikely(config.flags & LAUNCH_COOPERATIVE):
        ring.frame[0].command.flags |= SLOT_COOPERATIVE
    timed = timing_begin(ring, queue, below, True)
    traced_go(ring)
    if has_timing(timed):
        code = below.launch_timed(queue, kernel, config, bytes, size, n_waits, waits, &timed.timing)
    else:
        code = below.launch(queue, kernel, config, bytes, size, n_waits, waits)
    if timed != NULL:
        timing_end(ring, queue, timed, code)
    return traced_end(ring, code)


cdef inline lp_records *copying_begin(void *queue, traced_command kind, const void *to, const void *source, uint64_t size,
                                   uint64_t rows, uint32_t n_waits) noexcept nogil:
    """Begin the record of a copy or a fill."""
    cdef lp_records *ring = traced_begin(queue, kind, n_waits)
    cdef detail_slot *detail
    if ring != NULL:
        detail = &ring.frame[1].detail
        detail.of.copy.bytes, detail.shared = size, <uint32_t>rows
        ring.frame[0].command.flags |= <uint8_t>(lp_here.direction << 6)
        detail.of.copy.to, detail.of.copy.source = <uint64_t><uintptr_t>to, <uint64_t><uintptr_t>source
    return ring


cdef int trace_copy(void *queue, void *to, const void *source, size_t size, uint32_t n_waits, void **waits) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_TRACE)
    cdef lp_records *ring = copying_begin(queue, TRACED_COPY, to, source, size, 0, n_waits)
    cdef lp_timed *timed
    cdef int code
    if ring == NULL:
        return below.copy(queue, to, source, size, n_waits, waits)
    timed = timing_begin(ring, queue, below, False)
    traced_go(ring)
    if has_timing(timed):
        code = below.copy_timed(queue, to, source, size, n_waits, waits, &timed.timing)
    else:
        code = below.copy(queue, to, source, size, n_waits, waits)
    if timed != NULL:
        timing_end(ring, queue, timed, code)
    return traced_end(ring, code)


cdef int trace_fill(void *queue, void *to, const void *pattern, size_t pattern_size, size_t size, uint32_t n_waits,
                    void **waits) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_TRACE)
    cdef lp_records *ring = copying_begin(queue, TRACED_FILL, to, NULL, size, 0, n_waits)
    cdef lp_timed *timed
    cdef int code
    if ring == NULL:
        return below.fill(queue, to, pattern, pattern_size, size, n_waits, waits)
    timed = timing_begin(ring, queue, below, False)
    traced_go(ring)
    if has_timing(timed):
        code = below.fill_timed(queue, to, pattern, pattern_size, size, n_waits, waits, &timed.timing)
    else:
        code = below.fill(queue, to, pattern, pattern_size, size, n_waits, waits)
    if timed != NULL:
        timing_end(ring, queue, timed, code)
    return traced_end(ring, code)


# A caller below that wants times itself keeps them: the record goes without.

cdef int trace_copy_rows(void *queue, void *to, size_t to_pitch, const void *source, size_t source_pitch, size_t width,
                         size_t rows, uint32_t n_waits, void **waits, void **timing) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_TRACE)
    cdef lp_records *ring = copying_begin(queue, TRACED_ROWS, to, source, width * rows, rows, n_waits)
    cdef lp_timed *timed
    cdef int code
    if ring == NULL:
        return below.copy_rows(queue, to, to_pitch, source, source_pitch, width, rows, n_waits, waits, timing)
    timed = timing_begin(ring, queue, below, False) if timing == NULL else NULL
    traced_go(ring)
    if has_timing(timed):
        code = below.copy_rows(queue, to, to_pitch, source, source_pitch, width, rows, n_waits, waits, &timed.timing)
    else:
        code = below.copy_rows(queue, to, to_pitch, source, source_pitch, width, rows, n_waits, waits, timing)
    if timed != NULL:
        timing_end(ring, queue, timed, code)
    return traced_end(ring, code)


cdef inline lp_records *peer_copying_begin(void *queue, const peer_copy *copy, uint32_t n_waits) noexcept nogil:
    """Begin the record of a copy between devices, or into a texture: those are rows on one device."""
    cdef size_t size = copy.width * copy.rows
    cdef lp_records *ring
    if copy.to_texture == NULL:
        return copying_begin(queue, TRACED_PEER, copy.to, copy.source, size, copy.rows, n_waits)
    ring = copying_begin(queue, TRACED_ROWS, copy.to_texture, copy.source, size, copy.rows, n_waits)
    if ring != NULL:
        ring.frame[0].command.flags |= <uint8_t>(COPY_WITHIN << 6)
    return ring


cdef int trace_copy_peer(void *queue, const peer_copy *copy, uint32_t n_waits, void **waits, void **timing) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_TRACE)
    cdef lp_records *ring = peer_copying_begin(queue, copy, n_waits)
    cdef lp_timed *timed
    cdef int code
    if ring == NULL:
        return below.copy_peer(queue, copy, n_waits, waits, timing)
    timed = timing_begin(ring, queue, below, False) if timing == NULL else NULL
    traced_go(ring)
    if has_timing(timed):
        code = below.copy_peer(queue, copy, n_waits, waits, &timed.timing)
    else:
        code = below.copy_peer(queue, copy, n_waits, waits, timing)
    if timed != NULL:
        timing_end(ring, queue, timed, code)
    return traced_end(ring, code)


# Commands that are timed for somebody else: the layer of `command_times`.

cdef int trace_launch_timed(void *queue, void *kernel, const launch_config *config, const void *bytes, size_t size,
                            uint32_t n_waits, void **waits, void **timing) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_TRACE)
    cdef lp_records *ring = traced_begin(queue, TRACED_LAUNCH, n_waits)
    if ring == NULL:
        return below.launch_timed(queue, kernel, config, bytes, size, n_waits, waits, timing)
    memcpy(&ring.frame[1].detail.of, config, sizeof(detail_launch))
    ring.frame[1].detail.shared = config.shared
    traced_go(ring)
    return traced_end(ring, below.launch_timed(queue, kernel, config, bytes, size, n_waits, waits, timing))


cdef int trace_copy_timed(void *queue, void *to, const void *source, size_t size, uint32_t n_waits, void **waits,
                          void **timing) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_TRACE)
    cdef lp_records *ring = copying_begin(queue, TRACED_COPY, to, source, size, 0, n_waits)
    if ring == NULL:
        return below.copy_timed(queue, to, source, size, n_waits, waits, timing)
    traced_go(ring)
    return traced_end(ring, below.copy_timed(queue, to, source, size, n_waits, waits, timing))


cdef int trace_fill_timed(void *queue, void *to, const void *pattern, size_t pattern_size, size_t size, uint32_t n_waits,
                          void **waits, void **timing) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_TRACE)
    cdef lp_records *ring = copying_begin(queue, TRACED_FILL, to, NULL, size, 0, n_waits)
    if ring == NULL:
        return below.fill_timed(queue, to, pattern, pattern_size, size, n_waits, waits, timing)
    traced_go(ring)
    return traced_end(ring, below.fill_timed(queue, to, pattern, pattern_size, size, n_waits, waits, timing))


cdef void trace_entries(driver_table *table) noexcept nogil:
    """Take the place of the entries; what the driver leaves out stays out."""
    table.launch, table.copy, table.fill = trace_launch, trace_copy, trace_fill
    if table.copy_rows != NULL:
        table.copy_rows = trace_copy_rows
    if table.copy_peer != NULL:
        table.copy_peer = trace_copy_peer
    if table.launch_timed != NULL:
        table.launch_timed, table.copy_timed, table.fill_timed = trace_launch_timed, trace_copy_timed, trace_fill_timed
    if table.graph_run != NULL:
        table.graph_run = trace_graph_run
    trace_calls(table)
