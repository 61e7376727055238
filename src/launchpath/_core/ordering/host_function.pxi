# Host functions: Python callables in stream order, on threads of launchpath's own.
#
# A marker's callback, on a driver's thread and without the GIL, moves the job to a list; a worker runs it and then
# completes the user event that holds the queue back. There are as many workers as queues with host functions under way,
# so functions of different streams may wait for each other; drivers' threads never run Python.
#
# The counts are the core's own, under a core lock: a Python lock can be interrupted while it is waited for, and a count
# that is wrong by one would leave a stream without a worker for ever.

import _thread
import threading
from cpython.exc cimport PyErr_SetObject, PyErr_WriteUnraisable

cdef enum:
    RAISED_KEPT = 256  # errors of host functions that wait for a synchronizing call; beyond it the oldest is told

cdef struct lp_job:
    PyObject *work             # a tuple, see run_job; a reference, dropped by the worker
    lp_mark *hold              # the user event that the queue waits for
    lp_queue *queue            # a reference
    event_status status        # of what came before
    uint64_t parties           # of `job_due` and `submit_job`: the second one passes the job on
    bint refused               # the queue does not wait for it, so it must not run
    lp_job *next


cdef void job_arrived(void *data, event_status status) noexcept nogil:
    cdef lp_job *job = <lp_job *>data
    job.status, job.next = status, NULL
    lp_lock_acquire(&lp_runtime.jobs_lock)
    if lp_runtime.jobs_last == NULL:
        lp_runtime.jobs_first = job
    else:
        lp_runtime.jobs_last.next = job
    lp_runtime.jobs_last = job
    lp_condition_signal(&lp_runtime.jobs_arrived)
    lp_lock_release(&lp_runtime.jobs_lock)


cdef void job_due(void *data, event_status status) noexcept nogil:
    """What comes before the job in its queue is complete; the queue may not have been made to wait for the job yet."""
    cdef lp_job *job = <lp_job *>data
    job.status = status
    job_met(job)


cdef void job_met(lp_job *job) noexcept nogil:
    LP_ASSERT(lp_load(&job.parties) < 2)
    if lp_add(&job.parties, 1) < 2:
        return
    if job.refused:
        free(job)
    else:
        job_arrived(job, job.status)


cdef lp_job *next_job() noexcept nogil:
    """The next job, NULL when workers are to stop."""
    cdef lp_job *job = NULL
    lp_lock_acquire(&lp_runtime.jobs_lock)
    while lp_runtime.jobs_first == NULL and not lp_runtime.workers_stop:
        lp_condition_wait(&lp_runtime.jobs_arrived, &lp_runtime.jobs_lock)
    if lp_runtime.jobs_first != NULL:
        job = lp_runtime.jobs_first
        lp_runtime.jobs_first = job.next
        if lp_runtime.jobs_first == NULL:
            lp_runtime.jobs_last = NULL
    lp_lock_release(&lp_runtime.jobs_lock)
    return job


cdef bint expect_job(lp_queue *queue) noexcept nogil:
    """Count a job of a queue; says whether a worker is lacking for it."""
    cdef bint lacking
    lp_lock_acquire(&lp_runtime.jobs_lock)
    queue.jobs += 1
    if queue.jobs == 1:
        lp_runtime.job_queues += 1
    lacking = lp_runtime.workers < lp_runtime.job_queues
    lp_lock_release(&lp_runtime.jobs_lock)
    return lacking


cdef void job_done(lp_queue *queue) noexcept nogil:
    lp_lock_acquire(&lp_runtime.jobs_lock)
    LP_ASSERT(queue.jobs != 0)
    LP_ASSERT(lp_runtime.job_queues != 0)
    queue.jobs -= 1
    if queue.jobs == 0:
        lp_runtime.job_queues -= 1
    lp_lock_release(&lp_runtime.jobs_lock)


cdef int take_job(lp_queue *queue) except -1:
    """Count a job, and see that it has a worker; if no thread can be started the job is not counted, and that is
    raised."""
    if expect_job(queue):
        try:
            # Not threading.Thread, which is Python code: interrupted in there, it may or may not have started one. And
            # a worker counts only once it runs: a thread that came meanwhile has started another.
            _thread.start_new_thread(_work, ())
        except BaseException:
            job_done(queue)
            raise
        lp_lock_acquire(&lp_runtime.jobs_lock)
        lp_runtime.workers += 1
        lp_lock_release(&lp_runtime.jobs_lock)
    return 0


cdef void stop_workers() noexcept nogil:
    lp_lock_acquire(&lp_runtime.jobs_lock)
    lp_runtime.workers_stop = 1
    lp_condition_broadcast(&lp_runtime.jobs_arrived)
    lp_lock_release(&lp_runtime.jobs_lock)


cdef void settle_workers(uint64_t microseconds) noexcept nogil:
    """Wait until no worker is in the last lines of a job that the driver has been told is over."""
    cdef uint64_t until = lp_nanoseconds() + microseconds * 1000
    cdef bint busy = True
    while busy and lp_nanoseconds() < until:
        lp_lock_acquire(&lp_runtime.jobs_lock)
        busy = lp_runtime.job_queues != 0
        lp_lock_release(&lp_runtime.jobs_lock)
        if busy:
            lp_sleep(100)


