# What runs next, and what blocking calls do meanwhile. The lock is held except inside Python kernels and callbacks.

cdef bint sim_ready(const sim_machine *m, const sim_queue *q) noexcept nogil:
    cdef const sim_node *node = q.head
    cdef uint32_t i
    cdef bint pending = False
    if node == NULL or q.running or node.sequence > q.flushed:
        return False
    for i in range(node.n_waits):
        if node.waits[i].status == EVENT_FAILED and m.fail_waiters:
            return True
        pending = pending or node.waits[i].status == EVENT_PENDING
    return not pending


cdef sim_queue *sim_pick(sim_machine *m) noexcept nogil:
    """One of the ready queues, each as likely as the others."""
    cdef sim_queue *picked = NULL
    cdef uint32_t i, seen = 0
    for i in range(m.n_active):
        if sim_ready(m, m.active[i]):
            seen += 1
            if seen == 1 or sim_random(m) % seen == 0:
                picked = m.active[i]
    return picked


cdef void sim_forget_waits(sim_node *failed) noexcept nogil:
    """A command failed without having waited for all it should: what comes after it is not after those.

    The queue's clocks are worked out again from before that command, with the waits that were over and those of the
    commands behind it.
    """
    cdef sim_queue *q = failed.queue
    cdef sim_node *node = failed
    cdef sim_clock *order = sim_clock_keep(failed.before_order)
    cdef sim_clock *full = sim_clock_keep(failed.before_full)
    cdef sim_event *event
    cdef uint32_t i
    while node != NULL:
        if node.n_waits:
            sim_clock_move(&node.before_order, sim_clock_keep(order))
            sim_clock_move(&node.before_full, sim_clock_keep(full))
        for i in range(node.n_waits):
            event = node.waits[i]
            if node == failed and event.status != EVENT_COMPLETE:
                continue
            if event.queue != NULL:
                sim_clock_join(&order, event.order)
                sim_clock_raise(&order, event.queue, event.number)
            sim_clock_join_event(&full, event)
        if node.event != NULL:
            sim_clock_move(&node.event.order, sim_clock_keep(order))
            sim_clock_move(&node.event.full, sim_clock_keep(full))
        node = node.next
    sim_clock_move(&q.order, order)
    sim_clock_move(&q.full, full)
    q.host_seen = <uint64_t>-1


cdef void sim_pop(sim_node *node, bint failed) noexcept nogil:
    """The command is over. It leaves its queue when all before it are over."""
    cdef sim_queue *q = node.queue
    cdef sim_machine *m = q.machine
    q.running = False
    m.running -= 1
    node.done = True
    if node.event != NULL:
        node.event.time = sim_clock_ns()
        sim_event_settle(node.event, EVENT_FAILED if failed else EVENT_COMPLETE)
    while q.head != NULL and q.head.done:
        sim_leave_queue(q.head)
    m.progress += 1
    m.executed += 1


cdef void sim_leave_queue(sim_node *node) noexcept nogil:
    cdef sim_queue *q = node.queue
    cdef sim_machine *m = q.machine
    q.head = node.next
    q.finished = node.sequence
    if q.head == NULL:
        q.tail = NULL
        m.n_active -= 1
        m.active[q.active] = m.active[m.n_active]
        m.active[q.active].active = q.active
        q.active = -1
    sim_node_delete(node)


cdef void sim_run_copy(sim_machine *m, const sim_node *node) noexcept nogil:
    cdef size_t row
    for row in range(node.rows):
        memmove(sim_at(m, node.to + row * node.to_pitch), sim_at(m, node.source + row * node.source_pitch), sim_extent(node))


cdef void sim_step(sim_node *node) noexcept nogil:
    """Run a command, which `sim_choose` gave."""
    cdef sim_queue *q = node.queue
    cdef sim_machine *m = q.machine
    cdef bint failed = False, cascade = False
    cdef char *to
    cdef size_t done
    cdef uint32_t i
    q.running = True
    m.running += 1
    if node.event != NULL:
        node.event.started = sim_clock_ns()
    for i in range(node.n_waits):
        if node.waits[i].status == EVENT_FAILED and m.fail_waiters:
            failed = cascade = True
    if cascade:
        sim_forget_waits(node)
    if sim_is_bad(m, node):
        failed = True
    if q.broken and (m.fail_followers or node.kind == SIM_MARKER):
        failed = True
    if node.kind == SIM_LAUNCH and not failed and sim_is_unloaded(node):
        failed = True
    if not failed:
        sim_check_running(node)
        if node.kind == SIM_COPY or node.kind == SIM_COPY_PEER or node.kind == SIM_COPY_ROWS:
            sim_run_copy(m, node)
        elif node.kind == SIM_FILL:
            to, done = sim_at(m, node.to), 0
            while done < sim_extent(node):
                memcpy(to + done, node.bytes, min(node.n_bytes, sim_extent(node) - done))
                done += node.n_bytes
        elif node.kind == SIM_LAUNCH and node.kernel.function == NULL:
            sim_run_mix(node)
        elif node.kind == SIM_LAUNCH:
            lp_lock_release(&m.lock)
            failed = sim_call_python(node) != 0
            lp_lock_acquire(&m.lock)
    if failed and node.numbered:
        q.broken = True
        sim_note_failure(m, node)
    sim_pop(node, failed)


