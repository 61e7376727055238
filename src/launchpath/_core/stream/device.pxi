# Device: a driver's device with its domain (legacy stream and order lock), its pool, and the state after closing.


cdef void leave_domains(lp_domain *domain) noexcept nogil:
    """No memory of other devices is used by this one's queues any more. Caller holds registry_lock."""
    cdef lp_domain **place = &lp_runtime.domains
    while place[0] != NULL and place[0] != domain:
        place = &place[0].next_domain
    if place[0] != NULL:
        place[0] = domain.next_domain


cdef void domain_refuses(lp_domain *domain, int code) noexcept nogil:
    """Nothing of the device can be used from now on. Caller holds registry_lock, or is the only thread."""
    cdef lp_queue *queue = domain.queues
    domain.refused = code
    while queue != NULL:
        lp_store(&queue.epoch, EPOCH_CLOSED)
        queue = queue.next


cdef class DeviceBase:
    """A device as Python holds it: it lives as long as the process, like a primary context."""
    cdef lp_domain *domain
    cdef DriverDevice driver       # the public class has its name there: see `driver_device`
    cdef readonly dict info
    cdef readonly Pool pool
    cdef readonly QueueBase legacy  # set once by the public class; None once the device is closed
    cdef lp_queue *legacy_queue    # the same, a reference: launchers point to it
    cdef lp_ring small_ring, large_ring
    cdef list left                 # copies to host memory whose callers were called away
    cdef list raised               # by host functions: (token of the stream, blocking, error)
    cdef uint64_t identity         # which no other device of the process has, or had
    cdef dict peers                # what is known of other devices, by their identity: see transfer/peer.pxi
    cdef uint64_t local_memory     # bytes that the library keeps for each thread, as far as launches tell
    cdef size_t limit_before, limit_grown  # the library's limit of these bytes: before launches raised it, and since
    cdef object growing            # a lock: one launch raises the limit, or one thread lowers it

    def __cinit__(self, driver_device=None, *args, **kwargs):
        import threading
        if not isinstance(driver_device, DriverDevice):
            raise TypeError("use launchpath.device(0), launchpath.devices() or launchpath.current_device() to get a device")
        cdef DriverDevice driver = <DriverDevice>driver_device
        cdef lp_domain *domain = <lp_domain *>calloc(1, sizeof(lp_domain))
        if domain == NULL:
            raise MemoryError
        domain.refs = 1
        domain.driver = domain.table = driver.table
        domain.device, domain.context = driver.handle, driver.context
        (<lp_domain **>driver.handle)[0] = domain
        domain.flush_each, domain.native = driver.flush_each, driver.native
        domain.ask_when_empty = "ask-when-empty" in driver.info.get("workarounds", ())
        lp_lock_init(&domain.order_lock)
        lp_lock_init(&domain.layers.times_lock)
        lp_lock_rank(&domain.order_lock, RANK_QUEUE)
        ring_init(&self.small_ring, PIECE_SMALL)
        ring_init(&self.large_ring, PIECE_LARGE)
        self.domain, self.driver, self.info = domain, driver, driver.info
        self.info["host_accessible"] = bool(driver.host_accessible)
        self.info["managed_memory"] = not driver.managed_lacks
        self.info["dependent_launches"] = not driver.dependent_lacks
        self.info["concurrent_managed_access"] = bool(driver.managed_concurrent) and not driver.managed_lacks
        self.pool, self.raised, self.left, self.peers = Pool.__new__(Pool), [], [], {}
        self.growing = threading.Lock()
        self.pool.__init__(self, driver.slab)      # `Pool(self)` is refused: see python/sealed.pxi
        driver.pool, domain.heap = self.pool, &self.pool.heap
        lp_lock_acquire(&lp_runtime.registry_lock)
        domain.next_domain, lp_runtime.domains = lp_runtime.domains, domain
        lp_runtime.identities += 1
        self.identity = lp_runtime.identities
        lp_lock_release(&lp_runtime.registry_lock)
        if lp_runtime.steps and set_layer(domain, LAYER_STEP, True):
            raise MemoryError
        if lp_runtime.watches_writes and set_layer(domain, LAYER_WRITES, True):
            raise MemoryError
        open_devices.append(self)

    @property
    def driver_device(self):
        """The driver's own object; `driver` is its name, as users know it."""
        return self.driver

    def set_legacy(self, QueueBase stream not None):
        """Give the device its legacy default stream, once; it keeps it alive."""
        if self.legacy is not None or stream.device is not self or stream.queue.kind != QUEUE_LEGACY:
            raise errors.ArgumentValueError(
                f"{self.info['name']!r} creates its only legacy default stream itself: use that stream")
        queue_ref(stream.queue)
        self.legacy_queue = stream.queue
        self.legacy = stream

    cdef inline int check_open(self) except -1:
        if self.domain.refused:
            raise failure(self.domain.table, self.domain.refused)
        return 0

    def __enter__(self):
        enter(self, None)
        return self

    def __exit__(self, *raised):
        leave(self, None)

    def synchronize(self):
        cdef lp_queue **queues = NULL
        cdef uint32_t n = 0
        cdef int code, result = -1
        cdef lp_call call
        self.check_open()
        call.ring = NULL
        if unlikely(lp_runtime.watched):
            call_begin(&call, API_DEVICE_SYNCHRONIZE)
        try:
            with nogil:
                code = list_queues(self.domain, &queues, &n)
            finish_all(queues, n, code)
            result = 0
        finally:
            call_end(&call, result, n, NULL, self.domain)
        with nogil:
            reap_closed(self.domain, True)
        drop_left_copies(self)
        heed_bounds(self.domain)
        self.raise_host_failures(True)

    cdef finish_running(self):
        """`synchronize`, but for streams that are captured: nothing of theirs runs."""
        cdef lp_queue **queues = NULL
        cdef lp_queue *queue
        cdef uint32_t i, kept = 0, n = 0
        cdef int code
        with nogil:
            code = list_queues(self.domain, &queues, &n)
            for i in range(n):
                queue = queues[i]
                # A host function that allocates cannot wait for what waits for its own end.
                if is_captured(queue) or queue_waits_for_me(queue):
                    lp_add(&queue.users, -1)
                    queue_unref(queue)
                else:
                    queues[kept] = queue
                    kept += 1
        finish_all(queues, kept, code)
        with nogil:
            reap_closed(self.domain, True)

    cdef raise_host_failures(self, covered):
        """Raise what host functions raised on a stream (its token), on what the legacy one covers (None), or on all
        (True)."""
        if not self.raised:
            return
        failures = [entry for entry in self.raised if covered is True or (
            entry[1] if covered is None else entry[0] is covered)]
        if not failures:
            return
        error = failures[0][2]
        more = f" ({len(failures) - 1} more raised after it)" if len(failures) > 1 else ""
        raising = errors.HostFunctionError(f"a host function raised {text_of(error)}{more}")
        for entry in failures:
            for i in range(len(self.raised)):          # by identity: an exception's own == may raise
                if self.raised[i] is entry:
                    del self.raised[i]
                    lp_add(&lp_runtime.host_raised, -1)
                    break
        raise raising from error

    def __dealloc__(self):
        if self.domain != NULL and not lp_runtime.exiting:
            if self.legacy_queue != NULL:
                queue_unref(self.legacy_queue)
            lp_lock_acquire(&lp_runtime.registry_lock)
            leave_domains(self.domain)
            lp_lock_release(&lp_runtime.registry_lock)
            domain_unref(self.domain)

    cdef trim_rings(self):
        ring_trim(self, &self.small_ring)
        ring_trim(self, &self.large_ring)

    def close(self):
        """Wait for the device's work and give everything back; nothing of it can be used afterwards.

        Real devices stay open as long as the process lives; simulated ones come and go. What is used of a closed device
        raises `LaunchpathError`."""
        if self.domain.refused == ERROR_CLOSED:
            return
        self.synchronize()
        with nogil:
            settle_workers(1000000)
            settle_waiters(1000000)
            settle_watcher(1000000)
        self.pool.trim()
        self.legacy = None
        self.synchronize()             # the legacy queue's end, if its handle had been given out
        with nogil:
            drop_times(self.domain)
            drop_timed(self.domain)
            lp_lock_acquire(&lp_runtime.registry_lock)
            domain_refuses(self.domain, ERROR_CLOSED)
            if self.legacy_queue != NULL:
                lp_store(&self.legacy_queue.epoch, EPOCH_CLOSED)
            leave_domains(self.domain)
            lp_lock_release(&lp_runtime.registry_lock)
        open_devices.remove(self)

    def order_before(self, QueueBase stream not None):
        """Let what is submitted to a stream from now on come after everything submitted to the device so far."""
        cdef lp_queue **queues = NULL
        cdef lp_mark *mark = NULL
        cdef uint32_t i, n = 0
        cdef int code
        cdef bint captured, other
        self.check_open()
        with nogil:
            code = list_queues(self.domain, &queues, &n)
            captured = is_captured(stream.queue)
            for i in range(n):
                # A stream that is captured is ordered with those of its capture, and the legacy one then with none.
                other = is_captured(queues[i])
                if other != captured or other and QUEUE_LEGACY in (queues[i].kind, stream.queue.kind):
                    continue
                if code == 0 and queues[i] != stream.queue:
                    heed_failures(queues[i])
                    code = record_now(queues[i], False, False, &mark)
                    if code == 0:
                        code = queue_wait(stream.queue, mark)
                        mark_unref(mark)
            queues_unlist(queues, n)
        if code:
            raise failure(self.domain.table, code)

    def ordering_counts(self):
        """Markers made, and markers left out that one in every queue for every command would have made."""
        return self.domain.markers_made, self.domain.markers_left_out


