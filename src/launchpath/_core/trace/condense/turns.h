/* Turns: what occurs again and again, a range or a wait, in windows of as many occurrences each. Processes that do the same
   steps have the same windows, so that their times can be compared step by step. */
#ifndef LAUNCHPATH_CONDENSE_TURNS_H
#define LAUNCHPATH_CONDENSE_TURNS_H

#include "cell.h"

enum {
    TURN_WINDOWS = 64,
    TURN_PARTS = 7,  /* of a turn's time: see `turn_part` */
    TURNS_MOST = 64  /* keys that have windows: the first that come */
};

/* What a thread did in a turn, nanoseconds. Those from `PART_RUN` on are from looks at the thread, where there are any: it was on
   a processor, it was ready and had none, and it slept outside of all calls, as it does to wait for another process. */
enum turn_part { PART_SUBMIT, PART_COPY, PART_WAIT, PART_CALL, PART_RUN, PART_READY, PART_AWAY };

typedef struct {
    uint64_t turns, total, longest, longest_number;
    uint64_t begin, end; /* of the first, and of the last: nanoseconds of the monotonic clock */
    uint64_t parts[TURN_PARTS];
} turn_window;

typedef struct {
    uint32_t table; /* TABLE_RANGE, or TABLE_CALL: a wait */
    uint32_t shift; /* a window has 2^shift turns */
    uint64_t key;
    uint64_t turns; /* occurrences; the first is number 0 */
    turn_window windows[TURN_WINDOWS];
} turn_row;

typedef struct {
    uint64_t parts[TURN_PARTS];
} turn_sums;

static inline void turn_part_add(turn_sums *sums, int part, int64_t time) { sums->parts[part] = cell_more(sums->parts[part], cell_value(time)); }

static void turn_window_merge(turn_window *into, const turn_window *other) {
    int i;
    if (other->turns == 0) return;
    if (into->turns == 0) {
        *into = *other;
        return;
    }
    if (other->longest > into->longest) into->longest = other->longest, into->longest_number = other->longest_number;
    into->turns += other->turns;
    into->total = cell_more(into->total, other->total);
    if (other->begin < into->begin) into->begin = other->begin;
    if (other->end > into->end) into->end = other->end;
    for (i = 0; i < TURN_PARTS; i++) into->parts[i] = cell_more(into->parts[i], other->parts[i]);
}

/* The window of the next turn; windows become twice as long where there is none left. */
static turn_window *turn_next(turn_row *row) {
    uint32_t i;
    while (row->turns >> row->shift >= TURN_WINDOWS) {
        for (i = 0; i < TURN_WINDOWS; i++) {
            turn_window pair = row->windows[i];
            memset(&row->windows[i], 0, sizeof pair);
            turn_window_merge(&row->windows[i / 2], &pair);
        }
        row->shift += 1;
    }
    return &row->windows[row->turns++ >> row->shift];
}

static void turn_add(turn_row *row, uint64_t begin, uint64_t end, const uint64_t *parts) {
    turn_window *window, turn;
    memset(&turn, 0, sizeof turn);
    turn.turns = 1, turn.total = turn.longest = end > begin ? end - begin : 0, turn.longest_number = row->turns;
    turn.begin = begin, turn.end = end;
    memcpy(turn.parts, parts, sizeof turn.parts);
    window = turn_next(row);
    turn_window_merge(window, &turn);
}

#endif
