# Submitting: commands of a queue. Each is one step under the queue's lock; what may block comes after.
#
# The GIL is kept unless the queue is so deep that the driver may block, or another thread has the lock: a thread
# that waits for a lock without the GIL also submits without it, so a lock's holder never needs the GIL.

ctypedef int (*submission)(lp_queue *queue, void *data) noexcept nogil


cdef inline int after_command(lp_queue *queue, int code) noexcept nogil:
    """Number the command, or forget the waits that it would have had."""
    LP_ASSERT(lp_lock_held(queue.lock))
    if unlikely(code):
        queue.label = NULL
        order_refuse(queue, queue.n_waits)
        return code
    order_accept(queue)
    # From here on nothing is an error of the command's: it was accepted, and would run twice if it were
    # submitted again.
    if likely(queue.native):
        if unlikely(queue.number >= queue.check):
            queue_checkpoint(queue)
        return 0
    if unlikely(queue.domain.shared and queue.kind == QUEUE_LEGACY):
        tell_later(queue, hold_back_shared(queue.domain))
    if queue.domain.flush_each:
        code = queue.table.queue_flush(queue.handle)
        if unlikely(code):
            tell_later(queue, code)
    if queue.number >= queue.check:
        queue_checkpoint(queue)
    return 0


cdef void tell_later(lp_queue *queue, int code) noexcept nogil:
    """Keep what went wrong after a command had been accepted for the next call that synchronizes the queue."""
    if code and not queue.late:
        queue.late, queue.late_call = code, lp_here.failed_call


cdef int hold_back_shared(lp_domain *domain) noexcept nogil:
    """Foreign code submits to its blocking streams without asking: what they hold from now on comes after this
    already."""
    cdef lp_queue *queue = domain.newest
    cdef lp_queue *older
    cdef int code = 0
    while queue != NULL and code == 0:
        older = queue.older
        if queue.shared:
            code = order_begin(queue)
            if code == 0 and queue.n_waits:
                code = submit_marker(queue, False, NULL)
        queue = older
    return code


cdef inline int submit_command(lp_queue *queue, void *data) noexcept nogil:
    """Give a driver_command to the queue's table. What it points to must stay until this returns."""
    cdef driver_command *command = <driver_command *>data
    cdef int code = order_begin(queue)
    if code:
        return code
    LP_ASSERT(queue.submit == queue.table.submit)
    LP_ASSERT(queue.label == NULL)
    queue.label = command.label        # what a crash in the driver's call is told of
    command.n_waits, command.waits = queue.n_waits, queue.events
    command.number, command.external = queue.number + 1, lp_here.external
    return after_command(queue, queue.submit(queue.handle, command))


cdef int driver_marker(const driver_table *table, void *queue, bint timed, uint32_t n_waits, void **waits,
                       void **event) noexcept nogil:
    """Submit a marker; `queue` is the driver's. It has no number of its own."""
    cdef driver_command command
    command_set(&command, COMMAND_MARKER, NULL, 0)
    command.timed, command.n_waits, command.waits, command.event = timed, n_waits, waits, event
    return table.submit(queue, &command)


cdef int submit_locked(lp_queue *queue, submission submit, void *data) noexcept nogil:
    cdef int code
    lp_lock_acquire(queue.lock)
    code = submit(queue, data)
    lp_lock_release(queue.lock)
    return code


