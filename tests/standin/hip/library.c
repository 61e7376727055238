/* The CUDA library below, and the device of each thread. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forward.h"

#define MAX_DEVICES 64

struct cuda cuda;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hipError_t loading;
static CUcontext contexts[MAX_DEVICES];
static _Thread_local int device;

static void load(void) {
    const char *path = getenv("HIP_FORWARD_CUDA");
    void *library = dlopen(path && *path ? path : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        loading = HF_ERROR_NO_DEVICE;
        return;
    }
#define X(name, parameters)                         \
    {                                               \
        void *symbol = dlsym(library, #name);       \
        memcpy(&cuda.name, &symbol, sizeof symbol); \
    }
    FUNCTIONS(X)
#undef X
    loading = CALL(cuInit, 0);
}

hipError_t enter_library(void) {
    pthread_once(&once, load);
    return loading;
}

hipError_t enter(void) {
    hipError_t code = enter_library();
    if (code) return code;
    CUcontext now;
    code = CALL(cuCtxGetCurrent, &now);
    if (code || (now && now == contexts[device])) return code;
    code = context_of(device, &now);
    return code ? code : CALL(cuCtxSetCurrent, now);
}

hipError_t context_of(int of, CUcontext *context) {
    int count;
    hipError_t code = CALL(cuDeviceGetCount, &count);
    if (code) return code;
    if (of < 0 || of >= count || of >= MAX_DEVICES) return HF_ERROR_INVALID_DEVICE;
    pthread_mutex_lock(&lock);
    if (!contexts[of]) code = CALL(cuDevicePrimaryCtxRetain, &contexts[of], of);
    *context = contexts[of];
    pthread_mutex_unlock(&lock);
    return code;
}

int current_device(void) { return device; }

EXPORT hipError_t hipInit(unsigned int flags) {
    if (flags) return HF_ERROR_INVALID_VALUE;
    return enter_library();
}

EXPORT hipError_t hipDriverGetVersion(int *version) {
    hipError_t code = enter_library();
    return code ? code : CALL(cuDriverGetVersion, version);
}

EXPORT hipError_t hipRuntimeGetVersion(int *version) { return hipDriverGetVersion(version); }

EXPORT hipError_t hipSetDevice(int ordinal) {
    int count;
    hipError_t code = enter_library();
    if (!code) code = CALL(cuDeviceGetCount, &count);
    if (code) return code;
    if (ordinal < 0 || ordinal >= count || ordinal >= MAX_DEVICES) return HF_ERROR_INVALID_DEVICE;
    device = ordinal;
    return enter();
}

EXPORT hipError_t hipGetDevice(int *ordinal) {
    hipError_t code = enter_library();
    if (code) return code;
    if (!ordinal) return HF_ERROR_INVALID_VALUE;
    *ordinal = device;
    return HF_SUCCESS;
}

EXPORT hipError_t hipDeviceSynchronize(void) {
    hipError_t entered = enter();
    return entered ? entered : CALL(cuCtxSynchronize);
}
