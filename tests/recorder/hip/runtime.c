/* A stand-in of HIP's runtime, which has its calls traced as libamdhip64 does: each function goes by a wrapper of rocprofiler's.
   A launch is one dispatch, a copy of more than 4096 bytes two pieces, one of less than 64 none. A graph has three nodes. */
#include "rocprofiler.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define FUNCTIONS                                                                                                      \
    F(hipSetDevice) F(hipMalloc) F(hipFree) F(hipMemcpy) F(hipMemcpyAsync) F(hipMemsetAsync) F(hipStreamCreate) F(hipStreamDestroy) \
    F(hipStreamSynchronize) F(hipDeviceSynchronize) F(hipModuleLoadData) F(hipModuleGetFunction) F(hipModuleLaunchKernel)         \
    F(hipLaunchKernel) F(hipGraphLaunch) F(hipStreamBeginCapture) F(hipStreamEndCapture) F(hipMemcpyNewest) F(hipGetLastError)
enum operation {
    NONE,
#define F(name) OP_##name,
    FUNCTIONS
#undef F
};
static const char *const names[] = {
#define F(name) #name,
    FUNCTIONS
#undef F
};

typedef struct {
    int device, captured;
} stream;
typedef struct {
    uint64_t kernel;
    const char *name;
} function;
typedef struct {
    uint32_t x, y, z;
} dim3;
typedef struct {
    const void *f;
    dim3 grid, block;
    void **arguments;
    size_t shared;
    void *stream;
} launch_arguments;
typedef struct {
    void *f;
    uint32_t sizes[7];
    void *stream, **parameters, **extra;
} module_arguments;
typedef struct {
    void *to;
    const void *source;
    size_t size;
    int kind;
    void *stream;
} copy_arguments;

static __thread int device;
static function functions[] = {{1, "saxpy"}, {2, "scale"}};
static int loaded;

__attribute__((constructor)) static void load(void) { standin_register(names, sizeof names / sizeof *names); }

/* Code objects are loaded late: by the first call that needs them. */
static void load_code(const void *host_function) {
    if (__atomic_exchange_n(&loaded, 1, __ATOMIC_RELAXED)) return;
    standin_kernel(1, "saxpy.kd", 0);
    standin_kernel(2, "scale.kd", host_function);
}
static int dispatch(uint64_t kernel, uint32_t shared, const uint32_t *grid, const uint32_t *block, stream *s) {
    uint32_t items[3] = {grid[0] * block[0], grid[1] * block[1], grid[2] * block[2]};
    if (block[0] > 1024) return 1;
    if (!(s && s->captured)) standin_dispatch(kernel, shared, block, items);
    return 0;
}

