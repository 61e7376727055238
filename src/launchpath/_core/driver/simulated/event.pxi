# Events: markers' and the host's own. Their memory is recycled late, so that use after release can be told.

cdef enum:
    SIM_GRAVEYARD = 4096


cdef sim_event *sim_event_new(sim_machine *m, void *context) noexcept nogil:
    cdef sim_event *event
    if m.n_grave > SIM_GRAVEYARD:
        event = m.grave_head
        m.grave_head = event.next
        m.n_grave -= 1
        memset(event, 0, sizeof(sim_event))
    else:
        event = <sim_event *>calloc(1, sizeof(sim_event))
    event.life, event.refs, event.machine, event.context = SIM_LIVE, 1, m, context
    event.status = EVENT_PENDING
    m.identities += 1
    event.identity = m.identities
    event.next = m.live_events
    if event.next != NULL:
        event.next.previous = event
    m.live_events = event
    m.n_live_events += 1
    return event


cdef void sim_event_unlink(sim_event *event) noexcept nogil:
    """Released by the core: no longer alive, though commands and clocks may still refer to it."""
    cdef sim_machine *m = event.machine
    if event.previous != NULL:
        event.previous.next = event.next
    else:
        m.live_events = event.next
    if event.next != NULL:
        event.next.previous = event.previous
    event.next = event.previous = NULL
    m.n_live_events -= 1


cdef void sim_event_drop(sim_event *event) noexcept nogil:
    cdef sim_machine *m = event.machine
    event.refs -= 1
    if event.refs:
        return
    sim_clock_drop(event.order)
    sim_clock_drop(event.full)
    free(event.waiters)
    event.order = event.full = NULL
    event.waiters = NULL
    event.n_waiters = 0
    if event.queue == NULL and event.status == EVENT_PENDING:
        m.pending_users -= 1
    event.next = NULL
    if m.grave_head == NULL:
        m.grave_head = event
    else:
        m.grave_tail.next = event
    m.grave_tail = event
    m.n_grave += 1


cdef void sim_event_settle(sim_event *event, event_status status) noexcept nogil:
    """The event completes or fails: its callbacks are due."""
    cdef sim_machine *m = event.machine
    cdef sim_callback *callback = event.callbacks
    event.status = status
    event.callbacks = NULL
    if callback != NULL:
        if m.due_head == NULL:
            m.due_head = callback
        else:
            m.due_tail.next = callback
        while callback.next != NULL:
            callback = callback.next
        m.due_tail = callback
    m.progress += 1


cdef sim_wait_place *sim_note_user(sim_wait_place *users, uint32_t *n, sim_queue *q, uint64_t number) noexcept nogil:
    """Note the last command of a queue that uses something; the list, which may have moved."""
    cdef uint32_t i
    for i in range(n[0]):
        if users[i].queue == q:
            users[i].number = number
            return users
    users = <sim_wait_place *>realloc(users, (n[0] + 1) * sizeof(sim_wait_place))
    users[n[0]].queue, users[n[0]].number = q, number
    n[0] += 1
    return users


cdef void sim_event_observed(sim_event *event) noexcept nogil:
    """A query or a callback reported the end of the event: good for releasing, not for ordering."""
    if event.noted or event.status == EVENT_PENDING:
        return
    event.noted = True
    if event.status == EVENT_COMPLETE:
        sim_host_learns(event.machine, event.full, event.queue, event.number, False)
    elif event.queue != NULL:
        sim_host_learns(event.machine, NULL, event.queue, event.number, False)


cdef int sim_event_check(sim_event *event) noexcept nogil:
    if event.life != SIM_LIVE:
        sim_report_event(event.machine, b"use of a released event", event, b"")
        return SIM_INVALID_EVENT
    return 0


cdef int sim_event_query(void *domain, void *handle, event_status *status) noexcept nogil:
    cdef sim_event *event = <sim_event *>handle
    cdef sim_machine *m = event.machine
    lp_lock_acquire(&m.lock)
    cdef int code = sim_begin(m, SIM_EVENT_QUERY)
    if code == 0:
        code = sim_event_check(event)
    if code == 0:
        if lp_load(&lp_runtime.watcher) == this_thread() and m.automatic and event.status == EVENT_PENDING:
            sim_advance(m)         # the thread stands for those of event loops, which would have blocked
        status[0] = event.status
        sim_event_observed(event)
    return sim_end(m, SIM_EVENT_QUERY, code)


cdef int sim_event_time(void *domain, void *handle, uint64_t *nanoseconds) noexcept nogil:
    cdef sim_event *event = <sim_event *>handle
    cdef sim_machine *m = event.machine
    lp_lock_acquire(&m.lock)
    cdef int code = sim_begin(m, SIM_EVENT_TIME)
    if code == 0:
        code = sim_event_check(event)
    if code == 0 and not event.timed:
        code = SIM_NOT_TIMED
    elif code == 0 and event.status != EVENT_COMPLETE:
        code = SIM_NOT_READY if event.status == EVENT_PENDING else SIM_COMMAND_FAILED
    if code == 0:
        nanoseconds[0] = event.time
    return sim_end(m, SIM_EVENT_TIME, code)


