# Memory: the pool of a device.
#
# Freeing notes, for every queue of the device's context, the number of its last command; memory returns to the pool when
# all of them are known to be complete. So it is safe whatever still uses the address: a launch in flight, a pointer inside
# a struct, a raw address. Only an allocation made in the order of a stream may take memory that this stream alone still
# uses: what it does comes later.

import collections
import gc

cdef uint64_t AWAITED_PATIENCE = 1000000000     # nanoseconds that a host function waits for memory


cdef class Pool:
    """The memory of a device: what arrays hold, what waits for work to end, and what can be used again."""
    cdef DeviceBase device_        # borrowed in effect: the device owns its pool
    cdef object returned           # deque of (address, size, kind, users): appended to by any thread, from any finalizer
    cdef list waiting              # the same, taken over under the lock
    cdef list programs             # to be unloaded
    cdef Py_ssize_t program_count  # given back and not unloaded yet
    cdef dict free_                # (size, kind) -> addresses
    cdef object lock
    cdef object freeing            # a lock: of the thread that gives free memory to the driver, which may wait
    cdef object draining           # a lock: of the thread that waits for work in flight to get memory
    cdef uint64_t reclaimed        # counts memory that has become free, or went to the driver
    cdef readonly size_t in_use, waiting_bytes, free_bytes, live
    cdef public object limit       # bytes held from the driver at most, or None

    def __init__(self, DeviceBase device):
        import threading
        self.device_ = device
        self.returned, self.waiting, self.free_, self.programs = collections.deque(), [], {}, []
        self.lock, self.freeing, self.draining = threading.Lock(), threading.Lock(), threading.Lock()
        self.limit = None

    def forked(self):
        """Replace the locks, which threads of the parent process may have held."""
        import threading
        self.lock, self.freeing, self.draining = threading.Lock(), threading.Lock(), threading.Lock()

    cpdef give_back(self, uintptr_t address, size_t size, int kind):
        # A finalizer may run while this thread holds the pool's lock: only append.
        self.program_count += kind == MEMORY_PROGRAM
        self.returned.append((address, size, kind, self.users()))

    cdef tuple users(self):
        """(slot, number) of every queue of the context that is not known to be complete."""
        cdef lp_queue *queue
        cdef uint64_t number
        cdef uint32_t n = 0, room = 0, i
        cdef uint64_t *pairs = NULL
        cdef int code = 0
        cdef DeviceBase device
        cdef tuple result
        # Queues of other devices count as well where the context is the same.
        for device in open_devices:
            if device.domain.context != self.device_.domain.context:
                continue
            lp_lock_acquire(&lp_runtime.registry_lock)
            queue = device.domain.queues
            while queue != NULL and code == 0:
                number = lp_load(&queue.number)
                if queue.shared:
                    number += 1            # known only once the queue has been finished after this
                if not is_complete(queue.slot, number):
                    code = grow(<void **>&pairs, &room, n + 2, sizeof(uint64_t))
                    if code == 0:
                        pairs[n], pairs[n + 1] = queue.slot, number
                        n += 2
                queue = queue.next
            lp_lock_release(&lp_runtime.registry_lock)
        if code:
            free(pairs)
            raise MemoryError
        result = tuple([(pairs[i], pairs[i + 1]) for i in range(0, n, 2)])
        free(pairs)
        return result

    cdef sort(self):
        """Move what has been given back and is not used any more to the free lists. Caller holds the lock."""
        cdef list rest = []
        while True:
            try:
                entry = self.returned.popleft()
            except IndexError:
                break
            if entry[2] != MEMORY_PROGRAM:
                LP_ASSERT(self.live != 0)
                self.live -= 1
            self.in_use -= entry[1]
            self.waiting_bytes += entry[1]
            self.waiting.append(entry)
        for entry in self.waiting:
            for slot, number in <tuple>entry[3]:
                if not is_complete(slot, number):
                    rest.append(entry)
                    break
            else:
                if entry[2] == MEMORY_PROGRAM:
                    self.programs.append(entry[0])
                    continue
                self.waiting_bytes -= entry[1]
                self.free_bytes += entry[1]
                self.reclaimed += 1
                self.free_.setdefault((entry[1], entry[2]), []).append(entry[0])
        self.waiting = rest

    cdef settle(self):
        """`sort`, and once more with what the queues say now if something waits for them. Caller holds the lock."""
        self.sort()
        if self.waiting:
            self.poll()
            self.sort()

    def begin_unheld(self, patience=None):
        """Begin an unheld period of this thread, for calls that wait for the device; see unheld.pxi.

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
        """Unload programs that nothing uses any more, unless the host holds a queue back. No lock is held."""
        cdef void *program
        cdef int code
        if not self.program_count:
            return
        with self.lock:
            self.settle()
            programs, self.programs = self.programs, []
            self.program_count -= len(programs)
        refused = []
        try:
            if programs and unheld_begin(self.device_.domain, UNHELD_NOW):
                try:
                    while programs:
                        program = <void *><uintptr_t>programs[len(programs) - 1]
                        with nogil:
                            code = self.device_.domain.table.program_release(self.device_.domain.device, program)
                        address = programs.pop()
                        if code:       # tried again at the next call: the caller has not asked for it, and cannot be told
                            refused.append(address)
                finally:
                    unheld_end(self.device_.domain)
        finally:
            with self.lock:
                self.programs += programs + refused
                self.program_count += len(programs) + len(refused)

    cdef poll(self):
        """Ask the queues that something waits for how far they are. Never blocks."""
        cdef DeviceBase device
        for device in open_devices:
            if device.domain.context == self.device_.domain.context:
                domain_poll(device.domain)

    cdef uintptr_t reuse(self, size_t size, int kind, QueueBase stream):
        """Memory that can be used again at once, or 0. Caller holds the lock."""
        cdef list addresses = self.free_.get((size, kind))
        cdef Py_ssize_t i
        if addresses:
            self.free_bytes -= size
            return addresses.pop()
        if stream is not None:
            for i, entry in enumerate(self.waiting):
                if entry[1] == size and entry[2] == kind and all(
                        slot == stream.queue.slot or is_complete(slot, number) for slot, number in entry[3]):
                    del self.waiting[i]
                    self.waiting_bytes -= size
                    return entry[0]
        return 0

    def allocate(self, size_t size, QueueBase stream=None, int kind=MEMORY_DEVICE):
        """Get memory.

        Parameters
        ----------
        size : int
            Bytes.
        stream : QueueBase, optional
            Get it in this stream's order: it may be memory that the stream's earlier commands still use, so nothing but
            later commands of this stream, or what waits for them, may touch it.
        kind : int
            0 for device memory, 1 for pinned host memory.

        Raises
        ------
        OutOfMemoryError
            Arrays hold what would be needed. Memory that only waits for work in flight is waited for, however many threads
            want it; in a host function for one second at most, since its own stream's work does not end before it.
        """
        cdef Allocation allocation = Allocation.__new__(Allocation)
        cdef size_t held = pool_size(size)
        cdef uintptr_t address
        cdef uint64_t began = lp_nanoseconds()
        cdef uint64_t reclaimed
        cdef bint drained = False
        error = None
        self.device_.check_open()
        take_from_graphs()
        while True:
            with self.lock:
                reclaimed = self.reclaimed
                address = self.find(held, kind, stream)
                if not address:
                    try:
                        address = self.take(held, size, kind, stream)
                    except MemoryError as shortage:
                        error = shortage
                if address:
                    self.in_use += held
                    self.live += 1
            if address:
                break
            if not self.drain(held, reclaimed, began) and drained:
                raise error
            drained = True
        allocation.address, allocation.size, allocation.held = <void *>address, size, held
        allocation.kind, allocation.pool = kind, self
        return allocation

    cdef uintptr_t find(self, size_t held, int kind, QueueBase stream) except? 0:
        """Memory of the pool that can be used at once, or 0. Caller holds the lock."""
        cdef uintptr_t address
        self.sort()
        address = self.reuse(held, kind, stream)
        if not address and self.waiting:
            self.poll()
            self.sort()
            address = self.reuse(held, kind, stream)
        return address

    cdef uintptr_t take(self, size_t held, size_t size, int kind, QueueBase stream) except? 0:
        """Memory of the driver's. Caller holds the lock."""
        cdef lp_domain *domain = self.device_.domain
        cdef void *queue = NULL if stream is None else stream.queue.handle
        cdef void *fresh = NULL
        cdef int code
        if self.limit is not None and self.held + held > self.limit:
            raise errors.OutOfMemoryError(
                "Pool.allocate", f"over the limit of {self.limit:,} bytes that was set", 0, self.describe(size))
        with nogil:
            code = domain.table.allocate(domain.device, queue, held, <memory_kind>kind, &fresh)
        if code:
            raise failure(domain.table, code, self.describe(size), True)
        return <uintptr_t>fresh

    @property
    def held(self):
        """Bytes taken from the driver: in use, waiting and free."""
        return self.in_use + self.waiting_bytes + self.free_bytes

    cdef str describe(self, size_t size):
        return (f"requested {size:,} bytes while {self.live} arrays hold {self.in_use:,}, {self.waiting_bytes:,} wait for "
                f"work in flight and {self.free_bytes:,} are free in the pool of {self.device_.info['name']}")

    cdef bint drain(self, size_t held, uint64_t reclaimed, uint64_t began) except -1:
        """Let go of everything: cycles of Python's, what deferred frees wait for; then give all free memory to the driver.

        Returns whether to try again. One thread at a time drains; the pool's lock is not held while it waits, because a
        host function that is waited for may allocate. Without a change of `reclaimed`, the count of what has become free
        since the caller's last try, there is no use in another one."""
        if lp_awaited == self.device_.domain.driver:
            return self.drain_awaited(began)
        while not self.draining.acquire(timeout=0.05):
            PyErr_CheckSignals()
        try:
            if self.has_gained(held, reclaimed):
                return True            # by the thread before
            gc.collect()
            with self.lock:
                self.sort()
                waiting = bool(self.waiting)
            if waiting:
                for device in list(open_devices):
                    if (<DeviceBase>device).domain.context == self.device_.domain.context:
                        (<DeviceBase>device).finish_running()
            self.unload()
            with self.lock:
                self.sort()
            self.release_free(UNHELD_SOON)
            return self.has_gained(held, reclaimed)
        finally:
            self.draining.release()

    cdef bint has_gained(self, size_t held, uint64_t reclaimed) except -1:
        """Whether something has become free since `reclaimed`, and arrays leave room for so much under the limit."""
        with self.lock:
            self.sort()
            return self.reclaimed != reclaimed and (self.limit is None or self.in_use + held <= self.limit)

    cdef bint drain_awaited(self, uint64_t began) except -1:
        """`drain` of a host function: work that comes after it does not end before it does."""
        if lp_nanoseconds() - began > AWAITED_PATIENCE:
            return False
        with nogil:
            lp_sleep(500)
        self.release_free(UNHELD_NOW)
        return True

    cdef release_free(self, uint64_t patience):
        """Give the free memory to the driver, and what that keeps to the system, unless the host holds a queue back.

        The pool's lock is not held: freeing may wait for the device, in an unheld period, and a thread that has the lock may
        wait for the end of that period."""
        cdef void *address
        cdef int code = 0, kind_
        cdef bint unheld = False
        cdef size_t released = 0
        cdef uint64_t count = 0
        with self.freeing:             # other threads wait for what is being freed
            with self.lock:
                free_, self.free_ = self.free_, {}
            entries = [(size, kind, address_) for (size, kind), addresses in free_.items() for address_ in addresses]
            try:
                while entries and not code:
                    size, kind, address_ = entries[len(entries) - 1]
                    address, kind_ = <void *><uintptr_t>address_, kind
                    with nogil:
                        code = self.device_.domain.table.free(self.device_.domain.device, address, <memory_kind>kind_)
                    if code == ERROR_HELD_BACK and not unheld:
                        unheld = unheld_begin(self.device_.domain, patience)
                        if unheld:
                            code = 0
                    elif not code:
                        entries.pop()
                        released += <size_t>size
                        count += 1
                if code and code != ERROR_HELD_BACK:
                    raise failure(self.device_.domain.table, code)
            finally:
                if unheld:
                    unheld_end(self.device_.domain)
                with self.lock:
                    self.free_bytes -= released
                    self.reclaimed += count
                    for size, kind, address_ in entries:
                        self.free_.setdefault((size, kind), []).append(address_)
            if not entries:
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
        with self.lock:
            self.settle()
        self.release_free(UNHELD_NOW)

    def info(self):
        """The driver's free and total bytes, and the pool's own counts."""
        cdef size_t free_bytes = 0, total = 0
        cdef lp_domain *domain = self.device_.domain
        cdef int code
        with nogil:
            code = domain.table.memory_info(domain.device, &free_bytes, &total)
        if code:
            raise failure(domain.table, code)
        with self.lock:
            self.settle()
            return {"free": free_bytes, "total": total, "in_use": self.in_use, "waiting": self.waiting_bytes,
                    "pooled": self.free_bytes, "arrays": self.live}