#define CALL(name, type, ...)                                                                                          \
    type a;                                                                                                            \
    memset(&a, 0, sizeof a);                                                                                           \
    __VA_ARGS__;                                                                                                       \
    return standin_call(OP_##name, &a, sizeof a, real_##name, &a)

static int real_hipSetDevice(void *at) { return *(int *)at < 2 ? (device = *(int *)at, 0) : 101; }
EXPORT int hipSetDevice(int to) { CALL(hipSetDevice, int, a = to); }
EXPORT int hipGetDevice(int *to) { return *to = device, 0; }
EXPORT int hipDeviceGetName(char *name, int size, int number) {
    strncpy(name, number ? "second" : "first", (size_t)size);
    return 0;
}
EXPORT int hipDeviceGetPCIBusId(char *bus, int size, int number) {
    snprintf(bus, (size_t)size, "0000:%02x:00.0", number + 1);
    return 0;
}
EXPORT int hipStreamGetDevice(stream *s, int *to) { return *to = s->device, 0; }
EXPORT int hipStreamGetFlags(stream *s, unsigned *flags) { return (void)s, *flags = 1, 0; }
EXPORT int hipStreamIsCapturing(stream *s, int *status) { return *status = s ? s->captured : 0, 0; }

typedef struct {
    void **at;
    size_t size;
} malloc_arguments;
static int real_hipMalloc(void *at) { return (*((malloc_arguments *)at)->at = malloc(((malloc_arguments *)at)->size)) ? 0 : 2; }
EXPORT int hipMalloc(void **at, size_t size) { CALL(hipMalloc, malloc_arguments, a.at = at, a.size = size); }
static int real_hipFree(void *at) { return free(*(void **)at), 0; }
EXPORT int hipFree(void *at) { CALL(hipFree, void *, a = at); }

static int copy(const copy_arguments *a) {
    size_t left = a->size > 4096 ? 4096 : a->size;
    if (a->to == 0) return 1;
    memcpy(a->to, a->source, a->size);
    if (a->size >= 64) standin_copy(a->kind == 1 ? 2 : a->kind == 2 ? 3 : 4, left, (uint64_t)a->to, (uint64_t)a->source);
    if (a->size > left) standin_copy(a->kind == 1 ? 2 : a->kind == 2 ? 3 : 4, a->size - left, (uint64_t)a->to + left, (uint64_t)a->source + left);
    return 0;
}
static int real_hipMemcpy(void *at) { return copy((copy_arguments *)at); }
EXPORT int hipMemcpy(void *to, const void *source, size_t size, int kind) { CALL(hipMemcpy, copy_arguments, a.to = to, a.source = source, a.size = size, a.kind = kind); }
static int real_hipMemcpyNewest(void *at) { return copy((copy_arguments *)at); }
EXPORT int hipMemcpyNewest(void *to, const void *source, size_t size, int kind) { CALL(hipMemcpyNewest, copy_arguments, a.to = to, a.source = source, a.size = size, a.kind = kind); }
static int real_hipMemcpyAsync(void *at) { return copy((copy_arguments *)at); }
EXPORT int hipMemcpyAsync(void *to, const void *source, size_t size, int kind, void *s) { CALL(hipMemcpyAsync, copy_arguments, a.to = to, a.source = source, a.size = size, a.kind = kind, a.stream = s); }

typedef struct {
    void *to;
    int value;
    size_t size;
    void *stream;
} fill_arguments;
static int real_hipMemsetAsync(void *at) { /* by a kernel of the runtime's own */
    fill_arguments *a = at;
    memset(a->to, a->value, a->size);
    return dispatch(77, 0, (uint32_t[]){1, 1, 1}, (uint32_t[]){64, 1, 1}, 0);
}
EXPORT int hipMemsetAsync(void *to, int value, size_t size, void *s) { CALL(hipMemsetAsync, fill_arguments, a.to = to, a.value = value, a.size = size, a.stream = s); }

static int real_hipStreamCreate(void *at) {
    stream *s = calloc(1, sizeof *s);
    s->device = device;
    return *(*(stream ***)at) = s, 0;
}
EXPORT int hipStreamCreate(void **s) { CALL(hipStreamCreate, void **, a = s); }
static int real_hipStreamDestroy(void *at) { return free(*(void **)at), 0; }
EXPORT int hipStreamDestroy(void *s) { CALL(hipStreamDestroy, void *, a = s); }
static int real_hipStreamSynchronize(void *at) { return (void)at, standin_wait(), 0; }
EXPORT int hipStreamSynchronize(void *s) { CALL(hipStreamSynchronize, void *, a = s); }
static int real_hipDeviceSynchronize(void *at) { return (void)at, standin_wait(), 0; }
EXPORT int hipDeviceSynchronize(void) { CALL(hipDeviceSynchronize, char, a = 0); }
typedef struct {
    stream *s;
    int mode;
} capture_arguments;
static int real_hipStreamBeginCapture(void *at) { return ((capture_arguments *)at)->s->captured = 1, 0; }
EXPORT int hipStreamBeginCapture(stream *s, int mode) { CALL(hipStreamBeginCapture, capture_arguments, a.s = s, a.mode = mode); }
typedef struct {
    stream *s;
    void **graph;
} end_arguments;
static int real_hipStreamEndCapture(void *at) { return ((end_arguments *)at)->s->captured = 0, *((end_arguments *)at)->graph = at, 0; }
EXPORT int hipStreamEndCapture(stream *s, void **graph) { CALL(hipStreamEndCapture, end_arguments, a.s = s, a.graph = graph); }

typedef struct {
    void **module;
    const void *image;
} load_arguments;
static int real_hipModuleLoadData(void *at) { return load_code(0), *((load_arguments *)at)->module = functions, 0; }
EXPORT int hipModuleLoadData(void **module, const void *image) { CALL(hipModuleLoadData, load_arguments, a.module = module, a.image = image); }
typedef struct {
    void **function, *module;
    const char *name;
} get_arguments;
static int real_hipModuleGetFunction(void *at) {
    get_arguments *a = at;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, a->name) == 0) return *a->function = &functions[i], 0;
    return 500;
}
EXPORT int hipModuleGetFunction(void **f, void *module, const char *name) { CALL(hipModuleGetFunction, get_arguments, a.function = f, a.module = module, a.name = name); }
static int real_hipModuleLaunchKernel(void *at) {
    module_arguments *a = at;
    return dispatch(((function *)a->f)->kernel, a->sizes[6], a->sizes, a->sizes + 3, a->stream);
}
EXPORT int hipModuleLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *s, void **parameters, void **extra) {
    CALL(hipModuleLaunchKernel, module_arguments, a = (module_arguments){f, {gx, gy, gz, bx, by, bz, shared}, s, parameters, extra});
}
static int real_hipLaunchKernel(void *at) {
    launch_arguments *a = at;
    load_code(a->f);
    return dispatch(2, (uint32_t)a->shared, &a->grid.x, &a->block.x, a->stream);
}
EXPORT int hipLaunchKernel(const void *f, dim3 grid, dim3 block, void **arguments, size_t shared, void *s) {
    CALL(hipLaunchKernel, launch_arguments, a = (launch_arguments){f, grid, block, arguments, shared, s});
}
EXPORT const char *hipKernelNameRefByPtr(const void *f, void *s) { return (void)f, (void)s, "scale"; }
EXPORT const char *hipKernelNameRef(void *f) { return ((function *)f)->name; }

typedef struct {
    void *executable, *stream;
} graph_arguments;
static int real_hipGraphLaunch(void *at) { /* two kernels and a copy */
    static char bytes[256];
    (void)at;
    dispatch(1, 0, (uint32_t[]){3, 1, 1}, (uint32_t[]){32, 1, 1}, 0);
    standin_copy(4, sizeof bytes, (uint64_t)bytes, (uint64_t)bytes);
    dispatch(2, 0, (uint32_t[]){5, 1, 1}, (uint32_t[]){64, 1, 1}, 0);
    return 0;
}
EXPORT int hipGraphLaunch(void *executable, void *s) { CALL(hipGraphLaunch, graph_arguments, a.executable = executable, a.stream = s); }
static int real_hipGetLastError(void *at) { return (void)at, 0; }
EXPORT int hipGetLastError(void) { CALL(hipGetLastError, char, a = 0); }
