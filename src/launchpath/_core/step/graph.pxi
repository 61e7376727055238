# Graphs: commands of a run that was kept, or of a capture, with everything that they use.
#
# A graph never changes. `ExecutableBase` launches it.

cdef struct graph_part:            # a command of a graph
    command_kind kind
    bint ends                      # a later command of another queue waits for this one
    uint32_t row                   # so many commands of its branch are in a row from it on, with nothing in between
    uint32_t branch                # place of its stream in `streams`
    uint32_t records               # of a marker: 1 + the place of its event in `events`, or 0
    void *kernel
    launch_config config
    size_t bytes                   # their place
    size_t size
    const char *label

cdef struct graph_wait:
    uint32_t at                    # before this command, or behind the last one
    uint32_t end                   # for this one
    uint32_t branch                # whose queue waits

cdef struct graph_hold:
    lp_heap *heap
    lp_extent *extent
    lp_domain *domain
    PyObject *pool                 # which `kept` has


# By the recording's address, the run and the graphs that it launched: what these keep, its commands need as well.
cdef dict graphs_of_runs = {}


cdef int graph_is_used(GraphBase graph) except -1:
    """This thread's step or capture launches a graph."""
    cdef uint64_t run = (<lp_recording *>lp_here.step).run
    uses = graphs_of_runs.get(<uintptr_t>lp_here.step)
    if uses is None or uses[0] != run:
        uses = graphs_of_runs[<uintptr_t>lp_here.step] = (run, [])
    if graph not in uses[1]:
        uses[1].append(graph)
    return 0


