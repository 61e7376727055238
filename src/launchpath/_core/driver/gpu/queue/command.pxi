# Commands: their waits, then their calls of the library. A timed command has an event before it and an event after it.

cdef enum:
    GPU_KINDS = COMMANDS_OF_ALL | COMMANDS_ROWS | COMMANDS_PEER


cdef int gpu_submit(void *queue, const driver_command *command) noexcept nogil:
    cdef gpu_queue *q = <gpu_queue *>queue
    cdef gpu_timing *timing = NULL
    cdef gpu_context context
    cdef uint32_t i
    cdef int code
    cdef bint waits = command.kind == COMMAND_LAUNCH and (<gpu_kernel *>command.kernel).waits
    cdef bint dependent = dependence_begin(&q.dependence, command, waits) and gpu_is_alone(q)
    gpu_note_legacy(q)
    if likely(command.kind == COMMAND_LAUNCH and command.n_waits == 0 and command.timing == NULL):
        code = gpu_launch_plainly(q, command, dependent)
        if likely(code == 0):
            q.dependence.behind = waits and gpu_lets_start(q.device, command.config)
        if likely(code != GPU_NOT_PLAIN):
            return code
    code = gpu_begin(q.device, &context)
    if code:
        return code
    for i in range(command.n_waits):
        q.shown |= (<gpu_event *>command.waits[i]).captured        # the wait makes this queue a part of the capture
    if command.timing != NULL:
        code = gpu_timing_begin(q, command.n_waits, command.waits, &timing)
    else:
        code = gpu_wait_for(q.device, q.stream, command.n_waits, command.waits)
    if code == 0:
        code = gpu_command(q, command, dependent)
        if timing != NULL:
            code = gpu_timing_end(q, timing, code, command.timing)
    gpu_end(&context)
    if code == 0:
        dependence_accept(&q.dependence, command, waits and gpu_lets_start(q.device, command.config))
    return code


cdef inline bint gpu_lets_start(const gpu_device *device, const launch_config *config) noexcept nogil:
    """Whether a kernel's blocks all run at once, and leave room: the blocks of the next kernel, which start with its early
    trigger and wait, would otherwise be where its own are to run."""
    return gpu_has_threads(config, device.trigger_threads)


cdef inline bint gpu_has_threads(const launch_config *config, uint64_t most) noexcept nogil:
    """Whether a grid has so many threads at most."""
    cdef uint64_t threads = <uint64_t>config.block[0] * config.block[1] * config.block[2]
    # Not threads * blocks, which 64 bits do not hold.
    return threads and <uint64_t>config.grid[0] * config.grid[1] * config.grid[2] <= most // threads


cdef inline bint gpu_is_alone(gpu_queue *q) noexcept nogil:
    """Whether nothing but launchpath's own commands can be between the last command here and the next.

    Foreign code may have launched a kernel that does not wait for the one before it, and that ended before it: a kernel
    behind that would wait for the foreign one only. And a blocking stream waits for the legacy stream."""
    return not q.shown and (q.flags != 0 or q.legacy_turn == lp_load(&q.device.legacy_turn)) and (
        lp_load(&q.device.limited) != DEPENDENT_REFUSED)


cdef inline void gpu_note_legacy(gpu_queue *q) noexcept nogil:
    """Before a command: count those of the legacy stream, and note how many came before one of a blocking stream."""
    if q.legacy:
        lp_add(&q.device.legacy_turn, 1)
    elif q.flags == 0:
        q.legacy_turn = lp_load(&q.device.legacy_turn)


cdef inline int gpu_command(gpu_queue *q, const driver_command *command, bint dependent) noexcept nogil:
    """A command's own calls; the device is current."""
    cdef const copy_command *copy = <const copy_command *>command.bytes
    if command.kind == COMMAND_LAUNCH:
        return gpu_launch(q, command, dependent)
    if command.kind == COMMAND_COPY:
        return gpu_copy(q.device, q.stream, copy.to, copy.source, copy.size) if copy.size else 0
    if command.kind == COMMAND_FILL:
        return gpu_fill(q.device, q.stream, <const fill_command *>command.bytes)
    if command.kind == COMMAND_ROWS:
        return gpu_submit_rows(q, <const rows_command *>command.bytes)
    if command.kind == COMMAND_PEER:
        return gpu_submit_peer(q, <const peer_command *>command.bytes)
    if command.kind == COMMAND_MARKER:
        return gpu_marker(q, command)
    return gpu_fail(q.device.library.names.launch, GPU_ERROR_INVALID_VALUE)


cdef int gpu_marker(gpu_queue *q, const driver_command *command) noexcept nogil:
    cdef gpu_event *event
    cdef int code = 0
    if command.event == NULL:
        return 0
    event = gpu_event_take(q.device, command.timed, &code)
    if event == NULL:
        return code
    code = gpu_record(q, event)
    if code:
        gpu_event_release(NULL, event)
    else:
        command.event[0] = event
    return code


cdef inline int gpu_copy(gpu_device *device, void *stream, void *to, const void *source, size_t size) noexcept nogil:
    cdef int code
    if device.library.hip:
        code = device.library.call.hip_copy(to, source, size, HIP_MEMCPY_DEFAULT, stream)
        return 0 if code == 0 else gpu_fail(device.library.names.hip_copy, code)
    code = device.library.call.copy(to, source, size, stream)
    return 0 if code == 0 else gpu_fail(device.library.names.copy, code)


cdef int gpu_fill(gpu_device *device, void *stream, const fill_command *fill) noexcept nogil:
    """The libraries fill with 1, 2 and 4 bytes. A wider pattern is written once, in fills of 4
    bytes; then the filled part is copied behind itself, doubling each time."""
    cdef gpu_functions *call = &device.library.call
    cdef const gpu_names *names = device.library.names
    cdef char *to = <char *>fill.to
    cdef size_t pattern_size = fill.pattern_size, size = fill.size
    cdef const uint8_t *pattern = fill.pattern
    cdef uint32_t words[32]          # FILL_MOST bytes
    cdef size_t i, done
    cdef int code = 0
    if size == 0:
        return 0
    if pattern_size == 1:
        code = call.fill8(to, pattern[0], size, stream)
        return 0 if code == 0 else gpu_fail(names.fill8, code)
    if pattern_size == 2:
        code = call.fill16(to, (<const uint16_t *>pattern)[0], size // 2, stream)
        return 0 if code == 0 else gpu_fail(names.fill16, code)
    memcpy(words, pattern, pattern_size)
    if pattern_size == 4 or words[0] == words[1] and (pattern_size == 8 or words[1] == words[2] == words[3]):
        code = call.fill32(to, words[0], size // 4, stream)
        return 0 if code == 0 else gpu_fail(names.fill32, code)
    for i in range(pattern_size // 4):
        code = call.fill32(to + 4 * i, words[i], 1, stream)
        if code:
            return gpu_fail(names.fill32, code)
    done = pattern_size
    while done < size and code == 0:
        i = min(done, size - done)
        code = gpu_copy(device, stream, to + done, to, i)
        done += i
    return code
