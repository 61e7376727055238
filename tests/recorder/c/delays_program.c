/* Repetitions of which it is known which delays make them longer: delays_program LIBRARY KIND SECONDS. Prints how many. */
#include "cuda_calls.h"
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *begin, *shortest, *longer, *longest;
static uint64_t now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (uint64_t)at.tv_sec * 1000000000 + (uint64_t)at.tv_nsec;
}
static void spin(uint64_t duration) {
    uint64_t end = now() + duration;
    while (now() < end) {}
}
static void launch(void *kernel) { CALL(cuLaunchKernel, kernel, 1, 1, 1, 1, 1, 1, 0, (void *)0, (void *)0, (void *)0); }
static void synchronize(void) { CALL(cuStreamSynchronize, (void *)0); }

static void step(const char *kind) {
    int i;
    launch(begin);
    if (strcmp(kind, "host") == 0) /* each delay counts */
        for (i = 0; i < 9; i++) spin(5000), launch(shortest);
    else if (strcmp(kind, "device") == 0) /* the first two of 10 do */
        for (i = 0; i < 9; i++) launch(longer);
    else if (strcmp(kind, "half") == 0) { /* 5 of 10 do */
        for (i = 0; i < 4; i++) synchronize(), launch(i == 3 ? longest : shortest);
        for (i = 0; i < 5; i++) launch(shortest);
    } else if (strcmp(kind, "copies") == 0) { /* 2 of 4 do: those behind the long kernel are hidden */
        for (i = 0; i < 2; i++) CALL(cuMemcpyHtoD_v2, (address)0, (void *)0, (size_t)8);
        launch(longest);
        for (i = 0; i < 2; i++) CALL(cuMemcpyHtoDAsync_v2, (address)0, (void *)0, (size_t)8, (void *)0);
    } else if (strcmp(kind, "ahead") == 0) { /* the host never waits */
        launch(longest);
        return;
    }
    synchronize();
}

static void *other(void *data) { /* launches as well, and has no part in the repetitions of the first thread */
    while (!__atomic_load_n((int *)data, __ATOMIC_RELAXED)) launch(shortest), usleep(300);
    return 0;
}

int main(int argc, char **argv) {
    const char *kind = argv[2];
    const uint64_t duration = (uint64_t)(1e9 * atof(argv[3]));
    uint64_t end, n = 0;
    int ends = 0;
    pthread_t thread;
    (void)argc;
    library = dlopen(argv[1], RTLD_NOW);
    if (library == 0) return 93;
    CALL(cuInit, 0);
    CALL(cuModuleGetFunction, &begin, (void *)0, "k0");
    CALL(cuModuleGetFunction, &shortest, (void *)0, "k1000");
    CALL(cuModuleGetFunction, &longer, (void *)0, "k20000");
    CALL(cuModuleGetFunction, &longest, (void *)0, "k200000");
    if (strcmp(kind, "fork") == 0) {
        launch(begin), synchronize(); /* the parent's trace has begun */
        if (fork()) return wait(0) < 0;
        kind = "host";
    }
    if (strcmp(kind, "threads") == 0) {
        kind = "host";
        if (pthread_create(&thread, 0, other, &ends)) return 94;
        for (end = now() + duration; now() < end; n++) step(kind);
        __atomic_store_n(&ends, 1, __ATOMIC_RELAXED);
        pthread_join(thread, 0);
    } else
        for (end = now() + duration; now() < end; n++) step(kind);
    printf("%llu\n", (unsigned long long)n);
    return 0;
}
