/* Evidence: what findings need to know of a call beside its record. It is gathered while the call goes on, and written behind the
   record with the record's correlation id. */
#ifndef LAUNCHPATH_TRACE_EVIDENCE_H
#define LAUNCHPATH_TRACE_EVIDENCE_H

#include "looks.h"
#include "site.h"

enum {
    EVIDENCE_WORDS = 7,           /* arguments that have a byte of their own; the last byte is that of all others */
    EVIDENCE_POINTER = 0x80,      /* in an argument's byte: it may be a pointer; the other 7 bits are a hash of its value alone */
    EVIDENCE_POINTERS = 0x40,     /* it may hold pointers */
    EVIDENCE_MOST = 256 << 20,    /* bytes of a copy; what larger ones move is not known: reading that takes as long as the copy */
    EVIDENCE_SMALL = 64 << 10,    /* bytes of a copy that is read as a whole; see `evidence_is_new` */
    SAMPLES = 8192,
    SAMPLE_LINES = 64,
    SAMPLE_LINE = 64
};

static uint64_t evidence_samples[SAMPLES]; /* of all threads, each where its hash says; a lost one costs one equality */

typedef struct { /* boxes of bytes in the host's memory */
    const void *at;
    size_t width, rows, pitch, layers, layer_pitch;
} host_memory;

typedef struct { /* a call that goes on */
    uint8_t flags, launch; /* launch: `count` is that of arguments */
    uint16_t count;
    uint32_t site, n_waits;
    uint64_t content, arguments, further, event, host;
    const void *const *waits;
    const void *waited; /* where there is one wait, and no list */
    void *const *made;  /* where the driver stores the event that it makes, or NULL */
    host_memory filled; /* by a copy that the call waits for */
    uint64_t spent;     /* ticks, for reading a copy's bytes */
} call_evidence;

static inline host_memory host_bytes(const void *at, size_t size) { return (host_memory){at, size, 1, 0, 1, 0}; }

/* A call begins: before the tick that its record begins with. */
static inline void evidence_begin(call_evidence *of, lp_records *ring) {
    memset(of, 0, sizeof *of);
    look_before(ring);
    if (lp_trace.findings & FINDINGS_SITES) of->site = site_here(ring);
}

/* Look at some lines of a large copy, its first and last ones too. If no copy had these before, its bytes are equal to none: reading
   them all would take many times as long, and a program that sends other bytes each time would be measured by that. Gives 1, and
   then a hash that no other copy has: a copy of the same bytes that comes next is read as a whole, and equal to those behind it. */
static int evidence_is_new(const char *at, size_t size, uint64_t *hash) {
    uint64_t sample = content_hash(at + size - SAMPLE_LINE, SAMPLE_LINE, size), *place;
    size_t line, step = size / SAMPLE_LINES;
    for (line = 0; line < SAMPLE_LINES; line++) sample = content_hash(at + line * step, SAMPLE_LINE, sample);
    place = &evidence_samples[sample % SAMPLES];
    if (lp_load(place) == sample) return 0;
    lp_store(place, sample);
    *hash = hash_mix(sample ^ HASH_A, lp_ticks() ^ HASH_B);
    return 1;
}

/* Read what a copy moves; 0: there is too much of it. */
static int evidence_read(call_evidence *of, const host_memory *memory) {
    uint64_t begin = lp_ticks(), hash = 0;
    size_t layer, row;
    if (memory->at == 0 || memory->rows == 0 || memory->layers == 0 || memory->width > EVIDENCE_MOST / memory->rows / memory->layers) return 0;
    if (memory->rows == 1 && memory->layers == 1) {
        if (memory->width <= EVIDENCE_SMALL || !evidence_is_new((const char *)memory->at, memory->width, &hash)) hash = content_hash(memory->at, memory->width, 0);
    } else
        for (layer = 0; layer < memory->layers; layer++)
            for (row = 0; row < memory->rows; row++)
                hash = content_hash((const char *)memory->at + layer * memory->layer_pitch + row * memory->pitch, memory->width, hash);
    of->content = hash, of->flags |= EVIDENCE_CONTENT;
    of->spent += lp_ticks() - begin;
    return 1;
}

/* A copy from the host's memory, whose bytes are there before the call. */
static inline void evidence_sent(call_evidence *of, host_memory memory, int blocking) {
    of->host = (uint64_t)(uintptr_t)memory.at;
    if (blocking) of->flags |= EVIDENCE_BLOCKING;
    evidence_read(of, &memory);
}