@cython.no_gc_clear                # __dealloc__ needs `kept`
cdef class GraphBase:
    """Commands, in order, on one queue or several. The public class derives from this and documents it."""
    cdef graph_part *parts
    cdef uint32_t n
    cdef char *bytes
    cdef graph_wait *waits
    cdef uint32_t n_waits
    cdef graph_hold *holds
    cdef uint32_t n_holds, room_holds
    cdef step_keep *kept_memory     # what is to be let go with it
    cdef uint32_t n_kept_memory
    cdef bint captured             # by a capture, not of a step's run
    cdef list streams              # by branch; the first one's is that of the first command, or the captured one's
    # Kernels, textures, pools and devices. A tuple, which the cycle collector does not empty: __dealloc__ needs the pools
    cdef tuple kept
    cdef tuple graphs              # whose launches its commands are from
    cdef list events               # that its launches record
    cdef bint awaits               # some of its memory may still await work that is not in the graph

    def __init__(self):
        raise TypeError("use stream.end_capture() to create a graph")

    def __dealloc__(self):
        cdef uint32_t i
        if not lp_runtime.exiting:
            for i in range(self.n_holds):
                heap_let_go(self.holds[i].heap, self.holds[i].extent, self.holds[i].domain)
            for i in range(self.n_kept_memory):
                self.kept_memory[i].release(self.kept_memory[i].data)
        free(self.kept_memory)
        free(self.parts)
        free(self.bytes)
        free(self.waits)
        free(self.holds)

    def __len__(self):
        """How many commands it has."""
        cdef uint32_t i, n = 0
        for i in range(self.n):
            n += self.parts[i].kind != COMMAND_MARKER
        return n

    cdef int take_commands(self, lp_recording *recording) except -1:
        """Copy the last run's commands. Its markers only keep their places: what they ordered is in `noted`."""
        cdef lp_sequence *sequence = recording.last
        cdef graph_part *part
        cdef lp_node *node
        cdef uint32_t i
        self.kept, self.events, self.captured, self.awaits = (), [], recording.origin != NULL, True
        self.take_graphs(recording)
        if recording.texture_lost == recording.run + 1:
            raise self.dropped("a texture")
        self.kept_memory, self.n_kept_memory = recording.kept_memory, recording.n_kept_memory
        recording.kept_memory, recording.n_kept_memory, recording.room_kept_memory = NULL, 0, 0
        if sequence == NULL:
            return 0
        self.parts = <graph_part *>calloc(sequence.n + 1, sizeof(graph_part))
        self.bytes = <char *>malloc(sequence.size + 1)
        self.waits = <graph_wait *>calloc(recording.n_noted + 1, sizeof(graph_wait))
        if self.parts == NULL or self.bytes == NULL or self.waits == NULL:
            raise MemoryError
        memcpy(self.bytes, sequence.bytes, sequence.size)
        self.n = sequence.n
        for i in range(self.n):
            node, part = &sequence.nodes[i], &self.parts[i]
            part.kind, part.kernel, part.config = <command_kind>node.kind, node.kernel, node.config
            part.bytes, part.size, part.label = node.bytes, node.size, node.label
            if node.kind != COMMAND_MARKER:
                part.branch = self.branch_of(node.queue_identity)
            if node.kernel != NULL:
                self.keep(living_object(kernels_by_handle, <uint64_t><uintptr_t>node.kernel))
        for i in range(recording.n_noted):
            self.take_wait(sequence, &recording.noted[i])
        self.take_records(recording)
        self.find_rows()
        return 0

    cdef int take_records(self, lp_recording *recording) except -1:
        """Let launches record the events with a time that the capture recorded."""
        cdef lp_sequence *sequence = recording.last
        cdef uint32_t at
        for place, event in recorded_in_captures.get(<uintptr_t>recording, ()):
            at = place
            self.events.append(event)
            self.parts[at].records = <uint32_t>len(self.events)
            self.parts[at].branch = self.branch_of(sequence.nodes[at].queue_identity)
        return 0

    cdef int order_memory_on(self, lp_queue *queue) except -1:
        """Let a queue's next command come after what the memory still awaits: it may have been made in the order of another
        stream than that of the launch."""
        cdef uint32_t i
        cdef bint awaits = False
        for i in range(self.n_holds):
            if self.holds[i].extent.ordered:
                awaits = True
                if self.holds[i].extent.ordered != queue.order_identity:
                    order_memory(<Pool>self.holds[i].pool, self.holds[i].extent, queue)
        self.awaits = awaits
        return 0

    cdef int find_rows(self) except -1:
        cdef graph_part *part
        cdef uint32_t i, wait = self.n_waits
        for i in range(self.n, 0, -1):
            part = &self.parts[i - 1]
            while wait and self.waits[wait - 1].at > i:
                wait -= 1
            part.row = part.kind != COMMAND_MARKER
            if i < self.n and part.row and not part.ends and part.branch == part[1].branch and not (
                    wait and self.waits[wait - 1].at == i):
                part.row += part[1].row
        return 0

    def early_kernels(self):
        """The kernels for which an early variant pays, as `DriverKernel`: of launches with a small grid, right before one that
        waits at its entry, in a row that is long enough for a graph."""
        cdef graph_part *part
        cdef uint32_t i, wait = 0
        cdef dict rows = {}            # by branch, what stands in a row there so far: kernels, and None for what is no launch
        cdef dict kernels = {}
        if goes_one_by_one():
            return []                  # there are no graphs
        for i in range(self.n):
            part = &self.parts[i]
            while wait < self.n_waits and self.waits[wait].at <= i:
                early_of_row(rows.pop(self.waits[wait].branch, ()), kernels)
                wait += 1
            if part.kind == COMMAND_MARKER:
                if part.ends or part.records:
                    early_of_row(rows.pop(part.branch, ()), kernels)
                continue
            kernel = None
            if part.kind == COMMAND_LAUNCH and not part.config.flags & LAUNCH_COOPERATIVE:
                kernel = living_object(kernels_by_handle, <uint64_t><uintptr_t>part.kernel)
            threads = <object>part.config.grid[0] * part.config.grid[1] * part.config.grid[2] * (
                <object>part.config.block[0] * part.config.block[1] * part.config.block[2])
            rows.setdefault(part.branch, []).append((kernel, threads))
        for row in rows.values():
            early_of_row(row, kernels)
        return list(kernels.values())

    cdef int take_graphs(self, lp_recording *recording) except -1:
        """Keep the graphs that the last run launched, with all that they keep."""
        run, graphs = graphs_of_runs.get(<uintptr_t>recording, (0, ()))
        if run == recording.run:
            self.graphs = tuple(graphs)
        return 0

    cdef int keep(self, thing) except -1:
        if thing is None:
            raise self.dropped("a kernel or a stream")
        if not any(other is thing for other in self.kept):
            self.kept += (thing,)
        return 0

    cdef object dropped(self, str thing):
        return errors.LaunchpathError(f"{thing} of the recorded commands was dropped since: keep it until {self.kept_until()}")

    cdef str kept_until(self):
        """What ends the time in which its commands need what they use, in words."""
        return "the capture ends" if self.captured else "the step is frozen"

    cdef int64_t branch_of(self, uint64_t identity) except -1:
        """The place of the stream of a queue, which may be gone."""
        cdef QueueBase stream
        cdef uint32_t i
        for i in range(len(self.streams)):
            stream = self.streams[i]
            if stream.queue.identity == identity:
                return i
        stream = living_object(streams_by_identity, identity)
        self.keep(stream)
        self.streams.append(stream)
        return len(self.streams) - 1

    cdef int take_wait(self, const lp_sequence *sequence, const step_wait *noted) except -1:
        cdef graph_wait *wait = &self.waits[self.n_waits]
        cdef bint inside = noted.inside and noted.captured
        cdef uint32_t i
        for i in range(noted.end + 1 if noted.inside and not inside else 0):
            # A marker may have been made in the run for an event that was recorded before it.
            inside = inside or sequence.nodes[i].queue_identity == noted.other and sequence.nodes[i].number <= noted.number
        if not inside:
            raise errors.LaunchpathError(
                "the recorded commands wait for an event that was recorded before them, which a "
                f"{'graph' if self.captured else 'frozen step'} cannot know of: wait for it before, or record it among them")
        self.parts[noted.end].ends = True
        self.parts[noted.end].branch = self.branch_of(sequence.nodes[noted.end].queue_identity)
        wait.at, wait.end, wait.branch = noted.at, noted.end, self.branch_of(noted.identity)
        self.n_waits += 1
        return 0

    cdef int check_joined(self) except -1:
        """Refuse a graph with commands that the end of its first branch does not come after: hipErrorStreamCaptureUnjoined."""
        cdef list covered = [-1] * len(self.streams)
        cdef uint32_t i, branch
        cdef bint more = True
        covered[0] = self.n
        while more:
            more = False
            for i in range(self.n_waits):
                branch = self.parts[self.waits[i].end].branch
                if self.waits[i].at <= covered[self.waits[i].branch] and covered[branch] < self.waits[i].end:
                    covered[branch], more = self.waits[i].end, True
        for i in range(self.n):
            if self.parts[i].kind != COMMAND_MARKER and covered[self.parts[i].branch] < <int64_t>i:
                raise errors.LaunchpathError(
                    "the capture has commands on another stream that the captured stream does not wait for: record an event behind "
                    "them, and let the captured stream wait for it before the capture ends")
        return 0

    cdef int take_memory(self, uint64_t end_tick) except -1:
        """Hold all memory that the commands may use. Of a launch's arguments every word that is the address of memory is
        taken for one."""
        cdef graph_part *part
        cdef command_facts facts
        cdef char *bytes
        cdef size_t at
        cdef uint32_t i
        for i in range(self.n):
            part, bytes = &self.parts[i], self.bytes + self.parts[i].bytes
            if part.kind == COMMAND_LAUNCH:
                for at in range(0, part.size - part.size % 8, 8):
                    self.hold((<void **>(bytes + at))[0], part, end_tick, False)
                    self.keep_texture(textures_by_object, (<uint64_t *>(bytes + at))[0])
            elif part.kind != COMMAND_MARKER:
                command_facts_of(part.kind, bytes, &facts)
                if facts.to_texture != NULL:
                    self.keep_texture(textures_by_handle, <uint64_t><uintptr_t>facts.to_texture)
                else:
                    self.hold(facts.to, part, end_tick, not self.captured)
                if facts.source != NULL:
                    self.hold(<void *>facts.source, part, end_tick, not self.captured)
        return 0

    cdef int keep_texture(self, dict textures, uint64_t key) except -1:
        """Keep a texture of the driver's, if a word is one. What is none is kept in vain, and does no harm."""
        if textures:
            texture = living_object(textures, key)
            if texture is not None:
                self.keep(texture)
        return 0

    cdef int hold(self, const void *address, const graph_part *part, uint64_t end_tick, bint certain) except -1:
        cdef DeviceBase device
        cdef Pool pool
        cdef lp_extent *extent = NULL
        cdef str where = part.label.decode() if part.label != NULL else "a copy or a fill"
        for device in open_devices:
            pool = device.pool
            if heap_hold(&pool.heap, address, &extent):
                break
        else:
            if certain:
                raise errors.LaunchpathError(
                    f"{where} uses memory that is not launchpath's, which a frozen step cannot keep: copy it into an "
                    "array before")
            return 0
        if extent.state == EXTENT_USED and not extent.ended and not extent.private:
            if items_grow(<void **>&self.holds, &self.room_holds, self.n_holds + 1, sizeof(graph_hold)):
                heap_let_go(&pool.heap, extent, device.domain)
                raise MemoryError
            self.holds[self.n_holds].heap, self.holds[self.n_holds].extent = &pool.heap, extent
            self.holds[self.n_holds].domain, self.holds[self.n_holds].pool = device.domain, <PyObject *>pool
            self.n_holds += 1
            if pool not in self.kept:
                self.kept += pool, device
        if extent.private and self.n_kept_memory == 0 and not self.graphs:
            raise errors.LaunchpathError(
                f"{where} uses host memory or a block of arguments, which are written anew for each run: a "
                f"{'graph' if self.captured else 'frozen step'} takes arrays and arguments by value: copy from pinned memory "
                f"(pinned_empty) or before the {'capture' if self.captured else 'step'}")
        if not extent.private and (extent.state != EXTENT_USED or extent.ended or extent.tick > end_tick):
            raise errors.LaunchpathError(
                f"{where} uses memory that was freed since: keep the array until {self.kept_until()}, or allocate it outside of "
                f"the {'capture' if self.captured else 'step'}")
        return 0


