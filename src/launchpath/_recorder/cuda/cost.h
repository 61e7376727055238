/* What a record of CUDA's driver costs. A fill of no bytes is measured, and a query of this thread's own stream: they leave the
   device alone, so a device that is busy for ever does not matter. What CUPTI adds in mode device is not in it. */
#ifndef LAUNCHPATH_RECORDER_CUDA_COST_H
#define LAUNCHPATH_RECORDER_CUDA_COST_H

#include "../cost.h"
#include "wrappers.h"

#define COST_STREAM ((void *)(uintptr_t)CUDA_STREAM_PER_THREAD)

typedef struct {
    int (*fill)(cuda_address, unsigned char, size_t, void *);
    int (*query)(void *);
} cuda_cost_functions;

/* CUPTI is detached by now, so each of these commands counts as one without times: that is taken back. */
static void cuda_cost_fills(void *unused, int n) {
    int done = 0;
    (void)unused;
    while (n--) done += cuMemsetD8Async(0, 0, 0, COST_STREAM) == 0;
    if (options.timed) lp_add(&lp_trace.header->counters.untimed, -(int64_t)done);
}

static void cuda_cost_fills_past(void *functions, int n) {
    while (n--) ((cuda_cost_functions *)functions)->fill(0, 0, 0, COST_STREAM);
}

static void cuda_cost_queries(void *unused, int n) {
    (void)unused;
    while (n--) cuStreamQuery(COST_STREAM);
}

static void cuda_cost_queries_past(void *functions, int n) {
    while (n--) ((cuda_cost_functions *)functions)->query(COST_STREAM);
}

static void cuda_cost(void) {
    cuda_cost_functions functions;
    cost_figure command, call;
    void *context = 0;
    __typeof__(cuda_own_stream) own = cuda_own_stream; /* the stream that it is from here on is not in the file */
    if (lp_load(&cuda_contexts.places) == 0) return;   /* no device was used */
    *(void **)&functions.fill = cuda.functions[E_cuMemsetD8Async], *(void **)&functions.query = cuda.functions[E_cuStreamQuery];
    if (functions.fill == 0 || functions.query == 0 || cuda.call.cuCtxGetCurrent == 0 || cuda.call.cuCtxGetCurrent(&context)) {
        cost_left_out("cuda", "the driver had ended");
    } else if (handle_find(&cuda_contexts, (uint64_t)(uintptr_t)context) == 0) {
        cost_left_out("cuda", "the thread that ended the process had no context");
    } else if (lp_load(&cuda_captures)) {
        cost_left_out("cuda", "a stream was captured"); /* which a call in between may make invalid */
    } else if (cuda_failed(functions.query(COST_STREAM))) {
        cost_left_out("cuda", "the context had failed");
    } else if (!cost_begin()) {
        cost_left_out("cuda", "the trace paused");
    } else {
        command = cost_measure(cuda_cost_fills, cuda_cost_fills_past, 0, &functions);
        call = cost_measure(cuda_cost_queries, cuda_cost_queries_past, 0, &functions);
        cost_end();
        cost_write("cuda", "cuMemsetD8Async", &command, &call, 0);
    }
    cuda_own_stream = own;
}

#endif
