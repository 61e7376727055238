# Stream and Hold as Python objects. The public class Stream derives from QueueBase and documents it.

# Graphs and C code find it by its queue's identity: another thread may do so while the cycle collector clears it.
@cython.no_gc_clear
cdef class QueueBase:
    """A queue of a device, as Python holds it."""
    cdef lp_queue *queue
    cdef readonly DeviceBase device
    cdef readonly bint blocking
    cdef readonly int priority
    cdef object token              # stands for the stream in `device.raised`
    cdef object owner              # of a foreign stream
    cdef uint64_t c_handle         # by which C code names it, or 0

    def __cinit__(self, DeviceBase device not None, int kind=QUEUE_BLOCKING, int priority=0, uintptr_t foreign=0,
                  owner=None, *args, **kwargs):
        cdef int code
        cdef lp_domain *domain = device.domain
        cdef lp_queue *queue = NULL
        cdef queue_kind queue_kind_ = <queue_kind>kind
        cdef uint64_t patience, began = lp_nanoseconds()
        cdef bint period
        self.token = object()
        with nogil:
            reap_closed(domain, False)
            code = queue_new(domain, queue_kind_, priority, <void *>foreign, &queue)
        patience = UNHELD_NOW
        while code == ERROR_HELD_BACK:
            period = unheld_begin(domain, patience)
            try:
                with nogil:  # without a period too: more of what is kept can be had while a queue is held back
                    reap_closed(domain, False)
                    code = queue_new(domain, queue_kind_, priority, <void *>foreign, &queue)
            finally:
                if period:
                    unheld_end(domain)
            if patience and runs_host_function_of(domain.driver):
                break
            patience = UNHELD_SOON
            if code == ERROR_HELD_BACK:
                own_hold_check(began)
        if code:
            raise failure(domain.table, code)
        self.queue = queue
        self.owner = owner
        self.device, self.blocking, self.priority = device, kind != QUEUE_NONBLOCKING, priority
        streams_by_identity[queue.identity] = <uintptr_t><PyObject *>self

    def __dealloc__(self):
        # Work in flight goes on, as after hipStreamDestroy; the driver's queue is released once it is known to be
        # complete.
        if self.queue != NULL and not lp_runtime.exiting:
            streams_by_identity.pop(self.queue.identity, None)
            capture_abandon(self.queue)
            with nogil:
                c_stream_ends(self.c_handle)
                close_queue(self.queue)
            self.queue = NULL

    cdef inline lp_queue *usable(self) except NULL:
        if self.queue.domain.refused:
            raise failure(self.queue.table, self.queue.domain.refused)
        return self.queue

    def record_into(self, EventBase event not None):
        cdef lp_mark *mark = NULL
        cdef bint timed = event.event.timing
        cdef int code
        self.usable()
        with nogil:
            code = queue_record(self.queue, timed, &mark)
        if code:
            raise failure(self.queue.table, code)
        try:
            if unlikely(lp_here.step != NULL):
                capture_notes_record(event, mark)
        finally:
            event.set(mark, self)

    def wait_event(self, event):
        cdef lp_mark *mark
        cdef int code
        if not isinstance(event, EventBase):
            raise errors.ArgumentValueError(
                f"wait_event: expected an event, got {described(event)}: stream.wait(other) takes streams too")
        self.usable()
        mark = (<EventBase>event).checked()
        if mark == NULL:
            return                 # never recorded: complete, as in HIP
        with nogil:
            code = queue_wait(self.queue, mark)
            if code == 0:
                step_notes_wait(self.queue, mark)
            mark_unref(mark)
        if code:
            raise failure(self.queue.table, code)

    @property
    def capturing(self):
        """Whether what is submitted to the stream is recorded into a graph, and does not run.

        If something has ended the capture early, this stays true on the thread that captures, until `end_capture`:
        hipStreamIsCapturing answers hipStreamCaptureStatusInvalidated then."""
        cdef bint answer
        with nogil:
            answer = is_captured(self.queue) or capture_refuses(self.queue) != 0
        return answer

    def query(self):
        cdef lp_queue **queues = NULL
        cdef lp_queue *failed = NULL
        cdef uint32_t i, n = 0
        cdef uint64_t moves
        cdef int code = 0
        cdef bint done = True
        self.usable()
        with nogil:
            if self.queue.kind == QUEUE_LEGACY:
                code = list_blocking(self.queue.domain, &queues, &n, &moves)
                for i in range(n):
                    if code == 0 and done:
                        failed = queues[i]
                        code = queue_query(failed, &done)
            else:
                failed = self.queue
                step_observe(failed)        # which submits a step, and ends a capture
                code = queue_query(failed, &done)
            if code == 0:
                code = refusal_here()
        error = queue_failure(failed, code) if code else None
        queues_unlist(queues, n)
        if error is not None:
            raise error
        return done

    def synchronize(self):
        cdef lp_queue **queues = NULL
        cdef uint32_t n = 0
        cdef uint64_t moves = 0
        cdef int code
        self.usable()
        if self.queue.kind == QUEUE_LEGACY:
            with nogil:
                code = list_blocking(self.queue.domain, &queues, &n, &moves)
            finish_all(queues, n, code)
            with nogil:
                lp_raise(&self.queue.domain.quiet, moves)
        else:
            with nogil:
                step_observe(self.queue)    # which submits a step, and ends a capture
            await_queue(self.queue, &code)
            code = code or refusal_here()
            if code:
                raise queue_failure(self.queue, code)
        self.device.raise_host_failures(None if self.queue.kind == QUEUE_LEGACY else self.token)

    def launch_host_function(self, function, *args):
        cdef lp_job *job
        cdef lp_queue *queue = self.usable()
        cdef int code
        if not callable(function):
            raise TypeError(f"expected a callable host function, got {type(function).__name__}")
        job = <lp_job *>calloc(1, sizeof(lp_job))
        if job == NULL:
            raise MemoryError
        work = (self.device.raised, self.token, self.blocking, function, args)
        try:
            take_job(queue)
        except BaseException:
            free(job)
            raise
        Py_INCREF(work)
        queue_ref(queue)
        job.work, job.queue = <PyObject *>work, queue
        with nogil:
            code = submit_host_function(queue, &job)
        if code:
            job_done(queue)
            queue_unref(queue)
            Py_DECREF(work)
            free(job)
            raise failure(queue.table, code)

    def hold(self):
        """Nothing submitted from now on starts before the hold given out is released. For tests and measurements."""
        cdef Hold hold = Hold.__new__(Hold)
        cdef lp_queue *queue = self.usable()
        cdef int code
        with nogil:
            code = submit_hold(queue, &hold.mark)
        if code:
            raise failure(queue.table, code)
        holder_enter(&hold.holder, hold.mark, queue)
        hold.stream = self
        return hold

    @property
    def handle(self):
        """The library's own queue, as an int. From now on the queue is never assumed to be empty."""
        self.usable()
        with nogil:
            share_queue(self.queue)
            step_observe(self.queue)
        return <uintptr_t>self.queue.table.queue_handle(self.queue.handle, True)

    @property
    def submitted(self):
        """Number of the last command, and the highest number known to be complete."""
        return self.queue.number, lp_load(&lp_runtime.completed[self.queue.slot])

    def failure(self, uint64_t number):
        """The exception for a command behind `number` that failed, as far as is known, reported before or not; or
        None."""
        if lp_load(&self.queue.failed) <= number:
            return None
        return asynchronous_failure(self.queue, self.queue.last_failure)

    def __enter__(self):
        enter(self.device, self)
        return self

    def __exit__(self, *raised):
        leave(self.device, self)

    def flush(self):
        cdef int code
        self.usable()
        with nogil:
            lp_lock_acquire(self.queue.lock)
            code = self.queue.table.queue_flush(self.queue.handle)
            lp_lock_release(self.queue.lock)
        if code:
            raise failure(self.queue.table, code)


