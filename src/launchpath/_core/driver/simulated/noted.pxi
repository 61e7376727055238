# What a simulated machine notes for tests, and what they have asked it for: reports, its log, suspected races, faults.

cdef struct sim_access:
    sim_queue *queue
    uint64_t number
    uintptr_t low
    uintptr_t high
    bint write
    const char *what

cdef struct sim_place:
    int device
    int queue
    int64_t number

cdef struct sim_report:
    const char *kind
    char text[400]
    sim_place command
    sim_place other
    uintptr_t low
    uintptr_t high

cdef struct sim_log_entry:
    sim_place command
    sim_call kind
    sim_kernel *kernel
    bint dependent
    uint64_t tag
    uint64_t first_wait
    uint32_t n_waits

cdef struct sim_suspect:
    sim_clock *clock
    sim_queue *queue
    uint64_t number
    sim_access earlier
    sim_access later
    sim_allocation *allocation

cdef struct sim_fault:
    int call                       # SIM_CALLS: any call that can fail
    uint64_t countdown
    int code
    sim_fault *next

cdef struct sim_bad_command:
    sim_place place
    sim_bad_command *next
