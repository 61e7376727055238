# What looks at the end of work, or at events, through the table: it finds the recording submitted.

cdef int step_queue_flush(void *queue) noexcept nogil:
    cdef lp_recording *recording = <lp_recording *>lp_load(<uint64_t *>&layer_queue(queue).recording)
    if recording != NULL and not recording.each:
        return 0                   # each submission flushes
    return below_queue(queue, LAYER_STEP).queue_flush(queue)


cdef int step_queue_finish(void *queue) noexcept nogil:
    # What is captured does not run; a synchronize that ends the capture has done so before (`step_observe`).
    cdef int code = 0 if capture_has(layer_queue(queue)) else at_once(queue)
    return code or below_queue(queue, LAYER_STEP).queue_finish(queue)


cdef int step_queue_query(void *queue, event_status *status) noexcept nogil:
    status[0] = EVENT_PENDING
    if capture_has(layer_queue(queue)):
        return below_queue(queue, LAYER_STEP).queue_query(queue, status)
    if lp_load(<uint64_t *>&layer_queue(queue).recording) and at_once(queue):
        return 0                   # for whoever has the GIL a look is enough
    return below_queue(queue, LAYER_STEP).queue_query(queue, status)


cdef int step_queue_detach(void *queue) noexcept nogil:
    cdef int code = at_once(queue)
    return code or below_queue(queue, LAYER_STEP).queue_detach(queue)


cdef int step_queue_callback(void *queue, void (*function)(void *, event_status) noexcept nogil,
                             void *data) noexcept nogil:
    cdef int code = 0 if capture_has(layer_queue(queue)) else at_once(queue)
    return code or below_queue(queue, LAYER_STEP).queue_callback(queue, function, data)


cdef int step_event_query(void *domain, void *event, event_status *status) noexcept nogil:
    cdef void *real
    cdef int code = step_event_real(event, &real)
    if code == ERROR_WOULD_BLOCK:
        status[0] = EVENT_PENDING
        return 0
    if code == 0:
        code = layer_below(domain, LAYER_STEP).event_query(domain, real, status)
    if code == 0 and status[0] == EVENT_COMPLETE and step_event(event) != NULL and step_event(event).refused:
        status[0] = EVENT_FAILED
    return code


cdef int step_event_wait(void *domain, void *event) noexcept nogil:
    cdef void *real
    cdef lp_step_event *own = step_event(event)
    cdef int code = step_event_real(event, &real)
    if code == 0:
        code = layer_below(domain, LAYER_STEP).event_wait(domain, real)
    if code == 0 and own != NULL and own.refused:
        lp_here.failed_call = own.call
        code = own.refused
    return code


cdef int step_event_time(void *domain, void *event, uint64_t *nanoseconds) noexcept nogil:
    cdef void *real
    cdef int code = step_event_real(event, &real)
    return code or layer_below(domain, LAYER_STEP).event_time(domain, real, nanoseconds)


cdef int step_event_elapsed(void *domain, void *start, void *end, int64_t *nanoseconds) noexcept nogil:
    cdef void *first
    cdef void *last
    cdef int code = step_event_real(start, &first)
    if code == 0:
        code = step_event_real(end, &last)
    return code or layer_below(domain, LAYER_STEP).event_elapsed(domain, first, last, nanoseconds)


cdef bint step_event_captured(void *domain, void *event) noexcept nogil:
    cdef const driver_table *below = layer_below(domain, LAYER_STEP)
    cdef lp_step_event *own = step_event(event)
    if own != NULL:
        return own.captured
    return below.event_captured != NULL and below.event_captured(domain, event)


cdef bint step_queue_capturing(void *queue) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_STEP)
    return capture_has(layer_queue(queue)) or below.queue_capturing != NULL and below.queue_capturing(queue)


cdef int step_graph_keep(void *queue, void (*release)(void *data) noexcept nogil, void *data) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_STEP)
    cdef lp_recording *recording = <lp_recording *>lp_load(<uint64_t *>&layer_queue(queue).recording)
    cdef int code
    if recording == NULL or recording.origin == NULL:
        return below.graph_keep(queue, release, data) if below.graph_keep != NULL else 0
    code = items_grow(<void **>&recording.kept_memory, &recording.room_kept_memory, recording.n_kept_memory + 1, sizeof(step_keep))
    if code:
        release(data)
        return code
    recording.kept_memory[recording.n_kept_memory].release, recording.kept_memory[recording.n_kept_memory].data = release, data
    recording.n_kept_memory += 1
    return 0


cdef void step_event_release(void *domain, void *event) noexcept nogil:
    if step_event(event) != NULL:
        step_event_drop(domain, step_event(event))
    else:
        layer_below(domain, LAYER_STEP).event_release(domain, event)


cdef int step_event_callback(void *domain, void *event, void (*function)(void *, event_status) noexcept nogil,
                             void *data) noexcept nogil:
    cdef void *real
    cdef int code = step_event_real(event, &real)
    return code or layer_below(domain, LAYER_STEP).event_callback(domain, real, function, data)


cdef void step_entries(driver_table *table) noexcept nogil:
    table.submit = step_submit
    table.queue_flush, table.queue_finish = step_queue_flush, step_queue_finish
    if table.queue_query != NULL:
        table.queue_query = step_queue_query
    if table.queue_detach != NULL:
        table.queue_detach = step_queue_detach
    if table.queue_callback != NULL:
        table.queue_callback = step_queue_callback
    table.event_query, table.event_wait, table.event_release = step_event_query, step_event_wait, step_event_release
    table.event_callback = step_event_callback
    if table.event_time != NULL:
        table.event_time = step_event_time
    if table.event_elapsed != NULL:
        table.event_elapsed = step_event_elapsed
    table.event_captured, table.queue_capturing, table.graph_keep = (
        step_event_captured, step_queue_capturing, step_graph_keep)
