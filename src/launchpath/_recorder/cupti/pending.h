/* Commands whose times are to come, by the numbers that CUPTI has for the driver's calls.

   A place is the call's from the moment when CUPTI tells its number, on the calling thread and before anything is submitted,
   until its last record has come. So a record whose call has not returned yet is told apart from those of other libraries. */
#ifndef LAUNCHPATH_RECORDER_CUPTI_PENDING_H
#define LAUNCHPATH_RECORDER_CUPTI_PENDING_H

#include "library.h"

enum { PENDING_PLACES = 1 << 16 };
enum pending_phase { PENDING_FREE, PENDING_IN_CALL, PENDING_RUNS };

typedef struct {
    uint64_t state;       /* the number << 2, and the phase */
    uint64_t correlation; /* of the command; of a graph that of its first node */
    uint64_t enqueued;    /* ticks */
    cuda_graph *graph;    /* held; NULL: a single command */
    uint32_t left;        /* records to come */
    uint32_t stream, name;
    uint16_t device;
    uint8_t command;
} pending_command;

static struct {
    pending_command *places;
    lp_lock lock;  /* places that change hands; the reader of records has it */
    uint64_t left; /* records to come, of all */
} pending;

/* The call of the driver's that this thread is in. */
static LP_THREAD_LOCAL struct {
    int inside;            /* it came through the recorder */
    pending_command *place;
} cupti_here;

static inline uint64_t pending_state(uint32_t number, enum pending_phase phase) { return (uint64_t)number << 2 | phase; }
static inline enum pending_phase phase_of(uint64_t state) { return (enum pending_phase)(state & 3); }
static inline pending_command *pending_place(uint32_t number) { return &pending.places[number & (PENDING_PLACES - 1)]; }

/* A command ends; the caller has the lock. `count`: its records that have not come are counted. */
static void pending_end(pending_command *place, int count) {
    if (count) lp_add(&lp_trace.header->counters.untimed, place->left);
    lp_add(&pending.left, -(int64_t)place->left);
    if (place->graph) cuda_graph_release(place->graph);
    place->graph = 0, place->left = 0;
    lp_store(&place->state, PENDING_FREE);
}

/* CUPTI begins a call of this thread. */
static void pending_called(uint32_t number) {
    pending_command *place = pending_place(number);
    uint64_t state = lp_load(&place->state);
    if (cupti_here.place) return;
    if (LP_UNLIKELY(phase_of(state) == PENDING_RUNS)) { /* that of a call long ago: its records have not come */
        lp_lock_acquire(&pending.lock);
        state = lp_load(&place->state);
        if (phase_of(state) == PENDING_RUNS) pending_end(place, 1);
        lp_lock_release(&pending.lock);
        state = lp_load(&place->state);
    }
    if (LP_LIKELY(phase_of(state) == PENDING_FREE && lp_swap_if(&place->state, state, pending_state(number, PENDING_IN_CALL))))
        cupti_here.place = place;
}

/* A command begins; before its call of the driver. */
static inline void pending_enter(void) {
    if (LP_LIKELY(lp_load(&cupti.attached) == 0)) return;
    cupti_here.inside = 1, cupti_here.place = 0;
}

/* It will have no times: it failed, was kept back, or is not recorded. */
static inline void pending_leave(void) {
    if (cupti_here.place) lp_store(&cupti_here.place->state, PENDING_FREE);
    cupti_here.place = 0, cupti_here.inside = 0;
}

/* It was submitted, and has a record. `graph`: what runs; NULL: a single command. CUPTI is to tell of `n` commands. */
static inline void pending_submitted(uint64_t correlation, uint64_t enqueued, place at, const payload *what, cuda_graph *graph,
                                     uint32_t n) {
    pending_command *place = cupti_here.place;
    cupti_here.place = 0, cupti_here.inside = 0;
    if (place == 0 || n == 0) {
        if (place) lp_store(&place->state, PENDING_FREE);
        if (n) lp_add(&lp_trace.header->counters.untimed, n);
        return;
    }
    place->correlation = correlation, place->enqueued = enqueued, place->left = n;
    place->stream = at.stream, place->device = at.device, place->graph = graph;
    if (graph) cuda_graph_hold(graph);
    else place->name = what->name, place->command = what->command;
    lp_add(&pending.left, n);
    lp_store(&place->state, place->state + (PENDING_RUNS - PENDING_IN_CALL));
}

/* Whether a command of this kind has a record of CUPTI's. */
static inline int pending_has_record(uint8_t command) { return command == COMMAND_LAUNCH || cupti_copies_allowed(); }

#endif
