/* The store: the trace's file, which blocks are appended to, and its counters. `_trace/format.py` is the format.

   Blocks are appended by several threads: each takes its place by adding to `end`, and writes there. No Python and no lock
   is needed. */
#ifndef LAUNCHPATH_TRACE_STORE_H
#define LAUNCHPATH_TRACE_STORE_H

#include <string.h>
#include "../../base/lock.h"
#include "memory.h"
#include "slot.h"
#include "ticks.h"

enum {
    TRACE_MAGIC = 0x4B42504C,
    TRACE_VERSION = 1,
    TRACE_PAGE = 4096,
    STORE_HEADER = 1,
    STORE_RING = 2,
    STORE_SLOTS = 3,
    STORE_NAMES = 4,
    STORE_META = 5,
    /* Kernels' names have numbers below it, ranges' names from it on: readers count by number, so they are small. */
    RANGE_NAMES = 1 << 19
};

typedef struct {
    uint32_t magic;
    uint16_t kind, version;
    uint64_t size;
    uint32_t ring, thread;
    uint64_t first, count, capacity, name[2]; /* name: of the thread, up to 15 bytes */
} store_block;

typedef struct { /* in the order of `COUNTERS` of _trace/format.py */
    uint64_t state, slots, dropped, waits, untimed, unfinished, failed_times, excluded, not_understood;
    uint64_t timing_created, timing_most, timing_waits, batches, overlapped, captured, markers_left_out;
    uint64_t uploads, uploads_skipped;
} trace_counts;

typedef struct {
    store_block block;
    trace_counts counters;
} trace_header;

/* What a trace keeps; 0: the records. */
enum trace_keep { KEEP_RECORDS = 1, KEEP_SUMMARY = 2, KEEP_WINDOW = 4 };

enum trace_findings { FINDINGS_ASKED = 1, FINDINGS_SITES = 2 };

typedef struct {
    uint64_t generation; /* of the trace that is going on, which no other had; 0: there is none */
    uint64_t last;       /* generation there was */
    int recording;       /* and it is not paused */
    int timed;           /* with times of devices */
    int serialized;
    int findings;        /* what findings are read from is recorded too: bits of `trace_findings` */
    uint64_t pause;      /* ticks after which a thread is looked at: see looks.h */
    uint32_t keep;       /* bits of `trace_keep` */
    int drop;            /* slots that find no room are dropped, and counted */
    uint32_t capacity;   /* of rings */
    uint32_t batch_most;
    uint64_t timing_most; /* timing objects */
    uint64_t failed;      /* errno of the file: nothing can be written any more */
    int file;
    uint64_t end;         /* of the file */
    trace_header *header; /* stays at its address, like rings */
    uint8_t *excluded;    /* by a kernel's number */
    lp_lock lock;         /* rings and blocks of the file */
    lp_lock drain_lock;   /* comes after it */
    uint64_t rings;       /* the lp_records of threads; none is freed */
    uint32_t n_rings;     /* of this trace */
    int drainer;          /* its thread was started */
    uint64_t drainer_leaves; /* and is to end: the process ends with its last thread */
    lp_condition drainer_wanted;
    uint64_t serial_held; /* microseconds, see serial.pxi */
    uint64_t turns;       /* launches that had theirs, where they are serialized */
    uint64_t serial;      /* the thread that launches, where launches are serialized: its ring */
} lp_trace_state;

static lp_trace_state lp_trace;

static inline uint64_t block_size(uint64_t payload) {
    return (sizeof(store_block) + payload + TRACE_PAGE - 1) / TRACE_PAGE * TRACE_PAGE;
}

static void store_fails(int code) {
    if (lp_trace.failed == 0) {
        lp_store(&lp_trace.failed, (uint64_t)code);
        lp_store(&lp_trace.header->counters.state, 2);
    }
}

/* Write a block with up to two pieces behind its header. A file that cannot be written makes the trace fail. */
static int store_append(store_block *block, const void *a, size_t a_size, const void *b, size_t b_size) {
    uint64_t size = block_size(a_size + b_size);
    int code;
    block->magic = TRACE_MAGIC, block->version = TRACE_VERSION, block->size = size;
    code = lp_write_at(lp_trace.file, lp_add(&lp_trace.end, (int64_t)size) - size, block, sizeof(store_block), a, a_size, b, b_size);
    if (code) store_fails(code);
    return code;
}

/* Append a block of names or facts while the trace of this generation goes on: later its file may be closed, and its number
   another file's. */
static void store_write(uint64_t generation, uint16_t kind, uint64_t count, const void *a, size_t a_size, const void *b, size_t b_size) {
    store_block block;
    memset(&block, 0, sizeof block);
    block.kind = kind, block.count = count;
    lp_lock_acquire(&lp_trace.drain_lock);
    if (generation && lp_trace.generation == generation && !lp_trace.failed) store_append(&block, a, a_size, b, b_size);
    lp_lock_release(&lp_trace.drain_lock);
}

/* Begin a file; 0, or errno. */
static int store_open(int file) {
    int code;
    if (lp_trace.header == 0) {
        lp_trace.header = (trace_header *)lp_region(TRACE_PAGE);
        if (lp_trace.header == 0) return 12; /* ENOMEM */
    }
    code = lp_region_map(lp_trace.header, TRACE_PAGE, file, 0);
    if (code) return code;
    memset(lp_trace.header, 0, TRACE_PAGE);
    lp_trace.header->block.kind = STORE_HEADER, lp_trace.header->block.version = TRACE_VERSION;
    lp_trace.header->block.size = TRACE_PAGE;
    lp_trace.header->block.magic = TRACE_MAGIC;
    lp_trace.file = file, lp_trace.failed = 0;
    lp_trace.end = TRACE_PAGE;
    return 0;
}

/* Begin a trace in an empty file; 0, or errno. The caller holds `lock`. */
static int store_begin(int file, uint32_t capacity, int drop, int count_ticks) {
    int code = store_open(file);
    if (code) return code;
    lp_counts_ticks = count_ticks && lp_ticks_constant();
    lp_trace.capacity = capacity, lp_trace.drop = drop, lp_trace.n_rings = 0;
    lp_trace.last += 1;
    lp_store(&lp_trace.generation, lp_trace.last);
    return 0;
}

#endif
