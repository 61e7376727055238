/* Algorithms that run on the host on a device's memory (thrust, CUB) wait here. */
#include "start.h"

/* One for all programs and libraries of the process, see _host/runtime/memory.py. */
typedef struct {
    uint64_t calls; /* of functions that may give a device work; counted when they return, once `waits` is set */
    uint64_t all;   /* whether only such calls give a device work: not where Python code runs too */
    uint64_t waits; /* whether any algorithm has waited: programs without algorithms share no counter */
} work;

static work *shared;                               /* written once with one value */
static _Thread_local uint64_t waited = UINT64_MAX; /* the calls when this thread's last wait began */

static work *find(void) {
    work *here = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    if (here == 0) {
        uint64_t place = 0;
        void *const arguments[] = {&place};
        launchpath_host_here()->call("launchpath_work", arguments);
        here = (work *)(uintptr_t)place;
        __atomic_store_n(&shared, here, __ATOMIC_RELEASE);
    }
    return here;
}

void launchpath_works(void) {
    work *here = find();
    if (here == 0) return;
    /* The work is enqueued before `waits` is read, and `waits` is set before a wait: an uncounted call is waited for. No
       fence: whatever was enqueued took a lock, and on x86-64 that is one. */
    if (__atomic_load_n(&here->waits, __ATOMIC_RELAXED)) __atomic_add_fetch(&here->calls, 1, __ATOMIC_ACQ_REL);
}

/* An algorithm waits many times, and each element of a vector that host code reads does: most find nothing to wait for. */
int launchpath_wait(void) {
    work *here = find();
    uint64_t calls;
    int code;
    if (here != 0 && !__atomic_load_n(&here->waits, __ATOMIC_RELAXED))
        __atomic_store_n(&here->waits, 1, __ATOMIC_SEQ_CST);
    calls = here == 0 ? 0 : __atomic_load_n(&here->calls, __ATOMIC_ACQUIRE);
    if (here != 0 && here->all && waited == calls) return 0;
    code = (int)launchpath_host_here()->call("launchpath_wait", 0);
    if (code == 0) waited = calls;
    return code;
}

int hipMalloc(void **, size_t);
int hipFree(void *);
const char *hipGetErrorString(int);

void *launchpath_allocate(size_t bytes) {
    void *memory = 0;
    return hipMalloc(&memory, bytes) == 0 ? memory : 0;
}

void launchpath_free(void *memory) {
    if (memory != 0) hipFree(memory);
}

const char *launchpath_error_text(int code) { return hipGetErrorString(code); }
