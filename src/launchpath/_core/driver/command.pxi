# Commands: what a queue does next. One struct goes the whole way of a command: the call that submits it fills it,
# `submit_command` adds what the queue knows, layers read it, a step keeps a copy, and the driver carries it out.
#
# A new kind needs: its number, names, payload and facts here; its case in the `submit` of each driver that has it, in
# that driver's command.pxi, with its bit in the driver's kinds; the function that submits it; and its name in
# `_trace/format.py`. Layers, steps and graphs treat all kinds alike, by what is below.

cdef enum command_kind:        # traces have these numbers
    COMMAND_LAUNCH = 1
    COMMAND_COPY = 2
    COMMAND_FILL = 3
    COMMAND_ROWS = 4
    COMMAND_PEER = 5
    COMMAND_MARKER = 6
    COMMAND_KINDS = 7

cdef enum:
    # bits of `driver_table.kinds`: what each driver takes
    COMMANDS_OF_ALL = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 6      # that each driver takes: launches, copies, fills, markers
    COMMANDS_ROWS = 1 << 4
    COMMANDS_PEER = 1 << 5

cdef const char *command_names[COMMAND_KINDS]      # in logs, and in `command_times`
command_names[:] = [b"", b"launch", b"copy", b"fill", b"copy_rows", b"copy_peer", b"marker"]

cdef const char *command_phrases[COMMAND_KINDS]    # in messages, where there is no kernel's name
command_phrases[:] = [
    b"", b"a launch", b"a copy", b"a fill", b"a copy of rows", b"a copy between devices", b"an event"]

cdef enum launch_flags:
    LAUNCH_COOPERATIVE = 1     # all blocks run at once, so that they may wait for each other

cdef struct launch_config:
    uint32_t grid[3]           # blocks
    uint32_t block[3]          # threads in a block
    uint32_t shared            # bytes of dynamic shared memory
    uint32_t flags             # launch_flags

cdef enum copy_direction:      # for records; 0: not known
    COPY_UP = 1                # from the host to a device
    COPY_DOWN = 2
    COPY_WITHIN = 3            # from a device to a device

# The payloads: what `driver_command.bytes` points to, for each kind but launches, which have packed arguments there. Steps
# keep and compare them as bytes: equal commands must have equal bytes, those of every field and of all padding.

cdef struct copy_command:
    void *to
    const void *source
    size_t size
    size_t direction           # copy_direction

cdef enum:
    FILL_MOST = 128            # bytes of a pattern: what OpenCL takes

cdef struct fill_command:
    void *to
    size_t size
    size_t pattern_size        # a power of two
    uint8_t pattern[FILL_MOST]  # of which the command has `pattern_size` bytes: see `fill_size`

cdef struct rows_command:      # `rows` rows of `width` bytes
    void *to
    const void *source
    size_t to_pitch            # bytes from a row's begin to the next one's, not less than `width`
    size_t source_pitch
    size_t width
    size_t rows

cdef struct peer_command:      # the same, from one device to another
    void *to
    void *to_device            # the device's handle
    size_t to_pitch
    const void *source
    const void *source_device
    size_t source_pitch
    size_t width
    size_t rows
    size_t captured            # the queue is being captured; its device has access to the other one's memory then
    # or NULL. The copy fills this whole texture of the queue's device, and `to` is not used. The source is memory of the
    # same device, without gaps
    void *to_texture

cdef struct step_place:        # of a command of a step, for records
    uint32_t step              # its identity
    uint32_t run
    uint32_t node              # its place in the run

cdef struct driver_command:
    command_kind kind
    bint timed                 # of a marker: its event can be asked for its `event_time`
    void *kernel               # of a launch, as `config`
    const launch_config *config
    const void *bytes          # packed arguments in CUDA's layout, or the kind's payload. Nothing keeps them after the call
    size_t size                # of them
    # What it comes after: events of the queue's own context
    uint32_t n_waits
    void **waits
    # Where the driver stores a marker's event, and the timing; NULL: it is not wanted
    void **event
    void **timing
    # What the core and layers know of it; drivers need none of this.
    const char *label          # of a launch: the kernel's name
    uint64_t number            # in its queue; 0 for a marker, which has none
    uint64_t external          # the external correlation id that was in force when the program submitted it
    const step_place *place    # NULL: it is of no step
    uint64_t launch_record     # of a kernel that checks its accesses: see layers/bounds.pxi

