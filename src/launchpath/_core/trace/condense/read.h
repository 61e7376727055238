/* Reading several rings together: in parts of time, for what one thread did is followed by what is in other rings. In each
   part the times of commands come last: the synchronizations before a start are known then. */
#ifndef LAUNCHPATH_CONDENSE_READ_H
#define LAUNCHPATH_CONDENSE_READ_H

#include "condense.h"

#define READ_PART 20000000 /* nanoseconds */

typedef struct {
    const lp_slot_bytes *slots; /* NULL: `more` gives them */
    uint64_t count;
    uint64_t follows; /* the slots before it are there: it is not behind a gap */
    uint64_t offset;  /* in the file */
} read_piece;

typedef struct read_source read_source;
struct read_source { /* a ring: pieces that follow one another */
    uint32_t ring, thread;
    const read_piece *pieces;
    uint64_t n_pieces;
    uint64_t place; /* in the first of them */
    uint64_t next;  /* nanoseconds: of the slot that is next; UINT64_MAX: there is none */
    int has_times;
    /* Of slots that are not in memory; NULL and 0 else. `more` gives slots of the first piece from `place` on, and how many;
       NULL: they cannot be read. */
    int file;
    const lp_slot_bytes *(*more)(read_source *source, uint64_t *count);
    lp_slot_bytes *held; /* `n_held` slots, from number `first_held` of the first piece on */
    uint64_t first_held, n_held, room;
};

#define READ_TIME_MOST (CLOCK_TIME_MOST << 1) /* no time is later */

typedef struct { /* a time, in nanoseconds, and the last tick up to it */
    uint64_t time, tick;
} read_limit;

/* Clocks of a damaged file may run backwards: a tick behind the last one is looked at again. */
static inline uint64_t read_later(int64_t time, const read_limit *until) { return time > (int64_t)until->time ? (uint64_t)time : 0; }

/* When a slot was, where that is later than a limit, in nanoseconds of the monotonic clock; 0: it is not, or it has no time,
   and goes with the slot before it, as that of a damaged file does. */
static inline uint64_t slot_later(condenser *of, const lp_slot_bytes *slot, const read_limit *until) {
    switch (slot->kind) {
    case SLOT_COMMAND: case SLOT_CALL: case SLOT_API: case SLOT_RANGE_BEGIN: case SLOT_RANGE: case SLOT_MARK:
        if (slot->words[2] <= until->tick || slot->words[2] > CLOCK_TIME_MOST) return 0;
        return read_later(host_time(&of->host, slot->words[2]), until);
    case SLOT_TIMES:
        if (slot->times.flags & SLOT_FAILED) return 0;
        if (slot->times.device < CLOCK_DEVICES && of->devices[slot->times.device].known) {
            condense_clock *clock = &of->devices[slot->times.device];
            if (slot->times.ended <= device_last(clock, until->time) || slot->times.ended > CLOCK_TIME_MOST) return 0;
            return read_later(clock_time(clock, slot->times.ended), until);
        }
        if (slot->times.enqueued <= until->tick || slot->times.enqueued > CLOCK_TIME_MOST) return 0;
        return read_later(host_time(&of->host, slot->times.enqueued), until);
    default: return 0;
    }
}

/* Count a source's slots up to a time; 0: there is no memory, or slots cannot be read. */
static int read_until(condenser *of, read_source *source, const read_limit *until) {
    condense_ring *ring = condenser_ring(of, source->ring, source->thread);
    if (ring == 0) return 0;
    for (; source->n_pieces; source->pieces++, source->n_pieces--, source->place = source->n_held = 0) {
        const read_piece *piece = source->pieces;
        if (source->place == 0 && !piece->follows && ring->has_first) ring->has_first = 0, of->halves += 1;
        while (source->place < piece->count) {
            uint64_t count = piece->count - source->place;
            const lp_slot_bytes *first = piece->slots ? piece->slots + source->place : source->more(source, &count), *slot = first, *end;
            if (first == 0) return 0;
            for (end = first + count; slot < end;) {
                uint64_t time = slot_later(of, slot, until);
                if (__builtin_expect(time != 0, 0)) {
                    of->slots += (uint64_t)(slot - first);
                    source->place += (uint64_t)(slot - first), source->next = time;
                    source->has_times = slot->kind == SLOT_TIMES;
                    return !of->failed;
                }
                slot = condense_next(of, ring, slot, end);
            }
            of->slots += count, source->place += count;
        }
    }
    source->next = UINT64_MAX;
    return !of->failed;
}

/* Count all slots of some sources; 0: there is no memory, or slots cannot be read. */
static int read_all(condenser *of, read_source *sources, uint64_t count) {
    read_limit until = {0, 0};
    uint64_t i, next;
    int times;
    for (;;) {
        until.tick = until.time >= READ_TIME_MOST ? UINT64_MAX : host_last(&of->host, until.time);
        for (times = 0; times < 2; times++)
            for (i = 0; i < count; i++)
                if (sources[i].has_times == times && sources[i].next <= until.time && !read_until(of, &sources[i], &until)) return 0;
        condense_part(of);
        next = UINT64_MAX;
        for (i = 0; i < count; i++)
            if (sources[i].next < next) next = sources[i].next;
        if (next == UINT64_MAX) return 1;
        until.time = (next > until.time ? next : until.time) + READ_PART;
    }
}

#endif
