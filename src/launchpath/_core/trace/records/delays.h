/* Delays: an intervention into the program that is traced. In alternating blocks of its own repetitions a known time passes
   before each call of a kind, and readers see by how much a repetition became longer.

   A repetition goes from one `anchor` to the next: a kernel, a range or a function that the program calls once in each.
   The anchor's thread counts them. At the end of a block it writes a slot and sets the level of the next one, which other
   threads read. Levels come in groups: each has every level once, in an order by chance, so that slow changes of the machine
   are taken out.

   The delay is no part of the call: it ends before the call's record begins.

   The recorder and launchpath's core are two copies of this code in one process. Then the recorder's state serves both, so that
   there is one level at a time. */
#ifndef LAUNCHPATH_TRACE_DELAYS_H
#define LAUNCHPATH_TRACE_DELAYS_H

#include <stdlib.h>
#include "delays_asked.h"
#include "ring.h"

enum { DELAYS_NEW, DELAYS_WARMS, DELAYS_SETTLES, DELAYS_MEASURES };
enum {
    DELAYS_PATIENCE = 1000000000, /* nanoseconds without an anchor after which another thread may be the anchor's */
    DELAYS_LOOKS = 8,             /* at both clocks */
    DELAYS_RATE_LEAST = 2000000,  /* nanoseconds over which the rate of ticks is measured */
    DELAYS_TRIED = 500,           /* nanoseconds of the delays by which their overhead is measured */
    DELAYS_TIMES_MOST = 1024      /* repetitions of a block whose median is taken */
};

struct delays_cell { /* a thread's, which alone writes it: a cache line */
    uint64_t n, spent;   /* ticks */
    uint64_t last;       /* of host code: when its last call ended, at `level` */
    uint64_t level;
    delays_cell *next;
    uint64_t unused[3];
};

struct delays_state {
    uint64_t layout;     /* its size: of a copy of this code that is another version's it is of no use */
    uint64_t level;      /* target, number of the block << 8, ticks or thousandths << 24; 0: nothing is delayed */
    uint64_t cells;      /* of all threads; none is freed */
    delays_cell *(*cell)(void); /* the calling thread's, or NULL */
    lp_lock lock;        /* of what follows; a leaf but for `drain_lock` */
    uint64_t thread;     /* the anchor's: its cell */
    uint64_t seen;       /* nanoseconds: the last anchor */
    uint64_t occurrences, blocks;
    uint64_t ticks, nanoseconds; /* when it began, for the rate of ticks */
    double rate;         /* ticks in a nanosecond; 0: not known yet */
    uint64_t overhead;   /* ticks that a delay takes beside those that it counts */
    int phase;
    uint64_t left;       /* repetitions of the phase */
    uint64_t within;     /* anchors of this repetition */
    uint64_t begin, n, spent; /* of the block: when it began, and what cells had */
    uint64_t random;
    uint32_t number, order[DELAYS_ARMS_MOST];
    /* Of the block's repetitions: when the last one ended, and what cells had then; how long each took, and delays in it. */
    uint64_t last, last_spent;
    uint32_t n_times;
    uint64_t times[DELAYS_TIMES_MOST], delayed[DELAYS_TIMES_MOST];
};

static delays_state delays_own;

/* Cells. */

static delays_cell *delays_cell_new(void) {
    char *memory = (char *)calloc(2, sizeof(delays_cell));
    delays_cell *cell;
    uint64_t first;
    if (memory == 0) return 0;
    cell = (delays_cell *)(memory + (-(uintptr_t)memory & (sizeof(delays_cell) - 1)));
    lp_lock_acquire(&lp_delays.state->lock);
    first = lp_delays.state->cells;
    cell->next = (delays_cell *)(uintptr_t)first;
    lp_store(&lp_delays.state->cells, (uint64_t)(uintptr_t)cell);
    lp_lock_release(&lp_delays.state->lock);
    return cell;
}

/* Of the calling thread, for the other copy of this code. */
static delays_cell *delays_cell_here(void) {
    lp_records *ring = lp_trace.generation ? records_here() : 0;
    if (ring && ring->delays == 0) ring->delays = delays_cell_new();
    return ring ? ring->delays : 0;
}