cdef void sim_event_release(void *domain, void *handle) noexcept nogil:
    cdef sim_event *event = <sim_event *>handle
    cdef sim_machine *m = event.machine
    cdef uint32_t i
    lp_lock_acquire(&m.lock)
    sim_begin(m, SIM_EVENT_RELEASE)
    if event.life != SIM_LIVE:
        sim_report_event(m, b"event released twice", event, b"")
    else:
        for i in range(event.n_waiters):
            if not m.closed and sim_clock_at(m.known, event.waiters[i].queue) < event.waiters[i].number:
                sim_report_wait(m, b"event released while a command waits for it", event.waiters[i].queue,
                                event.waiters[i].number, event)
        event.life = SIM_DEAD
        sim_event_unlink(event)
        sim_event_drop(event)
    sim_machine_leave(m)


cdef int sim_event_callback(void *domain, void *handle, void (*function)(void *, event_status) noexcept nogil,
                            void *data) noexcept nogil:
    global sim_this_bridge_used
    cdef sim_event *event = <sim_event *>handle
    cdef sim_machine *m = event.machine
    cdef sim_callback *callback
    lp_lock_acquire(&m.lock)
    cdef int code = sim_begin(m, SIM_EVENT_CALLBACK)
    if code == 0:
        code = sim_event_check(event)
    if code == 0:
        callback = <sim_callback *>calloc(1, sizeof(sim_callback))
        callback.event, callback.function, callback.data = event, function, data
        callback.bridge = sim_this_bridge
        sim_this_bridge_used = True
        event.refs += 1
        callback.next = event.callbacks
        event.callbacks = callback
        # Never called from here: the caller may hold a lock that the callback takes.
        if event.status != EVENT_PENDING:
            sim_event_settle(event, event.status)
    return sim_end(m, SIM_EVENT_CALLBACK, code)


cdef int sim_user_event(void *handle, bint may_wait, void **out) noexcept nogil:
    global sim_this_bridge, sim_this_bridge_used
    cdef sim_device *device = <sim_device *>handle
    cdef sim_machine *m = device.machine
    cdef sim_event *event
    lp_lock_acquire(&m.lock)
    cdef int code = sim_begin(m, SIM_USER_EVENT)
    if code == 0:
        event = sim_event_new(m, device.context)
        event.order, event.full = sim_clock_new(0), sim_clock_new(0)
        m.pending_users += 1
        sim_this_bridge, sim_this_bridge_used = event.identity, False
        out[0] = event
    return sim_end(m, SIM_USER_EVENT, code)


cdef int sim_user_event_set(void *domain, void *handle, event_status status) noexcept nogil:
    cdef sim_event *event = <sim_event *>handle
    cdef sim_event *running
    cdef sim_machine *m = event.machine
    lp_lock_acquire(&m.lock)
    cdef int code = sim_begin(m, SIM_USER_EVENT_SET)
    if code == 0:
        code = sim_event_check(event)
    if code == 0 and (event.queue != NULL or status == EVENT_PENDING):
        code = SIM_INVALID_VALUE
    elif code == 0 and event.status != EVENT_PENDING:
        sim_report_event(m, b"user event set twice", event, b"")
        code = SIM_INVALID_VALUE
    if code == 0:
        running = <sim_event *>sim_this_callback
        if running != NULL and running.machine == m and running.status == EVENT_COMPLETE:
            sim_clock_join_event(&event.full, running)
        sim_clock_join(&event.full, m.host)
        m.pending_users -= 1
        sim_event_settle(event, status)
        sim_judge_suspects(m)
    return sim_end(m, SIM_USER_EVENT_SET, code)


cdef void sim_callback_links(sim_callback *callback) noexcept nogil:
    """The callback is about to run: it brings its event's clock to the user event that it was registered for.

    A callback belongs to the newest user event of the thread that registered it, until that thread submits a command;
    so work handed to another thread, which sets the event there, is still ordered. With ``handoff="any"`` every
    callback counts for every user event, with ``"thread"`` only the callback inside which the event is set.
    """
    cdef sim_event *user = callback.event.machine.live_events
    cdef int handoff = callback.event.machine.handoff
    if handoff == 0 or callback.event.status != EVENT_COMPLETE or (handoff == 1 and callback.bridge == 0):
        return
    while user != NULL:
        if (user.queue == NULL and user.status == EVENT_PENDING
                and (handoff == 2 or user.identity == callback.bridge)):
            sim_clock_join_event(&user.full, callback.event)
        user = user.next


cdef bint sim_deliver(sim_machine *m) noexcept nogil:
    """Call the callbacks that are due, without the lock; True if there were any."""
    global sim_this_callback
    cdef sim_callback *callback
    cdef void *outer
    cdef bint any = False
    while m.due_head != NULL:
        callback = m.due_head
        m.due_head = callback.next
        m.delivering += 1
        sim_event_observed(callback.event)
        sim_callback_links(callback)
        outer = sim_this_callback
        sim_this_callback = callback.event
        lp_lock_release(&m.lock)
        callback.function(callback.data, callback.event.status)
        lp_lock_acquire(&m.lock)
        sim_this_callback = outer
        sim_event_drop(callback.event)
        free(callback)
        m.delivering -= 1
        m.progress += 1
        any = True
    return any
