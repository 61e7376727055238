# Memory: every allocation knows who accessed it. What is fresh or freed is poisoned; what is freed is kept a while.

cdef enum:
    SIM_ALIGNMENT = 256
    SIM_FENCE = 64                 # bytes behind an allocation that nobody may write

cdef enum:
    SIM_FRESH = 0xCD, SIM_FREED = 0xDD, SIM_FENCED = 0xFB

# Added to the addresses of memory that the host cannot reach: no such address exists, so using one on the host traps.
cdef uintptr_t SIM_UNREACHABLE = <uintptr_t>1 << 56


cdef uint32_t sim_find_place(const sim_machine *m, uintptr_t address) noexcept nogil:
    """The index of the first allocation that begins behind `address`."""
    cdef uint32_t low = 0, high = m.n_allocations, middle
    while low < high:
        middle = (low + high) // 2
        if m.allocations[middle].low <= address:
            low = middle + 1
        else:
            high = middle
    return low


cdef sim_allocation *sim_find(const sim_machine *m, uintptr_t address) noexcept nogil:
    """The allocation that holds `address`, a quarantined one perhaps, or NULL."""
    cdef uint32_t place = sim_find_place(m, address)
    if place and address < m.allocations[place - 1].high:
        return m.allocations[place - 1]
    return NULL


cdef char *sim_at(const sim_machine *m, uintptr_t address) noexcept nogil:
    """Where the host finds what a device calls `address`."""
    cdef sim_allocation *a = sim_find(m, address)
    return <char *>address if a == NULL else a.store + (address - a.low)


cdef void sim_allocation_delete(sim_machine *m, sim_allocation *a) noexcept nogil:
    cdef uint32_t place = sim_find_place(m, a.low)
    m.n_allocations -= 1
    memmove(m.allocations + place - 1, m.allocations + place, (m.n_allocations - place + 1) * sizeof(sim_allocation *))
    free(a.accesses)
    free(a.base)
    free(a)


cdef void sim_quarantine_trim(sim_machine *m) noexcept nogil:
    cdef sim_allocation *a
    while m.quarantined > m.quarantine_limit and m.quarantine_head != NULL and not m.quarantine_head.pending:
        a = m.quarantine_head
        m.quarantine_head = a.next
        m.quarantined -= a.high - a.low
        sim_allocation_delete(m, a)


cdef int sim_allocate(void *handle, void *queue, size_t size, memory_kind kind, void **address) noexcept nogil:
    cdef sim_device *device = <sim_device *>handle
    cdef sim_machine *m = device.machine
    cdef sim_allocation *a
    cdef uint32_t place
    lp_lock_acquire(&m.lock)
    cdef int code = sim_begin(m, SIM_ALLOCATE)
    if code == 0 and size == 0:
        code = SIM_INVALID_VALUE
    elif code == 0 and kind != MEMORY_HOST and size > device.capacity - min(device.used, device.capacity):
        code = SIM_OUT_OF_MEMORY
    if code == 0:
        a = <sim_allocation *>calloc(1, sizeof(sim_allocation))
        a.base = malloc(size + SIM_ALIGNMENT + SIM_FENCE)
        if a.base == NULL:
            free(a)
            code = SIM_OUT_OF_MEMORY
    if code == 0:
        a.store = <char *>((<uintptr_t>a.base + SIM_ALIGNMENT - 1) & ~<uintptr_t>(SIM_ALIGNMENT - 1))
        memset(a.store, SIM_FRESH, size)
        memset(a.store + size, SIM_FENCED, SIM_FENCE)
        a.low = <uintptr_t>a.store
        if kind == MEMORY_DEVICE and not device.host_accessible:
            a.low += SIM_UNREACHABLE
        a.high, a.device, a.kind = a.low + size, device, kind
        m.identities += 1
        a.identity = m.identities
        place = sim_find_place(m, a.low)
        m.allocations = <sim_allocation **>sim_grow32(m.allocations, sizeof(sim_allocation *), m.n_allocations + 1,
                                                      &m.room_allocations)
        memmove(m.allocations + place + 1, m.allocations + place,
                (m.n_allocations - place) * sizeof(sim_allocation *))
        m.allocations[place] = a
        m.n_allocations += 1
        device.allocations += 1
        if kind != MEMORY_HOST:
            device.used += size
        else:
            device.used_host += size
        address[0] = <void *>a.low
    return sim_end(m, SIM_ALLOCATE, code)


