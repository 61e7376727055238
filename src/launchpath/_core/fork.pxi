# Fork and exit: a forked child inherits devices whose libraries do not work there, and locks that a thread of the parent
# may have held. In the child each device gets a layer whose functions fail, or do nothing where nothing can be said.

cdef int forked_queue(void *queue) noexcept nogil:
    return ERROR_FORKED

cdef int forked_queue_create(void *device, queue_kind kind, int priority, void **queue) noexcept nogil:
    return ERROR_FORKED

cdef void forked_release(void *item) noexcept nogil:
    pass

cdef void *forked_handle(void *queue) noexcept nogil:
    return NULL

cdef int forked_launch(void *queue, void *kernel, const launch_config *config, const void *bytes, size_t size,
                       uint32_t n_waits, void **waits) noexcept nogil:
    return ERROR_FORKED

cdef int forked_copy(void *queue, void *to, const void *source, size_t size, uint32_t n_waits, void **waits) noexcept nogil:
    return ERROR_FORKED

cdef int forked_fill(void *queue, void *to, const void *pattern, size_t pattern_size, size_t size, uint32_t n_waits,
                     void **waits) noexcept nogil:
    return ERROR_FORKED

cdef int forked_marker(void *queue, bint timed, uint32_t n_waits, void **waits, void **event) noexcept nogil:
    return ERROR_FORKED

cdef int forked_queue_query(void *queue, event_status *status) noexcept nogil:
    return ERROR_FORKED

cdef int forked_event_query(void *domain, void *event, event_status *status) noexcept nogil:
    return ERROR_FORKED

cdef int forked_event_wait(void *domain, void *event) noexcept nogil:
    return ERROR_FORKED

cdef void forked_event_release(void *domain, void *event) noexcept nogil:
    pass

cdef int forked_event_time(void *domain, void *event, uint64_t *nanoseconds) noexcept nogil:
    return ERROR_FORKED

cdef int forked_event_callback(void *domain, void *event, void (*function)(void *, event_status) noexcept nogil,
                               void *data) noexcept nogil:
    return ERROR_FORKED

cdef int forked_user_event(void *device, bint may_wait, void **event) noexcept nogil:
    return ERROR_FORKED

cdef int forked_user_event_set(void *domain, void *event, event_status status) noexcept nogil:
    return ERROR_FORKED

cdef int forked_adopt(void *device, void *handle, void **queue) noexcept nogil:
    return ERROR_FORKED

cdef int forked_elapsed(void *domain, void *start, void *end, int64_t *nanoseconds) noexcept nogil:
    return ERROR_FORKED

cdef bint forked_capturing(void *queue) noexcept nogil:
    return False

cdef int forked_module_release(void *device, void *module) noexcept nogil:
    return 0

cdef int forked_allocate(void *device, void *queue, size_t size, memory_kind kind, void **address) noexcept nogil:
    return ERROR_FORKED

cdef int forked_free(void *device, void *address, memory_kind kind) noexcept nogil:
    return 0

cdef bint forked_command_failed(int code) noexcept nogil:
    return False

cdef int forked_memory_info(void *device, size_t *free, size_t *total) noexcept nogil:
    return ERROR_FORKED


cdef void forked_entries(driver_table *table) noexcept nogil:
    table.queue_create, table.queue_release, table.queue_handle = forked_queue_create, forked_release, forked_handle
    table.queue_flush = table.queue_finish = table.queue_detach = table.memory_trim = forked_queue
    table.launch, table.copy, table.fill, table.marker = forked_launch, forked_copy, forked_fill, forked_marker
    table.event_query, table.event_wait, table.event_time = forked_event_query, forked_event_wait, forked_event_time
    table.event_callback, table.event_release = forked_event_callback, forked_event_release
    table.event_elapsed, table.queue_query = forked_elapsed, forked_queue_query
    table.user_event, table.user_event_set = forked_user_event, forked_user_event_set
    table.allocate, table.free, table.memory_info = forked_allocate, forked_free, forked_memory_info
    table.queue_adopt, table.queue_capturing = forked_adopt, forked_capturing
    table.module_release = forked_module_release
    table.command_failed = forked_command_failed
    table.event_captured = NULL
    table.graph_keep = NULL
    table.unheld_begin, table.unheld_end, table.queue_callback = NULL, NULL, NULL


cdef int refuse_forked(const driver_table *table) except -1:
    """The door of what is no function of the table: building, loading, kernels and what can be asked about them."""
    if table.forked[0]:
        raise failure(table, ERROR_FORKED)
    return 0


def after_fork_in_child():
    cdef DeviceBase device
    cdef lp_queue *queue
    if not open_devices:
        return
    lp_runtime.exiting = True                 # nothing is released any more
    lp_lock_init(&lp_runtime.registry_lock)
    lp_lock_init(&lp_runtime.layers_lock)
    lp_lock_init(&lp_runtime.graphs_lock)
    forget_workers()
    forget_waiters()
    for device in open_devices:
        device.pool.forked()
        device.domain.driver.forked[0] = True
        lp_lock_init(&device.domain.order_lock)
        queue = device.domain.queues
        while queue != NULL:
            lp_lock_init(&queue.own_lock)
            queue = queue.next
        if set_layer(device.domain, LAYER_FORKED, True):
            raise MemoryError


cdef enum:
    EXIT_RELEASED = 1000000        # and after what the host holds back has been let go


def set_exit_patience(double seconds):
    """How long work in flight has to end by itself when the interpreter exits. For tests."""
    lp_runtime.exit_patience = <uint64_t>(1e6 * seconds)


def at_exit():
    """Let what is in flight now end, for a bounded time: a stream that is held back must not hang the exit.

    Libraries wait for their commands when the process ends, some without bound. So what the host still holds back then is
    let go: what comes behind a host function that has not returned runs before its end, or not at all."""
    cdef DeviceBase device
    cdef uint64_t until = lp_nanoseconds() + 1000 * lp_runtime.exit_patience
    try:
        if not all([settled(device, until) for device in open_devices]):
            until = lp_nanoseconds() + 1000 * <uint64_t>EXIT_RELEASED
            for device in open_devices:
                release_holds(device.domain)
            for device in open_devices:
                settled(device, until)
    finally:
        with nogil:
            stop_workers()
        lp_runtime.exiting = True
        for device in open_devices:
            while device.raised:
                tell_nobody(device.raised.pop(0))


cdef bint settled(DeviceBase device, uint64_t until) except -1:
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
                code = queue_record(queues[i], False, &mark)
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
        unlist(queues, n)
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
    unlist(queues, n)
