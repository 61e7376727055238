/* The drainer: a thread that copies rings to the file while a trace goes on, and writes which time of the clock a tick was. */
#ifndef LAUNCHPATH_TRACE_DRAIN_H
#define LAUNCHPATH_TRACE_DRAIN_H

#include <time.h>
#include "../condense/keep.h"

enum {
    DRAIN_EVERY = 3000, /* microseconds, while something is written */
    DRAIN_IDLE = 20000,
    CLOCK_EVERY = 100000000, /* nanoseconds between two looks at the clocks; at first as long as the trace has gone on */
    CLOCK_LOOKS = 8
};

/* Of some looks at both clocks the one that took least. */
static void host_clock_write(lp_records *ring) {
    clock_slot *slot;
    struct timespec real;
    uint64_t before, after, now, least = UINT64_MAX;
    int look;
    if (!records_has_room(ring, 1)) return;
    slot = &records_slot(ring, 0)->clock;
    memset(slot, 0, sizeof *slot);
    slot->kind = SLOT_HOST_CLOCK;
    for (look = 0; look < CLOCK_LOOKS; look++) {
        before = lp_ticks(), now = lp_nanoseconds(), after = lp_ticks();
        if (after - before < least) {
            least = after - before;
            timespec_get(&real, TIME_UTC);
            slot->ticks = before + least / 2, slot->monotonic = now, slot->error = least / 2 + 1;
            slot->real = (uint64_t)real.tv_sec * 1000000000 + (uint64_t)real.tv_nsec;
        }
    }
    if (lp_trace.keep) keep_clock(slot);
    records_publish(ring, 1);
}

/* The drainer's life. */
static void drainer_life(void *data) {
    lp_records *ring;
    uint64_t generation, known = 0, begun = 0, clock = 0, now, n;
    lp_lock lock;
    (void)data;
    lp_lock_init(&lock);
    while (!lp_load(&lp_trace.drainer_leaves)) {
        n = 0;
        generation = lp_load(&lp_trace.generation);
        if (generation) {
            if (lp_trace.keep & (KEEP_SUMMARY | KEEP_WINDOW)) n = keep_round();
            else
                for (ring = (lp_records *)(uintptr_t)lp_load(&lp_trace.rings); ring; ring = ring->next)
                    n += records_drain(ring, lp_trace.capacity / 2);
            now = lp_nanoseconds();
            if (generation != known) known = generation, begun = clock = now;
            if (now - clock >= CLOCK_EVERY || (now - clock >= DRAIN_EVERY * 1000 && now - clock >= clock - begun)) {
                clock = now;
                ring = records_here();
                if (ring) host_clock_write(ring);
            }
        }
        lp_lock_acquire(&lock);
        lp_condition_wait_for(&lp_trace.drainer_wanted, &lock, generation == 0 ? 1000000 : n ? DRAIN_EVERY : DRAIN_IDLE);
        lp_lock_release(&lock);
    }
}

/* Start it; 0: no thread can be started. */
static int drainer_start(void) {
    if (!lp_trace.drainer) lp_trace.drainer = lp_thread(drainer_life, 0);
    lp_condition_signal(&lp_trace.drainer_wanted);
    return lp_trace.drainer;
}

#endif
