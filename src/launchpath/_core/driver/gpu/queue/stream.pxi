# Streams of the library, kept for the next queue: making one may wait for the device, see unheld.pxi.

cdef enum:
    GPU_STREAMS_AHEAD = 8          # of each kind, for as long as making may wait for a device that waits for the host
    GPU_STREAMS_SPARE = 2          # of them left to waits across contexts, which cannot begin an unheld period
    GPU_STREAMS_OTHERWISE = 2      # of each kind that no queue has asked for, once a queue has asked for any
    GPU_STREAMS_KEPT = 64          # of each kind at most; others are destroyed
    GPU_PRIORITY_MOST = -5         # CUDA's range, from 0

cdef struct gpu_stream:
    gpu_stream *next
    void *stream
    unsigned int flags
    int priority


cdef int gpu_stream_take(gpu_device *device, unsigned int flags, int priority, uint32_t spare,
                         void **stream) noexcept nogil:
    """A stream that is idle. A kept one, if `spare` more are left; if nothing waits for the host, GPU_STREAMS_AHEAD
    more.

    Else new ones are made, in an unheld period: some of every kind at the first, since a caller that holds a stream
    back could make none of another priority."""
    cdef gpu_stream **place
    cdef gpu_stream **kept = NULL
    cdef gpu_stream *taken = NULL
    cdef uint32_t n = 0
    cdef bint others
    if device.library.hip:
        return gpu_stream_make(device, flags, priority, stream)
    if device.library.holds == 0:
        spare += GPU_STREAMS_AHEAD
    lp_lock_acquire(&device.lock)
    place = &device.free_streams
    while place[0] != NULL:
        if place[0].flags == flags and place[0].priority == priority:
            kept = place
            n += 1
        place = &place[0].next
    if n > spare:
        taken = kept[0]
        kept[0] = taken.next
        device.n_free_streams -= 1
    lp_lock_release(&device.lock)
    if taken != NULL:
        stream[0] = taken.stream
        free(taken)
        return gpu_stream_check(device, stream[0], flags, priority)
    if not gpu_may_wait(device.library):
        return gpu_fail(device.library.names.stream_create, ERROR_HELD_BACK)
    lp_lock_acquire(&device.lock)
    others, device.every_stream = not device.every_stream, True
    lp_lock_release(&device.lock)
    gpu_stream_make_ahead(device, flags, priority, spare - n)
    if others:
        gpu_stream_make_others(device, flags, priority)
    return gpu_stream_make(device, flags, priority, stream)


cdef void gpu_stream_make_ahead(gpu_device *device, unsigned int flags, int priority, uint32_t n) noexcept nogil:
    """Keep so many more of a kind. A failure is left to the next call that needs a stream."""
    cdef void *stream
    cdef uint32_t _ahead
    for _ahead in range(n):
        if gpu_stream_make(device, flags, priority, &stream):
            return
        gpu_stream_give(device, stream, flags, priority)


cdef void gpu_stream_make_others(gpu_device *device, unsigned int flags, int priority) noexcept nogil:
    cdef int other
    for other in range(GPU_PRIORITY_MOST, 1):
        if other != priority or flags == GPU_STREAM_NON_BLOCKING:
            gpu_stream_make_ahead(device, 0, other, GPU_STREAMS_OTHERWISE)
        if other != priority or flags != GPU_STREAM_NON_BLOCKING:
            gpu_stream_make_ahead(device, GPU_STREAM_NON_BLOCKING, other, GPU_STREAMS_OTHERWISE)


cdef int gpu_stream_check(gpu_device *device, void *stream, unsigned int flags, int priority) noexcept nogil:
    """On a device that has failed a kept stream is refused as a new one would be."""
    cdef gpu_context context
    cdef int code = gpu_begin_apart(device, &context)
    if code == 0:
        code = device.library.call.stream_query(stream)
        gpu_end(&context)
        if code == 0 or code == GPU_ERROR_NOT_READY:
            return 0
        gpu_fail(device.library.names.stream_query, code)
    gpu_stream_keep(device, stream, flags, priority)
    return code


cdef int gpu_stream_make(gpu_device *device, unsigned int flags, int priority, void **stream) noexcept nogil:
    cdef gpu_context context
    cdef int code = gpu_begin(device, &context)
    if code:
        return code
    code = device.library.call.stream_create(stream, flags, priority)
    return gpu_end_call(&context, device.library.names.stream_create, code)


cdef bint gpu_stream_keep(gpu_device *device, void *stream, unsigned int flags, int priority) noexcept nogil:
    cdef gpu_stream *kept
    cdef gpu_stream *other
    cdef uint32_t n = 0
    cdef bint has_room
    if device.library.hip:
        return False
    kept = <gpu_stream *>malloc(sizeof(gpu_stream))
    if kept == NULL:
        return False
    kept.stream, kept.flags, kept.priority = stream, flags, priority
    lp_lock_acquire(&device.lock)
    other = device.free_streams
    while other != NULL:               # a kind that is kept in number must leave the others their room
        n += other.flags == flags and other.priority == priority
        other = other.next
    has_room = n < GPU_STREAMS_KEPT
    if has_room:
        kept.next, device.free_streams = device.free_streams, kept
        device.n_free_streams += 1
    lp_lock_release(&device.lock)
    if not has_room:
        free(kept)
    return has_room


cdef void gpu_stream_give(gpu_device *device, void *stream, unsigned int flags, int priority) noexcept nogil:
    """Take back an idle stream that nobody else knows of."""
    if not gpu_stream_keep(device, stream, flags, priority):
        gpu_stream_destroy(device, stream)


cdef void gpu_stream_destroy(gpu_device *device, void *stream) noexcept nogil:
    cdef gpu_context context
    if gpu_begin(device, &context) == 0:
        device.library.call.stream_destroy(stream)
        gpu_end(&context)
