/* Delays: an intervention into the program that is traced. In alternating blocks of its own repetitions a known time passes
   before each call of a kind, and readers see by how much a repetition became longer.

   LAUNCHPATH_DELAYS says what is delayed; `_recorder/delays.py` has its form, and refuses what is wrong in it before a program
   runs. A repetition goes from one `anchor` to the next: a kernel, a range or a function that the program calls once in each.
   The anchor's thread counts them. At the end of a block it writes a slot and sets the level of the next one, which other
   threads read. Levels come in groups: each has every level once, in an order by chance, so that slow changes of the machine
   are taken out.

   The delay is no part of the call: it ends before the call's record begins.

   The recorder and launchpath's core are two copies of this code in one process. Then the recorder's state serves both, so that
   there is one level at a time. */
#ifndef LAUNCHPATH_TRACE_DELAYS_H
#define LAUNCHPATH_TRACE_DELAYS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ring.h"

enum { DELAYS_SUBMISSIONS = 1, DELAYS_SYNCHRONIZATIONS = 2, DELAYS_COPIES = 3, DELAYS_HOST_CODE = 4, DELAYS_TARGETS = 5 };
enum delays_kind { DELAYS_KERNEL = 1, DELAYS_RANGE = 2, DELAYS_FUNCTION = 3 };
enum { DELAYS_NEW, DELAYS_WARMS, DELAYS_SETTLES, DELAYS_MEASURES };
enum {
    DELAYS_ARMS_MOST = 64,
    DELAYS_NAME_MOST = 4096,
    DELAYS_LONGEST = 100000000,   /* nanoseconds, or thousandths */
    DELAYS_COUNT_MOST = 1000000,
    DELAYS_PATIENCE = 1000000000, /* nanoseconds without an anchor after which another thread may be the anchor's */
    DELAYS_RATE_LEAST = 2000000,  /* nanoseconds over which the rate of ticks is measured */
    DELAYS_TIMES_MOST = 1024      /* repetitions of a block whose median is taken */
};

static const char *const delays_targets[DELAYS_TARGETS] = {"", "submissions", "synchronizations", "copies", "host-code"};

typedef struct {
    uint64_t target, delay; /* nanoseconds, or thousandths of the time between two calls */
} delays_arm;

struct delays_cell { /* a thread's, which alone writes it: a cache line */
    uint64_t n, spent;   /* ticks */
    uint64_t last;       /* of host code: when its last call ended, at `level` */
    uint64_t level;
    delays_cell *next;
    uint64_t unused[3];
};

typedef struct {
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
    int phase;
    uint64_t left;       /* repetitions of the phase */
    uint64_t within;     /* anchors of this repetition */
    uint64_t begin, n, spent; /* of the block: when it began, and what cells had */
    uint64_t random;
    uint32_t number, order[DELAYS_ARMS_MOST];
    uint64_t last; /* when the last repetition of the block ended */
    uint32_t n_times;
    uint64_t times[DELAYS_TIMES_MOST]; /* of the block's repetitions, ticks */
} delays_state;

static struct {
    int on;              /* otherwise this is all that is read of it */
    int kind;            /* of the anchor */
    uint32_t name;       /* of a kernel: its number in this trace */
    uint32_t entry[2];   /* of a function: its number as a driver's call and as launchpath's own; 0: it is none */
    delays_state *state, own;
    uint32_t n_arms;
    delays_arm arms[DELAYS_ARMS_MOST];
    uint64_t every, repetitions, settle, warmup, seed;
    char anchor[DELAYS_NAME_MOST], text[DELAYS_NAME_MOST + 1024];
    char reason[160]; /* why there are none, where some were asked for */
} lp_delays;

/* The text. */

static int delays_number(const char *from, const char *to, uint64_t least, uint64_t most, uint64_t *into) {
    uint64_t value = 0;
    if (from == to || to - from > 12) return 0;
    for (; from < to; from++) {
        if (*from < '0' || *from > '9') return 0;
        value = 10 * value + (uint64_t)(*from - '0');
    }
    *into = value;
    return value >= least && value <= most;
}

