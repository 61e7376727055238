# Crashes: a signal that ends the process while kernels of CPU devices are under way. crash.h has the handler.
#
# What a handler reads lives for ever, or is a queue's, which another thread may release meanwhile: a fault in a handler
# ends the process by that signal, as it would have ended anyway. Nothing is written at a launch for this: `recent` is
# there for error messages. Names are kept for ever, see trace/name.pxi.

cdef extern from "process/crash.h":
    ctypedef int (*lp_unfinished)(const char **names, int room) noexcept nogil
    void lp_crash_watch(lp_unfinished unfinished, int bounds) noexcept nogil
    void lp_end_by_interrupt() noexcept nogil


cdef int unfinished_add(const char *label, const char **names, int n, int room) noexcept nogil:
    """Add a name that is not there yet; gives how many there are then, at most one more than there is room for."""
    cdef int i
    if label == NULL or n > room:
        return n
    for i in range(n if n < room else room):
        if strcmp(names[i], label) == 0:
            return n
    if n < room:
        names[n] = label
    return n + 1


cdef int unfinished_kernels(const char **names, int room) noexcept nogil:
    """The kernels on CPU devices that are not known to be complete, those of each queue in their order. For a signal's
    handler: no lock is taken."""
    return unfinished_of(names, room, True)


cdef int unfinished_of(const char **names, int room, bint on_host) noexcept nogil:
    """The same, of all devices or of CPU devices."""
    cdef uint64_t slot, number, first
    cdef lp_queue *queue
    cdef int n = 0
    for slot in range(lp_load(&lp_runtime.n_slots)):
        queue = lp_runtime.slot_queue[slot]
        if queue == NULL or (on_host and not queue.domain.on_host):
            continue
        number, first = lp_load(&queue.number), lp_load(&lp_runtime.completed[slot]) + 1
        if number >= first + RECENT_LAUNCHES:
            first = number - RECENT_LAUNCHES + 1
        while first <= number:
            n = unfinished_add(queue.recent[first % RECENT_LAUNCHES], names, n, room)
            first += 1
        n = unfinished_add(queue.label, names, n, room)
    return n


def unfinished():
    """Names of kernels that are not known to be complete, eight at most."""
    cdef const char *names[8]
    cdef int i, n
    with nogil:
        n = unfinished_of(names, 8, False)
    return [names[i].decode("utf-8", "replace") for i in range(min(n, 8))]


def end_by_interrupt():
    """Let the process end by SIGINT when all that Python does at its end has been done.

    Without it a driver's destructor may wait without a bound for a kernel."""
    lp_end_by_interrupt()


def watch_crashes(DeviceBase device not None):
    """Name the kernels of a CPU device that are under way when a signal ends the process, on the standard error."""
    device.domain.on_host = True
    lp_crash_watch(unfinished_kernels, lp_runtime.bounds)
