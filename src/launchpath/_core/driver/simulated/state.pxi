# The simulated machine's state: plain C, all of it guarded by the machine's one lock.
# Nothing here may take the GIL while that lock is held, because table functions are called under core locks.

from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memmove, memset, strcmp, strcspn, strlen, strncat, strncmp
from libc.stdio cimport snprintf

cdef extern from *:
    """
    #ifdef _WIN32
    static void sim_sleep(unsigned microseconds) { Sleep(microseconds / 1000); }
    static uint64_t sim_clock_ns(void) {
        LARGE_INTEGER now, rate;
        QueryPerformanceCounter(&now);
        QueryPerformanceFrequency(&rate);
        return (uint64_t)((double)now.QuadPart * 1e9 / (double)rate.QuadPart);
    }
    #else
    #include <sched.h>
    #include <time.h>
    static void sim_sleep(unsigned microseconds) {
        struct timespec pause = {microseconds / 1000000, (long)(microseconds % 1000000) * 1000};
        if (microseconds) nanosleep(&pause, 0); else sched_yield();
    }
    static uint64_t sim_clock_ns(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    }
    #endif
    static LP_THREAD_LOCAL void *sim_this_callback = 0;    /* the event whose callback this thread is running */
    static LP_THREAD_LOCAL uint64_t sim_this_bridge = 0;   /* the user event that callbacks registered now belong to */
    static LP_THREAD_LOCAL int sim_this_bridge_used = 0;
    static LP_THREAD_LOCAL int sim_this_kernel = 0;        /* this thread is inside a Python kernel */
    static LP_THREAD_LOCAL char sim_this_thread;           /* its address names the thread */
    """
    void sim_sleep(unsigned microseconds) nogil
    uint64_t sim_clock_ns() nogil
    void *sim_this_callback
    uint64_t sim_this_bridge
    int sim_this_bridge_used
    int sim_this_kernel
    char sim_this_thread

cdef enum:
    SIM_INJECTED = -9001
    SIM_OUT_OF_MEMORY = -9002
    SIM_COMMAND_FAILED = -9003
    SIM_DEADLOCK = -9004
    SIM_INVALID_VALUE = -9005
    SIM_INVALID_CONFIGURATION = -9006
    SIM_INVALID_QUEUE = -9007
    SIM_INVALID_EVENT = -9008
    SIM_INVALID_CONTEXT = -9009
    SIM_INVALID_ADDRESS = -9010
    SIM_NOT_READY = -9011
    SIM_NOT_TIMED = -9012
    SIM_CLOSED = -9013
    SIM_BUILD_FAILED = -9014
    SIM_NO_SUCH_KERNEL = -9015
    SIM_INVALID_PROGRAM = -9016

cdef enum sim_call:
    SIM_QUEUE_CREATE, SIM_QUEUE_RELEASE, SIM_QUEUE_FLUSH, SIM_QUEUE_FINISH, SIM_LAUNCH, SIM_COPY, SIM_FILL, SIM_MARKER,
    SIM_EVENT_QUERY, SIM_EVENT_WAIT, SIM_EVENT_TIME, SIM_EVENT_RELEASE, SIM_EVENT_CALLBACK, SIM_USER_EVENT,
    SIM_USER_EVENT_SET, SIM_ALLOCATE, SIM_FREE, SIM_MEMORY_INFO, SIM_COPY_PEER, SIM_COPY_ROWS, SIM_PEER_GET, SIM_PEER_ENABLE,
    SIM_PROGRAM_BUILD, SIM_KERNEL_FIND,     # these fail only when they are named
    SIM_CALLS

cdef enum sim_order:
    SIM_UNORDERED, SIM_ORDERED, SIM_UNDECIDED

cdef enum sim_life:
    SIM_LIVE = 0x51A11FE, SIM_DEAD = 0x51ADEAD

cdef enum sim_dependence:          # which kernels are launched so that they may start while the one before ends
    SIM_NONE, SIM_WAITING_ONES, SIM_ALL

cdef enum sim_callback_state:
    SIM_WAITING, SIM_DUE

# A clock maps queue -> number. It is shared, and copied before it is written. `users` are user events that it is after
# and that nobody had set when it was made: what they bring along is known only then.
cdef struct sim_clock:
    uint32_t refs
    uint32_t n
    uint32_t n_users
    sim_event **users
    uint64_t *at

