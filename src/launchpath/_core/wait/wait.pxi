# Waiting: driver calls that block, but that a signal (Ctrl-C) ends at once.
#
# Python runs signal handlers on its main thread only, so only that thread needs anything special, and a thread that has a
# hold (own_hold.pxi). A library's call that
# blocks cannot be left. So a waiter, a thread of C's, makes the call, and the main thread sleeps in slices between
# which Python may run handlers. A wait that was left goes on in its waiter: it holds what it needs, and the next
# synchronize reports all that it learns.
#
# To hand a wait over and back takes tens of microseconds, which short kernels cannot bear. Where the library can be
# asked for a whole queue (CUDA, HIP) the main thread first asks for a short while. CPU runtimes need the waiting thread
# itself: it runs the kernel inside the call (Intel's: 4 microseconds, where a look from outside waits for another
# thread to wake up). There the main thread makes the call if what it waits for is known to be brief.

cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1

cdef enum:
    BRIEF = 1000               # microseconds that a wait may take whose kernels are then known to be brief,
    BRIEF_COMMANDS = 64        # of which so many take less than signals may wait for
    # microseconds between two looks for signals, where the system does not end a sleep by itself
    WAIT_SLICE = 50000

cdef struct lp_wait:
    uint64_t refs              # the caller's and the waiter's
    lp_queue *queue            # to be finished, listed (see queue_use), or NULL
    lp_mark *mark              # to be waited for, a reference, or NULL
    lp_arrival arrival
    int code
    const char *failed_call
    lp_lock lock
    lp_condition arrived
    bint done
    bint left                  # by a caller that a signal's handler has called away
    lp_wait *next              # in `waits_first`

cdef unsigned long main_thread = threading.main_thread().ident


cdef inline bint hears_signals() noexcept:
    return lp_runtime.wait_in_slices and PyThread_get_thread_ident() == main_thread


cdef void forget_waiters() noexcept:
    """In a forked child, whose one thread is Python's main thread."""
    global main_thread
    lp_lock_init(&lp_runtime.waiters_lock)
    lp_condition_init(&lp_runtime.waiters_wanted)
    lp_runtime.waiters_idle, lp_runtime.waits_under_way, lp_runtime.waits_first = 0, 0, NULL
    main_thread = PyThread_get_thread_ident()


cdef void release_waited(lp_wait *wait) noexcept nogil:
    if wait.queue != NULL:
        LP_ASSERT(lp_load(&wait.queue.users) != 0)
        lp_add(&wait.queue.users, -1)
        queue_unref(wait.queue)
    mark_unref(wait.mark)
    wait.queue, wait.mark = NULL, NULL


cdef void drop_wait(lp_wait *wait) noexcept nogil:
    LP_ASSERT(lp_load(&wait.refs) != 0)
    if lp_add(&wait.refs, -1):
        return
    release_waited(wait)
    lp_lock_destroy(&wait.lock)
    free(wait)


cdef void make_wait(lp_wait *wait) noexcept nogil:
    """Block until it is over."""
    cdef int code
    if wait.mark != NULL:
        code = mark_wait(wait.mark)
    else:
        code = queue_arrive(wait.queue, &wait.arrival)
    wait.code, wait.failed_call = code, lp_here.failed_call


cdef void keep_untold(lp_wait *wait, lp_queue *queue) noexcept nogil:
    """The caller has left: the next synchronize reports its failure."""
    if queue != NULL and wait.arrival.pending_code == ERROR_ASYNCHRONOUS:
        lp_store(&queue.failure, 1)


