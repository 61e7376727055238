/* The condenser: slots of a process's rings, as they come, to cells. Nothing is kept of a slot but what it adds.

   A drainer uses it while a trace goes on, and a reader of files in the order of their blocks: both give the same numbers. */
#ifndef LAUNCHPATH_CONDENSE_H
#define LAUNCHPATH_CONDENSE_H

#include "../records/slot.h"
#include "cell.h"
#include "clocks.h"
#include "turns.h"
#include "waits.h"

enum {
    CALLS_OPEN = 64,     /* calls of a thread that a later one may contain */
    RANGES_DEEP = 32,
    STREAMS_MOST = 1 << 14,
    PENDING_LEAST = 1 << 8, PENDING_MOST = 1 << 16, /* copies whose times have not come, or times whose copies have not */
    PENDING_ROW = 8,
    AHEAD = 12, /* slots that are fetched before they are read */
    CALL_LONG = 100000,     /* nanoseconds: a thread is looked at after such a call, see ../records/looks.h */
    PLACES_ROOM = 1 << 12,  /* addresses that were uploaded to, with what: of the last ones */
    FUNCTIONS = 1 << 16,
    GAP_CLASSES = 6,
    KERNELS_NEAR = 1 << 19,
    NO_DIRECTION = 0, TO_DEVICE = 1, TO_HOST = 2, ON_DEVICE = 3, FILLED = 4,
    ENTRY_WAITS = 1, ENTRY_COPIES = 2
};

typedef struct {
    uint64_t begin, span;
    cell *of;
} open_call;

/* The cells of a kernel. */
typedef struct {
    cell_memo kernel, delay, sent, around, waited;
} kernel_cells;

typedef struct { /* a ring's thread */
    uint32_t number, thread;
    cell_memo commands, calls, function, entry, entry_of_api, recorded, look; /* of the thread, and of what it calls */
    int has_first;          /* `first` is a command whose detail has not come */
    int has_thread;         /* its thread is in TABLE_THREAD */
    int has_times;
    command_slot first;
    open_call open[CALLS_OPEN];
    uint32_t n_open;
    turn_sums sums;         /* of all that it did */
    uint64_t in_api;        /* nanoseconds of the calls in the call of launchpath that goes on */
    uint64_t in_long;       /* nanoseconds of long calls since the last look */
    turn_sums ranges[RANGES_DEEP];
    uint64_t last_wait;     /* nanoseconds: its last wait ended */
    uint64_t open_range;    /* nanoseconds: the range that it is in, and that is in no other, began; 0: it is in none */
    uint64_t told;          /* when the turn began that was the last to be slow */
    turn_sums waited;       /* `sums` at that time */
    /* Of the last command or call, for its evidence. */
    uint64_t correlation, span, bytes, to;
    uint32_t number_of, direction; /* its function or entry */
    int is_command, is_copy;
} condense_ring;

typedef struct {
    uint64_t correlation, bytes, time;
    uint8_t direction, failed, has_time, in_use, unused[4];
} pending_copy;

typedef struct { /* of a device: ends of synchronizations, and starts that have one of them before them */
    wait_times ends, starts;
} device_waits;

typedef struct {
    uint64_t last; /* the last end */
    uint32_t device, run_class;
    uint64_t run;
    uint32_t stream;
    cell *of;           /* of TABLE_STREAM */
    cell_memo gaps[2], runs;
} stream_gaps;

typedef struct {
    uint64_t to, content;
    int in_use;
} upload_place;

