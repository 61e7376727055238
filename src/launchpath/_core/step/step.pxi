# Steps as Python objects. The public class derives from this and documents it.

cdef int put_step_layers() except -1:
    """Put the layer on all devices, those that will be opened too: an event of one may be waited for on another. A thread
    that comes here while another one does so waits for that (`layers_lock`)."""
    cdef DeviceBase device
    cdef int code = 0
    lp_runtime.steps = True
    for device in list(open_devices):
        with nogil:
            code = set_layer(device.domain, LAYER_STEP, True)
        if code:
            raise failure(device.domain.driver, code)
    lp_runtime.step_layers = True
    return 0


cdef inline void step_lets_go(void *kernel) noexcept:
    """Before a kernel goes, or its program: a step may have recorded launches of it."""
    if lp_runtime.steps:
        with nogil:
            submit_recordings(kernel)


cdef inline uint64_t this_thread() noexcept nogil:
    """The thread's number, which no other thread has, or had."""
    if lp_here.number == 0:
        lp_here.number = lp_add(&lp_runtime.step_threads, 1)
    return lp_here.number


def in_step():
    """Whether the calling thread is in a step or a capture."""
    return recording_here() != NULL


cdef class StepBase:
    """A region whose commands go to the driver when it is left.

    Attributes
    ----------
    on : bool
        Without it each command goes to the driver at its call, as with LAUNCHPATH_LAUNCH_BLOCKING.
    """
    cdef lp_recording *recording
    cdef uint64_t thread           # which is in it, or 0
    cdef uint32_t entered          # how often: a step in itself is a part of itself
    cdef bint inner                # in another step: its commands are that one's
    cdef readonly bint on
    cdef readonly uint64_t runs

    def __cinit__(self, *args, bint on=True, **kwargs):
        self.on = on
        self.recording = recording_new()
        if self.recording == NULL:
            raise MemoryError

    def __dealloc__(self):
        cdef bint abandoned
        if self.recording == NULL:
            return
        abandoned = self.entered and not self.inner and lp_here.step != <void *>self.recording
        if lp_here.step == <void *>self.recording:
            lp_here.step = NULL
        if not lp_runtime.exiting:
            graphs_of_runs.pop(<uintptr_t>self.recording, None)
            with nogil:
                recording_submit(self.recording, STEP_LEFT, NULL, NULL)
                if self.recording.code:
                    refusal_reported(self.recording)
                if abandoned:          # another thread is in it: see `leave_abandoned`
                    lp_store(&self.recording.mode, RECORDS_NOTHING)
                    self.recording.abandoned = True
                else:
                    recording_give(self.recording)

    def __enter__(self):
        leave_dropped()
        if self.entered and self.thread != this_thread():
            raise errors.LaunchpathError(
                "expected a step that no other thread is in, got one that another thread has entered and not left: "
                "create a step for each thread")
        if not lp_runtime.step_layers:
            put_step_layers()
        if self.entered == 0:
            self.thread, self.inner = this_thread(), lp_here.step != NULL
            if not self.inner:
                recording_begin(self.recording, not self.on or goes_one_by_one())
                lp_here.step = self.recording
        self.entered += 1
        return self

    def __exit__(self, *raised):
        cdef lp_call call
        if self.entered == 0 or self.thread != this_thread():
            raise errors.LaunchpathError(
                "the step is left on a thread that did not enter it: leave it on the thread that entered it")
        self.entered -= 1
        if self.entered or self.inner:
            return
        lp_here.step = NULL
        self.runs += 1
        self.thread = 0
        with nogil:
            if unlikely(lp_runtime.watched):
                call_begin(&call, API_STEP)
                submit_and_look(self.recording)
                call_end(&call, self.recording.code, self.recording.nodes_before, NULL)
            else:
                submit_and_look(self.recording)
            if unlikely(self.recording.code):
                refusal_reported(self.recording)
        if self.recording.raised:
            self.recording.code, self.recording.raised = 0, False
        self.raise_refusal()

    @property
    def kept_back(self):
        """Commands that it has kept back since it was created."""
        return self.recording.recorded

    cdef raise_refusal(self):
        """Raise what the driver said of a command that it refused, once."""
        cdef lp_recording *recording = self.recording
        cdef int code = recording.code
        if code == 0:
            return
        lp_here.failed_call, recording.code = recording.call, 0
        uploads_forget()
        label = (<const char *>recording.label).decode() if recording.label != NULL else ""
        error = failure(recording.table, code)
        command = "a launch of " + label if label else "a copy, a fill or an event"
        error.add_note(f"in a step, at {command}: the commands before it were submitted, those after it were not")
        raise error

    def counts(self):
        """What it did since it was created, and why: a dict for `Step.report`."""
        cdef lp_recording *recording = self.recording
        cdef step_cause *cause
        cdef uint64_t i, first = recording.new_sequences - min(recording.new_sequences, STEP_CAUSES)
        causes = []
        for i in range(first, recording.new_sequences):
            cause = &recording.causes[i % STEP_CAUSES]
            causes.append((cause.at, cause.n, cause.expected_n, cause.expected.decode(errors="replace"),
                           cause.got.decode(errors="replace"),
                           cause.instead.decode() if cause.instead != NULL else ""))
        return {"runs": self.runs, "commands": recording.recorded, "submissions": recording.submissions,
                "direct": recording.direct, "early": {name: recording.reasons[i + 1] for i, name in enumerate(
                    ("seen", "mixed", "shared", "handed_out", "kernel"))},
                "new_sequences": recording.new_sequences, "causes": causes, "graphs": recording.built,
                "graph_runs": recording.graph_runs, "nodes": recording.in_graphs, "updated": recording.updated,
                "compared": recording.compared, "dropped": recording.dropped, "events": recording.events,
                "obstacles": [name for i, name in enumerate(("driver", "log", "times", "short", "kind", "refused"))
                              if recording.obstacles >> i & 1]}


