/* Clocks while records come: from ticks, and from times of devices, to nanoseconds of the monotonic clock.

   Records are read once, in the order in which they come: a time is computed from the last measurement before it, and from
   the rate between that and the one before. */
#ifndef LAUNCHPATH_CONDENSE_CLOCKS_H
#define LAUNCHPATH_CONDENSE_CLOCKS_H

#include <stdint.h>
#include <string.h>

#define CLOCK_TIME_MOST ((uint64_t)1 << 61)
enum {
    CLOCK_DEVICES = 256,
    CLOCK_APART = 1000, /* times its errors, to which two measurements are to be apart for a rate */
    CLOCK_ANCHORS = 2048
};

typedef struct {
    uint64_t there, here; /* the last measurement */
    uint64_t error;
    double rate; /* nanoseconds in one of its units */
    uint64_t first_there, first_here, first_error; /* the measurement that the rate is from */
    int known;
    uint64_t until, last; /* of `device_last` */
} condense_clock;

static inline int64_t clock_time(const condense_clock *of, uint64_t time) {
    double away = (double)(int64_t)(time - of->there) * of->rate;
    if (time > CLOCK_TIME_MOST) return (int64_t)CLOCK_TIME_MOST;
    if (away > (double)CLOCK_TIME_MOST || away < -(double)CLOCK_TIME_MOST) return (int64_t)CLOCK_TIME_MOST;
    return (int64_t)of->here + (int64_t)(away < 0 ? away - 0.5 : away + 0.5);
}

static inline int64_t clock_span(const condense_clock *of, uint64_t begin, uint64_t end) {
    int64_t span = (int64_t)(end - begin);
    double time = (double)span * of->rate;
    return time > (double)CLOCK_TIME_MOST || time < 0 ? 0 : (int64_t)(time + 0.5);
}

/* Take a measurement. One of a damaged file, or from before the last, is left out. */
static inline void clock_measured(condense_clock *of, uint64_t there, uint64_t here, uint64_t error) {
    uint64_t apart;
    if (there >= CLOCK_TIME_MOST || here >= CLOCK_TIME_MOST || error >= CLOCK_TIME_MOST) return;
    of->until = 0;
    if (!of->known) {
        of->known = 1, of->there = of->first_there = there, of->here = of->first_here = here;
        of->error = of->first_error = error;
        if (of->rate == 0) of->rate = 1;
        return;
    }
    if (there <= of->there || here < of->here) return;
    apart = there - of->first_there;
    if (apart / CLOCK_APART > error + of->first_error) {
        of->rate = (double)(here - of->first_here) / (double)apart;
        of->first_there = of->there, of->first_here = of->here, of->first_error = of->error;
        of->there = there, of->here = here, of->error = error;
    } else if (error <= of->error) of->there = there, of->here = here, of->error = error;
}

/* The host's clock: all measurements, for rings are not read in the order of their times. Of too many each second is left
   out. Between two of them, behind the last and before the first it runs at the rate of the nearest two. */
typedef struct {
    condense_clock now;  /* of the part between two measurements that times were in last */
    uint64_t from, span; /* ticks that it is of */
    uint64_t ticks[CLOCK_ANCHORS], monotonic[CLOCK_ANCHORS];
    uint32_t count;
    double rate; /* before there are two: nanoseconds in a tick */
} host_clock;

static inline double host_rate(const host_clock *of, uint32_t place) {
    return (double)(of->monotonic[place + 1] - of->monotonic[place]) / (double)(of->ticks[place + 1] - of->ticks[place]);
}

__attribute__((noinline)) static void host_clock_seek(host_clock *of, uint64_t ticks) {
    uint32_t low = 0, high = of->count;
    if (of->count < 2) {
        of->now.rate = of->rate ? of->rate : 1, of->from = 0, of->span = UINT64_MAX;
        if (of->count) of->now.there = of->ticks[0], of->now.here = of->monotonic[0];
        return;
    }
    while (low < high) { /* the first measurement behind it */
        uint32_t middle = (low + high) / 2;
        if (of->ticks[middle] <= ticks) low = middle + 1;
        else high = middle;
    }
    low = low == 0 ? 0 : low == of->count ? of->count - 2 : low - 1;
    of->now.there = of->ticks[low], of->now.here = of->monotonic[low], of->now.rate = host_rate(of, low);
    of->from = low == 0 ? 0 : of->ticks[low];
    of->span = (low + 2 == of->count ? UINT64_MAX : of->ticks[low + 1]) - of->from;
}

static inline const condense_clock *host_clock_at(host_clock *of, uint64_t ticks) {
    if (__builtin_expect(ticks - of->from >= of->span, 0)) host_clock_seek(of, ticks);
    return &of->now;
}

/* Take a measurement; they may come in any order. */
static void host_clock_measured(host_clock *of, uint64_t ticks, uint64_t monotonic) {
    uint32_t place, i;
    if (ticks >= CLOCK_TIME_MOST || monotonic >= CLOCK_TIME_MOST) return;
    for (place = of->count; place && of->ticks[place - 1] >= ticks; place--)
        if (of->ticks[place - 1] == ticks) return;
    if ((place && of->monotonic[place - 1] >= monotonic) || (place < of->count && of->monotonic[place] <= monotonic)) return;
    if (of->count == CLOCK_ANCHORS) {
        for (i = 0; i < CLOCK_ANCHORS / 2; i++) of->ticks[i] = of->ticks[2 * i], of->monotonic[i] = of->monotonic[2 * i];
        of->count = CLOCK_ANCHORS / 2, place = place / 2 < of->count ? place / 2 : of->count;
        while (place && of->ticks[place - 1] > ticks) place--;
        while (place < of->count && of->ticks[place] < ticks) place++;
    }
    memmove(of->ticks + place + 1, of->ticks + place, (of->count - place) * sizeof(uint64_t));
    memmove(of->monotonic + place + 1, of->monotonic + place, (of->count - place) * sizeof(uint64_t));
    of->ticks[place] = ticks, of->monotonic[place] = monotonic, of->count += 1;
    of->span = 0; /* sought anew */
}

static inline int64_t host_time(host_clock *of, uint64_t ticks) { return clock_time(host_clock_at(of, ticks), ticks); }

/* The last tick that is not behind a time: later times are larger. */
static uint64_t host_last(host_clock *of, uint64_t until) {
    uint64_t low = 0, high = CLOCK_TIME_MOST;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (host_time(of, middle) <= (int64_t)until) low = middle;
        else high = middle - 1;
    }
    return low;
}

/* The same of a device. */
static inline uint64_t device_last(condense_clock *of, uint64_t until) {
    uint64_t low = 0, high = CLOCK_TIME_MOST;
    if (__builtin_expect(of->until == until, 1)) return of->last;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (clock_time(of, middle) <= (int64_t)until) low = middle;
        else high = middle - 1;
    }
    of->until = until;
    return of->last = low;
}

static inline int64_t host_span(host_clock *of, uint64_t begin, uint64_t end) { return clock_span(host_clock_at(of, begin), begin, end); }

#endif
