# Clocks: for every queue of the process, by slot, the highest sequence number that something is ordered after.
#
# A slot is a small index that a queue has while it lives. Numbers go on where the slot's last queue left off, so what an
# old clock says of a recycled slot is about commands that are complete. Clocks are dense arrays: joining two is one loop
# that the compiler vectorizes, and what lies beyond a clock's size is 0.

from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

cdef enum:
    MAX_QUEUES = 65536

# By slot: the highest number known to be complete. It only grows, and is read without a lock.
cdef uint64_t completed[MAX_QUEUES]

cdef struct lp_clock:
    uint64_t *at
    uint32_t size


cdef inline uint64_t clock_get(const lp_clock *clock, uint32_t slot) noexcept nogil:
    return clock.at[slot] if slot < clock.size else 0


cdef int clock_reserve(lp_clock *clock, uint32_t size) noexcept nogil:
    """Make room for `size` slots; 0, or ERROR_HOST_MEMORY with the clock unchanged."""
    cdef uint64_t *at
    if size <= clock.size:
        return 0
    size = (size + 15) & ~<uint32_t>15
    at = <uint64_t *>realloc(clock.at, size * sizeof(uint64_t))
    if at == NULL:
        return ERROR_HOST_MEMORY
    memset(at + clock.size, 0, (size - clock.size) * sizeof(uint64_t))
    clock.at, clock.size = at, size
    return 0


cdef int clock_copy(lp_clock *to, const lp_clock *source) noexcept nogil:
    """Make the empty clock `to` a copy of `source`."""
    to.at, to.size = NULL, 0
    if clock_reserve(to, source.size):
        return ERROR_HOST_MEMORY
    memcpy(to.at, source.at, source.size * sizeof(uint64_t))
    return 0


cdef void clock_join(lp_clock *into, const lp_clock *other) noexcept nogil:
    """Raise `into`, which has room, to at least `other`."""
    cdef uint32_t slot, size = other.size if other.size < into.size else into.size
    cdef uint64_t number
    for slot in range(size):
        number = other.at[slot]
        into.at[slot] = number if number > into.at[slot] else into.at[slot]


cdef void clock_learn(const lp_clock *clock) noexcept nogil:
    """Everything in `clock` is known to be complete."""
    cdef uint32_t slot
    for slot in range(clock.size):
        if clock.at[slot] > lp_load(&completed[slot]):
            lp_raise(&completed[slot], clock.at[slot])


cdef inline bint is_complete(uint32_t slot, uint64_t number) noexcept nogil:
    return lp_load(&completed[slot]) >= number
