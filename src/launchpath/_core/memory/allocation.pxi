# Allocations: device memory that arrays share.

cimport cython


@cython.no_gc_clear                # __dealloc__ needs `pool`, which the cycle collector would have cleared
@cython.freelist(64)
cdef class Allocation:
    """Device memory. Arrays and their slices share it; dropping the last of them frees it, safely at any time."""
    cdef void *address
    cdef lp_extent *extent         # of the pool's memory; NULL: it is no pool's
    cdef readonly size_t size      # bytes asked for
    cdef readonly Pool pool
    cdef readonly bint freed
    cdef readonly uint64_t loans   # see `Loan`
    cdef object owner              # holds memory that is no pool's

    @property
    def pointer(self):
        """The address. Only what comes after the work that the memory awaits may use it: see `ArrayBase.address_on`."""
        return <uintptr_t>self.address

    @property
    def held(self):
        """Bytes that are taken from the pool."""
        return self.size if self.extent == NULL else self.extent.size

    @property
    def managed(self):
        """Whether host and device reach it at the same address."""
        return not self.freed and self.extent != NULL and arena_kind(self.extent.segment.arena) == MEMORY_MANAGED

    def free(self):
        """Give the memory back once nothing submitted so far uses it; False: it is lent, and nothing was done."""
        if self.pool is not None and self.pool.device_.domain.refused == ERROR_FORKED:
            raise failure(self.pool.device_.domain.table, ERROR_FORKED)
        if self.loans:
            return False
        if not self.freed:
            self.freed = True
            lp_runtime.frees += 1
            self.give_back()
        return True

    cdef inline void give_back(self) noexcept:
        cdef lp_call call
        if self.extent != NULL and not lp_runtime.exiting:
            if unlikely(lp_runtime.watched):
                call_begin(&call, API_FREE)
                self.let_go()
                call_end(&call, 0, self.size, NULL, self.pool.device_.domain)
            else:
                self.let_go()

    cdef inline void let_go(self) noexcept:
        if likely(lp_here.step == NULL) or not capture_keeps(self):
            heap_give_back(&self.pool.heap, self.extent, self.pool.device_.domain)

    def __dealloc__(self):
        if not self.freed:
            self.give_back()


def borrowed_memory(uintptr_t address, size_t size, owner):
    """An `Allocation` of memory that `owner` holds and gives back: a driver's program that of its globals."""
    cdef Allocation allocation = Allocation.__new__(Allocation)
    allocation.address, allocation.size, allocation.owner = <void *>address, size, owner
    return allocation


cdef Allocation no_allocation = Allocation.__new__(Allocation)     # what `new_array` makes arrays of
