# The layer of steps: commands of a thread that is in a step go to its recording, and what could see that they are not
# with the driver yet has the recording submitted first.
#
# It is put on all devices when the first step begins, and stays: see event.pxi.

cdef lp_recording *recording_for(void *queue, uint32_t n_waits, void **waits, int *code,
                                 submission_reason reason=STEP_SHARED) noexcept nogil:
    """Where a command goes; NULL: to the driver, or nowhere if `code` says so. The queue's lock is held."""
    cdef lp_queue *here = layer_queue(queue)
    cdef lp_recording *own = <lp_recording *>lp_here.step
    cdef lp_recording *other = <lp_recording *>lp_load(<uint64_t *>&here.recording)
    cdef lp_step_event *event
    cdef uint32_t i
    cdef bint captured = False
    code[0] = 0
    if own != NULL and own.orphan:
        leave_orphan(own)
        own = NULL
    if other != NULL and other != own:
        code[0] = make_way(other, reason, here, NULL)
    if code[0] == 0:
        code[0] = keep_legacy_rule(here)
    if own == NULL or code[0]:
        return NULL
    if own.origin != NULL:
        code[0] = capture_takes(own, here, n_waits, waits, &captured)
        return own if captured and code[0] == 0 else NULL
    if is_waited_for(own):
        return NULL                    # the core's own marker behind a command that it waits for
    if own.code:                       # as a program would not have come here
        lp_here.failed_call, code[0], own.raised = own.call, own.code, True
        return NULL
    if lp_load(&own.eager) == EAGER_DIRECT or not defers(here):
        if own.at:
            code[0] = make_way(own, STEP_MIXED, NULL, NULL)
        if code[0] == 0:
            own.direct += 1
            own.passed += 1
        return NULL
    for i in range(n_waits):       # two recordings never wait for each other: see `recording_submit`
        event = step_event(waits[i])
        if event != NULL and event.recording != own and not lp_load(&event.submitted):
            code[0] = make_way(event.recording, STEP_SHARED, NULL, event)
            if code[0]:
                return NULL
    return own


cdef inline void command_begin(step_command *command, void *queue, command_kind kind, const void *bytes, size_t size,
                               uint32_t n_waits, void **waits) noexcept nogil:
    memset(command, 0, sizeof(step_command))
    command.queue, command.kind, command.bytes, command.size = layer_queue(queue), kind, bytes, size
    command.n_waits, command.waits = n_waits, waits


cdef int step_launch(void *queue, void *kernel, const launch_config *config, const void *bytes, size_t size,
                     uint32_t n_waits, void **waits) noexcept nogil:
    cdef void *room[STEP_WAITS]
    cdef void **events
    cdef step_command command
    cdef lp_recording *recording
    cdef int code
    if likely(lp_here.step != NULL and n_waits == 0 and launch_follows(
            layer_queue(queue), kernel, config, bytes, size)):
        return 0
    recording = recording_for(queue, n_waits, waits, &code)
    if recording != NULL:
        command_begin(&command, queue, COMMAND_LAUNCH, bytes, size, n_waits, waits)
        command.kernel, command.config = kernel, config
        if config.flags & LAUNCH_COOPERATIVE:
            command.kind = COMMAND_COOPERATIVE
        return record(recording, &command)
    if code == 0:
        code = step_waits(n_waits, waits, room, &events)
    if code == 0:
        code = below_queue(queue, LAYER_STEP).launch(queue, kernel, config, bytes, size, n_waits, events)
        step_waits_drop(waits, room, events)
    return code


cdef int step_copy(void *queue, void *to, const void *source, size_t size, uint32_t n_waits,
                   void **waits) noexcept nogil:
    cdef void *room[STEP_WAITS]
    cdef void **events
    cdef step_command command
    cdef graph_copy copied
    cdef int code
    cdef lp_recording *recording = recording_for(queue, n_waits, waits, &code)
    if recording != NULL:
        copied.to, copied.source, copied.size, copied.direction = to, source, size, lp_here.direction
        command_begin(&command, queue, COMMAND_COPY, &copied, sizeof(copied), n_waits, waits)
        return record(recording, &command)
    if code == 0:
        code = step_waits(n_waits, waits, room, &events)
    if code == 0:
        code = below_queue(queue, LAYER_STEP).copy(queue, to, source, size, n_waits, events)
        step_waits_drop(waits, room, events)
    return code