cdef enum:
    REAP_SOME = 2              # closed queues that are found busy before a look ends, unless it is at all of them
    REAP_MOST = 16             # queues that it ends at most


cdef void close_queue(lp_queue *queue) noexcept nogil:
    """The stream is gone. What was submitted goes on, and the legacy stream goes on waiting for it."""
    cdef lp_mark *mark = NULL
    lp_lock_acquire(queue.lock)
    if queue.shared:
        # The handle went with the stream: what foreign code left in it ends, and then it is like any other.
        foreign_moved(queue)
        queue.shared = False
        if queue.kind == QUEUE_BLOCKING and not queue.domain.native:
            queue.domain.shared -= 1
    queue_reap(queue)
    if queue.adopted and queue.table.queue_detach != NULL:
        queue.table.queue_detach(queue.handle)         # if it cannot, the foreign stream must stay until it is idle
    if not is_complete(queue.slot, queue.number):
        # A mark tells later, without blocking, that it is done; events recorded here share it.
        mark = queue_mark(queue)
        if mark != NULL:
            mark_make(mark)
    elif queue.mark != NULL:
        queue_settle(queue)
    lp_lock_release(queue.lock)
    if (is_complete(queue.slot, queue.number) and queue.n_pending == 0 and not (queue.failure or queue.late)
            and queue_end(queue)):
        return
    add_closed(queue)


