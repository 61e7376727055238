/* Counts its own calls of the stand-in of HIP's runtime. The first argument is the library, the second what it does and how it ends.
   Prints how many calls of each kind HIP has accepted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    uint32_t x, y, z;
} dim3;
#define GET(name, parameters) int (*name) parameters = (int (*) parameters)find(#name)
#define CHECK(call) if (call) exit(fprintf(stderr, "failed: %s\n", #call) > 0 ? 92 : 93)

static void *library, *function;
static void *(*below)(void *, const char *); /* as launchpath's core finds functions */
static int host_function, launches, copies, fills;
static void *find(const char *name) {
    void *function_named = below ? below(library, name) : dlsym(library, name);
    if (function_named == 0) exit(90);
    return function_named;
}
static void launch(void *stream, int n) {
    GET(hipModuleLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **));
    GET(hipLaunchKernel, (const void *, dim3, dim3, void **, size_t, void *));
    for (int i = 0; i < n; i++) {
        if (i % 4) {
            CHECK(hipModuleLaunchKernel(function, 2, 3, 1, 32, 2, 1, 64, stream, 0, 0));
        } else CHECK(hipLaunchKernel(&host_function, (dim3){7, 1, 1}, (dim3){128, 1, 1}, 0, 16, stream));
        __atomic_add_fetch(&launches, 1, __ATOMIC_RELAXED);
    }
}
static void *thread(void *stream) {
    GET(hipSetDevice, (int));
    CHECK(hipSetDevice(1));
    launch(stream, 200);
    return 0;
}
static void copy_and_fill(void *stream) {
    GET(hipMalloc, (void **, size_t));
    GET(hipFree, (void *));
    GET(hipMemcpy, (void *, const void *, size_t, int));
    GET(hipMemcpyAsync, (void *, const void *, size_t, int, void *));
    GET(hipMemsetAsync, (void *, int, size_t, void *));
    static char bytes[10000];
    void *at;
    CHECK(hipMalloc(&at, sizeof bytes));
    CHECK(hipMemcpyAsync(at, bytes, sizeof bytes, 1, stream)); /* two pieces of work */
    CHECK(hipMemcpy(bytes, at, 100, 2));
    CHECK(hipMemcpy(bytes, at, 8, 2)); /* the host does it */
    copies += 3;
    CHECK(hipMemsetAsync(at, 5, 4000, stream));
    fills += 1;
    CHECK(hipFree(at));
}
int main(int argc, char **argv) {
    const char *end = argv[2];
    void *module, *stream = 0, *graph;
    pthread_t other[2];
    (void)argc;
    library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (library == 0) return fprintf(stderr, "%s\n", dlerror()), 94;
    if (strcmp(end, "core") == 0 && (below = (void *(*)(void *, const char *))dlsym(RTLD_DEFAULT, "launchpath_recorder_below")) == 0) return 95;
    GET(hipModuleLoadData, (void **, const void *));
    GET(hipModuleGetFunction, (void **, void *, const char *));
    GET(hipStreamCreate, (void **));
    GET(hipStreamSynchronize, (void *));
    GET(hipGetLastError, (void));
    CHECK(hipModuleLoadData(&module, "image"));
    CHECK(hipModuleGetFunction(&function, module, "saxpy"));
    CHECK(hipStreamCreate(&stream));
    launch(0, 100), launch(stream, 100);
    copy_and_fill(stream);
    CHECK(hipGetLastError());
    if (strcmp(end, "threads") == 0) {
        for (int i = 0; i < 2; i++) pthread_create(&other[i], 0, thread, 0);
        for (int i = 0; i < 2; i++) pthread_join(other[i], 0);
    }
    if (strcmp(end, "refused") == 0) {
        GET(hipModuleLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **));
        GET(hipMemcpy, (void *, const void *, size_t, int));
        if (hipModuleLaunchKernel(function, 1, 1, 1, 2000, 1, 1, 0, 0, 0, 0) != 1 || hipMemcpy(0, 0, 8, 1) != 1) return 96;
    }
    if (strcmp(end, "graph") == 0) {
        GET(hipGraphLaunch, (void *, void *));
        GET(hipStreamBeginCapture, (void *, int));
        GET(hipStreamEndCapture, (void *, void **));
        CHECK(hipStreamBeginCapture(stream, 0));
        launch(stream, 4);
        CHECK(hipStreamEndCapture(stream, &graph));
        for (int i = 0; i < 10; i++) CHECK(hipGraphLaunch(graph, stream));
    }
    if (strcmp(end, "newest") == 0) {
        GET(hipMemcpyNewest, (void *, const void *, size_t, int));
        static char bytes[128];
        for (int i = 0; i < 7; i++) CHECK(hipMemcpyNewest(bytes, bytes + 64, 64, 4));
    }
    if (strcmp(end, "fork") == 0 && fork() == 0) _exit(7);
    if (strcmp(end, "fork") == 0) wait(0);
    if (strcmp(end, "synchronize") == 0) CHECK(hipStreamSynchronize(stream));
    printf("%d %d %d\n", launches, copies, fills);
    fflush(stdout);
    if (strcmp(end, "_exit") == 0) _exit(3);
    return 0;
}
