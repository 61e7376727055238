/* Records of calls: the driver's function is called between `call_begins` and what writes the record. */
#ifndef LAUNCHPATH_RECORDER_RECORD_H
#define LAUNCHPATH_RECORDER_RECORD_H

#include "process.h"

/* Where a copy goes, as in its flags. */
enum { COPY_UNKNOWN = 0, COPY_TO_DEVICE = 64, COPY_TO_HOST = 128, COPY_ON_DEVICE = 192 };

/* What a command does, as far as its record tells. */
typedef struct {
    uint8_t command, flags;
    uint16_t waits;
    uint32_t name, shared;
    detail_values of;
} payload;

/* The stream and the device of a call. */
typedef struct {
    uint32_t stream;
    uint16_t device;
} place;

/* A call begins. The file then tells which call the thread is in, should the process end there. */
static inline uint64_t call_begins(lp_records *ring, uint16_t entry) {
    call_slot *frame = &ring->frame->call;
    delays_before(ring, process.roles[entry]);
    frame->entry = entry, frame->device = 0;
    frame->kind = SLOT_CALL;
    return lp_ticks();
}

static inline void call_ended(lp_records *ring) {
    ring->frame->kind = 0;
    delays_after(ring);
}

/* Write the record of a call that is no command; gives its correlation number, 0: there was no room. `failed`: its code is an
   error. */
static inline uint64_t call_write(lp_records *ring, uint16_t entry, uint64_t begin, uint64_t end, int code, int failed, uint64_t quantity, place at) {
    call_slot *slot;
    call_ended(ring);
    delays_function(ring, entry, 0);
    if (!records_has_room(ring, 1)) return 0;
    slot = &records_slot(ring, 0)->call;
    slot->kind = SLOT_CALL, slot->flags = failed ? SLOT_FAILED : 0, slot->entry = entry, slot->result = code;
    slot->correlation = records_correlation(ring), slot->begin = begin, slot->end = end;
    slot->quantity = quantity, slot->parent = 0, slot->external = lp_here.external;
    slot->stream = at.stream, slot->device = at.device, slot->unused = 0;
    records_publish(ring, 1);
    return ((uint64_t)ring->number + 1) << 40 | ring->calls;
}

/* Fill the two slots of a command, with the function's entry in the place of a number in its stream. There is room. */
static inline detail_slot *command_fill(lp_records *ring, uint16_t entry, uint64_t begin, uint64_t end, int code, const payload *what, place at, uint8_t flags) {
    command_slot *command = &records_slot(ring, 0)->command;
    detail_slot *detail = &records_slot(ring, 1)->detail;
    command->kind = SLOT_COMMAND, command->flags = what->flags | flags | (code ? SLOT_FAILED : 0);
    command->waits = what->waits, command->result = code;
    command->correlation = records_correlation(ring), command->begin = begin, command->end = end, command->waited = 0;
    command->driver_begin = flags & SLOT_KEPT_BACK ? 0 : begin, command->driver_end = flags & SLOT_KEPT_BACK ? 0 : end;
    command->stream = at.stream, command->name = what->name;
    detail->kind = SLOT_DETAIL, detail->command = what->command, detail->device = at.device, detail->shared = what->shared;
    detail->of = what->of, detail->number = entry, detail->external = lp_here.external;
    detail->step = detail->node = detail->run = detail->left_out = 0;
    return detail;
}

/* A command that may be the anchor of delays has a record now. */
static inline void command_anchors(lp_records *ring, uint16_t entry, const payload *what) {
    delays_kernel(ring, what->name);
    delays_function(ring, entry, 0);
}

/* Write the record of a command; gives its correlation number, 0: there was no room. */
static inline uint64_t command_write(lp_records *ring, uint16_t entry, uint64_t begin, uint64_t end, int code, const payload *what, place at, uint8_t flags) {
    uint64_t correlation;
    call_ended(ring);
    if (!records_has_room(ring, 2)) return 0;
    command_fill(ring, entry, begin, end, code, what, at, flags);
    correlation = records_slot(ring, 0)->command.correlation;
    records_publish(ring, 2);
    command_anchors(ring, entry, what);
    return correlation;
}

/* Write the record of a command that runs as a part of a graph: `step` and `node` say which, `run` in which of its runs. */
static void node_write(lp_records *ring, uint16_t entry, uint64_t begin, uint64_t end, const payload *what, place at, uint32_t step, uint32_t node, uint32_t run) {
    detail_slot *detail;
    if (!records_has_room(ring, 2)) return;
    detail = command_fill(ring, entry, begin, end, 0, what, at, SLOT_IN_GRAPH | SLOT_IN_STEP);
    detail->step = step, detail->node = node, detail->run = run;
    records_publish(ring, 2);
    delays_kernel(ring, what->name);
}

/* Evidence of a call: `PROOF` before its record begins, where `proof` is what `gather` fills; `PROVEN` behind its record, with the
   record's correlation number. Without findings that is a branch each. */
#define PROOF(gather)                                                                                                  \
    call_evidence proof;                                                                                               \
    if (LP_UNLIKELY(ring != 0 && lp_trace.findings)) {                                                                 \
        evidence_begin(&proof, ring);                                                                                  \
        gather;                                                                                                        \
    }
#define PROVEN(ring, code, begin, record)                                                                              \
    do {                                                                                                               \
        const uint64_t recorded = record;                                                                              \
        if (LP_UNLIKELY(lp_trace.findings)) evidence_write(&proof, ring, code, begin, recorded);                       \
    } while (0)

/* Count a call that the library does not understand. */
static inline void not_understood(void) {
    if (lp_trace.recording) lp_add(&lp_trace.header->counters.not_understood, 1);
}

#endif