cdef int step_fill(void *queue, void *to, const void *pattern, size_t pattern_size, size_t size, uint32_t n_waits,
                   void **waits) noexcept nogil:
    cdef void *room[STEP_WAITS]
    cdef void **events
    cdef step_command command
    cdef graph_fill filled
    cdef int code
    cdef lp_recording *recording = recording_for(queue, n_waits, waits, &code)
    if recording != NULL:
        while pattern_size > 4 and memcmp(pattern, <const char *>pattern + pattern_size // 2, pattern_size // 2) == 0:
            pattern_size //= 2         # graphs take 4 bytes at most: zeros of any type are such
        filled.to, filled.size, filled.pattern_size = to, size, pattern_size
        command_begin(&command, queue, COMMAND_FILL, &filled, sizeof(filled), n_waits, waits)
        command.pattern, command.pattern_size = pattern, pattern_size
        return record(recording, &command)
    if code == 0:
        code = step_waits(n_waits, waits, room, &events)
    if code == 0:
        code = below_queue(queue, LAYER_STEP).fill(queue, to, pattern, pattern_size, size, n_waits, events)
        step_waits_drop(waits, room, events)
    return code


cdef int step_copy_rows(void *queue, void *to, size_t to_pitch, const void *source, size_t source_pitch, size_t width,
                        size_t rows, uint32_t n_waits, void **waits, void **timing) noexcept nogil:
    cdef void *room[STEP_WAITS]
    cdef void **events
    cdef step_command command
    cdef step_rows_bytes copied
    cdef int code = at_once(queue) if timing != NULL else 0
    cdef lp_recording *recording = NULL
    if code == 0 and timing == NULL:
        recording = recording_for(queue, n_waits, waits, &code)
    if recording != NULL:
        copied.to, copied.to_pitch, copied.source, copied.source_pitch = to, to_pitch, source, source_pitch
        copied.width, copied.rows = width, rows
        command_begin(&command, queue, COMMAND_ROWS, &copied, sizeof(copied), n_waits, waits)
        return record(recording, &command)
    if code == 0:
        code = step_waits(n_waits, waits, room, &events)
    if code == 0:
        code = below_queue(queue, LAYER_STEP).copy_rows(queue, to, to_pitch, source, source_pitch, width, rows, n_waits,
                                                        events, timing)
        step_waits_drop(waits, room, events)
    return code


cdef int step_copy_peer(void *queue, const peer_copy *copy, uint32_t n_waits, void **waits,
                        void **timing) noexcept nogil:
    cdef void *room[STEP_WAITS]
    cdef void **events
    cdef step_command command
    cdef int code = at_once(queue) if timing != NULL else 0
    cdef lp_recording *recording = NULL
    if code == 0 and timing == NULL:
        recording = recording_for(queue, n_waits, waits, &code)
    if recording != NULL:
        command_begin(&command, queue, COMMAND_PEER, copy, sizeof(peer_copy), n_waits, waits)
        return record(recording, &command)
    if code == 0:
        code = step_waits(n_waits, waits, room, &events)
    if code == 0:
        code = below_queue(queue, LAYER_STEP).copy_peer(queue, copy, n_waits, events, timing)
        step_waits_drop(waits, room, events)
    return code


cdef int step_marker(void *queue, bint timed, uint32_t n_waits, void **waits, void **event) noexcept nogil:
    cdef void *room[STEP_WAITS]
    cdef void **events
    cdef step_command command
    cdef int code
    cdef lp_recording *recording = recording_for(queue, n_waits, waits, &code, STEP_SEEN)
    if recording != NULL:
        command_begin(&command, queue, COMMAND_MARKER, NULL, 0, n_waits, waits)
        command.timed = timed
        if event != NULL:
            command.event = <lp_step_event *>calloc(1, sizeof(lp_step_event))
            if command.event == NULL:
                return ERROR_HOST_MEMORY
            command.event.refs, command.event.recording, command.event.run = 2, recording, recording.run
            command.event.captured = recording.origin != NULL
        code = record(recording, &command)
        if code:
            free(command.event)
        elif event != NULL:
            event[0] = <void *>(<uintptr_t>command.event | 1)
        return code
    if code == 0:
        code = step_waits(n_waits, waits, room, &events)
    if code == 0:
        code = below_queue(queue, LAYER_STEP).marker(queue, timed, n_waits, events, event)
        step_waits_drop(waits, room, events)
    return code


cdef int at_once(void *queue) noexcept nogil:
    """Before a call about a queue that cannot be recorded: what leads to a recording is submitted."""
    cdef lp_recording *recording = <lp_recording *>lp_load(<uint64_t *>&layer_queue(queue).recording)
    cdef int code = 0 if recording == NULL else make_way(recording, STEP_SEEN, layer_queue(queue), NULL)
    return code or keep_legacy_rule(layer_queue(queue))


# Commands that are timed are not kept back: the times would be those of other commands.

cdef int step_launch_timed(void *queue, void *kernel, const launch_config *config, const void *bytes, size_t size,
                           uint32_t n_waits, void **waits, void **timing) noexcept nogil:
    cdef void *room[STEP_WAITS]
    cdef void **events
    cdef int code = at_once(queue)
    if code == 0:
        code = step_waits(n_waits, waits, room, &events)
    if code == 0:
        code = below_queue(queue, LAYER_STEP).launch_timed(queue, kernel, config, bytes, size, n_waits, events, timing)
        step_waits_drop(waits, room, events)
    return code


cdef int step_copy_timed(void *queue, void *to, const void *source, size_t size, uint32_t n_waits, void **waits,
                         void **timing) noexcept nogil:
    cdef void *room[STEP_WAITS]
    cdef void **events
    cdef int code = at_once(queue)
    if code == 0:
        code = step_waits(n_waits, waits, room, &events)
    if code == 0:
        code = below_queue(queue, LAYER_STEP).copy_timed(queue, to, source, size, n_waits, events, timing)
        step_waits_drop(waits, room, events)
    return code


cdef int step_fill_timed(void *queue, void *to, const void *pattern, size_t pattern_size, size_t size,
                         uint32_t n_waits, void **waits, void **timing) noexcept nogil:
    cdef void *room[STEP_WAITS]
    cdef void **events
    cdef int code = at_once(queue)
    if code == 0:
        code = step_waits(n_waits, waits, room, &events)
    if code == 0:
        code = below_queue(queue, LAYER_STEP).fill_timed(queue, to, pattern, pattern_size, size, n_waits, events, timing)
        step_waits_drop(waits, room, events)
    return code
