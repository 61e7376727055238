/* Ranges and marks: launchpath's own, and NVTX's.

   A range's begin is one slot and its end another one with the same correlation id, so what a process was in when it was
   killed is in the file. Names have numbers, which are a trace's own: they may be many. */
#ifndef LAUNCHPATH_TRACE_RANGE_H
#define LAUNCHPATH_TRACE_RANGE_H

#include "delays.h"
#include "looks.h"
#include "names.h"
#include "nvtx.h"

enum {
    RANGE_DEPTH = 64,    /* ranges of NVTX that a thread can be in */
    RANGE_STARTED = 256, /* that were started and can end on any thread */
    RANGE_OF_NVTX = 1
};

typedef struct {
    const char *domain; /* NVTX's handle for it */
    range_slot slot;
} open_range;

static name_table range_names;
static struct {
    lp_lock lock; /* a leaf */
    uint64_t generation;
    uint64_t number; /* of the last one */
    uint64_t numbers[RANGE_STARTED];
    range_slot slots[RANGE_STARTED];
} started_ranges;

static inline lp_records *range_ring(void) { return lp_trace.recording ? records_here() : 0; }

/* Fill a slot of a range that begins, or of a mark; NULL: nothing is recorded. */
static range_slot *range_fill(lp_records *ring, uint8_t kind, const char *name, const char *domain, uint32_t color, uint64_t payload,
                              uint32_t category, uint8_t flags) {
    uint32_t number = name_number_of(&range_names, name), of = domain ? name_number_of(&range_names, domain) : 0;
    range_slot *slot;
    if (!records_has_room(ring, 1)) return 0;
    slot = &records_slot(ring, 0)->range;
    slot->kind = kind, slot->flags = flags, slot->color = color, slot->payload = payload;
    slot->external = lp_here.external;
    slot->domain = of, slot->name = number, slot->category = category, slot->rest = 0;
    slot->correlation = records_correlation(ring), slot->depth = (uint16_t)ring->ranges;
    slot->begin = lp_ticks(), slot->end = 0;
    return slot;
}

/* Write the begin of a range of this thread; 0: nothing is recorded. */
static int range_open(range_slot *into, const char *name, const char *domain, uint32_t color, uint64_t payload, uint32_t category,
                      uint8_t flags) {
    lp_records *ring = range_ring();
    range_slot *slot;
    if (ring && LP_UNLIKELY(lp_trace.findings)) look_between(ring);
    slot = ring ? range_fill(ring, SLOT_RANGE_BEGIN, name, domain, color, payload, category, flags) : 0;
    if (slot == 0) return 0;
    *into = *slot;
    ring->ranges += 1;
    records_publish(ring, 1);
    delays_range(ring, name);
    return 1;
}

/* Write the end of a range. */
static void range_close(const range_slot *opened) {
    lp_records *ring = lp_trace.generation ? records_here() : 0;
    range_slot *slot;
    if (ring == 0) return;
    if (ring->ranges) ring->ranges -= 1;
    if (LP_UNLIKELY(lp_trace.findings) && lp_trace.recording) look_between(ring);
    if (!records_has_room(ring, 1)) return;
    slot = &records_slot(ring, 0)->range;
    *slot = *opened;
    slot->kind = SLOT_RANGE, slot->end = lp_ticks();
    records_publish(ring, 1);
}

static void range_mark(const char *name, const char *domain, uint32_t color, uint64_t payload, uint32_t category, uint8_t flags) {
    lp_records *ring = range_ring();
    if (ring && range_fill(ring, SLOT_MARK, name, domain, color, payload, category, flags)) records_publish(ring, 1);
}

/* NVTX's functions. They may be called by any thread, with the GIL or without. */

static void nvtx_mark(const lp_nvtx_event *event) {
    range_mark(event->name, event->domain, event->color, event->payload, event->category, RANGE_OF_NVTX);
}

