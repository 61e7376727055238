/* Rings: a thread's slots on their way to the file. Only the thread writes to its ring, without a lock; the drainer copies
   from it. A ring is a part of the file, so what a killed process had written there is in the file too. */
#ifndef LAUNCHPATH_TRACE_RING_H
#define LAUNCHPATH_TRACE_RING_H

#include <stdlib.h>
#include "../../base/thread.h"
#include "../../base/thread_end.h"
#include "store.h"

enum {
    RECORDS_MOST = 16384, /* slots */
    RECORDS_LEAST = 64,
    RECORDS_BYTES = TRACE_PAGE + 64 * RECORDS_MOST,
    RECORDS_FULL_WAIT = 50 /* microseconds between two looks for room */
};

typedef struct lp_records lp_records;
typedef struct delays_cell delays_cell;
struct lp_records {
    uint64_t generation; /* of the trace that it is attached to */
    uint64_t head;       /* slots written */
    uint64_t limit;      /* up to which there is room for certain */
    uint64_t mask;
    lp_slot_bytes *slots;
    uint64_t *head_there; /* the same for the drainer and the file's readers */
    uint64_t *tail_there;
    lp_slot_bytes *frame; /* the command that is being made, in the file too */
    /* The call of launchpath that the thread is in. */
    uint32_t api; /* 0: none */
    int polls;    /* it asks the driver again and again: answers in vain have no record */
    int pending;  /* its launch is in `frame`, and ends with the call */
    int launched; /* it had one */
    uint64_t call; /* its correlation id */
    uint64_t begin;
    uint64_t waited;
    uint64_t calls; /* correlation ids given */
    uint32_t number;
    uint32_t thread;
    uint32_t ranges; /* that the thread is in */
    void *opened;    /* the open_range of NVTX that it is in */
    uint32_t n_opened;
    uint64_t opened_generation;
    uint64_t refused;      /* generation of a trace that had no room in its file */
    uint64_t drained;      /* copied to the file (drain_lock) */
    int has_times;         /* and times of commands were among them */
    void *profiled;        /* the lp_timed of the command that its thread submits, or NULL: see trace/profiled.pxi */
    uint64_t thread_ended; /* and its records are still to be copied */
    void *sites;           /* the site_table of its threads: see site.h */
    void *look;            /* the thread_look of its thread: see looks.h */
    uint64_t left;         /* ticks: its last call returned; 0: it had none */
    lp_slot_bytes evidence; /* of the command in `frame`; kind 0: there is none */
    /* Of the launch that the thread makes: places and sizes of its arguments; NULL: they are not known. */
    const void *parameters;
    const uint32_t *sizes;
    uint32_t n_parameters;
    uint8_t memory;  /* flags of evidence: what host memory the next copies use */
    uint64_t staged; /* its address, where they use other memory in its place */
    uint64_t staging; /* the tick at which the next copy's bytes began to move there; 0: they do not */
    uint64_t copied; /* correlation id of the last copy to the host; 0: there is none */
    delays_cell *delays; /* of the thread, or NULL: see delays.h */
    int delays_lent;     /* by the other copy of this code: it goes with the thread */
    int submits;         /* commands, while there are delays: it is no thread of launchpath's own */
    char *region;
    lp_records *next;
};

static lp_thread_end records_end;

static uint64_t records_drain(lp_records *ring, uint64_t least);
static void look_end(lp_records *ring);
static uint64_t keep_condense(lp_records *only, int at_end);

static inline lp_slot_bytes *records_slot(lp_records *ring, uint32_t ahead) { return &ring->slots[(ring->head + ahead) & ring->mask]; }

static inline void records_publish(lp_records *ring, uint32_t n) {
    ring->head += n;
    lp_store(ring->head_there, ring->head);
    lp_expect(records_slot(ring, 0), 128); /* the drainer has read them */
}

static inline uint64_t records_correlation(lp_records *ring) {
    ring->calls += 1;
    return ((uint64_t)ring->number + 1) << 40 | ring->calls;
}

/* Note what this thread is called now: blocks of its slots tell. */
static void records_name(lp_records *ring) {
    store_block *block = (store_block *)ring->region;
    uint64_t name[2];
    lp_system_thread_name(name);
    lp_store(&block->name[0], name[0]), lp_store(&block->name[1], name[1]);
}

/* A thread ends. Another one may have its ring. A forked child has the parent's rings here, without their memory. */
static void records_leave(void *ring) {
    if (lp_here.records == ring) records_name((lp_records *)ring);
    lp_here.records = 0;
    look_end((lp_records *)ring);
    lp_store(&((lp_records *)ring)->thread_ended, 1);
}