typedef struct {
    cells all;
    host_clock host;
    condense_clock devices[CLOCK_DEVICES];
    uint64_t real; /* nanoseconds since 1970 when the monotonic clock was 0 */
    condense_ring **rings;
    uint32_t n_rings, rings_room;
    kernel_cells **kernels; /* by their numbers, those below KERNELS_NEAR */
    uint32_t kernels_room;
    kernel_cells far;       /* of the last with a larger number */
    uint64_t far_name;
    cell_memo launch, traffic[FILLED + 1], sizes[FILLED + 1], after;
    uint8_t api_waits[FUNCTIONS / 8], entry_waits[FUNCTIONS / 8];
    uint8_t is_recorder;
    pending_copy *pending; /* `pending_room`, a power of 2, in rows */
    uint32_t pending_room;
    device_waits *waits[CLOCK_DEVICES];
    stream_gaps **streams; /* a hash table */
    stream_gaps *recent;   /* of the last command */
    uint32_t n_streams, streams_room;
    upload_place *places;
    turn_row *turns[TURNS_MOST];
    uint32_t n_turns;
    /* What is told beside the cells, in the order of `COUNTS` of _trace/condensed/format.py. */
    uint64_t slots, halves, timed, times, clamped, correction, begin, end, untracked, marks, begun_ranges, ended_ranges;
    uint64_t kinds[256];
    uint64_t unrelated[CLOCK_DEVICES / 64];
    uint32_t anchors;
    uint64_t slow, slow_turns; /* nanoseconds from which on a turn is slow, 0: none is; and how many were */
    int failed; /* there was no memory: nothing is counted any more */
} condenser;

static condenser *condenser_new(int is_recorder) {
    condenser *fresh = (condenser *)calloc(1, sizeof(condenser));
    if (fresh) fresh->begin = UINT64_MAX, fresh->is_recorder = (uint8_t)is_recorder;
    return fresh;
}

static void condenser_free(condenser *of) {
    uint32_t i;
    if (of == 0) return;
    cells_free(&of->all);
    for (i = 0; i < of->rings_room; i++) free(of->rings[i]);
    for (i = 0; i < CLOCK_DEVICES; i++) {
        if (of->waits[i]) wait_free(&of->waits[i]->ends), wait_free(&of->waits[i]->starts);
        free(of->waits[i]);
    }
    for (i = 0; i < of->streams_room; i++) free(of->streams[i]);
    for (i = 0; i < of->n_turns; i++) free(of->turns[i]);
    for (i = 0; i < of->kernels_room; i++) free(of->kernels[i]);
    free(of->kernels);
    free(of->rings), free(of->pending), free(of->streams), free(of->places), free(of);
}

/* Tell that an entry waits for the device: of the driver's calls, or of launchpath's. */
static inline void condenser_waits(condenser *of, int api, uint32_t entry) {
    if (entry < FUNCTIONS) (api ? of->api_waits : of->entry_waits)[entry >> 3] |= (uint8_t)(1u << (entry & 7));
}

static inline int is_wait(const uint8_t *bits, uint32_t entry) { return bits[entry >> 3] >> (entry & 7) & 1; }

static inline void condenser_limit(condenser *of, int64_t begin, int64_t end) {
    if ((uint64_t)begin < of->begin && begin >= 0) of->begin = (uint64_t)begin;
    if ((uint64_t)end > of->end && end >= 0) of->end = (uint64_t)end;
}

static inline void condense_value(condenser *of, cell *it, int64_t value, int failed) {
    if (it == 0) of->failed = 1;
    else if (failed) it->failed += 1;
    else if (!cell_add(&of->all, it, cell_value(value))) of->failed = 1;
}

/* The same of something that began at a time: the cell notes it of its longest. */
static inline void condense_timed(condenser *of, cell *it, int64_t begin, int64_t value, int failed) {
    if (it && !failed && (uint64_t)value > it->longest) it->at = of->real + (uint64_t)begin;
    condense_value(of, it, value, failed);
}

static inline void condense_sum(condenser *of, cell *it, int64_t value, uint64_t amount) {
    if (it == 0) of->failed = 1;
    else cell_sum(it, cell_value(value)), it->amount = cell_more(it->amount, amount);
}

