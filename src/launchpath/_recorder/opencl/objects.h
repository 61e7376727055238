/* Devices, queues and kernels: what the recorder knows of them. */
#ifndef LAUNCHPATH_RECORDER_OPENCL_OBJECTS_H
#define LAUNCHPATH_RECORDER_OPENCL_OBJECTS_H

#include "../handles.h"
#include "../record.h"
#include "dispatch.h"

enum {
    OPENCL_NO_TIMER = 1,
    CL_PROFILING_INFO_NOT_AVAILABLE_ = -7,
    CL_QUEUE_DEVICE_ = 0x1091,
    CL_QUEUE_PROPERTIES_ = 0x1093,
    CL_QUEUE_OUT_OF_ORDER_ = 1,
    CL_QUEUE_PROFILING_ = 2,
    CL_QUEUE_ON_DEVICE_ = 4,
    CL_KERNEL_FUNCTION_NAME_ = 0x1190,
    CL_KERNEL_NUM_ARGS_ = 0x1191,
    CL_DEVICE_MAX_COMPUTE_UNITS_ = 0x1002,
    CL_DEVICE_NAME_ = 0x102B,
    CL_DEVICE_PLATFORM_ = 0x1031,
    CL_PLATFORM_NAME_ = 0x0902,
    CL_IMAGE_ELEMENT_SIZE_ = 0x1111,
    CL_BUFFER_REGION_ = 0x1220,
    CL_EVENT_QUEUE_ = 0x11D0,
    CL_EVENT_STATUS_ = 0x11D3,
    CL_PROFILING_QUEUED_ = 0x1280,
    CL_PROFILING_START_ = 0x1282,
    CL_PROFILING_END_ = 0x1283
};

typedef struct opencl_timed opencl_timed;

typedef struct opencl_queue opencl_queue;
struct opencl_queue {
    place at;
    int timed;    /* with profiling, which the recorder has asked for */
    int hidden;   /* and the program has not */
    int in_order;
    int timer;    /* OPENCL_NO_TIMER: its device has no timer that can be compared with the host's clock */
    void *device, *platform;
    /* Commands whose times are still to come, the oldest first (`opencl_times.lock`). */
    opencl_timed *first, *last;
    opencl_queue *next;
};

typedef struct { /* what a kernel's arguments are set to, where findings are asked for */
    uint32_t n, known;
    uint64_t content, further, bytes; /* as evidence has them */
    uint64_t hashes[];
} opencl_arguments;

typedef struct {
    uint32_t name;
    int excluded;
    opencl_arguments *arguments; /* or NULL */
} opencl_kernel;

static opencl_arguments *opencl_arguments_new(void *kernel); /* evidence.h */

static struct {
    void **below;  /* the table of the loader, or of the next layer */
    lp_lock lock;
    int first;     /* number of entry 0 in records */
    int n_devices;
    int gone;      /* the loader has ended */
    handle_table devices; /* a device: its number in records + 1 */
    handle_table queues;  /* a queue: its opencl_queue */
    handle_table kernels; /* a kernel: its opencl_kernel */
    uint64_t all_queues;  /* the opencl_queue of all, none is freed */
} opencl;

static const opencl_queue opencl_no_queue;
static const opencl_kernel opencl_no_kernel;

#define OPENCL_NOWHERE ((place){0, 0})

typedef int32_t (*opencl_get_info)(void *object, uint32_t what, size_t size, void *value, size_t *needed);

/* Ask an object for a value of a few bytes; 0: it was told. */
static int32_t opencl_ask(int function, void *object, uint32_t what, void *value, size_t size) {
    opencl_get_info ask = (opencl_get_info)opencl.below[function];
    return ask ? ask(object, what, size, value, 0) : -1;
}

static size_t opencl_texel(void *image) {
    size_t size = 0;
    return opencl_ask(D_clGetImageInfo, image, CL_IMAGE_ELEMENT_SIZE_, &size, sizeof size) ? 0 : size;
}

LP_NOINLINE static uint16_t opencl_device(void *device) {
    char name[256] = "", platform_name[256] = "";
    void *platform = 0;
    uint32_t units = 0;
    uint64_t number;
    lp_lock_acquire(&opencl.lock);
    number = handle_find(&opencl.devices, (uint64_t)(uintptr_t)device);
    if (number == 0) {
        opencl_ask(D_clGetDeviceInfo, device, CL_DEVICE_NAME_, name, sizeof name - 1);
        if (opencl_ask(D_clGetDeviceInfo, device, CL_DEVICE_PLATFORM_, &platform, sizeof platform) == 0)
            opencl_ask(D_clGetPlatformInfo, platform, CL_PLATFORM_NAME_, platform_name, sizeof platform_name - 1);
        opencl_ask(D_clGetDeviceInfo, device, CL_DEVICE_MAX_COMPUTE_UNITS_, &units, sizeof units);
        number = process_device(name, "opencl", platform_name, opencl.n_devices++, (int)units, "") + 1u;
        handle_set(&opencl.devices, (uint64_t)(uintptr_t)device, number);
    }
    lp_lock_release(&opencl.lock);
    return (uint16_t)(number - 1);
}