/* A ring for this thread: of a thread that has ended, or a new one. The caller holds the lock. */
static lp_records *records_find(void) {
    lp_records *ring = (lp_records *)lp_trace.rings;
    while (ring && ring->thread_ended == 0) ring = ring->next;
    if (ring) {
        if (ring->generation == lp_trace.generation) records_drain(ring, 1); /* with the number of the thread that wrote it */
        ring->thread_ended = 0, ring->api = 0, ring->pending = 0, ring->ranges = 0, ring->n_opened = 0;
        ring->frame[0].kind = 0, ring->left = 0, ring->evidence.kind = 0;
        if (ring->delays_lent) ring->delays = 0;
        ring->submits = 0;
    } else {
        ring = (lp_records *)calloc(1, sizeof(lp_records));
        if (ring == 0) return 0;
        ring->region = (char *)lp_region(RECORDS_BYTES);
        if (ring->region == 0) {
            free(ring);
            return 0;
        }
        ring->slots = (lp_slot_bytes *)(ring->region + TRACE_PAGE);
        ring->head_there = (uint64_t *)(ring->region + 64), ring->tail_there = (uint64_t *)(ring->region + 128);
        ring->frame = (lp_slot_bytes *)(ring->region + 192);
        ring->next = (lp_records *)lp_trace.rings;
        lp_store(&lp_trace.rings, (uint64_t)(uintptr_t)ring);
    }
    ring->thread = lp_system_thread();
    ((store_block *)ring->region)->thread = ring->thread;
    return ring;
}

/* Make a ring a part of the present trace's file. The caller holds the lock. */
static int records_map(lp_records *ring, uint64_t generation) {
    store_block *block = (store_block *)ring->region;
    size_t size = TRACE_PAGE + 64 * (size_t)lp_trace.capacity;
    int code = 0;
    /* A ring of a trace that keeps no records is no part of its file. */
    if (lp_trace.keep == 0 || lp_trace.keep & KEEP_RECORDS)
        code = lp_region_map(ring->region, size, lp_trace.file, lp_add(&lp_trace.end, (int64_t)size) - size);
    else lp_region_clear(ring->region, RECORDS_BYTES);
    if (code) {
        store_fails(code);
        return code;
    }
    ring->head = ring->limit = ring->drained = 0, ring->has_times = 0;
    ring->mask = lp_trace.capacity - 1;
    ring->number = lp_trace.n_rings;
    ring->api = 0, ring->pending = 0, ring->calls = 0, ring->ranges = 0, ring->left = 0, ring->evidence.kind = 0;
    ring->parameters = 0, ring->memory = 0, ring->staged = ring->staging = ring->copied = 0;
    lp_trace.n_rings += 1;
    block->kind = STORE_RING, block->version = TRACE_VERSION, block->size = size, block->ring = ring->number;
    block->thread = ring->thread, block->capacity = lp_trace.capacity;
    block->magic = TRACE_MAGIC;
    lp_store(&ring->generation, generation);
    return 0;
}

LP_NOINLINE static lp_records *records_attach(void) {
    lp_records *ring = (lp_records *)lp_here.records;
    uint64_t generation;
    lp_lock_acquire(&lp_trace.lock);
    generation = lp_trace.generation;
    if (generation == 0 || lp_trace.failed || (ring && ring->refused == generation)) {
        if (generation) lp_add(&lp_trace.header->counters.dropped, 1);
        lp_lock_release(&lp_trace.lock);
        return 0;
    }
    if (ring == 0) ring = records_find();
    if (ring) {
        lp_here.records = ring;
        lp_thread_end_with(&records_end, ring);
        if (ring->generation != generation && records_map(ring, generation)) {
            ring->refused = generation;
            lp_add(&lp_trace.header->counters.dropped, 1);
            ring = 0;
        }
        if (ring) records_name(ring);
    }
    lp_lock_release(&lp_trace.lock);
    return ring;
}

/* The thread's ring; NULL: there is no trace, or it has no room for a ring. */
static inline lp_records *records_here(void) {
    lp_records *ring = (lp_records *)lp_here.records;
    if (LP_LIKELY(ring != 0 && ring->generation == lp_trace.generation)) return ring;
    return records_attach();
}

/* Wait for room, or drop the slots and count them; 0: they are dropped. The drainer needs no lock that the caller may hold,
   and no GIL. */
