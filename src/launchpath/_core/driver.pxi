# The driver table: the C struct that a driver fills, and all that the core knows of it.
#
# Contract, for every function of the table:
# - It returns 0, or the driver's own error code (never 0) and leaves the name of the library call in `lp_failed_call`.
# - It is called without the GIL. Those under "commands" and "events", and `queue_flush`, may be called under a core lock:
#   they must not take the GIL, call Python, or block longer than the library's own call does. `queue_finish`,
#   `event_wait` on an event that is not complete and everything under "memory" and "queues" are called with no core lock held and may block.
# - Queues are in order. Any thread may call; two calls on one queue never overlap, but calls on different queues do,
#   with the same kernel too: a driver whose kernel objects are not thread-safe locks them itself.
# - `waits` are events of the queue's own context (`DriverDevice.context`); the core bridges others. With `n_waits` 0 it
#   may be anything.
# - An event that a command waits for stays referenced by the core until that command is known to be complete.
# - Entries marked "unheld" may wait for the device while they hold a lock of the library. They give ERROR_HELD_BACK, and
#   have done nothing, unless the caller is in an unheld period.
# - Entries marked "or NULL" may be left out.
# - Tables are constant. What a device's calls go through is its domain's pointer to a table, and a queue's; layers are put
#   between (see layer.pxi). So that a layer finds what a call is about, the first field of what `queue_create` and
#   `queue_adopt` give, and of a device's handle, is a pointer that only the core reads and writes: to the lp_queue, and to the
#   lp_domain. Entries about events are given the lp_domain; drivers do not look at it.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t

cdef extern from "lock.h" nogil:
    ctypedef struct lp_lock:
        pass
    void lp_lock_init(lp_lock *lock)
    void lp_lock_destroy(lp_lock *lock)
    void lp_lock_acquire(lp_lock *lock)
    bint lp_lock_try(lp_lock *lock)
    void lp_lock_release(lp_lock *lock)
    uint64_t lp_load(const uint64_t *at)
    void lp_store(uint64_t *at, uint64_t value)
    uint64_t lp_add(uint64_t *at, int64_t value)
    void lp_raise(uint64_t *at, uint64_t value)
    bint lp_swap_if(uint64_t *at, uint64_t expected, uint64_t value)
    ctypedef struct lp_condition:
        pass
    void lp_condition_init(lp_condition *condition)
    void lp_condition_signal(lp_condition *condition)
    void lp_condition_broadcast(lp_condition *condition)
    void lp_condition_wait(lp_condition *condition, lp_lock *lock)
    void lp_condition_wait_for(lp_condition *condition, lp_lock *lock, uint64_t microseconds)
    void lp_sleep(uint64_t microseconds)
    void lp_pause()
    uint64_t lp_nanoseconds()      # of a clock that is never set
    bint lp_thread(void (*function)(void *) noexcept nogil, void *data)
    const char *lp_failed_call
    void *lp_current_stream
    void *lp_packing               # the launcher whose unusual arguments this thread packs
    void *lp_awaited               # the driver table of the stream that waits for this thread's host function
    void *lp_job_here              # the lp_job of that host function
    uint64_t lp_unheld             # unheld periods that this thread is in

cdef extern from *:
    # Cython's macros: the compiler puts what is rare out of the way of the rest.
    bint likely(bint condition) noexcept nogil
    bint unlikely(bint condition) noexcept nogil

# Codes of the core's own, which no driver uses.
cdef enum:
    ERROR_HOST_MEMORY = -100001
    ERROR_QUEUES = -100002
    ERROR_FORKED = -100003
    ERROR_ASYNCHRONOUS = -100004   # a command failed while it ran; which code it failed with is kept beside it
    ERROR_CAPTURED = -100005       # what cannot be part of a graph, in a queue that is captured
    ERROR_HELD_BACK = -100006      # the call may wait for the device, and a queue of it waits for the host: see unheld.pxi
    ERROR_CLOSED = -100008         # something of a device that was closed
    ERROR_WAITS_FOR_ITSELF = -100007   # a host function waits for what waits for its end

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
    MEMORY_MODULE = 2      # a loaded module, given back as memory is: it must outlive its launches

cdef enum launch_flags:
    LAUNCH_COOPERATIVE = 1 # all blocks run at once, so that they may wait for each other

cdef struct launch_config:
    uint32_t grid[3]       # blocks
    uint32_t block[3]      # threads in a block
    uint32_t shared        # bytes of dynamic shared memory
    uint32_t flags         # launch_flags

