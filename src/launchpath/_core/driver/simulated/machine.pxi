# The machine as tests steer it.


cdef void sim_keep_advancing(sim_machine *m) noexcept nogil:
    cdef bint any
    cdef unsigned pause
    lp_lock_acquire(&m.lock)
    while m.helped and not m.closed:
        any = sim_advance(m)
        pause = <unsigned>(sim_random(m) % 64)
        lp_lock_release(&m.lock)
        if not any or pause == 0:
            sim_sleep(20)
        lp_lock_acquire(&m.lock)
    lp_lock_release(&m.lock)


cdef class Simulated(SimulatedHistory):
    """A simulated machine: devices whose commands run when a test says so, and that judges what it is asked to do.

    Nothing runs at submission. Commands run in `advance` and `submit_run`, in calls that block (while `automatic`), and in the
    background thread. Each command's accesses are compared with all earlier ones of the same bytes when it is
    submitted: two that conflict and that nothing in the driver calls orders are reported, whatever order they run in.

    Parameters
    ----------
    devices : int
        How many devices.
    seed : int
        Of the schedule: the same seed and the same calls give the same order of commands.
    share_context : bool
        All devices in one context; otherwise each has its own.
    host_accessible : bool
        Whether the host can reach device memory. If not, device addresses trap when the host uses them.
    managed : {"concurrent", "idle", "none"}
        Whether the devices have managed memory, and when the host may use it: at any time, or while they are idle.
    flush_each : bool
        A command does not start before its queue is flushed.
    priorities : tuple of int
        Lowest and highest.
    total_memory : int
        Bytes of device memory of each device.
    automatic : bool
        Blocking calls run random ready commands until satisfied. Otherwise something else has to.
    patience : float
        Seconds that a blocking call waits, once nothing can run, for other threads before it returns SIM_DEADLOCK.
        With one thread and no user event pending it returns at once.
    record : bool
        Keep `log`.
    on_failed_wait : {"fail", "run"}
        What a command does whose wait list has a failed event: fail at once, even while others are pending, or run.
    after_failure : {"run", "fail"}
        What later commands of a queue do after one failed and before a finish has said so. Markers fail in any case.
    handoff : {"linked", "thread", "any"}
        Which events a user event is ordered after when it is set, besides what the host has waited for. "thread": the
        one inside whose callback it is set. "linked": also those whose callbacks have run and were registered by the
        thread that created it, after its creation and before that thread's next command (bare markers, and a command
        before the first such registration, do not count). "any": all whose callbacks have run since its creation,
        which may claim too much.
    watch_sources : bool
        Report copies from host memory that changed between the call and the copy (up to 64 KiB each).
    memory_slab : int
        Bytes of the memory that small allocations share. Without it each has its own, so that the machine sees its
        ends.
    peers : {"none", "copies", "access"}
        What devices can do with each other's memory: nothing, copy it row by row, or also copy rows in one command and
        use it in kernels, once that was enabled.
    unloads : bool
        Releasing a program unloads it, as on CUDA and HIP: launches of it that the host does not know to be over are
        reported, and fail if they run after that. Otherwise a launch keeps its program, as in OpenCL.
    dependent : {"none", "waiting", "all"}
        Which kernels may start while the kernel before them ends: those that wait at their entry and are right behind
        one that does, as on CUDA devices of compute capability 9.0 and later. "all", whether they wait or not, is a
        mistake, to see that it is noticed.
    quarantine : int
        Bytes of freed memory that are kept to find late uses.
    **info
        Entries of the devices' ``info``, limits among them (``max_threads_per_block``, ``max_block``, ``max_grid``,
        ``shared_memory_per_block``, ``parameter_bytes``).
    """
    cdef readonly list devices
    cdef list functions
    cdef object thread
    cdef object __weakref__

    def __cinit__(self, int devices=1, seed=0, **options):
        self.m = sim_machine_new(seed & 0xFFFFFFFF)
        self.m.owner = <void *>self

    def __init__(self, int devices=1, seed=0, *, bint share_context=False, bint host_accessible=True,
                 bint flush_each=True, priorities=(0, -2), total_memory=1 << 30, bint automatic=True, patience=2.0,
                 bint record=True, on_failed_wait="fail", after_failure="run", handoff="linked",
                 bint watch_sources=True, quarantine=1 << 26, size_t memory_slab=0, peers="none",
                 managed="concurrent", bint unloads=False, dependent="none", **info):
        self.m.automatic, self.m.record, self.m.watch = automatic, record, watch_sources
        self.m.patience, self.m.quarantine_limit = patience, quarantine
        self.m.fail_waiters = ("run", "fail").index(on_failed_wait)
        self.m.fail_followers = ("run", "fail").index(after_failure)
        self.m.dependent = <sim_dependence><int>("none", "waiting", "all").index(dependent)
        self.m.handoff = ("thread", "linked", "any").index(handoff)
        self.errors, self.functions, self.devices = [], [], []
        reach = {"none": 0, "copies": PEER_COPIES, "access": PEER_COPIES | PEER_ACCESS | PEER_ROWS}[peers]
        facts = {"name": "Simulated", "vendor": "launchpath", "platform": "simulated", "driver_version": "1",
                 "driver": "simulated", "kind": "simulated", "compute_units": 4, "max_threads_per_block": 1024,
                 "max_block": (1024, 1024, 64), "max_grid": (2**31 - 1, 65535, 65535),
                 "shared_memory_per_block": 49152, "parameter_bytes": 4096, "total_memory": total_memory,
                 "priorities": tuple(priorities), "dialect": "simulated"} | info
        self.m.devices = <sim_device **>calloc(max(1, devices), sizeof(sim_device *))
        for i in range(devices):
            self.devices.append(sim_device_new(self, i, share_context, host_accessible, flush_each, memory_slab, reach, facts))
            self.devices[i].manage(managed)
            self.devices[i].unload(unloads)
            self.devices[i].launch_dependently(dependent != "none")

    def __del__(self):
        # Before the cycle collector clears the kernels' functions: none may be called after that.
        self.m.owner = NULL
        lp_lock_acquire(&self.m.lock)
        sim_machine_close(self.m)
        lp_lock_release(&self.m.lock)

    def __dealloc__(self):
        if self.m != NULL:
            sim_machine_drop(self.m)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def close(self):
        """End the simulation: report queues, events and allocations that were never given back.

        Returns
        -------
        list of SimulatedReport
            All reports, leaks included.
        """
        self.background(False)
        with nogil:
            lp_lock_acquire(&self.m.lock)
            sim_machine_close(self.m)
            lp_lock_release(&self.m.lock)
        return self.reports

    # --- schedule

    def advance(self, queue=None, device=0):
        """Run one ready command, or a marker; callbacks that are due are called before and after.

        Parameters
        ----------
        queue : int or tuple of (device, queue), optional
            A queue by its number on its device, in the order of creation. A random ready one by default.
        device : int
            The queue's device, when `queue` is an int.

        Returns
        -------
        tuple or None
            (device, queue, number, kind) of what ran; None if nothing was ready.
        """
        cdef sim_queue *q = NULL if queue is None else self.queue(queue, device)
        cdef bint chosen = q != NULL, ready
        cdef sim_place place
        cdef sim_node *node
        cdef sim_call kind = SIM_MARKER
        with nogil:
            lp_lock_acquire(&self.m.lock)
            if not self.m.hold_callbacks:
                sim_deliver(self.m)
            if not chosen:
                q = sim_pick(self.m)
            ready = q != NULL and sim_ready(self.m, q)
            if ready:
                node = sim_choose(q)
                place, kind = sim_place_of(q, node.number), node.kind
                sim_step(node)
                if not self.m.hold_callbacks:
                    sim_deliver(self.m)
            lp_lock_release(&self.m.lock)
        return (*sim_place_tuple(&place), sim_call_names[<int>kind].decode()) if ready else None

    def run(self, most=None):
        """Advance until nothing is ready, or `most` times; how many commands and markers ran."""
        cdef uint64_t bound = <uint64_t>-1 if most is None else most, before
        with nogil:
            lp_lock_acquire(&self.m.lock)
            before = self.m.executed
            while self.m.executed - before < bound and sim_advance(self.m):
                pass
            before = self.m.executed - before
            lp_lock_release(&self.m.lock)
        return before

    def deliver(self):
        """Call the callbacks that are due, even while `hold_callbacks`; True if there were any."""
        cdef bint any
        with nogil:
            lp_lock_acquire(&self.m.lock)
            any = sim_deliver(self.m)
            lp_lock_release(&self.m.lock)
        return any

    def background(self, on=True):
        """Start (or stop) a thread that keeps advancing, in random order and at random pace."""
        if on and self.thread is None:
            import threading
            self.m.helped = True
            self.thread = threading.Thread(target=self._keep_advancing, name="launchpath-simulated", daemon=True)
            self.thread.start()
        elif not on and self.thread is not None:
            lp_lock_acquire(&self.m.lock)
            self.m.helped = False
            lp_lock_release(&self.m.lock)
            self.thread.join()
            self.thread = None

    def _keep_advancing(self):
        with nogil:
            sim_keep_advancing(self.m)

    @property
    def automatic(self):
        """Whether blocking calls run ready commands themselves."""
        return bool(self.m.automatic)

    @automatic.setter
    def automatic(self, bint value):
        self.m.automatic = value

    @property
    def patience(self):
        """Seconds that a blocking call waits for other threads."""
        return self.m.patience

    @patience.setter
    def patience(self, double value):
        self.m.patience = value

    @property
    def hold_callbacks(self):
        """While set, event callbacks are called by `deliver` only."""
        return bool(self.m.hold_callbacks)

    @hold_callbacks.setter
    def hold_callbacks(self, bint value):
        self.m.hold_callbacks = value

    # --- faults

    def fail(self, call, nth=1, code=SIM_INJECTED):
        """Let the `nth` next call of a table function fail with `code`, without effect."""
        names = [sim_call_names[i].decode() for i in range(<int>SIM_CALLS)]
        if call in ("queue_release", "event_release") or call not in names:
            raise ValueError(f"expected a table function that can fail, got {call!r}")
        self._fail(names.index(call), nth, code)

    def fail_after(self, n, code=SIM_INJECTED):
        """Let the `n`-th table call from now on fail, whichever it is; releases are not counted."""
        self._fail(<int>SIM_CALLS, n, code)

    def _fail(self, int call, uint64_t nth, int code):
        cdef sim_fault *fault
        if nth < 1 or code == 0:
            raise ValueError(f"expected a call from 1 on and a code other than 0, got {nth} and {code}")
        fault = <sim_fault *>calloc(1, sizeof(sim_fault))
        fault.call, fault.countdown, fault.code = call, nth, code
        lp_lock_acquire(&self.m.lock)
        fault.next = self.m.faults
        self.m.faults = fault
        lp_lock_release(&self.m.lock)

    def clear_faults(self):
        """Forget what `fail` and `fail_after` have asked for; how many that were."""
        cdef sim_fault *fault
        count = 0
        lp_lock_acquire(&self.m.lock)
        while self.m.faults != NULL:
            fault = self.m.faults
            self.m.faults = fault.next
            free(fault)
            count += 1
        lp_lock_release(&self.m.lock)
        return count

    def fail_command(self, int device, int queue, int64_t number):
        """Let a command fail when it runs: it has no effect, and its queue's next markers fail."""
        cdef sim_bad_command *bad = <sim_bad_command *>calloc(1, sizeof(sim_bad_command))
        bad.place.device, bad.place.queue, bad.place.number = device, queue, number
        lp_lock_acquire(&self.m.lock)
        bad.next = self.m.bad_commands
        self.m.bad_commands = bad
        lp_lock_release(&self.m.lock)

    # --- memory and kernels

    @property
    def capacity(self):
        """Bytes of device memory of each device; allocating more fails. Setting it does not touch what there is."""
        return self.m.devices[0].capacity if self.devices else 0

    @capacity.setter
    def capacity(self, uint64_t value):
        for i in range(len(self.devices)):
            self.m.devices[i].capacity = value

    def bytes(self, uintptr_t address, size_t size):
        """`size` bytes at a device or host address, as a writable memoryview; freed memory is reported."""
        cdef sim_allocation *a
        cdef sim_report *report
        cdef char *at
        cdef bint outside = False
        lp_lock_acquire(&self.m.lock)
        a = sim_find(self.m, address)
        at = sim_at(self.m, address)
        if a != NULL:
            outside = size > a.high - address
            if a.freed or outside:
                report = sim_report_new(
                    self.m, b"view of freed memory" if a.freed else b"view past an allocation's end", NULL, 0, NULL, 0)
                report.low, report.high = address, address + size
        lp_lock_release(&self.m.lock)
        if outside:
            raise ValueError(f"expected a view within its allocation, got {size} bytes at {<uint64_t>address:#x}")
        return PyMemoryView_FromMemory(at, <Py_ssize_t>size, PyBUF_WRITE)

    def view(self, address, count, dtype="u1"):
        """`count` items of `dtype` at a device or host address, as a writable NumPy array."""
        import numpy
        dtype = numpy.dtype(dtype)
        return numpy.frombuffer(self.bytes(address, count * dtype.itemsize), dtype)

    def host_access(self, uintptr_t address, size_t size, bint write):
        """Say that the host reads or writes memory now; a command that conflicts and was not waited for is reported."""
        lp_lock_acquire(&self.m.lock)
        sim_host_touches(self.m, address, size, write)
        lp_lock_release(&self.m.lock)

    def implement(self, name, function, parameters):
        """Give a kernel to every device; see `SimulatedDevice.implement`."""
        for device in self.devices:
            device.implement(name, function, parameters)
