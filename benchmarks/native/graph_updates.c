/* Three ways to change the arguments of a CUDA graph's kernels, beside a loop of launches:
 *
 *   cc -O2 graph_updates.c -ldl -o graph_updates && ./graph_updates
 *
 * Prints a line of JSON for each number of kernels, of changed kernels, and way. `host_us` is the host's time of a step,
 * `complete_us` the time until its work is complete; both are medians of rounds of 32 steps without a wait between them.
 * A kernel writes 256 floats of its own; it takes four arguments. The steps' kernels are ordered one behind the other,
 * or (`chains`) in so many independent rows.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STEPS 32
#define ROUNDS 25
#define MOST 1000
#define KERNELS 100

typedef void *handle;
struct parameters { /* CUDA_KERNEL_NODE_PARAMS_v2 */
    handle function;
    unsigned grid[3], block[3], shared;
    void **arguments, **extra;
    handle kernel, context;
};
struct packed { uint64_t out; uint32_t n; float a; uint32_t b; uint32_t pad; };
struct copy3d { /* CUDA_MEMCPY3D */
    size_t source_x, source_y, source_z, source_lod;
    unsigned source_type; const void *source_host; uint64_t source_device; handle source_array; void *reserved0;
    size_t source_pitch, source_height;
    size_t to_x, to_y, to_z, to_lod;
    unsigned to_type; void *to_host; uint64_t to_device; handle to_array; void *reserved1;
    size_t to_pitch, to_height, width, height, depth;
};

#define CALLS(X) \
    X(cuInit, (unsigned)) X(cuDevicePrimaryCtxRetain, (handle *, int)) X(cuCtxSetCurrent, (handle)) \
    X(cuModuleLoadData, (handle *, const void *)) X(cuModuleGetFunction, (handle *, handle, const char *)) \
    X(cuMemAlloc_v2, (uint64_t *, size_t)) X(cuMemHostAlloc, (void **, size_t, unsigned)) \
    X(cuStreamCreate, (handle *, unsigned)) X(cuStreamSynchronize, (handle)) \
    X(cuLaunchKernel, (handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle, void **, void **)) \
    X(cuGraphCreate, (handle *, unsigned)) X(cuGraphDestroy, (handle)) \
    X(cuGraphAddKernelNode_v2, (handle *, handle, const handle *, size_t, const struct parameters *)) \
    X(cuGraphKernelNodeSetParams_v2, (handle, const struct parameters *)) \
    X(cuGraphAddMemcpyNode, (handle *, handle, const handle *, size_t, const struct copy3d *, handle)) \
    X(cuGraphExecMemcpyNodeSetParams, (handle, handle, const struct copy3d *, handle)) \
    X(cuGraphInstantiateWithFlags, (handle *, handle, unsigned long long)) X(cuGraphExecDestroy, (handle)) \
    X(cuGraphExecKernelNodeSetParams_v2, (handle, handle, const struct parameters *)) \
    X(cuGraphExecUpdate_v2, (handle, handle, void *)) \
    X(cuGraphUpload, (handle, handle)) X(cuGraphLaunch, (handle, handle)) X(cuDriverGetVersion, (int *)) \
    X(cuDeviceGetName, (char *, int, int))
#define DECLARE(name, arguments) static int (*name) arguments;
CALLS(DECLARE)

static void check(int code, const char *call) {
    if (code) { fprintf(stderr, "%s: %d\n", call, code); exit(1); }
}
#define DO(name, ...) check(name(__VA_ARGS__), #name)

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}
static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double median(double *values, int n) { qsort(values, n, sizeof *values, ascending); return values[n / 2]; }

static handle context, stream, direct[KERNELS], indirect[KERNELS];
static uint64_t memory, arguments_device;
static char *arguments_host;
static struct packed packed[MOST];
static size_t packed_size = 20;
static void *extra[MOST][5], *pointers[MOST][4];
static struct parameters parameters[MOST];