static int delays_refuse(const char *expected, const char *got, const char *end) {
    snprintf(lp_delays.reason, sizeof lp_delays.reason, "expected %s, got '%.*s'", expected, end - got > 60 ? 60 : (int)(end - got), got);
    return 0;
}

static int delays_levels(uint64_t target, const char *at, const char *end) {
    while (at < end) {
        const char *comma = (const char *)memchr(at, ',', (size_t)(end - at)), *to = comma ? comma : end;
        uint64_t delay;
        if (target == 0) return delays_refuse("target= before delays=", at, end);
        if (lp_delays.n_arms == DELAYS_ARMS_MOST) return delays_refuse("at most 64 delays", at, end);
        if (!delays_number(at, to, 0, DELAYS_LONGEST, &delay)) return delays_refuse("a delay from 0 to 100000000", at, to);
        lp_delays.arms[lp_delays.n_arms].target = target, lp_delays.arms[lp_delays.n_arms].delay = delay;
        lp_delays.n_arms += 1;
        at = to + 1;
    }
    return 1;
}

static int delays_word(const char *at, const char *end, const char *const *words, int n) {
    int i;
    for (i = 1; i < n && (strlen(words[i]) != (size_t)(end - at) || memcmp(words[i], at, (size_t)(end - at))); i++) {}
    return i < n ? i : 0;
}

/* Read the text; 0: it is wrong, and `reason` says why. */
static int delays_parse(const char *text) {
    static const char *const kinds[] = {"", "kernel", "range", "function"};
    const char *at = text, *end, *value;
    uint64_t target = 0;
    lp_delays.kind = DELAYS_KERNEL, lp_delays.n_arms = 0, lp_delays.anchor[0] = 0;
    lp_delays.every = 1, lp_delays.repetitions = 8, lp_delays.settle = 1, lp_delays.warmup = 2, lp_delays.seed = 1;
    if (strlen(text) >= sizeof lp_delays.text) return delays_refuse("at most 5000 characters", "more", "more" + 4);
    while (*at) {
        end = at + strcspn(at, ";"), value = (const char *)memchr(at, '=', (size_t)(end - at));
        if (value == 0) return delays_refuse("NAME=VALUE", at, end);
        value += 1;
#define IS(key) ((size_t)(value - at) == sizeof key && memcmp(at, key "=", sizeof key) == 0)
        if (IS("anchor")) { /* the last: names have any characters */
            if (*value == 0 || strlen(value) >= DELAYS_NAME_MOST) return delays_refuse("a name of up to 4095 characters", value, value + strlen(value));
            strcpy(lp_delays.anchor, value);
            end = value + strlen(value);
        } else if (IS("target")) {
            target = (uint64_t)delays_word(value, end, delays_targets, DELAYS_TARGETS);
            if (target == 0) return delays_refuse("submissions, synchronizations, copies or host-code", value, end);
        } else if (IS("delays")) {
            if (!delays_levels(target, value, end)) return 0;
        } else if (IS("kind")) {
            lp_delays.kind = delays_word(value, end, kinds, 4);
            if (lp_delays.kind == 0) return delays_refuse("kernel, range or function", value, end);
        } else if (IS("every") ? !delays_number(value, end, 1, DELAYS_COUNT_MOST, &lp_delays.every)
                   : IS("repetitions") ? !delays_number(value, end, 1, DELAYS_COUNT_MOST, &lp_delays.repetitions)
                   : IS("settle") ? !delays_number(value, end, 0, DELAYS_COUNT_MOST, &lp_delays.settle)
                   : IS("warmup") ? !delays_number(value, end, 0, DELAYS_COUNT_MOST, &lp_delays.warmup)
                   : IS("seed") ? !delays_number(value, end, 0, UINT64_MAX, &lp_delays.seed) : 1)
            return delays_refuse("a known name with a number in its range", at, end);
#undef IS
        at = end + (*end == ';');
    }
    if (lp_delays.n_arms < 2) return delays_refuse("at least two delays", text, at);
    if (lp_delays.anchor[0] == 0) return delays_refuse("anchor=NAME", text, at);
    strcpy(lp_delays.text, text);
    return 1;
}

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
    ring->delays = lp_delays.state == &lp_delays.own ? 0 : lp_delays.state->cell();
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

