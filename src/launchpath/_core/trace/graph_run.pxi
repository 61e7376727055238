# Graphs: one call, and a record for each of its commands. They have no times: a trace that is to have times of the device has
# the commands of steps submitted one by one (`chain_has_graph`).

cdef int trace_graph_run(void *queue, void *graph, uint32_t n_changes, const graph_command *changes,
                         uint32_t *accepted) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_TRACE)
    cdef lp_recording *recording = <lp_recording *>lp_here.submitting
    cdef lp_chain *chain = <lp_chain *>lp_here.submitted_chain
    cdef uint64_t began = lp_ticks(), end
    cdef uint32_t i, n
    cdef int code = below.graph_run(queue, graph, n_changes, changes, accepted)
    end = lp_ticks()
    driver_call_write(ENTRY_GRAPH_RUN, began, end, code, n_changes, layer_queue(queue), NULL)
    if recording == NULL or chain == NULL:
        lp_add(&lp_trace.header.counters.not_understood, 1)
        return code
    n = accepted[0] if code else chain.n
    if is_timed(queue, below, n):      # the trace began after the step had decided that this is a graph
        lp_add(&lp_trace.header.counters.untimed, n)
    for i in range(n):
        chain_node_write(queue, recording, chain.nodes[i], began, end)
    return code


cdef void chain_node_write(void *queue, lp_recording *recording, uint32_t index, uint64_t began,
                           uint64_t end) noexcept nogil:
    """Write the record of a command that ran as a part of a graph."""
    cdef lp_node *node = &recording.submitted.nodes[index]
    cdef const char *bytes = recording.submitted.bytes + node.bytes
    cdef lp_records *ring
    lp_here.submitted = node
    if node.kind == COMMAND_COPY:
        lp_here.direction = <int>(<graph_copy *>bytes).direction
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
    lp_here.submitted, lp_here.direction = NULL, 0
    if ring != NULL:
        ring.frame[0].command.flags |= SLOT_IN_GRAPH
        ring.frame[0].command.driver_begin = ring.frame[0].command.begin = began
        ring.frame[0].command.driver_end = end
        command_publish(ring, 0, 0)
