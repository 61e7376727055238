# Own holds: the thread that took a hold, or one that has ended, may be what a wait depends on. Then nothing may ever end the
# wait, so it ends with an error. Another thread may release the hold, so it is given time.

cdef extern from "pythread.h" nogil:
    unsigned long PyThread_get_thread_ident() noexcept

cdef struct lp_holder:
    # The thread that took a hold, for as long as Python has not released it. Part of the Hold (registry_lock).
    lp_holder *next
    lp_holder **place              # what points to this; NULL: it is not in the list
    unsigned long identifier       # of the thread, as Python knows it
    uint64_t thread                # its number; 0: it has ended
    lp_mark *mark                  # the hold's, which the Hold keeps meanwhile
    queue_kind kind                # of the queue that is held back

cdef enum own_hold:
    OWN_HOLD_NONE
    OWN_HOLD_HERE                  # this thread's
    OWN_HOLD_LEFT                  # a thread's that has ended

cdef lp_thread_end holders_end


cdef void holder_enter(lp_holder *holder, lp_mark *mark, const lp_queue *queue) noexcept nogil:
    holder.identifier, holder.thread = PyThread_get_thread_ident(), this_thread()
    holder.mark, holder.kind = mark, queue.kind
    lp_thread_end_with(&holders_end, <void *><uintptr_t>holder.thread)
    lp_lock_acquire(&lp_runtime.registry_lock)
    holder.next, holder.place = lp_runtime.holders, &lp_runtime.holders
    if holder.next != NULL:
        holder.next.place = &holder.next
    lp_runtime.holders = holder
    lp_lock_release(&lp_runtime.registry_lock)


cdef void holder_leave(lp_holder *holder) noexcept nogil:
    """Before the mark is dropped."""
    lp_lock_acquire(&lp_runtime.registry_lock)
    if holder.place != NULL:
        holder.place[0] = holder.next
        if holder.next != NULL:
            holder.next.place = holder.place
        holder.place = NULL
    lp_lock_release(&lp_runtime.registry_lock)


cdef void holders_leave(void *number) noexcept nogil:
    """A thread ends, and leaves its holds."""
    cdef lp_holder *holder
    lp_lock_acquire(&lp_runtime.registry_lock)
    holder = lp_runtime.holders
    while holder != NULL:
        if holder.thread == <uint64_t><uintptr_t>number:
            holder.thread = 0
        holder = holder.next
    lp_lock_release(&lp_runtime.registry_lock)


lp_thread_end_by(&holders_end, holders_leave)


def set_own_hold_patience(double seconds):
    """How long a thread waits for what an own hold holds back. For tests."""
    lp_runtime.own_hold_patience = <uint64_t>(1e6 * seconds)


def count_holds(unsigned long thread=0):
    """How many holds Python has and has not released, those of one thread (its identifier) or of all. For tests."""
    cdef lp_holder *holder
    cdef size_t n = 0
    lp_lock_acquire(&lp_runtime.registry_lock)
    holder = lp_runtime.holders
    while holder != NULL:
        n += thread == 0 or holder.identifier == thread
        holder = holder.next
    lp_lock_release(&lp_runtime.registry_lock)
    return n


cdef inline own_hold own_of(const lp_holder *holder, uint64_t thread) noexcept nogil:
    if holder.thread == thread:
        return OWN_HOLD_HERE
    return OWN_HOLD_LEFT if holder.thread == 0 else OWN_HOLD_NONE


cdef own_hold find_own_hold() noexcept nogil:
    """Whether there is an own hold of any queue."""
    cdef lp_holder *holder
    cdef own_hold found = OWN_HOLD_NONE
    if lp_load(<uint64_t *>&lp_runtime.holders) == 0:
        return OWN_HOLD_NONE
    lp_lock_acquire(&lp_runtime.registry_lock)
    holder = lp_runtime.holders
    while holder != NULL and found != OWN_HOLD_HERE:
        found = own_of(holder, this_thread()) or found
        holder = holder.next
    lp_lock_release(&lp_runtime.registry_lock)
    return found


cdef bint is_ruled_at(const lp_domain *domain, uint32_t slot, uint64_t number) noexcept nogil:
    """Whether a command is of a queue with the driver's legacy rule, and not known to be complete. Caller holds
    `registry_lock`."""
    cdef lp_queue *queue = lp_runtime.slot_queue[slot]
    return queue != NULL and not is_complete(slot, number) and queue.domain == domain and is_ruled(queue)


