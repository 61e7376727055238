# Device: a driver's device with its domain (legacy stream and order lock), its pool, and what closing leaves behind.

cdef bint exiting = False          # the interpreter is going down: drivers may be gone, so nothing is released any more
cdef list open_devices = []


cdef class DeviceBase:
    """A device as Python holds it: it lives as long as the process, like a primary context."""
    cdef lp_domain *domain
    cdef readonly DriverDevice driver
    cdef readonly dict info
    cdef readonly Pool pool
    cdef readonly QueueBase legacy # set once by the public class
    cdef list raised               # by host functions: (token of the stream, blocking, error)
    cdef uint64_t local_memory     # bytes that the library keeps for each thread, as far as launches tell

    def __cinit__(self, DriverDevice driver not None, *args, **kwargs):
        cdef lp_domain *domain = <lp_domain *>calloc(1, sizeof(lp_domain))
        if domain == NULL:
            raise MemoryError
        domain.refs = 1
        domain.table, domain.device, domain.context = driver.table, driver.handle, driver.context
        domain.flush_each, domain.native = driver.flush_each, driver.native
        lp_lock_init(&domain.order_lock)
        self.domain, self.driver, self.info = domain, driver, driver.info
        self.info["host_accessible"] = bool(driver.host_accessible)
        self.pool, self.raised = Pool.__new__(Pool), []
        self.pool.__init__(self)       # `Pool(self)` is refused: see sealed.pxi
        driver.pool = self.pool
        open_devices.append(self)

    def set_legacy(self, QueueBase stream not None):
        """Give the device its legacy default stream, once; it keeps it alive."""
        if self.legacy is not None or stream.device is not self or stream.queue.kind != QUEUE_LEGACY:
            raise errors.ArgumentValueError(f"{self.info['name']!r} has one legacy default stream, and makes that itself")
        self.legacy = stream

    def synchronize(self):
        cdef lp_queue **queues = NULL
        cdef uint32_t n = 0
        cdef int code
        with nogil:
            code = list_queues(self.domain, &queues, &n)
        finish_all(queues, n, code)
        with nogil:
            reap_closed(self.domain)
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
                if is_captured(queue):
                    lp_add(&queue.users, -1)
                    queue_unref(queue)
                else:
                    queues[kept] = queue
                    kept += 1
        finish_all(queues, kept, code)
        with nogil:
            reap_closed(self.domain)

    cdef raise_host_failures(self, covered):
        """Raise what host functions raised on a stream (its token), on what the legacy one covers (None), or on all (True)."""
        if not self.raised:
            return
        found = [entry for entry in self.raised if covered is True or (
            entry[1] if covered is None else entry[0] is covered)]
        for entry in found:
            self.raised.remove(entry)
        if found:
            error = found[0][2]
            raise errors.HostFunctionError(
                f"a host function raised {type(error).__name__}: {error}"
                + (f" ({len(found) - 1} more raised after it)" if len(found) > 1 else "")) from error

    def __dealloc__(self):
        if self.domain != NULL and not exiting:
            domain_unref(self.domain)

    def close(self):
        """Wait for the device's work and give everything back; nothing of it can be used afterwards.

        Real devices stay open as long as the process lives; simulated ones come and go."""
        self.synchronize()
        _workers.settle(1.0)
        self.pool.trim()
        self.legacy = None
        self.synchronize()             # the legacy queue's end, if its handle had been given out
        open_devices.remove(self)

    def order_before(self, QueueBase stream not None):
        """Let what is submitted to a stream from now on come after everything submitted to the device so far."""
        cdef lp_queue **queues = NULL
        cdef lp_mark *mark = NULL
        cdef uint32_t i, n = 0
        cdef int code
        cdef bint captured, other
        with nogil:
            code = list_queues(self.domain, &queues, &n)
            captured = is_captured(stream.queue)
            for i in range(n):
                # A stream that is captured is ordered with those of its capture, and the legacy one then with none.
                other = is_captured(queues[i])
                if other != captured or other and QUEUE_LEGACY in (queues[i].kind, stream.queue.kind):
                    continue
                if code == 0 and queues[i] != stream.queue:
                    code = queue_record(queues[i], False, &mark)
                    if code == 0:
                        code = queue_wait(stream.queue, mark)
                        mark_unref(mark)
            unlist(queues, n)
        if code:
            raise failure(self.domain.table, code)

    def ordering_counts(self):
        """Markers made, and markers left out that one in every queue for every command would have made."""
        return self.domain.markers_made, self.domain.markers_left_out


cdef lp_queue *closed_first = NULL     # queues whose streams are gone with work in flight (registry_lock), by `listed`


cdef void close_queue(lp_queue *queue) noexcept nogil:
    """The stream is gone. What was submitted goes on, and the legacy stream goes on waiting for it."""
    global closed_first
    cdef lp_mark *mark = NULL
    lp_lock_acquire(queue.lock)
    if queue.shared:
        # The handle went with the stream: what foreign code left in it ends, and then it is like any other.
        foreign_moved(queue)
        queue.shared = False
        if queue.kind == QUEUE_BLOCKING and not queue.domain.native:
            queue.domain.shared -= 1
    reap(queue)
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
    if is_complete(queue.slot, queue.number) and queue.n_pending == 0 and not queue.failure and queue_end(queue):
        return
    lp_lock_acquire(&registry_lock)
    queue.closed = closed_first
    closed_first = queue
    lp_lock_release(&registry_lock)


cdef void reap_closed(lp_domain *domain) noexcept nogil:
    """End the closed queues whose work is known to be complete by now."""
    global closed_first
    cdef lp_queue *queue
    cdef lp_queue *rest
    cdef bint done
    if closed_first == NULL:
        return
    lp_lock_acquire(&registry_lock)
    rest, closed_first = closed_first, NULL
    lp_lock_release(&registry_lock)
    while rest != NULL:
        queue, rest = rest, rest.closed
        done = True
        if queue_query(queue, &done):
            done = is_complete(queue.slot, queue.number)     # it failed, and is over with that
        # One that failed stays until the device's synchronize has told of it.
        if done and not queue.failure and queue_end(queue):
            continue
        lp_lock_acquire(&registry_lock)
        queue.closed = closed_first
        closed_first = queue
        lp_lock_release(&registry_lock)


cdef void share_queue(lp_queue *queue) noexcept nogil:
    lp_lock_acquire(queue.lock)
    if not queue.shared:
        queue.shared = True
        if queue.kind == QUEUE_BLOCKING and not queue.domain.native:
            queue.domain.shared += 1
    lp_lock_release(queue.lock)


def set_ordering(str mode):
    """Choose the ordering for the whole process: "clocks", "nonempty" or "always"."""
    global ordering
    cdef dict modes = {"clocks": ORDERING_CLOCKS, "nonempty": ORDERING_NONEMPTY, "always": ORDERING_ALWAYS}
    if mode not in modes:
        raise errors.ArgumentValueError(f"LAUNCHPATH_ORDERING is {mode!r}: it takes 'clocks', 'nonempty' or 'always'")
    ordering = modes[mode]


def ordering_mode():
    """The ordering in force, as `set_ordering` takes it."""
    return {ORDERING_CLOCKS: "clocks", ORDERING_NONEMPTY: "nonempty", ORDERING_ALWAYS: "always"}[ordering]


def set_launch_blocking(bint blocking):
    """Make every launch, copy and fill from now on synchronous, on whatever stream."""
    global launch_blocking
    launch_blocking = blocking