cdef struct driver_table:
    const char *name       # "opencl", "cuda", "hip", "simulated"
    bint *forked           # the library was in use when this process was forked, and does not work here
    # How long a thread that signals may interrupt asks for itself before another thread makes a call that blocks; 0: its own
    # calls are better (CPU runtimes, where the waiting thread does the work), if what it waits for is known to be brief
    uint32_t look_first    # microseconds

    # or NULL: no call of the library's waits for the device while it holds a lock. Wait up to so many microseconds until no
    # user event is left that the host has not set; then, until `unheld_end`, none is made. Gives ERROR_HELD_BACK after that
    # time. The period is the calling thread's, and several threads may be in one.
    int (*unheld_begin)(void *device, uint64_t microseconds) noexcept nogil
    void (*unheld_end)(void *device) noexcept nogil

    # queues. `kind` matters to drivers that keep the legacy rule themselves (`DriverDevice.native`). Unheld
    int (*queue_create)(void *device, queue_kind kind, int priority, void **queue) noexcept nogil
    # or NULL. A queue over a stream that foreign code made and will destroy. Unheld
    int (*queue_adopt)(void *device, void *handle, void **queue) noexcept nogil
    void (*queue_release)(void *queue) noexcept nogil        # the core has finished the queue before, or given it up
    int (*queue_flush)(void *queue) noexcept nogil
    # If a command failed since the last finish it says so (see `command_failed`), once; all commands have ended all the same.
    int (*queue_finish)(void *queue) noexcept nogil
    # or NULL. The foreign stream under an adopted queue may go from now on; what is in it still counts as the queue's. If it
    # fails the foreign stream must stay until it is idle
    int (*queue_detach)(void *queue) noexcept nogil
    void *(*queue_handle)(void *queue) noexcept nogil        # the library's own object, for foreign code
    # or NULL. Is everything in the queue complete? If it says so the host sees what the commands did
    int (*queue_query)(void *queue, event_status *status) noexcept nogil
    # or NULL. Does somebody record what is submitted to the queue into a graph, instead of running it?
    bint (*queue_capturing)(void *queue) noexcept nogil
    # or NULL. `release(data)` is called once, on any thread and without the GIL, when the graph that the queue is being captured
    # into is gone, and all that was made from it; also if this fails. Never, if the library cannot tell
    int (*graph_keep)(void *queue, void (*release)(void *data) noexcept nogil, void *data) noexcept nogil

    # commands. `size` bytes of packed arguments in CUDA's layout; nothing is kept of `bytes` or `pattern` after the call
    int (*launch)(void *queue, void *kernel, const launch_config *config, const void *bytes, size_t size,
                  uint32_t n_waits, void **waits) noexcept nogil
    int (*copy)(void *queue, void *to, const void *source, size_t size, uint32_t n_waits, void **waits) noexcept nogil
    int (*fill)(void *queue, void *to, const void *pattern, size_t pattern_size, size_t size,
                uint32_t n_waits, void **waits) noexcept nogil
    # A point behind everything submitted to the queue so far, and behind `waits`; commands after it wait for those too.
    # `event` may be NULL if nobody will wait for it. `timed` markers have an `event_time`.
    int (*marker)(void *queue, bint timed, uint32_t n_waits, void **waits, void **event) noexcept nogil

    # events. A failed event says so every time it is asked.
    int (*event_query)(void *domain, void *event, event_status *status) noexcept nogil
    # After it the host sees what came before the event. It flushes nothing: the core has flushed the event's queue.
    int (*event_wait)(void *domain, void *event) noexcept nogil
    int (*event_time)(void *domain, void *event, uint64_t *nanoseconds) noexcept nogil    # of the device's own clock
    # or NULL: by event_time
    int (*event_elapsed)(void *domain, void *start, void *end, int64_t *nanoseconds) noexcept nogil
    # or NULL. Was it recorded while somebody captured its queue? Then it can be waited for by queues of that capture, and
    # is nothing else: neither complete nor under way.
    bint (*event_captured)(void *domain, void *event) noexcept nogil
    void (*event_release)(void *domain, void *event) noexcept nogil
    # Calls function(data, status) once, on any thread, without the GIL, when the event is complete or has failed; that may
    # be before this or `user_event_set` returns, under the core lock that the caller holds, so it takes none itself.
    int (*event_callback)(void *domain, void *event, void (*function)(void *, event_status) noexcept nogil,
                          void *data) noexcept nogil
    # or NULL: by a marker and `event_callback`. The same when everything that the queue holds is complete
    int (*queue_callback)(void *queue, void (*function)(void *, event_status) noexcept nogil, void *data) noexcept nogil
    # What the host sets. If it `may_wait` it waits for the end of other threads' unheld periods: no core lock is held then
    int (*user_event)(void *device, bint may_wait, void **event) noexcept nogil
    # Complete or failed, once. Failing is best effort: a library that cannot do it without harm completes the event.
    int (*user_event_set)(void *domain, void *event, event_status status) noexcept nogil

    # memory. With a `queue` it need be usable only by what this queue does from now on, and what waits for that
    int (*allocate)(void *device, void *queue, size_t size, memory_kind kind, void **address) noexcept nogil
    # The core has made sure that nothing uses it any more. Unheld
    int (*free)(void *device, void *address, memory_kind kind) noexcept nogil
    int (*memory_info)(void *device, size_t *free, size_t *total) noexcept nogil
    int (*memory_trim)(void *device) noexcept nogil          # or NULL. Give what the library itself keeps back to the system
    int (*module_release)(void *device, void *module) noexcept nogil         # or NULL: there is no MEMORY_MODULE. Unheld

    # Does this code, from `queue_finish` or `event_wait`, say that a command failed, and not that the call did?
    bint (*command_failed)(int code) noexcept nogil
    const char *(*error_name)(int code) noexcept nogil       # the library's standard name, or NULL
    const char *(*advice)(int code) noexcept nogil           # or NULL. What to do about it, or NULL

