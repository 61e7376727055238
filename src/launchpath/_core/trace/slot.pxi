# Slots: what a trace's file holds. Each has 64 bytes and begins with its kind; `_trace/format.py` says what each field
# means, and tests hold the two against each other.

cdef enum slot_kind:
    SLOT_COMMAND = 1
    SLOT_DETAIL = 2
    SLOT_CALL = 3
    SLOT_API = 4
    SLOT_TIMES = 5
    SLOT_HOST_CLOCK = 6
    SLOT_DEVICE_CLOCK = 7
    SLOT_STREAM = 8
    SLOT_RANGE_BEGIN = 9
    SLOT_RANGE = 10
    SLOT_MARK = 11

cdef enum slot_flags:
    SLOT_FAILED = 1
    SLOT_KEPT_BACK = 2
    SLOT_IN_STEP = 4
    SLOT_TIMED = 8
    SLOT_IN_GRAPH = 16
    SLOT_COOPERATIVE = 32

cdef struct command_slot:
    uint8_t kind
    uint8_t flags
    uint16_t waits
    int32_t result
    uint64_t correlation, begin, driver_begin, driver_end, end, waited
    uint32_t stream, name

cdef struct detail_launch:
    uint32_t grid[3]
    uint32_t block[3]

cdef struct detail_copy:
    uint64_t bytes, to, source

cdef union detail_values:
    detail_launch launch
    detail_copy copy

cdef struct detail_slot:
    uint8_t kind
    uint8_t command
    uint16_t device
    uint32_t shared
    detail_values of
    uint64_t number, external
    uint32_t step, node, run, left_out

cdef struct call_slot:
    uint8_t kind
    uint8_t flags
    uint16_t entry
    int32_t result
    uint64_t correlation, begin, end, quantity, parent, external
    uint32_t stream
    uint16_t device, unused

cdef struct times_slot:
    uint8_t kind
    uint8_t flags
    uint16_t device
    uint32_t stream
    uint64_t correlation, submitted, started, ended, enqueued
    uint32_t name, node, step, command

cdef struct clock_slot:                # of the host
    uint8_t kind
    uint8_t unused[7]
    uint64_t ticks, monotonic, real, error
    uint64_t rest[3]

cdef struct device_clock_slot:
    uint8_t kind
    uint8_t unused
    uint16_t device
    uint32_t unused_too
    uint64_t device_time, monotonic, error
    uint64_t rest[4]

cdef struct stream_slot:
    uint8_t kind
    uint8_t type
    uint16_t device
    uint32_t stream
    uint64_t ticks, handle
    uint64_t rest[5]

cdef struct range_slot:
    uint8_t kind
    uint8_t flags
    uint16_t depth
    uint32_t color
    uint64_t correlation, begin, end, payload, external
    uint32_t domain, name, category, rest

cdef union lp_slot_bytes:
    uint8_t kind
    command_slot command
    detail_slot detail
    call_slot call
    times_slot times
    clock_slot clock
    device_clock_slot device_clock
    stream_slot stream
    range_slot range
    uint64_t words[8]