/* A call begins, whose kind is `role` (0: another one). Gives the ticks that it was delayed. */
LP_NOINLINE static uint64_t delays_spin(lp_records *ring, uint64_t role) {
    const uint64_t level = lp_load(&lp_delays.state->level), target = level & 0xFF;
    uint64_t begin, now, ticks = level >> 24;
    delays_cell *cell;
    if (target != role && target != DELAYS_HOST_CODE) return 0;
    if (target == 0 || (cell = delays_cell_of(ring)) == 0) return 0;
    begin = lp_ticks();
    if (target == DELAYS_HOST_CODE) { /* other threads may have waited for something */
        if ((uint64_t)(uintptr_t)cell != lp_load(&lp_delays.state->thread) || cell->level != level) return 0;
        ticks = (begin - cell->last) * ticks / 1000, cell->level = 0; /* a call within this one is none of the host code's */
    }
    lp_store(&cell->n, cell->n + 1);
    if (ticks == 0) return 0;
    while ((now = lp_ticks()) - begin < ticks)
        if (now + 2000 - begin < ticks) lp_pause();
    lp_store(&cell->spent, cell->spent + (now - begin));
    return now - begin;
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
    state->n_times = 0;
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
    slot->repetitions = lp_delays.repetitions;
    qsort(state->times, state->n_times, sizeof *state->times, delays_order);
    if (state->n_times) slot->typical = (state->times[(state->n_times - 1) / 2] + state->times[state->n_times / 2]) / 2;
    records_publish(ring, 1);
}

/* The rate of ticks, since the trace began. A trace that began a moment ago is waited for. */
static void delays_rate(delays_state *state) {
    uint64_t ticks, now;
    do ticks = lp_ticks(), now = lp_nanoseconds();
    while (now - state->nanoseconds < DELAYS_RATE_LEAST);
    state->rate = (double)(ticks - state->ticks) / (double)(now - state->nanoseconds);
}

