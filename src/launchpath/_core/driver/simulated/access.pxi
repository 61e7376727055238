# Access checks, made when a command is submitted: they judge every schedule of it, not the one that will happen.

cdef void sim_suspect_add(sim_machine *m, sim_allocation *a, const sim_access *earlier, const sim_access *later,
                          sim_clock *clock) noexcept nogil:
    """A race unless a user event that nobody has set yet turns out to order the two."""
    cdef sim_suspect *suspect
    m.n_suspects += 1
    m.suspects = <sim_suspect *>sim_grow32(m.suspects, sizeof(sim_suspect), m.n_suspects, &m.room_suspects)
    suspect = &m.suspects[m.n_suspects - 1]
    suspect.clock, suspect.allocation = sim_clock_keep(clock), a
    suspect.earlier, suspect.later = earlier[0], later[0]
    a.pending += 1


cdef void sim_judge_suspects(sim_machine *m) noexcept nogil:
    """After a user event was set: report those that it did not order, forget those that it did."""
    cdef uint32_t i = 0
    cdef sim_suspect *suspect
    cdef sim_order order
    while i < m.n_suspects:
        suspect = &m.suspects[i]
        order = sim_ordered(suspect.earlier.queue, suspect.earlier.number, suspect.clock)
        if order == SIM_UNDECIDED:
            i += 1
            continue
        if order == SIM_UNORDERED:
            sim_report_race(m, suspect.allocation, &suspect.earlier, &suspect.later)
        sim_clock_drop(suspect.clock)
        suspect.allocation.pending -= 1
        m.n_suspects -= 1
        m.suspects[i] = m.suspects[m.n_suspects]


cdef void sim_check_access(sim_machine *m, sim_allocation *a, const sim_access *new) noexcept nogil:
    """Compare with earlier accesses and note this one; drop those that can tell nothing more.

    An earlier access that is ordered before a new one that covers its bytes and excludes as much stands for nothing
    that the new one does not: whatever comes later and is not after the new one is reported against that.
    """
    cdef sim_queue *q = new.queue
    cdef sim_access *old
    cdef uint32_t i = 0
    cdef sim_order order
    while i < a.n:
        old = &a.accesses[i]
        if sim_clock_at(m.host, old.queue) >= old.number:
            a.n -= 1
            old[0] = a.accesses[a.n]
            continue
        if old.low < new.high and new.low < old.high and (old.queue != q or old.number != new.number):
            if old.queue == q:
                order = SIM_ORDERED if sim_covers(q, old.number) else SIM_UNORDERED
            else:
                order = sim_ordered(old.queue, old.number, q.full)
            if new.write or old.write:
                if order == SIM_UNORDERED:
                    sim_report_race(m, a, old, new)
                elif order == SIM_UNDECIDED:
                    sim_suspect_add(m, a, old, new, q.full)
            if order == SIM_ORDERED and new.low <= old.low and old.high <= new.high and (new.write or not old.write):
                a.n -= 1
                old[0] = a.accesses[a.n]
                continue
        i += 1
    a.accesses = <sim_access *>sim_grow32(a.accesses, sizeof(sim_access), a.n + 1, &a.room)
    a.accesses[a.n] = new[0]
    a.n += 1


cdef const char *sim_what(const sim_node *node) noexcept nogil:
    if node.kernel != NULL:
        return node.kernel.name
    return sim_call_names[<int>node.kind]


cdef inline bint sim_reaches(const sim_device *device, const sim_device *other) noexcept nogil:
    """Whether a device's commands may use the other one's memory."""
    return device.context == other.context or (device.peers >> other.index) & 1


cdef void sim_node_room(sim_node *node) noexcept nogil:
    """Room for one more range: as many as fit inside, then twice as many each time."""
    cdef uint32_t n = node.n_ranges
    if n < 4 or n & (n - 1):
        return
    if n == 4:
        node.ranges = <sim_range *>malloc(8 * sizeof(sim_range))
        memcpy(node.ranges, node.few_ranges, sizeof(node.few_ranges))
    else:
        node.ranges = <sim_range *>realloc(node.ranges, 2 * n * sizeof(sim_range))