/* The cells of a kernel; NULL: there is no memory. */
static inline kernel_cells *condenser_kernel(condenser *of, uint32_t name) {
    if (__builtin_expect(name < of->kernels_room && of->kernels[name] != 0, 1)) return of->kernels[name];
    if (name >= KERNELS_NEAR) {
        if (of->far_name != name) memset(&of->far, 0, sizeof of->far), of->far_name = name;
        return &of->far;
    }
    if (name >= of->kernels_room) {
        uint32_t room = of->kernels_room ? of->kernels_room : 256;
        kernel_cells **kernels;
        while (room <= name) room *= 2;
        kernels = (kernel_cells **)realloc(of->kernels, room * sizeof *kernels);
        if (kernels == 0) return 0;
        memset(kernels + of->kernels_room, 0, (room - of->kernels_room) * sizeof *kernels);
        of->kernels = kernels, of->kernels_room = room;
    }
    return of->kernels[name] = (kernel_cells *)calloc(1, sizeof(kernel_cells));
}

static condense_ring *condenser_ring(condenser *of, uint32_t number, uint32_t thread) {
    uint64_t place;
    condense_ring *it;
    if ((of->n_rings + 1) * 2 > of->rings_room) {
        uint32_t i, room = of->rings_room ? of->rings_room * 2 : 64;
        condense_ring **rings = (condense_ring **)calloc(room, sizeof *rings);
        if (rings == 0) return 0;
        for (i = 0; i < of->rings_room; i++) {
            if (of->rings[i] == 0) continue;
            for (place = cell_hash(0, of->rings[i]->number) & (room - 1); rings[place]; place = (place + 1) & (room - 1)) {}
            rings[place] = of->rings[i];
        }
        free(of->rings);
        of->rings = rings, of->rings_room = room;
    }
    for (place = cell_hash(0, number) & (of->rings_room - 1); (it = of->rings[place]) != 0; place = (place + 1) & (of->rings_room - 1))
        if (it->number == number) break;
    if (it == 0) {
        it = (condense_ring *)calloc(1, sizeof *it);
        if (it == 0) return 0;
        it->number = number, it->thread = thread;
        of->rings[place] = it, of->n_rings += 1;
    }
    if (it->thread != thread && thread != UINT32_MAX) { /* another thread has the ring now */
        it->thread = thread, it->n_open = 0, it->last_wait = it->open_range = it->in_api = it->in_long = 0;
        it->commands.of = it->calls.of = it->look.of = 0, it->has_thread = 0;
        memset(&it->sums, 0, sizeof it->sums);
        memset(it->ranges, 0, sizeof it->ranges);
    }
    return it;
}

/* A turn that began at a time is slow: told when it has lasted so long, and again when it has ended. */
static inline void condense_slow(condenser *of, condense_ring *ring, uint64_t begin, int has_ended) {
    if (ring->told == begin && !has_ended) return;
    ring->told = begin, of->slow_turns += 1;
}

/* Look for turns that have not ended, and are slow already. Where the program has ranges, these alone are its steps. */
static void condenser_look(condenser *of, uint64_t now) {
    uint32_t i;
    for (i = 0; of->slow && i < of->rings_room; i++) {
        condense_ring *ring = of->rings[i];
        uint64_t begin = ring == 0 ? 0 : of->begun_ranges ? ring->open_range : ring->last_wait;
        if (begin && now > begin && now - begin > of->slow) condense_slow(of, ring, begin, 0);
    }
}

static turn_row *condenser_turns(condenser *of, uint32_t table, uint64_t key) {
    uint32_t i;
    for (i = 0; i < of->n_turns; i++)
        if (of->turns[i]->key == key && of->turns[i]->table == table) return of->turns[i];
    if (of->n_turns == TURNS_MOST) return 0;
    of->turns[i] = (turn_row *)calloc(1, sizeof(turn_row));
    if (of->turns[i] == 0) return 0;
    of->turns[i]->table = table, of->turns[i]->key = key;
    of->n_turns += 1;
    return of->turns[i];
}

