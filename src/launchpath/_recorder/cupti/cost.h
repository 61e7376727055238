/* What CUPTI costs: launches of an empty kernel of the recorder's own, past it, while CUPTI records kernels and while it does not.
   It is measured where nothing is in flight any more, so the device is not busy. */
#ifndef LAUNCHPATH_RECORDER_CUPTI_COST_H
#define LAUNCHPATH_RECORDER_CUPTI_COST_H

#include "../cuda/cost.h"
#include "attach.h"

enum {
    CUPTI_COST_ROUNDS = 9,
    CUPTI_COST_MOST_TIME = 40000000, /* nanoseconds of all rounds */
    CUPTI_COST_WAIT = 20000000       /* nanoseconds for the launches of a batch */
};

typedef struct {
    int (*load)(void **, const void *), (*get)(void **, void *, const char *), (*unload)(void *);
    int (*create)(void **, unsigned), (*destroy)(void *), (*query)(void *);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
    void *module, *function, *stream;
    int failed;
} cupti_cost_data;

static void cupti_cost_launches(void *data, int n) {
    cupti_cost_data *own = (cupti_cost_data *)data;
    while (n-- && !own->failed) own->failed = own->launch(own->function, 1, 1, 1, 32, 1, 1, 0, own->stream, 0, 0);
}

/* Wait until the launches are complete. */
static void cupti_cost_wait(cupti_cost_data *own) {
    uint64_t until = lp_nanoseconds() + CUPTI_COST_WAIT;
    int code;
    while ((code = own->query(own->stream)) == CUDA_NOT_READY && lp_nanoseconds() < until) {}
    if (code) own->failed = 1;
}

/* Nanoseconds of a batch, after some launches by which what was switched takes effect. */
static int64_t cupti_cost_batch(cupti_cost_data *own) {
    uint64_t time;
    cupti_cost_launches(own, 8);
    cupti_cost_wait(own);
    time = cost_time(cupti_cost_launches, own);
    cupti_cost_wait(own);
    return (int64_t)time;
}

static cost_figure cupti_cost_measure(cupti_cost_data *own) {
    const uint64_t begin = lp_nanoseconds();
    int64_t differences[CUPTI_COST_ROUNDS], with, without;
    cost_figure figure = {0, 0, 0, 0};
    int n = 0;
    while (n < CUPTI_COST_ROUNDS && lp_nanoseconds() - begin < CUPTI_COST_MOST_TIME) {
        with = cupti_cost_batch(own);
        cupti_kinds_disable();
        without = cupti_cost_batch(own);
        if (cupti_kinds_enable() || own->failed) break;
        differences[n++] = (with - without) * 1000 / COST_BATCH;
    }
    if (n < 3 || own->failed) return figure;
    qsort(differences, (size_t)n, sizeof *differences, cost_order);
    figure.least = differences[n / 4], figure.typical = differences[n / 2], figure.most = differences[n - 1 - n / 4];
    figure.calls = n * COST_BATCH;
    return figure;
}

static int cupti_cost_begin(cupti_cost_data *own) {
    static const char program[] = ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry launchpath_nothing(){ret;}\n";
    void *const functions[] = {cuda.functions[E_cuModuleLoadData], cuda.functions[E_cuModuleGetFunction], cuda.functions[E_cuModuleUnload],
                               cuda.functions[E_cuStreamCreate], cuda.functions[E_cuStreamDestroy_v2], cuda.functions[E_cuStreamQuery],
                               cuda.functions[E_cuLaunchKernel]};
    size_t i;
    for (i = 0; i < sizeof functions / sizeof *functions; i++)
        if (functions[i] == 0) return 0;
    memcpy(own, functions, sizeof functions);
    if (own->load(&own->module, program)) return 0;
    return own->get(&own->function, own->module, "launchpath_nothing") == 0 && own->create(&own->stream, CUDA_STREAM_NON_BLOCKING) == 0;
}

static void cupti_cost(void) {
    cupti_cost_data own = {0};
    cost_figure command = {0, 0, 0, 0}, none = {0, 0, 0, 0};
    void *context = 0;
    if (cupti.subscriber == 0 || lp_load(&cupti.ended) || cupti_records.read == 0) return;
    /* To load a module the driver waits for the device, which must not be busy for ever: all that runs must be known. */
    if (cuda.below || options.periodic) {
        cost_left_out("cupti", "work may be in flight that is not recorded");
        return;
    }
    if (lp_load(&pending.left) || lp_load(&cuda_captures) || cuda.call.cuCtxGetCurrent(&context) ||
        handle_find(&cuda_contexts, (uint64_t)(uintptr_t)context) == 0) {
        cost_left_out("cupti", "work was in flight, or the thread that ended the process had no context");
        return;
    }
    cost.began = lp_nanoseconds();
    if (cupti_cost_begin(&own)) command = cupti_cost_measure(&own);
    if (own.stream) own.destroy(own.stream);
    if (own.module) own.unload(own.module);
    if (command.calls) cost_write("cupti", "cuLaunchKernel", &command, &none, 1);
    else cost_left_out("cupti", "launches failed, or took too long");
}

static void cupti_init(void) {
    const recorder_face face = {cupti_times, cupti_forget, cupti_cost};
    cupti_forget();
    process_add(&face);
}

#endif
