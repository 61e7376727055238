# The profiler of a driver: attached while devices want the times of their commands, detached after that, and unloaded when the
# process is idle after the trace: no queue has a command, and none gets any.
#
# To attach one or to detach it may take until the device has done what it was given (CUPTI: measured), and that may depend on
# any thread. So a thread of its own does it, the keeper, and others wait for the keeper for a bounded time.
#
# While it is attached the core submits no graphs: with CUPTI 13 on an H100, programs of several threads that ran graphs had
# kernels that failed (error 719) and records out of order, in 1 of 1,000, and none in 8,000 programs without graphs.
#
# Attached, it waits for the device in calls that do not wait otherwise, and holds locks of its own meanwhile (CUPTI: programs
# with host functions hung on a GPU). So before a queue is to wait for the host it is detached, and the trace goes on with
# timings.

cdef enum:
    PROFILER_FLUSH_EVERY = 50000000    # nanoseconds; more often makes launches slower
    PROFILER_FLUSH_LEAST = 500000      # nanoseconds between two that a thread waits for
    PROFILER_PATIENCE = 1000000000     # nanoseconds that a thread waits for the keeper
    PROFILER_IDLE = 2000000            # nanoseconds without a new command after which the process may be idle
    PROFILER_UNLOADED = 50000000       # nanoseconds that the end of a trace waits for that
    # The profiler tells the times of some commands of a thread together, when all of them are complete: of at most so many,
    # as a part of all timing objects
    PROFILER_ROWS = 16

cdef enum profiler_state:
    PROFILER_OFF
    PROFILER_ATTACHES
    PROFILER_ON
    PROFILER_DETACHES
    PROFILER_UNLOADS

cdef struct lp_profiler_state:
    uint64_t wanted                # a thread waits for times
    uint64_t flushed               # when the profiler was asked last (of the monitor)
    uint64_t completed, news       # commands by then, and when: see `profiler_linger` (of the monitor)
    uint64_t submitted, idle_since  # the same, see `profiler_unload_if_idle` (of the monitor)
    lp_lock lock                   # guards what follows; after `monitor_lock`, before the driver's own
    uint64_t state                 # profiler_state; the keeper's to change while it attaches, detaches or unloads
    uint64_t loaded                # it was attached, and not unloaded since
    const driver_table *driver     # whose it is, was last, or will be
    int code                       # of the last time that it was to be attached
    uint32_t devices               # that want it
    uint64_t barred                # generation of the trace in which a queue had to wait for the host
    uint64_t graphs                # that threads submit now
    uint64_t barring               # threads that wait for its end because of that
    bint keeper                    # the thread was started
    lp_condition keeper_wanted

cdef lp_profiler_state lp_profiler
lp_lock_init(&lp_profiler.lock)
lp_condition_init(&lp_profiler.keeper_wanted)


cdef inline bint is_profiling() noexcept nogil:
    return lp_load(&lp_profiler.state) != PROFILER_OFF


cdef inline bint is_barred() noexcept nogil:
    """Whether the profiler was to be detached in this trace, so that a queue can wait for the host."""
    return lp_profiler.barred != 0 and lp_profiler.barred == lp_trace.generation


