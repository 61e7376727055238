/* How far a device's clock is apart from the host's.

   Each command gives bounds: it was queued within its call. What all bounds leave is known better than by any of them, and a call
   that was interrupted does no harm. Between two commands the clocks may drift apart, so bounds get wider with time. */
#ifndef LAUNCHPATH_RECORDER_OPENCL_CLOCK_H
#define LAUNCHPATH_RECORDER_OPENCL_CLOCK_H

#include "payload.h"

enum {
    CLOCK_WRITTEN_EVERY = 1000000000, /* nanoseconds */
    CLOCK_DRIFT = 2000,               /* clocks drift apart by less than 1 nanosecond in so many: systems slew theirs by 500 ppm */
    CLOCK_GOOD = 500,                 /* nanoseconds: an error that is small enough */
    CLOCK_TRIES = 8,
    DEVICES_TIMED = 64
};

/* The host's clock less the device's, in nanoseconds. */
typedef struct {
    int known;
    int64_t least, most;     /* bounds */
    uint64_t at;             /* when they held, by the host's clock */
    uint64_t device_time;    /* and by the device's */
    uint64_t written, error; /* when, and what, was written last */
} opencl_bounds;

static inline uint64_t bounds_error(const opencl_bounds *bounds) { return (uint64_t)(bounds->most - bounds->least) / 2 + 1; }

/* The device's clock showed `there` between `before` and `after` of the host's. */
static void bounds_take(opencl_bounds *bounds, uint64_t there, uint64_t before, uint64_t after) {
    int64_t least = (int64_t)(before - there), most = (int64_t)(after - there), wider;
    if (bounds->known) {
        wider = (int64_t)(after > bounds->at ? after - bounds->at : bounds->at - after) / CLOCK_DRIFT + 1;
        if (least < bounds->least - wider) least = bounds->least - wider;
        if (most > bounds->most + wider) most = bounds->most + wider;
        if (least > most) least = (int64_t)(before - there), most = (int64_t)(after - there); /* a clock was set: nothing before holds */
    }
    bounds->known = 1, bounds->least = least, bounds->most = most, bounds->at = after, bounds->device_time = there;
}

/* Write what is known, if it is new: a second later, or twice as good. Readers prefer the better of two that are close. */
static void bounds_write(lp_records *ring, uint16_t device, opencl_bounds *bounds, int last) {
    uint64_t error = bounds_error(bounds);
    device_clock_slot *slot;
    if (!bounds->known || bounds->written == bounds->at) return;
    if (!last && bounds->written && bounds->at - bounds->written < CLOCK_WRITTEN_EVERY && 2 * error > bounds->error) return;
    bounds->written = bounds->at, bounds->error = error;
    if (!records_has_room(ring, 1)) return;
    slot = &records_slot(ring, 0)->device_clock;
    memset(slot, 0, sizeof *slot);
    slot->kind = SLOT_DEVICE_CLOCK, slot->device = device, slot->error = error, slot->device_time = bounds->device_time;
    slot->monotonic = bounds->device_time + (uint64_t)(bounds->least + (bounds->most - bounds->least) / 2);
    records_publish(ring, 1);
}

#endif
