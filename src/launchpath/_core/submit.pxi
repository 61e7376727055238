# Submitting: launch, copy and fill as commands of a queue. Each is one step under the queue's lock; what may block comes after.
#
# The GIL is kept unless the queue is so deep that the driver may block, or another thread has the lock: whoever waits for a
# lock without the GIL also submits without it, so a lock's holder never needs the GIL.

ctypedef int (*submission)(lp_queue *queue, void *what) noexcept nogil

cdef struct launch_command:
    void *kernel
    const char *name
    const launch_config *config
    const void *bytes
    size_t size

cdef struct copy_command:
    void *to
    const void *source
    size_t size

cdef struct fill_command:
    void *to
    const void *pattern
    size_t pattern_size
    size_t size


cdef inline int after_command(lp_queue *queue, int code) noexcept nogil:
    """Number the command, or forget the waits that it would have had."""
    if unlikely(code):
        order_refuse(queue, queue.n_waits)
        return code
    order_accept(queue)
    if likely(queue.native):
        return checkpoint(queue) if unlikely(queue.number >= queue.check) else 0
    if queue.domain.shared and queue.kind == QUEUE_LEGACY:
        code = hold_back_shared(queue.domain)
    if queue.domain.flush_each and code == 0:
        code = queue.table.queue_flush(queue.handle)
    if queue.number >= queue.check and code == 0:
        code = checkpoint(queue)
    return code


cdef int hold_back_shared(lp_domain *domain) noexcept nogil:
    """Foreign code submits to its blocking streams without asking: what they hold from now on comes after this already."""
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


cdef int submit_launch(lp_queue *queue, void *what) noexcept nogil:
    cdef launch_command *command = <launch_command *>what
    cdef int code = order_begin(queue)
    if code:
        return code
    code = queue.launch(queue.handle, command.kernel, command.config, command.bytes, command.size,
                        queue.n_waits, queue.events if unlikely(queue.n_waits) else NULL)
    if code == 0:
        queue.label = command.name
    return after_command(queue, code)


cdef int submit_copy(lp_queue *queue, void *what) noexcept nogil:
    cdef copy_command *command = <copy_command *>what
    cdef int code = order_begin(queue)
    if code:
        return code
    return after_command(queue, queue.table.copy(
        queue.handle, command.to, command.source, command.size, queue.n_waits, queue.events))


cdef int submit_fill(lp_queue *queue, void *what) noexcept nogil:
    cdef fill_command *command = <fill_command *>what
    cdef int code = order_begin(queue)
    if code:
        return code
    return after_command(queue, queue.table.fill(
        queue.handle, command.to, command.pattern, command.pattern_size, command.size, queue.n_waits, queue.events))


cdef int locked(lp_queue *queue, submission submit, void *what) noexcept nogil:
    cdef int code
    lp_lock_acquire(queue.lock)
    code = submit(queue, what)
    lp_lock_release(queue.lock)
    return code


cdef bint find_room(lp_queue *queue) noexcept:
    """Find out whether the driver has room for more commands, so that its calls do not block. The caller holds the GIL."""
    cdef uint64_t under_way = depth(queue)
    if not queue.native:
        queue.keeps_gil = under_way < DEPTH_GIL
        queue.gil_check = queue.number + (DEPTH_GIL - under_way if queue.keeps_gil else 1)
        return queue.keeps_gil
    # Streams share the queues in hardware, so what counts is what all of them hold.
    queue.keeps_gil = domain_depth(queue.domain) < DEPTH_NATIVE
    if not queue.keeps_gil:
        domain_poll(queue.domain)
        queue.keeps_gil = domain_depth(queue.domain) < DEPTH_NATIVE
    queue.gil_check = queue.number + LOOK_NATIVE
    if unheld_periods:                 # looked at last: the GIL may have been released above
        queue.keeps_gil, queue.gil_check = False, queue.number + 1
    return queue.keeps_gil


cdef inline int run(lp_queue *queue, submission submit, void *what) except? -1:
    """Submit; raises what the driver says. The caller holds the GIL."""
    cdef int code
    if queue.epoch != lp_load(&failures):
        with nogil:
            heed(queue)
    if (queue.keeps_gil if queue.number < queue.gil_check else find_room(queue)) and lp_lock_try(queue.lock):
        code = submit(queue, what)
        lp_lock_release(queue.lock)
    else:
        with nogil:
            code = locked(queue, submit, what)
            if depth(queue) > DEPTH_SOFT:
                throttle(queue)
    if code:
        raise failure(queue.table, code)
    if launch_blocking:
        with nogil:
            code = queue_finish(queue)
        if code:
            raise queue_failure(queue, code)
    return 0


def copy_bytes(QueueBase stream not None, uintptr_t to, uintptr_t source, size_t size):
    """Copy `size` bytes on a stream; either address may be the host's, whose memory must stay as it is until it is done."""
    cdef copy_command command
    command.to, command.source, command.size = <void *>to, <const void *>source, size
    if size:
        run(stream.queue, submit_copy, &command)


def fill_bytes(QueueBase stream not None, uintptr_t to, bytes pattern not None, size_t size):
    """Repeat `pattern` over `size` bytes on a stream."""
    cdef fill_command command
    cdef const char *at = pattern
    command.to, command.pattern, command.pattern_size, command.size = <void *>to, at, len(pattern), size
    if size:
        run(stream.queue, submit_fill, &command)