LP_NOINLINE static int records_makes_room(lp_records *ring, uint32_t n) {
    uint64_t used, began = 0;
    /* A trace that has ended drains nothing any more: what a call under way still writes goes nowhere. */
    while (ring->generation && ring->generation == lp_load(&lp_trace.generation)) {
        used = ring->head + n - lp_load(ring->tail_there);
        if (used <= lp_trace.capacity - lp_trace.capacity / 4) {
            ring->limit = ring->head + n + (lp_trace.capacity - lp_trace.capacity / 4 - used);
            break;
        }
        lp_condition_signal(&lp_trace.drainer_wanted);
        if (used <= lp_trace.capacity) {
            ring->limit = ring->head + n + (lp_trace.capacity - used) / 2;
            break;
        }
        if (lp_trace.drop || lp_load(&lp_trace.failed)) {
            lp_add(&lp_trace.header->counters.dropped, n);
            return 0;
        }
        if (began == 0) {
            began = lp_ticks();
            lp_add(&lp_trace.header->counters.waits, 1);
        }
        lp_sleep(RECORDS_FULL_WAIT);
    }
    if (began) ring->waited += lp_ticks() - began;
    return 1;
}

static inline int records_has_room(lp_records *ring, uint32_t n) {
    return LP_LIKELY(ring->head + n <= ring->limit) || records_makes_room(ring, n);
}

/* Copy a ring's slots to the file, if there are so many; how many were copied. */
static uint64_t records_drain(lp_records *ring, uint64_t least) {
    store_block block, *of = (store_block *)ring->region;
    uint64_t head, n, place, straight;
    lp_lock_acquire(&lp_trace.drain_lock);
    head = lp_load(ring->head_there);
    n = head - ring->drained;
    if (n >= least && lp_trace.keep & (KEEP_SUMMARY | KEEP_WINDOW) && ring->generation == lp_trace.generation) {
        n = keep_condense(ring, least <= 1);
        lp_lock_release(&lp_trace.drain_lock);
        return n;
    }
    if (n < least || ring->generation != lp_trace.generation || lp_trace.failed) {
        lp_lock_release(&lp_trace.drain_lock);
        return 0;
    }
    memset(&block, 0, sizeof block);
    block.kind = STORE_SLOTS, block.ring = ring->number, block.thread = ring->thread, block.first = ring->drained, block.count = n;
    block.name[0] = lp_load(&of->name[0]), block.name[1] = lp_load(&of->name[1]);
    place = ring->drained & ring->mask;
    straight = ring->mask + 1 - place < n ? ring->mask + 1 - place : n;
    if (store_append(&block, &ring->slots[place], 64 * straight, &ring->slots[0], 64 * (n - straight)) == 0) {
        ring->drained = head;
        lp_store(ring->tail_there, head);
        lp_add(&lp_trace.header->counters.slots, (int64_t)n);
    }
    lp_lock_release(&lp_trace.drain_lock);
    return n;
}

/* Copy everything that is in rings now. */
static void drain_all(void) {
    lp_records *ring;
    if (lp_trace.keep & (KEEP_SUMMARY | KEEP_WINDOW)) {
        lp_lock_acquire(&lp_trace.drain_lock);
        if (lp_trace.generation) keep_condense(0, 1);
        lp_lock_release(&lp_trace.drain_lock);
        return;
    }
    for (ring = (lp_records *)(uintptr_t)lp_load(&lp_trace.rings); ring; ring = ring->next) records_drain(ring, 1);
}

/* End the trace: rings and the header are no part of its file any more. The caller holds `lock` and `drain_lock`. */
static void records_close(void) {
    lp_records *ring;
    lp_store(&lp_trace.generation, 0);
    for (ring = (lp_records *)(uintptr_t)lp_load(&lp_trace.rings); ring; ring = ring->next) {
        if (ring->generation) {
            lp_store(&ring->generation, 0);
            lp_region_clear(ring->region, RECORDS_BYTES);
        }
    }
    lp_region_clear(lp_trace.header, TRACE_PAGE);
    lp_trace.file = -1;
}

/* In a forked child: the trace is the parent's, and so are the rings' memory and the threads. */
static void records_forget(void) {
    lp_here.records = 0;
    lp_trace.rings = lp_trace.generation = 0, lp_trace.recording = 0;
    lp_trace.header = 0, lp_trace.file = -1;
    lp_trace.timed = lp_trace.serialized = lp_trace.drainer = 0;
    lp_trace.drainer_leaves = 0;
    lp_lock_init(&lp_trace.lock);
    lp_lock_init(&lp_trace.drain_lock);
}

/* Once in a process. */
static void records_init(void) {
    lp_lock_init(&lp_trace.lock);
    lp_lock_init(&lp_trace.drain_lock);
    lp_condition_init(&lp_trace.drainer_wanted);
    lp_trace.file = -1;
    lp_thread_end_by(&records_end, records_leave);
}

#endif
