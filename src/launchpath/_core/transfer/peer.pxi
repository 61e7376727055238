# Peers: devices of one driver that copy from and to each other's memory, and use it in kernels where that was enabled.
#
# A copy between two devices is a command of one stream, `stream`. It comes after what `other`, a stream of the second
# device, held when it was submitted; what `other` gets from then on comes after it. So neither a later write to the
# source overtakes it, nor an earlier one to the target is overtaken. Both are plain waits by events.
#
# `lp_domain.peers` says that memory of a device may be used by queues of others, so that freeing looks at those too. It
# is set on both devices before the first command that may use memory of the other is submitted. An array that such a
# command uses is held by the call that submits it, so its memory is given back later, by a thread that sees the flag.
# Nothing that was given back before can be used by such a command.

cdef enum peer_state:              # bits beside peer_reach
    PEER_KNOWN = 16                # the driver was asked
    PEER_ENABLED = 32              # `peer_enable` has succeeded
    PEER_REFUSED = 64              # or failed: copies go the library's own way
    PEER_ASKED = 128               # kernels may take arrays of that device

cdef struct peer_rows:             # rows of which each is a command: they may overlap, or go backwards
    peer_command copy
    Py_ssize_t to_pitch
    Py_ssize_t source_pitch


cdef int peer_state_of(DeviceBase device, DeviceBase other) except -1:
    """What is known of commands of a device that use memory of another one."""
    cdef int reach = 0, code = 0
    cdef lp_domain *domain = device.domain
    state = device.peers.get(other.identity)
    if state is not None:
        return state
    if domain.driver == other.domain.driver and domain.table.peer_get != NULL:
        with nogil:
            code = domain.table.peer_get(domain.device, other.domain.device, &reach)
        if code:
            raise failure(domain.table, code)
    return device.peers.setdefault(other.identity, PEER_KNOWN | reach)


cdef void share_memory(lp_domain *domain, lp_domain *other) noexcept nogil:
    """From now on commands of one device may use memory of the other."""
    if not (domain.peers and other.peers):
        lp_lock_acquire(&lp_runtime.registry_lock)     # under which the users of memory are looked for
        domain.peers = other.peers = True
        lp_lock_release(&lp_runtime.registry_lock)


cdef int enable_reach(DeviceBase device, DeviceBase other, uint64_t patience) except? -1:
    """Let commands of a device use memory of another one, where the library wants to be told; gives the driver's code.

    ERROR_HELD_BACK: a stream waited for the host for as long as `patience` microseconds."""
    cdef lp_domain *domain = device.domain
    cdef int code
    with nogil:
        code = domain.table.peer_enable(domain.device, other.domain.device)
    if code == ERROR_HELD_BACK and unheld_begin(domain, patience):
        try:
            with nogil:
                code = domain.table.peer_enable(domain.device, other.domain.device)
        finally:
            unheld_end(domain)
    if code != ERROR_HELD_BACK:
        device.peers[other.identity] |= PEER_REFUSED if code else PEER_ENABLED
    return code


def can_access_peer(DeviceBase device not None, DeviceBase other not None):
    """Whether kernels of a device can use memory of another one, once `enable_peer` was called."""
    device.check_open()
    return device is other or bool(peer_state_of(device, other) & PEER_ACCESS)


def enable_peer(DeviceBase device not None, DeviceBase other not None):
    """Let kernels of a device take arrays of another one."""
    cdef int code
    cdef int state
    device.check_open()
    other.check_open()
    if device is other:
        return
    state = peer_state_of(device, other)
    if not state & PEER_ACCESS:
        raise errors.LaunchpathError(
            f"{device.info['name']!r} cannot access the memory of {other.info['name']!r}: copy arrays, with "
            "launchpath.asarray(array, device=...) or array.copy_to(other)")
    if not state & PEER_ENABLED:
        code = enable_reach(device, other, UNHELD_EVER)
        if code:
            raise failure(device.domain.table, code)
    share_memory(device.domain, other.domain)
    device.peers[other.identity] |= PEER_ASKED


cdef inline bint kernels_reach(DeviceBase device, DeviceBase other) except -1:
    """Whether kernels of a device may take arrays of another one."""
    state = device.peers.get(other.identity)
    return state is not None and (<int>state & PEER_ASKED) != 0


