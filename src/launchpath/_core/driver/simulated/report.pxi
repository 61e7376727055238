# What the simulated driver has to say afterwards: reports of misuse, and the log of accepted commands.

cdef extern from *:
    """
    static const char *const sim_call_names[] = {
        "queue_create", "queue_release", "queue_flush", "queue_finish", "launch", "copy", "fill", "marker",
        "event_query", "event_wait", "event_time", "event_release", "event_callback", "user_event", "user_event_set",
        "allocate", "free", "memory_info", "copy_peer", "copy_rows", "peer_get", "peer_enable", "program_build", "kernel_find"};
    """
    const char **sim_call_names

cdef enum:
    SIM_MOST_REPORTS = 10000


cdef sim_place sim_place_of(const sim_queue *q, uint64_t number) noexcept nogil:
    cdef sim_place place
    if q == NULL:
        place.device, place.queue, place.number = -1, -1, <int64_t>number
    else:
        place.device, place.queue, place.number = q.device.index, q.index, <int64_t>number
    return place


cdef sim_report *sim_report_new(sim_machine *m, const char *kind, const sim_queue *q, uint64_t number,
                                const sim_queue *other, uint64_t other_number) noexcept nogil:
    """A report to fill in. There is always one to write to; beyond the limit it is only counted."""
    cdef sim_report *report
    if m.n_reports >= SIM_MOST_REPORTS:
        m.dropped_reports += 1
    else:
        m.n_reports += 1
        m.reports = <sim_report *>sim_grow32(m.reports, sizeof(sim_report), m.n_reports, &m.room_reports)
    report = &m.reports[m.n_reports - 1]
    memset(report, 0, sizeof(sim_report))
    report.kind = kind
    report.command, report.other = sim_place_of(q, number), sim_place_of(other, other_number)
    snprintf(report.text, sizeof(report.text), b"%s", kind)
    return report


cdef void sim_report_access(sim_machine *m, const char *kind, const sim_allocation *a, const sim_access *access,
                            const char *why) noexcept nogil:
    """A report about one command's access."""
    cdef sim_report *report = sim_report_new(m, kind, access.queue, access.number, NULL, 0)
    report.low, report.high = access.low, access.high
    snprintf(report.text, sizeof(report.text),
             b"%s: device %d queue %d command %llu (%s) %s bytes %lld to %lld of allocation %llu (%llu bytes)%s", kind,
             report.command.device, report.command.queue, <unsigned long long>access.number, access.what,
             b"writes" if access.write else b"reads", <long long>(access.low - a.low), <long long>(access.high - a.low),
             <unsigned long long>a.identity, <unsigned long long>(a.high - a.low), why)


cdef void sim_report_race(sim_machine *m, const sim_allocation *a, const sim_access *earlier,
                          const sim_access *later) noexcept nogil:
    cdef sim_report *report = sim_report_new(m, b"race", later.queue, later.number, earlier.queue, earlier.number)
    report.low, report.high = max(earlier.low, later.low), min(earlier.high, later.high)
    snprintf(report.text, sizeof(report.text),
             b"race: device %d queue %d command %llu (%s) %s bytes %lld to %lld of allocation %llu, which device %d "
             b"queue %d command %llu (%s) %s, and nothing orders them",
             report.command.device, report.command.queue, <unsigned long long>later.number, later.what,
             b"writes" if later.write else b"reads", <long long>(report.low - a.low), <long long>(report.high - a.low),
             <unsigned long long>a.identity, report.other.device, report.other.queue,
             <unsigned long long>earlier.number, earlier.what, b"writes" if earlier.write else b"reads")


