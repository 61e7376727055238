/* How a program comes by the driver's functions: the dynamic linker finds those of wrappers.h first; dlsym and
   cuGetProcAddress give them in place of the driver's. */
#ifndef LAUNCHPATH_RECORDER_CUDA_DOOR_H
#define LAUNCHPATH_RECORDER_CUDA_DOOR_H

#include "cost.h"

/* A function that the recorder does not know; if it submits work, its calls are counted. */
static void *cuda_unseen(const char *name, void *function) {
    static const char *const submit[] = {"cuLaunch", "cuMemcpy", "cuMemset", "cuGraphLaunch", "cuMemBatch", "cuMemDiscard", "cuMemPrefetchBatch"};
    size_t i;
    for (i = 0; i < sizeof submit / sizeof *submit; i++)
        if (strncmp(name, submit[i], strlen(submit[i])) == 0) return unseen_add(name, function);
    return function;
}

static void *const cuda_wrappers[CUDA_ENTRIES];

static int cuda_entry_named(const char *name) {
    int i;
    for (i = 0; i < CUDA_ENTRIES; i++)
        if (strcmp(cuda_names[i], name) == 0) return i;
    return -1;
}

LP_NOINLINE static void *door_dlsym(void *handle, const char *name) {
    void *function = real_dlsym(handle, name);
    int entry;
    if (function == 0) return 0;
    entry = cuda_entry_named(name);
    if (entry >= 0 && function == cuda_wrappers[entry]) return function;
    if (!is_cuda_library(function)) return function;
    if (!lp_load(&cuda.adopted)) cuda_adopt(handle);
    return entry >= 0 && cuda.functions[entry] == function ? cuda_wrappers[entry] : cuda_unseen(name, function); /* or of a second driver */
}

/* The call of the system's function is a jump: for RTLD_NEXT it looks at its caller, which must be the program's. */
EXPORT void *dlsym(void *restrict handle, const char *restrict name) {
    if (LP_UNLIKELY(real_dlsym == 0)) real_dlsym_find();
    if (options.on && handle != RTLD_NEXT && handle != RTLD_DEFAULT && name[0] == 'c' && name[1] == 'u') return door_dlsym(handle, name);
    return real_dlsym(handle, name);
}

/* The function that the recorder stands in front of, for launchpath's own core, which has records of its own. */
static void *opencl_below(void *handle, const char *name);
static void *hip_below(void *handle, const char *name);
EXPORT void *launchpath_recorder_below(void *handle, const char *name) {
    void *below;
    if (real_dlsym == 0) real_dlsym_find();
    if (options.whole) return dlsym(handle, name);
    if (name[0] == 'c' && name[1] == 'u') cuda.below = 1;
    below = name[0] == 'c' && name[1] == 'l' ? opencl_below(handle, name) : name[0] == 'h' ? hip_below(handle, name) : 0;
    return below ? below : real_dlsym(handle, name);
}

/* The state of delays, for the core's own trace: there is one level at a time in a process. */
EXPORT void *launchpath_recorder_delays(void) { return lp_delays.state; }

static void cuda_address_found(const char *symbol, void **function) {
    uint64_t entry = handle_find(&cuda.by_address, (uint64_t)(uintptr_t)*function);
    *function = entry ? cuda_wrappers[entry - 1] : cuda_unseen(symbol, *function);
}

EXPORT int cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags) {
    int (*real)(const char *, void **, int, uint64_t) = (int (*)(const char *, void **, int, uint64_t))cuda_real(E_cuGetProcAddress);
    int code = real ? real(symbol, function, version, flags) : CUDA_NOT_FOUND;
    if (code == 0 && options.on && function && *function) cuda_address_found(symbol, function);
    return code;
}

EXPORT int cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags, int *status) {
    int (*real)(const char *, void **, int, uint64_t, int *) = (int (*)(const char *, void **, int, uint64_t, int *))cuda_real(E_cuGetProcAddress_v2);
    int code = real ? real(symbol, function, version, flags, status) : CUDA_NOT_FOUND;
    if (code == 0 && options.on && function && *function) cuda_address_found(symbol, function);
    return code;
}

static void *const cuda_wrappers[CUDA_ENTRIES] = {
#define ENTRY(name) (void *)name,
#include "each.h"
};

/* In a forked child: no context is valid there, so no handle is. */
static void cuda_forget(void) {
    handles_init(&cuda_contexts), handles_init(&cuda_devices), handles_init(&cuda_streams);
    handles_init(&cuda_kernels), handles_init(&cuda_graphs);
    lp_lock_init(&cuda.lock);
    lp_lock_init(&cuda.by_address.lock);
    cuda_captures = 0, cuda_device_count = 0;
}

static void cuda_init(void) {
    const recorder_face face = {0, cuda_forget, cuda_cost};
    cuda.first = process_entries(cuda_names, CUDA_ENTRIES);
    cuda_forget();
    process_add(&face);
}

#endif