cdef struct graph_command:     # a command of a graph: a launch, a copy or a fill
    command_kind kind
    uint32_t place
    void *kernel
    const launch_config *config
    const void *bytes
    size_t size
    bint early                 # of a frozen step: it may let the next one start at once, see `kernel_pair`

cdef struct lp_recording
cdef struct lp_sequence
cdef struct lp_chain

cdef struct graph_source:      # for layers: whose commands a graph has
    lp_recording *recording
    lp_sequence *sequence
    lp_chain *chain


cdef struct command_facts:     # of any command but a launch and a marker: what logs and traces tell, and graphs keep
    uint64_t size              # bytes
    uint64_t rows              # 0: it is not by rows
    void *to
    const void *source
    size_t direction           # copy_direction
    void *to_texture           # or NULL


cdef void command_facts_of(command_kind kind, const void *bytes, command_facts *facts) noexcept nogil:
    """What a command's payload says."""
    cdef const copy_command *copy = <const copy_command *>bytes
    cdef const fill_command *fill = <const fill_command *>bytes
    cdef const rows_command *rows = <const rows_command *>bytes
    cdef const peer_command *peer = <const peer_command *>bytes
    memset(facts, 0, sizeof(command_facts))
    if kind == COMMAND_COPY:
        facts.size, facts.to, facts.source, facts.direction = copy.size, copy.to, copy.source, copy.direction
    elif kind == COMMAND_FILL:
        facts.size, facts.to = fill.size, fill.to
    elif kind == COMMAND_ROWS:
        facts.size, facts.rows, facts.to, facts.source = rows.width * rows.rows, rows.rows, rows.to, rows.source
    elif kind == COMMAND_PEER:
        facts.size, facts.rows, facts.to, facts.source = peer.width * peer.rows, peer.rows, peer.to, peer.source
        facts.to_texture = peer.to_texture


cdef inline size_t fill_size(size_t pattern_size) noexcept nogil:
    """Bytes of the payload of a fill."""
    return sizeof(fill_command) - FILL_MOST + pattern_size


cdef inline uint32_t command_variant(const driver_command *command) noexcept nogil:
    """What must be equal beside the kind for a command to match a step's node: a launch's flags; whether a marker is timed."""
    return command.config.flags if command.kind == COMMAND_LAUNCH else command.timed


cdef inline void command_set(driver_command *command, command_kind kind, const void *bytes, size_t size) noexcept nogil:
    # Field by field: a launch does this each time and reads them right after, which is slower behind a memset.
    command.kind, command.timed, command.kernel, command.config = kind, False, NULL, NULL
    command.bytes, command.size, command.n_waits, command.waits = bytes, size, 0, NULL
    command.event, command.timing, command.label, command.number = NULL, NULL, NULL, 0
    command.external, command.place, command.launch_record = 0, NULL, 0


cdef inline void command_set_launch(driver_command *command, void *kernel, const char *label, const launch_config *config,
                                    const void *bytes, size_t size) noexcept nogil:
    command_set(command, COMMAND_LAUNCH, bytes, size)
    command.kernel, command.label, command.config = kernel, label, config


cdef inline void command_set_copy(driver_command *command, copy_command *copy, void *to, const void *source, size_t size,
                                  copy_direction direction) noexcept nogil:
    copy.to, copy.source, copy.size, copy.direction = to, source, size, direction
    command_set(command, COMMAND_COPY, copy, sizeof(copy_command))


cdef inline void command_set_fill(driver_command *command, fill_command *fill, void *to, const void *pattern,
                                  size_t pattern_size, size_t size) noexcept nogil:
    """`pattern_size` is at most FILL_MOST."""
    fill.to, fill.size, fill.pattern_size = to, size, pattern_size
    memcpy(fill.pattern, pattern, pattern_size)
    command_set(command, COMMAND_FILL, fill, fill_size(pattern_size))