cdef bint find_room(lp_queue *queue) noexcept:
    """Find out whether the driver has room for more commands, so that its calls do not block. The caller holds the
    GIL."""
    cdef uint64_t under_way = queue_depth(queue)
    if lp_here.step != NULL and queue_defers(queue) and not lp_load(&(<lp_recording *>lp_here.step).mode):
        # Nothing is given to the driver now. A look at how far it is would have to submit first.
        queue.keeps_gil, queue.gil_check = True, queue.number + LOOK_NATIVE
        return True
    if not queue.native:
        queue.keeps_gil = under_way < DEPTH_GIL
        queue.gil_check = queue.number + (DEPTH_GIL - under_way if queue.keeps_gil else 1)
        return queue.keeps_gil
    # Streams share the queues in hardware, so what counts is what all of them hold.
    queue.keeps_gil = domain_has_room(queue.domain)
    if not queue.keeps_gil:
        domain_poll(queue.domain)
        queue.keeps_gil = domain_has_room(queue.domain)
    queue.gil_check = queue.number + LOOK_NATIVE
    if lp_runtime.unheld_periods:                 # looked at last: the GIL may have been released above
        queue.keeps_gil, queue.gil_check = False, queue.number + 1
    return queue.keeps_gil


cdef void find_room_here(lp_queue *queue) noexcept nogil:
    """What `find_room` does, for a thread that has the queue's lock and perhaps not the GIL: without asking the driver.

    A thread that begins an unheld period counts it first, and then resets `gil_check` under `registry_lock`: so either it
    is seen here, or what is written here is reset."""
    cdef uint64_t under_way = queue_depth(queue)
    LP_ASSERT(lp_lock_held(queue.lock))
    if not queue.native:
        queue.keeps_gil = under_way < DEPTH_GIL
        queue.gil_check = queue.number + (DEPTH_GIL - under_way if queue.keeps_gil else 1)
        return
    lp_lock_acquire(&lp_runtime.registry_lock)
    queue.keeps_gil = not lp_runtime.unheld_periods and domain_depth(queue.domain) < DEPTH_NATIVE
    queue.gil_check = queue.number + (1 if lp_runtime.unheld_periods else LOOK_NATIVE)
    lp_lock_release(&lp_runtime.registry_lock)


cdef inline int submit_run(lp_queue *queue, submission submit, void *data) except? -1:
    """Submit; raises what the driver says, and then the command was refused. The caller holds the GIL."""
    cdef int code
    cdef uint64_t began
    if queue.epoch != lp_load(&lp_runtime.failures):
        if queue.domain.refused:
            raise failure(queue.table, queue.domain.refused)
        with nogil:
            order_heed(queue)
    if (queue.keeps_gil if queue.number < queue.gil_check else find_room(queue)) and lp_lock_try(queue.lock):
        code = submit(queue, data)
        lp_lock_release(queue.lock)
    else:
        began = waiting_begin()
        if unlikely(is_full(queue)):
            own_hold_room(queue)
        with nogil:
            code = submit_locked(queue, submit, data)
            if queue_depth(queue) > DEPTH_SOFT:
                queue_throttle(queue)
        waiting_end(began)
    if unlikely(code):
        if code != ERROR_WOULD_BLOCK:
            raise failure(queue.table, code)
        with nogil:
            code = submit_locked(queue, submit, data)
        if code:
            raise failure(queue.table, code)
    return 0


cdef int run_copy(lp_queue *queue, void *to, const void *source, size_t size, copy_direction direction) except -1:
    cdef driver_command command
    cdef copy_command copy
    command_set_copy(&command, &copy, to, source, size, direction)
    return submit_run(queue, submit_command, &command)


cdef int run_fill(lp_queue *queue, void *to, const void *pattern, size_t pattern_size, size_t size) except -1:
    cdef driver_command command
    cdef fill_command fill
    command_set_fill(&command, &fill, to, pattern, pattern_size, size)
    return submit_run(queue, submit_command, &command)


cdef int finish_if_blocking(lp_queue *queue) except -1:
    """With LAUNCHPATH_LAUNCH_BLOCKING, or where a trace serializes launches, wait for what was just submitted. What this
    raises is no refusal."""
    return 0 if likely(not lp_runtime.watched) else finish_watched(queue)


