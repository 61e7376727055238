/* Submits commands on the stand-in of CUDA, as the second argument says, and waits for them. The first is the library, the third
   the file of an image. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>
#include "cuda_calls.h"

static void *context, *nothing, *deep;

static void launch(void *function, void *stream) { CALL(cuLaunchKernel, function, 2, 1, 1, 32, 1, 1, 0, stream, 0L, 0L); }

static void *begin(const char *path) {
    static char image[8192];
    FILE *file = fopen(path, "r");
    void *module, *stream;
    image[fread(image, 1, sizeof image - 1, file)] = 0;
    CALL(cuInit, 0);
    CALL(cuDevicePrimaryCtxRetain, &context, 0);
    CALL(cuCtxSetCurrent, context);
    CALL(cuModuleLoadDataEx, &module, image, 0, 0L, 0L);
    CALL(cuModuleGetFunction, &nothing, module, "nothing");
    CALL(cuModuleGetFunction, &deep, module, "deep");
    CALL(cuStreamCreate, &stream, 1);
    return stream;
}

/* 100 launches, 5 fills, 5 copies, and a launch that is refused. */
static void submit(void *stream, address memory) {
    int (*refused)() = (int (*)())dlsym(library, "cuLaunchKernel");
    for (int i = 0; i < 100; i++) {
        launch(nothing, stream);
        if (i % 20) continue;
        CALL(cuMemsetD8Async, memory, 1, 64L, stream);
        CALL(cuMemcpyAsync, memory, memory + 64, 64L, stream);
    }
    refused(0L, 1, 1, 1, 1, 1, 1, 0, stream, 0L, 0L);
}

/* A graph of five nodes that runs five times, and twice with another kernel in its first node. */
static void graph(void *stream, address memory) {
    void *graph, *executable, *nodes[8];
    size_t n = 8;
    kernel_node node = {deep, {3, 1, 1}, {16, 1, 1}, 0, 0, 0, 0, 0};
    CALL(cuStreamBeginCapture_v2, stream, 0);
    launch(nothing, stream);
    launch(deep, stream);
    launch(nothing, stream);
    CALL(cuMemsetD8Async, memory, 1, 64L, stream);
    CALL(cuMemcpyAsync, memory, memory + 64, 64L, stream);
    CALL(cuStreamEndCapture, stream, &graph);
    CALL(cuGraphInstantiateWithFlags, &executable, graph, 0L);
    for (int i = 0; i < 5; i++) CALL(cuGraphLaunch, executable, stream);
    CALL(cuGraphGetNodes, graph, nodes, &n);
    CALL(cuGraphExecKernelNodeSetParams_v2, executable, nodes[0], &node);
    for (int i = 0; i < 2; i++) CALL(cuGraphLaunch, executable, stream);
    CALL(cuGraphExecDestroy, executable);
}

/* 200 runs of a graph of five nodes, which take a while. */
static void limit(void *stream, address memory) {
    void *graph, *executable;
    CALL(cuStreamBeginCapture_v2, stream, 0);
    for (int i = 0; i < 5; i++) launch(nothing, stream);
    CALL(cuStreamEndCapture, stream, &graph);
    CALL(cuGraphInstantiateWithFlags, &executable, graph, 0L);
    for (int i = 0; i < 200; i++) {
        CALL(cuGraphLaunch, executable, stream);
        CALL(cuStreamSynchronize, stream);
        usleep(2000);
    }
    (void)memory;
}

/* 20 launches behind a kernel that ends after the process: its host function waits. */
static void forever(void *unused) {
    (void)unused;
    for (;;) pause();
}

static void busy(void *stream, address memory) {
    for (int i = 0; i < 5; i++) launch(nothing, stream);
    CALL(cuStreamSynchronize, stream);
    CALL(cuLaunchHostFunc, stream, forever, 0L);
    for (int i = 0; i < 20; i++) launch(nothing, stream);
    (void)memory;
}

static void *thread(void *stream) {
    CALL(cuCtxSetCurrent, context);
    for (int i = 0; i < 200; i++) launch(nothing, stream);
    CALL(cuStreamSynchronize, stream);
    return 0;
}

int main(int argc, char **argv) {
    pthread_t threads[4];
    address memory;
    void *stream;
    (void)argc;
    library = dlopen(argv[1], RTLD_NOW);
    if (library == 0) return 93;
    stream = begin(argv[3]);
    CALL(cuMemAlloc_v2, &memory, 128L);
    if (strcmp(argv[2], "commands") == 0) submit(stream, memory);
    if (strcmp(argv[2], "graph") == 0) graph(stream, memory);
    if (strcmp(argv[2], "limit") == 0) limit(stream, memory);
    for (int i = 0; strcmp(argv[2], "threads") == 0 && i < 4; i++) {
        CALL(cuStreamCreate, &stream, 1);
        pthread_create(&threads[i], 0, thread, stream);
    }
    for (int i = 0; strcmp(argv[2], "threads") == 0 && i < 4; i++) pthread_join(threads[i], 0);
    if (strcmp(argv[2], "flight") == 0) submit(stream, memory); /* and does not wait */
    else if (strcmp(argv[2], "busy") == 0) busy(stream, memory);
    else CALL(cuStreamSynchronize, stream);
    return 0;
}
