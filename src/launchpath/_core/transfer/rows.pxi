# Copies of rows: pieces of one size at equal distances, as slices of arrays with two axes are.

cdef enum:
    ROWS_AT_ONCE = 256             # commands until other threads can use the queue, and its depth is looked at

cdef struct rows_command:
    char *to
    const char *source
    Py_ssize_t to_pitch            # bytes from a row's begin to the next one's
    Py_ssize_t source_pitch
    size_t width
    size_t rows


cdef int submit_rows(lp_queue *queue, void *data) noexcept nogil:
    """One command of the driver's."""
    cdef rows_command *command = <rows_command *>data
    cdef int code = order_begin(queue)
    if code:
        return code
    return after_command(queue, queue.table.copy_rows(
        queue.handle, command.to, <size_t>command.to_pitch, command.source, <size_t>command.source_pitch, command.width,
        command.rows, queue.n_waits, queue.events, NULL))


cdef int submit_each_row(lp_queue *queue, void *data) noexcept nogil:
    """A command for each row. If one is refused those before it have been accepted: to submit all again does no
    harm."""
    cdef rows_command *command = <rows_command *>data
    cdef copy_command copy
    cdef size_t row
    cdef int code
    copy.size, copy.direction = command.width, 0
    for row in range(command.rows):
        copy.to = command.to + <Py_ssize_t>row * command.to_pitch
        copy.source = command.source + <Py_ssize_t>row * command.source_pitch
        code = submit_copy(queue, &copy)
        if code:
            return code
    return 0


cdef int run_rows(lp_queue *queue, rows_command *command) except -1:
    """Submit a command for each row: without the GIL, and with a look at the depth now and then, because there may be
    many."""
    cdef size_t left = command.rows
    cdef int code = 0
    if queue.domain.refused:
        raise failure(queue.table, queue.domain.refused)
    with nogil:
        heed_failures(queue)
        while left and code == 0:
            command.rows = min(left, <size_t>ROWS_AT_ONCE)
            code = locked(queue, submit_each_row, command)
            left -= command.rows
            command.to += <Py_ssize_t>command.rows * command.to_pitch
            command.source += <Py_ssize_t>command.rows * command.source_pitch
            if depth(queue) > DEPTH_SOFT:
                throttle(queue)
    if code:
        raise failure(queue.table, code)
    return 0


def copy_rows(QueueBase stream not None, uintptr_t to, Py_ssize_t to_pitch, uintptr_t source, Py_ssize_t source_pitch,
              size_t width, size_t rows):
    """Copy rows on a stream, as ``hipMemcpy2DAsync`` does.

    Parameters
    ----------
    stream : QueueBase
        The stream.
    to, source : int
        Addresses of the first rows; either may be the host's, whose memory must stay as it is until the copy is
        complete.
    to_pitch, source_pitch : int
        Bytes from the begin of a row to the begin of the next. That of the source may be anything, 0 for the same row
        each time; rows of the target must not overlap.
    width : int
        Bytes of a row.
    rows : int
        How many.
    """
    cdef rows_command command
    cdef lp_queue *queue = stream.queue
    if not width or not rows:
        return
    if rows == 1 or to_pitch == source_pitch == <Py_ssize_t>width:
        copy_bytes(stream, to, source, width * rows)
        return
    command.to, command.to_pitch, command.source, command.source_pitch = <char *>to, to_pitch, <const char *>source, source_pitch
    command.width, command.rows = width, rows
    if queue.domain.driver.copy_rows != NULL and min(to_pitch, source_pitch) >= <Py_ssize_t>width:
        run(queue, submit_rows, &command)
    else:
        run_rows(queue, &command)
    finish_if_blocking(queue)
