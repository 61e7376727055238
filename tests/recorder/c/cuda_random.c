/* Random commands of several threads, on CUDA's driver or its stand-in: `cuda_random LIBRARY SEED IMAGE THREADS STEPS`. It prints
   how many launches, copies and fills were accepted, how many of each the runs of graphs had, and the refused launches. */
#include <pthread.h>
#include <string.h>
#include "cuda_calls.h"

enum { LAUNCHES, COPIES, FILLS, NODE_LAUNCHES, NODE_COPIES, NODE_FILLS, REFUSED, COUNTS, SHARED = 3, MOST = 64 };

static void *context, *kernels[2], *shared[SHARED];
static unsigned long counts[COUNTS];
static int steps, seed;

typedef struct {
    void *stream, *event;
    address memory;
    unsigned random;
} worker;

static unsigned any(worker *worker, unsigned n) { return (unsigned)rand_r(&worker->random) % n; }
static void count(int what, unsigned long n) { __atomic_add_fetch(&counts[what], n, __ATOMIC_RELAXED); }

static int command(worker *worker, void *stream) {
    switch (any(worker, 4)) {
    case 0: CALL(cuMemsetD8Async, worker->memory, 1, 64L, stream); return FILLS;
    case 1: CALL(cuMemcpyAsync, worker->memory, worker->memory + 64, 64L, stream); return COPIES;
    default: CALL(cuLaunchKernel, kernels[any(worker, 2)], 1 + any(worker, 8), 1, 1, 32, 1, 1, 0, stream, 0L, 0L); return LAUNCHES;
    }
}

/* Capture a graph, run it some times, let its first kernel be another, and run it again. */
static void graph(worker *worker) {
    unsigned n = 1 + any(worker, 12), of[3] = {0}, runs = any(worker, 6), i;
    kernel_node node = {kernels[any(worker, 2)], {3, 1, 1}, {16, 1, 1}, 0, 0, 0, 0, 0};
    void *captured, *executable, *nodes[MOST];
    size_t room = MOST;
    int type;
    CALL(cuStreamBeginCapture_v2, worker->stream, 1);
    for (i = 0; i < n; i++) of[command(worker, worker->stream)] += 1;
    CALL(cuStreamEndCapture, worker->stream, &captured);
    CALL(cuGraphInstantiateWithFlags, &executable, captured, 0L);
    for (i = 0; i < runs; i++) CALL(cuGraphLaunch, executable, worker->stream);
    CALL(cuGraphGetNodes, captured, nodes, &room);
    CALL(cuGraphNodeGetType, nodes[0], &type);
    if (type == 0 && any(worker, 2)) {
        CALL(cuGraphExecKernelNodeSetParams_v2, executable, nodes[0], &node);
        CALL(cuGraphLaunch, executable, worker->stream);
        runs += 1;
    }
    for (i = 0; i < 3; i++) count(NODE_LAUNCHES + (int)i, (unsigned long)of[i] * runs);
    if (any(worker, 2)) CALL(cuStreamSynchronize, worker->stream);
    CALL(cuGraphExecDestroy, executable);
    CALL(cuGraphDestroy, captured);
}

static void step(worker *worker) {
    int (*refused)() = (int (*)())dlsym(library, "cuLaunchKernel");
    void *other;
    switch (any(worker, 24)) {
    case 0: graph(worker); return;
    case 1: CALL(cuStreamSynchronize, worker->stream); return;
    case 2:
        CALL(cuStreamCreate, &other, 1);
        count(command(worker, other), 1);
        CALL(cuStreamDestroy_v2, other);
        return;
    case 3:
        CALL(cuEventRecord, worker->event, worker->stream);
        CALL(cuStreamWaitEvent, shared[any(worker, SHARED)], worker->event, 0);
        return;
    case 4:
        if (refused(0L, 1, 1, 1, 1, 1, 1, 0, worker->stream, 0L, 0L) == 0) exit(94);
        count(REFUSED, 1);
        return;
    case 5: case 6: case 7: count(command(worker, shared[any(worker, SHARED)]), 1); return;
    default: count(command(worker, worker->stream), 1);
    }
}

static void *work(void *number) {
    worker worker = {.random = (unsigned)(seed * 1000 + (int)(size_t)number)};
    int i;
    CALL(cuCtxSetCurrent, context);
    CALL(cuStreamCreate, &worker.stream, 1);
    CALL(cuEventCreate, &worker.event, 2);
    CALL(cuMemAlloc_v2, &worker.memory, 128L);
    for (i = 0; i < steps; i++) step(&worker);
    CALL(cuStreamSynchronize, worker.stream);
    return 0;
}

int main(int argc, char **argv) {
    static char image[8192];
    FILE *file = fopen(argv[3], "r");
    int threads = atoi(argv[4]), i;
    pthread_t all[MOST];
    void *module;
    (void)argc;
    library = dlopen(argv[1], RTLD_NOW), seed = atoi(argv[2]), steps = atoi(argv[5]);
    if (library == 0 || file == 0 || threads > MOST) return 93;
    image[fread(image, 1, sizeof image - 1, file)] = 0;
    CALL(cuInit, 0);
    CALL(cuDevicePrimaryCtxRetain, &context, 0);
    CALL(cuCtxSetCurrent, context);
    CALL(cuModuleLoadDataEx, &module, image, 0, 0L, 0L);
    CALL(cuModuleGetFunction, &kernels[0], module, "nothing");
    CALL(cuModuleGetFunction, &kernels[1], module, "deep");
    for (i = 0; i < SHARED; i++) CALL(cuStreamCreate, &shared[i], 1);
    for (i = 0; i < threads; i++) pthread_create(&all[i], 0, work, (void *)(size_t)i);
    for (i = 0; i < threads; i++) pthread_join(all[i], 0);
    CALL(cuCtxSynchronize);
    for (i = 0; i < COUNTS; i++) printf("%lu ", counts[i]);
    puts("");
    return 0;
}