cdef bint rule_leads_to(const lp_holder *holder, uint32_t slot, uint64_t number, const lp_clock *clock) noexcept nogil:
    """Whether a command may come after a hold by the legacy rule, where the driver keeps that: clocks do not have it. Caller
    holds `registry_lock`."""
    cdef const lp_domain *domain = holder.mark.domain
    cdef const lp_queue *legacy = domain.legacy
    cdef uint32_t i
    if not domain.native or holder.kind == QUEUE_NONBLOCKING or legacy == NULL or is_complete(legacy.slot, legacy.number):
        return False
    if is_ruled_at(domain, slot, number):
        return True
    for i in range(clock.size):
        if clock_get(clock, i) and is_ruled_at(domain, i, clock_get(clock, i)):
            return True
    return False


cdef own_hold own_hold_before(uint32_t slot, uint64_t number, const lp_clock *clock) noexcept nogil:
    """Whether a command comes after an own hold: that of a number, or what a clock has."""
    cdef lp_holder *holder
    cdef own_hold found = OWN_HOLD_NONE
    cdef uint64_t before
    lp_lock_acquire(&lp_runtime.registry_lock)
    holder = lp_runtime.holders
    while holder != NULL and found != OWN_HOLD_HERE:
        before = number if slot == holder.mark.slot else clock_get(clock, holder.mark.slot)
        if own_of(holder, this_thread()) and (
                before >= holder.mark.number or rule_leads_to(holder, slot, number, clock)):
            found = own_of(holder, this_thread())
        holder = holder.next
    lp_lock_release(&lp_runtime.registry_lock)
    return found


cdef own_hold own_hold_of_queue(lp_queue *queue) noexcept nogil:
    """The same of all that a queue holds. No lock is held."""
    cdef own_hold found = OWN_HOLD_NONE
    if lp_lock_try(queue.lock):        # else a thread submits: a later look tells
        found = own_hold_before(queue.slot, queue.number, &queue.placed) or own_hold_before(
            queue.slot, queue.number, &queue.wanted)
        lp_lock_release(queue.lock)
    return found


cdef inline bint own_hold_due(uint64_t began) noexcept nogil:
    return lp_nanoseconds() - began >= 1000 * lp_runtime.own_hold_patience


cdef str holder_of(own_hold found):
    return "this thread" if found == OWN_HOLD_HERE else "a thread that has ended"


cdef int own_hold_check(uint64_t began) except -1:
    """Refuse to wait on for an unheld period, if there is an own hold."""
    cdef own_hold found = find_own_hold() if own_hold_due(began) else OWN_HOLD_NONE
    if found:
        raise errors.LaunchpathError(
            f"waited {lp_runtime.own_hold_patience / 1e6:g} s, because this call needs the device to be idle (it loads "
            f"code, creates a stream, frees memory, or needs more local memory), and {holder_of(found)} holds a stream back "
            "(Stream.hold): expected another thread to release the hold, got none. Release the hold before this call")
    return 0


cdef int own_hold_check_wait(uint64_t began, lp_queue *queue, lp_mark *mark) except -1:
    """Refuse to wait on for a queue or a mark that comes after an own hold."""
    cdef own_hold found = OWN_HOLD_NONE
    if own_hold_due(began):
        if mark != NULL:
            found = own_hold_before(mark.slot, mark.number, &mark.clock)
        else:
            found = own_hold_of_queue(queue)
    if found:
        raise errors.LaunchpathError(
            f"waited {lp_runtime.own_hold_patience / 1e6:g} s for work behind a stream that {holder_of(found)} holds back "
            "(Stream.hold): expected another thread to release the hold, got none. Release the hold before this call")
    return 0


cdef int own_hold_room(lp_queue *queue) except -1:
    """Before a command of a queue that is full: if it comes after an own hold, wait until it is not, so that no call of the
    driver's blocks for ever."""
    cdef uint64_t began = lp_nanoseconds()
    cdef own_hold found = own_hold_of_queue(queue) if find_own_hold() else OWN_HOLD_NONE
    cdef bint done
    while found and is_full(queue):
        if own_hold_due(began):
            raise errors.LaunchpathError(
                f"waited {lp_runtime.own_hold_patience / 1e6:g} s for room for one more command, because the driver takes some "
                f"{DEPTH_FULL} of a stream, and {holder_of(found)} holds the stream back (Stream.hold): expected another thread to "
                "release the hold, got none. Release the hold before this call")
        PyErr_CheckSignals()
        with nogil:
            lp_sleep(1000)
            queue_query(queue, &done)
        found = own_hold_of_queue(queue)
    return 0
