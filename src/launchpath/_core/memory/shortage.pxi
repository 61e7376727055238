# Shortage: what a pool does before it gives up a request.

import gc

cdef uint64_t AWAITED_PATIENCE = 1000000000     # nanoseconds that a host function waits for memory


cdef bint pool_drain(Pool pool, size_t held, uint64_t gains, uint64_t began) except -1:
    """Let go of everything: cycles of Python's, what deferred frees wait for; then give all free memory to the
    driver.

    Returns whether to try again. One thread at a time drains; no lock of the core's is held while it waits, because
    a host function that is waited for may allocate. Without a change of `gains`, the count of what has become free
    since the caller's last try, there is no use in another one."""
    cdef uint64_t tick, tried = lp_nanoseconds()
    if runs_host_function_of(pool.device_.domain.driver):
        return drain_awaited(pool, began)
    if pool.drainer == PyThread_get_thread_ident():
        return False               # a finalizer, or a signal's handler, while this thread drains
    while not pool.draining.acquire(timeout=0.05):
        PyErr_CheckSignals()
        own_hold_check(tried)          # the other thread may wait for what this one holds back
    pool.drainer = PyThread_get_thread_ident()
    try:
        if has_gained(pool, held, gains):
            return True            # by the thread before
        pool.heap.counts.drains += 1
        gc.collect()
        pool.device_.trim_rings()
        pool.sweep()
        tick = lp_add(&lp_runtime.tick, 1)
        if heap_waits(&pool.heap):
            for device in list(open_devices):
                if may_use((<DeviceBase>device).domain, pool.device_.domain, False):
                    (<DeviceBase>device).finish_running()
            heap_forget_unknown(&pool.heap, tick)
        pool.unload()
        pool.sweep()
        pool.release_free(UNHELD_SOON)
        return has_gained(pool, held, gains)
    finally:
        pool.drainer = 0
        pool.draining.release()


cdef int log_shortage(Pool pool, size_t size, uint64_t began) except -1:
    """Log a request that waited long for memory. No lock is held: a handler of `logging` may run any Python."""
    from launchpath import _logged
    seconds = (lp_nanoseconds() - began) / 1e9
    if seconds >= _logged.SHORTAGE:
        _logged.log(f"waited {seconds:.1f} s for {size:,} bytes of {pool.device_.name}: all memory was in use")
    return 0


cdef bint has_gained(Pool pool, size_t held, uint64_t gains) except -1:
    """Whether something has become free since `gains`, and arrays leave room for so much under the limit."""
    pool.sweep()
    return pool.heap.gains != gains and (pool.limit is None or pool.heap.in_use + held <= pool.limit)


cdef bint drain_awaited(Pool pool, uint64_t began) except -1:
    """`pool_drain` of a host function: work that comes after it does not end before it does."""
    if lp_nanoseconds() - began > AWAITED_PATIENCE:
        return False
    with nogil:
        lp_sleep(500)
    pool.release_free(UNHELD_NOW)
    return True