cdef void sim_node_touches(sim_node *node, uintptr_t low, size_t size, bint to_end, bint write) noexcept nogil:
    """Note that the command reads or writes there; what is in no allocation is the host's and nobody's business."""
    cdef sim_machine *m = node.queue.machine
    cdef sim_allocation *a = sim_find(m, low)
    cdef sim_report *report
    cdef sim_access access
    cdef sim_range *range_
    if low == 0 or (size == 0 and not to_end):
        return
    if a == NULL:
        if node.kernel != NULL and not sim_is_end(m, low):
            report = sim_report_new(m, b"kernel given an address in no allocation", node.queue, node.number, NULL, 0)
            report.low = low
            snprintf(report.text, sizeof(report.text), b"%s: device %d queue %d command %llu (%s), %p", report.kind,
                     node.queue.device.index, node.queue.index, <unsigned long long>node.number, sim_what(node),
                     <void *>low)
        return
    access.queue, access.number, access.what = node.queue, node.number, sim_what(node)
    access.low, access.high, access.write = low, a.high if to_end else low + size, write
    if access.high > a.high:
        sim_report_access(m, b"access past an allocation's end", a, &access, b"")
        access.high = a.high
    if a.freed:
        sim_report_access(m, b"use of freed memory", a, &access, b"")
    elif node.kind != SIM_COPY_PEER and not sim_reaches(node.queue.device, a.device) and (
            node.kernel != NULL or (a.kind == MEMORY_DEVICE and not a.device.host_accessible)):
        sim_report_access(m, b"use of another context's memory", a, &access, b"")
    sim_node_room(node)
    range_ = &node.ranges[node.n_ranges]
    range_.allocation, range_.low, range_.high, range_.write = a, access.low, access.high, write
    node.n_ranges += 1
    a.pending += 1
    sim_check_access(m, a, &access)


cdef bint sim_is_end(const sim_machine *m, uintptr_t address) noexcept nogil:
    cdef uint32_t place = sim_find_place(m, address)
    return place != 0 and m.allocations[place - 1].high == address


cdef uint64_t sim_integer(const char *bytes, uint32_t size) noexcept nogil:
    cdef uint64_t value = 0
    memcpy(&value, bytes, min(size, 8))
    return value


cdef void sim_kernel_touches(sim_node *node) noexcept nogil:
    cdef sim_kernel *kernel = node.kernel
    cdef sim_parameter *p
    cdef sim_parameter *count
    cdef uint64_t length
    cdef uint32_t i
    for i in range(kernel.n_parameters):
        p = &kernel.parameters[i]
        if p.kind != SIM_POINTER:
            continue
        length = p.length
        if p.length_from >= 0:
            count = &kernel.parameters[p.length_from]
            length *= sim_integer(node.bytes + count.offset, count.size)
        sim_node_touches(node, <uintptr_t>sim_integer(node.bytes + p.offset, 8), length,
                         p.length == 0 and p.length_from < 0, not p.constant)


cdef void sim_watch_source(sim_node *node) noexcept nogil:
    """Remember what a copy is to read from memory that the host may write at any time."""
    cdef sim_machine *m = node.queue.machine
    cdef sim_allocation *a = sim_find(m, node.source)
    cdef uint32_t i
    if not m.watch or node.size == 0 or node.size > 65536 or node.source == 0:
        return
    if a != NULL:
        if a.kind != MEMORY_HOST or a.freed or node.size > a.high - node.source:
            return
        for i in range(a.n):                       # a command that is still to write there may well change it
            if a.accesses[i].write:
                return
    node.checksum = sim_checksum(sim_at(m, node.source), node.size)


cdef void sim_check_running(sim_node *node) noexcept nogil:
    """The command is about to run: is its memory still there, and unchanged where the host promised that?"""
    cdef sim_machine *m = node.queue.machine
    cdef sim_access access
    cdef uint32_t i
    cdef sim_report *report
    access.queue, access.number, access.what = node.queue, node.number, sim_what(node)
    for i in range(node.n_ranges):
        if node.ranges[i].allocation.freed:
            access.low, access.high, access.write = node.ranges[i].low, node.ranges[i].high, node.ranges[i].write
            sim_report_access(m, b"ran on freed memory", node.ranges[i].allocation, &access, b"")
    if node.checksum and node.checksum != sim_checksum(sim_at(m, node.source), node.size):
        report = sim_report_new(m, b"source changed before it was copied", node.queue, node.number, NULL, 0)
        report.low, report.high = node.source, node.source + node.size
        snprintf(report.text, sizeof(report.text), b"%s: device %d queue %d command %llu, %llu bytes from %p",
                 report.kind, node.queue.device.index, node.queue.index, <unsigned long long>node.number,
                 <unsigned long long>node.size, <void *>node.source)


cdef void sim_host_touches(sim_machine *m, uintptr_t low, size_t size, bint write) noexcept nogil:
    """The host reads or writes there now: is everything that conflicts known to be complete?"""
    cdef sim_allocation *a = sim_find(m, low)
    cdef sim_access *old
    cdef uint32_t i
    if a == NULL:
        return
    for i in range(a.n):
        old = &a.accesses[i]
        if (old.low < low + size and low < old.high and (write or old.write)
                and sim_clock_at(m.host, old.queue) < old.number):
            sim_report_access(m, b"host access in use", a, old, b", which the host has not waited for")
