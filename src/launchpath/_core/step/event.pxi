# Events of a step: they stand for markers that are recorded, and then for the driver's own events.
#
# Such events may live longer than the step, so the layer stays on a device once it is there. Their first field says what
# they are; in a driver's own events it is 0.

cdef enum:
    STEP_WAITS = 8                 # events of a command that need no memory of their own

cdef uint64_t NO_RUN = <uint64_t>-1

cdef struct lp_step_event:
    uint64_t recorded              # 1
    uint64_t refs                  # the core's, and the node's
    lp_recording *recording
    uint64_t run                   # its recording's, when it was recorded; NO_RUN: it was not
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


cdef void leave_out(lp_queue *queue, lp_recording *recording) noexcept nogil:
    """A command of a queue was refused, or left out behind one that was. The caller has locked the recording."""
    if queue.last_failure == 0:
        queue.last_failure = recording.code
    queue.left_out, queue.left_out_call = recording.code, recording.call
    lp_store(<uint64_t *>&queue.left_out_by, <uint64_t>recording)


cdef int marker_behind_left_out(lp_queue *queue, void **event) noexcept nogil:
    """A marker that another thread has just submitted, or a waiter for the step's own, may stand for commands that were
    left out. Then it orders what waits for it, and fails for the host, as a recorded one does. The queue's lock is held."""
    cdef lp_step_event *own
    if likely(lp_load(<uint64_t *>&queue.left_out_by) == 0):
        return 0
    own = <lp_step_event *>calloc(1, sizeof(lp_step_event))
    if own == NULL:
        layer_below(queue.domain, LAYER_STEP).event_release(queue.domain, event[0])
        return ERROR_HOST_MEMORY
    own.recorded, own.refs, own.submitted, own.event, own.run = 1, 1, 1, event[0], NO_RUN
    own.refused, own.call = queue.left_out, queue.left_out_call
    event[0] = own
    return 0


cdef inline bint mark_refused(const lp_mark *mark) noexcept nogil:
    """Whether a mark fails only because it is behind commands of a step that were left out."""
    cdef lp_step_event *own = step_event(mark.event)
    return own != NULL and own.refused


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
