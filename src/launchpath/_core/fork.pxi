# Fork and exit: a forked child inherits driver tables whose libraries do not work there, and locks that a thread of the
# parent may have held. The child's tables are filled with functions that fail, or do nothing where nothing can be said.

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

cdef int forked_query(void *event, event_status *status) noexcept nogil:
    return ERROR_FORKED

cdef int forked_time(void *event, uint64_t *nanoseconds) noexcept nogil:
    return ERROR_FORKED

cdef int forked_callback(void *event, void (*function)(void *, event_status) noexcept nogil, void *data) noexcept nogil:
    return ERROR_FORKED

cdef int forked_user_event(void *device, void **event) noexcept nogil:
    return ERROR_FORKED

cdef int forked_user_event_set(void *event, event_status status) noexcept nogil:
    return ERROR_FORKED

cdef int forked_adopt(void *device, void *handle, void **queue) noexcept nogil:
    return ERROR_FORKED

cdef int forked_elapsed(void *start, void *end, int64_t *nanoseconds) noexcept nogil:
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


cdef int refuse_forked(driver_table *table) except -1:
    """The door of what is no function of the table: building, loading, kernels and what can be asked about them."""
    if table.launch == forked_launch:
        raise failure(table, ERROR_FORKED)
    return 0


def after_fork_in_child():
    cdef DeviceBase device
    cdef driver_table *table
    cdef lp_queue *queue
    global exiting
    if not open_devices:
        return
    exiting = True                 # nothing is released any more
    lp_lock_init(&registry_lock)
    lp_lock_init(&jobs_lock)
    lp_lock_init(&graphs_lock)
    lp_condition_init(&jobs_arrived)
    _workers.__init__()
    for device in open_devices:
        device.pool.forked()
        table = device.domain.table
        table.queue_create, table.queue_release, table.queue_handle = forked_queue_create, forked_release, forked_handle
        table.queue_flush = table.queue_finish = table.event_wait = forked_queue
        table.launch, table.copy, table.fill, table.marker = forked_launch, forked_copy, forked_fill, forked_marker
        table.event_query, table.event_time, table.event_callback = forked_query, forked_time, forked_callback
        table.event_release, table.user_event = forked_release, forked_user_event
        table.user_event_set, table.allocate = forked_user_event_set, forked_allocate
        table.free, table.memory_info = forked_free, forked_memory_info
        table.command_failed = forked_command_failed
        table.queue_adopt, table.queue_detach, table.memory_trim = forked_adopt, forked_queue, forked_queue
        table.queue_query, table.event_elapsed, table.queue_capturing = forked_query, forked_elapsed, forked_capturing
        table.module_release = forked_module_release
        table.graph_keep = NULL
        table.unheld_begin, table.unheld_end, table.queue_callback = NULL, NULL, NULL
        lp_lock_init(&device.domain.order_lock)
        queue = device.domain.queues
        while queue != NULL:
            lp_lock_init(&queue.own_lock)
            queue.launch = forked_launch
            queue = queue.next


cdef enum:
    EXIT_PATIENCE = 5000000        # microseconds


def at_exit():
    """Let what is in flight now end, for a bounded time: a stream that is held back must not hang the exit."""
    cdef DeviceBase device
    cdef lp_queue **queues
    cdef lp_mark **marks
    cdef uint32_t i, n
    cdef uint64_t waited = 0
    cdef bint done
    global exiting
    for device in open_devices:
        n = 0
        with nogil:
            list_queues(device.domain, &queues, &n)
            marks = <lp_mark **>calloc(n + 1, sizeof(lp_mark *))
            for i in range(n):
                if marks != NULL:
                    queue_record(queues[i], False, &marks[i])
            for i in range(n):
                done = marks == NULL or marks[i] == NULL
                while not done and waited < EXIT_PATIENCE:
                    if mark_query(marks[i], &done):
                        break
                    if not done:
                        lp_sleep(500)
                        waited += 500
                if marks != NULL:
                    mark_unref(marks[i])
            free(marks)
            unlist(queues, n)
    _workers.stop()
    exiting = True
