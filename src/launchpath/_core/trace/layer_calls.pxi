# The layer of traces for calls that are no commands: each is one record.


cdef int trace_queue_create(void *device, queue_kind kind, int priority, void **queue) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = below_device(device, LAYER_TRACE).queue_create(device, kind, priority, queue)
    return driver_call_end(ENTRY_QUEUE_CREATE, began, code, 0, NULL, (<lp_domain **>device)[0])

cdef int trace_queue_flush(void *queue) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = below_queue(queue, LAYER_TRACE).queue_flush(queue)
    return driver_call_end(ENTRY_QUEUE_FLUSH, began, code, 0, layer_queue(queue), NULL)

cdef int trace_queue_finish(void *queue) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = below_queue(queue, LAYER_TRACE).queue_finish(queue)
    return driver_call_end(ENTRY_QUEUE_FINISH, began, code, 0, layer_queue(queue), NULL)

cdef inline bint is_in_vain(int code, event_status *status) noexcept nogil:
    """Whether a query is one of many of the same wait, which has a record itself."""
    cdef lp_records *ring = <lp_records *>lp_here.records
    return code == 0 and status[0] == EVENT_PENDING and ring != NULL and ring.polls


cdef int trace_queue_query(void *queue, event_status *status) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = below_queue(queue, LAYER_TRACE).queue_query(queue, status)
    if is_in_vain(code, status):
        return code
    return driver_call_end(ENTRY_QUEUE_QUERY, began, code, 0, layer_queue(queue), NULL)

cdef int trace_marker(void *queue, bint timed, uint32_t n_waits, void **waits, void **event) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = below_queue(queue, LAYER_TRACE).marker(queue, timed, n_waits, waits, event)
    return driver_call_end(ENTRY_MARKER, began, code, n_waits, layer_queue(queue), NULL)

cdef int trace_event_query(void *domain, void *event, event_status *status) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = layer_below(domain, LAYER_TRACE).event_query(domain, event, status)
    if is_in_vain(code, status):
        return code
    return driver_call_end(ENTRY_EVENT_QUERY, began, code, 0, NULL, <lp_domain *>domain)

cdef int trace_event_wait(void *domain, void *event) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = layer_below(domain, LAYER_TRACE).event_wait(domain, event)
    return driver_call_end(ENTRY_EVENT_WAIT, began, code, 0, NULL, <lp_domain *>domain)

cdef int trace_user_event(void *device, bint may_wait, void **event) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = below_device(device, LAYER_TRACE).user_event(device, may_wait, event)
    return driver_call_end(ENTRY_USER_EVENT, began, code, 0, NULL, (<lp_domain **>device)[0])

cdef int trace_user_event_set(void *domain, void *event, event_status status) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = layer_below(domain, LAYER_TRACE).user_event_set(domain, event, status)
    return driver_call_end(ENTRY_USER_EVENT_SET, began, code, 0, NULL, <lp_domain *>domain)

cdef int trace_allocate(void *device, void *queue, size_t size, memory_kind kind, void **address) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = below_device(device, LAYER_TRACE).allocate(device, queue, size, kind, address)
    return driver_call_end(ENTRY_ALLOCATE, began, code, size, NULL, (<lp_domain **>device)[0])

cdef int trace_free(void *device, void *address, memory_kind kind) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = below_device(device, LAYER_TRACE).free(device, address, kind)
    return driver_call_end(ENTRY_FREE, began, code, 0, NULL, (<lp_domain **>device)[0])

cdef int trace_memory_info(void *device, size_t *free_bytes, size_t *total) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = below_device(device, LAYER_TRACE).memory_info(device, free_bytes, total)
    return driver_call_end(ENTRY_MEMORY_INFO, began, code, 0, NULL, (<lp_domain **>device)[0])

cdef int trace_memory_trim(void *device) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = below_device(device, LAYER_TRACE).memory_trim(device)
    return driver_call_end(ENTRY_MEMORY_TRIM, began, code, 0, NULL, (<lp_domain **>device)[0])

cdef int trace_unheld_begin(void *device, uint64_t microseconds) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = below_device(device, LAYER_TRACE).unheld_begin(device, microseconds)
    return driver_call_end(ENTRY_UNHELD_BEGIN, began, code, 0, NULL, (<lp_domain **>device)[0])

cdef int trace_program_build(void *device, const char *source, size_t size, const char *options, lp_text *log,
                             void **program) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = below_device(device, LAYER_TRACE).program_build(device, source, size, options, log, program)
    return driver_call_end(ENTRY_PROGRAM_BUILD, began, code, size, NULL, (<lp_domain **>device)[0])

cdef int trace_program_load(void *device, const void *data, size_t size, const char *options, lp_text *log,
                            void **program) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = below_device(device, LAYER_TRACE).program_load(device, data, size, options, log, program)
    return driver_call_end(ENTRY_PROGRAM_LOAD, began, code, size, NULL, (<lp_domain **>device)[0])

cdef int trace_program_release(void *device, void *program) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = below_device(device, LAYER_TRACE).program_release(device, program)
    return driver_call_end(ENTRY_PROGRAM_RELEASE, began, code, 0, NULL, (<lp_domain **>device)[0])

cdef int trace_kernel_find(void *device, void *program, const char *name, const kernel_use *use,
                           void **kernel) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = below_device(device, LAYER_TRACE).kernel_find(device, program, name, use, kernel)
    return driver_call_end(ENTRY_KERNEL_FIND, began, code, 0, NULL, (<lp_domain **>device)[0])

cdef int trace_queue_callback(void *queue, void (*function)(void *, event_status) noexcept nogil,
                              void *data) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = below_queue(queue, LAYER_TRACE).queue_callback(queue, function, data)
    return driver_call_end(ENTRY_QUEUE_CALLBACK, began, code, 0, layer_queue(queue), NULL)

cdef int trace_event_callback(void *domain, void *event, void (*function)(void *, event_status) noexcept nogil,
                              void *data) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = layer_below(domain, LAYER_TRACE).event_callback(domain, event, function, data)
    return driver_call_end(ENTRY_EVENT_CALLBACK, began, code, 0, NULL, <lp_domain *>domain)

cdef int trace_graph_build(void *queue, uint32_t n, const graph_command *commands, void **graph) noexcept nogil:
    cdef uint64_t began = driver_call_begin()
    cdef int code = below_queue(queue, LAYER_TRACE).graph_build(queue, n, commands, graph)
    return driver_call_end(ENTRY_GRAPH_BUILD, began, code, n, layer_queue(queue), NULL)


cdef void trace_calls(driver_table *table) noexcept nogil:
    table.queue_create, table.queue_flush, table.queue_finish = trace_queue_create, trace_queue_flush, trace_queue_finish
    table.marker, table.event_query, table.event_wait = trace_marker, trace_event_query, trace_event_wait
    table.user_event, table.user_event_set = trace_user_event, trace_user_event_set
    table.allocate, table.free, table.memory_info = trace_allocate, trace_free, trace_memory_info
    table.event_callback, table.kernel_find = trace_event_callback, trace_kernel_find
    table.program_release = trace_program_release
    if table.queue_query != NULL:
        table.queue_query = trace_queue_query
    if table.memory_trim != NULL:
        table.memory_trim = trace_memory_trim
    if table.unheld_begin != NULL:
        table.unheld_begin = trace_unheld_begin
    if table.program_build != NULL:
        table.program_build = trace_program_build
    if table.program_load != NULL:
        table.program_load = trace_program_load
    if table.queue_callback != NULL:
        table.queue_callback = trace_queue_callback
    if table.graph_build != NULL:
        table.graph_build = trace_graph_build