cdef void add_closed(lp_queue *queue) noexcept nogil:
    lp_lock_acquire(&lp_runtime.registry_lock)
    queue.closed = NULL
    if lp_runtime.closed_first == NULL:
        lp_runtime.closed_first = queue
    else:
        lp_runtime.closed_last.closed = queue
    lp_runtime.closed_last = queue
    lp_runtime.n_closed += 1
    lp_lock_release(&lp_runtime.registry_lock)


cdef void reap_closed(lp_domain *domain, bint all) noexcept nogil:
    """End closed queues whose work is known to be complete by now: all, or as many as a new stream can afford.

    Each new stream looks at some, so the list gets shorter whenever queues become idle, at a cost that does not depend
    on how many were dropped."""
    cdef lp_queue *queue
    cdef uint64_t left = lp_load(&lp_runtime.n_closed)
    cdef uint32_t busy = 0, ended = 0
    cdef bint done
    while left and (all or busy < REAP_SOME and ended < REAP_MOST):
        left -= 1
        lp_lock_acquire(&lp_runtime.registry_lock)
        queue = lp_runtime.closed_first
        if queue != NULL:
            lp_runtime.closed_first = queue.closed
            lp_runtime.n_closed -= 1
        lp_lock_release(&lp_runtime.registry_lock)
        if queue == NULL:
            return
        done = True
        if queue_query(queue, &done):
            done = is_complete(queue.slot, queue.number)     # it failed, and is over with that
        # One that failed stays until the device's synchronize has told of it.
        if done and not (queue.failure or queue.late) and queue_end(queue):
            ended += 1
        else:
            busy += 1
            add_closed(queue)


cdef void share_queue(lp_queue *queue) noexcept nogil:
    lp_lock_acquire(queue.lock)
    queue.domain.exposed = True
    if queue.kind != QUEUE_LEGACY:
        queue.order_identity = 0
    if not queue.shared:
        queue.shared = True
        if queue.kind == QUEUE_BLOCKING and not queue.domain.native:
            queue.domain.shared += 1
    lp_lock_release(queue.lock)


def set_ordering(str mode):
    """Choose the ordering for the whole process: "clocks", "nonempty" or "always"."""
    cdef dict modes = {"clocks": ORDERING_CLOCKS, "nonempty": ORDERING_NONEMPTY, "always": ORDERING_ALWAYS}
    if mode not in modes:
        raise errors.ArgumentValueError(f"LAUNCHPATH_ORDERING: expected 'clocks', 'nonempty' or 'always', got {mode!r}")
    lp_runtime.ordering = modes[mode]


def ordering_mode():
    """The ordering in force, as `set_ordering` takes it."""
    return {ORDERING_CLOCKS: "clocks", ORDERING_NONEMPTY: "nonempty", ORDERING_ALWAYS: "always"}[lp_runtime.ordering]


def set_launch_blocking(bint blocking):
    """Make every launch, copy and fill from now on synchronous, on whatever stream."""
    lp_runtime.launch_blocking = blocking
    watch_launches()
