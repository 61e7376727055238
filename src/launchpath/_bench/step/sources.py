"""The C of ``bench step``: loops of launches by the driver's own calls.

`CUDA` and `OPENCL` have the same functions for Python, called by `ctypes` once for many steps:

- ``open_driver`` loads the driver's library and the kernels, ``close_driver`` unloads the kernels;
- ``begin_work`` prepares launches, as a graph if it gets a number of rows, and ``end_work`` frees them;
- ``submit`` submits steps, and returns the nanoseconds that took;
- ``synchronize`` waits for them;
- ``hold`` and ``release`` (OpenCL) keep the queue from starting anything in between.

A function that fails returns -1 or NULL, and ``failure`` then returns the failed call and its code. The context is
launchpath's.
"""

_COMMON = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void *handle;
struct arguments { uint64_t in, out; int32_t n; float a; };
_Static_assert(sizeof(struct arguments) == 24, "as launchpath packs them");

static const char *failed_call = "";
static int failed_code;

const char *failure(int *code) { return *code = failed_code, failed_call; }

static int failed(const char *call, int code) {
    if (code) failed_call = call, failed_code = code;
    return code;
}
#define DO(name, ...) failed(#name, name(__VA_ARGS__))
#define DECLARE(result, name, ...) static result (*name)(__VA_ARGS__);
#define FIND(result, name, ...) if (!(*(void **)&name = dlsym(library, #name))) return failed(#name, -1);

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}
"""

# Packed arguments are the faster way for a launch, an array of pointers is for a node of a graph.
CUDA = (
    _COMMON
    + """
#define LEGACY ((handle)1) /* the legacy default stream, which is launchpath's too */

struct parameters { /* CUDA_KERNEL_NODE_PARAMS_v2 */
    handle function;
    unsigned grid[3], block[3], shared;
    void **arguments, **extra;
    handle kernel, context;
};
#define CALLS(X)                                                                                                \\
    X(int, cuInit, unsigned)                                                                                    \\
    X(int, cuDevicePrimaryCtxRetain, handle *, int)                                                             \\
    X(int, cuDevicePrimaryCtxRelease_v2, int)                                                                   \\
    X(int, cuCtxGetCurrent, handle *)                                                                           \\
    X(int, cuCtxSetCurrent, handle)                                                                             \\
    X(int, cuModuleLoadData, handle *, const void *)                                                            \\
    X(int, cuModuleUnload, handle)                                                                              \\
    X(int, cuModuleGetFunction, handle *, handle, const char *)                                                 \\
    X(int, cuStreamSynchronize, handle)                                                                         \\
    X(int, cuLaunchKernel, handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle, \\
      void **, void **)                                                                                         \\
    X(int, cuGraphCreate, handle *, unsigned)                                                                   \\
    X(int, cuGraphDestroy, handle)                                                                              \\
    X(int, cuGraphAddKernelNode_v2, handle *, handle, const handle *, size_t, const struct parameters *)        \\
    X(int, cuGraphInstantiateWithFlags, handle *, handle, unsigned long long)                                   \\
    X(int, cuGraphExecDestroy, handle)                                                                          \\
    X(int, cuGraphExecKernelNodeSetParams_v2, handle, handle, const struct parameters *)                        \\
    X(int, cuGraphUpload, handle, handle)                                                                       \\
    X(int, cuGraphLaunch, handle, handle)
CALLS(DECLARE)

static int device;
static handle context, module;

static int enter(handle *before) { return DO(cuCtxGetCurrent, before) || DO(cuCtxSetCurrent, context); }

int open_driver(const char *path, int ordinal, const char *image) {
    handle before, library = dlopen(path, RTLD_NOW);
    if (!library) return failed("dlopen", -1);
    CALLS(FIND)
    device = ordinal;
    if (DO(cuInit, 0) || DO(cuDevicePrimaryCtxRetain, &context, device)) return -1;
    if (enter(&before) || DO(cuModuleLoadData, &module, image)) return -1;
    return DO(cuCtxSetCurrent, before) ? -1 : 0;
}

void close_driver(void) {
    handle before;
    if (!context || enter(&before)) return;
    if (module) cuModuleUnload(module);
    cuCtxSetCurrent(before);
    cuDevicePrimaryCtxRelease_v2(device);
    context = module = NULL;
}

struct launch {
    handle function, node;
    struct arguments arguments;
    size_t size;
    void *packed[5], *pointers[4];
};
struct work {
    uint32_t n, threads;
    handle graph, executable;
    struct launch launches[];
};

