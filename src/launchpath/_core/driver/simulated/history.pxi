# What a machine has seen, for tests to read. Python objects are made without the lock: making them may run the
# collector, and with it releases of the core's own objects, which take the lock.

from collections import namedtuple as sim_namedtuple

SimulatedReport = sim_namedtuple("SimulatedReport", "kind text command other range")
SimulatedReport.__doc__ = """Something that a program did wrong, or wasted.

``kind`` is a fixed phrase ("race", "redundant wait", "freed in use", ...), ``text`` a sentence, ``command`` and
``other`` (device, queue, number) of the commands concerned or None, ``range`` the addresses (first, one past the last)
or None.
"""
SimulatedQueueState = sim_namedtuple("SimulatedQueueState", "device queue number pending flushed released priority")


cdef object sim_place_tuple(const sim_place *place):
    return None if place.device < 0 else (place.device, place.queue, place.number)


cdef void *sim_duplicate(const void *items, size_t size) noexcept nogil:
    cdef void *copy = malloc(max(size, 1))
    if size:
        memcpy(copy, items, size)
    return copy


cdef class SimulatedHistory:
    """What a `Simulated` machine has seen so far."""
    cdef sim_machine *m
    cdef readonly list errors

    @property
    def reports(self):
        """list of SimulatedReport: everything reported so far, 10,000 at most."""
        cdef uint32_t i, n
        cdef sim_report *all
        cdef sim_report *r
        lp_lock_acquire(&self.m.lock)
        n = self.m.n_reports
        all = <sim_report *>sim_duplicate(self.m.reports, n * sizeof(sim_report))
        lp_lock_release(&self.m.lock)
        reports = []
        for i in range(n):
            r = &all[i]
            reports.append(SimulatedReport(r.kind.decode(), r.text.decode(errors="replace"), sim_place_tuple(&r.command),
                                           sim_place_tuple(&r.other), (r.low, r.high) if r.high or r.low else None))
        free(all)
        return reports

    def clear(self):
        """Forget reports, log, failures, kernels' exceptions and call counts."""
        lp_lock_acquire(&self.m.lock)
        self.m.n_reports = self.m.n_failures = 0
        self.m.n_log = self.m.n_log_waits = self.m.redundant = self.m.dropped_reports = 0
        lp_lock_release(&self.m.lock)
        self.errors.clear()
        self.reset_calls()

    @property
    def redundant_waits(self):
        """Waits so far that the queue's own order, or other waits of the same list, implied."""
        return self.m.redundant

    @property
    def log(self):
        """Accepted commands, if `record`: (device, queue, number, kind, waits, tag).

        Numbers count a queue's commands, markers with waits included; a bare marker has none and is not in the log.
        ``waits`` are (queue, number), or (device, queue, number) for another device's queue, or (None, id) for a user
        event. ``tag`` is a launch's kernel name (its tag for ``mix``), and the size in bytes for copy and fill.
        """
        cdef uint64_t i, j, n
        cdef sim_log_entry *entries
        cdef sim_log_entry *e
        cdef sim_place *places
        cdef sim_place *w
        lp_lock_acquire(&self.m.lock)
        n = self.m.n_log
        entries = <sim_log_entry *>sim_duplicate(self.m.log, n * sizeof(sim_log_entry))
        places = <sim_place *>sim_duplicate(self.m.log_waits, self.m.n_log_waits * sizeof(sim_place))
        lp_lock_release(&self.m.lock)
        commands = []
        for i in range(n):
            e = &entries[i]
            waits = []
            for j in range(e.first_wait, e.first_wait + e.n_waits):
                w = &places[j]
                if w.device < 0:
                    waits.append((None, w.number))
                elif w.device == e.command.device:
                    waits.append((w.queue, w.number))
                else:
                    waits.append((w.device, w.queue, w.number))
            tag = e.tag if e.kernel == NULL or e.kernel.function == NULL else e.kernel.name.decode()
            commands.append((*sim_place_tuple(&e.command), sim_call_names[<int>e.kind].decode(), waits, tag))
        free(entries)
        free(places)
        return commands

    @property
    def calls(self):
        """dict: calls so far by table function, failed ones included, and ``uploaded`` and ``downloaded`` bytes."""
        counts = {sim_call_names[i].decode(): self.m.calls[i] for i in range(<int>SIM_PROGRAM_BUILD)}
        return counts | {"uploaded": self.m.uploaded, "downloaded": self.m.downloaded}

    def reset_calls(self):
        """Count calls, bytes and depth from zero again."""
        lp_lock_acquire(&self.m.lock)
        memset(self.m.calls, 0, sizeof(self.m.calls))
        self.m.uploaded = self.m.downloaded = self.m.deepest = 0
        lp_lock_release(&self.m.lock)

    @property
    def deepest(self):
        """The most commands and markers that a queue has held at once since `reset_calls`."""
        return self.m.deepest

    @property
    def dependent_launches(self):
        """Launches in the log that might start before the kernel before them had ended, as (device, queue, number)."""
        cdef uint64_t i, n
        cdef sim_log_entry *entries
        lp_lock_acquire(&self.m.lock)
        n = self.m.n_log
        entries = <sim_log_entry *>sim_duplicate(self.m.log, n * sizeof(sim_log_entry))
        lp_lock_release(&self.m.lock)
        launches = [sim_place_tuple(&entries[i].command) for i in range(n) if entries[i].dependent]
        free(entries)
        return launches

    @property
    def overlaps(self):
        """How many of them did."""
        return self.m.n_overlaps

    @property
    def live_events(self):
        """Events, of markers and of the host, that have not been released."""
        return self.m.n_live_events

    @property
    def live_programs(self):
        """Programs that have not been released."""
        return self.m.n_programs

    @property
    def failures(self):
        """Commands that failed when they ran, as (device, queue, number), oldest first."""
        cdef uint32_t i, n
        cdef sim_place *places
        lp_lock_acquire(&self.m.lock)
        n = self.m.n_failures
        places = <sim_place *>sim_duplicate(self.m.failures, n * sizeof(sim_place))
        lp_lock_release(&self.m.lock)
        failures = [sim_place_tuple(&places[i]) for i in range(n)]
        free(places)
        return failures

    cdef list all_queues(self, bint only_ready):
        """A row (device, queue, number, pending, flushed, released, priority) for each."""
        cdef uint32_t i, n
        cdef uint64_t *rows
        cdef uint64_t *row
        cdef sim_queue *q
        lp_lock_acquire(&self.m.lock)
        n = self.m.n_queues
        rows = <uint64_t *>malloc(max(n, 1) * 8 * sizeof(uint64_t))
        for i in range(n):
            row, q = rows + 8 * i, self.m.queues[i]
            row[0], row[1], row[2], row[3] = q.device.index, q.index, q.number, q.submitted - q.finished
            row[4], row[5], row[6] = q.flushed >= q.submitted, q.life != SIM_LIVE, <uint64_t><int64_t>q.priority
            row[7] = sim_ready(self.m, q)
        lp_lock_release(&self.m.lock)
        states = []
        for i in range(n):
            row = rows + 8 * i
            if row[7] or not only_ready:
                states.append(SimulatedQueueState(row[0], row[1], row[2], row[3], row[4] != 0, row[5] != 0,
                                                  <int64_t>row[6]))
        free(rows)
        return states

    @property
    def queues(self):
        """list of SimulatedQueueState: (device, queue, number, pending, flushed, released, priority) of all queues."""
        return self.all_queues(False)

    def ready(self):
        """The queues whose next command can run, as (device, queue)."""
        return sorted((q.device, q.queue) for q in self.all_queues(True))

    cdef sim_queue *queue(self, queue, device) except NULL:
        cdef sim_queue *q = NULL
        cdef uint32_t i
        cdef int wanted, place
        if isinstance(queue, tuple):
            device, queue = queue
        wanted, place = queue, device
        lp_lock_acquire(&self.m.lock)
        for i in range(self.m.n_queues):
            if self.m.queues[i].index == wanted and self.m.queues[i].device.index == place:
                q = self.m.queues[i]
        lp_lock_release(&self.m.lock)
        if q == NULL:
            raise IndexError(f"expected a queue of device {device}, got {queue}, which it does not have")
        return q

    def clock(self, queue, device=0, bint host=False):
        """What the driver calls order before the queue's next command: {(device, queue): number}.

        With `host`, what the host has waited for counts too.
        """
        cdef sim_queue *q = self.queue(queue, device)
        cdef sim_queue *other
        cdef sim_place *places
        cdef uint32_t i, n
        lp_lock_acquire(&self.m.lock)
        if host:
            sim_queue_sees_host(q)
        n = self.m.n_queues
        places = <sim_place *>malloc(n * sizeof(sim_place))
        for i in range(n):
            other = self.m.queues[i]
            places[i] = sim_place_of(other, sim_clock_at(q.full if host else q.order, other))
            if other == q:
                places[i].number = <int64_t>q.number
        lp_lock_release(&self.m.lock)
        latest = {(places[i].device, places[i].queue): places[i].number for i in range(n) if places[i].number}
        free(places)
        return latest
