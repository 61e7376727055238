# Calls: what a thread does in launchpath, and the driver's calls that are part of it.
#
# A launch is one record, from the begin of launchpath's function to its end. So the command waits in the ring's frame
# while the call goes on. Other calls of launchpath, and the driver's, are records of their own.

# Calls of launchpath that have records, in the order of `API_NAMES`.
cdef enum api_call:
    API_NONE = 0
    API_LAUNCH
    API_STREAM_SYNCHRONIZE
    API_EVENT_SYNCHRONIZE
    API_DEVICE_SYNCHRONIZE
    API_ALLOCATE
    API_FREE
    API_STEP
    API_GRAPH_LAUNCH

API_NAMES = ("", "launch", "Stream.synchronize", "Event.synchronize", "Device.synchronize", "allocate", "free",
             "Step.submit", "ExecutableGraph.launch")

cdef struct lp_call:               # of launchpath: what the thread was in before
    lp_records *ring                  # NULL: nothing is recorded
    uint32_t api
    bint launched, polls
    bint turn                      # to launch, where launches are serialized
    uint64_t call, begin, waited
    uint64_t generation            # of the trace that it began in


cdef inline void call_begin(lp_call *outer, api_call api) noexcept nogil:
    """A call of launchpath begins on this thread; `call_end` ends it."""
    cdef lp_records *ring = records_here() if lp_trace.recording else NULL
    outer.ring = ring
    if ring == NULL:
        return
    outer.api, outer.call, outer.begin, outer.waited = ring.api, ring.call, ring.begin, ring.waited
    outer.launched, outer.polls, outer.generation = ring.launched, ring.polls, ring.generation
    if unlikely(ring.pending):
        command_publish(ring, 0, ring.waited)
    if unlikely(lp_trace.findings):
        look_before(ring)
    if unlikely(lp_delays.on):
        call_delayed(ring, api)
    ring.api, ring.launched, ring.waited = api, False, 0
    ring.polls = api == API_STREAM_SYNCHRONIZE or api == API_EVENT_SYNCHRONIZE
    ring.call = records_correlation(ring)
    ring.begin = lp_ticks()


cdef inline void call_restore(lp_call *outer) noexcept nogil:
    cdef lp_records *ring = outer.ring
    if ring.generation != outer.generation:
        ring.api, ring.pending, ring.launched, ring.polls = API_NONE, False, False, False
        return
    ring.api, ring.call, ring.begin, ring.waited = outer.api, outer.call, outer.begin, outer.waited
    ring.launched, ring.polls = outer.launched, outer.polls
    if unlikely(lp_delays.on) and ring.api == API_NONE:
        delays_after(ring)


cdef void call_end(lp_call *outer, int result, uint64_t quantity, const lp_queue *queue,
                   const lp_domain *domain=NULL, void *waited=NULL) noexcept nogil:
    """Write the record of a call that is no launch. `waited` is the event that it has waited for, if there is one."""
    cdef lp_records *ring = outer.ring
    cdef call_slot *slot
    if ring == NULL:
        return
    if ring.generation != outer.generation:
        call_restore(outer)            # it began in a trace that has ended
        return
    if ring.pending:
        command_publish(ring, 0, ring.waited)
    # What is done with a device that is not traced has no record.
    if (queue == NULL or queue.domain.traced) and (domain == NULL or domain.traced) and records_has_room(ring, 1):
        slot = &records_slot(ring, 0).call
        slot.kind, slot.entry = SLOT_API, <uint16_t>ring.api
        slot.correlation, slot.begin, slot.parent = ring.call, ring.begin, outer.call if outer.api else 0
        call_fill(slot, result, quantity, queue)
        if domain != NULL:
            slot.device = domain.traced_as
        slot.end = lp_ticks()
        records_publish(ring, 1)
        if unlikely(lp_trace.findings):
            call_prove(ring, ring.begin, ring.call, waited != NULL, &waited)
    call_restore(outer)


cdef inline void call_fill(call_slot *slot, int result, uint64_t quantity, const lp_queue *queue) noexcept nogil:
    slot.flags = SLOT_FAILED if result else 0
    slot.result, slot.quantity, slot.external = result, quantity, lp_here.external
    slot.stream, slot.device, slot.unused = 0, 0, 0
    if queue != NULL:
        slot.stream, slot.device = <uint32_t>queue.identity, queue.domain.traced_as


cdef inline void command_publish(lp_records *ring, uint64_t end, uint64_t waited) noexcept nogil:
    """Write the command that is in the frame; `end` 0: the call goes on after it."""
    cdef command_slot *command = &ring.frame[0].command
    cdef lp_slot_bytes *slot
    ring.pending = False
    if command.kind == SLOT_COMMAND and records_has_room(ring, 2):
        slot = records_slot(ring, 0)
        slot[0], records_slot(ring, 1)[0] = ring.frame[0], ring.frame[1]
        # Not into the frame: it is copied by wide loads, which wait for what was stored right before.
        slot.command.end, slot.command.waited = end if end else command.driver_end, waited
        records_publish(ring, 2)
        if unlikely(ring.evidence.kind) and records_has_room(ring, 1):
            records_slot(ring, 0)[0] = ring.evidence
            records_publish(ring, 1)
            ring.left = lp_ticks()
    command.kind = ring.evidence.kind = 0


