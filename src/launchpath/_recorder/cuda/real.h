/* The driver's own functions: of the library that the program has loaded. */
#ifndef LAUNCHPATH_RECORDER_CUDA_REAL_H
#define LAUNCHPATH_RECORDER_CUDA_REAL_H

#include <dlfcn.h>
#include "../handles.h"
#include "../record.h"
#include "types.h"

#define EXPORT __attribute__((visibility("default")))

enum cuda_entry {
#define ENTRY(name) E_##name,
#include "each.h"
    CUDA_ENTRIES
};

static const char *const cuda_names[CUDA_ENTRIES] = {
#define ENTRY(name) #name,
#include "each.h"
};

/* Functions that the recorder calls itself, each NULL where the driver lacks it. */
#define CUDA_OWN_CALLS \
    CUDA_OWN(cuDriverGetVersion, (int *)) \
    CUDA_OWN(cuCtxGetCurrent, (void **)) \
    CUDA_OWN(cuCtxGetDevice, (int *)) \
    CUDA_OWN(cuDeviceGetName, (char *, int, int)) \
    CUDA_OWN(cuDeviceGetAttribute, (int *, int, int)) \
    CUDA_OWN(cuDeviceGetPCIBusId, (char *, int, int)) \
    CUDA_OWN(cuStreamGetFlags, (void *, unsigned int *)) \
    CUDA_OWN(cuStreamIsCapturing, (void *, int *)) \
    CUDA_OWN(cuFuncGetName, (const char **, void *)) \
    CUDA_OWN(cuFuncGetParamInfo, (void *, size_t, size_t *, size_t *)) \
    CUDA_OWN(cuKernelGetParamInfo, (void *, size_t, size_t *, size_t *)) \
    CUDA_OWN(cuPointerGetAttribute, (void *, int, cuda_address)) \
    CUDA_OWN(cuGraphGetNodes, (void *, void **, size_t *)) \
    CUDA_OWN(cuGraphNodeGetType, (void *, int *)) \
    CUDA_OWN(cuGraphKernelNodeGetParams_v2, (void *, cuda_kernel_node *)) \
    CUDA_OWN(cuGraphMemcpyNodeGetParams, (void *, cuda_box *)) \
    CUDA_OWN(cuGraphMemsetNodeGetParams, (void *, cuda_fill_node *)) \
    CUDA_OWN(cuGraphChildGraphNodeGetGraph, (void *, void **))

#define CUDA_OWN(name, parameters) int(*name) parameters;
typedef struct {
    CUDA_OWN_CALLS
} cuda_own_calls;
#undef CUDA_OWN
#define CUDA_OWN(name, parameters) #name,
static const char *const cuda_own_names[] = {CUDA_OWN_CALLS};
#undef CUDA_OWN

static struct {
    uint64_t adopted; /* the functions below are those of one library */
    lp_lock lock;     /* before all others */
    void *functions[CUDA_ENTRIES];
    cuda_own_calls call;
    handle_table by_address; /* of a function: its entry + 1 */
    int first;               /* number of entry 0 in records */
    int below;               /* launchpath's own core has asked for functions below the recorder */
} cuda;

static void *(*real_dlsym)(void *, const char *);

/* Find the system's dlsym, or that of another library that stands in front of it. */
static void real_dlsym_find(void) {
    void *(*system)(void *, const char *) = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    if (system == 0) system = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    if (system == 0) system = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.17");
    real_dlsym = system ? (void *(*)(void *, const char *))system(RTLD_NEXT, "dlsym") : 0;
    if (real_dlsym == 0) real_dlsym = system;
}

static int is_cuda_library(const void *function) {
    Dl_info info;
    const char *name;
    if (dladdr(function, &info) == 0 || info.dli_fname == 0) return 0;
    name = strrchr(info.dli_fname, '/');
    name = name ? name + 1 : info.dli_fname;
    return strncmp(name, "libcuda.", 8) == 0 || strncmp(name, "libcuda-", 8) == 0;
}

/* Take the functions of a library: those of the first one, because handles of two are not to be mixed up. */
static void cuda_adopt(void *handle) {
    size_t i;
    void **own = (void **)&cuda.call, *some = real_dlsym(handle, "cuInit");
    Dl_info info;
    lp_lock_acquire(&cuda.lock);
    if (!cuda.adopted) {
        if (some && dladdr(some, &info)) dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE); /* its functions are called for ever */
        for (i = 0; i < CUDA_ENTRIES; i++) {
            cuda.functions[i] = real_dlsym(handle, cuda_names[i]);
            if (cuda.functions[i]) handle_set(&cuda.by_address, (uint64_t)(uintptr_t)cuda.functions[i], i + 1);
        }
        for (i = 0; i < sizeof cuda_own_names / sizeof *cuda_own_names; i++) own[i] = real_dlsym(handle, cuda_own_names[i]);
        dlerror(); /* what the program asks for next is told anew */
        lp_store(&cuda.adopted, 1);
    }
    lp_lock_release(&cuda.lock);
}

/* The driver of a program that is linked with it: no call of dlsym has shown it. */
LP_NOINLINE static void *cuda_linked(int entry) {
    void *handle = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD), *function;
    Dl_info info;
    if (real_dlsym == 0) real_dlsym_find();
    if (handle == 0 && (function = real_dlsym(RTLD_NEXT, cuda_names[entry])) != 0 && dladdr(function, &info)) handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    dlerror();
    if (handle) cuda_adopt(handle);
    return cuda.functions[entry];
}

static inline void *cuda_real(int entry) {
    void *function = cuda.functions[entry];
    return LP_LIKELY(function != 0) ? function : cuda_linked(entry);
}

static inline int cuda_failed(int code) { return code != 0 && code != CUDA_NOT_READY; }

#endif