LP_NOINLINE static delays_cell *delays_cell_find(lp_records *ring) {
    ring->delays = lp_delays.state == &delays_own ? 0 : lp_delays.state->cell();
    ring->delays_lent = ring->delays != 0;
    if (ring->delays == 0) ring->delays = delays_cell_new();
    return ring->delays;
}

static inline delays_cell *delays_cell_of(lp_records *ring) { return LP_LIKELY(ring->delays != 0) ? ring->delays : delays_cell_find(ring); }

static void delays_sum(const delays_state *state, uint64_t *n, uint64_t *spent) {
    const delays_cell *cell;
    *n = *spent = 0;
    for (cell = (const delays_cell *)(uintptr_t)lp_load((uint64_t *)&state->cells); cell; cell = cell->next)
        *n += lp_load((uint64_t *)&cell->n), *spent += lp_load((uint64_t *)&cell->spent);
}

/* Delays. */

static inline uint64_t delays_wait(uint64_t begin, uint64_t ticks) {
    uint64_t now;
    while ((now = lp_ticks()) - begin < ticks)
        if (now + 2000 - begin < ticks) lp_pause();
    return now - begin;
}

/* A call begins, whose kind is `role` (0: another one). Gives the ticks that it was delayed. */
LP_NOINLINE static uint64_t delays_spin(lp_records *ring, uint64_t role) {
    const uint64_t level = lp_load(&lp_delays.state->level), target = level & 0xFF;
    uint64_t begin, ticks = level >> 24;
    delays_cell *cell;
    if (target != role && target != DELAYS_HOST_CODE) return 0;
    if (target == 0 || (cell = delays_cell_of(ring)) == 0) return 0;
    if (target == DELAYS_HOST_CODE && ((uint64_t)(uintptr_t)cell != lp_load(&lp_delays.state->thread) || cell->level != level))
        return 0; /* other threads may have waited for something */
    lp_store(&cell->n, cell->n + 1);
    if (ticks == 0) return 0;
    begin = lp_ticks();
    if (target == DELAYS_HOST_CODE)
        ticks = (begin - cell->last) * ticks / 1000, cell->level = 0; /* a call within this one is none of the host code's */
    ticks = delays_wait(begin, ticks) + lp_load(&lp_delays.state->overhead);
    lp_store(&cell->spent, cell->spent + ticks);
    return ticks;
}

static inline uint64_t delays_before(lp_records *ring, uint64_t role) { return LP_UNLIKELY(lp_delays.on) ? delays_spin(ring, role) : 0; }

/* A call has ended, and host code goes on. */
LP_NOINLINE static void delays_note(lp_records *ring) {
    const uint64_t level = lp_load(&lp_delays.state->level);
    delays_cell *cell;
    if ((level & 0xFF) != DELAYS_HOST_CODE || (cell = delays_cell_of(ring)) == 0) return;
    cell->level = level, cell->last = lp_ticks();
}

static inline void delays_after(lp_records *ring) {
    if (LP_UNLIKELY(lp_delays.on)) delays_note(ring);
}

/* Blocks. The caller holds the lock. */