def forget_peers(DeviceBase device not None):
    """Forget what was enabled, so that the library is asked anew. For tests, without work in flight."""
    device.peers.clear()


cdef int check_peer_argument(KernelBase kernel, Py_ssize_t index, ArrayBase array) except -1:
    """Raise unless a kernel may take an array of another device than its own."""
    cdef int state = peer_state_of(kernel.device, array.device)
    cdef str advice = "copy it there, or compile for the array's device"
    if state & PEER_ASKED:
        return 0
    if state & PEER_ACCESS:
        advice = ("let the kernel's device use memory of the array's device, by device.enable_peer(array.device) once; or copy "
                  "it there")
    raise errors.ArgumentValueError(
        f"{kernel.where(index)}: the array is on {array.device.info['name']!r}, the kernel on "
        f"{kernel.device.info['name']!r}: {advice}")


cdef int submit_peer(lp_queue *queue, void *data) noexcept nogil:
    """A peer_command."""
    cdef driver_command command
    command_set(&command, COMMAND_PEER, data, sizeof(peer_command))
    return submit_command(queue, &command)


cdef int submit_each_peer_row(lp_queue *queue, void *data) noexcept nogil:
    """A command for each row, as `submit_each_row`; the addresses move on."""
    cdef peer_rows *rows = <peer_rows *>data
    cdef peer_command each = rows.copy
    cdef size_t _row
    cdef int code
    each.rows = 1
    for _row in range(rows.copy.rows):
        code = submit_peer(queue, &each)
        if code:
            return code
        each.to = <char *>each.to + rows.to_pitch
        each.source = <const char *>each.source + rows.source_pitch
    rows.copy.to, rows.copy.source = each.to, each.source
    return 0


cdef int order_after(lp_queue *queue, lp_queue *other) noexcept nogil:
    """The next command of a queue comes after all that another one holds. No lock is held."""
    cdef lp_mark *mark = NULL
    cdef int code
    if other.kind == QUEUE_NONBLOCKING and not may_be_busy(other):
        return 0                   # for other kinds the record is a command, which comes after those of other streams
    code = queue_record(other, False, &mark)
    if code == 0:
        code = queue_wait(queue, mark)
        if code == 0:
            step_notes_wait(queue, mark)
        mark_unref(mark)
    return code


cdef void order_behind(lp_queue *queue, lp_queue *other) noexcept nogil:
    """The next command of `other` comes after the last one of a queue, which has been accepted, so that nothing here is
    an error of that: if `other` cannot be made to wait, the caller waits."""
    cdef lp_arrival arrival
    cdef int code = order_after(other, queue)
    if code and (is_captured(queue) or queue_arrive(queue, &arrival)):
        lp_lock_acquire(queue.lock)
        tell_later(queue, code)
        lp_lock_release(queue.lock)


cdef int enable_copies(DeviceBase device, DeviceBase other, int state) except -1:
    """Let copies go straight from memory to memory, where that can be: without, the library takes them through the
    host.

    While the host holds a stream back they go the library's way, rather than wait."""
    cdef int back = peer_state_of(other, device)
    if state & PEER_ACCESS and not state & (PEER_ENABLED | PEER_REFUSED):
        enable_reach(device, other, UNHELD_NOW)
    if back & PEER_ACCESS and not back & (PEER_ENABLED | PEER_REFUSED):
        enable_reach(other, device, UNHELD_NOW)
    return 0


cdef int run_peer_rows(lp_queue *queue, peer_rows *command, ArrayBase to, ArrayBase source, list pieces,
                       bint takes_rows) except -1:
    """Submit the copies of rows: each piece as one command, or its rows as one each."""
    cdef size_t left, width = command.copy.width
    cdef Py_ssize_t to_offset, source_offset
    for to_offset, command.to_pitch, source_offset, command.source_pitch, left in pieces:
        command.copy.to, command.copy.source = <char *>to.address + to_offset, <const char *>source.address + source_offset
        command.copy.to_pitch, command.copy.source_pitch = <size_t>command.to_pitch, <size_t>command.source_pitch
        while left:
            PyErr_CheckSignals()
            to.check_lives()       # signal handlers and other threads may have run
            source.check_lives()
            if takes_rows and min(command.to_pitch, command.source_pitch) >= <Py_ssize_t>width:
                command.copy.rows = left
                submit_run(queue, submit_peer, &command.copy)
            else:
                command.copy.rows = min(left, <size_t>ROWS_AT_ONCE)
                submit_run(queue, submit_each_peer_row, command)
            left -= command.copy.rows
    return 0