cdef void waiter_life(void *first) noexcept nogil:
    """A waiter's life: it makes one wait after the other. It never touches anything of Python's."""
    cdef lp_wait *wait = <lp_wait *>first
    while True:
        make_wait(wait)
        lp_lock_acquire(&wait.lock)
        if wait.left:
            keep_untold(wait, wait.queue)
        release_waited(wait)       # the caller has references of its own, and may end the queue as soon as it goes on
        wait.done = True
        lp_condition_signal(&wait.arrived)
        lp_lock_release(&wait.lock)
        drop_wait(wait)
        lp_lock_acquire(&lp_runtime.waiters_lock)
        LP_ASSERT(lp_runtime.waits_under_way != 0)
        lp_runtime.waits_under_way -= 1
        lp_runtime.waiters_idle += 1
        while lp_runtime.waits_first == NULL:
            lp_condition_wait(&lp_runtime.waiters_wanted, &lp_runtime.waiters_lock)
        wait = lp_runtime.waits_first
        lp_runtime.waits_first = wait.next
        lp_lock_release(&lp_runtime.waiters_lock)


cdef bint give_to_waiter(lp_wait *wait) noexcept nogil:
    """Let a waiter make a wait; False if there is none, and no thread can be started."""
    cdef bint idle
    lp_add(&wait.refs, 1)
    lp_lock_acquire(&lp_runtime.waiters_lock)
    lp_runtime.waits_under_way += 1
    idle = lp_runtime.waiters_idle > 0
    if idle:
        lp_runtime.waiters_idle -= 1
        wait.next = lp_runtime.waits_first
        lp_runtime.waits_first = wait
        lp_condition_signal(&lp_runtime.waiters_wanted)
    lp_lock_release(&lp_runtime.waiters_lock)
    if idle or lp_thread(waiter_life, wait):
        return True
    lp_add(&wait.refs, -1)
    lp_lock_acquire(&lp_runtime.waiters_lock)
    lp_runtime.waits_under_way -= 1
    lp_lock_release(&lp_runtime.waiters_lock)
    return False


cdef void settle_waiters(uint64_t microseconds) noexcept nogil:
    """Wait until waits that were left have let go of their queues and marks."""
    cdef uint64_t until = lp_nanoseconds() + microseconds * 1000
    cdef bint busy = True
    while busy and lp_nanoseconds() < until:
        lp_lock_acquire(&lp_runtime.waiters_lock)
        busy = lp_runtime.waits_under_way != 0
        lp_lock_release(&lp_runtime.waiters_lock)
        if busy:
            lp_sleep(100)


cdef int wait_heeding_signals(lp_wait *wait, lp_queue *queue, lp_mark *mark, bint held) except -1:
    """Have a wait made by a waiter; raises what a signal handler raises, and then leaves the wait to the waiter. The same if
    it is `held`: for what this thread holds back itself.

    The caller drops its reference."""
    cdef uint64_t began = lp_nanoseconds()
    cdef bint done = False
    with nogil:
        if not give_to_waiter(wait):
            make_wait(wait)        # without a thread: right all the same, and signals are heeded when it is over
            wait.done = True
    while not done:
        with nogil:
            lp_lock_acquire(&wait.lock)
            if not wait.done:
                lp_condition_wait_for(&wait.arrived, &wait.lock, WAIT_SLICE)
            done = wait.done
            lp_lock_release(&wait.lock)
        if not done:
            try:
                PyErr_CheckSignals()
                if held:
                    own_hold_check_wait(began, queue, mark)
            except BaseException:
                lp_lock_acquire(&wait.lock)
                wait.left = True
                if wait.done:
                    keep_untold(wait, queue)
                lp_lock_release(&wait.lock)
                raise
    lp_here.failed_call = wait.failed_call
    return 0


cdef bint mark_soon(lp_mark *mark) noexcept nogil:
    """Look for a short while whether a mark's wait will not block. What fails is left to the wait."""
    cdef uint64_t until
    cdef event_status status = EVENT_PENDING
    if mark.captured or mark_complete(mark) or mark_ensure(mark) or mark.event == NULL:
        return True
    until = lp_nanoseconds() + 1000 * <uint64_t>mark.domain.table.look_first
    while True:
        if mark.domain.table.event_query(mark.domain, mark.event, &status):
            return True
        if status != EVENT_PENDING:
            learn_answer(mark, status)
            return True
        if lp_nanoseconds() >= until:
            return False
        lp_pause()