cdef void keeper_life(void *data) noexcept nogil:
    """The keeper's life. It touches nothing of Python's."""
    cdef const driver_table *driver
    cdef uint64_t state
    cdef uint32_t records
    cdef int code
    while True:
        lp_lock_acquire(&lp_profiler.lock)
        while lp_profiler.state == PROFILER_OFF or lp_profiler.state == PROFILER_ON:
            lp_condition_wait(&lp_profiler.keeper_wanted, &lp_profiler.lock)
        state, driver, code = lp_profiler.state, lp_profiler.driver, 0
        records = <uint32_t>max(lp_trace.timing_most // PROFILER_ROWS, <uint64_t>1)
        lp_lock_release(&lp_profiler.lock)
        if state == PROFILER_ATTACHES:
            while lp_load(&lp_profiler.graphs):
                lp_sleep(20)
            code = driver.profile_begin(&lp_profile_observer, records)
        elif state == PROFILER_DETACHES:
            driver.profile_end()
        else:
            driver.profile_unload()
        lp_lock_acquire(&lp_profiler.lock)
        if state == PROFILER_ATTACHES:
            lp_profiler.code = code
        lp_store(&lp_profiler.loaded, state != PROFILER_UNLOADS)
        lp_store(&lp_profiler.state, PROFILER_ON if state == PROFILER_ATTACHES and code == 0 else PROFILER_OFF)
        lp_lock_release(&lp_profiler.lock)


cdef int profiler_want(lp_domain *domain) noexcept nogil:
    """Let the profiler tell the times of a device's commands. Gives the driver's code, or ERROR_HELD_BACK: not now."""
    cdef uint64_t until = lp_nanoseconds() + <uint64_t>PROFILER_PATIENCE
    cdef bint asked = False
    cdef int code
    if domain.profiled:
        return 0
    if domain.driver.profile_begin == NULL:
        return ERROR_NOT_TOLD
    lp_lock_acquire(&lp_profiler.lock)
    lp_profiler.devices += 1           # from now on it stays attached
    while True:
        code = ERROR_HELD_BACK
        if is_barred() or lp_load(&lp_runtime.holds):
            break
        if lp_profiler.state == PROFILER_ON:
            code = 0 if lp_profiler.driver == domain.driver else ERROR_NOT_TOLD
        elif lp_profiler.state == PROFILER_OFF and asked:
            code = lp_profiler.code
        elif lp_profiler.state == PROFILER_OFF:
            asked = True
            code = profiler_attach(domain.driver)
        if code != ERROR_HELD_BACK or lp_nanoseconds() > until:
            break
        lp_lock_release(&lp_profiler.lock)
        lp_sleep(50)
        lp_lock_acquire(&lp_profiler.lock)
    if code:
        lp_profiler.devices -= 1
    domain.profiled = code == 0
    lp_lock_release(&lp_profiler.lock)
    return code


cdef int profiler_attach(const driver_table *driver) noexcept nogil:
    """Let the keeper attach it: ERROR_HELD_BACK until it has. The caller holds `lock`."""
    if not lp_profiler.keeper:
        lp_profiler.keeper = lp_thread(keeper_life, NULL)
    if not lp_profiler.keeper:
        return ERROR_HOST_MEMORY
    lp_profiled_calls.captures = 0
    lp_profiler.driver = driver
    lp_store(&lp_profiler.state, PROFILER_ATTACHES)
    lp_condition_signal(&lp_profiler.keeper_wanted)
    return ERROR_HELD_BACK


cdef void profiler_leave(lp_domain *domain) noexcept nogil:
    """A device's commands want no times any more; those in flight still have them."""
    lp_lock_acquire(&lp_profiler.lock)
    if domain.profiled:
        domain.profiled = False
        lp_profiler.devices -= 1
    lp_lock_release(&lp_profiler.lock)


cdef void profiler_bar() noexcept nogil:
    """A queue is to wait for the host: detach the profiler before, until the end of the trace. No lock is held.

    It waits until what is in flight is complete; after PROFILER_PATIENCE without news the profiler is asked for what it has,
    and the other commands go without times."""
    cdef uint64_t began, since, completed
    if lp_load(&lp_profiler.state) == PROFILER_OFF:
        return
    lp_lock_acquire(&lp_profiler.lock)
    if is_barred() and not lp_load(&lp_profiler.barring):
        lp_lock_release(&lp_profiler.lock)
        return                         # it could not be detached before: it waits for the device
    lp_add(&lp_profiler.barring, 1)
    lp_lock_release(&lp_profiler.lock)
    began = since = lp_nanoseconds()
    completed = lp_load(&lp_timings.completed)
    while lp_load(&lp_profiler.state) != PROFILER_OFF and lp_nanoseconds() - began < 10 * <uint64_t>PROFILER_PATIENCE:
        profilers_leave()
        lp_store(&lp_profiler.wanted, 1)
        lp_condition_signal(&lp_timings.monitor_wanted)
        profiler_end(0)
        lp_sleep(100)
        if completed != lp_load(&lp_timings.completed):
            completed, since = lp_load(&lp_timings.completed), lp_nanoseconds()
        elif lp_nanoseconds() - since > <uint64_t>PROFILER_PATIENCE:
            since = lp_nanoseconds()
            profiler_give_up()
    lp_add(&lp_profiler.barring, -1)


cdef void profilers_leave() noexcept nogil:
    """No device's commands want times of the profiler any more, in this trace."""
    cdef lp_domain *domain
    lp_lock_acquire(&lp_runtime.registry_lock)
    lp_lock_acquire(&lp_profiler.lock)
    lp_profiler.barred = lp_trace.generation
    domain = lp_runtime.domains
    while domain != NULL:
        if domain.profiled:
            domain.profiled = False
            lp_profiler.devices -= 1
        domain = domain.next_domain
    lp_lock_release(&lp_profiler.lock)
    lp_lock_release(&lp_runtime.registry_lock)


cdef void profiler_give_up() noexcept nogil:
    """Take what the profiler can tell now; the commands that it tells nothing of are counted as not complete."""
    profiler_flush(True)
    lp_lock_acquire(&lp_timings.monitor_lock)
    profiled_drop(NULL)
    lp_lock_release(&lp_timings.monitor_lock)


cdef void profiler_end(uint64_t patience) noexcept nogil:
    """Detach the profiler, if no device wants it and nothing is outstanding; wait for that so many nanoseconds at most."""
    cdef uint64_t began = lp_nanoseconds()
    if lp_load(&lp_profiler.state) == PROFILER_OFF:
        return
    lp_lock_acquire(&lp_profiler.lock)
    if lp_profiler.state == PROFILER_ON and lp_profiler.devices == 0 and not is_outstanding() and (
            lp_load(&lp_runtime.holds) == 0):
        lp_store(&lp_profiler.state, PROFILER_DETACHES)
        lp_condition_signal(&lp_profiler.keeper_wanted)
    lp_lock_release(&lp_profiler.lock)
    while lp_load(&lp_profiler.state) == PROFILER_DETACHES and lp_nanoseconds() - began < patience:
        lp_sleep(50)


cdef void profiler_unloaded() noexcept nogil:
    """After the end of a trace: wait a moment until the profiler is unloaded."""
    cdef uint64_t began = lp_nanoseconds()
    lp_condition_signal(&lp_timings.monitor_wanted)
    while lp_load(&lp_profiler.loaded) and lp_nanoseconds() - began < <uint64_t>PROFILER_UNLOADED:
        lp_sleep(200)


cdef void profiler_unload_if_idle() noexcept nogil:
    """After the end of a trace, for the monitor."""
    cdef uint64_t submitted, now = lp_nanoseconds()
    if not lp_load(&lp_profiler.loaded) or lp_load(&lp_profiler.state) != PROFILER_OFF or lp_load(&lp_trace.generation):
        return
    submitted = commands_submitted()
    if submitted != lp_profiler.submitted or lp_load(&lp_runtime.holds):
        lp_profiler.submitted, lp_profiler.idle_since = submitted, now
    elif now - lp_profiler.idle_since >= <uint64_t>PROFILER_IDLE and are_queues_idle():
        lp_lock_acquire(&lp_profiler.lock)
        if lp_profiler.state == PROFILER_OFF and lp_profiler.devices == 0:
            lp_store(&lp_profiler.state, PROFILER_UNLOADS)
            lp_condition_signal(&lp_profiler.keeper_wanted)
        lp_lock_release(&lp_profiler.lock)


cdef uint64_t commands_submitted() noexcept nogil:
    """How many commands the queues of all devices have had, ever; and how many queues there are."""
    cdef lp_domain *domain
    cdef lp_queue *queue
    cdef uint64_t n = 0
    lp_lock_acquire(&lp_runtime.registry_lock)
    domain = lp_runtime.domains
    while domain != NULL:
        queue = domain.queues
        while queue != NULL:
            n, queue = n + lp_load(&queue.number) + 1, queue.next
        domain = domain.next_domain
    lp_lock_release(&lp_runtime.registry_lock)
    return n


cdef bint are_queues_idle() noexcept nogil:
    """Whether all that was submitted to the profiler's devices is complete, so that no thread waits for it in the driver."""
    cdef lp_queue **queues = NULL
    cdef lp_domain *domain
    cdef event_status status
    cdef bint idle = True
    cdef uint32_t i, n = 0, room = 0
    lp_lock_acquire(&lp_runtime.registry_lock)
    domain = lp_runtime.domains
    while domain != NULL:
        if domain.driver == lp_profiler.driver:
            idle = domain_queues(domain, &queues, &n, &room) and idle
        domain = domain.next_domain
    lp_lock_release(&lp_runtime.registry_lock)
    for i in range(n):
        if idle and lp_lock_try(queues[i].lock):
            status = EVENT_PENDING
            idle = queues[i].domain.driver.queue_query(queues[i].handle, &status) == 0 and status != EVENT_PENDING
            lp_lock_release(queues[i].lock)
        else:
            idle = False               # a thread is in a call
    queues_unlist(queues, n)
    return idle


cdef void profiler_linger() noexcept nogil:
    """After the end of a trace, for the monitor: what was being submitted then may have been in the last flush, so that
    nothing is told of it. It does not keep the profiler attached."""
    cdef uint64_t now = lp_nanoseconds()
    if lp_load(&lp_trace.generation) or lp_profiler.devices or not is_outstanding() or lp_load(&lp_runtime.holds) or (
            lp_profiler.completed != lp_load(&lp_timings.completed)):
        lp_profiler.completed, lp_profiler.news = lp_load(&lp_timings.completed), now
    elif now - lp_profiler.news > <uint64_t>PROFILER_PATIENCE:
        lp_profiler.news = now
        profiler_give_up()


cdef void profiler_read() noexcept nogil:
    """Let the observer hear of what has run. The caller holds `monitor_lock`."""
    lp_lock_acquire(&lp_profiler.lock)
    if lp_profiler.state == PROFILER_ON:
        lp_profiler.driver.profile_read()
    lp_lock_release(&lp_profiler.lock)


cdef void profiler_flush(bint whole) noexcept nogil:
    """Ask the profiler for what is complete; `whole`: also if it then tells nothing of what is not complete."""
    lp_lock_acquire(&lp_profiler.lock)
    if lp_profiler.state == PROFILER_ON:
        lp_profiler.driver.profile_flush(whole)
    lp_lock_release(&lp_profiler.lock)


cdef void profiler_flush_if_due() noexcept nogil:
    """The same for the monitor, now and then. No lock is held."""
    cdef bint wanted = lp_load(&lp_profiler.wanted) or lp_load(&lp_timings.used) > lp_trace.timing_most // 2
    if not is_outstanding() or (lp_nanoseconds() - lp_profiler.flushed <
                                <uint64_t>(PROFILER_FLUSH_LEAST if wanted else PROFILER_FLUSH_EVERY)):
        return
    lp_store(&lp_profiler.wanted, 0)
    profiler_flush(False)
    lp_profiler.flushed = lp_nanoseconds()


cdef void profiler_forget() noexcept nogil:
    """In a forked child: the profiler is its parent's."""
    memset(&lp_profiled_calls, 0, sizeof(lp_profiled_calls))
    memset(&lp_profiler, 0, sizeof(lp_profiler))
    lp_lock_init(&lp_profiler.lock)
    lp_condition_init(&lp_profiler.keeper_wanted)


def trace_profiler_left():
    """Whether the profiler was detached before the end of this trace, because a queue had to wait for the host."""
    return is_barred()
