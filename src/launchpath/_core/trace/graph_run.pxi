# Graphs: one call, and a record for each of its commands. They have no times: a trace that is to have times of the device has
# the commands of steps submitted one by one (`chain_has_graph`).

cdef int trace_graph_run(void *queue, void *graph, const graph_source *source, uint32_t n_changes, const graph_command *changes,
                         uint32_t *accepted) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_TRACE)
    cdef uint64_t began = lp_ticks(), end
    cdef uint32_t i, n
    cdef int code = below.graph_run(queue, graph, source, n_changes, changes, accepted)
    end = lp_ticks()
    driver_call_write(ENTRY_GRAPH_RUN, began, end, code, n_changes, layer_queue(queue), NULL)
    n = accepted[0] if code else source.chain.n
    if is_timed(queue, below, n):      # the trace began after the step had decided that this is a graph
        lp_add(&lp_trace.header.counters.untimed, n)
    for i in range(n):
        chain_node_write(queue, source, &source.sequence.nodes[source.chain.nodes[i]], began, end)
    return code


cdef void chain_node_write(void *queue, const graph_source *source, const lp_node *node, uint64_t began,
                           uint64_t end) noexcept nogil:
    """Write the record of a command that ran as a part of a graph."""
    cdef driver_command command
    cdef step_place place
    cdef lp_records *ring
    node_command(source.recording, source.sequence, node, &command, &place)
    command.n_waits = node.n_waits
    ring = traced_begin(queue, &command)
    if ring != NULL:
        ring.frame[0].command.flags |= SLOT_IN_GRAPH
        ring.frame[0].command.driver_begin = ring.frame[0].command.begin = began
        ring.frame[0].command.driver_end = end
        delays_kernel(ring, ring.frame[0].command.name)
        command_publish(ring, 0, 0)
