# Memory: the pool of a device.
#
# Freeing notes, for every queue that may use the memory, the number of its last command; the memory can be used again
# when all of them are known to be complete. So it is safe whatever still uses the address: a launch in flight, a
# pointer inside a struct, a raw address. Only in the order of a stream it can be used at once, if what this stream does
# next comes after all that still uses it. What such memory awaits stays noted while it is in use: see awaited.pxi.

cdef size_t KEPT_FREE = 64 << 20                # bytes that are always kept for the next requests


@cython.no_gc_clear                # allocations that go later need the device
cdef class Pool:
    """The memory of a device: what arrays hold, what waits for work to end, and what can be used again."""
    cdef DeviceBase device_        # borrowed in effect: the device owns its pool
    cdef lp_heap heap
    cdef size_t slab               # bytes; 0: no request shares a segment
    cdef object freeing            # a lock: of the thread that gives free memory to the driver, which may wait
    cdef object draining           # a lock: of the thread that waits for work in flight to get memory
    cdef unsigned long drainer, freer      # the threads that have these locks
    cdef public object limit       # bytes held from the driver at most, or None

    def __init__(self, DeviceBase device, size_t slab=SLAB):
        self.device_ = device
        self.share(slab)
        self.renew_locks()
        self.limit = None

    def __dealloc__(self):
        if not lp_runtime.exiting:
            heap_delete(&self.heap)

    def share(self, size_t slab):
        """Let small allocations share segments of so many bytes; 0: each segment is one allocation's. For tests."""
        self.slab, self.heap.whole = slab, slab == 0

    def forked(self):
        """In a forked child: give out nothing more, and replace the locks, which threads of the parent may have
        held."""
        self.heap.forked = True
        self.renew_locks()

    cdef renew_locks(self):
        import threading
        lp_lock_init(&self.heap.lock)
        self.freeing, self.draining = threading.Lock(), threading.Lock()

    cdef void depart(self, void *program) noexcept:
        """Take a program that was dropped: launches may still use it."""
        heap_depart(&self.heap, program, NULL, self.device_.domain)

    cdef void depart_texture(self, void *texture) noexcept:
        """Take a texture that was dropped: commands may still use it."""
        heap_depart(&self.heap, NULL, texture, self.device_.domain)

    def begin_unheld(self, patience=None):
        """Begin an unheld period of this thread, for calls that wait for the device; see wait/unheld.pxi.

        Parameters
        ----------
        patience : float, optional
            Seconds to wait for the host to let all queues go on; without it, for ever.

        Returns
        -------
        bool
            False if the host still holds a queue back. Else `end_unheld` ends the period.
        """
        return unheld_begin(self.device_.domain, UNHELD_EVER if patience is None else <uint64_t>(1e6 * patience))

    def end_unheld(self):
        unheld_end(self.device_.domain)

    def unload(self):
        """Release programs and textures that nothing uses any more, unless the host holds a queue back. No lock is held."""
        cdef lp_departed *departed
        cdef lp_departed *refused = NULL
        cdef int code
        if not self.heap.n_departed:
            return
        self.poll()
        if not unheld_begin(self.device_.domain, UNHELD_NOW):
            return
        with nogil:
            departed = heap_next_departed(&self.heap)
            while departed != NULL:
                code = release_departed(self.device_.domain, departed)
                if code:           # tried again at the next call: the caller has not asked for it, and cannot be told
                    departed.next, refused = refused, departed
                else:
                    free(departed)
                departed = heap_next_departed(&self.heap)
            while refused != NULL:
                departed, refused = refused, refused.next
                heap_departed_again(&self.heap, departed)
        try:
            local_memory_shrink(self.device_)
        finally:
            unheld_end(self.device_.domain)

    cdef void poll(self) noexcept:
        """Ask the queues that memory may wait for how far they are. Never blocks."""
        cdef DeviceBase device
        cdef lp_domain *mine = self.device_.domain
        for device in open_devices:
            if may_use(device.domain, mine, False):
                domain_poll(device.domain)

    cdef void settle(self) noexcept:
        """Free what only waited for work that is over, and ask the queues if some still waits."""
        cdef bint waits
        lp_lock_acquire(&self.heap.lock)
        heap_sweep(&self.heap, True)
        waits = heap_waits(&self.heap)
        lp_lock_release(&self.heap.lock)
        if waits:
            self.poll()
            lp_lock_acquire(&self.heap.lock)
            heap_sweep(&self.heap, True)
            lp_lock_release(&self.heap.lock)

    def allocate(self, size_t size, QueueBase stream=None, int kind=MEMORY_DEVICE):
        """Get memory.

        Parameters
        ----------
        size : int
            Bytes.
        stream : QueueBase, optional
            Get it in this stream's order: it may be memory that the stream's earlier commands still use, so nothing but
            later commands of this stream, or what waits for them, may touch it. Without a stream anything may.
        kind : int
            0 for device memory, 1 for pinned host memory, 2 for managed memory.

        Raises
        ------
        OutOfMemoryError
            Arrays hold what would be needed. Memory that only waits for work in flight is waited for, however many
            threads want it; in a host function for one second at most, since its own stream's work does not end before
            it.
        """
        return self.take(size, NULL if stream is None else stream.queue, <memory_kind>kind, True)

    def allocate_here(self, size_t size, int kind=MEMORY_DEVICE):
        """Get memory for an array that names no stream: in the order of the current one."""
        return self.take(size, array_queue(self.device_), <memory_kind>kind, False)

    cdef inline Allocation take(self, size_t size, lp_queue *queue, memory_kind kind, bint named):
        cdef lp_call call
        cdef bint failed = True
        if likely(not lp_runtime.watched):
            return self.take_memory(size, queue, kind, named)
        call_begin(&call, API_ALLOCATE)
        try:
            allocation = self.take_memory(size, queue, kind, named)
            failed = False
            return allocation
        finally:
            call_end(&call, -1 if failed else 0, size, queue, self.device_.domain)

    cdef Allocation take_memory(self, size_t size, lp_queue *queue, memory_kind kind, bint named):
        cdef Allocation allocation = Allocation.__new__(Allocation)
        cdef size_t held = pool_size(size + lp_runtime.guard)
        cdef lp_extent *extent
        # What is captured runs later, and not in the order of its stream. Nothing captures the legacy stream.
        if queue != NULL and queue.kind != QUEUE_LEGACY and unlikely(
                capture_has(queue) or queue.shared and is_captured(queue)):
            queue = NULL
        lp_lock_acquire(&self.heap.lock)
        extent = heap_take(&self.heap, arena_of(kind, held), held, queue, named)
        lp_lock_release(&self.heap.lock)
        if unlikely(extent == NULL or self.heap.forked or self.device_.domain.refused or lp_runtime.graphs_gone != NULL):
            extent = self.take_slowly(extent, size, queue, kind, named)
        extent.asked = size
        allocation.address, allocation.size, allocation.extent, allocation.pool = extent.address, size, extent, self
        return allocation

    cdef lp_extent *take_slowly(self, lp_extent *extent, size_t size, lp_queue *queue, memory_kind kind,
                                bint named) except NULL:
        """`take` where no memory was at hand (`extent` is NULL), or something else is to be done first."""
        cdef size_t held = pool_size(size + lp_runtime.guard)
        cdef uint64_t began = lp_nanoseconds()
        cdef uint64_t gains
        cdef bint drained = False
        if extent != NULL:
            heap_give_back(&self.heap, extent, self.device_.domain)
        self.device_.check_open()
        take_from_graphs()
        while True:
            gains = self.heap.gains
            extent = self.find(held, queue, kind, named)
            if extent == NULL:
                try:
                    extent = self.grow_by(held, size, queue, kind)
                except MemoryError as shortage:
                    error = shortage
            if extent != NULL:
                if drained:
                    log_shortage(self, size, began)
                return extent
            if not pool_drain(self, held, gains, began) and drained:
                log_shortage(self, size, began)
                raise error
            drained = True

    cdef lp_extent *find(self, size_t held, lp_queue *queue, memory_kind kind, bint named) noexcept:
        """Memory of the pool that can be used at once, or NULL; a driver is asked only if some memory waits."""
        cdef lp_extent *extent = NULL
        cdef uint32_t arena = arena_of(kind, held)
        cdef bint waits = True
        cdef int turn
        for turn in range(2):
            if turn == 1:
                self.poll()
            lp_lock_acquire(&self.heap.lock)
            heap_sweep(&self.heap, held > MEMORY_SMALL)
            extent = heap_take(&self.heap, arena, held, queue, named)
            waits = heap_waits(&self.heap)
            lp_lock_release(&self.heap.lock)
            if extent != NULL or not waits:
                return extent
        return NULL

    cdef lp_extent *grow_by(self, size_t held, size_t size, lp_queue *queue, memory_kind kind) except? NULL:
        """Memory of the driver's: a slab for small requests if there is room, else what is needed."""
        cdef uint32_t arena = arena_of(kind, held)
        # While accesses are checked, the memory of arrays that are gone stays known.
        if not lp_runtime.bounds and self.heap.free_bytes > KEPT_FREE + (self.heap.in_use + self.heap.waiting_bytes) // 2:
            self.release_free(UNHELD_NOW)      # of sizes that are not requested now
        if held <= MEMORY_SMALL and self.slab > held and (
                self.limit is None or self.held + self.slab <= self.limit):
            try:
                return self.add_segment(arena, self.slab, held, size, queue)
            except MemoryError:
                pass
        return self.add_segment(arena, held, held, size, queue)

    cdef lp_extent *add_segment(self, uint32_t arena, size_t bytes_, size_t held, size_t size,
                                lp_queue *queue) except? NULL:
        cdef lp_domain *domain = self.device_.domain
        cdef lp_extent *extent = NULL
        cdef void *fresh = NULL
        cdef memory_kind kind = arena_kind(arena)
        cdef int code
        if self.limit is not None and self.held + bytes_ > self.limit:
            raise errors.OutOfMemoryError(
                "an allocation", f"over the limit of {self.limit:,} bytes that was set", 0, self.describe(size))
        with nogil:
            code = domain.table.allocate(domain.device, NULL, bytes_, kind, &fresh)
            if code == 0:
                extent = heap_add_segment(&self.heap, arena, fresh, bytes_, held,
                                          0 if queue == NULL else queue.identity)
                if extent == NULL:
                    domain.table.free(domain.device, fresh, kind)
        if code:
            raise failure(domain.table, code, self.describe(size), True)
        if extent == NULL:
            raise MemoryError
        return extent

    cdef void count_staging(self, Allocation memory, int times) noexcept:
        """Count memory that is kept for copies, or no longer is, beside that of arrays."""
        lp_lock_acquire(&self.heap.lock)
        self.heap.staging += times * <Py_ssize_t>memory.extent.size
        self.heap.in_use -= times * <Py_ssize_t>memory.extent.size
        self.heap.live -= times
        memory.extent.private = times > 0
        lp_lock_release(&self.heap.lock)

    @property
    def in_use(self):
        """Bytes that arrays hold."""
        return self.heap.in_use

    @property
    def staging_bytes(self):
        """Bytes of pinned memory that are kept for copies from and to other host memory."""
        return self.heap.staging

    @property
    def waiting_bytes(self):
        """Bytes that wait for work in flight."""
        return self.heap.waiting_bytes

    @property
    def free_bytes(self):
        """Bytes that can be used again by all."""
        return self.heap.free_bytes

    @property
    def live(self):
        """How many allocations are in use."""
        return self.heap.live

    @property
    def held(self):
        """Bytes taken from the driver: in use, for copies, waiting and free."""
        return self.heap.in_use + self.heap.staging + self.heap.waiting_bytes + self.heap.free_bytes

    cdef str describe(self, size_t size):
        return (f"requested {size:,} bytes while {self.live} arrays hold {self.in_use:,}, {self.waiting_bytes:,} wait "
                f"for work in flight and {self.free_bytes:,} are free in the pool of {self.device_.info['name']}")

    cdef void sweep(self) noexcept:
        lp_lock_acquire(&self.heap.lock)
        heap_sweep(&self.heap, True)
        lp_lock_release(&self.heap.lock)

    cdef release_free(self, uint64_t patience):
        """Give the free memory to the driver, and what that keeps to the system, unless the host holds a queue back.

        Freeing may wait for the device, in an unheld period; no lock of the core's is held meanwhile."""
        cdef lp_domain *domain = self.device_.domain
        cdef lp_segment *segment
        cdef uint32_t skipped = 0
        cdef memory_kind kind
        cdef int code = 0
        cdef bint unheld = False, refused = False
        if self.freer == PyThread_get_thread_ident():
            return                     # a signal's handler, while this thread frees
        with self.freeing:             # other threads wait for what is being freed
            self.freer = PyThread_get_thread_ident()
            try:
                while True:
                    segment = heap_take_segment(&self.heap, skipped)
                    if segment == NULL:
                        break
                    kind = arena_kind(segment.arena)
                    with nogil:
                        code = domain.table.free(domain.device, segment.address, kind)
                    if code == 0:
                        heap_drop_segment(&self.heap, segment)
                        continue
                    heap_return_segment(&self.heap, segment)
                    if code != ERROR_HELD_BACK:
                        raise failure(domain.table, code)
                    if unheld or not unheld_begin(domain, patience):
                        skipped |= <uint32_t>1 << <uint32_t>kind       # other kinds may not need the period
                        refused = True
                    else:
                        unheld = True
            finally:
                self.freer = 0
                if unheld:
                    unheld_end(domain)
            if not refused:
                self.trim_driver()

    cdef trim_driver(self):
        """Give what the library keeps of freed memory back to the system."""
        cdef int code = 0
        if self.device_.domain.table.memory_trim != NULL:
            with nogil:
                code = self.device_.domain.table.memory_trim(self.device_.domain.device)
        if code:
            raise failure(self.device_.domain.table, code)

    def trim(self):
        """Give the pool's free memory back to the driver, and what that keeps back to the system.

        CUDA and HIP may wait until the device is idle; once the host holds one of its streams back nothing is given."""
        take_from_graphs()
        self.unload()
        self.device_.trim_rings()
        self.settle()
        self.release_free(UNHELD_NOW)

    def info(self):
        """The driver's free and total bytes, and the pool's own counts."""
        cdef size_t free_bytes = 0, total = 0
        cdef lp_domain *domain = self.device_.domain
        cdef lp_heap_counts *counts = &self.heap.counts
        cdef int code
        with nogil:
            code = domain.table.memory_info(domain.device, &free_bytes, &total)
        if code:
            raise failure(domain.table, code)
        self.settle()
        return {"free": free_bytes, "total": total, "in_use": self.in_use, "waiting": self.waiting_bytes,
                "pooled": self.free_bytes, "staging": self.staging_bytes, "arrays": self.live,
                "allocations": counts.allocations,
                "reused_in_order": counts.reused, "ordered": counts.orders, "waits": counts.waits + counts.drains,
                "driver_allocations": counts.driver_allocations, "driver_frees": counts.driver_frees}