cdef struct sim_wait_place:
    sim_queue *queue
    uint64_t number

cdef struct sim_event:
    uint64_t recorded              # the core's; first, see driver/table.pxi
    uint32_t life
    uint32_t refs                  # the core's own one, commands that wait for it, its node, callbacks, clocks
    sim_machine *machine
    void *context
    sim_queue *queue               # NULL: set by the host
    uint64_t number                # of the last command before it
    uint64_t sequence              # of its node
    uint64_t identity
    sim_clock *order               # from the driver calls alone
    sim_clock *full                # what the host knew at submission included; for a user event: what setting it brings
    event_status status
    bint timed
    bint noted                     # its completion is in `known`
    bint has_callback
    uint64_t time
    uint64_t queued                # of a command with times
    uint64_t started
    sim_wait_place *waiters        # the last command of each queue that waits for it
    uint32_t n_waiters
    sim_callback *callbacks
    sim_event *next                # graveyard, and the list of live user events or live events
    sim_event *previous

cdef struct sim_callback:
    sim_event *event
    void (*function)(void *, event_status) noexcept nogil
    void *data
    uint64_t bridge
    sim_callback *next

cdef struct sim_allocation:
    uintptr_t low                  # the address that the core gets; not the host's when the host cannot reach it
    uintptr_t high
    char *store
    void *base
    sim_device *device
    memory_kind kind
    bint freed
    uint64_t identity
    uint32_t pending               # nodes that will touch it
    sim_access *accesses
    uint32_t n
    uint32_t room
    sim_allocation *next           # quarantine

cdef struct sim_range:
    sim_allocation *allocation
    uintptr_t low
    uintptr_t high
    bint write

cdef struct sim_parameter:
    uint8_t kind                   # of SIM_POINTER, ...
    bint constant
    uint32_t offset
    uint32_t size
    uint64_t length                # bytes accessed behind a pointer; 0: to the allocation's end
    int length_from                # or: `length` times the integer parameter of that index; -1: none

cdef enum:
    SIM_POINTER, SIM_INT, SIM_UINT, SIM_FLOAT, SIM_STRUCT

cdef struct sim_device

cdef struct sim_program:
    uint32_t life
    uint32_t kernels               # that were looked up and not released
    uint64_t identity
    sim_device *device
    sim_wait_place *launched       # the last launch of each queue
    uint32_t n_launched
    sim_program *next

cdef struct sim_kernel:
    char *name                     # first, see driver/table.pxi
    uint32_t life
    sim_program *program           # NULL: an implementation; those that are looked up are copies of it
    void *context
    sim_device *device
    void *function                 # borrowed from the machine's list; NULL: mix
    sim_parameter *parameters
    uint32_t n_parameters
    size_t needed                  # bytes of arguments
    bint waits                     # at its entry for the kernel before it, as the core was told
    bint lacks                     # and in truth it does not
    sim_kernel *next

cdef struct sim_node:
    sim_node *next
    sim_queue *queue
    sim_call kind
    uint64_t number
    uint64_t sequence
    bint numbered
    uint32_t n_waits
    sim_event **waits
    sim_event *few_waits[4]
    sim_clock *before_order        # the queue's clocks without these waits, in case they fail
    sim_clock *before_full
    sim_event *event
    sim_kernel *kernel
    launch_config config
    char *bytes                    # arguments or pattern
    size_t n_bytes
    char few_bytes[160]
    uintptr_t to
    uintptr_t source
    size_t size
    size_t to_pitch                # of a copy of rows, of `size` bytes each
    size_t source_pitch
    size_t rows
    sim_range *ranges
    uint32_t n_ranges
    sim_range few_ranges[4]
    bint dependent                 # it may start when the one before it has started
    bint waits_at_entry
    bint started
    bint done                      # before some that came earlier
    uint64_t checksum              # of a copy's source in host memory; 0: not watched

# What is before a command in its own queue: all up to `base`, and all from `first` on; and before its start, all up to
# `start`. See dependence.pxi.
cdef struct sim_cover:
    uint64_t base
    uint64_t first
    uint64_t start

