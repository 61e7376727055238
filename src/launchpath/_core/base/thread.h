/* What the core knows of each thread. */
#ifndef LAUNCHPATH_THREAD_H
#define LAUNCHPATH_THREAD_H

#include "lock.h"

typedef struct {
    /* The library call that failed last: a table function returns its code, and leaves the call's name here. */
    const char *failed_call;
    int in_driver; /* logged calls into a driver that the thread is in */
    /* The stream that `with stream:` made current (borrowed from `Entered`, which holds it), or NULL. */
    void *current_stream;
    void *entered; /* the Entered, borrowed, if something is entered */
    /* The lp_queue that work goes to which names no stream (borrowed likewise); NULL: Python must be asked. */
    void *current_queue;
    /* The launcher that packs its unusual arguments (borrowed: its call holds it), or NULL. */
    void *packing;
    /* The driver's table whose stream waits for the host function that the thread is running, or NULL. */
    void *awaited;
    void *job;    /* the lp_job of that host function, or NULL */
    int watching; /* it looks at the marks that event loops await: see wait/watch.pxi */
    /* The thread's number, or 0 as long as it has none: the system gives those of threads that have ended to others. */
    uint64_t number;
    void *step;             /* the lp_recording of the step that it is in, or NULL */
    int replaying;     /* it launches an executable graph */
    void *records;     /* the lp_records that its records go to, or NULL: it has written none */
    void *profiled;    /* the lp_timed of the command that it submits, or NULL: see trace/profiled.pxi */
    uint64_t external; /* the external correlation id in force; 0: none */
    int hip_failed;    /* the last function of HIP's failed: see launch/hip.pxi */
    uint64_t unheld;   /* how many unheld periods it is in: see wait/unheld.pxi */
} lp_here_state;

static LP_THREAD_LOCAL lp_here_state lp_here;

#endif
