# What memory still awaits: it was given out in the order of one queue, whose earlier commands may not be over.
#
# That queue's next command comes after them by itself. A command of another queue is made to wait for them first, and
# before the host gets the address, it waits for them.


cdef uint32_t awaited_users(Pool pool, lp_extent *extent, lp_users *users) noexcept nogil:
    """Copy the users that an extent in use still awaits; gives how many."""
    users.n, users.room, users.outside = 0, 0, NULL
    lp_lock_acquire(&pool.heap.lock)
    if users_left(&extent.users):
        users_join(users, &extent.users)
    else:
        extent.ordered = 0
    lp_lock_release(&pool.heap.lock)
    return users.n


cdef lp_queue *queue_of_user(const lp_user *user) noexcept nogil:
    """The queue, listed (see `queue_use`); NULL: it has ended, and so has its work."""
    cdef lp_queue *queue
    lp_lock_acquire(&lp_runtime.registry_lock)
    queue = lp_runtime.slot_queue[user.slot]
    if queue != NULL and queue.identity == user.identity and not is_complete(user.slot, user.number):
        queue_use(queue)
    else:
        queue = NULL
    lp_lock_release(&lp_runtime.registry_lock)
    return queue


cdef int user_mark(const lp_user *user, lp_mark **mark) noexcept nogil:
    """A mark behind the work of a user; NULL: it is over."""
    cdef lp_queue *queue = queue_of_user(user)
    cdef int code = 0
    mark[0] = NULL
    if queue == NULL:
        return 0
    mark[0] = mark_behind(queue, user.number)
    if mark[0] == NULL and capture_has(queue):
        mark[0] = outside_of(queue)    # what is captured does not run
    elif mark[0] == NULL and is_captured(queue):
        code = ERROR_CAPTURED
    elif mark[0] == NULL:
        code = queue_record_outside(queue, mark)
    lp_add(&queue.users, -1)
    queue_unref(queue)
    return code


cdef awaited_failure(const driver_table *table, int code):
    if code != ERROR_CAPTURED:
        return failure(table, code)
    return errors.LaunchpathError(
        "the array's memory awaits earlier work of a stream that is being captured into a graph, which cannot be waited for: "
        "synchronize that stream before the capture, or allocate the array without naming it")


cdef int order_memory(Pool pool, lp_extent *extent, lp_queue *queue) except -1:
    """Let a queue's next command come after what the memory awaits. No lock is held."""
    cdef lp_users users
    cdef lp_user me = queue_as_user(queue, 0)
    cdef lp_mark *mark
    cdef uint64_t tick = extent.tick
    cdef uint32_t i, n
    cdef int code = 0
    cdef bint waited = False
    if is_captured(queue):
        return await_memory(pool, extent)      # a graph cannot wait for work that is not part of it
    with nogil:
        n = awaited_users(pool, extent, &users)
        if n == USERS_UNKNOWN:
            n, code = 0, ERROR_HOST_MEMORY
        for i in range(n):
            if code == 0 and not comes_after(&me, &users_list(&users)[i]):
                code = user_mark(&users_list(&users)[i], &mark)
                if mark != NULL:
                    code = queue_wait(queue, mark)
                    mark_unref(mark)
                    waited = True
        users_clear(&users)
        if code == 0:
            lp_lock_acquire(&pool.heap.lock)
            if extent.ordered and extent.tick == tick:         # else it was freed meanwhile
                extent.ordered = queue.identity
            pool.heap.counts.orders += waited
            lp_lock_release(&pool.heap.lock)
    if code:
        raise awaited_failure(queue.table, code)
    return 0


cdef int await_memory(Pool pool, lp_extent *extent) except -1:
    """Wait on the host until the memory awaits nothing. What failed ended as well: the next synchronize tells of it."""
    cdef lp_users users
    cdef lp_mark *mark = NULL
    cdef uint32_t i, n = awaited_users(pool, extent, &users)
    cdef int code
    if n == USERS_UNKNOWN:
        raise MemoryError
    try:
        for i in range(n):
            with nogil:
                code = user_mark(&users_list(&users)[i], &mark)
            if mark != NULL:
                pool.heap.counts.waits += 1
                await_mark(mark, &code)
                mark_unref(mark)
                mark = NULL
            if code and code != ERROR_ASYNCHRONOUS:
                raise awaited_failure(pool.device_.domain.table, code)
    finally:
        mark_unref(mark)
        users_clear(&users)
    awaited_users(pool, extent, &users)
    users_clear(&users)
    return 0
