# The driver table: the C struct that a driver fills, and all that the core knows of it.
#
# Contract, for every function of the table:
# - It returns 0, or the driver's own error code (never 0) and leaves the name of the library call in
#   `lp_here.failed_call`.
# - It is called without the GIL. Those under "commands" and "events", and `queue_flush`, may be called under a core
#   lock: they must not take the GIL, call Python, or block longer than the library's own call does. `queue_finish`,
#   `event_wait` on an event that is not complete and everything under "memory", "queues", "programs", "kernels" and
#   "questions" are called with no core lock held and may block.
# - Queues are in order. Any thread may call; two calls on one queue never overlap, but calls on different queues do,
#   with the same kernel too: a driver whose kernel objects are not thread-safe locks them itself.
# - `waits` are events of the queue's own context (`DriverDevice.context`); the core bridges others. With `n_waits` 0 it
#   may be anything.
# - The first field of an event is the core's, and 0 in what a driver gives: see step/event.pxi.
# - An event that a command waits for stays referenced by the core until that command is known to be complete.
# - Entries marked "unheld" may wait for the device while they hold a lock of the library. They give ERROR_HELD_BACK,
#   and have done nothing, unless the caller is in an unheld period.
# - Entries marked "or NULL" may be left out.
# - Tables are constant. What a device's calls go through is its domain's pointer to a table, and a queue's; layers are
#   put between (see layers/layer.pxi). So that a layer finds what a call is about, the first field of what
#   `queue_create` and `queue_adopt` give, and of a device's handle, is a pointer that only the core reads and writes:
#   to the lp_queue, and to the lp_domain. Entries about events are given the lp_domain, of which drivers use nothing
#   but its `device`. The first field of a kernel is its name, kernel_use's label, which the driver keeps as long as
#   the kernel.
# - No call of the library's goes past the table, but those that find devices and say what they are: there is no device
#   yet.

# Codes of the core's own, which no driver uses.
cdef enum:
    ERROR_HOST_MEMORY = -100001
    ERROR_QUEUES = -100002
    ERROR_FORKED = -100003
    ERROR_ASYNCHRONOUS = -100004   # a command failed while it ran; which code it failed with is kept beside it
    ERROR_CAPTURED = -100005       # what cannot be part of a graph, in a queue that is captured
    # the call may wait for the device, and a queue of it waits for the host: see wait/unheld.pxi
    ERROR_HELD_BACK = -100006
    ERROR_CLOSED = -100008         # something of a device that was closed
    ERROR_WAITS_FOR_ITSELF = -100007   # a host function waits for what waits for its end
    ERROR_NOT_TOLD = -100009       # the library, or this version of it, cannot answer the question
    # the call would wait for another thread while the caller holds the GIL. Nothing was done: repeat it without the GIL
    ERROR_WOULD_BLOCK = -100012
    ERROR_CAPTURE_WAITS = -100015  # of a capture of launchpath's for an event outside of it
    ERROR_CAPTURE_ENDED = -100013  # of a capture of launchpath's that was ended: see step/capture.pxi
    ERROR_CAPTURE_QUEUE = -100014  # a queue that it cannot have
    ERROR_NO_MORE = -100011        # there is none of that index

cdef enum event_status:
    EVENT_COMPLETE = 0
    EVENT_PENDING = 1
    EVENT_FAILED = 2

cdef enum queue_kind:
    QUEUE_LEGACY = 0
    QUEUE_BLOCKING = 1
    QUEUE_NONBLOCKING = 2

cdef enum memory_kind:
    MEMORY_DEVICE = 0      # what kernels work on; on CPU devices the host can reach it too
    MEMORY_HOST = 1        # pinned host memory: staging for copies
    MEMORY_MANAGED = 2     # host and device reach it at the same address: see `managed_lacks`

