/* What a trace keeps while it goes on: all records, their summary alone, both, or the records around what was slow.

   The drainer condenses what is in the rings, all rings together. A summary is written into the file every few seconds, in
   one of two places in turn: what a killed process has left is a few seconds old. All of it is under `drain_lock`. */
#ifndef LAUNCHPATH_CONDENSE_KEEP_H
#define LAUNCHPATH_CONDENSE_KEEP_H

#include <stdio.h>
#include "../records/ring.h"
#include "blob.h"

enum {
    STORE_SUMMARY = 6,
    KEEP_CLOCK_APART = 2000000,      /* nanoseconds between the first two measurements, before which nothing is condensed */
    KEEP_ROUNDS = 100000000,         /* nanoseconds that slots may be in a ring before they are put aside */
    KEEP_WRITE_FIRST = 100000000     /* nanoseconds after which a summary is written first */
};
#define KEEP_WRITE_EVERY 5000000000u /* nanoseconds between two later on: before, as long as the trace has gone on */
#define KEEP_WINDOW_MOST ((uint64_t)256 << 20) /* bytes */

typedef struct kept_block kept_block;
struct kept_block {
    kept_block *next;
    store_block block;
    uint64_t time, size; /* nanoseconds when it was drained; bytes of slots */
    char slots[];
};

typedef struct {
    condenser *of; /* 0: nothing is condensed */
    read_source *sources;
    lp_records **rings; /* of the sources */
    read_piece *pieces; /* two for each */
    uint64_t *heads;
    uint32_t room;
    uint64_t begun, written, sequence, places[2], place_size;
    kept_block *first, *last; /* blocks that may be wanted: the oldest first */
    uint64_t kept, window, back, until; /* bytes; nanoseconds: asked for, and kept back; until when blocks are written at once */
    uint64_t slow_seen, slow_written, shortened; /* shortened: blocks that were let go before their time, for there was no room */
} keep_state;

static keep_state trace_keep;

static const char *keep_name(uint32_t keep) {
    return keep & KEEP_WINDOW ? "slow" : keep == (KEEP_RECORDS | KEEP_SUMMARY) ? "both" : keep & KEEP_SUMMARY ? "summary" : "records";
}

/* Begin. The caller holds `drain_lock`. 0: there is no memory. */
static int keep_begin(uint32_t keep, int is_recorder, uint64_t slow, uint64_t window) {
    condenser_free(trace_keep.of);
    trace_keep.of = 0;
    lp_trace.keep = keep;
    trace_keep.begun = trace_keep.written = lp_nanoseconds();
    trace_keep.sequence = trace_keep.place_size = trace_keep.until = 0;
    trace_keep.slow_seen = trace_keep.slow_written = trace_keep.shortened = 0;
    trace_keep.window = window, trace_keep.back = window + slow + KEEP_ROUNDS; /* a turn is known to be slow when it has lasted so long */
    if (!(keep & (KEEP_SUMMARY | KEEP_WINDOW))) return 1;
    trace_keep.of = condenser_new(is_recorder);
    if (trace_keep.of) trace_keep.of->slow = slow;
    return trace_keep.of != 0;
}

static void keep_clock(const clock_slot *slot) {
    lp_lock_acquire(&lp_trace.drain_lock);
    if (trace_keep.of) {
        if (trace_keep.of->real == 0) trace_keep.of->real = slot->real - slot->monotonic;
        host_clock_measured(&trace_keep.of->host, slot->ticks, slot->monotonic);
    }
    lp_lock_release(&lp_trace.drain_lock);
}

/* Whether the host's clock is known well enough. At the end of a trace it has to be. */
static int keep_is_ready(void) {
    const host_clock *host = &trace_keep.of->host;
    return host->count > 1 && host->monotonic[host->count - 1] - host->monotonic[0] >= KEEP_CLOCK_APART;
}

static void keep_drop(void) {
    kept_block *it = trace_keep.first;
    trace_keep.first = it->next, trace_keep.kept -= it->size;
    if (trace_keep.first == 0) trace_keep.last = 0;
    free(it);
}

/* Put a block of slots aside, or write it where a time that was slow is near. */
static void keep_block(store_block *block, const void *a, size_t a_size, const void *b, size_t b_size) {
    uint64_t now = lp_nanoseconds();
    kept_block *copy;
    if (now < trace_keep.until) {
        store_append(block, a, a_size, b, b_size);
        return;
    }
    while (trace_keep.first && (now - trace_keep.first->time > trace_keep.back || trace_keep.kept + a_size + b_size > KEEP_WINDOW_MOST)) {
        trace_keep.shortened += now - trace_keep.first->time <= trace_keep.back;
        keep_drop();
    }
    copy = (kept_block *)malloc(sizeof(kept_block) + a_size + b_size);
    if (copy == 0) {
        trace_keep.shortened += 1;
        return;
    }
    copy->next = 0, copy->block = *block, copy->time = now, copy->size = a_size + b_size;
    memcpy(copy->slots, a, a_size);
    if (b_size) memcpy(copy->slots + a_size, b, b_size);
    if (trace_keep.last) trace_keep.last->next = copy;
    else trace_keep.first = copy;
    trace_keep.last = copy, trace_keep.kept += copy->size;
}