/* Note a queue; `timed`: whether the recorder has it profiled, and `hidden`: the program has not asked for that. */
LP_NOINLINE static const opencl_queue *opencl_queue_new(lp_records *ring, void *handle, int timed, int hidden) {
    opencl_queue *queue = (opencl_queue *)calloc(1, sizeof *queue);
    uint64_t properties = 0;
    if (queue == 0) return &opencl_no_queue;
    opencl_ask(D_clGetCommandQueueInfo, handle, CL_QUEUE_DEVICE_, &queue->device, sizeof queue->device);
    opencl_ask(D_clGetCommandQueueInfo, handle, CL_QUEUE_PROPERTIES_, &properties, sizeof properties);
    opencl_ask(D_clGetDeviceInfo, queue->device, CL_DEVICE_PLATFORM_, &queue->platform, sizeof queue->platform);
    queue->at.device = opencl_device(queue->device);
    queue->at.stream = process_stream(ring, queue->at.device, 2, (uint64_t)(uintptr_t)handle);
    queue->timed = lp_trace.timed && (timed || properties & CL_QUEUE_PROFILING_), queue->hidden = hidden;
    queue->in_order = (properties & CL_QUEUE_OUT_OF_ORDER_) == 0;
    lp_lock_acquire(&opencl.lock);
    queue->next = (opencl_queue *)(uintptr_t)opencl.all_queues;
    lp_store(&opencl.all_queues, (uint64_t)(uintptr_t)queue);
    lp_lock_release(&opencl.lock);
    handle_set(&opencl.queues, (uint64_t)(uintptr_t)handle, (uint64_t)(uintptr_t)queue);
    return queue;
}

static inline const opencl_queue *opencl_queue_of(lp_records *ring, void *handle) {
    uint64_t known = handle_find(&opencl.queues, (uint64_t)(uintptr_t)handle);
    if (LP_LIKELY(known != 0)) return (const opencl_queue *)(uintptr_t)known;
    return handle ? opencl_queue_new(ring, handle, 0, 0) : &opencl_no_queue;
}

static inline place opencl_place_of(lp_records *ring, void *queue) { return opencl_queue_of(ring, queue)->at; }

/* The queue of an event; nowhere for a user's event. */
static place opencl_event_place(lp_records *ring, void *event) {
    void *queue = 0;
    if (event == 0 || opencl_ask(D_clGetEventInfo, event, CL_EVENT_QUEUE_, &queue, sizeof queue) || queue == 0) return OPENCL_NOWHERE;
    return opencl_place_of(ring, queue);
}

static const opencl_kernel *opencl_kernel_named(void *handle, const char *name) {
    opencl_kernel *kernel;
    if (handle == 0 || (process_ring() == 0 && lp_trace.generation == 0) || (kernel = (opencl_kernel *)calloc(1, sizeof *kernel)) == 0) return &opencl_no_kernel;
    kernel->name = name_number_of(&kernel_names, name), kernel->excluded = !options_take(name);
    kernel->arguments = opencl_arguments_new(handle);
    handle_set(&opencl.kernels, (uint64_t)(uintptr_t)handle, (uint64_t)(uintptr_t)kernel); /* a launch may read the one before: it stays */
    return kernel;
}

LP_NOINLINE static const opencl_kernel *opencl_kernel_new(void *handle) {
    char *name = (char *)calloc(1, 65536);
    const opencl_kernel *kernel = &opencl_no_kernel;
    if (name && handle && opencl_ask(D_clGetKernelInfo, handle, CL_KERNEL_FUNCTION_NAME_, name, 65535) == 0) kernel = opencl_kernel_named(handle, name);
    free(name);
    return kernel;
}

static inline const opencl_kernel *opencl_kernel_of(void *handle) {
    uint64_t known = handle_find(&opencl.kernels, (uint64_t)(uintptr_t)handle);
    return LP_LIKELY(known != 0) ? (const opencl_kernel *)(uintptr_t)known : opencl_kernel_new(handle);
}

#endif
