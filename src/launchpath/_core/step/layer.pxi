# The layer of steps: commands of a thread that is in a step go to its recording, and what could see that they are not
# with the driver yet has the recording submitted first.
#
# It is put on all devices when the first step begins, and stays: see event.pxi.

cdef inline lp_recording *recording_here() noexcept nogil:
    """The recording of the step, or the capture, that this thread is in; NULL: it is in none."""
    cdef lp_recording *recording = <lp_recording *>lp_here.step
    if recording != NULL and recording.abandoned:
        leave_abandoned(recording)
        return NULL
    return recording


cdef lp_recording *recording_for(lp_queue *queue, const driver_command *command, int *code) noexcept nogil:
    """The recording that a command goes to; NULL: it goes to the driver, or nowhere if `code` says so. The queue's lock is
    held."""
    cdef lp_recording *recording = recording_here()
    code[0] = others_make_way(recording, queue, STEP_SEEN if command.kind == COMMAND_MARKER else STEP_SHARED)
    if recording == NULL or code[0]:
        return NULL
    if recording.origin != NULL:
        return recording if capture_takes(recording, queue, command, code) else NULL
    if is_waited_for(recording):
        return NULL                    # the core's own marker behind a command that it waits for
    if recording.code:
        code[0] = refused_before(recording)
        return NULL
    if lp_load(&recording.mode) == RECORDS_NOTHING or not queue_defers(queue):
        code[0] = passes_by(recording)
        return NULL
    code[0] = waits_make_way(recording, command)
    return recording if code[0] == 0 else NULL


cdef inline int others_make_way(lp_recording *recording, lp_queue *queue, submission_reason reason) noexcept nogil:
    """Have other threads' recordings submitted that a command of a queue comes after."""
    cdef lp_recording *other = <lp_recording *>lp_load(<uint64_t *>&queue.recording)
    cdef int code = 0
    if other != NULL and other != recording:
        code = make_way(other, reason, queue, NULL)
    return code or keep_legacy_rule(queue)


cdef int refused_before(lp_recording *recording) noexcept nogil:
    """What a command gets after one that the driver refused: a program would not have come to it."""
    lp_here.failed_call, recording.raised = recording.call, True
    return recording.code


cdef int passes_by(lp_recording *recording) noexcept nogil:
    """A command of the step goes to the driver at its call: behind what is recorded."""
    cdef int code = make_way(recording, STEP_MIXED, NULL, NULL) if recording.at else 0
    if code == 0:
        recording.direct += 1
        recording.passed += 1
    return code


cdef int waits_make_way(lp_recording *recording, const driver_command *command) noexcept nogil:
    """Two recordings never wait for each other (`recording_submit`): what a command waits for of another one is submitted."""
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
            command.timing == NULL and launch_follows(queue, command))):
        return 0
    if command.timing == NULL:
        recording = recording_for(queue, command, &code)
    else:
        code = at_once(handle)         # it is not kept back: the times would be those of another command
    if code:
        return code
    if recording == NULL:
        return step_pass(handle, command)
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
        place.node = commands_before(recording) - 1        # it is counted
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
    elif event != NULL:
        command.event[0] = event
    return code


cdef int record_fill(lp_recording *recording, lp_queue *queue, const driver_command *command) noexcept nogil:
    """With the shortest pattern that gives the same bytes: graphs take 4 bytes at most, and zeros of any type are such."""
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

