# Chains: the commands of a sequence on one queue, between two that other queues may have to do with. A chain goes to
# the driver as one graph, on that queue: so queues stay as independent as they are without the step.
#
# A chain may take a command that was recorded after commands of other queues, and so before them. That changes nothing:
# nothing orders them. What could closes the chain: an event that is recorded on the queue or waited for; and, where the
# driver keeps the legacy rule by the order of calls, a command of the legacy queue closes the blocking queues' chains,
# and the other way round.
#
# What a graph knows of arguments counts for nothing outside it: each of its nodes has memory of its own for them.

cdef extern from "Python.h":
    int PyGILState_Check() nogil

cdef enum:
    NO_CHAIN = 0xFFFFFFFF


cdef inline bint is_chained(const lp_node *node) noexcept nogil:
    """Whether a command may be in a graph with others. Graphs take fills by patterns of a word at most."""
    if node.kind == COMMAND_FILL:
        return node.size <= fill_size(4)
    return node.kind == COMMAND_LAUNCH and not node.variant & LAUNCH_COOPERATIVE or node.kind == COMMAND_COPY


cdef uint32_t chains_of(lp_sequence *sequence, lp_queue **queues, uint32_t n_queues, uint32_t *opened,
                        uint32_t *lengths) noexcept nogil:
    """Give each node its chain, and each chain its length. `opened` has room for each queue, `lengths` for each node."""
    cdef lp_node *node
    cdef uint32_t i, j, chain, n = 0, here = 0
    for j in range(n_queues):
        opened[j] = NO_CHAIN
    for i in range(sequence.n):
        node = &sequence.nodes[i]
        for j in range(n_queues):
            if queues[j] == node.queue:
                here = j
            elif opened[j] != NO_CHAIN and legacy_rule_between(queues[j], node.queue):
                opened[j] = NO_CHAIN
        chain = opened[here]
        if chain == NO_CHAIN or node.waits or not is_chained(node):
            chain, n = n, n + 1
            lengths[chain] = 0
        node.chain, node.place, node.changed = chain, lengths[chain], False        # a new graph has what the node has
        lengths[chain] += 1
        opened[here] = chain if is_chained(node) else NO_CHAIN
    return n


cdef void chains_plan(lp_recording *recording, lp_sequence *sequence) noexcept nogil:
    """Find the sequence's chains. Without memory for them it goes on without."""
    cdef uint32_t n = sequence.n
    cdef uint32_t *room = <uint32_t *>malloc((recording.n_queues + n) * sizeof(uint32_t))
    cdef lp_chain *chains
    cdef uint32_t *places = NULL
    cdef uint32_t i, n_chains
    if room == NULL:
        return
    n_chains = chains_of(sequence, recording.queues, recording.n_queues, room, room + recording.n_queues)
    # One piece of memory: the chains, and then each one's nodes and changes.
    chains = <lp_chain *>calloc(1, n_chains * sizeof(lp_chain) + 2 * n * sizeof(uint32_t))
    if chains != NULL:
        places = <uint32_t *>(chains + n_chains)
        for i in range(n_chains):
            chains[i].n = room[recording.n_queues + i]
            chains[i].nodes, chains[i].changes = places, places + chains[i].n
            places += 2 * chains[i].n
        for i in range(n):
            chains[sequence.nodes[i].chain].nodes[sequence.nodes[i].place] = i
        sequence.chains, sequence.n_chains = chains, n_chains
    free(room)


cdef void graph_drop(lp_domain *domain, void *graph) noexcept nogil:
    domain.driver.graph_release(domain.device, graph)
    domain_unref(domain)


cdef void chain_drop(lp_chain *chain) noexcept nogil:
    """Let its graph go; launches of it in flight go on. A thread with the GIL leaves that to the next submission: it may
    wait for the device."""
    cdef lp_unused *unused = NULL
    if chain.graph == NULL:
        return
    if PyGILState_Check():
        unused = <lp_unused *>malloc(sizeof(lp_unused))
    if unused == NULL:
        graph_drop(chain.domain, chain.graph)
    else:
        unused.domain, unused.graph = chain.domain, chain.graph
        lp_lock_acquire(&lp_runtime.registry_lock)
        unused.next, lp_runtime.unused = lp_runtime.unused, unused
        lp_lock_release(&lp_runtime.registry_lock)
    chain.graph, chain.domain = NULL, NULL


cdef void graphs_drop() noexcept nogil:
    """Release the graphs that threads with the GIL have left. No lock but one queue's and one recording's is held."""
    cdef lp_unused *unused
    cdef lp_unused *next_
    if lp_load(<uint64_t *>&lp_runtime.unused) == 0:
        return
    lp_lock_acquire(&lp_runtime.registry_lock)
    unused, lp_runtime.unused = lp_runtime.unused, NULL
    lp_lock_release(&lp_runtime.registry_lock)
    while unused != NULL:
        next_ = unused.next
        graph_drop(unused.domain, unused.graph)
        free(unused)
        unused = next_


