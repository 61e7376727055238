# Watching: one thread of Python's looks at all that event loops await, so that no await needs a thread of its own.
#
# It asks, and does not wait in a driver: a wait can be for a single mark, and cannot be left. Between two looks it sleeps
# for an eighth of the time that it has watched, within bounds, so a short wait is seen soon and a long one costs little.

cdef enum:
    WATCH_LEAST = 10           # microseconds between two looks
    WATCH_MOST = 1000

cdef struct lp_watched:
    lp_mark *mark
    int code
    const char *failed_call
    bint over


cdef class AwaitedMark:
    """The point in a stream that an event stood for when an event loop began to await it."""
    cdef lp_mark *mark             # a reference
    cdef int code                  # with which looking at it failed, or 0
    cdef const char *failed_call

    def __dealloc__(self):
        if not lp_runtime.exiting:
            mark_unref(self.mark)

    def finish(self):
        """Raise what failed, of a mark that is over."""
        cdef int code = self.code
        if code == 0 or code == ERROR_ASYNCHRONOUS:
            await_mark(self.mark, &code)       # at once: it is over
        else:
            lp_here.failed_call = self.failed_call
        finish_mark(mark_ref(self.mark), code, True)


cdef bint look_at_all(lp_watched *watched, Py_ssize_t n) noexcept nogil:
    """Whether any of them is over."""
    cdef bint any_over = False, over
    cdef Py_ssize_t i
    for i in range(n):
        over = False
        watched[i].code = mark_query(watched[i].mark, &over)
        watched[i].over = over or watched[i].code != 0
        if watched[i].code:
            watched[i].failed_call = lp_here.failed_call
        any_over = any_over or watched[i].over
    return any_over


cdef void watch_marks(lp_watched *watched, Py_ssize_t n, uint64_t changes) noexcept nogil:
    cdef uint64_t began = lp_nanoseconds(), pause
    cdef bint any_over = False
    lp_store(&lp_runtime.watcher, this_thread())
    while not any_over and lp_load(&lp_runtime.watch_changes) == changes:
        lp_add(&lp_runtime.watching, 1)            # seen before what is loaded next
        if n and not lp_load(&lp_runtime.watch_ends):
            any_over = look_at_all(watched, n)
        lp_add(&lp_runtime.watching, -1)
        pause = min(max((lp_nanoseconds() - began) // 8000, <uint64_t>WATCH_LEAST), <uint64_t>WATCH_MOST)
        lp_lock_acquire(&lp_runtime.watch_lock)
        if not any_over and lp_runtime.watch_changes == changes:
            if n and not lp_load(&lp_runtime.watch_ends):
                lp_condition_wait_for(&lp_runtime.watch_changed, &lp_runtime.watch_lock, pause)
            else:
                lp_condition_wait(&lp_runtime.watch_changed, &lp_runtime.watch_lock)
        lp_lock_release(&lp_runtime.watch_lock)


def watch(list awaited not None, uint64_t changes):
    """Wait until an awaited mark is over, or something was added or given up since `watch_changes` gave a number.

    Returns
    -------
    list of bool
        For each, whether it is over.
    """
    cdef Py_ssize_t i, n = len(awaited)
    cdef lp_watched *watched = <lp_watched *>calloc(n + 1, sizeof(lp_watched))
    cdef AwaitedMark mark
    if watched == NULL:
        raise MemoryError
    try:
        for i in range(n):
            watched[i].mark = (<AwaitedMark?>awaited[i]).mark
        with nogil:
            watch_marks(watched, n, changes)
        over = []
        for i in range(n):
            mark = <AwaitedMark>awaited[i]
            if watched[i].over:
                mark.code, mark.failed_call = watched[i].code, watched[i].failed_call
            over.append(bool(watched[i].over))
        return over
    finally:
        free(watched)


cdef bint watcher_runs = False


def start_watcher(function not None):
    """Let a thread call a function, if none does that was started here and has not ended by `watcher_ended`.

    In C, so that no interrupt comes between the start and the note of it: without the thread all awaits would hang."""
    global watcher_runs
    if watcher_runs:
        return
    watcher_runs = True
    try:
        # Not threading.Thread, which is Python code.
        _thread.start_new_thread(function, ())
    except BaseException:
        watcher_runs = False
        raise


def watcher_ended():
    """The thread of `start_watcher` is about to end."""
    global watcher_runs
    watcher_runs = False


def watch_changes():
    """How often something was added to what is watched, or given up."""
    return lp_load(&lp_runtime.watch_changes)


def watch_changed():
    """End the present `watch`: something is to be added, or was given up."""
    with nogil:
        wake_watcher()


cdef void wake_watcher() noexcept nogil:
    lp_lock_acquire(&lp_runtime.watch_lock)
    lp_add(&lp_runtime.watch_changes, 1)
    lp_condition_broadcast(&lp_runtime.watch_changed)
    lp_lock_release(&lp_runtime.watch_lock)


cdef void stop_watcher() noexcept nogil:
    """Drivers may be gone soon."""
    lp_add(&lp_runtime.watch_ends, 1)


cdef void settle_watcher(uint64_t microseconds) noexcept nogil:
    """Wait until the watcher is in no driver's call."""
    cdef uint64_t until = lp_nanoseconds() + microseconds * 1000
    while lp_load(&lp_runtime.watching) and lp_nanoseconds() < until:
        lp_sleep(100)


cdef void forget_watcher() noexcept:
    """In a forked child, which does not have the thread."""
    global watcher_runs
    watcher_runs = False
    lp_lock_init(&lp_runtime.watch_lock)
    lp_condition_init(&lp_runtime.watch_changed)
    lp_store(&lp_runtime.watching, 0)