cdef size_t sim_extent(const sim_node *node) noexcept nogil:
    """How much of a copy or fill lies inside the allocations it names: what lies past an end was reported."""
    cdef size_t size = node.size
    cdef uint32_t i
    for i in range(node.n_ranges):
        size = min(size, node.ranges[i].high - node.ranges[i].low)
    return size


cdef bint sim_advance(sim_machine *m) noexcept nogil:
    """One thing that can happen: callbacks that are due, or a random ready command."""
    cdef sim_queue *q
    if not m.hold_callbacks and sim_deliver(m):
        return True
    q = sim_pick(m)
    if q == NULL:
        return False
    sim_step(sim_choose(q))
    if not m.hold_callbacks:
        sim_deliver(m)
    return True


cdef int sim_block(sim_machine *m, const sim_queue *q, uint64_t sequence, const sim_event *event) noexcept nogil:
    """Until the queue has finished `sequence`, or the event is over; SIM_DEADLOCK once that cannot happen any more."""
    cdef uint64_t progress = m.progress, since = sim_clock_ns()
    cdef unsigned spins = 0
    cdef bint hope
    while True:
        if q != NULL and q.finished >= sequence or event != NULL and event.status != EVENT_PENDING:
            return 0
        if m.closed:
            return SIM_CLOSED
        if m.automatic and sim_advance(m):
            continue
        if m.progress != progress:
            progress, since, spins = m.progress, sim_clock_ns(), 0
        if m.running == 0 and m.delivering == 0 or sim_this_kernel:
            hope = m.many_threads or m.pending_users or m.helped or not m.automatic or m.hold_callbacks
            if not hope or sim_this_kernel or (sim_clock_ns() - since) * 1e-9 >= m.patience:
                return SIM_DEADLOCK
        lp_lock_release(&m.lock)
        sim_sleep(0 if spins < 20 else 50)
        spins += 1
        lp_lock_acquire(&m.lock)


cdef void sim_blocking_check(sim_machine *m, const sim_queue *q) noexcept nogil:
    if sim_this_callback != NULL:
        sim_report_new(m, b"blocking call inside a callback", q, q.number if q != NULL else 0, NULL, 0)


cdef int sim_queue_finish(void *queue) noexcept nogil:
    cdef sim_queue *q = <sim_queue *>queue
    cdef sim_machine *m = q.machine
    cdef sim_clock *full
    cdef uint64_t number
    lp_lock_acquire(&m.lock)
    cdef int code = sim_begin(m, SIM_QUEUE_FINISH)
    if code == 0:
        code = sim_queue_check(q)
    if code == 0:
        sim_blocking_check(m, q)
        q.flushed = max(q.flushed, q.submitted)
        m.progress += 1
        full, number = sim_clock_keep(q.full), q.number
        code = sim_block(m, q, q.submitted, NULL)
        if code == 0 and q.broken:
            # The queue is empty; whether what it was to wait for is over nobody knows.
            q.broken = False
            code = SIM_COMMAND_FAILED
            sim_host_learns(m, NULL, q, number, True)
        elif code == 0:
            sim_host_learns(m, full, q, number, True)
        sim_clock_drop(full)
    return sim_end(m, SIM_QUEUE_FINISH, code)


cdef int sim_event_wait(void *domain, void *handle) noexcept nogil:
    cdef sim_event *event = <sim_event *>handle
    cdef sim_machine *m = event.machine
    lp_lock_acquire(&m.lock)
    cdef int code = sim_begin(m, SIM_EVENT_WAIT)
    if code == 0:
        code = sim_event_check(event)
    if code == 0:
        sim_blocking_check(m, event.queue)
        if event.queue != NULL and event.status == EVENT_PENDING and event.sequence > event.queue.flushed:
            sim_report_wait(m, b"waited for an unflushed marker", NULL, 0, event)
        event.refs += 1
        code = sim_block(m, NULL, 0, event)
        if code == 0:
            sim_event_observed(event)
            if event.status == EVENT_FAILED:
                code = SIM_COMMAND_FAILED
            else:
                sim_host_learns(m, event.full, event.queue, event.number, True)
        sim_event_drop(event)
    return sim_end(m, SIM_EVENT_WAIT, code)
