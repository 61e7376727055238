/* What a profiler sees of the stand-in: its calls, and what they submit. ../cupti has one. */
#ifndef STANDIN_PROFILER_H
#define STANDIN_PROFILER_H

#include <stdbool.h>
#include <stddef.h>

#include "standin.h"

enum standin_what { STANDIN_KERNEL, STANDIN_COPY, STANDIN_FILL, STANDIN_PEER_COPY };

typedef struct standin_submitted {
    enum standin_what what;
    const standin_launch *launch; /* of a kernel */
    size_t bytes;                 /* of a copy or fill */
    int device;
} standin_submitted;

struct standin_profiler;
typedef struct standin_profiled { /* begins what a profiler has of an operation */
    const struct standin_profiler *profiler;
} standin_profiled;

/* `begins`, `ends`, `starts` and `stops` are called without the stand-in's lock, and may call it; the others with it. */
typedef struct standin_profiler {
    unsigned int (*begins)(const char *name); /* a call, on its thread; gives its number */
    void (*ends)(const char *name, unsigned int number, const int *result);
    standin_profiled *(*submits)(unsigned int number, const standin_submitted *submitted); /* NULL: no record */
    void (*starts)(standin_profiled *record); /* on the thread that runs the operation */
    void (*stops)(standin_profiled *record);
    void (*over)(standin_profiled *record, bool ran); /* the operation: nothing is told of the record any more */
} standin_profiler;

/* Tells the profiler of calls that begin from now on; NULL: nobody. One that has begun tells its own of its end. */
void standin_profile(const standin_profiler *profiler);

#endif
