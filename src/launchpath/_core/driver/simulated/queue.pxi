# Queues, and how a command gets into one. Nothing runs here.

cdef int sim_queue_create(void *handle, queue_kind kind, int priority, void **queue) noexcept nogil:
    cdef sim_device *device = <sim_device *>handle
    cdef sim_machine *m = device.machine
    cdef sim_queue *q
    lp_lock_acquire(&m.lock)
    cdef int code = sim_begin(m, SIM_QUEUE_CREATE)
    if code == 0:
        q = <sim_queue *>calloc(1, sizeof(sim_queue))
        q.life, q.machine, q.device, q.priority, q.active = SIM_LIVE, m, device, priority, -1
        q.index, q.identity = device.n_queues, m.n_queues
        q.order, q.full = sim_clock_new(0), sim_clock_new(0)
        q.host_seen = <uint64_t>-1
        device.n_queues += 1
        m.n_queues += 1
        m.live_queues += 1
        m.queues = <sim_queue **>realloc(m.queues, m.n_queues * sizeof(sim_queue *))
        m.active = <sim_queue **>realloc(m.active, m.n_queues * sizeof(sim_queue *))
        m.queues[q.identity] = q
        queue[0] = q
    return sim_end(m, SIM_QUEUE_CREATE, code)


cdef void sim_queue_release(void *queue) noexcept nogil:
    cdef sim_queue *q = <sim_queue *>queue
    cdef sim_machine *m = q.machine
    lp_lock_acquire(&m.lock)
    sim_begin(m, SIM_QUEUE_RELEASE)
    if q.life != SIM_LIVE:
        sim_report_queue(m, b"queue released twice", q)
    else:
        if not m.closed and sim_clock_at(m.known, q) < q.number:
            sim_report_queue(m, b"queue released with unfinished commands", q)
        q.life = SIM_DEAD
        q.flushed = <uint64_t>-1                   # as in OpenCL, what is in it still runs
        m.live_queues -= 1
        m.progress += 1
    sim_machine_leave(m)


cdef int sim_queue_check(sim_queue *q) noexcept nogil:
    if q.life != SIM_LIVE:
        sim_report_queue(q.machine, b"use of a released queue", q)
        return SIM_INVALID_QUEUE
    return 0


cdef void sim_overlap_check(sim_queue *q, uint64_t inside) noexcept nogil:
    if inside > 1:
        sim_report_queue(q.machine, b"two calls on one queue at once", q)


cdef int sim_queue_flush(void *queue) noexcept nogil:
    cdef sim_queue *q = <sim_queue *>queue
    cdef sim_machine *m = q.machine
    cdef uint64_t inside = lp_add(&q.inside, 1)
    lp_lock_acquire(&m.lock)
    cdef int code = sim_begin(m, SIM_QUEUE_FLUSH)
    sim_overlap_check(q, inside)
    if code == 0:
        code = sim_queue_check(q)
    if code == 0:
        q.flushed = max(q.flushed, q.submitted)
        m.progress += 1
    code = sim_end(m, SIM_QUEUE_FLUSH, code)
    lp_add(&q.inside, -1)
    return code


cdef void *sim_queue_handle(void *queue, bint exposed) noexcept nogil:
    return queue


# --- submission

cdef int sim_enter(sim_queue *q, sim_call call, uint32_t n_waits, void **waits) noexcept nogil:
    """Take the lock and find whatever would make the library refuse the command."""
    cdef sim_machine *m = q.machine
    cdef uint64_t inside = lp_add(&q.inside, 1)
    cdef sim_event *event
    cdef int code
    cdef uint32_t i
    lp_lock_acquire(&m.lock)
    code = sim_begin(m, call)
    sim_overlap_check(q, inside)
    if code == 0:
        code = sim_queue_check(q)
    for i in range(n_waits):
        if code:
            break
        event = <sim_event *>waits[i]
        code = sim_event_check(event)
        if code == 0 and event.context != q.device.context:
            sim_report_wait(m, b"wait for another context's event", q, q.number + 1, event)
            code = SIM_INVALID_CONTEXT
    return code


cdef int sim_leave(sim_queue *q, sim_call call, int code) noexcept nogil:
    sim_end(q.machine, call, code)
    lp_add(&q.inside, -1)
    return code


