# Graphs: one call, and a record for each of its commands.

cdef int trace_graph_run(void *queue, void *graph, uint32_t n_changes, const graph_command *changes,
                         uint32_t *accepted) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_TRACE)
    cdef lp_recording *recording = <lp_recording *>lp_submitting
    cdef lp_chain *chain = <lp_chain *>lp_submitted_chain
    cdef lp_timed *timed = graph_timing_begin(queue, below, chain)
    cdef lp_timed *part
    cdef uint64_t began = lp_ticks(), end
    cdef uint32_t i, n
    cdef int code = below.graph_run(queue, graph, n_changes, changes, accepted)
    end = lp_ticks()
    if timed != NULL and not profiled_submitted(timed, code):
        lp_add(&lp_trace.header.counters.untimed, accepted[0] if code else chain.n)
        timed = NULL
    part = timed
    driver_call_write(ENTRY_GRAPH_RUN, began, end, code, n_changes, layer_queue(queue), NULL)
    if recording == NULL or chain == NULL:
        lp_add(&lp_trace.header.counters.not_understood, 1)
        return code                    # and there is no timing object
    n = accepted[0] if code else chain.n
    for i in range(n):
        chain_node_write(queue, recording, chain.nodes[i], began, end, part)
        part = part.next if part != NULL else NULL
    if timed != NULL:
        profiled_close(timed)
    return code


cdef lp_timed *graph_timing_begin(void *queue, const driver_table *below, const lp_chain *chain) noexcept nogil:
    """Timing objects for the commands of a graph that runs next; NULL: they go without times."""
    cdef lp_domain *domain = layer_queue(queue).domain
    cdef lp_timed *timed
    if chain == NULL or not is_timed(queue, below, chain.n):
        return NULL
    timed = timed_take(chain.n, True) if profiled_fits(domain, chain.n) else NULL
    if timed != NULL and not domain.profiled:
        timed_give(timed)
        timed = NULL
    if timed == NULL:
        lp_add(&lp_trace.header.counters.untimed, chain.n)
    else:
        profiled_begin(timed, domain, chain.n)
    return timed


cdef void chain_node_write(void *queue, lp_recording *recording, uint32_t index, uint64_t began, uint64_t end,
                           lp_timed *timed) noexcept nogil:
    """Write the record of a command that ran as a part of a graph."""
    global lp_submitted, lp_direction
    cdef lp_node *node = &recording.submitted.nodes[index]
    cdef const char *bytes = recording.submitted.bytes + node.bytes
    cdef lp_records *ring
    lp_submitted = node
    if node.kind == COMMAND_COPY:
        lp_direction = <int>(<graph_copy *>bytes).direction
        ring = copying_begin(queue, TRACED_COPY, (<graph_copy *>bytes).to, (<graph_copy *>bytes).source,
                             (<graph_copy *>bytes).size, 0, node.n_waits)
    elif node.kind == COMMAND_FILL:
        ring = copying_begin(queue, TRACED_FILL, (<graph_fill *>bytes).to, NULL, (<graph_fill *>bytes).size, 0, node.n_waits)
    else:
        ring = traced_begin(queue, TRACED_LAUNCH, node.n_waits)
        if ring != NULL:
            memcpy(&ring.frame[1].detail.of, &node.config, sizeof(detail_launch))
            ring.frame[1].detail.shared = node.config.shared
            if node.config.flags & LAUNCH_COOPERATIVE:
                ring.frame[0].command.flags |= SLOT_COOPERATIVE
    lp_submitted, lp_direction = NULL, 0
    if ring != NULL:
        ring.frame[0].command.flags |= SLOT_IN_GRAPH
        ring.frame[0].command.driver_begin = ring.frame[0].command.begin = began
        ring.frame[0].command.driver_end = end
        if timed != NULL:
            ring.frame[0].command.flags |= SLOT_TIMED
            slot_begin(&timed.times, &ring.frame[0].command, &ring.frame[1].detail)
        command_publish(ring, 0, 0)
