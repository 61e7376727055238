/* Looks at threads: what a thread did since the last one, by the system. There is one at the first call after a pause, and one
   after a call that took as long as a pause, so that what was in the call is told from what comes after it. A range that begins or
   ends in a pause divides it into several looks. */
#ifndef LAUNCHPATH_TRACE_LOOKS_H
#define LAUNCHPATH_TRACE_LOOKS_H

#include "ring.h"
#ifdef __linux__
#include <sys/resource.h>
#include <sys/stat.h>
#endif

enum {
    LOOK_PAUSE = 100000, /* nanoseconds */
    LOOK_IN_PAUSE = 1    /* a flag: the pause goes on */
};

typedef struct {
    uint64_t ticks; /* of the last look; 0: there was none */
    uint64_t processor, runnable, process, faults, switches;
    uint32_t thread; /* whose this is */
    int file;        /* its /proc/thread-self/schedstat; -1: there is none */
    uint64_t device, number; /* of that file, by which it is known: the program may close files that it has not opened */
} thread_look;

#ifdef __linux__
static uint64_t look_clock(clockid_t clock) {
    struct timespec time;
    return clock_gettime(clock, &time) ? 0 : (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int look_owns(const thread_look *look) {
    struct stat facts;
    return look->file >= 0 && fstat(look->file, &facts) == 0 && (uint64_t)facts.st_dev == look->device && (uint64_t)facts.st_ino == look->number;
}

static void look_open(thread_look *look, uint32_t thread) {
    struct stat facts;
    if (look_owns(look)) close(look->file);
    memset(look, 0, sizeof *look);
    look->thread = thread;
    look->file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (look->file < 0) return;
    if (fstat(look->file, &facts) == 0) look->device = (uint64_t)facts.st_dev, look->number = (uint64_t)facts.st_ino;
    else look->file = -1;
}

/* The second number of schedstat: nanoseconds that the thread was ready and did not run. 0: the system does not tell. */
static uint64_t look_runnable(thread_look *look) {
    char text[96], *end;
    ssize_t size = look->file >= 0 ? pread(look->file, text, sizeof text - 1, 0) : -1;
    uint64_t runnable;
    if (size <= 0) return 0;
    text[size] = 0;
    strtoull(text, &end, 10);
    if (end == text || *end != ' ') {
        look->file = -1; /* it is another file by now, the program's */
        return 0;
    }
    runnable = strtoull(end, 0, 10);
    return runnable;
}

static void look_read(thread_look *look) {
    struct rusage used;
    look->ticks = lp_ticks();
    look->processor = look_clock(CLOCK_THREAD_CPUTIME_ID), look->process = look_clock(CLOCK_PROCESS_CPUTIME_ID);
    look->runnable = look_runnable(look);
    if (getrusage(RUSAGE_THREAD, &used) == 0) look->switches = (uint64_t)used.ru_nvcsw, look->faults = (uint64_t)(used.ru_minflt + used.ru_majflt);
}

/* Look at this thread, and write what was since the last look. */
LP_NOINLINE static void look_write(lp_records *ring, uint8_t flags) {
    thread_look *look = (thread_look *)ring->look, last;
    thread_slot *slot;
    if (look == 0) {
        if ((ring->look = look = (thread_look *)calloc(1, sizeof *look)) == 0) return;
        look->file = -1;
    }
    if (look->thread != ring->thread) look_open(look, ring->thread);
    last = *look;
    look_read(look);
    if (last.ticks == 0 || !records_has_room(ring, 1)) return;
    slot = &records_slot(ring, 0)->thread;
    slot->kind = SLOT_THREAD, slot->flags = flags, slot->unused = 0;
    slot->switches = (uint32_t)(look->switches - last.switches);
    slot->begin = last.ticks, slot->end = look->ticks;
    slot->processor = look->processor - last.processor, slot->process = look->process - last.process;
    slot->runnable = look->runnable > last.runnable ? look->runnable - last.runnable : 0;
    slot->faults = look->faults - last.faults, slot->spent = lp_ticks() - look->ticks;
    records_publish(ring, 1);
}

/* A thread ends, or its trace: its file is closed, if it still is that file. */
static void look_end(lp_records *ring) {
    thread_look *look = (thread_look *)ring->look;
    if (look == 0) return;
    if (look_owns(look)) close(look->file);
    look->file = -1, look->thread = 0, look->ticks = 0;
}
#else
static void look_write(lp_records *ring, uint8_t flags) { (void)ring, (void)flags; }
static void look_end(lp_records *ring) { (void)ring; }
#endif

/* A call begins: there was a pause, or not. */
static inline void look_before(lp_records *ring) {
    if (LP_UNLIKELY(ring->left == 0 || lp_ticks() - ring->left > lp_trace.pause)) {
        look_write(ring, 0);
        ring->left = lp_ticks();
    }
}

/* A call has ended, which began at a tick. Calls may be part of others: one look is enough for all of them. */
static inline void look_after(lp_records *ring, uint64_t begin) {
    ring->left = lp_ticks();
    if (LP_LIKELY(ring->left - begin <= lp_trace.pause)) return;
    if (ring->look && ring->left - ((thread_look *)ring->look)->ticks <= lp_trace.pause) return;
    look_write(ring, 0);
    ring->left = lp_ticks();
}

/* A range begins or ends: what was in a pause before that is told from what is behind it. */
static inline void look_between(lp_records *ring) {
    uint64_t now = lp_ticks();
    if (LP_LIKELY(now - ring->left <= lp_trace.pause)) return;
    if (ring->look == 0 || now - ((thread_look *)ring->look)->ticks > lp_trace.pause) look_write(ring, LOOK_IN_PAUSE);
}

/* Find out how many ticks a pause has. Before a trace begins that looks at threads, and with its clock: see `store_begin`. */
static void looks_begin(int count_ticks) {
    uint64_t ticks, begin, now;
    lp_counts_ticks = count_ticks && lp_ticks_constant();
    ticks = lp_ticks(), begin = now = lp_nanoseconds();
    while (now - begin < 2 * LOOK_PAUSE) now = lp_nanoseconds();
    lp_trace.pause = (lp_ticks() - ticks) * LOOK_PAUSE / (now - begin);
}

#endif