cdef sim_node *sim_node_new(sim_queue *q, sim_call kind) noexcept nogil:
    cdef sim_machine *m = q.machine
    cdef sim_node *node = m.free_nodes
    if node != NULL:
        m.free_nodes = node.next
    else:
        node = <sim_node *>malloc(sizeof(sim_node))
    node.next, node.queue, node.kind = NULL, q, kind
    node.numbered, node.n_waits, node.n_ranges, node.n_bytes = False, 0, 0, 0
    node.waits, node.ranges, node.bytes = node.few_waits, node.few_ranges, node.few_bytes
    node.before_order = node.before_full = NULL
    node.event, node.kernel = NULL, NULL
    node.dependent = node.waits_at_entry = node.started = node.done = False
    node.to = node.source = node.size = node.checksum = 0
    node.to_pitch = node.source_pitch = 0
    node.rows = 1
    return node


cdef void sim_node_delete(sim_node *node) noexcept nogil:
    cdef sim_machine *m = node.queue.machine
    cdef uint32_t i
    for i in range(node.n_waits):
        sim_event_drop(node.waits[i])
    for i in range(node.n_ranges):
        node.ranges[i].allocation.pending -= 1
    if node.n_ranges:
        sim_quarantine_trim(m)
    if node.waits != node.few_waits:
        free(node.waits)
    if node.ranges != node.few_ranges:
        free(node.ranges)
    if node.bytes != node.few_bytes:
        free(node.bytes)
    sim_clock_drop(node.before_order)
    sim_clock_drop(node.before_full)
    if node.event != NULL:
        sim_event_drop(node.event)
    node.next = m.free_nodes
    m.free_nodes = node


cdef void sim_node_bytes(sim_node *node, const void *bytes, size_t size) noexcept nogil:
    if size > sizeof(node.few_bytes):
        node.bytes = <char *>malloc(size)
    node.n_bytes = size
    memcpy(node.bytes, bytes, size)


cdef void sim_take_waits(sim_node *node, uint32_t n, sim_event **waits) noexcept nogil:
    """The command comes after these: judge each wait, and raise the queue's clocks."""
    cdef sim_queue *q = node.queue
    cdef sim_machine *m = q.machine
    cdef sim_event *event
    cdef bint few[16]
    cdef bint *redundant = few
    cdef uint32_t i
    if n > 16:
        redundant = <bint *>malloc(n * sizeof(bint))
    if n > 4:
        node.waits = <sim_event **>malloc(n * sizeof(sim_event *))
    if sim_redundant_waits(q, n, waits, redundant):
        for i in range(n):
            if redundant[i]:
                m.redundant += 1
                sim_report_wait(m, b"redundant wait", q, node.number, waits[i])
    if redundant != few:
        free(redundant)
    node.n_waits = n
    node.before_order, node.before_full = sim_clock_keep(q.order), sim_clock_keep(q.full)
    for i in range(n):
        event = node.waits[i] = waits[i]
        event.refs += 1
        event.waiters = sim_note_user(event.waiters, &event.n_waiters, q, node.number)
        if event.queue != NULL:
            if event.queue != q and event.sequence > event.queue.flushed:
                sim_report_wait(m, b"waited for an unflushed marker", q, node.number, event)
            sim_clock_join(&q.order, event.order)
            sim_clock_raise(&q.order, event.queue, event.number)
        sim_clock_join_event(&q.full, event)


cdef void sim_node_accept(sim_node *node, bint numbered, uint32_t n_waits, void **waits) noexcept nogil:
    """The command is accepted: give it its number, its clocks and its place."""
    global sim_this_bridge
    cdef sim_queue *q = node.queue
    cdef sim_machine *m = q.machine
    sim_queue_sees_host(q)
    q.submitted += 1
    q.number += numbered
    node.sequence, node.number, node.numbered = q.submitted, q.number, numbered
    sim_cover_command(node)
    if n_waits:
        sim_take_waits(node, n_waits, <sim_event **>waits)
    if q.tail == NULL:
        q.head = node
    else:
        q.tail.next = node
    q.tail = node
    if q.active < 0:
        q.active = m.n_active
        m.active[m.n_active] = q
        m.n_active += 1
    if not q.device.flush_each:
        q.flushed = q.submitted
    m.deepest = max(m.deepest, q.submitted - q.finished)
    m.progress += 1
    if numbered:
        if sim_this_bridge_used:
            sim_this_bridge = 0
        if m.record:
            sim_log_command(m, node)
