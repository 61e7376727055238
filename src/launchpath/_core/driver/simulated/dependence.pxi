# Kernels that may start while the kernel before them ends, in one queue.
#
# A kernel that is launched so may start as soon as the one before it has started, as if that had triggered at once. If it
# waits at its entry, it waits for the end of the one before, and for nothing else; what it does comes after that. If it
# does not wait, what it does may come before all that has not ended when the one before started. So the kernel behind
# one that does not wait is behind it only, and perhaps before those that came earlier.


cdef bint sim_is_dependent(sim_queue *q, const driver_command *command) noexcept nogil:
    """Whether a command that is being submitted may start before the one before it has ended."""
    cdef sim_machine *m = q.machine
    cdef bint launch = command.kind == COMMAND_LAUNCH
    cdef bint waits = launch and ((<sim_kernel *>command.kernel).waits or m.dependent == SIM_ALL)
    return dependence_begin(&q.dependence, command, waits)


cdef void sim_cover_command(sim_node *node) noexcept nogil:
    """Work out what is before a command that was just accepted, and what is before its start."""
    cdef sim_queue *q = node.queue
    cdef sim_cover *cover = &q.cover
    if not node.dependent:
        cover.base, cover.first = q.number - node.numbered, q.number
        cover.start = cover.base
    elif node.waits_at_entry:
        cover.first = min(cover.first, node.number - 1)
    else:
        cover.base, cover.first = cover.start, node.number


cdef inline bint sim_covers(const sim_queue *q, uint64_t number) noexcept nogil:
    """Whether an earlier command of the queue is before what its last command does."""
    return number <= q.cover.base or number >= q.cover.first


cdef sim_node *sim_choose(sim_queue *q) noexcept nogil:
    """Of a queue whose first command is ready, one that can run. Some of the kernels behind it start."""
    cdef sim_machine *m = q.machine
    cdef sim_node *before = q.head
    cdef sim_node *node = before.next
    cdef sim_node *chosen = before
    cdef uint64_t seen = 1
    before.started = True
    while node != NULL and node.dependent and node.sequence <= q.flushed and (node.started or sim_random(m) & 1):
        m.n_overlaps += not node.started
        node.started = True
        if not node.done and (before.done or not node.waits_at_entry):
            seen += 1
            if sim_random(m) % seen == 0:
                chosen = node
        before, node = node, node.next
    return chosen
