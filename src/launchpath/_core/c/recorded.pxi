# Launches by C code while a trace records them. Where launches are checked, or wait for each other, Python launches.


cdef inline void c_record_names(lp_records *ring, const c_kernel *kernel) noexcept nogil:
    """Let the record of the next command find its arguments, until the caller gives the queue's lock back."""
    if lp_trace.findings:
        ring.parameters, ring.sizes = (<KernelBase>kernel.kernel).parameters, (<KernelBase>kernel.kernel).sizes
        ring.n_parameters = kernel.count


cdef c_outcome c_launch_recorded(const c_call *call, lp_queue *queue, int *code) noexcept nogil:
    """`c_launch_straight`, and the record of it."""
    cdef lp_call record
    cdef c_outcome outcome
    cdef uint64_t began
    cdef const char *label = NULL
    if lp_runtime.checked or queue == NULL or lp_here.step != NULL:
        return C_BY_PYTHON
    if not queue.domain.traced:
        return c_launch_straight(call, queue, code, NULL, NULL)
    if lp_trace.timed and timed_short(1) and PyGILState_Check():
        return C_BY_PYTHON             # which waits for a timing object without the GIL
    call_begin(&record, API_LAUNCH)
    if record.ring == NULL:
        return c_launch_straight(call, queue, code, NULL, NULL)
    if lp_trace.timed and timed_short(1):
        began = waiting_begin()
        timed_room(1)
        waiting_end(began)
    outcome = c_launch_straight(call, queue, code, record.ring, &label)
    if unlikely(outcome != C_DONE and not record.ring.pending):
        call_restore(&record)          # the driver was not asked: Python launches, and records that
    else:
        launch_end(&record, outcome != C_DONE, queue, label, <const launch_config *>call.configuration)
    return outcome
