/* Algorithms that run on the host on a device's memory (thrust, CUB) wait here. */
#include "start.h"

launchpath_work *launchpath_work_known;
static _Thread_local uint64_t waited = UINT64_MAX; /* the calls when this thread's last wait began */

static launchpath_work *find(void) {
    launchpath_work *here = __atomic_load_n(&launchpath_work_known, __ATOMIC_ACQUIRE);
    if (here == 0) {
        uint64_t place = 0;
        void *const arguments[] = {&place};
        launchpath_host_here()->call("launchpath_work", arguments);
        here = (launchpath_work *)(uintptr_t)place;
        __atomic_store_n(&launchpath_work_known, here, __ATOMIC_RELEASE);
    }
    return here;
}

void launchpath_count_work(void) {
    launchpath_work *here = find();
    if (here != 0 && __atomic_load_n(&here->waits, __ATOMIC_RELAXED)) __atomic_add_fetch(&here->calls, 1, __ATOMIC_ACQ_REL);
}

/* An algorithm waits many times, and each element of a vector that host code reads does: most find nothing to wait for. */
int launchpath_wait(void) {
    launchpath_work *here = find();
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