cdef bint queue_soon(lp_queue *queue, int *code) noexcept nogil:
    """`queue_finish` for a driver that can be asked for a whole queue, if that is complete within a short while.

    False: it is not, and nothing was learned or told. No lock is held."""
    cdef uint64_t until = lp_nanoseconds() + 1000 * <uint64_t>queue.table.look_first
    cdef event_status status = EVENT_PENDING
    cdef lp_snapshot snapshot
    cdef lp_arrival arrival
    arrival.known, arrival.number, arrival.pending_code = True, 0, 0
    # A thread that has the lock may be waiting for room in the driver.
    while not lp_lock_try(queue.lock):
        if lp_nanoseconds() >= until:
            return False
        lp_pause()
    code[0] = snapshot_for_finish(queue, &snapshot)
    lp_lock_release(queue.lock)
    if code[0] == 0:
        while not snapshot_reached(queue, &snapshot, &status):
            if lp_nanoseconds() >= until:
                snapshot_drop(&snapshot)
                return False
            lp_pause()
        code[0] = arrive_at(queue, &snapshot, &arrival, status == EVENT_COMPLETE)
    snapshot_drop(&snapshot)
    code[0] = queue_report(queue, &arrival, code[0])
    return True


cdef inline uint32_t brief_bit(const char *label) noexcept nogil:
    return <uint32_t>((<uint64_t><uintptr_t>label * <uint64_t>0x9E3779B97F4A7C15) >> 52)      # of 4,096


