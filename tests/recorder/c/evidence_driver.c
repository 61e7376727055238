/* A driver of CUDA with the copies that the stand-in has not: its device's memory is the host's. What findings are read from is
   tried on it. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define INVALID 1
enum { MOST = 16, HOST = 1, DEVICE = 2, PARAMETERS = 16 };

static struct {
    char *at;
    size_t size;
    unsigned type;
} known[MOST];
static int n;

static int new(void *address, size_t size, unsigned type) {
    known[n].at = calloc(1, size), known[n].size = size, known[n].type = type;
    *(void **)address = known[n++].at;
    return 0;
}

int cuInit(unsigned flags) { return 0; }
int cuCtxGetCurrent(void **context) { return *context = (void *)64, 0; }
int cuCtxGetDevice(int *device) { return *device = 0; }
int cuDeviceGetName(char *name, int size, int device) { return strcpy(name, "copies"), 0; }
int cuMemAlloc_v2(uint64_t *at, size_t size) { return new(at, size, DEVICE); }
int cuMemHostAlloc(void **at, size_t size, unsigned flags) { return new(at, size, HOST); }
int cuPointerGetAttribute(unsigned *type, int which, uint64_t at) {
    for (int i = 0; i < n; i++)
        if (which == 2 && (char *)at >= known[i].at && (char *)at < known[i].at + known[i].size) return *type = known[i].type, 0;
    return INVALID;
}
static int copy(void *to, const void *from, size_t size) {
    if (to == 0 || from == 0) return INVALID;
    memmove(to, from, size);
    return 0;
}
int cuMemcpy(void *to, void *from, size_t size) { return copy(to, from, size); }
int cuMemcpyHtoD_v2(void *to, void *from, size_t size) { return copy(to, from, size); }
int cuMemcpyDtoH_v2(void *to, void *from, size_t size) { return copy(to, from, size); }
int cuMemcpyDtoD_v2(void *to, void *from, size_t size) { return copy(to, from, size); }
int cuMemcpyHtoDAsync_v2(void *to, void *from, size_t size, void *stream) { return copy(to, from, size); }
int cuMemcpyDtoHAsync_v2(void *to, void *from, size_t size, void *stream) { return copy(to, from, size); }
int cuMemcpy2D_v2(const void *rows) { return 0; }
int cuMemcpy3D_v2(const void *box) { return 0; }
int cuMemsetD32_v2(uint64_t to, unsigned value, size_t size) { return 0; }
int cuEventCreate(void **event, unsigned flags) { return new(event, 8, 0); }
int cuEventRecord(void *event, void *stream) { return 0; }
int cuEventSynchronize(void *event) { return 0; }
int cuStreamWaitEvent(void *stream, void *event, unsigned flags) { return 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) { return *function = (void *)(uintptr_t)(strcmp(name, "sixteen") ? 256 : 128), 0; }
int cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *size) {
    if (function != (void *)128 || index >= PARAMETERS) return INVALID;
    *offset = index ? 4 + 4 * index : 0, *size = index ? 4 : 8;
    return 0;
}
int cuLaunchKernel(void *function, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f, unsigned shared, void *stream, void **parameters, void **extra) { return 0; }
