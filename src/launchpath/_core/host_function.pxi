# Host functions: Python callables in stream order, on threads of launchpath's own.
#
# A marker's callback, on a driver's thread and without the GIL, moves the job to a list; a worker runs it and then
# completes the user event that holds the queue back. There are as many workers as queues with host functions under way,
# so functions of different streams may wait for each other; drivers' threads never run Python.

import collections
import threading
from cpython.ref cimport Py_DECREF, Py_INCREF, PyObject

cdef struct lp_job:
    PyObject *work             # a tuple, see run_job; a reference, dropped by the worker
    lp_mark *hold              # the user event that the queue waits for
    driver_table *table        # of the queue
    event_status status        # of what came before
    uint64_t parties           # of `job_due` and `submit_job`: the second one passes the job on
    bint refused               # the queue does not wait for it, so it must not run
    lp_job *next

cdef lp_lock jobs_lock
cdef lp_condition jobs_arrived
cdef lp_job *jobs_first = NULL
cdef lp_job *jobs_last = NULL
cdef uint64_t workers_stop = 0
lp_lock_init(&jobs_lock)
lp_condition_init(&jobs_arrived)


cdef void job_arrived(void *data, event_status status) noexcept nogil:
    cdef lp_job *job = <lp_job *>data
    global jobs_first, jobs_last
    job.status, job.next = status, NULL
    lp_lock_acquire(&jobs_lock)
    if jobs_last == NULL:
        jobs_first = job
    else:
        jobs_last.next = job
    jobs_last = job
    lp_condition_signal(&jobs_arrived)
    lp_lock_release(&jobs_lock)


cdef void job_due(void *data, event_status status) noexcept nogil:
    """What comes before the job in its queue is complete; the queue may not have been made to wait for the job yet."""
    cdef lp_job *job = <lp_job *>data
    job.status = status
    job_met(job)


cdef void job_met(lp_job *job) noexcept nogil:
    if lp_add(&job.parties, 1) < 2:
        return
    if job.refused:
        free(job)
    else:
        job_arrived(job, job.status)


cdef lp_job *next_job() noexcept nogil:
    """The next job, NULL when workers are to stop."""
    global jobs_first, jobs_last
    cdef lp_job *job = NULL
    lp_lock_acquire(&jobs_lock)
    while jobs_first == NULL and not workers_stop:
        lp_condition_wait(&jobs_arrived, &jobs_lock)
    if jobs_first != NULL:
        job = jobs_first
        jobs_first = job.next
        if jobs_first == NULL:
            jobs_last = NULL
    lp_lock_release(&jobs_lock)
    return job


class _Workers:
    """Counts jobs under way and starts threads for them."""

    def __init__(self):
        self.lock = threading.Lock()
        self.idle = threading.Condition(self.lock)
        self.jobs = collections.Counter()      # by queue slot
        self.threads = []

    def expect(self, slot):
        with self.lock:
            self.jobs[slot] += 1
            if len(self.threads) < len(self.jobs):
                thread = threading.Thread(target=_work, name=f"launchpath-host-{len(self.threads)}", daemon=True)
                self.threads.append(thread)
                thread.start()

    def done(self, slot):
        with self.idle:
            self.jobs[slot] -= 1
            if not self.jobs[slot]:
                del self.jobs[slot]
            if not self.jobs:
                self.idle.notify_all()

    def settle(self, seconds):
        """Wait until no worker is in the last lines of a job that the driver has been told is over."""
        with self.idle:
            self.idle.wait_for(lambda: not self.jobs, seconds)

    def stop(self):
        global workers_stop
        lp_lock_acquire(&jobs_lock)
        workers_stop = 1
        lp_condition_broadcast(&jobs_arrived)
        lp_lock_release(&jobs_lock)


_workers = _Workers()


def _work():
    cdef lp_job *job
    while True:
        with nogil:
            job = next_job()
        if job == NULL:
            return
        run_job(job)


cdef run_job(lp_job *job):
    global lp_awaited
    work = <object>job.work
    Py_DECREF(work)
    raised, token, blocking, slot, function, args = work
    lp_awaited = job.table
    try:
        if job.status != EVENT_FAILED:         # as in CUDA: not called if what it comes after has failed
            function(*args)
    except BaseException as error:
        raised.append((token, blocking, error))
    work = function = args = None      # which may call finalizers
    with nogil:
        release_hold(job.hold)
    lp_awaited = NULL
    free(job)
    _workers.done(slot)


cdef int submit_job(lp_queue *queue, lp_job **job) noexcept nogil:
    """`submit_host_function` where the library calls functions in a queue's order. Caller holds the lock.

    The callback goes in before the hold: once the queue waits for the host, nothing that the host still has to do may need
    the library's lock, which foreign code may hold while it waits for the device. The job runs when both are in."""
    cdef int code = order_begin(queue)
    if code == 0 and queue.n_waits:
        code = submit_marker(queue, False, NULL)
    if code == 0:
        code = hold_new(queue, &job[0].hold)
    if code:
        return code
    code = queue.table.queue_callback(queue.handle, job_due, job[0])
    if code:
        release_hold(job[0].hold)
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


cdef int submit_host_function(lp_queue *queue, lp_job **taken) noexcept nogil:
    """Put the job into the queue. If this fails the job is the caller's again, or NULL."""
    cdef lp_job *job = taken[0]
    cdef lp_mark *mark = NULL
    cdef int code
    if is_captured(queue):
        return ERROR_CAPTURED
    heed_failures(queue)
    job.table = queue.table
    lp_lock_acquire(queue.lock)
    if queue.table.queue_callback != NULL:
        code = submit_job(queue, taken)
        lp_lock_release(queue.lock)
        return code
    code = order_begin(queue)
    if code == 0:
        code = submit_marker(queue, False, &mark)
    if code == 0:
        # The hold goes in before the callback is armed, so that nothing that follows can overtake the function.
        code = submit_hold(queue, &job.hold)
        if code == 0:
            code = queue.table.event_callback(mark.event, job_arrived, job)
            if code:
                release_hold(job.hold)
    lp_lock_release(queue.lock)
    mark_unref(mark)
    return code
