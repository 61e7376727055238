# Downloads: device memory to the host, through pinned memory where the library would block otherwise.

cdef enum:
    DOWNLOADS = 4                  # pieces under way for one copy

cdef struct lp_download:
    lp_piece *piece
    lp_mark *mark
    char *to
    size_t size
    uint64_t record                # correlation id, for evidence


cdef int array_download(ArrayBase array, lp_queue *queue, size_t offset, char *to, size_t size) except -1:
    """Copy a part of an array to host memory that is not pinned, after a queue's work; returns when it is there."""
    array.check_lives()
    array.order_on(queue)
    return download_by_ring(array.device, queue, <const char *>array.address + offset, to, size)


cdef int download_by_ring(DeviceBase device, lp_queue *queue, const char *source, char *to, size_t size) except -1:
    """What `array_download` does, from an address.

    A wait that a signal's handler ends leaves pieces to the device, and never the caller's memory."""
    cdef lp_download under_way[DOWNLOADS]
    cdef lp_ring *ring = &device.small_ring if size <= PIECE_SMALL else &device.large_ring
    cdef uint32_t first = 0, n = 0
    cdef size_t left = size, part
    if unlikely(queue.shared and is_captured(queue)):
        raise errors.LaunchpathError(
            "data of the device cannot be copied to the host on a stream that is being captured into a graph: its "
            "staging memory is reused after the call. Read it when the graph has run")
    if size == 0:
        return await_end(queue)
    if waits_for_itself(queue.slot, &queue.placed):
        raise failure(queue.table, ERROR_WAITS_FOR_ITSELF)         # before there is a copy that could not be waited for
    try:
        while left or n:
            if left and n < DOWNLOADS:
                part = min(left, ring.size)
                begin_download(device, ring, queue, source, to, part, &under_way[(first + n) % DOWNLOADS])
                source += part
                to += part
                left -= part
                n += 1
            else:
                end_download(&under_way[first])
                ring_give(ring, under_way[first].piece, queue, under_way[first].mark)
                first, n = (first + 1) % DOWNLOADS, n - 1
    finally:
        while n:
            ring_give(ring, under_way[first].piece, queue, under_way[first].mark)
            first, n = (first + 1) % DOWNLOADS, n - 1
    return 0


cdef int download_pinned(ArrayBase array, lp_queue *queue, size_t offset, char *to, size_t size) except -1:
    """Copy a part of an array to pinned memory in a queue's order, and do not wait."""
    cdef lp_records *records
    array.check_lives()
    array.order_on(queue)
    if size:
        records = copies_begin(NULL, EVIDENCE_PINNED)
        run_copy(queue, to, <const char *>array.address + offset, size, COPY_DOWN)
        copies_end(records)
        finish_if_blocking(queue)
    return 0


cdef int await_end(lp_queue *queue) except -1:
    """Wait for what a queue holds now; raises if a command failed."""
    cdef lp_download end
    cdef int code
    end.mark, end.size = NULL, 0
    if waits_for_itself(queue.slot, &queue.placed):
        raise failure(queue.table, ERROR_WAITS_FOR_ITSELF)
    with nogil:
        code = queue_record(queue, False, &end.mark)
    if code:
        raise failure(queue.table, code)
    try:
        end_download(&end)
    finally:
        mark_unref(end.mark)
    return 0


cdef int begin_download(DeviceBase device, lp_ring *ring, lp_queue *queue, const char *source, char *to, size_t size,
                        lp_download *download_) except -1:
    cdef lp_records *records
    cdef int code
    download_.piece, download_.mark, download_.to, download_.size = ring_take(device, ring), NULL, to, size
    try:
        records = copies_begin(to, EVIDENCE_PAGEABLE)
        run_copy(queue, download_.piece.bytes, source, size, COPY_DOWN)
        download_.record = copies_end(records)
        with nogil:
            code = queue_record(queue, False, &download_.mark)
        if code:
            raise failure(queue.table, code)
    except BaseException:
        ring_give(ring, download_.piece, queue, NULL)
        raise
    return 0


cdef int end_download(lp_download *download_) except -1:
    cdef int code
    await_mark(download_.mark, &code)
    if code == ERROR_ASYNCHRONOUS:
        raise asynchronous_failure(download_.mark.queue, download_.mark.failure)
    if code:
        raise failure(download_.mark.domain.table, code)
    if download_.size == 0:
        return 0
    with nogil:
        copy_host(download_.to, download_.piece.bytes, download_.size, False)
        if unlikely(download_.record):
            copy_arrived(download_.record, download_.piece.bytes, download_.size)
    return 0