static uint64_t delays_random(delays_state *state) { /* splitmix64 */
    uint64_t z = state->random += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u, z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static const delays_arm *delays_arm_of(delays_state *state) {
    const uint32_t n = lp_delays.n_arms, place = state->number % n;
    uint32_t i, other, kept;
    for (i = 0; place == 0 && i < n; i++) state->order[i] = i;
    for (i = n - 1; place == 0 && i > 0; i--) {
        other = (uint32_t)(delays_random(state) % (i + 1)), kept = state->order[i];
        state->order[i] = state->order[other], state->order[other] = kept;
    }
    return &lp_delays.arms[state->order[place]];
}

static void delays_measure(delays_state *state) {
    delays_sum(state, &state->n, &state->spent);
    state->phase = DELAYS_MEASURES, state->left = lp_delays.repetitions;
    state->n_times = 0, state->last_spent = state->spent;
    state->begin = state->last = lp_ticks();
}

static void delays_begin(delays_state *state) {
    const delays_arm *arm = delays_arm_of(state);
    uint64_t value = arm->target == DELAYS_HOST_CODE ? arm->delay : (uint64_t)((double)arm->delay * state->rate + 0.5);
    lp_store(&state->level, arm->target | ((uint64_t)state->number & 0xFFFF) << 8 | value << 24);
    state->phase = DELAYS_SETTLES, state->left = lp_delays.settle;
    if (state->left == 0) delays_measure(state);
}

static int delays_order(const void *a, const void *b) {
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

static uint64_t delays_median(uint64_t *values, uint32_t n) {
    qsort(values, n, sizeof *values, delays_order);
    return n ? (values[(n - 1) / 2] + values[n / 2]) / 2 : 0;
}

static void delays_end(delays_state *state, lp_records *ring, uint64_t now) {
    const delays_arm *arm = &lp_delays.arms[state->order[state->number % lp_delays.n_arms]];
    delays_slot *slot;
    uint64_t n, spent;
    delays_sum(state, &n, &spent);
    state->number += 1, state->blocks += 1;
    if (!records_has_room(ring, 1)) return;
    slot = &records_slot(ring, 0)->delays;
    memset(slot, 0, sizeof *slot);
    slot->kind = SLOT_DELAYS, slot->target = (uint16_t)arm->target, slot->number = state->number - 1;
    slot->begin = state->begin, slot->end = now, slot->delay = arm->delay, slot->delays = n - state->n, slot->spent = spent - state->spent;
    slot->repetitions = (uint32_t)lp_delays.repetitions;
    slot->typical = delays_median(state->times, state->n_times), spent = delays_median(state->delayed, state->n_times);
    slot->typical_spent = spent < UINT32_MAX ? (uint32_t)spent : UINT32_MAX;
    records_publish(ring, 1);
}

/* Look at both clocks. Of some looks the shortest one counts: between two clocks the thread may lose its processor. */
static void delays_look(uint64_t *ticks, uint64_t *nanoseconds) {
    uint64_t before, now, after, least = UINT64_MAX;
    int look;
    for (look = 0; look < DELAYS_LOOKS; look++) {
        before = lp_ticks(), now = lp_nanoseconds(), after = lp_ticks();
        if (after - before < least) least = after - before, *ticks = before + least / 2, *nanoseconds = now;
    }
}

/* The rate of ticks, since the trace began. A trace that began a moment ago is waited for. */
static void delays_rate(delays_state *state) {
    uint64_t ticks = 0, now = 0;
    do delays_look(&ticks, &now);
    while (now - state->nanoseconds < DELAYS_RATE_LEAST);
    state->rate = (double)(ticks - state->ticks) / (double)(now - state->nanoseconds);
}

/* What a delay takes beside what it counts: the looks at the clock before and behind. */
static void delays_overhead(delays_state *state) {
    uint64_t ticks = (uint64_t)(DELAYS_TRIED * state->rate), least = UINT64_MAX, begin, spent;
    int i, k;
    for (i = 0; i < 8; i++) {
        begin = lp_ticks();
        for (k = 0, spent = 0; k < 32; k++) spent += delays_wait(lp_ticks(), ticks);
        spent = lp_ticks() - begin - spent;
        if (spent < least) least = spent;
    }
    lp_store(&state->overhead, least / 32);
}

/* A repetition ends, and another one begins. */
static void delays_repeated(delays_state *state, lp_records *ring, uint64_t now) {
    uint64_t n, spent;
    if (state->phase == DELAYS_NEW) {
        if (state->rate == 0) delays_rate(state), delays_overhead(state);
        state->phase = DELAYS_WARMS, state->left = lp_delays.warmup + 1;
    }
    if (state->phase == DELAYS_MEASURES && state->n_times < DELAYS_TIMES_MOST) {
        delays_sum(state, &n, &spent);
        state->times[state->n_times] = now - state->last, state->delayed[state->n_times++] = spent - state->last_spent;
        state->last = now, state->last_spent = spent;
    }
    if (--state->left) return;
    if (state->phase == DELAYS_SETTLES) {
        delays_measure(state);
        return;
    }
    if (state->phase == DELAYS_MEASURES) delays_end(state, ring, now);
    delays_begin(state);
}

/* The anchor has occurred on this thread. */
LP_NOINLINE static void delays_anchored(lp_records *ring) {
    delays_state *state = lp_delays.state;
    const uint64_t now = lp_ticks(), at = lp_nanoseconds();
    delays_cell *cell = delays_cell_of(ring);
    const uint64_t thread = (uint64_t)(uintptr_t)cell;
    lp_add(&state->occurrences, 1);
    if (cell == 0 || (lp_load(&state->thread) != thread && at - lp_load(&state->seen) < DELAYS_PATIENCE)) return;
    lp_lock_acquire(&state->lock);
    if (state->thread != thread && at - state->seen >= DELAYS_PATIENCE) { /* the block of the other thread is left out */
        lp_store(&state->thread, thread);
        lp_store(&state->level, 0);
        state->phase = DELAYS_NEW, state->within = lp_delays.every - 1;
    }
    if (state->thread == thread) {
        lp_store(&state->seen, at);
        state->within += 1;
        if (state->within == lp_delays.every) state->within = 0, delays_repeated(state, ring, now);
    }
    lp_lock_release(&state->lock);
}

static inline void delays_kernel(lp_records *ring, uint32_t name) {
    if (LP_UNLIKELY(lp_delays.on) && lp_delays.kind == DELAYS_KERNEL && name && name == lp_delays.name) delays_anchored(ring);
}

/* `own`: it is a call of launchpath's, and else a driver's. */
static inline void delays_function(lp_records *ring, uint32_t entry, int own) {
    if (LP_UNLIKELY(lp_delays.on) && lp_delays.kind == DELAYS_FUNCTION && entry && entry == lp_delays.entry[own]) delays_anchored(ring);
}

static inline void delays_range(lp_records *ring, const char *name) {
    if (LP_UNLIKELY(lp_delays.on) && lp_delays.kind == DELAYS_RANGE && strcmp(name, lp_delays.anchor) == 0) delays_anchored(ring);
}

/* Begin and end. */

static void delays_clear(delays_state *state) {
    memset(state, 0, sizeof *state);
    lp_lock_init(&state->lock);
    state->layout = sizeof *state, state->cell = delays_cell_here, state->random = lp_delays.seed;
}

/* Read what the environment asks for, once; whether there are delays. `lent`: the state of the other copy, or NULL. */
static int delays_asked(delays_state *lent) {
    static int known;
    const char *text = getenv("LAUNCHPATH_DELAYS");
    if (known || text == 0 || *text == 0) return lp_delays.state != 0;
    known = 1;
    delays_clear(&delays_own);
    if (!delays_parse(text)) {
        fprintf(stderr, "launchpath: LAUNCHPATH_DELAYS: %s: nothing is delayed\n", lp_delays.reason);
        return 0;
    }
    delays_own.random = lp_delays.seed;
    lp_delays.state = lent && lent->layout == sizeof *lent ? lent : &delays_own;
    return 1;
}

/* A trace begins: from now on the anchor is looked for. */
static void delays_start(uint32_t name, uint32_t driver_entry, uint32_t own_entry) {
    if (lp_delays.state->nanoseconds == 0) delays_look(&lp_delays.state->ticks, &lp_delays.state->nanoseconds);
    lp_delays.name = name, lp_delays.entry[0] = driver_entry, lp_delays.entry[1] = own_entry;
    lp_delays.on = 1;
}

/* It ends: a block that goes on is left out. */
static void delays_stop(void) {
    if (lp_delays.on && lp_delays.state == &delays_own) lp_store(&delays_own.level, 0), delays_own.phase = DELAYS_NEW, delays_own.thread = 0;
    lp_delays.on = 0;
}

/* In a forked child, which counts from 0. A state that was lent is its owner's to clear. */
static void delays_forget(void) {
    lp_delays.on = 0;
    if (lp_delays.state) delays_clear(&delays_own);
}

#endif
