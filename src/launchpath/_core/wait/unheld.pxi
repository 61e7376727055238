# Unheld periods: while no queue waits for the host, calls may be made that wait for the device under a lock of the
# library.
#
# Two things would deadlock with such a call. A queue that waits for the host, which may need the library's lock: the
# driver keeps those out (`unheld_begin`). If the calling thread itself has the hold, nothing may ever release it: then the
# wait ends with an error. And foreign code's host functions, which need the GIL, while a thread waits
# for the library's lock with the GIL: so no command is submitted with the GIL in the meantime (`find_room`).

from cpython.exc cimport PyErr_CheckSignals

cdef enum:
    UNHELD_SLICE = 20000           # microseconds between two looks for signals
    UNHELD_NOW = 0                 # patience: none
    UNHELD_SOON = 100000           # patience where the caller can do without, at a price

cdef uint64_t UNHELD_EVER = <uint64_t>-1


cdef void look_for_room() noexcept:
    """Let the next command of every native queue find out anew whether it keeps the GIL. The caller holds the GIL."""
    cdef DeviceBase device
    cdef lp_queue *queue
    for device in open_devices:
        if device.domain.native:
            lp_lock_acquire(&lp_runtime.registry_lock)
            queue = device.domain.queues
            while queue != NULL:
                queue.gil_check = 0
                queue = queue.next
            lp_lock_release(&lp_runtime.registry_lock)


cdef bint unheld_begin(lp_domain *domain, uint64_t patience) except -1:
    """Begin an unheld period of this thread, within so many microseconds; False if a queue is still held back then.

    The caller holds the GIL, so no other thread is inside a command with it. Signals are heard: this may raise."""
    cdef uint64_t began = lp_nanoseconds(), slice_, waited
    cdef int code
    if domain.table.unheld_begin == NULL:
        return True
    if runs_host_function_of(domain.driver):
        patience = UNHELD_NOW          # a queue waits for this very thread
    lp_runtime.unheld_periods += 1
    look_for_room()
    try:
        while True:
            waited = (lp_nanoseconds() - began) // 1000
            slice_ = min(<uint64_t>UNHELD_SLICE, patience - waited) if waited < patience else 0
            with nogil:
                code = domain.table.unheld_begin(domain.device, slice_)
            if code == 0:
                return True
            if slice_ == 0:
                break
            PyErr_CheckSignals()
            if patience == UNHELD_EVER:
                own_hold_check(began)
    except BaseException:
        unheld_over()
        raise
    unheld_over()
    return False


cdef void unheld_end(lp_domain *domain) noexcept:
    if domain.table.unheld_end != NULL:
        domain.table.unheld_end(domain.device)
        unheld_over()


cdef void unheld_over() noexcept:
    LP_ASSERT(lp_runtime.unheld_periods != 0)
    lp_runtime.unheld_periods -= 1
    if lp_runtime.unheld_periods == 0:
        look_for_room()
