# Fork and exit: a forked child inherits devices whose libraries do not work there, and locks that a thread of the
# parent may have held. Each device gets the layer in which each call fails (LAYER_FORKED).


cdef int refuse_forked(const driver_table *table) except -1:
    """Raise in a forked child, before work that would be for nothing: the child's layer refuses all calls."""
    if table.forked[0]:
        raise failure(table, ERROR_FORKED)
    return 0


def after_fork_in_child():
    cdef DeviceBase device
    cdef lp_queue *queue
    forget_trace()
    forget_watcher()
    if not open_devices:
        return
    lp_runtime.exiting = True                 # nothing is released any more
    lp_lock_init(&lp_runtime.registry_lock)
    lp_lock_init(&lp_runtime.layers_lock)
    lp_lock_init(&lp_runtime.graphs_lock)
    lp_lock_init(&lp_handles.lock)
    lp_lock_init(&lp_symbols.lock)
    forget_workers()
    forget_waiters()
    forget_copiers()
    forget_recordings()
    for device in open_devices:
        device.pool.forked()
        lp_lock_init(&device.small_ring.lock)
        lp_lock_init(&device.large_ring.lock)
        device.domain.driver.forked[0] = True
        device.domain.profiled = False        # by the parent's profiler
        lp_lock_init(&device.domain.order_lock)
        lp_lock_init(&device.domain.layers.times_lock)
        queue = device.domain.queues
        while queue != NULL:
            lp_lock_init(&queue.own_lock)
            queue = queue.next
        domain_refuses(device.domain, ERROR_FORKED)
        if set_layer(device.domain, LAYER_FORKED, True):
            raise MemoryError


cdef enum:
    EXIT_RELEASED = 1000000        # and after what the host holds back has been let go


def set_exit_patience(double seconds):
    """How long work in flight has to end by itself when the interpreter exits. For tests."""
    lp_runtime.exit_patience = <uint64_t>(1e6 * seconds)


def settle():
    """Let what is in flight now end, for a bounded time, before a library's destructors run in the exit of the process;
    whether it has.

    Libraries wait for their commands when the process ends, some without bound. So what the host still holds back then
    is let go: what comes behind a host function that has not returned runs before its end, or not at all."""
    cdef DeviceBase device
    cdef uint64_t until = lp_nanoseconds() + 1000 * lp_runtime.exit_patience
    if lp_here.job != NULL:            # a host function ends the process: it does not return
        with nogil:
            release_hold((<lp_job *>lp_here.job).hold)
        lp_here.job = NULL
    if all([device_settles(device, until) for device in open_devices]):
        return True
    until = lp_nanoseconds() + 1000 * <uint64_t>EXIT_RELEASED
    for device in open_devices:
        release_holds(device.domain)
    return all([device_settles(device, until) for device in open_devices])


def at_exit():
    """`settle`, whose answer it gives; then nothing is given to a driver any more."""
    cdef DeviceBase device
    try:
        return settle()
    finally:
        with nogil:
            stop_workers()
        lp_runtime.exiting = True
        with nogil:
            stop_watcher()
            settle_watcher(EXIT_RELEASED)
        for device in open_devices:
            while device.raised:
                tell_nobody(device.raised.pop(0))


cdef bint device_settles(DeviceBase device, uint64_t until) except -1:
    """Wait until all that a device has in flight is complete; whether it was by then. A signal's handler may end it."""
    cdef lp_queue **queues = NULL
    cdef lp_mark *mark
    cdef uint32_t i, n = 0
    cdef bint done = True
    cdef int code
    with nogil:
        list_queues(device.domain, &queues, &n)
    try:
        for i in range(n):
            mark = NULL
            with nogil:
                code = queue_record_outside(queues[i], &mark)
            try:
                done = code != 0 or mark == NULL
                while not done:
                    with nogil:
                        code = mark_query(mark, &done)
                        if not done and not code and lp_nanoseconds() < until:
                            lp_sleep(500)
                        elif not done and not code:
                            code = 1
                    if code:
                        break
                    PyErr_CheckSignals()
            finally:
                mark_unref(mark)
            if not done and lp_nanoseconds() >= until:
                return False
    finally:
        queues_unlist(queues, n)
    return True


cdef void release_holds(lp_domain *domain) noexcept nogil:
    """Set every user event that a queue still waits for: holds, host functions, waits across contexts."""
    cdef lp_queue **queues = NULL
    cdef lp_mark *mark
    cdef uint32_t i, j, n = 0
    list_queues(domain, &queues, &n)
    for i in range(n):
        if not lp_lock_try(queues[i].lock):
            continue               # a thread is in a call of the driver's that may never come back
        for j in range(queues[i].n_kept):
            mark = queues[i].kept[j].mark
            if mark.queue == NULL and mark.event != NULL:
                if mark.domain.table.user_event_set(mark.domain, mark.event, EVENT_FAILED):
                    mark.domain.table.user_event_set(mark.domain, mark.event, EVENT_COMPLETE)
        lp_lock_release(queues[i].lock)
    queues_unlist(queues, n)
