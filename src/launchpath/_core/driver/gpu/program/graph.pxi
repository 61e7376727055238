# Graphs that somebody else captures: what they are to keep.


cdef int gpu_graph_keep(void *queue, gpu_host_function release, void *data) noexcept nogil:
    cdef gpu_queue *q = <gpu_queue *>queue
    cdef gpu_functions *call = &q.device.library.call
    cdef const gpu_names *names = q.device.library.names
    cdef void *graph = NULL
    cdef void *owner = NULL
    cdef gpu_context context
    cdef int code, status = 0
    if (call.capture_info == NULL or call.user_object_create == NULL or call.user_object_release == NULL or
            call.graph_retain == NULL):
        return 0               # it is kept for good
    code = gpu_begin_apart(q.device, &context)
    if code:
        release(data)
        return code
    code = call.capture_info(q.stream, &status, NULL, &graph, NULL, NULL)
    if code:
        gpu_fail(names.capture_info, code)
    elif status == GPU_CAPTURE_ACTIVE:
        code = call.user_object_create(&owner, data, release, 1, GPU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
        if code:
            gpu_fail(names.user_object_create, code)
    if owner == NULL:
        release(data)          # there will be no graph
    else:
        code = call.graph_retain(graph, owner, 1, GPU_GRAPH_USER_OBJECT_MOVE)
        if code:
            gpu_fail(names.graph_retain, code)
            call.user_object_release(owner, 1)     # which calls `release`
    gpu_end(&context)
    return code