/* Where a turn was slow: write what was put aside, and what comes for as long. */
static void keep_look(void) {
    if (trace_keep.of == 0 || !(lp_trace.keep & KEEP_WINDOW)) return;
    condenser_look(trace_keep.of, lp_nanoseconds());
    if (trace_keep.of->slow_turns == trace_keep.slow_seen) return;
    trace_keep.slow_seen = trace_keep.of->slow_turns;
    trace_keep.until = lp_nanoseconds() + trace_keep.window;
    for (; trace_keep.first; keep_drop()) store_append(&trace_keep.first->block, trace_keep.first->slots, trace_keep.first->size, 0, 0);
    trace_keep.slow_written += 1;
}

/* Let go of slots that are condensed: to the file, aside, or nowhere. */
static void keep_slots(lp_records *ring, uint64_t head) {
    store_block block, *of = (store_block *)ring->region;
    uint64_t n = head - ring->drained, place = ring->drained & ring->mask;
    uint64_t straight = ring->mask + 1 - place < n ? ring->mask + 1 - place : n;
    int code = 0;
    memset(&block, 0, sizeof block);
    block.kind = STORE_SLOTS, block.ring = ring->number, block.thread = ring->thread, block.first = ring->drained, block.count = n;
    block.name[0] = lp_load(&of->name[0]), block.name[1] = lp_load(&of->name[1]);
    if (lp_trace.keep & KEEP_RECORDS) code = store_append(&block, &ring->slots[place], 64 * straight, &ring->slots[0], 64 * (n - straight));
    else if (lp_trace.keep & KEEP_WINDOW) keep_block(&block, &ring->slots[place], 64 * straight, &ring->slots[0], 64 * (n - straight));
    if (code) return;
    ring->drained = head;
    lp_store(ring->tail_there, head);
    lp_add(&lp_trace.header->counters.slots, (int64_t)n);
}

static void keep_source(uint32_t place, lp_records *ring) {
    read_source *source = &trace_keep.sources[place];
    read_piece *pieces = &trace_keep.pieces[2 * place];
    uint64_t head = trace_keep.heads[place], n = head - ring->drained, at = ring->drained & ring->mask;
    uint64_t straight = ring->mask + 1 - at < n ? ring->mask + 1 - at : n;
    memset(source, 0, sizeof *source);
    pieces[0].slots = &ring->slots[at], pieces[0].count = straight, pieces[0].follows = 1;
    pieces[1].slots = &ring->slots[0], pieces[1].count = n - straight, pieces[1].follows = 1;
    source->ring = ring->number, source->thread = ring->thread, source->pieces = pieces;
    source->n_pieces = n == 0 ? 0 : n > straight ? 2 : 1, source->has_times = ring->has_times;
}

static int keep_room(uint32_t count) {
    uint32_t room = trace_keep.room ? trace_keep.room : 16;
    void *sources, *rings, *pieces, *heads;
    if (count <= trace_keep.room) return 1;
    while (room < count) room *= 2;
    sources = realloc(trace_keep.sources, room * sizeof(read_source));
    if (sources) trace_keep.sources = (read_source *)sources;
    rings = realloc(trace_keep.rings, room * sizeof(lp_records *));
    if (rings) trace_keep.rings = (lp_records **)rings;
    pieces = realloc(trace_keep.pieces, 2 * room * sizeof(read_piece));
    if (pieces) trace_keep.pieces = (read_piece *)pieces;
    heads = realloc(trace_keep.heads, room * sizeof(uint64_t));
    if (heads) trace_keep.heads = (uint64_t *)heads;
    if (!sources || !rings || !pieces || !heads) return 0;
    trace_keep.room = room;
    return 1;
}