def copy_between(QueueBase stream not None, QueueBase other not None, ArrayBase to not None, ArrayBase source not None,
                 size_t width=0, list pieces=None):
    """Copy an array, or rows of it, to one of another device.

    Parameters
    ----------
    stream : QueueBase
        A stream of either device: the copy is its next command.
    other : QueueBase
        A stream of the other device. The copy comes after what it holds, and what it gets from now on comes after the
        copy.
    to, source : ArrayBase
        Arrays; of the same size, if whole arrays are copied.
    width : int, optional
        Bytes of a row.
    pieces : list of tuple of int, optional
        The rows to copy, in place of the whole array: (offset, pitch) in the target, (offset, pitch) in the source, in
        bytes, and how many rows. The rows are in the arrays; a pitch may be anything, as for `copy_rows`.

    Returns
    -------
    bool
        False if the driver has no copies between these devices. Then nothing was done.

    Raises
    ------
    LaunchpathError
        One of the streams is captured, and not both in a way that can be part of one graph.
    """
    cdef peer_rows command
    cdef lp_queue *queue = stream.usable()
    cdef lp_queue *second = other.usable()
    cdef int state = peer_state_of(stream.device, other.device)
    cdef int code
    cdef bint captured
    if not state & PEER_COPIES:
        return False
    if {stream.device, other.device} != {to.device, source.device} or pieces is None and to.nbytes != source.nbytes:
        raise errors.ArgumentValueError("expected streams of the devices of both arrays, and arrays of one size, got others")
    to.check_lives()
    source.check_lives()
    captured = check_captures(queue, second)
    if not (to.nbytes if pieces is None else width):
        return True
    if not state & (PEER_ENABLED | PEER_REFUSED):
        enable_copies(stream.device, other.device, state)
    if captured and not peer_state_of(stream.device, other.device) & PEER_ENABLED:
        raise errors.LaunchpathError(
            f"a copy between two devices can be part of a graph only if {stream.device.info['name']!r} has access to the memory "
            f"of {other.device.info['name']!r}: copy before the capture, or call device.enable_peer(other) before it")
    share_memory(to.device.domain, source.device.domain)
    with nogil:
        code = order_after(queue, second)
    if code:
        raise failure(queue.table, code)
    to.order_on(queue)
    source.order_on(queue)
    to.check_lives()               # other threads may have run since
    source.check_lives()
    command.copy.to_device, command.copy.source_device = to.device.domain.device, source.device.domain.device
    command.copy.width, command.copy.rows = to.nbytes if pieces is None else width, 1
    command.copy.captured, command.copy.to_texture = captured, NULL
    if pieces is None:
        command.copy.to, command.copy.source = to.address, source.address
        command.copy.to_pitch = command.copy.source_pitch = to.nbytes
        submit_run(queue, submit_peer, &command.copy)
        with nogil:
            order_behind(queue, second)
    else:
        try:
            run_peer_rows(queue, &command, to, source, pieces, (state & PEER_ROWS) != 0)
        finally:
            with nogil:
                order_behind(queue, second)        # rows before one that was refused have been accepted
    finish_if_blocking(queue)
    return True


cdef int check_captures(lp_queue *queue, lp_queue *other) except -1:
    """Raise if one of two streams that wait for each other is captured and the other one cannot be; gives whether they are."""
    cdef bint captured = is_captured(queue)
    if captured != is_captured(other) or captured and (queue.kind == QUEUE_LEGACY or other.kind == QUEUE_LEGACY):
        raise errors.LaunchpathError(
            "a copy between two devices orders a stream of each, and a graph is being captured on one of them: make a stream "
            "current that is part of the same capture, for the other device as well")
    return captured
