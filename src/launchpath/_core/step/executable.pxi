# Executables: graphs that are launched. A launch is a run of a step: the core submits the commands, so they are ordered,
# compared with those of the launch before, and handed to the driver as those of any other run.
#
# Nothing but these launches writes to the step's sequences. So one that a launch went through from its begin to its end
# gets the graph's stamp, and later launches of the same graph take over whole rows of its commands (`row_follows`).

cdef class ExecutableBase:
    """A graph, and queues to launch it on."""
    cdef GraphBase graph
    cdef StepBase step
    cdef list streams              # by the graph's branches
    cdef lp_mark **marks           # of the present launch: behind commands that others wait for
    cdef lp_mark *end              # behind the last launch, or NULL
    cdef bint moves                # launched on the stream that the caller names
    cdef uint64_t stamp            # which no other graph has that was launched here

    def __init__(self):
        raise TypeError("use step.freeze() or graph.instantiate() to create it")

    def __dealloc__(self):
        if not lp_runtime.exiting:
            mark_unref(self.end)
        free(self.marks)

    def launch_on(self, QueueBase stream):
        """Submit the commands again; None: on the graph's own streams, or the legacy stream."""
        cdef lp_call call
        cdef bint failed = True
        if likely(not lp_runtime.watched):
            self.launch_commands(stream)
            return
        uploads_written(b"a graph or a frozen step")
        call_begin(&call, API_GRAPH_LAUNCH)
        try:
            self.launch_commands(stream)
            failed = False
        finally:
            call_end(&call, -1 if failed else 0, self.graph.n, NULL)

    cdef int launch_commands(self, QueueBase stream) except -1:
        cdef lp_queue *queue
        cdef lp_mark *end = NULL
        cdef bint captured
        cdef int code = 0
        if unlikely(lp_here.step != NULL):
            graph_is_used(self.graph)
        if not self.moves:
            with self.step:
                self.replay()
                self.stamp_sequence()
            return 0
        if stream is None:
            stream = (<QueueBase>self.graph.streams[0]).device.legacy
        if stream.device is not (<QueueBase>self.graph.streams[0]).device:
            raise errors.ArgumentValueError(
                f"expected a stream of {(<QueueBase>self.graph.streams[0]).device.info['name']}, where the graph was captured, "
                f"got a stream of {stream.device.info['name']}")
        queue = stream.usable()
        captured = capture_has(queue)     # its commands become a part of that graph
        if self.end != NULL and not captured:          # launches of one executable come one after the other, on whatever streams
            with nogil:
                code = queue_wait(queue, self.end)
                if code == 0:
                    step_notes_wait(queue, self.end, True)
            if code:
                raise failure(queue.table, code)
        self.streams[0] = stream
        if self.graph.awaits:
            self.graph.order_memory_on(queue)
        try:
            with self.step:
                self.replay()
                if not captured:
                    end = mark_now(queue)
                self.stamp_sequence()
        except BaseException:
            # The commands before the refused one are in the queue. The mark of before fails for the host, as the launch did.
            mark_unref(end)
            end = NULL
            if not captured:
                with nogil:
                    queue_record(queue, False, &end)
            raise
        finally:
            if end != NULL:
                mark_unref(self.end)
                self.end = end
        return 0

    def replace(self, GraphBase graph not None):
        """Launch another graph's commands from now on."""
        self.use(graph)

    def counts(self):
        """What the launches did: see `StepBase.counts`."""
        return self.step.counts()

    cdef int use(self, GraphBase graph) except -1:
        cdef QueueBase first
        cdef lp_mark **marks = <lp_mark **>calloc(graph.n + 1, sizeof(lp_mark *))
        if marks == NULL:
            raise MemoryError
        free(self.marks)
        self.marks, self.graph, self.stamp = marks, graph, self.stamp + 1
        if self.moves:
            # Branches have streams of the executable's own.
            first = graph.streams[0]
            self.streams = (self.streams or [first])[:len(graph.streams)]
            while len(self.streams) < len(graph.streams):
                self.streams.append(QueueBase.__new__(QueueBase, first.device, QUEUE_NONBLOCKING))
        else:
            self.streams = graph.streams
        return 0

    cdef inline lp_queue *queue_of(self, uint32_t branch) except NULL:
        return (<QueueBase>self.streams[branch]).usable()

    cdef int replay(self) except -1:
        cdef graph_part *part
        cdef lp_queue *queue
        cdef uint32_t i = 0, wait = 0
        cdef lp_recording *recording = <lp_recording *>lp_here.step
        cdef bint outer = recording.replaying
        recording.replaying = True
        try:
            while i < self.graph.n:
                part = &self.graph.parts[i]
                wait = self.wait(i, wait)
                if part.records:
                    (<QueueBase>self.streams[part.branch]).record_into(self.graph.events[part.records - 1])
                if part.kind == COMMAND_MARKER and not part.ends:
                    i += 1
                    continue
                queue = self.queue_of(part.branch)
                if part.row > 1 and self.row_submit(queue, part.row):
                    i += part.row
                else:
                    part_submit(queue, part, self.graph.bytes + part.bytes)
                    i += 1
                if self.graph.parts[i - 1].ends:
                    self.marks[i - 1] = mark_now(queue)
            self.wait(self.graph.n, wait)
        finally:
            if lp_here.step == <void *>recording:      # which another thread may have dropped
                recording.replaying = outer
            for i in range(self.graph.n):
                mark_unref(self.marks[i])
                self.marks[i] = NULL
        return 0

    cdef bint row_submit(self, lp_queue *queue, uint32_t n) noexcept:
        """Submit commands in a row as the launch before did; False: nothing has happened.

        Not on a device with shared queues: a command of the legacy queue is followed by a marker in each of them, see
        `after_command`."""
        cdef lp_recording *recording = self.step.recording
        cdef bint follows = False
        if lp_here.step != <void *>recording or queue.epoch != lp_load(&lp_runtime.failures) or (
                lp_runtime.launch_blocking or queue.domain.shared or
                not (queue.keeps_gil if queue.number < queue.gil_check else find_room(queue))):
            return False
        lp_store_before_lock(&recording.appending, 1)       # see recording.pxi
        if lp_lock_try(queue.lock):
            follows = row_follows(queue, self.stamp, n)
            lp_store(&recording.appending, 0)
            lp_lock_release(queue.lock)
        else:
            lp_store(&recording.appending, 0)
        return follows

    cdef int stamp_sequence(self) except -1:
        """Remember that the run's commands are those of the graph."""
        cdef lp_recording *recording = self.step.recording
        if lp_here.step == <void *>recording and recording.early == 0 and recording.sequence != NULL and (
                recording.sequence.n == recording.at):
            recording.sequence.stamp = self.stamp
        return 0

    cdef int64_t wait(self, uint32_t at, uint32_t wait) except -1:
        """Make the waits that come before a command, from one of them on; gives the next one."""
        cdef lp_queue *queue
        cdef lp_mark *mark
        cdef int code
        while wait < self.graph.n_waits and self.graph.waits[wait].at == at:
            queue, mark = self.queue_of(self.graph.waits[wait].branch), self.marks[self.graph.waits[wait].end]
            with nogil:
                code = queue_wait(queue, mark)
                if code == 0 and self.step.inner:      # it is a part of the outer step's run, or of a capture
                    step_notes_wait(queue, mark)
            if code:
                raise failure(queue.table, code)
            wait += 1
        return wait