static int set(struct launch *launch, const char *name, struct arguments arguments) {
    struct arguments *own = &launch->arguments;
    *own = arguments, launch->size = sizeof arguments;
    void *packed[] = {(void *)1, own, (void *)2, &launch->size, NULL}; /* CU_LAUNCH_PARAM_BUFFER_POINTER, _SIZE, _END */
    void *pointers[] = {&own->in, &own->out, &own->n, &own->a};
    memcpy(launch->packed, packed, sizeof packed), memcpy(launch->pointers, pointers, sizeof pointers);
    return DO(cuModuleGetFunction, &launch->function, module, name);
}

static struct parameters parameters(const struct work *work, struct launch *launch) {
    return (struct parameters){.function = launch->function, .grid = {1, 1, 1}, .block = {work->threads, 1, 1},
                               .arguments = launch->pointers};
}

static int build(struct work *work, uint32_t rows) { /* in each row one launch after the other */
    if (DO(cuGraphCreate, &work->graph, 0)) return -1;
    for (uint32_t i = 0; i < work->n; i++) {
        struct parameters to = parameters(work, &work->launches[i]);
        handle *after = i < rows ? NULL : &work->launches[i - rows].node;
        if (DO(cuGraphAddKernelNode_v2, &work->launches[i].node, work->graph, after, after != NULL, &to)) return -1;
    }
    return DO(cuGraphInstantiateWithFlags, &work->executable, work->graph, 0) ||
           DO(cuGraphUpload, work->executable, LEGACY) || DO(cuStreamSynchronize, LEGACY);
}

void end_work(struct work *work) {
    handle before;
    if (enter(&before)) return;
    if (work->executable) cuGraphExecDestroy(work->executable);
    if (work->graph) cuGraphDestroy(work->graph);
    cuCtxSetCurrent(before);
    free(work);
}

struct work *begin_work(uint32_t n, const char **names, uint32_t threads, uint64_t in, const uint64_t *outs, float a,
                        uint32_t rows) {
    handle before;
    struct work *work = calloc(1, sizeof *work + n * sizeof(struct launch));
    if (!work) return failed("calloc", -1), NULL;
    if (enter(&before)) return free(work), NULL;
    work->n = n, work->threads = threads;
    int code = 0;
    for (uint32_t i = 0; i < n && !code; i++)
        code = set(&work->launches[i], names[i], (struct arguments){in, outs[i], (int32_t)threads, a});
    if (!code && rows) code = build(work, rows);
    cuCtxSetCurrent(before);
    if (code) return end_work(work), NULL;
    return work;
}

static int launch_all(struct work *work) {
    for (struct launch *launch = work->launches; launch < work->launches + work->n; launch++)
        if (DO(cuLaunchKernel, launch->function, 1, 1, 1, work->threads, 1, 1, 0, LEGACY, NULL, launch->packed))
            return -1;
    return 0;
}

static int launch_graph(struct work *work, uint32_t first, uint32_t changed) {
    for (uint32_t i = first; i < first + changed; i++) {
        struct parameters to = parameters(work, &work->launches[i]);
        if (DO(cuGraphExecKernelNodeSetParams_v2, work->executable, work->launches[i].node, &to)) return -1;
    }
    return DO(cuGraphLaunch, work->executable, LEGACY);
}

int64_t submit(struct work *work, uint32_t steps, const float *values, uint32_t first, uint32_t changed) {
    handle before;
    if (enter(&before)) return -1;
    int code = 0;
    int64_t began = now();
    for (uint32_t step = 0; step < steps && !code; step++) {
        for (uint32_t i = first; i < first + changed; i++) work->launches[i].arguments.a = values[step];
        code = work->executable ? launch_graph(work, first, changed) : launch_all(work);
    }
    int64_t took = now() - began;
    return cuCtxSetCurrent(before), code ? -1 : took;
}

int synchronize(void) {
    handle before;
    if (enter(&before)) return -1;
    int code = DO(cuStreamSynchronize, LEGACY);
    return cuCtxSetCurrent(before), code ? -1 : 0;
}
"""
)

OPENCL = (
    _COMMON
    + """
#define CALLS(X)                                                                                                     \\
    X(handle, clCreateProgramWithBinary, handle, uint32_t, const handle *, const size_t *, const unsigned char **,   \\
      int32_t *, int32_t *)                                                                                          \\
    X(int, clBuildProgram, handle, uint32_t, const handle *, const char *, void *, void *)                           \\
    X(int, clReleaseProgram, handle)                                                                                 \\
    X(handle, clCreateCommandQueueWithProperties, handle, handle, const uint64_t *, int32_t *)                       \\
    X(int, clReleaseCommandQueue, handle)                                                                            \\
    X(handle, clCreateKernel, handle, const char *, int32_t *)                                                       \\
    X(int, clReleaseKernel, handle)                                                                                  \\
    X(int, clSetKernelExecInfo, handle, uint32_t, size_t, const void *)                                              \\
    X(int, clSetKernelArg, handle, uint32_t, size_t, const void *)                                                   \\
    X(int, clEnqueueNDRangeKernel, handle, handle, uint32_t, const size_t *, const size_t *, const size_t *,         \\
      uint32_t, const handle *, handle *)                                                                            \\
    X(handle, clCreateUserEvent, handle, int32_t *)                                                                  \\
    X(int, clSetUserEventStatus, handle, int32_t)                                                                    \\
    X(int, clReleaseEvent, handle)                                                                                   \\
    X(int, clEnqueueMarkerWithWaitList, handle, uint32_t, const handle *, handle *)                                  \\
    X(int, clFlush, handle)                                                                                          \\
    X(int, clFinish, handle)
