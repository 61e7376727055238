# Calls and commands that fail because a test said so, and the names of errors.

cdef const char *sim_error_name(int code) noexcept nogil:
    if code == SIM_INJECTED:
        return b"SIM_INJECTED"
    elif code == SIM_OUT_OF_MEMORY:
        return b"SIM_OUT_OF_MEMORY"
    elif code == SIM_COMMAND_FAILED:
        return b"SIM_COMMAND_FAILED"
    elif code == SIM_DEADLOCK:
        return b"SIM_DEADLOCK"
    elif code == SIM_INVALID_VALUE:
        return b"SIM_INVALID_VALUE"
    elif code == SIM_INVALID_CONFIGURATION:
        return b"SIM_INVALID_CONFIGURATION"
    elif code == SIM_INVALID_QUEUE:
        return b"SIM_INVALID_QUEUE"
    elif code == SIM_INVALID_EVENT:
        return b"SIM_INVALID_EVENT"
    elif code == SIM_INVALID_CONTEXT:
        return b"SIM_INVALID_CONTEXT"
    elif code == SIM_INVALID_ADDRESS:
        return b"SIM_INVALID_ADDRESS"
    elif code == SIM_NOT_READY:
        return b"SIM_NOT_READY"
    elif code == SIM_NOT_TIMED:
        return b"SIM_NOT_TIMED"
    elif code == SIM_INVALID_PROGRAM:
        return b"SIM_INVALID_PROGRAM"
    elif code == SIM_CLOSED:
        return b"SIM_CLOSED"
    elif code == SIM_BUILD_FAILED:
        return b"SIM_BUILD_FAILED"
    elif code == SIM_NO_SUCH_KERNEL:
        return b"SIM_NO_SUCH_KERNEL"
    return NULL


cdef int sim_begin(sim_machine *m, sim_call call) noexcept nogil:
    """Count a table call and say whether it is to fail; with the lock held, before anything has been changed."""
    cdef sim_fault **place
    cdef sim_fault *fault
    cdef int code = 0
    m.calls[<int>call] += 1
    if m.first_thread != &sim_this_thread:
        if m.first_thread == NULL:
            m.first_thread = &sim_this_thread
        else:
            m.many_threads = True
    if m.faults != NULL and call != SIM_QUEUE_RELEASE and call != SIM_EVENT_RELEASE:
        place = &m.faults
        while place[0] != NULL:
            fault = place[0]
            if fault.call == call or fault.call == SIM_CALLS and call < SIM_PROGRAM_BUILD:
                fault.countdown -= 1
                if fault.countdown == 0:
                    if code == 0:
                        code = fault.code
                    place[0] = fault.next
                    free(fault)
                    continue
            place = &fault.next
    if code == 0 and m.closed and call != SIM_FREE:
        code = SIM_CLOSED
    return code


cdef int sim_end(sim_machine *m, sim_call call, int code) noexcept nogil:
    """Release the lock; a failure leaves its call's name."""
    lp_lock_release(&m.lock)
    if code:
        lp_here.failed_call = sim_call_names[<int>call]
    return code


cdef bint sim_is_bad(sim_machine *m, const sim_node *node) noexcept nogil:
    """Did a test ask for this command to fail? It says so once."""
    cdef sim_bad_command **place = &m.bad_commands
    cdef sim_bad_command *bad
    if not node.numbered:
        return False
    while place[0] != NULL:
        bad = place[0]
        if (bad.place.device == node.queue.device.index and bad.place.queue == node.queue.index
                and bad.place.number == <int64_t>node.number):
            place[0] = bad.next
            free(bad)
            return True
        place = &bad.next
    return False


cdef void sim_note_failure(sim_machine *m, const sim_node *node) noexcept nogil:
    m.n_failures += 1
    m.failures = <sim_place *>sim_grow32(m.failures, sizeof(sim_place), m.n_failures, &m.room_failures)
    m.failures[m.n_failures - 1] = sim_place_of(node.queue, node.number)


cdef bint sim_command_failed(int code) noexcept nogil:
    return code == SIM_COMMAND_FAILED