cdef void sim_report_wait(sim_machine *m, const char *kind, const sim_queue *q, uint64_t number,
                          const sim_event *event) noexcept nogil:
    """A report about a wait: `q` is NULL when it is the host that waits."""
    cdef sim_report *report = sim_report_new(m, kind, q, number, event.queue,
                                             event.number if event.queue != NULL else event.identity)
    cdef char who[64]
    if q == NULL:
        snprintf(who, sizeof(who), b"the host")
    else:
        snprintf(who, sizeof(who), b"device %d queue %d command %llu", report.command.device, report.command.queue,
                 <unsigned long long>number)
    if event.queue == NULL:
        snprintf(report.text, sizeof(report.text), b"%s: %s, user event %llu", kind, who,
                 <unsigned long long>event.identity)
    else:
        snprintf(report.text, sizeof(report.text), b"%s: %s, event behind device %d queue %d command %llu", kind, who,
                 report.other.device, report.other.queue, <unsigned long long>event.number)


cdef void sim_report_event(sim_machine *m, const char *kind, const sim_event *event, const char *why) noexcept nogil:
    cdef sim_report *report = sim_report_new(m, kind, event.queue, event.number, NULL, 0)
    if event.queue == NULL:
        report.command.number = <int64_t>event.identity
        snprintf(report.text, sizeof(report.text), b"%s: user event %llu%s", kind,
                 <unsigned long long>event.identity, why)
    else:
        snprintf(report.text, sizeof(report.text), b"%s: event behind device %d queue %d command %llu%s", kind,
                 report.command.device, report.command.queue, <unsigned long long>event.number, why)


cdef void sim_report_queue(sim_machine *m, const char *kind, const sim_queue *q) noexcept nogil:
    cdef sim_report *report = sim_report_new(m, kind, q, q.number, NULL, 0)
    snprintf(report.text, sizeof(report.text), b"%s: device %d queue %d, %llu commands", kind, q.device.index, q.index,
             <unsigned long long>q.number)


cdef void sim_report_program(sim_machine *m, const char *kind, const sim_program *program, const sim_queue *q,
                             uint64_t number) noexcept nogil:
    cdef sim_report *report = sim_report_new(m, kind, q, number, NULL, 0)
    cdef char launch[80]
    launch[0] = 0
    if q != NULL:
        snprintf(launch, sizeof(launch), b", device %d queue %d command %llu", report.command.device, report.command.queue,
                 <unsigned long long>number)
    snprintf(report.text, sizeof(report.text), b"%s: program %llu of device %d%s", kind,
             <unsigned long long>program.identity, program.device.index, launch)


cdef void sim_report_kernel(sim_machine *m, const char *kind, const sim_kernel *kernel, const sim_queue *q,
                            uint64_t number) noexcept nogil:
    cdef sim_report *report
    sim_report_program(m, kind, kernel.program, q, number)
    report = &m.reports[m.n_reports - 1]
    strncat(report.text, b", kernel ", sizeof(report.text) - strlen(report.text) - 1)
    strncat(report.text, kernel.name, sizeof(report.text) - strlen(report.text) - 1)


cdef void sim_log_command(sim_machine *m, const sim_node *node) noexcept nogil:
    cdef sim_log_entry *entry
    cdef sim_event *event
    cdef uint32_t i
    m.n_log += 1
    m.log = <sim_log_entry *>sim_grow(m.log, sizeof(sim_log_entry), m.n_log, &m.room_log)
    entry = &m.log[m.n_log - 1]
    entry.command = sim_place_of(node.queue, node.number)
    entry.kind, entry.kernel, entry.dependent = node.kind, node.kernel, node.dependent
    entry.tag = node.size
    if node.kernel != NULL and node.kernel.function == NULL:
        entry.tag = (<uint32_t *>(node.bytes + 20))[0]
    entry.first_wait, entry.n_waits = m.n_log_waits, node.n_waits
    m.n_log_waits += node.n_waits
    m.log_waits = <sim_place *>sim_grow(m.log_waits, sizeof(sim_place), m.n_log_waits, &m.room_log_waits)
    for i in range(node.n_waits):
        event = node.waits[i]
        m.log_waits[entry.first_wait + i] = sim_place_of(
            event.queue, event.number if event.queue != NULL else event.identity)