cdef int early_of_row(row, dict kernels) except -1:
    """Add the kernels of a row, (kernel, threads of its grid), for which an early variant pays."""
    cdef DriverKernel kernel, behind
    cdef Py_ssize_t i
    if len(row) < CHAIN_LEAST:
        return 0
    for i in range(len(row) - 1):
        kernel, behind = row[i][0], row[i + 1][0]
        if kernel is not None and behind is not None and kernel.waits and behind.waits and (
                kernel.device.info.get("early_triggers") == "steps"
                and row[i][1] <= kernel.device.info["early_trigger_threads"]):
            kernels[<uintptr_t>kernel.handle] = kernel
    return 0


def step_lends():
    """A launch that comes next on this thread returns results: if it is in a step, that run cannot be frozen."""
    if lp_here.step != NULL:
        (<lp_recording *>lp_here.step).lends = True


def graph_of_run(StepBase step not None, GraphBase graph not None):
    """Make a graph of the last run of a step."""
    cdef lp_recording *recording = step.recording
    if step.entered:
        raise errors.LaunchpathError("expected a step that no thread is in, got one that is entered: freeze it when it was left")
    if step.runs == 0:
        raise errors.LaunchpathError("expected a step that has run, got one that was never entered, or only inside of another "
                                     "step or a capture: run it once, then freeze it")
    if recording.early:
        raise errors.LaunchpathError(
            f"expected a last run that was kept back until its end; {recording.early} parts of it went to the driver before: "
            "step.report() says why")
    if recording.passed:
        raise errors.LaunchpathError(
            "expected a last run that was kept back until its end; "
            f"{recording.passed} commands of it went to the driver at once: step.report() says why")
    if recording.lends:
        raise errors.LaunchpathError(
            "expected a last run without results of kernel.returning(), got one with them: their memory is used again for later "
            "results. Launch the kernel itself with an array in the step, and read the array behind frozen.launch()")
    if recording.last == NULL or recording.last.n == 0 or recording.incomplete:
        raise errors.LaunchpathError(
            "expected a last run with commands, got one without any, one that failed, or one whose kernels were dropped: run it "
            "again, then freeze it")
    graph.streams = []
    graph.take_commands(recording)
    graph.take_memory(recording.end_tick)
    return graph
