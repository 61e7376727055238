# Users of memory: the queues whose commands may still use it, with the number of the last one that may.
#
# A queue is no user of memory that was given out after the queue's last command: nothing could know the address by
# then. Every allocation takes a tick of the process's clock of allocations, and every command notes the tick at which
# it was submitted, so the two numbers tell. An address that was handed out (`exposed`) may reach work by other ways,
# such as a host function that is running: then every queue counts.


cdef inline lp_user *users_list(lp_users *users) noexcept nogil:
    return users.outside if users.outside != NULL else users.inside


cdef inline void users_clear(lp_users *users) noexcept nogil:
    if users.outside != NULL:
        free(users.outside)
    users.n, users.room, users.outside = 0, 0, NULL


cdef void users_add(lp_users *users, const lp_user *user) noexcept nogil:
    """Add a user; of a queue that is there already the later command counts."""
    cdef lp_user *list_ = users_list(users)
    cdef uint32_t i
    if users.n == USERS_UNKNOWN:
        return
    for i in range(users.n):
        if list_[i].identity == user.identity:
            list_[i].number = max(list_[i].number, user.number)
            return
    if users.n >= USERS_INSIDE and users.n >= users.room:
        if items_grow(<void **>&users.outside, &users.room, users.n + 1, sizeof(lp_user)):
            free(users.outside)
            users.outside, users.room, users.n = NULL, 0, USERS_UNKNOWN
            return
        if users.n == USERS_INSIDE:
            memcpy(users.outside, users.inside, sizeof(users.inside))
        list_ = users.outside
    list_[users.n] = user[0]
    users.n += 1


cdef void users_join(lp_users *users, lp_users *other) noexcept nogil:
    cdef uint32_t i
    if other.n == USERS_UNKNOWN:
        users_clear(users)
        users.n = USERS_UNKNOWN
        return
    for i in range(other.n):
        users_add(users, &users_list(other)[i])


cdef bint users_left(lp_users *users) noexcept nogil:
    """Whether some of them are not known to be over; the others are dropped. Asks no driver."""
    cdef lp_user *list_ = users_list(users)
    cdef uint32_t i, n = 0
    if users.n == USERS_UNKNOWN:
        return True
    for i in range(users.n):
        if not is_complete(list_[i].slot, list_[i].number):
            if n != i:
                list_[n] = list_[i]
            n += 1
    users.n = n
    if n == 0 and users.outside != NULL:
        users_clear(users)
    return n != 0


cdef inline bint comes_after(const lp_user *later, const lp_user *earlier) noexcept nogil:
    """Whether the next command of a queue comes after another's commands so far, by the rule of the legacy stream or as
    itself."""
    if later.identity == earlier.identity:
        return True
    return later.domain == earlier.domain and (
        later.kind == QUEUE_LEGACY and earlier.kind == QUEUE_BLOCKING or
        later.kind == QUEUE_BLOCKING and earlier.kind == QUEUE_LEGACY)


cdef bint all_come_before(lp_users *users, const lp_user *queue) noexcept nogil:
    cdef uint32_t i
    for i in range(users.n):
        if not comes_after(queue, &users_list(users)[i]):
            return False
    return True


cdef lp_user *users_last(lp_users *users, uint64_t home) noexcept nogil:
    """The user whose next command comes after all the others', or NULL.

    If there are several, that is the queue that the memory was allocated for (`home`), or a blocking one."""
    cdef lp_user *list_ = users_list(users)
    cdef lp_user *last = NULL
    cdef uint32_t i
    if users.n == USERS_UNKNOWN:
        return NULL
    if users.n == 1:
        return list_
    for i in range(users.n):
        if all_come_before(users, &list_[i]):
            if list_[i].identity == home:
                return &list_[i]
            if last == NULL or last.kind == QUEUE_LEGACY:
                last = &list_[i]
    return last


cdef inline lp_user queue_as_user(lp_queue *queue, uint64_t number) noexcept nogil:
    cdef lp_user user
    user.domain, user.identity, user.number = queue.domain, queue.identity, number
    user.slot, user.kind = queue.slot, queue.kind
    return user


cdef inline bint has_foreign_work(lp_queue *queue) noexcept nogil:
    """Whether foreign code may put work into a queue that uses this process's memory.

    A library's legacy stream is always shared, but foreign code must have got an address or a stream first."""
    return queue.shared and not (queue.native and queue.kind == QUEUE_LEGACY and not queue.domain.exposed)


cdef inline bint may_use(const lp_domain *other, const lp_domain *domain, bint exposed) noexcept nogil:
    """Whether queues of a device may use memory of another one, or of itself.

    Arrays of another device are refused as arguments, but those of peers. An address that was handed out may reach any
    device of the context."""
    if other == domain:
        return True
    if domain.peers and other.driver == domain.driver:
        return True
    return other.context == domain.context and (exposed or domain.exposed)


cdef void users_collect(lp_users *users, const lp_domain *domain, uint64_t tick, bint exposed) noexcept nogil:
    """Add every queue that may use memory of a device, given out at a tick, and is not known to be over. No lock is
    held."""
    cdef lp_domain *other
    cdef lp_queue *queue
    cdef lp_user user
    cdef bint used = exposed, foreign = False, ours
    cdef int turn
    LP_ASSERT(lp_no_lock_held())
    lp_lock_acquire(&lp_runtime.registry_lock)
    for turn in range(2):
        other = lp_runtime.domains
        while other != NULL:
            if may_use(other, domain, exposed):
                queue = other.queues
                while queue != NULL:
                    ours = exposed or lp_load(&queue.tick) >= tick
                    used = used or ours
                    if turn == 0:
                        foreign = foreign or has_foreign_work(queue)
                    if turn == 0 and ours and not is_complete(queue.slot, lp_load(&queue.number)):
                        user = queue_as_user(queue, lp_load(&queue.number))
                        users_add(users, &user)
                    elif turn == 1 and has_foreign_work(queue) and not is_complete(
                            queue.slot, lp_load(&queue.number) + 1):
                        # known once it was finished after this
                        user = queue_as_user(queue, lp_load(&queue.number) + 1)
                        users_add(users, &user)
                    queue = queue.next
            other = other.next_domain
        if not (used and foreign):
            break                  # what no command has used foreign code cannot know either
    lp_lock_release(&lp_runtime.registry_lock)
