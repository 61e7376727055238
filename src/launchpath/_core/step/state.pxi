# The state of a step: the sequences of commands that it knows, and how far it is in one of them.
#
# The idea, without what other threads may do in between:
#
#     record(command):                 by the step's thread, at each launch, copy, fill and record of an event
#         node = sequence[at]
#         if the command is of another form than the node:       another queue, kind, kernel or size
#             sequence = one that begins with the same commands, or a new one
#         if the node has other bytes or another configuration:
#             copy them, and note the node if a graph has it
#         at += 1
#
#     submit():                        at the step's end, and before anything that could tell that commands are kept back
#         for each chain of the sequence:                        commands of one queue that no other queue can come between
#             the first time: give the driver each command
#             later: build a graph, once; change the nodes that were noted; run it
#         at = 0
#
# Fields of a recording that several threads use. "The lock" is `lp_recording.lock`; "its thread" is the thread that is in
# the step.
#
# | field                            | what it says                           | set by                    | under                  |
# |----------------------------------|----------------------------------------|---------------------------|------------------------|
# | used                             | a step or a capture has it             | whoever makes or drops it | `registry_lock`        |
# | appending                        | its thread appends without the lock    | its thread                | nothing: atomic        |
# | must_lock                        | above 0: its thread must take the lock | whoever has the lock      | the lock: atomic       |
# | sequence, at, writing, waits     | the run                                | its thread                | the lock, or appending |
# |                                  |                                        | whoever submits it        | the lock               |
# | queues, lp_queue.recording       | whose commands are in it               | its thread, the submitter | queue's lock, the lock |
# | mode                             | where commands of the run go           | its thread, whoever drops | the GIL: atomic        |
# | origin, ended_early              | it is a capture's; why that has ended  | its thread; others: ended | the lock               |
# | abandoned                        | its step is gone, its thread is in it  | whoever drops the step    | the GIL                |
# | code, call, label, refused_run   | the first command that was refused     | whoever submits it        | the lock               |
#
# A thread that has the lock raises `must_lock` and waits until its thread is not `appending`: `recording_lock`.

cdef enum submission_reason:
    STEP_LEFT                      # by its thread, at the end
    STEP_SEEN                      # something asked for the end of work, or waits for it
    STEP_MIXED                     # a command that cannot be recorded: of a stream that foreign code has
    STEP_SHARED                    # another thread, or another step, uses the same streams or events
    STEP_HANDED_OUT                # foreign code got an address
    STEP_KERNEL                    # a kernel was dropped
    STEP_REASONS

cdef enum recording_mode:          # of a run
    KEEPS_BACK = 0                 # commands go to the driver when the run ends
    RECORDS_NOTHING = 1            # commands go to the driver at their calls, and are not recorded: see `queue_defers`
    SUBMITS_EACH = 2               # each command is recorded, and goes to the driver at its call

cdef enum:
    SEQUENCES = 16                 # that a step keeps
    CHAIN_LEAST = 4                # commands; fewer are not worth a graph
    CHAIN_TRIES = 3                # of building a graph that the driver refuses
    STEP_CAUSES = 8                # new sequences that it remembers the causes of
    STEP_NAME = 64                 # bytes of a kernel's name there

cdef enum graph_obstacle:          # why commands went to the driver without a graph: bits
    OBSTACLE_DRIVER = 1 << 0       # it has no graphs
    OBSTACLE_LOG = 1 << 1          # the log has each command
    OBSTACLE_TIMES = 1 << 2        # a trace or a profiler has the times of each command
    OBSTACLE_SHORT = 1 << 3        # too few commands in a row
    OBSTACLE_KIND = 1 << 4         # a command that graphs do not take
    OBSTACLE_REFUSED = 1 << 5      # the driver refused the graph

cdef struct lp_node:               # of a sequence
    # A command matches the node if these are equal.
    uint64_t queue_identity
    void *kernel
    uint32_t size                  # of its bytes
    uint8_t kind                   # command_kind
    uint32_t variant               # `command_variant`
    # If these differ, the node is updated, and its graph too.
    launch_config config
    size_t bytes                   # offset of its arguments, or its payload, in `lp_sequence.bytes`
    # Where it is in the graphs.
    bint waits                     # it waited for events in some run, so a chain begins with it
    bint changed                   # since its chain's graph was last run
    uint32_t chain
    uint32_t place
    # Of the present run.
    uint32_t n_waits
    uint32_t wait                  # index of its first wait in `lp_recording.waits`
    uint64_t number                # in its queue
    uint64_t external              # the external correlation id in force when the program made it
    lp_queue *queue                # which stays until its commands are complete
    const char *label              # of a launch: the kernel's name
    lp_step_event *event

