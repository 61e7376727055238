# Events of a step: they stand for markers that are recorded, and then for the driver's own events.
#
# Such events may live longer than the step, so the layer stays on a device once it is there. Their first field says what
# they are; in a driver's own events it is 0.

cdef enum:
    STEP_WAITS = 8                 # events of a command that need no memory of their own

cdef struct lp_step_event:
    uint64_t recorded              # 1
    uint64_t refs                  # the core's, and the node's
    lp_recording *recording
    uint64_t run                   # its recording's, when it was recorded
    uint64_t submitted
    uint32_t at                    # its marker's place in the run
    bint captured                  # it is part of a graph, and never complete
    void *event                    # the driver's, once that is submitted; NULL: the driver refused it
    int code
    int refused                    # the command before it that the driver refused: its code and call
    const char *call


cdef inline lp_step_event *step_event(void *event) noexcept nogil:
    """An event that the core has, if it is a step's; NULL: it is the driver's own."""
    return <lp_step_event *>event if event != NULL and (<uint64_t *>event)[0] else NULL


cdef void step_event_drop(void *domain, lp_step_event *event) noexcept nogil:
    if lp_add(&event.refs, -1):
        return
    if event.event != NULL:
        layer_below(domain, LAYER_STEP).event_release(domain, event.event)
    free(event)


cdef int step_event_real(void *event, void **real) noexcept nogil:
    """The driver's event behind any; what it is recorded in is submitted first."""
    cdef lp_step_event *own = step_event(event)
    cdef int code
    real[0] = event
    if own == NULL:
        return 0
    if not lp_load(&own.submitted):
        code = make_way(own.recording, STEP_SEEN, NULL, own)
        if code:
            return code
    real[0] = own.event
    return own.code


cdef int step_waits(uint32_t n, void **waits, void **room, void ***out) noexcept nogil:
    """The driver's events of a command, in `room` for STEP_WAITS of them or in memory that `step_waits_drop` frees."""
    cdef uint32_t i
    cdef int code = 0
    out[0] = waits
    for i in range(n):
        if step_event(waits[i]) != NULL:
            break
    else:
        return 0
    out[0] = room if n <= STEP_WAITS else <void **>malloc(n * sizeof(void *))
    if out[0] == NULL:
        return ERROR_HOST_MEMORY
    for i in range(n):
        if code == 0:
            code = step_event_real(waits[i], &out[0][i])
    if code:
        step_waits_drop(waits, room, out[0])
    return code


cdef inline void step_waits_drop(void **waits, void **room, void **events) noexcept nogil:
    if events != waits and events != room:
        free(events)