cdef struct sim_queue:
    void *core                     # the core's
    uint32_t life
    sim_machine *machine
    sim_device *device
    int index                      # on its device
    uint32_t identity              # in clocks
    int priority
    uint64_t number
    uint64_t submitted             # nodes, bare markers included
    uint64_t flushed
    uint64_t finished
    uint64_t inside                # calls that are in progress
    sim_node *head
    sim_node *tail
    sim_clock *order
    sim_clock *full
    uint64_t host_seen
    bint running
    lp_dependence dependence
    sim_cover cover                # of the last command
    bint broken                    # a command failed and no finish has said so yet
    int active                     # place in the machine's list of queues with nodes; -1: none

cdef struct sim_device:
    void *domain                   # the core's
    sim_machine *machine
    int index
    void *context
    bint host_accessible
    bint flush_each
    bint unloads
    uint64_t capacity
    uint64_t used                  # device memory
    uint64_t used_host
    uint64_t allocations
    int reach                      # peer_reach of the machine's other devices
    uint64_t peers                 # a bit for each device whose memory its commands may use
    int n_queues
    uint32_t max_threads
    uint32_t max_block[3]
    uint32_t max_grid[3]
    uint32_t max_shared
    size_t max_parameters

cdef struct sim_machine:
    lp_lock lock
    uint64_t refs                  # Python objects
    bint closed
    void *owner                    # the Simulated, borrowed; NULL once it is gone
    uint64_t rng
    bint automatic
    bint record
    bint watch
    bint hold_callbacks
    bint fail_waiters
    bint fail_followers
    sim_dependence dependent
    uint64_t n_overlaps
    int handoff                    # 0: same thread only, 1: linked, 2: any callback
    double patience
    void *first_thread
    bint many_threads
    bint helped                    # a background thread advances
    uint64_t progress
    uint64_t executed
    uint32_t running
    uint32_t delivering

    sim_device **devices
    int n_devices
    sim_queue **queues
    uint32_t n_queues
    uint32_t live_queues
    sim_queue **active
    uint32_t n_active

    sim_clock *host
    sim_clock *known               # host, and what queries and callbacks have said
    uint64_t host_version

    sim_event *live_events
    uint64_t n_live_events
    uint64_t pending_users
    sim_event *grave_head
    sim_event *grave_tail
    uint64_t n_grave
    uint64_t identities
    sim_callback *due_head
    sim_callback *due_tail
    sim_node *free_nodes

    sim_allocation **allocations   # by address, quarantined ones included
    uint32_t n_allocations
    uint32_t room_allocations
    sim_allocation *quarantine_head
    sim_allocation *quarantine_tail
    uint64_t quarantined
    uint64_t quarantine_limit
    sim_kernel *kernels            # implementations
    sim_kernel *looked_up          # kept when released, so that late uses are noticed
    sim_program *programs
    uint64_t n_programs

    sim_report *reports
    uint32_t n_reports
    uint32_t room_reports
    uint64_t dropped_reports
    uint64_t redundant
    sim_log_entry *log
    uint64_t n_log
    uint64_t room_log
    sim_place *log_waits
    uint64_t n_log_waits
    uint64_t room_log_waits
    sim_suspect *suspects
    uint32_t n_suspects
    uint32_t room_suspects

    uint64_t calls[SIM_CALLS]
    uint64_t uploaded
    uint64_t downloaded
    uint64_t deepest
    sim_fault *faults
    sim_bad_command *bad_commands
    sim_place *failures
    uint32_t n_failures
    uint32_t room_failures


cdef void *sim_grow(void *items, size_t size, uint64_t needed, uint64_t *room) noexcept nogil:
    """Room for `needed` items; memory of the simulator itself never runs out in a way that is handled."""
    if needed > room[0]:
        room[0] = max(16, needed * 2)
        items = realloc(items, room[0] * size)
    return items


cdef void *sim_grow32(void *items, size_t size, uint32_t needed, uint32_t *room) noexcept nogil:
    if needed > room[0]:
        room[0] = max(16, needed * 2)
        items = realloc(items, room[0] * size)
    return items


cdef uint64_t sim_random(sim_machine *m) noexcept nogil:
    m.rng ^= m.rng << 13
    m.rng ^= m.rng >> 7
    m.rng ^= m.rng << 17
    return m.rng * <uint64_t>0x2545F4914F6CDD1D