cdef inline void launch_end(lp_call *outer, bint failed, lp_queue *queue, const char *label,
                            const launch_config *config) noexcept nogil:
    """Write the record of a launch whose call ends."""
    cdef lp_records *ring = outer.ring
    if unlikely(ring.generation != outer.generation):
        call_restore(outer)
        return
    if likely(ring.pending):
        command_publish(ring, lp_ticks(), ring.waited)
    elif failed:
        call_end(outer, -1, 0, queue)  # before the driver was asked
        return
    elif not ring.launched and queue.domain.traced and not is_excluded(label):
        launch_kept_back(ring, queue, label, config)
    call_restore(outer)


cdef inline bint is_excluded(const char *label) noexcept nogil:
    cdef uint32_t number = name_number(label)
    return number < RANGE_NAMES and lp_trace.excluded != NULL and lp_trace.excluded[number]


cdef void launch_kept_back(lp_records *ring, lp_queue *queue, const char *label, const launch_config *config) noexcept nogil:
    """A launch that a step or a capture has recorded."""
    cdef command_slot *command
    cdef detail_slot *detail
    if not records_has_room(ring, 2):
        return
    command, detail = &records_slot(ring, 0).command, &records_slot(ring, 1).detail
    memset(command, 0, 64)
    memset(detail, 0, 64)
    command.kind, command.flags, command.stream = SLOT_COMMAND, SLOT_KEPT_BACK, <uint32_t>queue.identity
    command.correlation, command.name = ring.call, name_number(label)
    command.begin, command.waited = ring.begin, ring.waited
    if config.flags & LAUNCH_COOPERATIVE:
        command.flags |= SLOT_COOPERATIVE
    detail.kind, detail.command, detail.device = SLOT_DETAIL, COMMAND_LAUNCH, queue.domain.traced_as
    detail.shared, detail.external, detail.number = config.shared, lp_here.external, queue.number
    memcpy(&detail.of, config, sizeof(detail_launch))      # its grid and its block
    command.end = lp_ticks()
    records_publish(ring, 2)
    if unlikely(lp_trace.findings):
        call_prove(ring, ring.begin, ring.call)


# The time that a thread waits for a lock, for the GIL or for room, in a call of launchpath.

cdef inline uint64_t waiting_begin() noexcept nogil:
    return lp_ticks() if lp_trace.recording else 0


cdef inline void waiting_end(uint64_t began) noexcept nogil:
    cdef lp_records *ring = <lp_records *>lp_here.records
    if began == 0 or ring == NULL or ring.api == API_NONE:
        return
    began = lp_ticks() - began
    if ring.pending and ring.frame[0].command.driver_end - ring.frame[0].command.driver_begin <= began:
        began -= ring.frame[0].command.driver_end - ring.frame[0].command.driver_begin
    ring.waited += began


# Calls of the driver.

cdef inline uint64_t driver_call_begin() noexcept nogil:
    cdef lp_records *ring
    if unlikely(lp_trace.findings):
        ring = records_here()
        if ring != NULL:
            look_before(ring)
    return lp_ticks()


cdef inline int driver_call_end(driver_entry entry, uint64_t began, int code, uint64_t quantity, const lp_queue *queue,
                                const lp_domain *domain, void *waited=NULL, void *made=NULL) noexcept nogil:
    """Write the record of a call that ends now; gives its code. `waited` and `made` are its events, if it has any."""
    return driver_call_write(entry, began, lp_ticks(), code, quantity, queue, domain, waited != NULL, &waited, made)


cdef int driver_call_write(driver_entry entry, uint64_t began, uint64_t end, int code, uint64_t quantity,
                           const lp_queue *queue, const lp_domain *domain, uint32_t n_waits=0, void **waits=NULL,
                           void *made=NULL) noexcept nogil:
    cdef lp_records *ring = records_here()
    cdef call_slot *slot
    if ring == NULL or not records_has_room(ring, 1):
        return code
    slot = &records_slot(ring, 0).call
    slot.kind, slot.entry, slot.correlation = SLOT_CALL, <uint16_t>entry, records_correlation(ring)
    slot.begin, slot.end, slot.parent = began, end, ring.call if ring.api else 0
    call_fill(slot, code, quantity, queue)
    if queue == NULL and domain != NULL:
        slot.device = domain.traced_as
    records_publish(ring, 1)
    if unlikely(lp_trace.findings):
        call_prove(ring, began, slot.correlation, n_waits, waits, made)
    if unlikely(lp_delays.on):
        delays_function(ring, entry, False)
    return code