CALLS(DECLARE)

static handle context, program, queue, held;

int open_driver(const char *path, handle device, handle in_context, const unsigned char *binary, size_t size,
                int profiling) {
    const uint64_t properties[] = {0x1093 /* CL_QUEUE_PROPERTIES */, profiling ? 2 : 0, 0};
    int32_t code = 0, status = 0;
    handle library = dlopen(path, RTLD_NOW);
    if (!library) return failed("dlopen", -1);
    CALLS(FIND)
    context = in_context;
    program = clCreateProgramWithBinary(context, 1, &device, &size, &binary, &status, &code);
    if (failed("clCreateProgramWithBinary", code) || DO(clBuildProgram, program, 1, &device, "", NULL, NULL)) return -1;
    queue = clCreateCommandQueueWithProperties(context, device, properties, &code);
    return failed("clCreateCommandQueueWithProperties", code) ? -1 : 0;
}

void close_driver(void) {
    if (queue) clReleaseCommandQueue(queue);
    if (program) clReleaseProgram(program);
    queue = program = NULL;
}

struct launch {
    handle kernel;
    struct arguments arguments;
};
struct work {
    uint32_t n;
    size_t threads;
    struct launch launches[];
};

static int set(struct launch *launch, const char *name, struct arguments arguments) {
    int32_t code = 0;
    const uint32_t yes = 1;
    launch->arguments = arguments;
    launch->kernel = clCreateKernel(program, name, &code);
    if (failed("clCreateKernel", code)) return -1;
    /* CL_KERNEL_EXEC_INFO_INDIRECT_{HOST,DEVICE,SHARED}_ACCESS_INTEL, for the addresses inside the packed arguments. A
     * device without unified shared memory refuses it. */
    for (uint32_t kind = 0x4200; kind <= 0x4202; kind++) clSetKernelExecInfo(launch->kernel, kind, sizeof yes, &yes);
    return DO(clSetKernelArg, launch->kernel, 0, sizeof arguments, &launch->arguments);
}

void end_work(struct work *work) {
    for (uint32_t i = 0; i < work->n; i++)
        if (work->launches[i].kernel) clReleaseKernel(work->launches[i].kernel);
    free(work);
}

struct work *begin_work(uint32_t n, const char **names, uint32_t threads, uint64_t in, const uint64_t *outs, float a,
                        uint32_t rows) {
    struct work *work = calloc(1, sizeof *work + n * sizeof(struct launch));
    if (!work) return failed("calloc", -1), NULL;
    work->n = n, work->threads = threads;
    (void)rows;
    for (uint32_t i = 0; i < n; i++)
        if (set(&work->launches[i], names[i], (struct arguments){in, outs[i], (int32_t)threads, a}))
            return end_work(work), NULL;
    return work;
}

int64_t submit(struct work *work, uint32_t steps, const float *values, uint32_t first, uint32_t changed) {
    int code = 0;
    int64_t began = now();
    for (uint32_t step = 0; step < steps; step++)
        for (uint32_t i = 0; i < work->n && !code; i++) {
            struct launch *launch = &work->launches[i];
            if (i - first < changed) { /* what has not changed is still set */
                launch->arguments.a = values[step];
                code = DO(clSetKernelArg, launch->kernel, 0, sizeof launch->arguments, &launch->arguments);
            }
            if (!code)
                code = DO(clEnqueueNDRangeKernel, queue, launch->kernel, 1, NULL, &work->threads, &work->threads, 0,
                          NULL, NULL);
        }
    int64_t took = now() - began;
    return code ? -1 : took;
}

int synchronize(void) { return DO(clFinish, queue) ? -1 : 0; }

int hold(void) {
    int32_t code = 0;
    held = clCreateUserEvent(context, &code);
    if (failed("clCreateUserEvent", code)) return -1;
    return DO(clEnqueueMarkerWithWaitList, queue, 1, &held, NULL) || DO(clFlush, queue) ? -1 : 0;
}

int release(void) {
    int code = DO(clSetUserEventStatus, held, 0 /* CL_COMPLETE */);
    clReleaseEvent(held);
    return code ? -1 : 0;
}
"""
)