/* Begin a range. While the trace pauses it is noted all the same, since its pop may come later. */
static int nvtx_push(const lp_nvtx_event *event) {
    lp_records *ring = lp_trace.generation ? records_here() : 0;
    open_range *opened;
    if (ring == 0) return -2; /* "no tool", as NVTX has it */
    if (ring->opened == 0) ring->opened = calloc(RANGE_DEPTH, sizeof(open_range));
    if (ring->opened == 0) return -1;
    if (ring->opened_generation != lp_trace.generation) ring->opened_generation = lp_trace.generation, ring->n_opened = 0;
    if (ring->n_opened < RANGE_DEPTH) {
        opened = &((open_range *)ring->opened)[ring->n_opened];
        opened->domain = event->domain, opened->slot.kind = 0;
        range_open(&opened->slot, event->name, event->domain, event->color, event->payload, event->category, RANGE_OF_NVTX);
    } else lp_add(&lp_trace.header->counters.not_understood, 1);
    ring->n_opened += 1;
    return (int)ring->n_opened - 1;
}

/* End the thread's innermost range of a domain. */
static int nvtx_pop(const char *domain) {
    lp_records *ring = lp_trace.generation ? records_here() : 0;
    open_range *opened;
    uint32_t at;
    if (ring == 0 || ring->opened == 0 || ring->opened_generation != lp_trace.generation) return -2;
    if (ring->n_opened > RANGE_DEPTH) { /* of those that there was no room for */
        ring->n_opened -= 1;
        return (int)ring->n_opened;
    }
    opened = (open_range *)ring->opened, at = ring->n_opened;
    while (at && opened[at - 1].domain != domain) at -= 1;
    if (at == 0) return -1;
    if (opened[at - 1].slot.kind) range_close(&opened[at - 1].slot);
    ring->n_opened -= 1;
    for (; at <= ring->n_opened; at++) opened[at - 1] = opened[at];
    return (int)ring->n_opened;
}

/* Begin a range that any thread may end; its number, or 0. */
static uint64_t nvtx_start(const lp_nvtx_event *event) {
    range_slot slot;
    uint64_t number;
    if (!range_open(&slot, event->name, event->domain, event->color, event->payload, event->category, RANGE_OF_NVTX)) return 0;
    ((lp_records *)lp_here.records)->ranges -= 1; /* it nests with nothing */
    lp_lock_acquire(&started_ranges.lock);
    number = ++started_ranges.number;
    if (started_ranges.numbers[number % RANGE_STARTED] && started_ranges.generation == lp_trace.generation)
        lp_add(&lp_trace.header->counters.not_understood, 1); /* the end of that one will not be known */
    started_ranges.numbers[number % RANGE_STARTED] = number;
    started_ranges.slots[number % RANGE_STARTED] = slot;
    started_ranges.generation = lp_trace.generation;
    lp_lock_release(&started_ranges.lock);
    return number;
}

static void nvtx_end(uint64_t number) {
    range_slot slot;
    int known;
    lp_lock_acquire(&started_ranges.lock);
    known = number && started_ranges.numbers[number % RANGE_STARTED] == number && started_ranges.generation == lp_trace.generation;
    slot = started_ranges.slots[number % RANGE_STARTED];
    if (known) started_ranges.numbers[number % RANGE_STARTED] = 0;
    lp_lock_release(&started_ranges.lock);
    if (!known) return;
    if (lp_here.records) ((lp_records *)lp_here.records)->ranges += 1;
    range_close(&slot);
}

/* Once in a process, and in a forked child. */
static void ranges_init(void) {
    names_init(&range_names, RANGE_NAMES, 0);
    lp_lock_init(&started_ranges.lock);
    lp_nvtx.mark = nvtx_mark, lp_nvtx.push = nvtx_push, lp_nvtx.pop = nvtx_pop;
    lp_nvtx.start = nvtx_start, lp_nvtx.end = nvtx_end;
}

#endif
