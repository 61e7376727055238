/* The calls of the stand-in, and the operations that they submit, as a profiler sees them. ../cupti has a profiler. */
#ifndef STANDIN_PROFILER_H
#define STANDIN_PROFILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "standin.h"

enum standin_kind { STANDIN_KERNEL, STANDIN_COPY, STANDIN_FILL, STANDIN_PEER_COPY };

typedef struct standin_submitted {
    enum standin_kind kind;
    const standin_launch *launch; /* of a kernel */
    size_t bytes;                 /* of a copy or fill */
    int device;
    uint64_t node; /* its id; 0: it is of no graph */
} standin_submitted;

struct standin_profiler;
typedef struct standin_profiled { /* the begin of a profiler's record of an operation */
    const struct standin_profiler *profiler;
} standin_profiled;

/* `begins`, `ends`, `starts` and `stops` are called without the stand-in's lock, and may call it; the others with it. */
typedef struct standin_profiler {
    unsigned int (*begins)(const char *name); /* a call, on its thread; returns its number */
    void (*ends)(const char *name, unsigned int number, const int *result);
    standin_profiled *(*submits)(unsigned int number, const standin_submitted *submitted); /* NULL: no record */
    void (*starts)(standin_profiled *record); /* on the thread that runs the operation */
    void (*stops)(standin_profiled *record);
    void (*cloned)(const void *node, const void *from, uint64_t id); /* a node of a new executable graph */
    void (*over)(standin_profiled *record, bool ran); /* the operation: no call about the record follows */
} standin_profiler;

/* From now on, this profiler hears of calls that begin; NULL: none does. It then hears of their ends in any case. */
void standin_profile(const standin_profiler *profiler);

#endif
