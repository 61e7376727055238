# What lock.h has: locks, conditions, atomics and time, the primitives that Cython lacks, and the variables that each
# thread has of its own.

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
    const char *lp_failed_call
    int lp_in_driver               # calls into a driver that this thread is in, while they are logged
    void *lp_current_stream
    void *lp_current_queue         # the lp_queue of work without a stream, or NULL: see stream/current.pxi
    void *lp_entered               # the Entered of this thread, borrowed, if something is entered
    void *lp_packing               # the launcher whose unusual arguments this thread packs
    void *lp_awaited               # the driver table of the stream that waits for this thread's host function
    bint lp_watching               # it looks at the marks that event loops await
    void *lp_job_here              # the lp_job of that host function
    uint64_t lp_thread_number      # 0: it has none yet
    uint64_t lp_launch_record      # of the launch that this thread is submitting, see layers/bounds.pxi; or 0
    void *lp_step                  # the lp_recording of the step that this thread is in
    void *lp_submitted             # the lp_node of a step that this thread submits
    int lp_direction               # copy_direction of the copy that this thread submits
    void *lp_submitting            # the lp_recording that it is of,
    void *lp_submitted_chain       # and the lp_chain that is submitted as a graph
    int lp_replaying               # this thread launches an executable graph
    uint64_t lp_unheld             # unheld periods that this thread is in

cdef extern from "base/thread_end.h" nogil:
    ctypedef struct lp_thread_end:
        pass
    void lp_thread_end_by(lp_thread_end *end, void (*function)(void *) noexcept nogil)
    void lp_thread_end_with(lp_thread_end *end, void *data)

cdef extern from *:
    # Cython's macros: the compiler puts what is rare out of the way of the rest.
    bint likely(bint condition) noexcept nogil
    bint unlikely(bint condition) noexcept nogil
