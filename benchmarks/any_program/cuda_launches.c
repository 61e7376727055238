/* Launches an empty kernel on a CUDA device: `cuda_launches LAUNCHES [LIBRARY]`. With a library of CUPTI it has the times of all
   launches by it, as little code as that takes. It prints the nanoseconds of a launch: the least and the median of batches. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 500, BUFFER = 1 << 20, KERNELS = 10 };

static const char program[] = ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry nothing(){ret;}\n";
static void *cuda, *cupti, *buffers[64];
static int n_buffers;
static uint64_t records;
static int (*next)(uint8_t *, size_t, void **);

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void *find(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (function == 0) {
        fprintf(stderr, "there is no %s\n", name);
        exit(1);
    }
    return function;
}

static void check(const char *what, int code) {
    if (code == 0) return;
    fprintf(stderr, "%s: %d\n", what, code);
    exit(1);
}

static void asks(uint8_t **buffer, size_t *size, size_t *most) {
    *buffer = n_buffers ? buffers[--n_buffers] : aligned_alloc(64, BUFFER);
    *size = BUFFER, *most = 0;
}

static void tells(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid) {
    void *record = 0;
    (void)context, (void)stream, (void)size;
    while (valid && next(buffer, valid, &record) == 0) records += 1;
    if (n_buffers < 64) buffers[n_buffers++] = buffer;
    else free(buffer);
}

static void attach(const char *path) {
    int (*use)(void *, void *), (*enable)(int);
    cupti = dlopen(path, RTLD_NOW);
    if (cupti == 0) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    use = find(cupti, "cuptiActivityRegisterCallbacks"), enable = find(cupti, "cuptiActivityEnable");
    next = find(cupti, "cuptiActivityGetNextRecord");
    check("cuptiActivityRegisterCallbacks", use(asks, tells));
    check("cuptiActivityEnable", enable(KERNELS));
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    const int batches = atoi(argv[1]) / BATCH;
    double *each = malloc(sizeof *each * (size_t)batches);
    void *context, *module, *function, *stream;
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
    int (*wait)(void *), (*flush)(uint32_t);
    cuda = dlopen("libcuda.so.1", RTLD_NOW);
    if (cuda == 0) return 1;
    check("cuInit", ((int (*)(unsigned))find(cuda, "cuInit"))(0));
    if (argc > 2) attach(argv[2]);
    check("cuDevicePrimaryCtxRetain", ((int (*)(void **, int))find(cuda, "cuDevicePrimaryCtxRetain"))(&context, 0));
    check("cuCtxSetCurrent", ((int (*)(void *))find(cuda, "cuCtxSetCurrent"))(context));
    check("cuModuleLoadData", ((int (*)(void **, const void *))find(cuda, "cuModuleLoadData"))(&module, program));
    check("cuModuleGetFunction", ((int (*)(void **, void *, const char *))find(cuda, "cuModuleGetFunction"))(&function, module, "nothing"));
    check("cuStreamCreate", ((int (*)(void **, unsigned))find(cuda, "cuStreamCreate"))(&stream, 1));
    launch = find(cuda, "cuLaunchKernel"), wait = find(cuda, "cuStreamSynchronize");
    for (int i = 0; i < batches; i++) {
        uint64_t begin = now();
        for (int j = 0; j < BATCH; j++)
            if (launch(function, 1, 1, 1, 32, 1, 1, 0, stream, 0, 0)) return 1;
        each[i] = (double)(now() - begin) / BATCH;
        wait(stream);
    }
    if (cupti) {
        flush = find(cupti, "cuptiActivityFlushAll");
        check("cuptiActivityFlushAll", flush(1));
    }
    qsort(each, (size_t)batches, sizeof *each, by_size);
    printf("%.0f %.0f %llu\n", each[0], each[batches / 2], (unsigned long long)records);
    return 0;
}
