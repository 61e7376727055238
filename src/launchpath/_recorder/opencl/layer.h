/* The layer of OpenCL's loaders: what OPENCL_LAYERS names, by both protocols of loaders. */
#ifndef LAUNCHPATH_RECORDER_OPENCL_LAYER_H
#define LAUNCHPATH_RECORDER_OPENCL_LAYER_H

#include "buffers.h"
#include "cost.h"

enum { CL_INVALID_VALUE_ = -30, CL_LAYER_API_VERSION_ = 0x4240, CL_LAYER_NAME_ = 0x4241, CL_LAYER_API_VERSION_100_ = 100 };

static int32_t layer_told(const void *what, size_t size, size_t room, void *value, size_t *needed) {
    if (value && room < size) return CL_INVALID_VALUE_;
    if (value) memcpy(value, what, size);
    if (needed) *needed = size;
    return 0;
}

EXPORT int32_t clGetLayerInfo(uint32_t what, size_t room, void *value, size_t *needed) {
    static const char name[] = "launchpath";
    const uint32_t version = CL_LAYER_API_VERSION_100_;
    if (what == CL_LAYER_API_VERSION_) return layer_told(&version, sizeof version, room, value, needed);
    if (what == CL_LAYER_NAME_) return layer_told(name, sizeof name, room, value, needed);
    return CL_INVALID_VALUE_;
}

/* Take a place between the loader and the libraries. A second loader in the process gets a table of its own; calls go on by the
   first one's functions, which ask the object for its library's, as those of any loader do. */
EXPORT int32_t clInitLayer(uint32_t n, void **target, uint32_t *n_ours, void ***ours) {
    void **table;
    if (target == 0 || n_ours == 0 || ours == 0 || n <= D_clGetExtensionFunctionAddressForPlatform) return CL_INVALID_VALUE_;
    table = (void **)calloc(n > OPENCL_PLACES ? n : OPENCL_PLACES, sizeof *table);
    if (table == 0) return CL_INVALID_VALUE_;
    memcpy(table, target, n * sizeof *table);
    lp_lock_acquire(&opencl.lock);
    if (opencl.below == 0) {
        opencl.below = (void **)calloc(n > OPENCL_PLACES ? n : OPENCL_PLACES, sizeof *table);
        if (opencl.below) memcpy(opencl.below, target, n * sizeof *table);
    }
    lp_lock_release(&opencl.lock);
    *n_ours = n, *ours = table;
    if (!options.on || opencl.below == 0) return 0;
#define PLACE(name)                                                                                                    \
    if (D_##name < n && table[D_##name] && opencl.below[D_##name]) table[D_##name] = (void *)layer_##name;
#define ENTRY(name) PLACE(name)
#include "each.h"
    PLACE(clCreateCommandQueue)
    PLACE(clCreateCommandQueueWithProperties)
    PLACE(clGetCommandQueueInfo)
    PLACE(clReleaseCommandQueue)
    PLACE(clGetEventProfilingInfo)
    PLACE(clCreateKernelsInProgram)
    PLACE(clSVMAlloc)
    if (options.findings) {
        PLACE(clSetKernelArg)
        PLACE(clSetKernelArgSVMPointer)
    }
    PLACE(clGetExtensionFunctionAddress)
    PLACE(clGetExtensionFunctionAddressForPlatform)
#undef PLACE
    return 0;
}

EXPORT int32_t clInitLayerWithProperties(uint32_t n, void **target, uint32_t *n_ours, void ***ours, const uint64_t *properties) {
    (void)properties;
    return clInitLayer(n, target, n_ours, ours);
}

/* The loader ends: nothing of it is called from now on. */
EXPORT int32_t clDeinitLayer(void) {
    if (lp_load(&process.state) == PROCESS_TRACED && !opencl_times.ended) opencl_times_end();
    opencl.gone = 1;
    return 0;
}

/* The function below this layer, for launchpath's own core; NULL: the loader has no layers. */
static void *opencl_below(void *handle, const char *name) {
    static const char *const names[OPENCL_PLACES] = {
#define ENTRY(name) #name,
        OPENCL_DISPATCH
#undef ENTRY
    };
    int32_t (*platforms)(uint32_t, void **, uint32_t *) = (int32_t(*)(uint32_t, void **, uint32_t *))real_dlsym(handle, "clGetPlatformIDs");
    uint32_t n = 0;
    int i;
    if (!options.on) return 0;
    if (opencl.below == 0 && platforms) platforms(0, 0, &n); /* a loader asks its layers at the first call */
    for (i = 0; opencl.below && i < OPENCL_PLACES; i++)
        if (strcmp(names[i], name) == 0 && i != D_clGetPlatformIDs) return opencl.below[i];
    return 0;
}

static void opencl_end(void) {
    if (!opencl_times.ended) opencl_times_end();
}

/* In a forked child: OpenCL's libraries do not work there, and the monitor is the parent's. */
static void opencl_forget(void) {
    handles_init(&opencl.devices), handles_init(&opencl.queues), handles_init(&opencl.kernels), handles_init(&opencl_buffers);
    lp_lock_init(&opencl.lock), lp_lock_init(&opencl_times.lock), lp_lock_init(&opencl_times.look), lp_lock_init(&opencl_more.lock);
    opencl.all_queues = 0, opencl.n_devices = 0;
    opencl_times.free = 0, opencl_times.n = 0, opencl_times.monitor = opencl_times.ended = opencl_times.ending = 0;
    memset(opencl_times.clocks, 0, sizeof opencl_times.clocks);
    lp_condition_init(&opencl_times.wanted);
}

static void opencl_init(void) {
    const recorder_face face = {opencl_end, opencl_forget, opencl_cost};
    opencl.first = process_entries(opencl_names, OPENCL_ENTRIES);
    opencl_forget();
    process_add(&face);
}

#endif