/* A part of a turn that was spent in a call. A long one ends with a look at the thread, which needs to know of it. */
static inline void turn_called(condense_ring *ring, int part, int64_t time, int64_t took) {
    turn_part_add(&ring->sums, part, time);
    if (took > CALL_LONG) ring->in_long = cell_more(ring->in_long, cell_value(time));
}

/* Nanoseconds of the last calls that began at a tick or later. */
static inline uint64_t calls_since(const condense_ring *ring, uint64_t begin) {
    uint32_t n = ring->n_open;
    uint64_t time = 0;
    while (n && ring->open[n - 1].begin >= begin) time = cell_more(time, ring->open[--n].span);
    return time;
}

/* Whether times of commands were in a ring. */
static int condenser_has_times(condenser *of, uint32_t number) {
    condense_ring *ring = condenser_ring(of, number, UINT32_MAX);
    return ring != 0 && ring->has_times;
}

#include "streams.h"
#include "commands.h"
#include "calls.h"
#include "times.h"

static inline void condense_slot(condenser *of, condense_ring *ring, const lp_slot_bytes *slot) {
    uint8_t kind = *(const uint8_t *)slot;
    of->kinds[kind] += 1;
    if (!ring->has_thread && kind != SLOT_TIMES && kind != SLOT_HOST_CLOCK && kind != SLOT_DEVICE_CLOCK && kind != SLOT_STREAM)
        ring->has_thread = cell_of(&of->all, &ring->commands, TABLE_THREAD, (uint64_t)ring->thread << 1) != 0;
    if (ring->has_first && kind != SLOT_DETAIL) ring->has_first = 0, of->halves += 1;
    switch (kind) {
    case SLOT_COMMAND: ring->first = *(const command_slot *)slot, ring->has_first = 1; break;
    case SLOT_DETAIL:
        if (ring->has_first) condense_command(of, ring, &ring->first, (const detail_slot *)slot);
        else of->halves += 1;
        ring->has_first = 0;
        break;
    case SLOT_TIMES: ring->has_times = 1, condense_times(of, (const times_slot *)slot); break;
    case SLOT_CALL: condense_call(of, ring, (const call_slot *)slot); break;
    case SLOT_API: condense_api(of, ring, (const call_slot *)slot); break;
    case SLOT_RANGE_BEGIN: condense_range_begin(of, ring, (const range_slot *)slot); break;
    case SLOT_RANGE: condense_range(of, ring, (const range_slot *)slot); break;
    case SLOT_MARK: of->marks += 1; condense_mark(of, (const range_slot *)slot); break;
    case SLOT_HOST_CLOCK: condense_host_clock(of, (const clock_slot *)slot); break;
    case SLOT_DEVICE_CLOCK: condense_device_clock(of, (const device_clock_slot *)slot); break;
    case SLOT_EVIDENCE: condense_evidence(of, ring, (const evidence_slot *)slot); break;
    case SLOT_THREAD: condense_look(of, ring, (const thread_slot *)slot); break;
    default: break;
    }
}

/* Count a slot, or a command with its detail; gives the slot behind it. */
static inline const lp_slot_bytes *condense_next(condenser *of, condense_ring *ring, const lp_slot_bytes *slot, const lp_slot_bytes *end) {
    __builtin_prefetch(slot + AHEAD);
    if (slot->kind == SLOT_COMMAND && slot + 1 < end && slot[1].kind == SLOT_DETAIL && !ring->has_first) {
        of->kinds[SLOT_COMMAND] += 1, of->kinds[SLOT_DETAIL] += 1;
        __builtin_prefetch(slot + AHEAD + 1);
        condense_command(of, ring, &slot->command, &slot[1].detail);
        return slot + 2;
    }
    condense_slot(of, ring, slot);
    return slot + 1;
}

#endif
