# Events and waits of compiled programs, without Python; HOST_ASK as in memory.pxi.
#
# A failure is reported to the first caller that waits. So these functions look whether there is one, leave it where it is,
# and let Python's function report it.

cdef bint host_queue_finishes(lp_queue *queue) noexcept nogil:
    """Wait until all that was submitted to a queue is complete. False: there is something to report, or the queue is
    captured."""
    if capture_has(queue) or queue.shared and is_captured(queue):
        return False
    step_observe(queue)
    if unlikely(lp_runtime.watched):
        return host_finishes_recorded(queue)
    return queue_finishes(queue)


cdef bint host_finishes_recorded(lp_queue *queue) noexcept nogil:
    cdef lp_call call
    cdef bint finishes
    call_begin(&call, API_STREAM_SYNCHRONIZE)
    finishes = queue_finishes(queue)
    if finishes:
        call_end(&call, 0, 0, queue)
    else:
        call_left(&call, 0)            # Python waits anew, and reports the failure
    return finishes


cdef bint host_finish_list(lp_queue **queues, uint32_t n) noexcept nogil:
    """`host_queue_finishes` of all queues of a list, which is freed."""
    cdef uint32_t i
    cdef bint finishes = True
    for i in range(n):
        finishes = host_queue_finishes(queues[i]) and finishes
    queues_unlist(queues, n)
    return finishes and not lp_load(&lp_runtime.host_raised)


cdef bint host_finishes(lp_domain *domain, uint32_t *n) noexcept nogil:
    """Wait for all work of a device, in `n` queues. False: Python's function is to be called, which waits anew."""
    cdef lp_queue **queues = NULL
    n[0] = 0
    if find_own_hold() != OWN_HOLD_NONE or list_queues(domain, &queues, n):
        queues_unlist(queues, n[0])
        return False
    if not host_finish_list(queues, n[0]):
        return False
    reap_closed(domain, True)
    return True


cdef int host_device_synchronize() noexcept nogil:
    cdef lp_queue *queue = host_queue_of(NULL)
    cdef lp_call call
    cdef uint32_t n
    call.ring = NULL
    if queue == NULL or queue.domain.refused or not host_may_answer():
        return HOST_ASK
    if unlikely(lp_runtime.watched):
        call_begin(&call, API_DEVICE_SYNCHRONIZE)
    if not host_finishes(queue.domain, &n):
        return call_left(&call, HOST_ASK)
    call_end(&call, 0, n, NULL, queue.domain)
    return host_success()


cdef int host_stream_synchronize(uint64_t stream) noexcept nogil:
    cdef lp_queue *queue = host_queue_of(<void *><uintptr_t>stream)
    cdef lp_queue **queues = NULL
    cdef uint32_t n = 0
    cdef uint64_t moves = 0
    if queue == NULL or queue.domain.refused or not host_may_answer() or find_own_hold() != OWN_HOLD_NONE:
        return HOST_ASK
    if queue.kind != QUEUE_LEGACY:
        if not host_queue_finishes(queue) or lp_load(&lp_runtime.host_raised):
            return HOST_ASK
        return host_success()
    if list_blocking(queue.domain, &queues, &n, &moves):
        queues_unlist(queues, n)
        return HOST_ASK
    if not host_finish_list(queues, n):
        return HOST_ASK
    lp_raise(&queue.domain.quiet, moves)
    return host_success()


cdef int host_stream_query(uint64_t stream) noexcept nogil:
    cdef lp_queue *queue = host_queue_of(<void *><uintptr_t>stream)
    cdef bint done = False
    if queue == NULL or queue.kind == QUEUE_LEGACY or queue.domain.refused or not host_may_answer():
        return HOST_ASK
    step_observe(queue)
    if queue_query(queue, &done):
        return HOST_ASK                # a query does not take a failure away
    return host_success() if done else host_not_ready()


cdef inline int host_not_ready() noexcept nogil:
    lp_here.hip_code = HOST_NOT_READY
    return HOST_NOT_READY


cdef inline lp_event *host_event_of(uint64_t handle) noexcept nogil:
    """The event of a handle; NULL: Python must be asked."""
    cdef lp_event *event = c_event_of(handle)
    return event if event != NULL and host_may_answer() else NULL


cdef int host_event_record(uint64_t handle, uint64_t stream) noexcept nogil:
    cdef lp_event *event = host_event_of(handle)
    cdef lp_queue *queue = host_queue_of(<void *><uintptr_t>stream)
    cdef lp_mark *mark = NULL
    if event == NULL or queue == NULL or queue.domain.refused or (
            event.domain != NULL and event.domain != queue.domain):
        return HOST_ASK
    if queue_record(queue, event.timing, &mark):
        return HOST_ASK
    event_set(event, mark)
    return host_success()


cdef int host_event_query(uint64_t handle) noexcept nogil:
    cdef lp_event *event = host_event_of(handle)
    cdef lp_mark *mark
    cdef bint done = True
    cdef int code
    if event == NULL:
        return HOST_ASK
    mark = event_mark(event)
    if mark == NULL:
        return host_success()          # never recorded: complete
    code = c_mark_refused(mark) or mark_query(mark, &done)
    mark_unref(mark)
    return HOST_ASK if code else host_success() if done else host_not_ready()


cdef int host_event_synchronize(uint64_t handle) noexcept nogil:
    cdef lp_event *event = host_event_of(handle)
    cdef lp_mark *mark
    cdef int code
    if event == NULL or find_own_hold() != OWN_HOLD_NONE:
        return HOST_ASK
    mark = event_mark(event)
    if mark == NULL:
        return host_success()
    code = c_mark_refused(mark) or (mark_wait(mark) if likely(not lp_runtime.watched) else mark_wait_recorded(mark))
    mark_unref(mark)
    return HOST_ASK if code else host_success()


cdef int host_stream_wait_event(uint64_t stream, uint64_t handle, uint32_t flags) noexcept nogil:
    cdef lp_event *event = host_event_of(handle)
    cdef lp_queue *queue = host_queue_of(<void *><uintptr_t>stream)
    cdef lp_mark *mark
    cdef int code
    if flags or event == NULL or queue == NULL or queue.domain.refused:
        return HOST_ASK
    mark = event_mark(event)
    if mark == NULL:
        return host_success()
    code = c_mark_refused(mark) or queue_wait(queue, mark)
    if code == 0:
        step_notes_wait(queue, mark)
    mark_unref(mark)
    return HOST_ASK if code else host_success()


cdef int host_get_device(uint64_t place) noexcept nogil:
    cdef int number = host_device()
    if number < 0 or place == 0 or lp_runtime.exiting:
        return HOST_ASK
    (<int *><uintptr_t>place)[0] = number
    return host_success()


cdef int host_set_device(uint32_t number) noexcept nogil:
    return host_success() if <int>number == host_device() and number <= 0x7fffffff and not lp_runtime.exiting else HOST_ASK


cdef inline int host_device() noexcept nogil:
    """The number of this thread's device; -1: Python must be asked."""
    if lp_c_here != NULL and lp_c_here.null_queue != NULL:
        return lp_c_here.device
    return 0 if lp_host.queue != NULL else -1
