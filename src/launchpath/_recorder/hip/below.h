/* HIP's functions as launchpath's core calls them. rocprofiler shows the core's calls too, and the core's own trace has a record
   of each launch: a call of the core's is marked, so that it gets no other one. */
#ifndef LAUNCHPATH_RECORDER_HIP_BELOW_H
#define LAUNCHPATH_RECORDER_HIP_BELOW_H

#include "calls.h"

static void *hip_below_functions[HIP_ENTRIES];

/* What the core gets in place of a function. By the calling conventions of Linux a function's integers and pointers are in six
   registers (eight on ARM), then on the stack: handing on as many as the longest function has, whatever they mean, is right for
   all of them. None has a floating-point number. Those that the function lacks are read from the caller's frame. */
#define HIP_14 long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l, long m, long n
#define ENTRY(name, kind)                                                                                              \
    static long hip_below_##name(HIP_14) {                                                                             \
        long (*below)(HIP_14) = (long (*)(HIP_14))hip_below_functions[H_##name];                                       \
        long code;                                                                                                     \
        hip_here.core += 1;                                                                                            \
        code = below(a, b, c, d, e, f, g, h, i, j, k, l, m, n);                                                        \
        hip_here.core -= 1;                                                                                            \
        return code;                                                                                                   \
    }
#include "each.h"
#undef HIP_14

/* The marked function for launchpath's own core; NULL: the function is no entry, or HIP is not traced. */
static void *hip_below(void *handle, const char *name) {
    static void *const marked[HIP_ENTRIES] = {
#define ENTRY(name, kind) (void *)hip_below_##name,
#include "each.h"
    };
    void *function;
    int entry;
    if (!options.on) return 0;
    for (entry = 0; entry < HIP_ENTRIES && strcmp(hip_names[entry], name); entry++) {}
    if (entry == HIP_ENTRIES || (function = real_dlsym(handle, name)) == 0) return 0;
    if (lp_load((uint64_t *)&hip_below_functions[entry]) == 0) lp_store((uint64_t *)&hip_below_functions[entry], (uint64_t)(uintptr_t)function);
    return hip_below_functions[entry] == function ? marked[entry] : 0; /* of a second library: not marked */
}

#endif