cdef void submit_and_look(lp_recording *recording) noexcept nogil:
    """Submit, and then leave the checkpoints that were not left in between."""
    cdef lp_queue **queues = NULL
    cdef uint32_t i, n = 0
    lp_lock_acquire(&recording.lock)
    if recording.n_queues:
        queues = <lp_queue **>malloc(recording.n_queues * sizeof(lp_queue *))
        if queues != NULL:
            n = recording.n_queues
            for i in range(n):
                queues[i] = queue_use(recording.queues[i])
    lp_lock_release(&recording.lock)
    recording_submit(recording, STEP_LEFT, NULL, NULL)
    for i in range(n):
        lp_lock_acquire(queues[i].lock)
        if queues[i].number >= queues[i].check:
            queue_checkpoint(queues[i])
        lp_lock_release(queues[i].lock)
    queues_unlist(queues, n)


cdef void refusal_reported(lp_recording *recording) noexcept nogil:
    """A step is left, or dropped: what is recorded from now on is behind a refusal that its program was told of, and
    fails no more. No lock is held."""
    cdef lp_queue *queue = next_left_out(recording)
    while queue != NULL:
        lp_lock_acquire(queue.lock)
        drop_mark_behind(queue, recording.code)
        lp_store(<uint64_t *>&queue.left_out_by, 0)
        lp_lock_release(queue.lock)
        lp_add(&queue.users, -1)
        queue_unref(queue)
        queue = next_left_out(recording)


cdef lp_queue *next_left_out(const lp_recording *recording) noexcept nogil:
    """A queue of which a step's commands were left out, listed as by `queue_use`; NULL: there is none."""
    cdef lp_queue *queue = NULL
    cdef uint32_t slot
    lp_lock_acquire(&lp_runtime.registry_lock)
    for slot in range(<uint32_t>lp_runtime.n_slots):
        queue = lp_runtime.slot_queue[slot]
        if queue != NULL and queue.left_out_by == <void *>recording:
            queue_use(queue)
            break
        queue = NULL
    lp_lock_release(&lp_runtime.registry_lock)
    return queue


cdef void drop_mark_behind(lp_queue *queue, int code) noexcept nogil:
    """A mark that is behind commands that were left out fails for the host, and no later record shares it. The caller
    holds the queue's lock."""
    if queue.mark == NULL:
        return
    if queue.mark.event == NULL:
        mark_make(queue.mark)
        queue.mark.failure = code
    if queue.mark.failure or mark_refused(queue.mark):
        if queue.mark.event != NULL:
            mark_unref(queue.mark)
            queue.mark = NULL