static void source(char *at) {
    at += sprintf(at, ".version 7.0\n.target sm_70\n.address_size 64\n");
    for (int i = 0; i < KERNELS; i++)
        for (int way = 0; way < 2; way++) {
            at += sprintf(at, ".visible .entry %s%d(%s) {\n.reg .pred %%p; .reg .b32 %%r<8>; .reg .f32 %%f<4>; .reg .b64 %%d<6>;\n",
                          way ? "i" : "d", i, way ? ".param .u64 at" : ".param .u64 out, .param .u32 n, .param .f32 a, .param .u32 b");
            if (way)
                at += sprintf(at, "ld.param.u64 %%d0, [at]; ld.global.u64 %%d1, [%%d0]; ld.global.u32 %%r1, [%%d0+8];"
                                  "ld.global.f32 %%f1, [%%d0+12]; ld.global.u32 %%r2, [%%d0+16];\n");
            else
                at += sprintf(at, "ld.param.u64 %%d1, [out]; ld.param.u32 %%r1, [n]; ld.param.f32 %%f1, [a]; ld.param.u32 %%r2, [b];\n");
            at += sprintf(at, "mov.u32 %%r3, %%tid.x; setp.ge.u32 %%p, %%r3, %%r1; @%%p bra done; cvt.rn.f32.u32 %%f2, %%r2;"
                              "add.f32 %%f1, %%f1, %%f2; add.f32 %%f1, %%f1, 0f%08X; mul.wide.u32 %%d2, %%r3, 4; add.s64 %%d1, %%d1, %%d2;"
                              "st.global.f32 [%%d1], %%f1; done: ret; }\n", 0x3f800000 + i);
        }
}

static handle graph, executable, nodes[MOST], copy_node;
static struct copy3d copy_of(const void *from, size_t size) {
    struct copy3d copy;
    memset(&copy, 0, sizeof copy);
    copy.source_type = 1, copy.source_host = from, copy.to_type = 2, copy.to_device = arguments_device;
    copy.width = size, copy.height = copy.depth = 1;
    return copy;
}
static void build(int n, int chains, int by_memory) {
    DO(cuGraphCreate, &graph, 0);
    if (by_memory) {
        struct copy3d copy = copy_of(arguments_host, (size_t)n * sizeof(struct packed));
        DO(cuGraphAddMemcpyNode, &copy_node, graph, NULL, 0, &copy, context);
    }
    for (int i = 0; i < n; i++) {
        handle before = i >= chains ? nodes[i - chains] : by_memory ? copy_node : NULL;
        DO(cuGraphAddKernelNode_v2, &nodes[i], graph, &before, before != NULL, &parameters[i]);
    }
    DO(cuGraphInstantiateWithFlags, &executable, graph, 0);
    DO(cuGraphUpload, executable, stream);
}
static void set(int i, int by_memory, int use_extra) {
    struct parameters *p = &parameters[i];
    memset(p, 0, sizeof *p);
    p->function = by_memory ? indirect[i % KERNELS] : direct[i % KERNELS];
    p->grid[0] = p->grid[1] = p->grid[2] = p->block[1] = p->block[2] = 1, p->block[0] = 256;
    if (by_memory) {
        static uint64_t addresses[MOST];
        addresses[i] = arguments_device + i * sizeof(struct packed);
        pointers[i][0] = &addresses[i], p->arguments = pointers[i];
    } else if (use_extra) {
        extra[i][0] = (void *)1, extra[i][1] = &packed[i], extra[i][2] = (void *)2, extra[i][3] = &packed_size, extra[i][4] = NULL;
        p->extra = extra[i];
    } else {
        pointers[i][0] = &packed[i].out, pointers[i][1] = &packed[i].n, pointers[i][2] = &packed[i].a, pointers[i][3] = &packed[i].b;
        p->arguments = pointers[i];
    }
}

enum way { LOOP, LOOP_PACKED, NODES, NODES_PACKED, WHOLE, MEMORY };
static const char *names[] = {"launches", "launches, packed", "a call for each node", "a call for each node, packed",
                              "one update by another graph", "arguments in device memory"};

static void step(enum way way, int n, int changed, int turn) {
    for (int i = 0; i < changed; i++) packed[i].b = turn;
    if (way == LOOP || way == LOOP_PACKED) {
        for (int i = 0; i < n; i++)
            DO(cuLaunchKernel, parameters[i].function, 1, 1, 1, 256, 1, 1, 0, stream, parameters[i].arguments, parameters[i].extra);
        return;
    }
    if (way == NODES || way == NODES_PACKED)
        for (int i = 0; i < changed; i++) DO(cuGraphExecKernelNodeSetParams_v2, executable, nodes[i], &parameters[i]);
    if (way == WHOLE && changed) {
        struct { int result; int pad; handle error, from; } info;
        for (int i = 0; i < changed; i++) DO(cuGraphKernelNodeSetParams_v2, nodes[i], &parameters[i]);
        DO(cuGraphExecUpdate_v2, executable, graph, &info);
    }
    if (way == MEMORY && changed) {
        char *slot = arguments_host + (size_t)(turn % (2 * STEPS)) * MOST * sizeof(struct packed);
        memcpy(slot, packed, n * sizeof *packed);
        struct copy3d copy = copy_of(slot, (size_t)n * sizeof(struct packed));
        DO(cuGraphExecMemcpyNodeSetParams, executable, copy_node, &copy, context);
    }
    DO(cuGraphLaunch, executable, stream);
}