cdef void chains_drop(lp_sequence *sequence) noexcept nogil:
    cdef uint32_t i
    for i in range(sequence.n_chains):
        chain_drop(&sequence.chains[i])
    free(sequence.chains)
    sequence.chains, sequence.n_chains = NULL, 0


cdef inline void chain_command(const lp_recording *recording, lp_sequence *sequence, const lp_chain *chain, uint32_t place,
                               graph_command *to) noexcept nogil:
    cdef lp_node *node = &sequence.nodes[chain.nodes[place]]
    to.kind, to.place, to.kernel, to.config = <command_kind>node.kind, place, node.kernel, &node.config
    to.bytes, to.size, to.early = sequence.bytes + node.bytes, node.size, recording.early_variants


cdef inline graph_obstacle obstacle_of(const lp_node *node) noexcept nogil:
    """Why a short chain that begins with a node has no graph; an event is in none, and stands for nothing that is missing."""
    if is_chained(node):
        return OBSTACLE_SHORT
    return <graph_obstacle>0 if node.kind == COMMAND_MARKER else OBSTACLE_KIND


cdef bint chain_has_graph(lp_recording *recording, lp_sequence *sequence, lp_chain *chain) noexcept nogil:
    """Whether the chain can be submitted as a graph, which is built if it is not yet."""
    cdef lp_queue *queue = sequence.nodes[chain.nodes[0]].queue
    cdef const driver_table *below = layer_below(queue.domain, LAYER_STEP)
    cdef uint32_t i
    cdef int code
    if below.graph_build == NULL:
        recording.obstacles |= OBSTACLE_DRIVER if queue.domain.driver.graph_build == NULL else OBSTACLE_LOG
        return False
    if chain.n < CHAIN_LEAST:
        recording.obstacles |= obstacle_of(&sequence.nodes[chain.nodes[0]])
        return False
    if chain.refused >= CHAIN_TRIES:
        return False
    if queue.domain.traced and lp_trace.timed or is_profiling():
        recording.obstacles |= OBSTACLE_TIMES
        return False
    if items_grow(<void **>&recording.commands, &recording.room_commands, chain.n, sizeof(graph_command)):
        return False
    if chain.graph != NULL:
        return True
    for i in range(chain.n):
        chain_command(recording, sequence, chain, i, &recording.commands[i])
    code = below.graph_build(queue.handle, chain.n, recording.commands, &chain.graph)
    if code:
        chain.graph = NULL
        chain.refused += code != ERROR_HELD_BACK       # not now, while a queue waits for the host
        recording.obstacles |= OBSTACLE_REFUSED
        return False
    chain.domain = domain_ref(queue.domain)
    recording.built += 1
    return True


cdef uint32_t chain_submit(lp_recording *recording, lp_sequence *sequence, lp_chain *chain) noexcept nogil:
    """Submit a chain as a graph; gives how many of its commands the driver took. The others are to be submitted one by
    one."""
    cdef uint32_t accepted
    lp_add(&lp_profiler.graphs, 1)     # from now on no profiler is attached
    accepted = chain_submit_graph(recording, sequence, chain)
    lp_add(&lp_profiler.graphs, -1)
    return accepted


cdef uint32_t chain_submit_graph(lp_recording *recording, lp_sequence *sequence, lp_chain *chain) noexcept nogil:
    cdef lp_queue *queue = sequence.nodes[chain.nodes[0]].queue
    cdef graph_source source
    cdef uint32_t i, accepted = 0
    cdef int code
    if not chain_has_graph(recording, sequence, chain):
        return 0
    if sequence.nodes[chain.nodes[0]].n_waits and chain_waits(recording, &sequence.nodes[chain.nodes[0]]):
        return 0
    for i in range(chain.n_changes):
        chain_command(recording, sequence, chain, chain.changes[i], &recording.commands[i])
    source.recording, source.sequence, source.chain = recording, sequence, chain
    code = layer_below(queue.domain, LAYER_STEP).graph_run(queue.handle, chain.graph, &source, chain.n_changes,
                                                           recording.commands, &accepted)
    if code:
        chain_drop(chain)
        chain.refused += 1
    else:
        accepted = chain.n
        recording.updated += chain.n_changes
        recording.graph_runs += 1
        recording.in_graphs += chain.n
    for i in range(chain.n_changes):
        sequence.nodes[chain.nodes[chain.changes[i]]].changed = False
    chain.n_changes = 0
    return accepted


cdef int chain_waits(lp_recording *recording, const lp_node *node) noexcept nogil:
    """Let a chain come after what its first command waits for."""
    cdef void *room[STEP_WAITS]
    cdef void **waits = recording.waits + node.wait
    cdef void **events
    cdef int code = step_waits(node.n_waits, waits, room, &events)
    if code == 0:
        code = driver_marker(layer_below(node.queue.domain, LAYER_STEP), node.queue.handle, False, node.n_waits, events, NULL)
        step_waits_drop(waits, room, events)
    return code