cdef int await_outside(lp_queue *queue, int *code) except -1:
    """Wait for what a queue that is captured held before."""
    cdef lp_mark *mark
    code[0] = 0
    with nogil:
        mark = outside_of(queue)
    if mark != NULL:
        try:
            await_mark(mark, code)
        finally:
            mark_unref(mark)
    return 0


cdef finish_all(lp_queue **queues, uint32_t n, int code):
    """Finish every queue of a list, which is freed, even if one fails; then raise for the first that did. Of what
    other threads capture nothing runs.

    What a signal handler raises comes at once."""
    cdef uint32_t i
    first = failure(NULL, code) if code else None
    try:
        for i in range(n):
            if capture_has(queues[i]) and not is_captured_elsewhere(queues[i]):
                with nogil:
                    step_observe(queues[i])         # which ends this thread's capture
            if capture_has(queues[i]):
                await_outside(queues[i], &code)
            else:
                await_queue(queues[i], &code)
            if code and first is None:
                first = queue_failure(queues[i], code)
    finally:
        queues_unlist(queues, n)
    if first is None and refusal_here():
        first = failure((<lp_recording *>lp_here.step).table, refusal_here())
    if first is not None:
        raise first


cdef class Hold:
    """Holds a stream back until `release` is called, or the hold is dropped."""
    cdef lp_mark *mark
    cdef QueueBase stream
    cdef lp_holder holder

    def release(self):
        cdef lp_mark *mark = self.mark
        cdef const driver_table *table
        cdef int code
        self.mark = NULL
        if mark != NULL:
            table = mark.domain.table
            with nogil:
                holder_leave(&self.holder)
                code = release_hold(mark)
            if code:
                raise failure(table, code)

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.release()

    def __dealloc__(self):
        if self.mark != NULL:
            holder_leave(&self.holder)
            release_hold(self.mark)
