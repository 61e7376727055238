# The state of the process: what all devices share. A device's own is its domain, a driver's library has its own struct.
#
# What Python objects hold is beside it in `open_devices`; what only saves work (kernels' names, types seen before)
# stays where it is used.

cdef struct lp_queue
cdef struct lp_domain
cdef struct lp_host_copy
cdef struct lp_job
cdef struct lp_wait
cdef struct lp_graph_memory
cdef struct lp_holder
cdef struct lp_recording
cdef struct lp_unused

cdef enum ordering_kind:
    ORDERING_CLOCKS = 0        # wait for what is not ordered yet
    ORDERING_NONEMPTY = 1      # a marker in every queue that is not known to be empty, for every command
    ORDERING_ALWAYS = 2        # a marker in every queue, for every command

cdef struct lp_runtime_state:
    # What launches look at.
    uint64_t failures          # commands known to have failed; see ordering/order.pxi, forget
    uint64_t frees             # allocations that were freed by name, and not by being dropped
    uint64_t tick              # counts allocations: see memory/users.pxi
    uint64_t holds             # that the host has not set, those of host functions included
    uint64_t lending           # queues that have lent memory since their last mark: see memory/lent.pxi
    bint launch_blocking       # every command is waited for
    bint bounds                # kernels check their accesses to memory
    size_t guard               # bytes that stay unused behind each array, so that no two have an address in common
    bint breaks                # a debugger stops at launches of some kernels
    bint mended                # LAUNCHPATH_MEND wants to know of launches, of kernels or of graphs' runs
    bint watches_writes        # devices that are opened get the layer of writes
    bint checked               # one of these is so, or launches wait for each other: Python launches and answers calls
    bint watched               # this, or calls are recorded
    bint block_skips           # uploads of what a slot holds already are left out
    ordering_kind ordering
    bint exiting               # the interpreter is going down: drivers may be gone, so nothing is released any more
    uint64_t unheld_periods    # of all threads, wanted or begun (the GIL)
    uint64_t own_hold_patience     # microseconds that a thread waits for what it holds back itself
    lp_holder *holders         # of the holds that Python has and has not released (registry_lock)
    # Slots, and the lists of queues by domain.
    lp_lock registry_lock
    uint64_t identities        # queues that there have been (registry_lock)
    lp_domain *domains         # of devices that are open (registry_lock)
    uint64_t n_slots           # ever used
    uint32_t n_slots_free
    # Queues whose streams are gone with work in flight, the one that was asked longest ago first (registry_lock).
    lp_queue *closed_first
    lp_queue *closed_last
    uint64_t n_closed
    bint steps                 # there was a step, or is to be: devices that are opened get its layer
    bint step_layers           # all devices have it
    uint64_t step_identities   # steps that there have been (registry_lock)
    uint64_t step_runs         # and so many runs,
    uint64_t step_threads      # in so many threads
    lp_recording *recordings   # all there ever were (registry_lock)
    lp_unused *unused          # graphs to be released without the GIL (registry_lock)
    lp_lock layers_lock        # comes before all other locks
    # Host functions and the threads that run them.
    lp_lock jobs_lock
    lp_condition jobs_arrived
    lp_job *jobs_first
    lp_job *jobs_last
    uint64_t workers_stop
    uint64_t workers           # threads that were started (jobs_lock, as what follows)
    uint64_t job_queues        # queues with host functions under way
    uint64_t host_raised       # exceptions of host functions that no wait has raised yet
    # Waits that block in a driver, and the threads that make them.
    lp_lock waiters_lock
    lp_condition waiters_wanted
    lp_wait *waits_first       # nobody makes them yet (waiters_lock)
    uint32_t waiters_idle      # less those that a wait in the list is for
    uint64_t waits_under_way   # given to waiters, which still hold what they wait for
    bint wait_in_slices
    # What event loops await, and the thread that looks at it.
    lp_lock watch_lock         # a leaf
    lp_condition watch_changed
    uint64_t watch_changes     # counts them (changes under watch_lock)
    uint64_t watching          # 1 while it calls drivers
    uint64_t watcher           # its number, see `this_thread`
    uint64_t watch_ends        # Python ends
    uint64_t brief_kernels[64]  # a bit each, by `brief_bit`; only the main thread touches them
    # Copies of host memory by several threads.
    lp_lock copiers_lock       # a leaf
    lp_condition copies_wanted
    lp_host_copy *host_copies  # under way (copiers_lock)
    uint64_t n_host_copies     # how many (changes under copiers_lock)
    uint64_t host_copies_begun  # counts them (changes under copiers_lock)
    int most_copiers           # threads that may help, those that do have started (copiers_lock)
    int n_copiers
    lp_lock graphs_lock        # a leaf
    lp_graph_memory *graphs_gone       # whose graphs are gone (graphs_lock)
    block_counts block_gone    # what the blocks of all kernels did that are gone
    uint64_t exit_patience     # microseconds that what is in flight has to end by itself
    # By slot: the highest number known to be complete. It only grows, and is read without a lock.
    uint64_t completed[MAX_QUEUES]
    lp_queue *slot_queue[MAX_QUEUES]   # followed only under the lock in `slot_lock`
    lp_lock *slot_lock[MAX_QUEUES]     # of the queue that has the slot; changes under that lock
    uint64_t slot_base[MAX_QUEUES]     # the last number of the slot's former queues
    uint32_t slots_free[MAX_QUEUES]    # used before; those given back last are used first

cdef lp_runtime_state lp_runtime
cdef list open_devices = []

lp_runtime.block_skips = lp_runtime.wait_in_slices = True
lp_runtime.exit_patience = 5000000
lp_runtime.own_hold_patience = 10000000
lp_lock_init(&lp_runtime.registry_lock)
lp_lock_rank(&lp_runtime.registry_lock, RANK_REGISTRY)
lp_lock_init(&lp_runtime.layers_lock)
lp_lock_rank(&lp_runtime.layers_lock, RANK_LAYERS)
lp_lock_init(&lp_runtime.jobs_lock)
lp_condition_init(&lp_runtime.jobs_arrived)
lp_lock_init(&lp_runtime.waiters_lock)
lp_condition_init(&lp_runtime.waiters_wanted)
lp_lock_init(&lp_runtime.watch_lock)
lp_condition_init(&lp_runtime.watch_changed)
lp_lock_init(&lp_runtime.copiers_lock)
lp_condition_init(&lp_runtime.copies_wanted)
lp_lock_init(&lp_runtime.graphs_lock)