cdef struct lp_chain:              # commands of one queue in a row: one graph, where the driver has graphs
    uint32_t n
    uint32_t *nodes                # their indices
    void *graph                    # or NULL
    lp_domain *domain              # of the graph: a reference
    uint32_t *changes              # places of commands that have changed since it was last run
    uint32_t n_changes
    uint32_t refused               # how often the driver did not build or run it

cdef struct lp_unused:             # a graph that a thread with the GIL had no more use for
    lp_unused *next
    lp_domain *domain
    void *graph

cdef struct lp_sequence:           # of commands, from one submission to the next
    lp_node *nodes
    uint32_t n, room               # n == 0: this entry of `lp_recording.kept` is free
    uint32_t n_chains
    char *bytes
    size_t size, room_bytes
    lp_chain *chains               # in the order of submission; NULL until it is run a second time
    uint64_t turn                  # `lp_recording.turn` at its last run: the sequence with the lowest is replaced
    uint64_t runs
    uint64_t stamp                 # which executable graph has exactly these commands and arguments; 0: none
    lp_sequence *next              # what came after it the last time; a guess

cdef struct step_wait:             # a wait that the program asked for
    uint32_t at                    # the command of the run that it comes before
    uint64_t identity              # of the queue which waits
    bint inside                    # it waits for a marker of the same run, the command `end`
    uint32_t end
    bint captured                  # that marker is of a capture
    uint64_t other                 # else it waits for the command `number` of the queue with this identity
    uint64_t number

cdef struct step_keep:             # of memory that a capture's graph uses
    void (*release)(void *data) noexcept nogil
    void *data

cdef struct step_cause:            # why a new sequence was needed
    uint32_t at                    # the first command that differs from the most similar sequence
    uint32_t n                     # commands in the new sequence
    uint32_t expected_n            # commands in the similar one; 0: there was none
    char expected[STEP_NAME]       # what that has there, cut off; empty: it ends there
    char got[STEP_NAME]
    const char *instead            # what is expected, in words, where the names are the same; else NULL

cdef struct lp_recording:          # of a step, or a capture; see the table above
    lp_lock lock
    uint64_t appending
    uint64_t must_lock
    uint64_t identity              # which no other step has
    uint32_t nodes_before          # commands of the run that went to the driver before the present sequence
    lp_recording *next             # in `recordings` of the runtime. None is freed, since a queue may still lead to it
    bint used                      # by a step (registry_lock)
    uint64_t mode                  # recording_mode
    bint each                      # the run began with SUBMITS_EACH; `mode` may say RECORDS_NOTHING since
    bint replaying                 # its thread launches an executable graph in it
    bint early_variants            # it is a frozen step's: see `graph_command.early`
    # its thread waits for the command that it has just submitted, since launches block or are serialized: that is not the
    # program's wait
    bint quiet
    # The run: the first `at` commands of a sequence.
    lp_sequence *sequence          # or NULL
    uint32_t at
    bint writing                   # the sequence is new and ends here
    lp_sequence *before            # the one that was submitted last in this run, or NULL
    lp_sequence *begin             # the one that the last run began with: a guess
    void **waits                   # events of the run
    uint32_t n_waits, room_waits
    lp_queue **queues              # that lead here
    uint32_t n_queues, room_queues
    lp_sequence kept[SEQUENCES]
    uint64_t turn
    graph_command *commands        # room for those that a graph is given
    uint32_t room_commands
    # Of a capture (capture.pxi): nothing of it is submitted.
    lp_queue *origin               # NULL: it is a step's
    step_keep *kept_memory
    uint32_t n_kept_memory, room_kept_memory
    int ended_early                # why it cannot be a graph: a submission_reason + 1, or 0
    # The last run as a whole, for `freeze`.
    step_wait *noted
    uint32_t n_noted, room_noted
    bint incomplete                # a command of the last run was refused at its call, or there was no memory for a wait
    bint lends                     # a launch of the last run returns results, whose memory later ones use again
    uint64_t texture_lost          # 1 + the number of the last run that used a texture dropped since; 0: none
    uint64_t early                 # submissions before its end
    uint64_t passed                # its commands that were not recorded
    uint64_t end_tick              # the clock of allocations at its end
    lp_sequence *last              # its commands, if it was of one part
    # Since the last `raise_refusal`: the first command that the driver refused.
    int code
    const char *call
    const char *label
    const driver_table *table
    uint64_t run                   # which no other run has
    uint64_t refused_run           # the last one with a refused command
    bint raised                    # by a call in the step
    bint abandoned                 # the step is gone, and its thread has not left it
    # Counts.
    uint64_t reasons[STEP_REASONS]     # submissions by why
    uint64_t recorded, submissions, direct     # commands; handed over; neither, but given to the driver at once
    uint64_t events                # among the commands
    uint64_t obstacles             # graph_obstacle
    uint64_t built, graph_runs, in_graphs, updated, compared, new_sequences, dropped
    step_cause causes[STEP_CAUSES]     # of the latest new sequences
