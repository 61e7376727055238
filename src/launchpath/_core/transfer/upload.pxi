# Uploads: host memory to a device. The host's bytes are read before the call returns, so they may be changed at once.


cdef int array_upload(ArrayBase array, lp_queue *queue, size_t offset, const char *source, size_t size,
                bint pinned) except -1:
    """Copy host memory to a part of an array in a queue's order. The caller holds the memory, and the GIL.

    Memory that is pinned is read when the copy runs; its pool sees to it that it stays."""
    cdef lp_records *records
    array.check_lives()
    array.order_on(queue)
    if unlikely(not pinned and queue.shared and is_captured(queue)):
        refuse_upload_to_graph()
    if size == 0:
        return 0
    if pinned:
        records = copies_begin(NULL, EVIDENCE_PINNED)
        run_copy(queue, <char *>array.address + offset, source, size, COPY_UP)
        copies_end(records)
    else:
        upload_by_ring(array.device, queue, <char *>array.address + offset, source, size)
    return finish_if_blocking(queue)


cdef int upload_by_ring(DeviceBase device, lp_queue *queue, char *to, const char *source, size_t size) except -1:
    cdef lp_ring *ring = &device.small_ring if size <= PIECE_SMALL else &device.large_ring
    cdef size_t left = size, part
    cdef lp_piece *piece
    cdef lp_mark *mark
    cdef lp_records *records
    cdef uint64_t began
    while left:
        piece = ring_take(device, ring)
        mark = NULL
        try:
            part = min(left, ring.size)
            began = staging_begins()
            with nogil:
                copy_host(piece.bytes, source, part, True)
            records = copies_begin(source, EVIDENCE_PAGEABLE, began)
            run_copy(queue, to, piece.bytes, part, COPY_UP)
            copies_end(records)
            if ring == &device.large_ring:
                with nogil:
                    queue_record(queue, False, &mark)      # without it the end of the queue is looked for
        finally:
            ring_give(ring, piece, queue, mark)
        to += part
        source += part
        left -= part
    return 0


cdef refuse_upload_to_graph():
    raise errors.LaunchpathError(
        "host data cannot be copied on a stream that is being captured into a graph: its staging memory is reused after "
        "the call. Copy it before, and from array to array in the capture")
