# Happens-before, from the driver calls alone. A queue's clock is kept without its own number: commands that bring no
# waits share it, so that ordering costs a plain launch nothing.

cdef sim_clock *sim_clock_new(uint32_t n) noexcept nogil:
    cdef sim_clock *clock = <sim_clock *>calloc(1, sizeof(sim_clock) + n * sizeof(uint64_t))
    clock.refs, clock.n = 1, n
    clock.at = <uint64_t *>(clock + 1)
    return clock


cdef inline sim_clock *sim_clock_keep(sim_clock *clock) noexcept nogil:
    clock.refs += 1
    return clock


cdef void sim_clock_drop(sim_clock *clock) noexcept nogil:
    cdef uint32_t i
    if clock == NULL:
        return
    clock.refs -= 1
    if clock.refs == 0:
        for i in range(clock.n_users):
            sim_event_drop(clock.users[i])
        free(clock.users)
        free(clock)


cdef inline void sim_clock_move(sim_clock **slot, sim_clock *clock) noexcept nogil:
    """Replace what `slot` holds by `clock`, whose reference it takes."""
    cdef sim_clock *old = slot[0]
    slot[0] = clock
    sim_clock_drop(old)


cdef void sim_clock_own(sim_clock **slot, uint32_t n) noexcept nogil:
    """Make slot's clock writable and at least `n` wide."""
    cdef sim_clock *old = slot[0]
    cdef sim_clock *new
    cdef uint32_t i
    if old.refs == 1 and old.n >= n:
        return
    new = sim_clock_new(max(old.n, n))
    memcpy(new.at, old.at, old.n * sizeof(uint64_t))
    if old.n_users:
        new.users = <sim_event **>malloc(old.n_users * sizeof(sim_event *))
        for i in range(old.n_users):
            new.users[i] = old.users[i]
            new.users[i].refs += 1
        new.n_users = old.n_users
    sim_clock_move(slot, new)


cdef inline uint64_t sim_clock_at(const sim_clock *clock, const sim_queue *queue) noexcept nogil:
    return clock.at[queue.identity] if queue.identity < clock.n else 0


cdef void sim_clock_raise(sim_clock **slot, const sim_queue *queue, uint64_t number) noexcept nogil:
    if sim_clock_at(slot[0], queue) < number:
        sim_clock_own(slot, queue.machine.n_queues)
        slot[0].at[queue.identity] = number


cdef bint sim_clock_has_user(const sim_clock *clock, const sim_event *user) noexcept nogil:
    cdef uint32_t i
    for i in range(clock.n_users):
        if clock.users[i] == user:
            return True
    return False


cdef void sim_clock_join_user(sim_clock **slot, sim_event *user) noexcept nogil:
    cdef sim_clock *clock
    if user.status == EVENT_COMPLETE:
        sim_clock_join(slot, user.full)
    elif user.status == EVENT_PENDING and not sim_clock_has_user(slot[0], user):
        sim_clock_own(slot, slot[0].n)
        clock = slot[0]
        clock.users = <sim_event **>realloc(clock.users, (clock.n_users + 1) * sizeof(sim_event *))
        clock.users[clock.n_users] = user
        clock.n_users += 1
        user.refs += 1


cdef void sim_clock_join(sim_clock **slot, sim_clock *other) noexcept nogil:
    cdef uint32_t i
    if other == NULL or other == slot[0]:
        return
    for i in range(other.n):
        if other.at[i] > (slot[0].at[i] if i < slot[0].n else 0):
            sim_clock_own(slot, other.n)
            slot[0].at[i] = other.at[i]
    for i in range(other.n_users):
        sim_clock_join_user(slot, other.users[i])


cdef void sim_clock_join_event(sim_clock **slot, sim_event *event) noexcept nogil:
    if event.queue == NULL:
        sim_clock_join_user(slot, event)
    else:
        sim_clock_join(slot, event.full)
        sim_clock_raise(slot, event.queue, event.number)


cdef void sim_clock_fold(sim_clock **slot) noexcept nogil:
    """Replace user events that have been set by what they brought."""
    cdef uint32_t i
    cdef sim_event *user
    cdef sim_clock *clock
    for i in range(slot[0].n_users):
        if slot[0].users[i].status != EVENT_PENDING:
            break
    else:
        return
    sim_clock_own(slot, slot[0].n)
    i = 0
    while i < slot[0].n_users:
        clock, user = slot[0], slot[0].users[i]
        if user.status == EVENT_PENDING:
            i += 1
            continue
        clock.n_users -= 1
        clock.users[i] = clock.users[clock.n_users]
        sim_clock_join_user(slot, user)
        sim_event_drop(user)


cdef sim_order sim_ordered(const sim_queue *queue, uint64_t number, const sim_clock *clock) noexcept nogil:
    """Is command `number` of `queue` before whatever has this clock? Undecided while a user event may still say so."""
    cdef uint32_t i
    cdef sim_order answer = SIM_UNORDERED, order
    cdef sim_event *user
    if sim_clock_at(clock, queue) >= number:
        return SIM_ORDERED
    for i in range(clock.n_users):
        user = clock.users[i]
        if user.status == EVENT_COMPLETE:
            order = sim_ordered(queue, number, user.full)
        else:
            order = SIM_UNDECIDED                  # failed ones too: what waits for them does not run
        if order == SIM_ORDERED:
            return SIM_ORDERED
        if order == SIM_UNDECIDED:
            answer = SIM_UNDECIDED
    return answer


cdef void sim_host_learns(sim_machine *m, sim_clock *clock, const sim_queue *queue, uint64_t number,
                          bint by_waiting) noexcept nogil:
    """The host knows what `clock` and command `number` of `queue` say (either may be NULL) to be complete."""
    sim_clock_join(&m.known, clock)
    if queue != NULL:
        sim_clock_raise(&m.known, queue, number)
    if by_waiting:
        sim_clock_join(&m.host, clock)
        if queue != NULL:
            sim_clock_raise(&m.host, queue, number)
        m.host_version += 1


cdef void sim_queue_sees_host(sim_queue *q) noexcept nogil:
    """What the host has waited for is before everything that it submits from here on."""
    if q.host_seen != q.machine.host_version:
        q.host_seen = q.machine.host_version
        sim_clock_join(&q.full, q.machine.host)
    if q.full.n_users:
        sim_clock_fold(&q.full)


cdef uint32_t sim_redundant_waits(sim_queue *q, uint32_t n, sim_event **waits, bint *redundant) noexcept nogil:
    """Mark the waits that the queue's own order or the other waits imply; of two that imply each other, one."""
    cdef uint32_t i, j, n_redundant = 0
    cdef sim_event *event
    cdef sim_event *other
    cdef bint implied
    for i in range(n):
        event, implied = waits[i], False
        if event.queue == NULL:
            implied = sim_clock_has_user(q.full, event)
        elif event.queue == q or sim_clock_at(q.order, event.queue) >= event.number:
            implied = True
        for j in range(n):
            if implied:
                break
            if j == i or (j < i and redundant[j]):
                continue
            other = waits[j]
            if event.queue == NULL:
                implied = other == event
            elif other.queue != NULL:
                implied = (sim_clock_at(other.order, event.queue) >= event.number
                           or (other.queue == event.queue and other.number >= event.number))
        redundant[i] = implied
        n_redundant += implied
    return n_redundant