# The names of the library's calls by entry, for messages and (later) traces, are the driver's own: `lp_failed_call`.


cdef class DriverDevice:
    """One device of one driver, as found. Drivers derive from it; the core wraps it.

    Attributes that Python reads: ``info``, a dict with ``name``, ``vendor``, ``platform``, ``driver_version``,
    ``driver`` (the table's name), ``kind`` ("cpu", "gpu", "simulated"), ``compute_units``, ``max_threads_per_block``,
    ``max_block`` (3 ints), ``max_grid`` (3 ints), ``shared_memory_per_block`` (bytes), ``parameter_bytes``,
    ``total_memory`` (bytes), ``priorities`` (lowest, highest; HIP's sense, lower number is more urgent; (0, 0) if none),
    ``dialect`` ("spirv", "clc-generic", "clc", "simulated").
    """
    cdef const driver_table *table    # the driver's own
    cdef void *handle             # first argument of queue_create, allocate, ...
    cdef void *context            # events can be waited for by queues with the same context only
    cdef bint host_accessible     # MEMORY_DEVICE can be read and written by the host
    cdef bint flush_each          # a command may not start until its queue is flushed
    cdef bint native              # the library orders its legacy stream with blocking ones itself: the core leaves it to it
    cdef readonly bint stages     # a copy to or from memory that is not pinned blocks until the queue has come to it
    cdef object pool              # the core's pool for this device, for what must outlive commands
    cdef public dict info

    def refuse_forked(self):
        """Raise in a process that was forked after a device of this driver had been opened: the library does not work there."""
        refuse_forked(self.table)

    def build(self, str source, str options=""):
        """Compile `source` and return a `DriverProgram`; raises `CompileError` with the compiler's log."""
        raise NotImplementedError


cdef class DriverProgram:
    """A built program. ``kernel(name)`` gives a `DriverKernel`; ``log`` is what the compiler said."""
    cdef public str log

    def kernel(self, str name, Py_ssize_t parameter_bytes=-1, dynamic_shared=None, uint64_t globals_address=0):
        """The kernel called `name`, which takes that many bytes of arguments, and dynamic shared memory or not.

        `globals_address` is where its program's globals are; 0 if it uses none.
        """
        raise NotImplementedError


cdef class DriverKernel:
    """A kernel of a built program: `handle` goes to `launch`. It keeps its program alive."""
    cdef const driver_table *table
    cdef void *handle
    cdef public dict info         # "max_threads_per_block" and whatever else the driver knows

    def take_parameters(self, list places):
        """Note the kernel's parameters, [(offset, size)] in the packed bytes, before it is launched."""

    def allow_shared(self, size_t size):
        """Prepare for launches with `size` bytes of dynamic shared memory, which is more than the device's default."""

    def occupancy(self, unsigned int threads, size_t shared):
        """How many blocks of so many threads run on one compute unit at a time; None if the driver cannot tell."""
        return None

    def suggest_block(self, size_t shared, unsigned int most):
        """(threads of a block that keep the device busiest, blocks that fill it); None if the driver cannot tell."""
        return None

    def parameter_layout(self):
        """[(offset, size)] of the kernel's parameters as the driver sees them; None if it cannot tell."""
        return None