/* A copy to the host's memory, whose bytes are there after a call that waits for it. */
static inline void evidence_received(call_evidence *of, host_memory memory, int blocking) {
    of->host = (uint64_t)(uintptr_t)memory.at;
    if (blocking) of->flags |= EVIDENCE_BLOCKING, of->filled = memory;
}

static inline void evidence_wait(call_evidence *of, const void *event) { of->n_waits = 1, of->waited = event, of->waits = &of->waited; }

/* A fill with a pattern, or with a number. */
static inline void evidence_pattern(call_evidence *of, const void *pattern, size_t size) {
    if (pattern) of->content = content_hash(pattern, size, 0), of->flags |= EVIDENCE_CONTENT;
}
static inline void evidence_fills(call_evidence *of, uint64_t value) { evidence_pattern(of, &value, sizeof value); }

/* The hash of an argument of a launch. */
static inline uint64_t argument_hash(uint32_t index, const void *bytes, size_t size) { return content_hash(bytes, size, index + 1); }

/* What a record has of an argument alone: never 0. Equal pointers have equal bytes wherever they stand, so that launches that share
   none can be told; `_findings/ordering/pointers.py` makes the same byte of an address. */
static inline uint8_t argument_byte(const void *bytes, size_t size, uint64_t hash) {
    if (size == 8) return (uint8_t)(EVIDENCE_POINTER | content_hash(bytes, size, 0) >> 57);
    return (uint8_t)((size > 8 ? EVIDENCE_POINTERS : 0) | (hash >> 58 ? hash >> 58 : 1));
}

static inline void evidence_argument(call_evidence *of, uint32_t index, const void *bytes, size_t size) {
    uint64_t hash = argument_hash(index, bytes, size);
    of->content += hash, of->count += 1;
    if (index < EVIDENCE_WORDS) of->arguments |= (uint64_t)argument_byte(bytes, size, hash) << 8 * index;
    else {
        of->further += hash;
        of->arguments = (of->arguments & ~(0xFFull << 56)) | (of->further >> 56 ? of->further >> 56 : 1) << 56;
    }
}

static inline void evidence_fill(evidence_slot *slot, const call_evidence *of, uint64_t correlation) {
    slot->kind = SLOT_EVIDENCE, slot->flags = of->flags, slot->count = of->count, slot->site = of->site;
    slot->correlation = correlation, slot->content = of->content;
    slot->arguments = of->flags & EVIDENCE_ARGUMENTS ? of->arguments : of->spent;
    slot->event = of->event, slot->host = of->host;
    slot->wait = of->n_waits ? (uint64_t)(uintptr_t)of->waits[0] : 0, slot->wait_too = of->n_waits > 1 ? (uint64_t)(uintptr_t)of->waits[1] : 0;
}

/* Further events that a call waits for. */
LP_NOINLINE static void evidence_waits(lp_records *ring, const call_evidence *of, uint64_t correlation) {
    evidence_slot *slot;
    uint32_t i;
    for (i = 2; i < of->n_waits && records_has_room(ring, 1); i += 2) {
        slot = &records_slot(ring, 0)->evidence;
        memset(slot, 0, sizeof *slot);
        slot->kind = SLOT_EVIDENCE, slot->site = of->site, slot->correlation = correlation;
        slot->wait = (uint64_t)(uintptr_t)of->waits[i], slot->wait_too = i + 1 < of->n_waits ? (uint64_t)(uintptr_t)of->waits[i + 1] : 0;
        records_publish(ring, 1);
    }
}

/* What is known of a call once it has ended. */
static inline void evidence_end(call_evidence *of, int code) {
    if (of->filled.at && code == 0) evidence_read(of, &of->filled);
    if (of->made && code == 0) of->event = (uint64_t)(uintptr_t)*of->made;
    if (!of->launch) of->count = (uint16_t)(of->n_waits < 65535 ? of->n_waits : 65535);
}

/* A call has ended, and its record is written; `correlation` 0: it has none. */
static inline void evidence_write(call_evidence *of, lp_records *ring, int code, uint64_t begin, uint64_t correlation) {
    if (LP_LIKELY(correlation != 0)) {
        evidence_end(of, code);
        if (records_has_room(ring, 1)) {
            evidence_fill(&records_slot(ring, 0)->evidence, of, correlation);
            records_publish(ring, 1);
        }
        if (LP_UNLIKELY(of->n_waits > 2)) evidence_waits(ring, of, correlation);
    }
    look_after(ring, begin);
}

#endif
