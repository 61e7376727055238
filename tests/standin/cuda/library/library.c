/* The library: its lock, its start, and what a fork and the end of the process do to it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../core.h"

pthread_mutex_t standin_lock = PTHREAD_MUTEX_INITIALIZER;
bool standin_forked, standin_stopped, standin_initialized;
int standin_devices, standin_version;

unsigned long long now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long long)now.tv_sec * 1000000000ull + (unsigned long long)now.tv_nsec;
}

/* No worker holds the lock while the process forks: the child has no worker that could release it, and tests ask the
 * child's copy of the library for its calls. */
static void before_fork(void) { pthread_mutex_lock(&standin_lock); }
static void in_parent(void) { pthread_mutex_unlock(&standin_lock); }
static void in_child(void) {
    standin_forked = standin_initialized;
    pthread_mutex_unlock(&standin_lock);
}

__attribute__((constructor)) static void loaded(void) {
    options_read();
    pthread_atfork(before_fork, in_parent, in_child);
}

/* CUDA answers DEINITIALIZED after its own exit handler. Workers may be inside a kernel: nobody waits for them. */
__attribute__((destructor)) static void unloaded(void) {
    if (standin_forked) return;
    pthread_mutex_lock(&standin_lock);
    standin_stopped = true;
    workers_completed();
    pthread_mutex_unlock(&standin_lock);
}

/* Load the library that CUDA_INJECTION64_PATH names, once, as the driver does. */
static void inject(void) {
    static atomic_flag done = ATOMIC_FLAG_INIT;
    const char *path = getenv("CUDA_INJECTION64_PATH");
    void *library = path && *path && !atomic_flag_test_and_set(&done) ? dlopen(path, RTLD_NOW) : NULL;
    int (*initialize)(void) = NULL;
    if (library) *(void **)&initialize = dlsym(library, "InitializeInjection");
    if (initialize) initialize();
}

EXPORT CUresult cuInit(unsigned int flags) {
    inject();
    ENTER(NEEDS_NOTHING, NULL);
    if (flags) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!standin_initialized) {
        const char *devices = getenv("STANDIN_DEVICES");
        standin_devices = devices && *devices ? atoi(devices) : 2;
        if (standin_devices > MAX_DEVICES) standin_devices = MAX_DEVICES;
        for (int i = 0; i < MAX_DEVICES; i++) contexts[i].device = i;
    }
    if (standin_devices <= 0) LEAVE(SI_ERROR_NO_DEVICE);
    standin_initialized = true;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuDriverGetVersion(int *version) {
    ENTER(NEEDS_NOTHING, NULL);
    if (!version) LEAVE(SI_ERROR_INVALID_VALUE);
    *version = standin_version;
    LEAVE(SI_SUCCESS);
}
