/* launchpath's part of each compiled program: what its files share. */
#ifndef LAUNCHPATH_START_H
#define LAUNCHPATH_START_H

#include <stddef.h>
#include <stdint.h>
#include "../../include/launchpath_host.h"

/* The table of the launchpath in this process, once it is known: written once with one value. */
extern const launchpath_host *launchpath_host_known;

/* The table; NULL: there is none. */
const launchpath_host *launchpath_host_find(void);

/* The same; the process ends with a message where there is none. */
const launchpath_host *launchpath_host_need(void);

static inline const launchpath_host *launchpath_host_here(void) {
    const launchpath_host *here = __atomic_load_n(&launchpath_host_known, __ATOMIC_ACQUIRE);
    return __builtin_expect(here != 0, 1) ? here : launchpath_host_need();
}

/* One for all programs and libraries of the process, see _host/runtime/memory.py. */
typedef struct {
    uint64_t calls; /* of functions that may give a device work; counted when they return, once `waits` is set */
    uint64_t all;   /* whether only such calls give a device work: not where Python code runs too */
    uint64_t waits; /* whether any algorithm has waited: programs without algorithms share no counter */
} launchpath_work;
extern launchpath_work *launchpath_work_known; /* written once with one value */
void launchpath_count_work(void);

/* A device may have work that algorithms on the host (thrust, CUB) must wait for, see memory.c.
   The work is enqueued before `waits` is read, and `waits` is set before a wait: an uncounted call is waited for. No fence:
   whatever was enqueued took a lock, and on x86-64 that is one. */
static inline void launchpath_works(void) {
    const launchpath_work *here = __atomic_load_n(&launchpath_work_known, __ATOMIC_ACQUIRE);
    if (__builtin_expect(here == 0 || __atomic_load_n(&here->waits, __ATOMIC_RELAXED), 0)) launchpath_count_work();
}

static inline uint64_t launchpath_call(const char *name, void *const *arguments) {
    const uint64_t result = launchpath_host_here()->call(name, arguments);
    launchpath_works();
    return result;
}

/* End a function with an error, as a call that launchpath refuses. */
static inline int launchpath_refuse(const char *name, int code, const char *reason) {
    void *const arguments[] = {&name, &code, &reason};
    return (int)launchpath_call("launchpath_refuse", arguments);
}

#endif
