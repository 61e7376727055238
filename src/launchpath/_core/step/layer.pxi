# The layer of steps. While a thread is in a step its commands go to the step's recording. A call that could notice this
# first submits the recording.
#
# It is put on all devices when the first step begins, and stays: see event.pxi.

cdef inline lp_recording *recording_here() noexcept nogil:
    """The recording of the step, or the capture, that this thread is in; NULL: it is in none."""
    cdef lp_recording *recording = <lp_recording *>lp_here.step
    if recording != NULL and recording.abandoned:
        leave_abandoned(recording)
        return NULL
    return recording


cdef lp_recording *choose_recording(lp_queue *queue, const driver_command *command, int *code) noexcept nogil:
    """Decide where a command goes, and submit the recordings that must come first. The queue's lock is held.

    Gives the recording that takes it. NULL with code 0: it goes to the driver. NULL with a code: it is refused."""
    cdef lp_recording *recording = recording_here()
    code[0] = submit_others(recording, queue, STEP_SEEN if command.kind == COMMAND_MARKER else STEP_SHARED)
    if recording == NULL or code[0]:
        return NULL
    if recording.origin != NULL:
        return recording if capture_takes(recording, queue, command, code) else NULL
    if is_waited_for(recording):
        return NULL                    # the core submits this marker itself, to wait for the command before it
    if recording.code:
        code[0] = refused_before(recording)
        return NULL
    if lp_load(&recording.mode) == RECORDS_NOTHING or not queue_defers(queue):
        code[0] = prepare_direct(recording)
        return NULL
    code[0] = submit_awaited(recording, command)
    return recording if code[0] == 0 else NULL


cdef inline int submit_others(lp_recording *recording, lp_queue *queue, submission_reason reason) noexcept nogil:
    """Submit other threads' recordings that a command of a queue comes after, by the legacy rule too."""
    cdef lp_recording *other = <lp_recording *>lp_load(<uint64_t *>&queue.recording)
    cdef int code = 0
    if other != NULL and other != recording:
        code = make_way(other, reason, queue, NULL)
    return code or keep_legacy_rule(queue)


cdef int refused_before(lp_recording *recording) noexcept nogil:
    """A command after a refused one gets the same error: outside of a step the program would have stopped there."""
    lp_here.failed_call, recording.raised = recording.call, True
    return recording.code


cdef inline int refusal_here() noexcept nogil:
    """After a wait or a query of a whole queue: the refusal of a command of the step that this thread is in, or 0. The
    program would take what was left out for complete."""
    cdef lp_recording *recording = <lp_recording *>lp_here.step
    if likely(recording == NULL) or recording.code == 0 or recording.origin != NULL or recording.abandoned:
        return 0
    return refused_before(recording)


cdef int prepare_direct(lp_recording *recording) noexcept nogil:
    """Before a command goes to the driver directly: submit what is recorded, and count the command."""
    cdef int code = make_way(recording, STEP_MIXED, NULL, NULL) if recording.at else 0
    if code == 0:
        recording.direct += 1
        recording.passed += 1
    return code


cdef int submit_awaited(lp_recording *recording, const driver_command *command) noexcept nogil:
    """Submit the other recordings whose events a command waits for: two recordings never wait for each other."""
    cdef lp_step_event *event
    cdef uint32_t i
    cdef int code = 0
    for i in range(command.n_waits):
        event = step_event(command.waits[i])
        if code == 0 and event != NULL and event.recording != recording and not lp_load(&event.submitted):
            code = make_way(event.recording, STEP_SHARED, NULL, event)
    return code


cdef int step_submit(void *handle, const driver_command *command) noexcept nogil:
    cdef lp_queue *queue = layer_queue(handle)
    cdef lp_recording *recording = NULL
    cdef int code = 0
    if likely(lp_here.step != NULL and command.kind == COMMAND_LAUNCH and command.n_waits == 0 and (
            command.timing == NULL and launch_append(queue, command))):
        return 0
    if command.timing == NULL:
        recording = choose_recording(queue, command, &code)
    else:
        code = at_once(handle)         # kept back, it would be given the times of another command
    if code:
        return code
    if recording == NULL:
        code = step_pass(handle, command)
        if code == 0 and command.event != NULL:
            code = marker_behind_left_out(queue, command.event)
        return code
    if command.kind == COMMAND_MARKER:
        return record_marker(recording, queue, command)
    if command.kind == COMMAND_FILL:
        return record_fill(recording, queue, command)
    return recording_append(recording, queue, command, NULL)


cdef int step_pass(void *queue, const driver_command *command) noexcept nogil:
    """Give the driver a command that is not recorded."""
    cdef lp_recording *recording = <lp_recording *>lp_here.step
    cdef driver_command passed
    cdef step_place place
    cdef void *room[STEP_WAITS]
    cdef void **events
    cdef int code = step_waits(command.n_waits, command.waits, room, &events)
    if code:
        return code
    if likely(events == command.waits and (recording == NULL or not recording.replaying)):
        return below_queue(queue, LAYER_STEP).submit(queue, command)
    passed = command[0]
    passed.waits = events
    if recording != NULL and recording.replaying:
        place.step, place.run = <uint32_t>recording.identity, <uint32_t>recording.run
        place.node = commands_before(recording) - 1        # `passed` counts this command already
        passed.place = &place
    code = below_queue(queue, LAYER_STEP).submit(queue, &passed)
    step_waits_drop(command.waits, room, events)
    return code


cdef int record_marker(lp_recording *recording, lp_queue *queue, const driver_command *command) noexcept nogil:
    cdef lp_step_event *event = NULL
    cdef int code
    if command.event != NULL:
        event = <lp_step_event *>calloc(1, sizeof(lp_step_event))
        if event == NULL:
            return ERROR_HOST_MEMORY
        event.recorded, event.refs, event.recording, event.run = 1, 2, recording, recording.run
        event.captured = recording.origin != NULL
    code = recording_append(recording, queue, command, event)
    if code:
        free(event)
        return code
    recording.events += not recording.each
    if event != NULL:
        command.event[0] = event
    return 0


cdef int record_fill(lp_recording *recording, lp_queue *queue, const driver_command *command) noexcept nogil:
    """Record a fill with the shortest pattern that gives the same bytes. Graphs take 4 bytes at most; a pattern of equal
    halves, as 8 zero bytes are, can be shortened to that."""
    cdef driver_command shorter = command[0]
    cdef fill_command fill
    memcpy(&fill, command.bytes, command.size)
    while fill.pattern_size > 4 and memcmp(
            fill.pattern, fill.pattern + fill.pattern_size // 2, fill.pattern_size // 2) == 0:
        fill.pattern_size //= 2
    shorter.bytes, shorter.size = &fill, fill_size(fill.pattern_size)
    return recording_append(recording, queue, &shorter, NULL)


cdef int at_once(void *queue) noexcept nogil:
    """Before a call about a queue that cannot be recorded: what leads to a recording is submitted."""
    cdef lp_recording *recording = <lp_recording *>lp_load(<uint64_t *>&layer_queue(queue).recording)
    cdef int code = 0 if recording == NULL else make_way(recording, STEP_SEEN, layer_queue(queue), NULL)
    return code or keep_legacy_rule(layer_queue(queue))

