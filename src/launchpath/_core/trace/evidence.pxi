# Evidence: what findings need to know of commands and calls beside their records. Nothing is gathered where a trace is not to
# have it.


cdef void command_prove(call_evidence *proof, lp_records *ring, const driver_command *command) noexcept nogil:
    """A command is about to be submitted, and its record is in the frame."""
    cdef const lp_parameter *parameters = <const lp_parameter *>ring.parameters
    cdef const copy_command *copy = <const copy_command *>command.bytes
    cdef const fill_command *fill = <const fill_command *>command.bytes
    cdef uint32_t i
    evidence_begin(proof, ring)
    proof.n_waits, proof.waits = command.n_waits, <const void **>command.waits
    if command.kind == COMMAND_LAUNCH:
        proof.launch = True
        if parameters != NULL and command.place == NULL:       # what a step keeps has lost its layout
            for i in range(ring.n_parameters):
                evidence_argument(proof, i, <const char *>command.bytes + parameters[i].offset, ring.sizes[i])
            proof.flags |= EVIDENCE_CONTENT | EVIDENCE_ARGUMENTS
    elif command.kind == COMMAND_FILL:
        evidence_pattern(proof, fill.pattern, fill.pattern_size)
    elif command.kind == COMMAND_COPY:
        proof.flags |= ring.memory
        if copy.direction == COPY_UP:
            evidence_sent(proof, host_bytes(copy.source, copy.size), False)
        elif copy.direction == COPY_DOWN:
            proof.host = <uint64_t><uintptr_t>copy.to
        if ring.staged:
            proof.host = ring.staged


cdef void command_proven(call_evidence *proof, lp_records *ring, const driver_command *command, int code) noexcept nogil:
    """It was submitted: the evidence waits beside the record."""
    cdef uint64_t correlation = ring.frame[0].command.correlation
    evidence_end(proof, code)
    if proof.n_waits > 2:
        evidence_waits(ring, proof, correlation)
    evidence_fill(&ring.evidence.evidence, proof, correlation)
    if command.kind == COMMAND_COPY and (<const copy_command *>command.bytes).direction == COPY_DOWN:
        ring.copied = correlation


cdef void call_prove(lp_records *ring, uint64_t began, uint64_t correlation, uint32_t n_waits=0, void **waits=NULL,
                     void *made=NULL) noexcept nogil:
    """Write the evidence of a call that has ended, behind its record."""
    cdef call_evidence proof
    evidence_begin(&proof, ring)
    proof.n_waits, proof.waits, proof.event = n_waits, <const void **>waits, <uint64_t><uintptr_t>made
    evidence_write(&proof, ring, 0, began, correlation)


cdef inline void *waited_event(lp_mark *mark) noexcept nogil:
    """The driver's event of a mark that was waited for; NULL: it has none, or had none at all."""
    cdef void *event = mark.event
    cdef lp_step_event *own = step_event(event)
    return event if own == NULL else own.event


# Copies between a device and the host's memory: the caller knows whether that is pinned, and when the bytes are there.

cdef inline uint64_t staging_begins() noexcept nogil:
    """The tick at which bytes begin to move to pinned memory; 0: no evidence is asked for."""
    return lp_ticks() if unlikely(lp_trace.findings and lp_trace.recording) else 0


cdef inline lp_records *copies_begin(const void *staged, uint8_t memory, uint64_t staging=0) noexcept nogil:
    """The next copies of this thread are to or from such memory, at `staged` if they use other memory in its place. NULL: no
    evidence is asked for; else `copies_end` comes next."""
    cdef lp_records *ring = records_here() if unlikely(lp_trace.findings and lp_trace.recording) else NULL
    if ring != NULL:
        ring.staged, ring.memory, ring.copied = <uint64_t><uintptr_t>staged, memory, 0
        ring.staging = staging
    return ring


cdef inline uint64_t copies_end(lp_records *ring) noexcept nogil:
    """Gives the correlation id of the last of them to the host; 0: there is none."""
    cdef uint64_t copied
    if likely(ring == NULL):
        return 0
    copied = ring.copied
    ring.staged, ring.memory, ring.staging, ring.copied = 0, 0, 0, 0
    return copied


cdef void copy_arrived(uint64_t correlation, const void *bytes, size_t size) noexcept nogil:
    """A copy to the host that its caller has waited for is complete."""
    cdef lp_records *ring = records_here() if lp_trace.findings else NULL
    cdef host_memory memory = host_bytes(bytes, size)
    cdef call_evidence proof
    if ring == NULL:
        return
    memset(&proof, 0, sizeof(proof))
    if evidence_read(&proof, &memory) and records_has_room(ring, 1):
        evidence_fill(&records_slot(ring, 0).evidence, &proof, correlation)
        records_publish(ring, 1)
        ring.left = lp_ticks()


def trace_findings():
    """Where the source lines of calls come from, or None, and why there are none."""
    if not lp_trace.findings & FINDINGS_SITES:
        return None, ""
    reading = python_look() == PYTHON_READ
    return "Python" if reading else None, (<bytes>python.reason).decode()
