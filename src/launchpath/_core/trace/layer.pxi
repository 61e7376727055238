# The layer of traces: right over the driver's own table, so what it sees is what the driver gets. Commands that a step has
# kept back pass here when they are submitted.

# Commands.

cdef inline lp_records *traced_begin(void *queue, const driver_command *command) noexcept nogil:
    """Begin the record of a command in the ring's frame; NULL: it has none. `traced_go` comes next."""
    cdef lp_queue *q = layer_queue(queue)
    cdef lp_records *ring
    cdef command_slot *slot
    cdef detail_slot *detail
    if command.kind == COMMAND_LAUNCH and unlikely(is_excluded(command.label)):
        lp_add(&lp_trace.header.counters.excluded, 1)
        return NULL
    ring = records_here()
    if unlikely(ring == NULL):
        return NULL
    if unlikely(ring.pending):
        command_publish(ring, 0, ring.waited)
    slot, detail = &ring.frame[0].command, &ring.frame[1].detail
    slot.flags, slot.waits, slot.result = 0, <uint16_t>min(command.n_waits, <uint32_t>0xFFFF), 0
    slot.driver_end = slot.end = slot.waited = 0
    slot.stream, slot.name = <uint32_t>q.identity, name_number(command.label)
    detail.kind, detail.command, detail.device, detail.shared = SLOT_DETAIL, <uint8_t>command.kind, q.domain.traced_as, 0
    detail.number, detail.external = command.number, command.external
    detail.step, detail.node, detail.run, detail.left_out = 0, 0, 0, markers_left_out(q, command.n_waits)
    if likely(command.kind == COMMAND_LAUNCH):
        memcpy(&detail.of, command.config, sizeof(detail_launch))      # its grid and its block
        detail.shared = command.config.shared
        if unlikely(command.config.flags & LAUNCH_COOPERATIVE):
            slot.flags |= SLOT_COOPERATIVE
    else:
        traced_payload(command, slot, detail)
    if command.kind == COMMAND_LAUNCH and ring.api == API_LAUNCH and not ring.launched and command.place == NULL:
        slot.correlation, slot.begin = ring.call, ring.begin
    else:
        slot.correlation, slot.begin = records_correlation(ring), 0
    if unlikely(command.place != NULL):
        slot.flags |= SLOT_IN_STEP
        detail.step, detail.run, detail.node = command.place.step, command.place.run, command.place.node
    slot.kind = SLOT_COMMAND
    return ring


cdef void traced_payload(const driver_command *command, command_slot *slot, detail_slot *detail) noexcept nogil:
    """What a record has of a copy or a fill. A copy into a texture is one of rows, on one device."""
    cdef command_facts facts
    command_facts_of(command.kind, command.bytes, &facts)
    if facts.to_texture != NULL:
        detail.command, facts.to, facts.direction = COMMAND_ROWS, facts.to_texture, COPY_WITHIN
    detail.of.copy.bytes, detail.shared = facts.size, <uint32_t>facts.rows
    detail.of.copy.to, detail.of.copy.source = <uint64_t>facts.to, <uint64_t>facts.source
    slot.flags |= <uint8_t>(facts.direction << 6)


cdef inline uint32_t markers_left_out(const lp_queue *queue, uint32_t n_waits) noexcept nogil:
    """Waits that a marker in every queue of the legacy rule would have made, and this command does not."""
    cdef uint32_t n = 0
    if not queue.native and queue.kind != QUEUE_NONBLOCKING:
        n = queue.domain.blocking if queue.kind == QUEUE_LEGACY else 1
    return n - n_waits if n > n_waits else 0


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
        # A copy's call begins when its bytes begin to move to pinned memory.
        command.begin = command.driver_begin if likely(ring.staging == 0) else ring.staging
        ring.staging = 0
        command_publish(ring, 0, 0)
    return code


cdef inline bint is_timed(void *queue, const driver_table *below, uint32_t n) noexcept nogil:
    """Whether commands that come next, `n` in one call, are to have times of the device."""
    if not lp_trace.timed or below.timing_read == NULL:
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


cdef int trace_submit(void *queue, const driver_command *command) noexcept nogil:
    cdef const driver_table *below
    cdef lp_records *ring
    cdef lp_timed *timed = NULL
    cdef call_evidence proof
    cdef bint findings = lp_trace.findings
    cdef int code
    if unlikely(command.kind == COMMAND_MARKER):
        return trace_marker(queue, command)
    if unlikely(lp_costs.on and command.kind == COMMAND_LAUNCH):
        return launch_with_costs(queue, command)
    below, ring = below_queue(queue, LAYER_TRACE), traced_begin(queue, command)
    if unlikely(ring == NULL):
        return below.submit(queue, command)
    if likely(command.timing == NULL):     # a caller that wants times itself keeps them: the record goes without
        timed = timing_begin(ring, queue, below, command.kind == COMMAND_LAUNCH)
    if unlikely(findings):
        command_prove(&proof, ring, command)
    traced_go(ring)
    code = submit_timed(below, queue, command, timed)
    if unlikely(findings):
        command_proven(&proof, ring, command, code)
    if timed != NULL:
        timing_end(ring, queue, timed, code)
    return traced_end(ring, code)


cdef inline int submit_timed(const driver_table *below, void *queue, const driver_command *command,
                             lp_timed *timed) noexcept nogil:
    """Submit a command, and have the driver time it if that is to be."""
    cdef driver_command with_timing
    if not has_timing(timed):
        return below.submit(queue, command)
    with_timing = command[0]
    with_timing.timing = &timed.timing
    return below.submit(queue, &with_timing)


cdef int trace_marker(void *queue, const driver_command *command) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = below_queue(queue, LAYER_TRACE).submit(queue, command)
    cdef uint64_t end = lp_ticks()
    cdef void *made = command.event[0] if code == 0 and command.event != NULL else NULL
    return driver_call_write(ENTRY_MARKER, began, end, code, command.n_waits, layer_queue(queue), NULL, command.n_waits,
                             command.waits, made)


cdef inline bint is_in_vain(int code, event_status *status) noexcept nogil:
    """Whether a query is one of many of the same wait, which has a record itself."""
    cdef lp_records *ring = <lp_records *>lp_here.records
    return code == 0 and status[0] == EVENT_PENDING and ring != NULL and ring.polls


cdef void trace_entries(driver_table *table) noexcept nogil:
    """Take the place of the entries; what the driver leaves out stays out."""
    trace_each_entry(table)
    table.submit = trace_submit
    if table.graph_run != NULL:
        table.graph_run = trace_graph_run
    if lp_delays.state != NULL:
        delayed_entries(table)