cdef enum peer_reach:          # what a device can do with memory of another one of its driver; bits
    PEER_COPIES = 1        # copies between devices work: COMMAND_PEER
    PEER_ACCESS = 2        # after `peer_enable` its commands can use that memory
    PEER_ROWS = 4          # and take more than one row

cdef enum texel_kind:
    TEXEL_UNSIGNED = 0
    TEXEL_SIGNED = 1
    TEXEL_FLOAT = 2

cdef struct texture_facts:
    size_t size[3]             # elements along x, y and z; 0: it has no such axis
    size_t layers              # 0: it has none
    # or NULL. The elements are here: on one axis and read by their index, or rows; else the texture has memory of its own
    void *memory
    size_t pitch               # bytes from row to row of that memory; 0: there are no rows
    uint32_t channels          # of an element: 1, 2 or 4
    uint32_t bits              # of a channel: 8, 16 or 32
    texel_kind kind
    uint32_t address[3]        # beyond the ends of x, y and z: 0 wrap, 1 clamp, 2 mirror, 3 border, which is zeros
    bint linear                # reads interpolate
    bint normalized            # coordinates count from 0 to 1
    bint floats                # integers are read as floats up to 1

cdef enum kernel_fact:
    KERNEL_MAX_THREADS = 0     # of a block
    KERNEL_SHARED = 1          # bytes of static shared memory of a block
    KERNEL_LOCAL = 2           # bytes of local memory of a thread
    KERNEL_REGISTERS = 3       # of a thread
    KERNEL_BLOCK_MULTIPLE = 4  # the threads of a block had better be a multiple of it
    KERNEL_DYNAMIC_SHARED = 5  # 1 if a launch may bring dynamic shared memory
    KERNEL_ARGUMENTS = 6       # how many the library's kernel has
    KERNEL_FUNCTION = 7        # the library's own handle
    KERNEL_CONSTANT = 8        # bytes of the constant memory that its source declares
    KERNEL_PTX_VERSION = 9     # 90 for 9.0: of what it was compiled from
    KERNEL_BINARY_VERSION = 10  # and of the architecture that it was compiled for
    KERNEL_MOST_DYNAMIC = 11   # bytes of dynamic shared memory that a launch may bring
    KERNEL_TAKES_RECORD = 12   # 1 if it checks its accesses to memory: see kernel_use
    KERNEL_FACTS = 13

# By their names: the first six are `DriverKernel.info`, the later four what it is asked for when it matters.
cdef const char *fact_names[KERNEL_FACTS]
fact_names[:] = [
    b"max_threads_per_block", b"shared_memory", b"local_memory", b"registers", b"preferred_block_multiple", b"dynamic_shared",
    b"arguments", b"function", b"const_size_bytes", b"ptx_version", b"binary_version", b"max_dynamic_shared_size_bytes",
    b"takes_record"]

cdef struct program_part:      # one of several binaries that are linked
    const char *name           # in messages
    const void *data           # a NUL follows
    size_t size
    bint text                  # whether it is text in the library's assembly language, and no binary

cdef struct kernel_use:        # what a program knows of a kernel before it asks for it
    size_t parameter_bytes     # of its packed arguments
    bint any_size              # `parameter_bytes` is not known: any size up to the device's limit
    int dynamic_shared         # 1: it takes dynamic shared memory; 0: it does not; -1: the library is asked
    uint64_t globals_address   # what the argument after the packed ones is set to, for good; 0: there is none
    bint takes_record          # it checks its accesses to memory, and takes the address of a launch's record: see layers/bounds.pxi
    bint waits                 # it waits at its entry for the kernel before it: see dependence.pxi
    const char *label          # what the source calls it; its entry point may be called otherwise

cdef uint64_t NO_TIME = <uint64_t>-1

cdef struct lp_times:          # of a command, in nanoseconds of the device's clock; NO_TIME: the library does not tell
    uint64_t queued            # when it was given to the library
    uint64_t submitted         # when the library gave it to the device
    uint64_t started
    uint64_t ended