static void measure(enum way way, int n, int changed, int chains, const char *device) {
    double host[ROUNDS], complete[ROUNDS];
    int turn = 1;
    for (int i = 0; i < n; i++) set(i, way == MEMORY, way == LOOP_PACKED || way == NODES_PACKED || way == WHOLE);
    if (way == MEMORY) for (int s = 0; s < 2 * STEPS; s++) memcpy(arguments_host + (size_t)s * MOST * sizeof(struct packed), packed, n * sizeof *packed);
    if (way >= NODES) build(n, chains, way == MEMORY);
    for (int round = -3; round < ROUNDS; round++) {
        DO(cuStreamSynchronize, stream);
        double began = now();
        for (int s = 0; s < STEPS; s++) step(way, n, changed, turn++);
        double submitted = now();
        DO(cuStreamSynchronize, stream);
        if (round >= 0) host[round] = (submitted - began) / STEPS, complete[round] = (now() - began) / STEPS;
    }
    if (way >= NODES) { DO(cuGraphExecDestroy, executable); DO(cuGraphDestroy, graph); }
    printf("{\"device\": \"%s\", \"kernels\": %d, \"changed\": %d, \"chains\": %d, \"way\": \"%s\", \"host_us\": %.2f, \"complete_us\": %.2f}\n",
           device, n, changed, chains, names[way], median(host, ROUNDS), median(complete, ROUNDS));
    fflush(stdout);
}

int main(void) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) { fprintf(stderr, "no libcuda.so.1\n"); return 1; }
#define FIND(name, arguments) *(void **)&name = dlsym(library, #name); if (!name) { fprintf(stderr, "no " #name "\n"); return 1; }
    CALLS(FIND)
    char device[128] = "", *ptx = malloc(KERNELS * 2 * 1024);
    handle module;
    DO(cuInit, 0);
    DO(cuDeviceGetName, device, sizeof device, 0);
    DO(cuDevicePrimaryCtxRetain, &context, 0);
    DO(cuCtxSetCurrent, context);
    source(ptx);
    DO(cuModuleLoadData, &module, ptx);
    for (int i = 0; i < KERNELS; i++) {
        char name[16];
        sprintf(name, "d%d", i), DO(cuModuleGetFunction, &direct[i], module, name);
        sprintf(name, "i%d", i), DO(cuModuleGetFunction, &indirect[i], module, name);
    }
    DO(cuMemAlloc_v2, &memory, MOST * 1024);
    DO(cuMemAlloc_v2, &arguments_device, MOST * sizeof(struct packed));
    DO(cuMemHostAlloc, (void **)&arguments_host, 2 * STEPS * MOST * sizeof(struct packed), 0);
    DO(cuStreamCreate, &stream, 1);
    for (int i = 0; i < MOST; i++) packed[i] = (struct packed){memory + 1024 * i, 256, 1.0f, 0, 0};
    const int counts[] = {1, 10, 100, 1000};
    for (int c = 0; c < 4; c++) {
        int n = counts[c];
        measure(LOOP, n, n, 1, device);
        measure(LOOP_PACKED, n, n, 1, device);
        for (enum way way = NODES; way <= MEMORY; way++)
            for (int share = 0; share < 4; share++) {
                int changed = share == 0 ? 0 : share == 1 ? 1 : share == 2 ? n / 10 : n;
                if ((share == 2 && n < 100) || (share == 3 && n == 1)) continue;
                measure(way, n, changed, 1, device);
            }
    }
    for (int chains = 2; chains <= 32; chains *= 2) {
        measure(NODES_PACKED, 96, 0, chains, device);
        measure(MEMORY, 96, 96, chains, device);
    }
    measure(NODES_PACKED, 96, 0, 1, device);
    return 0;
}