/* Condense what is in the rings now, or in one of them; how many slots. The caller holds `drain_lock`. */
static uint64_t keep_condense(lp_records *only, int at_end) {
    lp_records *ring;
    uint32_t i, count = 0;
    uint64_t slots = 0;
    int times;
    if (trace_keep.of == 0 || lp_trace.failed || (!at_end && !keep_is_ready())) return 0;
    if (trace_keep.of->host.count < 2) host_clock_measured(&trace_keep.of->host, lp_ticks(), lp_nanoseconds());
    /* What tells times comes last, so its head is read first: what it tells of is in the others by then. */
    for (times = 1; times >= 0; times--) {
        for (ring = only ? only : (lp_records *)(uintptr_t)lp_load(&lp_trace.rings); ring; ring = only ? 0 : ring->next) {
            if (ring->generation != lp_trace.generation || ring->has_times != times || !keep_room(count + 1)) continue;
            trace_keep.rings[count] = ring, trace_keep.heads[count] = lp_load(ring->head_there);
            slots += trace_keep.heads[count] - ring->drained;
            count += 1;
        }
    }
    if (slots == 0) return 0;
    for (i = 0; i < count; i++) keep_source(i, trace_keep.rings[i]);
    if (!read_all(trace_keep.of, trace_keep.sources, count)) store_fails(ENOMEM);
    for (i = 0; i < count; i++) {
        ring = trace_keep.rings[i];
        ring->has_times |= condenser_has_times(trace_keep.of, ring->number);
        if (trace_keep.heads[i] != ring->drained) keep_slots(ring, trace_keep.heads[i]);
    }
    return slots;
}

/* Write the summary of what was condensed until now. The caller holds `drain_lock`. */
static void keep_write(void) {
    uint64_t words, size, i, sum = 0, *blob;
    store_block block;
    if (trace_keep.of == 0 || lp_trace.failed) return;
    words = condenser_words(trace_keep.of), size = 8 * words;
    if (block_size(size) > trace_keep.place_size) {
        trace_keep.place_size = 2 * block_size(size);
        for (i = 0; i < 2; i++)
            trace_keep.places[i] = lp_add(&lp_trace.end, (int64_t)trace_keep.place_size) - trace_keep.place_size;
    }
    blob = (uint64_t *)malloc(size);
    if (blob == 0) {
        store_fails(ENOMEM);
        return;
    }
    condenser_write(trace_keep.of, blob);
    for (i = 0; i < words; i++) sum = (sum << 7 | sum >> 57) ^ blob[i];
    memset(&block, 0, sizeof block);
    block.magic = TRACE_MAGIC, block.version = TRACE_VERSION, block.kind = STORE_SUMMARY, block.size = trace_keep.place_size;
    block.first = ++trace_keep.sequence, block.count = size, block.capacity = sum;
    i = (uint64_t)lp_write_at(lp_trace.file, trace_keep.places[trace_keep.sequence & 1], &block, sizeof block, blob, size, 0, 0);
    if (i) store_fails((int)i);
    free(blob);
    trace_keep.written = lp_nanoseconds();
}

/* Write how often records around slow turns were kept, and how many blocks of them were let go before their time. */
static void keep_facts(void) {
    char text[128];
    store_block block;
    int size = snprintf(text, sizeof text, "{\"kept\":{\"slow\":%llu,\"shortened\":%llu}}", (unsigned long long)trace_keep.slow_written,
                        (unsigned long long)trace_keep.shortened);
    memset(&block, 0, sizeof block);
    block.kind = STORE_META, block.count = (uint64_t)size;
    store_append(&block, text, (size_t)size, 0, 0);
}

/* The drainer's round: as `records_drain` of all rings, where a summary is kept. */
static uint64_t keep_round(void) {
    uint64_t n = 0, now = lp_nanoseconds(), pause;
    lp_lock_acquire(&lp_trace.drain_lock);
    if (lp_trace.generation) {
        n = keep_condense(0, 0);
        keep_look();
        pause = trace_keep.written - trace_keep.begun;
        pause = pause < KEEP_WRITE_FIRST ? KEEP_WRITE_FIRST : pause > KEEP_WRITE_EVERY ? KEEP_WRITE_EVERY : pause;
        if (lp_trace.keep & KEEP_SUMMARY && now - trace_keep.written > pause) keep_write();
    }
    lp_lock_release(&lp_trace.drain_lock);
    return n;
}

/* The last of a trace, when all threads' records are in their rings. The caller holds `drain_lock`. */
static void keep_end(void) {
    if (trace_keep.of == 0) return;
    keep_condense(0, 1);
    keep_look();
    condenser_end(trace_keep.of);
    if (lp_trace.keep & KEEP_SUMMARY) keep_write();
    if (lp_trace.keep & KEEP_WINDOW && !lp_trace.failed) keep_facts();
    while (trace_keep.first) keep_drop();
}

/* In a forked child: the summary is its parent's. */
static void keep_forget(void) { trace_keep.of = 0, trace_keep.first = trace_keep.last = 0, trace_keep.kept = 0, lp_trace.keep = 0; }

#endif
