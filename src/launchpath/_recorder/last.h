/* A process whose first thread has ended by pthread_exit ends with its last thread. The recorder's own threads must not be that
   last one, for they never end: so where only they are left, they end too. */
#ifndef LAUNCHPATH_RECORDER_LAST_H
#define LAUNCHPATH_RECORDER_LAST_H

#include <ctype.h>
#include <dirent.h>
#include <pthread.h>
#include <unistd.h>
#include "trace/records/drain.h"

enum { LAST_LOOK = 5000 }; /* microseconds */

static struct {
    lp_thread_end first_thread;
    uint64_t helpers; /* threads of the recorder, without the drainer */
    int leaving;      /* they end */
} last;

/* How many threads there are, without the first one, which has ended. */
static uint64_t last_threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *entry;
    uint64_t n = 0;
    while (tasks && (entry = readdir(tasks)) != 0) n += isdigit((unsigned char)entry->d_name[0]) && atol(entry->d_name) != getpid();
    if (tasks) closedir(tasks);
    return tasks ? n : UINT64_MAX;
}

static void last_watch(void *unused) {
    (void)unused;
    while (last_threads() > 1 + lp_load(&last.helpers) + (uint64_t)lp_trace.drainer) lp_sleep(LAST_LOOK);
    last.leaving = 1;
    lp_store(&lp_trace.drainer_leaves, 1);
    lp_condition_signal(&lp_trace.drainer_wanted);
}

/* The first thread ends, and the process does not. */
static void last_first_ended(void *unused) {
    (void)unused;
    lp_thread(last_watch, 0);
}

/* In the first thread, once; and in a forked child, whose only thread is its first. */
static void last_init(void) {
    static int known;
    if (!known) lp_thread_end_by(&last.first_thread, last_first_ended);
    known = 1;
    last.helpers = 0, last.leaving = 0;
    lp_thread_end_with(&last.first_thread, &last);
}

#endif
