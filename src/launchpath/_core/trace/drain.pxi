# The drainer: a thread that copies rings to the file while a trace goes on, and writes which time of the clock a tick was.

cdef enum:
    DRAIN_EVERY = 3000             # microseconds, while something is written
    DRAIN_IDLE = 20000
    CLOCK_EVERY = 100000000        # nanoseconds between two looks at the clocks
    CLOCK_LOOKS = 8


cdef extern from "time.h" nogil:
    ctypedef struct lp_timespec "struct timespec":
        long tv_sec
        long tv_nsec
    int clock_gettime(int clock, lp_timespec *time)
    int CLOCK_REALTIME
    int CLOCK_THREAD_CPUTIME_ID


cdef void host_clock_write(lp_records *ring) noexcept nogil:
    """Of some looks at both clocks the one that took least."""
    cdef clock_slot *slot
    cdef lp_timespec real
    cdef uint64_t before, after, now, least = <uint64_t>-1
    cdef int _look
    if not records_has_room(ring, 1):
        return
    slot = &records_slot(ring, 0).clock
    memset(slot, 0, sizeof(clock_slot))
    slot.kind = SLOT_HOST_CLOCK
    for _look in range(CLOCK_LOOKS):
        before, now, after = lp_ticks(), lp_nanoseconds(), lp_ticks()
        if after - before < least:
            least = after - before
            clock_gettime(CLOCK_REALTIME, &real)
            slot.ticks, slot.monotonic, slot.error = before + least // 2, now, least // 2 + 1
            slot.real = <uint64_t>real.tv_sec * 1000000000 + <uint64_t>real.tv_nsec
    records_publish(ring, 1)


cdef void drainer_life(void *data) noexcept nogil:
    """The drainer's life. It touches nothing of Python's."""
    cdef lp_records *ring
    cdef uint64_t generation, clock = 0, n, pause
    cdef lp_lock lock
    lp_lock_init(&lock)
    while True:
        n = 0
        generation = lp_load(&lp_trace.generation)
        if generation:
            ring = <lp_records *>lp_load(&lp_trace.rings)
            while ring != NULL:
                n += records_drain(ring, lp_trace.capacity // 2)
                ring = ring.next
            if lp_nanoseconds() - clock >= CLOCK_EVERY:
                clock = lp_nanoseconds()
                ring = records_here()
                if ring != NULL:
                    host_clock_write(ring)
        pause = DRAIN_EVERY if n else DRAIN_IDLE
        lp_lock_acquire(&lock)
        if generation == 0:
            lp_condition_wait_for(&lp_trace.drainer_wanted, &lock, 1000000)
        else:
            lp_condition_wait_for(&lp_trace.drainer_wanted, &lock, pause)
        lp_lock_release(&lock)


cdef void drain_all() noexcept nogil:
    """Copy everything that is in rings now."""
    cdef lp_records *ring = <lp_records *>lp_load(&lp_trace.rings)
    while ring != NULL:
        records_drain(ring, 1)
        ring = ring.next