cdef bint queue_brief(lp_queue *queue, uint64_t number, uint64_t *first) noexcept nogil:
    """Whether a queue's commands up to `number` are known to take little time: few, of kernels that did before, behind
    nothing.

    What a host function or another queue holds back is never brief. `first` is the first command that is waited for."""
    cdef uint64_t at, done = lp_load(&lp_runtime.completed[queue.slot])
    cdef uint32_t i, bit
    cdef bint brief = not queue.shared and queue.n_pending == 0
    lp_lock_acquire(queue.lock)
    first[0] = done + 1
    if number > done:
        if number - done > BRIEF_COMMANDS:
            brief = False
        for i in range(queue.n_kept):
            brief = brief and mark_complete(queue.kept[i].mark)
        at = queue.number
        while brief and at > done and queue.number - at < RECENT_LAUNCHES:
            bit = brief_bit(queue.recent[at % RECENT_LAUNCHES])
            brief = (lp_runtime.brief_kernels[bit // 64] >> (bit % 64)) & 1
            at -= 1
    lp_lock_release(queue.lock)
    return brief


cdef void note_brief(lp_queue *queue, uint64_t first, uint64_t began) noexcept nogil:
    """Remember of a queue's latest kernels whether a wait for them was brief. On the main thread."""
    cdef bint brief = lp_nanoseconds() - began < 1000 * <uint64_t>BRIEF
    cdef uint64_t at
    cdef uint32_t bit
    lp_lock_acquire(queue.lock)
    at = queue.number
    while at >= first and at and queue.number - at < RECENT_LAUNCHES:
        bit = brief_bit(queue.recent[at % RECENT_LAUNCHES])
        if brief:
            lp_runtime.brief_kernels[bit // 64] |= <uint64_t>1 << (bit % 64)
        else:
            lp_runtime.brief_kernels[bit // 64] &= ~(<uint64_t>1 << (bit % 64))
        at -= 1
    lp_lock_release(queue.lock)


cdef inline void show_output(lp_domain *domain, int code) noexcept:
    """After a wait, bring what kernels have printed to standard output. What fails there is no failure of the wait."""
    if unlikely(domain.prints) and code == 0:
        with nogil:
            domain.table.output_show(domain.device)


cdef int await_queue(lp_queue *queue, int *code) except -1:
    """Wait for all that a queue holds, as `queue_awaited` does; a trace has a record of it."""
    cdef lp_call call
    if likely(not lp_runtime.watched):
        queue_awaited(queue, code)
        show_output(queue.domain, code[0])
        return 0
    call_begin(&call, API_STREAM_SYNCHRONIZE)
    code[0] = -1                       # if a signal's handler raises
    try:
        queue_awaited(queue, code)
        show_output(queue.domain, code[0])
    finally:
        call_end(&call, code[0], 0, queue)
    return heed_bounds(queue.domain)


cdef int queue_awaited(lp_queue *queue, int *code) except -1:
    """`queue_finish`, with the GIL on the calling thread, and heeding signals. Raises only what a signal handler
    raises, and an error if the thread holds back what it waits for."""
    cdef lp_wait *wait = NULL
    cdef uint64_t first = <uint64_t>-1, began = lp_nanoseconds()
    cdef bint soon = True, held = find_own_hold() != OWN_HOLD_NONE
    if held or hears_signals():
        with nogil:
            if queue.table.look_first and queue.table.queue_query != NULL:
                if queue_soon(queue, code):
                    return 0
                soon = False
            else:
                soon = not held and queue_brief(queue, lp_load(&queue.number), &first)
        if not soon:
            wait = <lp_wait *>calloc(1, sizeof(lp_wait))
    if wait == NULL:
        with nogil:
            code[0] = queue_finish(queue)
            if first != <uint64_t>-1:
                note_brief(queue, first, began)
        return 0
    lp_lock_init(&wait.lock)
    lp_condition_init(&wait.arrived)
    wait.refs, wait.queue = 1, queue_use(queue)
    try:
        wait_heeding_signals(wait, queue, NULL, held)
        with nogil:
            code[0] = queue_report(queue, &wait.arrival, wait.code)
            if first != <uint64_t>-1:
                note_brief(queue, first, began)
    finally:
        drop_wait(wait)
    return 0


cdef int await_mark(lp_mark *mark, int *code) except -1:
    """The same for a mark."""
    cdef lp_call call
    observe_mark(mark)
    if likely(not lp_runtime.watched):
        mark_awaited(mark, code)
        show_output(mark.domain, code[0])
        return 0
    call_begin(&call, API_EVENT_SYNCHRONIZE)
    code[0] = -1
    try:
        mark_awaited(mark, code)
        show_output(mark.domain, code[0])
    finally:
        call_end(&call, code[0], 0, mark.queue, NULL, waited_event(mark))
    return heed_bounds(mark.domain)


cdef int mark_awaited(lp_mark *mark, int *code) except -1:
    """`mark_wait` in the same way."""
    cdef lp_wait *wait = NULL
    cdef uint64_t first = <uint64_t>-1, began = lp_nanoseconds()
    cdef bint soon = True, held = find_own_hold() != OWN_HOLD_NONE
    if (held or hears_signals()) and (mark.captured or not mark_complete(mark)):
        with nogil:
            if mark.domain.table.look_first:
                soon = mark_soon(mark)
            else:
                soon = mark.captured or not held and mark.queue != NULL and queue_brief(mark.queue, mark.number, &first)
        if not soon:
            wait = <lp_wait *>calloc(1, sizeof(lp_wait))
    if wait == NULL:
        with nogil:
            code[0] = mark_wait(mark)
            if first != <uint64_t>-1:
                note_brief(mark.queue, first, began)
        return 0
    lp_lock_init(&wait.lock)
    lp_condition_init(&wait.arrived)
    wait.refs, wait.mark = 1, mark_ref(mark)
    try:
        wait_heeding_signals(wait, NULL, mark, held)
        code[0] = wait.code
        if first != <uint64_t>-1:
            with nogil:
                note_brief(mark.queue, first, began)
    finally:
        drop_wait(wait)
    return 0


def set_wait_in_slices(bint on):
    """Heed signals while waiting, as by default, or let the driver's call block the main thread. For measurements."""
    cdef bint before = lp_runtime.wait_in_slices
    lp_runtime.wait_in_slices = on
    return bool(before)
