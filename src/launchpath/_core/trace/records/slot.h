/* Slots: what a trace's file holds. Each has 64 bytes and begins with its kind; `_trace/format.py` says what each field
   means, and tests hold the two against each other. */
#ifndef LAUNCHPATH_TRACE_SLOT_H
#define LAUNCHPATH_TRACE_SLOT_H

#include <stdint.h>

enum slot_kind {
    SLOT_COMMAND = 1,
    SLOT_DETAIL = 2,
    SLOT_CALL = 3,
    SLOT_API = 4,
    SLOT_TIMES = 5,
    SLOT_HOST_CLOCK = 6,
    SLOT_DEVICE_CLOCK = 7,
    SLOT_STREAM = 8,
    SLOT_RANGE_BEGIN = 9,
    SLOT_RANGE = 10,
    SLOT_MARK = 11,
    SLOT_EVIDENCE = 12,
    SLOT_THREAD = 13,
    SLOT_DELAYS = 14
};

/* What a command is. */
enum slot_command { COMMAND_LAUNCH = 1, COMMAND_COPY = 2, COMMAND_FILL = 3, COMMAND_ROWS = 4, COMMAND_PEER = 5 };

/* Of evidence: whether its call waits for the command's end, and what host memory a copy has used. */
enum evidence_flags { EVIDENCE_CONTENT = 1, EVIDENCE_ARGUMENTS = 2, EVIDENCE_BLOCKING = 4, EVIDENCE_PINNED = 8, EVIDENCE_PAGEABLE = 16 };

enum slot_flags { SLOT_FAILED = 1, SLOT_KEPT_BACK = 2, SLOT_IN_STEP = 4, SLOT_TIMED = 8, SLOT_IN_GRAPH = 16, SLOT_COOPERATIVE = 32 };

typedef struct {
    uint8_t kind, flags;
    uint16_t waits;
    int32_t result;
    uint64_t correlation, begin, driver_begin, driver_end, end, waited;
    uint32_t stream, name;
} command_slot;

typedef struct {
    uint32_t grid[3], block[3];
} detail_launch;

typedef struct {
    uint64_t bytes, to, source;
} detail_copy;

typedef union {
    detail_launch launch;
    detail_copy copy;
} detail_values;

typedef struct {
    uint8_t kind, command;
    uint16_t device;
    uint32_t shared;
    detail_values of;
    uint64_t number, external;
    uint32_t step, node, run, left_out;
} detail_slot;

typedef struct {
    uint8_t kind, flags;
    uint16_t entry;
    int32_t result;
    uint64_t correlation, begin, end, quantity, parent, external;
    uint32_t stream;
    uint16_t device, unused;
} call_slot;

typedef struct {
    uint8_t kind, flags;
    uint16_t device;
    uint32_t stream;
    uint64_t correlation, submitted, started, ended, enqueued;
    uint32_t name, node, step, command;
} times_slot;

typedef struct { /* of the host */
    uint8_t kind, unused[7];
    uint64_t ticks, monotonic, real, error, rest[3];
} clock_slot;

typedef struct {
    uint8_t kind, unused;
    uint16_t device;
    uint32_t unused_too;
    uint64_t device_time, monotonic, error, rest[4];
} device_clock_slot;

typedef struct {
    uint8_t kind, type;
    uint16_t device;
    uint32_t stream;
    uint64_t ticks, handle, rest[5];
} stream_slot;

typedef struct {
    uint8_t kind, flags;
    uint16_t depth;
    uint32_t color;
    uint64_t correlation, begin, end, payload, external;
    uint32_t domain, name, category, rest;
} range_slot;

typedef struct { /* of the command or call with this correlation id */
    uint8_t kind, flags;
    uint16_t count;
    uint32_t site;
    uint64_t correlation, content, arguments, event, wait, wait_too, host;
} evidence_slot;

typedef struct { /* of a thread, between two looks */
    uint8_t kind, flags;
    uint16_t unused;
    uint32_t switches;
    uint64_t begin, end, processor, runnable, process, faults, spent;
} thread_slot;

typedef struct { /* a block of an intervention, at its end */
    uint8_t kind, flags;
    uint16_t target;
    uint32_t number;
    uint64_t begin, end, delay, delays, spent;
    uint32_t repetitions, typical_spent;
    uint64_t typical;
} delays_slot;

typedef union {
    uint8_t kind;
    command_slot command;
    detail_slot detail;
    call_slot call;
    times_slot times;
    clock_slot clock;
    device_clock_slot device_clock;
    stream_slot stream;
    range_slot range;
    evidence_slot evidence;
    thread_slot thread;
    delays_slot delays;
    uint64_t words[8];
} lp_slot_bytes;

#endif