cdef void forget_workers() noexcept nogil:
    """In a forked child, where no other thread is."""
    lp_lock_init(&lp_runtime.jobs_lock)
    lp_condition_init(&lp_runtime.jobs_arrived)
    lp_runtime.workers = lp_runtime.job_queues = 0
    lp_runtime.jobs_first = lp_runtime.jobs_last = NULL


def _work():
    cdef lp_job *job
    threading.current_thread().name = f"launchpath-host-{lp_runtime.workers}"
    while True:
        with nogil:
            job = next_job()
        if job == NULL:
            return
        run_job(job)


cdef run_job(lp_job *job):
    cdef lp_queue *queue = job.queue
    work = <object>job.work
    Py_DECREF(work)
    raised, token, blocking, function, args = work
    lp_here.job = job
    try:
        if job.status != EVENT_FAILED:         # as in CUDA: not called if what it comes after has failed
            function(*args)
    except BaseException as error:
        (<list>raised).append((token, blocking, error, function))
        lp_add(&lp_runtime.host_raised, 1)
    work = function = args = None      # which may call finalizers
    with nogil:
        release_hold(job.hold)
    lp_here.job = NULL
    free(job)
    with nogil:
        job_done(queue)
        queue_unref(queue)
    if len(<list>raised) > RAISED_KEPT:
        lp_add(&lp_runtime.host_raised, -1)
        tell_nobody((<list>raised).pop(0))
    raised = None


cdef int submit_job(lp_queue *queue, lp_job **job) noexcept nogil:
    """`submit_host_function` where the library calls functions in a queue's order. Caller holds the lock.

    The callback goes in before the hold: once the queue waits for the host, nothing that the host still has to do may
    need the library's lock, which foreign code may hold while it waits for the device. The job runs when both are
    in."""
    cdef int code = order_begin(queue)
    if code == 0 and queue.n_waits:
        code = submit_marker(queue, False, NULL)
    if code == 0:
        code = queue.table.queue_callback(queue.handle, job_due, job[0])
    if code:
        return code
    order_accept(queue)                # it takes room in the library's queue, so it is counted
    code = hold_place(queue, job[0].hold)
    if code:
        release_hold(job[0].hold)
        job[0].refused = True
    job_met(job[0])
    if code:
        job[0] = NULL              # the second party frees it
    return code


cdef int submit_marked_job(lp_queue *queue, lp_job *job) noexcept nogil:
    """The same where the library calls functions when an event is complete. Caller holds the lock.

    The hold goes in before the callback is armed, so that nothing that follows can overtake the function."""
    cdef lp_mark *mark = NULL
    cdef int code = order_begin(queue)
    if code == 0:
        code = submit_marker(queue, False, &mark)
    if code == 0:
        code = hold_place(queue, job.hold)
    if code == 0:
        code = queue.table.event_callback(queue.domain, mark.event, job_arrived, job)
    mark_unref(mark)
    return code


cdef int submit_host_function(lp_queue *queue, lp_job **job) noexcept nogil:
    """Put the job into the queue. If this fails the job is the caller's again, or NULL."""
    cdef lp_mark *hold = NULL
    cdef int code
    if is_captured(queue):
        return ERROR_CAPTURED
    code = capture_refuses(queue)
    if code:
        return code
    heed_failures(queue)
    code = hold_new(queue, True, &hold)        # before the lock: it may have to wait
    if code:
        return code
    job[0].hold = hold
    lp_lock_acquire(queue.lock)
    if queue.table.queue_callback != NULL:
        code = submit_job(queue, job)
    else:
        code = submit_marked_job(queue, job[0])
    lp_lock_release(queue.lock)
    if code and job[0] != NULL:
        release_hold(hold)
    return code


cdef inline bint runs_host_function_of(const driver_table *driver) noexcept nogil:
    """Whether this thread runs a host function that a stream of the driver waits for."""
    cdef lp_job *job = <lp_job *>lp_here.job
    return job != NULL and job.queue.domain.driver == driver


cdef inline bint waits_for_itself(uint32_t slot, const lp_clock *clock) noexcept nogil:
    """Whether this thread runs a host function, and waiting for a queue, or for what a clock holds, is to wait for its
    end."""
    cdef lp_job *job = <lp_job *>lp_here.job
    return job != NULL and (slot == job.hold.slot or clock_get(clock, job.hold.slot) >= job.hold.number)


cdef bint queue_waits_for_me(lp_queue *queue) noexcept nogil:
    """The same of all that a queue holds."""
    cdef bint answer = False
    if lp_here.job != NULL:
        lp_lock_acquire(queue.lock)
        answer = waits_for_itself(queue.slot, &queue.placed) or waits_for_itself(queue.slot, &queue.wanted)
        lp_lock_release(queue.lock)
    return answer


cdef str text_of(error):
    """What an exception says; its own method may raise, which must not take its place."""
    try:
        return f"{type(error).__name__}: {error}"
    except BaseException as wrong:
        return f"{type(error).__name__} (its text cannot be shown: str() of it raised {type(wrong).__name__})"


cdef tell_nobody(tuple entry):
    """Nobody has waited for the stream of a host function that raised: `sys.unraisablehook` tells of it."""
    PyErr_SetObject(type(entry[2]), entry[2])
    PyErr_WriteUnraisable(entry[3])
