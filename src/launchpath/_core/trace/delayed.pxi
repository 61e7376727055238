# Delays of an intervention, as `records/delays.h` has them: over the layer of traces, in its table, where some are asked for.
# Without them the layer's own functions stay there. A launch's record begins after its delay.

cdef extern from "trace/records/delays.h" nogil:
    enum:
        DELAYS_SUBMISSIONS, DELAYS_SYNCHRONIZATIONS, DELAYS_COPIES, DELAYS_KERNEL
    ctypedef struct delays_state:
        uint64_t occurrences, blocks
    ctypedef struct lp_delays_state:
        bint on
        delays_state *state
        char *anchor
        char *text
        char *reason
    lp_delays_state lp_delays
    bint delays_asked(void *lent)
    void delays_start(uint32_t name, uint32_t driver_entry, uint32_t own_entry)
    void delays_stop()
    void delays_forget()
    uint64_t delays_before(lp_records *ring, uint64_t role)
    void delays_after(lp_records *ring)
    void delays_kernel(lp_records *ring, uint32_t name)
    void delays_function(lp_records *ring, uint32_t entry, bint own)

cdef extern from "driver/dynamic.h" nogil:
    void *lp_recorder_delays()


cdef void delays_begin() noexcept:
    """Begin the delays that the environment asks for, with a trace."""
    cdef bytes label
    cdef str anchor
    if not delays_asked(lp_recorder_delays()):
        return
    anchor = (<bytes>lp_delays.anchor).decode("utf-8", "surrogateescape")
    label = kept_name(anchor)
    delays_start(name_number(<const char *>label + 4), place_in(ENTRY_NAMES, anchor), place_in(API_NAMES, anchor))


cdef uint32_t place_in(tuple names, str name):
    return <uint32_t>names.index(name) if name in names else 0


def trace_delays():
    """The text of the delays of this trace, or why there are none; how often the anchor has occurred, and the blocks. None:
    none were asked for."""
    if lp_delays.reason[0]:
        return None, (<bytes>lp_delays.reason).decode("utf-8", "replace"), 0, 0
    if lp_delays.state == NULL:
        return None
    return ((<bytes>lp_delays.text).decode("utf-8", "replace"), None, lp_load(&lp_delays.state.occurrences),
            lp_load(&lp_delays.state.blocks))


cdef void delayed_entries(driver_table *table) noexcept nogil:
    """Take the places of the layer's functions."""
    table.submit, table.queue_finish, table.event_wait = delayed_submit, delayed_queue_finish, delayed_event_wait
    if table.graph_run != NULL:
        table.graph_run = delayed_graph_run


cdef void call_delayed(lp_records *ring, uint32_t api) noexcept nogil:
    """A call of launchpath begins. One that is part of another is not delayed once more."""
    cdef bint waits = api == API_STREAM_SYNCHRONIZE or api == API_EVENT_SYNCHRONIZE or api == API_DEVICE_SYNCHRONIZE
    delays_function(ring, api, True)
    if ring.api == API_NONE:
        delays_before(ring, DELAYS_SYNCHRONIZATIONS if waits else 0)


cdef int delayed_submit(void *queue, const driver_command *command) noexcept nogil:
    cdef lp_records *ring = records_here() if lp_delays.on else NULL
    cdef uint64_t role = 0, spent
    cdef int code
    if ring == NULL:
        return trace_submit(queue, command)
    ring.submits = True
    if command.kind == COMMAND_LAUNCH or command.kind == COMMAND_FILL:
        role = DELAYS_SUBMISSIONS
    elif command.kind != COMMAND_MARKER:
        role = DELAYS_COPIES
    spent = delays_before(ring, role)
    if command.kind == COMMAND_LAUNCH and ring.api == API_LAUNCH and not ring.launched and command.place == NULL:
        ring.begin += spent            # as `traced_begin` has it, this is the launch's begin
    code = trace_submit(queue, command)
    if command.kind == COMMAND_LAUNCH:
        delays_kernel(ring, name_number(command.label))
    if ring.api == API_NONE:
        delays_after(ring)
    return code


cdef int delayed_graph_run(void *queue, void *graph, const graph_source *source, uint32_t n_changes,
                           const graph_command *changes, uint32_t *accepted) noexcept nogil:
    cdef lp_records *ring = records_here() if lp_delays.on else NULL
    if ring != NULL:
        ring.submits = True
        delays_before(ring, DELAYS_SUBMISSIONS)
    return trace_graph_run(queue, graph, source, n_changes, changes, accepted)


cdef inline lp_records *waiting_delayed() noexcept nogil:
    """A wait begins; it is delayed if it is no part of a call of launchpath's, which is delayed as a whole. Launchpath's own
    threads wait as well."""
    cdef lp_records *ring = records_here() if lp_delays.on else NULL
    if ring == NULL or ring.api != API_NONE or not ring.submits:
        return NULL
    delays_before(ring, DELAYS_SYNCHRONIZATIONS)
    return ring


cdef int delayed_queue_finish(void *queue) noexcept nogil:
    cdef lp_records *ring = waiting_delayed()
    cdef int code = trace_queue_finish(queue)
    if ring != NULL:
        delays_after(ring)
    return code


cdef int delayed_event_wait(void *domain, void *event) noexcept nogil:
    cdef lp_records *ring = waiting_delayed()
    cdef int code = trace_event_wait(domain, event)
    if ring != NULL:
        delays_after(ring)
    return code
