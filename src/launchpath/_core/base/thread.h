/* What the core knows of each thread. */
#ifndef LAUNCHPATH_THREAD_H
#define LAUNCHPATH_THREAD_H

#include "lock.h"

typedef struct {
    /* The library call that failed last: a table function returns its code, and leaves the call's name here. */
    const char *failed_call;
    void *entered; /* the Entered, borrowed, if a stream or a device is entered: see stream/current.pxi */
    void *job;     /* the lp_job of the host function that it runs, or NULL */
    void *step;    /* the lp_recording of the step, or the capture, that it is in, or NULL */
    void *records; /* the lp_records that its records go to, or NULL: it has written none */
    /* Its number, or 0 as long as it has none: the system gives those of threads that have ended to others. */
    uint64_t number;
    uint64_t external; /* the external correlation id in force; 0: none */
    uint64_t unheld;   /* how many unheld periods it is in: see driver/gpu/queue/unheld.pxi */
    int hip_code;      /* what the last function of HIP's returned: see launch/hip.pxi */
    int in_driver;     /* logged calls into a driver that it is in: see layers/log.pxi */
} lp_here_state;

static LP_THREAD_LOCAL lp_here_state lp_here;

#endif