cdef int finish_watched(lp_queue *queue) except -1:
    cdef lp_recording *recording = <lp_recording *>lp_here.step
    cdef int code
    if recording != NULL:
        recording.quiet = True
    try:
        if (lp_runtime.launch_blocking or queue.domain.bounds != NULL) and not is_captured(queue):
            await_queue(queue, &code)
            if code:
                raise queue_failure(queue, code)
        elif lp_trace.serialized:
            serial_wait(queue)
    finally:
        if recording != NULL:
            recording.quiet = False
    return 0


def copy_bytes(QueueBase stream not None, uintptr_t to, uintptr_t source, size_t size, int direction=0):
    """Copy `size` bytes on a stream; either address may be the host's, whose memory must stay as it is until it is
    done. `direction` is for records: `UP`, `DOWN` or `WITHIN`."""
    if size:
        run_copy(stream.queue, <void *>to, <const void *>source, size, <copy_direction>direction)
        finish_if_blocking(stream.queue)


def read_bytes(QueueBase stream not None, uintptr_t to, uintptr_t source, size_t size, owner not None):
    """Copy to host memory that `owner` holds, and wait until it is there.

    The library writes to that memory until the copy is complete. A wait that a signal's handler ends (Ctrl-C) leaves
    the owner to the device until then."""
    cdef LeftCopy left
    cdef lp_mark *mark = NULL
    cdef lp_records *records
    cdef uint64_t record = 0
    cdef int code, recorded
    stream.usable()
    drop_left_copies(stream.device)
    if waits_for_itself(stream.queue.slot, &stream.queue.placed):
        raise failure(stream.queue.table, ERROR_WAITS_FOR_ITSELF)  # before there is a copy that could not be waited for
    left = LeftCopy.__new__(LeftCopy)
    if size:
        records = copies_begin(NULL, 0)
        run_copy(stream.queue, <void *>to, <const void *>source, size, COPY_DOWN)
        record = copies_end(records)
    with nogil:
        recorded = queue_record(stream.queue, False, &mark)
    if recorded:
        await_queue(stream.queue, &code)
        raise queue_failure(stream.queue, code or recorded)
    left.mark, left.owner = mark, owner
    try:
        await_mark(mark, &code)
    except BaseException:
        stream.device.left.append(left)
        raise
    if code == ERROR_ASYNCHRONOUS:
        raise asynchronous_failure(mark.queue, mark.failure)
    if code:
        stream.device.left.append(left)
        raise failure(mark.domain.table, code)
    if unlikely(record):
        with nogil:
            copy_arrived(record, <const void *>to, size)


@cython.no_gc_clear                # __dealloc__ needs `owner`
cdef class LeftCopy:
    """A copy to host memory that is under way, with what holds that memory."""
    cdef lp_mark *mark
    cdef object owner

    def __dealloc__(self):
        if self.mark != NULL and (lp_runtime.exiting or not mark_complete(self.mark)) and self.owner is not None:
            Py_INCREF(self.owner)      # the library may still write there
        if self.mark != NULL and not lp_runtime.exiting:
            mark_unref(self.mark)


cdef drop_left_copies(DeviceBase device):
    """Let go of host memory whose copies are complete by now."""
    cdef bint done
    cdef lp_mark *mark
    if not device.left:
        return
    rest, device.left = device.left, []
    for left in rest:
        mark, done = (<LeftCopy>left).mark, False
        with nogil:
            mark_query(mark, &done)
        if not (done or mark_complete(mark)):
            device.left.append(left)


def fill_bytes(QueueBase stream not None, uintptr_t to, bytes pattern not None, size_t size):
    """Repeat `pattern`, of at most 128 bytes, over `size` bytes on a stream."""
    if len(pattern) > FILL_MOST:
        raise errors.ArgumentValueError(f"expected a pattern of at most {FILL_MOST} bytes, got {len(pattern)}")
    if size:
        run_fill(stream.queue, <void *>to, <const char *>pattern, len(pattern), size)
        finish_if_blocking(stream.queue)