cdef struct profile_observer:          # of a driver's profiler
    # On the calling thread, within the submission of a command: the library's call has this number
    void (*called)(uint32_t number) noexcept nogil
    # and: it was refused
    void (*refused)(uint32_t number) noexcept nogil
    # A stream begins to be captured, by whatever code
    void (*captures)() noexcept nogil
    # Within `profile_read`: a command that the call submitted ran from `start` to `end`, in nanoseconds of the host's clock
    # (`lp_nanoseconds`); 0: not known
    void (*ran)(uint32_t number, uint64_t start, uint64_t end) noexcept nogil

cdef struct driver_table:
    const char *name       # "opencl", "cuda", "hip", "simulated"
    bint *forked           # the library was in use when this process was forked, and does not work here
    # How long a thread that signals may interrupt asks for itself before another thread makes a call that blocks; 0:
    # its own calls are better (CPU runtimes, where the waiting thread does the work), if what it waits for is known to
    # be brief
    uint32_t look_first    # microseconds
    bint query_suffices    # the host sees what an event is behind as soon as `event_query` says that it is complete

    # or NULL: no call of the library's waits for the device while it holds a lock. Wait up to so many microseconds
    # until no user event is left that the host has not set; then, until `unheld_end`, none is made. Gives
    # ERROR_HELD_BACK after that time. The period is the calling thread's, and several threads may be in one.
    # @ log at most us = microseconds; trace; forked NULL
    int (*unheld_begin)(void *device, uint64_t microseconds) noexcept nogil
    # @ forked NULL
    void (*unheld_end)(void *device) noexcept nogil

    # queues. `kind` matters to drivers that keep the legacy rule themselves (`DriverDevice.native`). Unheld
    # @ log priority; trace
    int (*queue_create)(void *device, queue_kind kind, int priority, void **queue) noexcept nogil
    # or NULL. A queue over a stream that foreign code made and will destroy. Unheld
    # @ log stream = handle
    int (*queue_adopt)(void *device, void *handle, void **queue) noexcept nogil
    void (*queue_release)(void *queue) noexcept nogil        # the core has finished the queue before, or given it up
    # @ trace
    int (*queue_flush)(void *queue) noexcept nogil
    # If a command failed since the last finish it says so (see `command_failed`), once; all commands have ended all the
    # same.
    # @ trace
    int (*queue_finish)(void *queue) noexcept nogil
    # or NULL. The foreign stream under an adopted queue may go from now on; what is in it still counts as the queue's.
    # If it fails the foreign stream must stay until it is idle
    int (*queue_detach)(void *queue) noexcept nogil
    # the library's own object. `exposed`: foreign code gets it, and may use it from now on
    # @ log handle = result
    void *(*queue_handle)(void *queue, bint exposed) noexcept nogil
    # or NULL. Is everything in the queue complete? If it says so the host sees what the commands did
    # @ log status = *status; trace unless in vain
    int (*queue_query)(void *queue, event_status *status) noexcept nogil
    # or NULL. Does somebody record what is submitted to the queue into a graph, instead of running it?
    # @ log capturing = result
    bint (*queue_capturing)(void *queue) noexcept nogil
    # or NULL. `release(data)` is called once, on any thread and without the GIL, when the graph that the queue is being
    # captured into is gone, and all that was made from it; also if this fails. Never, if the library cannot tell
    # @ forked NULL
    int (*graph_keep)(void *queue, void (*release)(void *data) noexcept nogil, void *data) noexcept nogil

    # commands. `kinds` are those that `submit` takes, a bit each: 1 << command_kind. `timing` of a command is NULL where
    # the driver has no timings.
    #
    # - A launch keeps nothing of its packed arguments.
    # - A marker is a point behind everything submitted to the queue so far, and behind its waits; commands after it wait
    #   for those too. If it is `timed` its event has an `event_time`.
    # - Copies of rows: the core submits row by row where the driver has none.
    # - Copies between devices have one row, but where `peer_get` says PEER_ROWS; with `to_texture` they go into a texture.
    uint32_t kinds
    # @ log by hand; trace by hand as marker
    int (*submit)(void *queue, const driver_command *command) noexcept nogil
    # or NULL, all three. Commands in a row, which one call submits; they are at places 0, 1, ... Nothing is kept of what
    # they point to. It is ERROR_HELD_BACK while a queue waits for the host
    # @ log never; trace n; forked NULL
    int (*graph_build)(void *queue, uint32_t n, const graph_command *commands, void **graph) noexcept nogil
    # Submits them all, after `n_changes` of them were changed, each to a command of the same kind and kernel. If it fails
    # it says how many were submitted all the same, and the graph can only be released
    # @ log never; trace by hand; forked NULL
    int (*graph_run)(void *queue, void *graph, const graph_source *source, uint32_t n_changes, const graph_command *changes,
                     uint32_t *accepted) noexcept nogil
    # It may wait for the device. The GIL is not held
    # @ log never; forked NULL
    void (*graph_release)(void *device, void *graph) noexcept nogil
    # or NULL, all three: commands are not timed. What `driver_command.timing` got is asked for the times once the command is
    # complete.
    # Is the command complete? It never blocks
    # @ log status = *status
    int (*timing_query)(void *domain, void *timing, event_status *status) noexcept nogil
    # With `whole` all times; else the start and the end, and the others need not be known
    # @ log ended = times.ended
    int (*timing_read)(void *domain, void *timing, bint whole, lp_times *times) noexcept nogil
    void (*timing_release)(void *domain, void *timing) noexcept nogil
    # or NULL, all five. The library's profiler, for all devices of the process: it tells when launches ran, for less than
    # timings cost; copies and fills have timings. It tells the times of at most `records` launches together, when all of them
    # are complete. It may wait for the device, and so may `profile_end`. ERROR_NOT_TOLD: there is none
    # @ log never; forked NULL
    int (*profile_begin)(const profile_observer *observer, uint32_t records) noexcept nogil
    # Make what has run readable now; without this call it becomes readable later. `whole`: also what the profiler keeps
    # together with commands that are not complete; it will tell nothing of those. No core lock is held but the profiler's
    # @ log never; forked NULL
    void (*profile_flush)(bint whole) noexcept nogil
    # Tell the observer what has run. One thread at a time
    # @ log never; forked NULL
    void (*profile_read)() noexcept nogil
    # After everything was read that is wanted. Launches may stay slower than before
    # @ log never; forked NULL
    void (*profile_end)() noexcept nogil
    # After `profile_end`, while no other thread is in a call of the library's: launches are as before. Not 0: they are not
    # @ log never; forked NULL
    int (*profile_unload)() noexcept nogil

    # events. A failed event says so every time it is asked.
    # @ log status = *status; trace unless in vain
    int (*event_query)(void *domain, void *event, event_status *status) noexcept nogil
    # After it the host sees what came before the event. It flushes nothing: the core has flushed the event's queue.
    # @ trace
    int (*event_wait)(void *domain, void *event) noexcept nogil
    # @ log *nanoseconds
    int (*event_time)(void *domain, void *event, uint64_t *nanoseconds) noexcept nogil    # of the device's own clock
    # or NULL. The device's clock, as timings have it, and the host's (`lp_nanoseconds`) at one moment, and by how much
    # the host's may be wrong: measured, so it takes some time. Where the device has no clock that can be read (CUDA,
    # HIP) its times count from the last pair: a new pair now and then keeps them exact. No core lock is held
    # @ log error ns = *error; forked NULL
    int (*clock_pair)(void *device, uint64_t *device_time, uint64_t *host_time, uint64_t *error) noexcept nogil
    # or NULL: by event_time
    # @ log *nanoseconds
    int (*event_elapsed)(void *domain, void *start, void *end, int64_t *nanoseconds) noexcept nogil
    # or NULL. Was it recorded while somebody captured its queue? Then it can be waited for by queues of that capture,
    # and is nothing else: neither complete nor under way.
    # @ log captured = result; forked NULL
    bint (*event_captured)(void *domain, void *event) noexcept nogil
    void (*event_release)(void *domain, void *event) noexcept nogil
    # Calls function(data, status) once, on any thread, without the GIL, when the event is complete or has failed; that
    # may be before this or `user_event_set` returns, under the core lock that the caller holds, so it takes none
    # itself.
    # @ trace
    int (*event_callback)(void *domain, void *event, void (*function)(void *, event_status) noexcept nogil,
                          void *data) noexcept nogil
    # or NULL: by a marker and `event_callback`. The same when everything that the queue holds is complete
    # @ trace; forked NULL
    int (*queue_callback)(void *queue, void (*function)(void *, event_status) noexcept nogil, void *data) noexcept nogil
    # What the host sets. If it `may_wait` it waits for the end of other threads' unheld periods: no core lock is held
    # then
    # @ log may wait = may_wait; trace
    int (*user_event)(void *device, bint may_wait, void **event) noexcept nogil
    # Complete or failed, once. Failing is best effort: a library that cannot do it without harm completes the event.
    # @ log status; trace
    int (*user_event_set)(void *domain, void *event, event_status status) noexcept nogil

    # memory. With a `queue` it need be usable only by what this queue does from now on, and what waits for that
    # @ log bytes = size; trace size
    int (*allocate)(void *device, void *queue, size_t size, memory_kind kind, void **address) noexcept nogil
    # The core has made sure that nothing uses it any more. Unheld
    # @ log kind; trace; forked 0
    int (*free)(void *device, void *address, memory_kind kind) noexcept nogil
    # @ log bytes free = *free_bytes; trace
    int (*memory_info)(void *device, size_t *free_bytes, size_t *total) noexcept nogil
    # @ trace
    int (*memory_trim)(void *device) noexcept nogil  # or NULL. Give what the library itself keeps back to the system
    # or NULL: launches change nothing that is kept. The bytes of local memory that the library keeps room for, for each
    # thread that the device can run at once; and to keep `limit` instead, unless that is 0. Setting is unheld
    # @ log limit; forked NULL
    int (*local_memory)(void *device, size_t limit, size_t *kept) noexcept nogil

    # or NULL, both: kernels read textures in software. `object` is what kernels are given
    # @ log object = *object
    int (*texture_create)(void *device, const texture_facts *facts, void **texture, uint64_t *object) noexcept nogil
    # The core has made sure that no command uses it any more. Unheld
    # @ forked 0
    int (*texture_release)(void *device, void *texture) noexcept nogil

    # or NULL, both. What commands of a device can do with the memory of another one: peer_reach
    # @ log reach = *reach
    int (*peer_get)(void *device, void *other, int *reach) noexcept nogil
    # Let them use all of it, what is allocated later too. It is no error if they can already. Unheld
    # @ log device = other
    int (*peer_enable)(void *device, void *other) noexcept nogil

    # programs. Calls into the library's compiler and loader, which may take long. `log` is what it says, also if it
    # fails.
    # or NULL: the library compiles nothing
    # @ log bytes = size, options; trace size
    int (*program_build)(void *device, const char *source, size_t size, const char *options, lp_text *log,
                         void **program) noexcept nogil
    # or NULL. The device's own binary, or what the library takes in its place; a NUL follows the data. Unheld
    # @ log bytes = size; trace size
    int (*program_load)(void *device, const void *data, size_t size, const char *options, lp_text *log,
                        void **program) noexcept nogil
    # or NULL: the library links nothing. One binary of several that use each other's functions, for `program_load`
    # @ log parts = n
    int (*program_link)(void *device, uint32_t n, const program_part *parts, lp_text *log, lp_text *binary) noexcept nogil
    # or NULL: what kernels print comes by itself. Bring to standard output what complete commands have printed; never
    # waits for others
    int (*output_show)(void *device) noexcept nogil
    # or NULL: the library does not tell. The names of the kernels, with semicolons between
    int (*program_kernels)(void *device, void *program, lp_text *names) noexcept nogil
    # @ log bytes = binary.size
    int (*program_binary)(void *device, void *program, lp_text *binary) noexcept nogil  # or NULL: it is what was loaded
    # or NULL. Where a global is, by its symbol
    # @ log bytes = *size, name
    int (*program_symbol)(void *device, void *program, const char *name, void **address, size_t *size) noexcept nogil
    # Where the driver is native the core has made sure that no launch uses it any more. Unheld
    # @ trace; forked 0
    int (*program_release)(void *device, void *program) noexcept nogil

    # kernels
    # @ log by hand; trace
    int (*kernel_find)(void *device, void *program, const char *name, const kernel_use *use,
                       void **kernel) noexcept nogil
    # @ log function
    int (*kernel_adopt)(void *device, void *function, void **kernel) noexcept nogil  # or NULL. Foreign code's function
    void (*kernel_release)(void *device, void *kernel) noexcept nogil
    # @ log fact_names[<int>fact] = *value, kernel
    int (*kernel_get)(void *device, void *kernel, kernel_fact fact, int64_t *value) noexcept nogil
    # or NULL. Notes where the parameters are in the packed bytes, once, before the first launch; no call of the
    # library's
    # @ log parameters = n, kernel
    int (*kernel_lay_out)(void *device, void *kernel, uint32_t n, const size_t *offsets,
                          const size_t *sizes) noexcept nogil
    # or NULL. Prepares for launches with more dynamic shared memory than the device's default
    # @ log bytes = size, kernel
    int (*kernel_allow_shared)(void *device, void *kernel, size_t size) noexcept nogil
    # or NULL. Lets graphs of frozen steps launch another kernel, of the same code with an early trigger, in a kernel's place
    # where that pays; once, for good. `early` stays as long as the kernel
    # @ log kernel; forked NULL
    int (*kernel_pair)(void *device, void *kernel, void *early) noexcept nogil
    # or NULL. How many blocks run on a compute unit at a time
    # @ log threads, kernel
    int (*kernel_occupancy)(void *device, void *kernel, int threads, size_t shared, int *blocks) noexcept nogil
    # or NULL. Threads of a block (`most` at most, 0: any) that keep the device busiest, and how many blocks fill it
    # @ log at most threads = most, kernel
    int (*kernel_suggest)(void *device, void *kernel, size_t shared, int most, int *threads, int *blocks) noexcept nogil
    # or NULL. Where a parameter is in the packed bytes, as the library sees it; ERROR_NO_MORE behind the last one
    # @ log index, kernel
    int (*kernel_parameter)(void *device, void *kernel, size_t index, size_t *offset, size_t *size) noexcept nogil
    # or NULL. The function that a kernel of a library of kernels (CUkernel) is on this device. Unheld
    # @ log function = *function
    int (*kernel_function)(void *device, void *kernel, void **function) noexcept nogil

    # questions about what foreign code has
    # or NULL: by the legacy stream?
    # @ log blocking = *blocking
    int (*stream_blocking)(void *device, void *stream, bint *blocking) noexcept nogil
    # @ log device = *ordinal
    int (*address_device)(void *device, void *address, int *ordinal) noexcept nogil  # or NULL. It fails if it has none

    # Does this code, from `queue_finish` or `event_wait`, say that a command failed, and not that the call did?
    # @ log never
    bint (*command_failed)(int code) noexcept nogil
    # @ log never; forked keep
    const char *(*error_name)(int code) noexcept nogil       # the library's standard name, or NULL
    # @ log never; forked keep
    const char *(*advice)(int code) noexcept nogil           # or NULL. What to do about it, or NULL

# The names of the library's calls by entry, for messages and traces, are the driver's own: `lp_here.failed_call`.
