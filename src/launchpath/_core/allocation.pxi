# Allocations: device memory that arrays share, and the sizes that are taken from the driver.

cimport cython

cdef enum:
    POOL_GRAIN = 256               # bytes; every address is a multiple of it as far as the driver's are
    POOL_EXACT = 1 << 20           # above it sizes are rounded to a 16th of their power of two


cdef size_t pool_size(size_t size) noexcept:
    """The size that is taken from the driver for `size` bytes: few enough classes that memory finds another use."""
    cdef size_t grain = POOL_GRAIN
    if size > <size_t>1 << 62:
        return size                # no device has it, and rounding it up would overflow
    if size > POOL_EXACT:
        while grain * 32 <= size:
            grain *= 2
    elif size > 4096:
        while grain * 8 < size:
            grain *= 2
    return (size + grain - 1) // grain * grain if size else grain


@cython.no_gc_clear                # __dealloc__ needs `pool`, which the cycle collector would have cleared
cdef class Allocation:
    """Device memory. Arrays and their slices share it; dropping the last of them frees it, safely at any time."""
    cdef void *address
    cdef readonly size_t size      # bytes asked for
    cdef readonly size_t held      # bytes taken
    cdef readonly Pool pool
    cdef readonly bint freed
    cdef int kind
    cdef readonly uint64_t loans   # see `Loan`
    cdef object owner              # holds memory that is no pool's

    @property
    def pointer(self):
        return <uintptr_t>self.address

    def free(self):
        """Give the memory back once nothing submitted so far uses it."""
        if not self.freed:
            self.freed = True
            lp_runtime.frees += 1
            if self.pool is not None and not lp_runtime.exiting:
                self.pool.give_back(<uintptr_t>self.address, self.held, self.kind)

    def __dealloc__(self):
        if not self.freed and self.pool is not None and not lp_runtime.exiting:
            self.pool.give_back(<uintptr_t>self.address, self.held, self.kind)


def borrowed_memory(uintptr_t address, size_t size, owner):
    """An `Allocation` of memory that `owner` holds and gives back: a driver's program that of its globals."""
    cdef Allocation made = Allocation.__new__(Allocation)
    made.address, made.size, made.held, made.owner = <void *>address, size, size, owner
    return made