/* A repetition ends, and another one begins. */
static void delays_repeated(delays_state *state, lp_records *ring, uint64_t now) {
    if (state->phase == DELAYS_NEW) {
        if (state->rate == 0) delays_rate(state);
        state->phase = DELAYS_WARMS, state->left = lp_delays.warmup + 1;
    }
    if (state->phase == DELAYS_MEASURES && state->n_times < DELAYS_TIMES_MOST) state->times[state->n_times++] = now - state->last;
    state->last = now;
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

/* What a call of a driver's is to delays, by its name. */
static uint64_t delays_role(const char *name) {
    static const struct {
        const char *beginning;
        uint64_t role;
    } roles[] = {
        {"cuLaunchHostFunc", 0}, {"hipLaunchHostFunc", 0},
        {"cuLaunch", DELAYS_SUBMISSIONS}, {"cuGraphLaunch", DELAYS_SUBMISSIONS}, {"cuMemset", DELAYS_SUBMISSIONS},
        {"cuMemcpy", DELAYS_COPIES}, {"cuCtxSynchronize", DELAYS_SYNCHRONIZATIONS}, {"cuStreamSynchronize", DELAYS_SYNCHRONIZATIONS},
        {"cuEventSynchronize", DELAYS_SYNCHRONIZATIONS},
        {"clEnqueueNDRangeKernel", DELAYS_SUBMISSIONS}, {"clEnqueueTask", DELAYS_SUBMISSIONS}, {"clEnqueueNativeKernel", DELAYS_SUBMISSIONS},
        {"clEnqueueCommandBufferKHR", DELAYS_SUBMISSIONS}, {"clEnqueueFill", DELAYS_SUBMISSIONS}, {"clEnqueueSVMMemFill", DELAYS_SUBMISSIONS},
        {"clEnqueueMemFill", DELAYS_SUBMISSIONS}, {"clEnqueueRead", DELAYS_COPIES}, {"clEnqueueWrite", DELAYS_COPIES},
        {"clEnqueueCopy", DELAYS_COPIES}, {"clEnqueueMap", DELAYS_COPIES}, {"clEnqueueUnmap", DELAYS_COPIES},
        {"clEnqueueSVMMemcpy", DELAYS_COPIES}, {"clEnqueueMemcpy", DELAYS_COPIES}, {"clEnqueueSVMMap", DELAYS_COPIES},
        {"clEnqueueSVMUnmap", DELAYS_COPIES}, {"clFinish", DELAYS_SYNCHRONIZATIONS}, {"clWaitForEvents", DELAYS_SYNCHRONIZATIONS},
        {"hipLaunch", DELAYS_SUBMISSIONS}, {"hipModuleLaunch", DELAYS_SUBMISSIONS}, {"hipExtLaunch", DELAYS_SUBMISSIONS},
        {"hipExtModuleLaunch", DELAYS_SUBMISSIONS}, {"hipHccModuleLaunch", DELAYS_SUBMISSIONS}, {"hipDrvLaunch", DELAYS_SUBMISSIONS},
        {"hipGraphLaunch", DELAYS_SUBMISSIONS}, {"hipMemset", DELAYS_SUBMISSIONS}, {"hipMemcpy", DELAYS_COPIES},
        {"hipDrvMemcpy", DELAYS_COPIES}, {"hipDeviceSynchronize", DELAYS_SYNCHRONIZATIONS}, {"hipStreamSynchronize", DELAYS_SYNCHRONIZATIONS},
        {"hipEventSynchronize", DELAYS_SYNCHRONIZATIONS}, {"hipCtxSynchronize", DELAYS_SYNCHRONIZATIONS},
    };
    size_t i;
    for (i = 0; i < sizeof roles / sizeof *roles; i++)
        if (strncmp(name, roles[i].beginning, strlen(roles[i].beginning)) == 0) return roles[i].role;
    return 0;
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
    delays_clear(&lp_delays.own);
    if (!delays_parse(text)) {
        fprintf(stderr, "launchpath: LAUNCHPATH_DELAYS: %s: nothing is delayed\n", lp_delays.reason);
        return 0;
    }
    lp_delays.own.random = lp_delays.seed;
    lp_delays.state = lent && lent->layout == sizeof *lent ? lent : &lp_delays.own;
    return 1;
}

/* A trace begins: from now on the anchor is looked for. */
static void delays_start(uint32_t name, uint32_t driver_entry, uint32_t own_entry) {
    if (lp_delays.state->nanoseconds == 0) lp_delays.state->ticks = lp_ticks(), lp_delays.state->nanoseconds = lp_nanoseconds();
    lp_delays.name = name, lp_delays.entry[0] = driver_entry, lp_delays.entry[1] = own_entry;
    lp_delays.on = 1;
}

/* It ends: a block that goes on is left out. */
static void delays_stop(void) {
    if (lp_delays.on && lp_delays.state == &lp_delays.own) lp_store(&lp_delays.own.level, 0), lp_delays.own.phase = DELAYS_NEW, lp_delays.own.thread = 0;
    lp_delays.on = 0;
}

/* In a forked child, which counts from 0. A state that was lent is its owner's to clear. */
static void delays_forget(void) {
    lp_delays.on = 0;
    if (lp_delays.state) delays_clear(&lp_delays.own);
}

#endif
