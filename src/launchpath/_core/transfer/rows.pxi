# Copies of rows: pieces of one size at equal distances, as slices of arrays with two axes are.

cdef enum:
    ROWS_AT_ONCE = 256             # commands until other threads can use the queue, and its depth is looked at

cdef struct each_row:              # rows of which each is a command
    char *to
    const char *source
    Py_ssize_t to_pitch            # bytes from a row's begin to the next one's: anything
    Py_ssize_t source_pitch
    size_t width
    size_t rows


cdef int submit_each_row(lp_queue *queue, void *data) noexcept nogil:
    """A command for each row. If one is refused those before it have been accepted: to submit all again does no
    harm."""
    cdef each_row *all_rows = <each_row *>data
    cdef driver_command command
    cdef copy_command copy
    cdef size_t row
    cdef int code
    for row in range(all_rows.rows):
        command_set_copy(&command, &copy, all_rows.to + <Py_ssize_t>row * all_rows.to_pitch,
                         all_rows.source + <Py_ssize_t>row * all_rows.source_pitch, all_rows.width, <copy_direction>0)
        code = submit_command(queue, &command)
        if code:
            return code
    return 0


cdef int run_each_row(lp_queue *queue, each_row *rows) except -1:
    """Submit a command for each row: without the GIL, and with a look at the depth now and then, because there may be
    many."""
    cdef size_t left = rows.rows
    cdef int code = 0
    if queue.domain.refused:
        raise failure(queue.table, queue.domain.refused)
    with nogil:
        heed_failures(queue)
        while left and code == 0:
            rows.rows = min(left, <size_t>ROWS_AT_ONCE)
            code = submit_locked(queue, submit_each_row, rows)
            left -= rows.rows
            rows.to += <Py_ssize_t>rows.rows * rows.to_pitch
            rows.source += <Py_ssize_t>rows.rows * rows.source_pitch
            if queue_depth(queue) > DEPTH_SOFT:
                queue_throttle(queue)
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
    cdef driver_command command
    cdef rows_command at_once
    cdef each_row each
    cdef lp_queue *queue = stream.queue
    if not width or not rows:
        return
    if rows == 1 or to_pitch == source_pitch == <Py_ssize_t>width:
        copy_bytes(stream, to, source, width * rows)
        return
    if queue.domain.driver.kinds & COMMANDS_ROWS and min(to_pitch, source_pitch) >= <Py_ssize_t>width:
        at_once.to, at_once.to_pitch, at_once.width, at_once.rows = <void *>to, to_pitch, width, rows
        at_once.source, at_once.source_pitch = <const void *>source, source_pitch
        command_set(&command, COMMAND_ROWS, &at_once, sizeof(at_once))
        submit_run(queue, submit_command, &command)
    else:
        each.to, each.to_pitch, each.source, each.source_pitch = <char *>to, to_pitch, <const char *>source, source_pitch
        each.width, each.rows = width, rows
        run_each_row(queue, &each)
    finish_if_blocking(queue)
