/* The clock of a trace's records: the processor's counter where it counts at one rate on all processors, 10 ns a read;
   else the monotonic clock, 23 ns a read. `drain.h` notes pairs of both, by which readers convert. */
#ifndef LAUNCHPATH_TICKS_H
#define LAUNCHPATH_TICKS_H

#include "../../base/lock.h"
#if defined(__x86_64__) && !defined(_WIN32)
#include <cpuid.h>
#include <x86intrin.h>
#endif

static int lp_counts_ticks = 0; /* ticks are the processor's, not nanoseconds; `trace_begin` sets it */

static inline uint64_t lp_ticks(void) {
#if defined(__x86_64__) && !defined(_WIN32)
    if (lp_counts_ticks) return __rdtsc();
#endif
    return lp_nanoseconds();
}

/* Whether the processor says that its counter never changes its rate, and never stops. */
static inline int lp_ticks_constant(void) {
#if defined(__x86_64__) && !defined(_WIN32)
    unsigned int a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8)) != 0;
#else
    return 0;
#endif
}

#endif
