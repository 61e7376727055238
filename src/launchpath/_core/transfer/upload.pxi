# Uploads: host memory to a device. The host's bytes are read before the call returns, so they may be changed at once.


cdef int upload(ArrayBase array, lp_queue *queue, size_t offset, const char *source, size_t size,
                bint pinned) except -1:
    """Copy host memory to a part of an array in a queue's order. The caller holds the memory, and the GIL.

    Memory that is pinned is read when the copy runs; its pool sees to it that it stays."""
    cdef copy_command command
    array.check_lives()
    array.order_on(queue)
    if unlikely(not pinned and queue.shared and is_captured(queue)):
        refuse_upload_to_graph()
    command.to, command.source, command.size = <char *>array.address + offset, source, size
    command.direction = COPY_UP
    if size == 0:
        return 0
    if pinned:
        run(queue, submit_copy, &command)
    else:
        upload_by_ring(array.device, queue, &command)
    return finish_if_blocking(queue)


cdef int upload_by_ring(DeviceBase device, lp_queue *queue, copy_command *command) except -1:
    cdef lp_ring *ring = &device.small_ring if command.size <= PIECE_SMALL else &device.large_ring
    cdef const char *source = <const char *>command.source
    cdef size_t left = command.size
    cdef lp_piece *piece
    cdef lp_mark *mark
    while left:
        piece = ring_take(device, ring)
        mark = NULL
        try:
            command.size, command.source = min(left, ring.size), piece.bytes
            with nogil:
                copy_host(piece.bytes, source, command.size, True)
            run(queue, submit_copy, command)
            if ring == &device.large_ring:
                with nogil:
                    queue_record(queue, False, &mark)      # without it the end of the queue is looked for
        finally:
            ring_give(ring, piece, queue, mark)
        command.to = <char *>command.to + command.size
        source += command.size
        left -= command.size
    return 0


cdef refuse_upload_to_graph():
    raise errors.LaunchpathError(
        "host data cannot be copied on a stream that is being captured into a graph: its staging memory is reused after "
        "the call. Copy it before, and from array to array in the capture")