cdef lp_mark *mark_now(lp_queue *queue) except NULL:
    """A mark behind what a queue holds."""
    cdef lp_mark *mark = NULL
    cdef int code
    with nogil:
        code = queue_record(queue, False, &mark)
    if code:
        raise failure(queue.table, code)
    return mark


cdef int part_submit(lp_queue *queue, const graph_part *part, char *bytes) except -1:
    """Submit a command as the program did: in a debug mode it is waited for, and where a trace serializes launches it
    goes when it is its turn."""
    cdef bint turn
    if likely(not lp_runtime.watched):
        return part_run(queue, part, bytes)
    turn = lp_trace.serialized and serial_begin()
    try:
        part_run(queue, part, bytes)
        finish_watched(queue)
    finally:
        if turn:
            serial_end()
    return 0


cdef int part_run(lp_queue *queue, const graph_part *part, char *bytes) except -1:
    cdef driver_command command
    if queue.domain.refused:
        raise failure(queue.table, queue.domain.refused)
    if part.kind == COMMAND_MARKER:
        return 0
    command_set(&command, part.kind, bytes, part.size)
    if part.kind == COMMAND_LAUNCH:
        command.kernel, command.label, command.config = part.kernel, part.label, &part.config
    return submit_run(queue, submit_command, &command)


def executable(GraphBase graph not None, ExecutableBase of not None, bint moves, bint on):
    """Make an object launch a graph: on streams of the graph's own, or on the stream that each launch names. Without `on`
    its commands go to the driver one by one."""
    cdef QueueBase stream
    for stream in graph.streams:
        stream.usable()
    of.moves, of.step = moves, StepBase.__new__(StepBase, on=on)
    of.step.recording.early_variants = not moves       # a frozen step; a graph's launches are as hipGraphLaunch has them
    of.use(graph)
    return of