cdef int sim_free(void *handle, void *address, memory_kind kind) noexcept nogil:
    cdef sim_device *device = <sim_device *>handle
    cdef sim_machine *m = device.machine
    cdef sim_allocation *a
    cdef sim_report *report
    cdef sim_access *access
    cdef size_t size
    cdef uint32_t i
    lp_lock_acquire(&m.lock)
    cdef int code = sim_begin(m, SIM_FREE)
    if code == 0:
        a = sim_find(m, <uintptr_t>address)
        if a == NULL or a.low != <uintptr_t>address or a.freed or a.device != device:
            code = SIM_INVALID_ADDRESS
            report = sim_report_new(m, b"free of no allocation", NULL, 0, NULL, 0)
            if a != NULL and a.low == <uintptr_t>address:
                report.kind = b"freed twice" if a.freed else b"freed on another device"
            report.low = <uintptr_t>address
            snprintf(report.text, sizeof(report.text), b"%s: %p on device %d", report.kind, address, device.index)
    if code == 0:
        size = a.high - a.low
        for i in range(a.n if not m.closed else 0):
            access = &a.accesses[i]
            if sim_clock_at(m.known, access.queue) < access.number:
                sim_report_access(m, b"freed in use", a, access, b"; not known to be complete")
        sim_check_fence(m, a)
        a.freed = True
        memset(a.store, SIM_FREED, size)
        device.allocations -= 1
        if a.kind != MEMORY_HOST:
            device.used -= size
        else:
            device.used_host -= size
        m.quarantined += size
        if m.quarantine_head == NULL:
            m.quarantine_head = a
        else:
            m.quarantine_tail.next = a
        m.quarantine_tail = a
        sim_quarantine_trim(m)
    return sim_end(m, SIM_FREE, code)


cdef int sim_memory_info(void *handle, size_t *unused, size_t *total) noexcept nogil:
    cdef sim_device *device = <sim_device *>handle
    cdef sim_machine *m = device.machine
    lp_lock_acquire(&m.lock)
    cdef int code = sim_begin(m, SIM_MEMORY_INFO)
    if code == 0:
        total[0] = device.capacity
        unused[0] = device.capacity - min(device.used, device.capacity)
    return sim_end(m, SIM_MEMORY_INFO, code)


cdef void sim_check_fence(sim_machine *m, const sim_allocation *a) noexcept nogil:
    cdef sim_report *report
    cdef int i
    for i in range(SIM_FENCE):
        if <uint8_t>a.store[a.high - a.low + i] != SIM_FENCED:
            report = sim_report_new(m, b"written past an allocation's end", NULL, 0, NULL, 0)
            report.low, report.high = a.low, a.high
            snprintf(report.text, sizeof(report.text), b"%s: allocation %llu (%llu bytes) at byte %llu", report.kind,
                     <unsigned long long>a.identity, <unsigned long long>(a.high - a.low),
                     <unsigned long long>(a.high - a.low + i))
            return


cdef uint64_t sim_checksum(const void *bytes, size_t size) noexcept nogil:
    cdef const uint8_t *at = <const uint8_t *>bytes
    cdef uint64_t sum = 0xCBF29CE484222325
    cdef size_t i
    for i in range(size):
        sum = (sum ^ at[i]) * <uint64_t>0x100000001B3
    return sum | 1
