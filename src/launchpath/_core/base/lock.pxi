# What lock.h has: locks, conditions, atomics and time, the primitives that Cython lacks.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t

cdef extern from "base/lock.h" nogil:
    ctypedef struct lp_lock:
        pass
    void lp_lock_init(lp_lock *lock)
    void lp_lock_destroy(lp_lock *lock)
    void lp_lock_acquire(lp_lock *lock)
    bint lp_lock_try(lp_lock *lock)
    void lp_lock_release(lp_lock *lock)
    uint64_t lp_load(const uint64_t *at)
    void lp_store(uint64_t *at, uint64_t value)
    uint64_t lp_add(uint64_t *at, int64_t value)
    void lp_raise(uint64_t *at, uint64_t value)
    void lp_expect(const void *at, size_t size)
    bint lp_swap_if(uint64_t *at, uint64_t expected, uint64_t value)
    ctypedef struct lp_condition:
        pass
    void lp_condition_init(lp_condition *condition)
    void lp_condition_signal(lp_condition *condition)
    void lp_condition_broadcast(lp_condition *condition)
    void lp_condition_wait(lp_condition *condition, lp_lock *lock)
    void lp_condition_wait_for(lp_condition *condition, lp_lock *lock, uint64_t microseconds)
    void lp_sleep(uint64_t microseconds)
    void lp_pause()
    void lp_store_before_lock(uint64_t *at, uint64_t value)
    void lp_fence_after_lock()
    uint64_t lp_nanoseconds()      # of a clock that is never set
    bint lp_thread(void (*function)(void *) noexcept nogil, void *data)

cdef extern from *:
    # Cython's macros: the compiler puts what is rare out of the way of the rest.
    bint likely(bint condition) noexcept nogil
    bint unlikely(bint condition) noexcept nogil
