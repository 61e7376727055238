/* OpenCL's functions as the layer has them: each calls the loader's, and writes a record. */
#ifndef LAUNCHPATH_RECORDER_OPENCL_WRAPPERS_H
#define LAUNCHPATH_RECORDER_OPENCL_WRAPPERS_H

#include "times.h"

enum opencl_entry {
#define ENTRY(name) O_##name,
#include "each.h"
    O_clCreateCommandQueue,
    O_clCreateCommandQueueWithProperties,
    O_clReleaseCommandQueue,
    O_clCreateKernelsInProgram,
    O_clSVMAlloc,
    O_clCreateCommandBufferKHR,
    O_clEnqueueCommandBufferKHR,
    O_clEnqueueMemcpyINTEL,
    O_clEnqueueMemFillINTEL,
    O_clEnqueueMigrateMemINTEL,
    O_clEnqueueMemAdviseINTEL,
    O_clHostMemAllocINTEL,
    O_clDeviceMemAllocINTEL,
    O_clSharedMemAllocINTEL,
    O_clMemFreeINTEL,
    O_clMemBlockingFreeINTEL,
    OPENCL_ENTRIES
};

static const char *const opencl_names[OPENCL_ENTRIES] = {
#define ENTRY(name) #name,
#include "each.h"
    "clCreateCommandQueue", "clCreateCommandQueueWithProperties", "clReleaseCommandQueue", "clCreateKernelsInProgram", "clSVMAlloc",
    "clCreateCommandBufferKHR", "clEnqueueCommandBufferKHR", "clEnqueueMemcpyINTEL", "clEnqueueMemFillINTEL", "clEnqueueMigrateMemINTEL", "clEnqueueMemAdviseINTEL",
    "clHostMemAllocINTEL", "clDeviceMemAllocINTEL", "clSharedMemAllocINTEL", "clMemFreeINTEL", "clMemBlockingFreeINTEL",
};

#define OPENCL_NUMBER(name) ((uint16_t)(opencl.first + O_##name))

/* The record of a command, and its times. `asked`: the program has asked for the event. */
static inline uint64_t opencl_command_write(lp_records *ring, uint16_t entry, uint64_t begin, uint64_t end, int32_t code, const payload *what,
                                        const opencl_queue *queue, void *event, int asked) {
    int timed = event && queue->timed && code == 0 && (!opencl_times.ending || queue == opencl_times.measured);
    uint64_t correlation = command_write(ring, entry, begin, end, code, what, queue->at, timed ? SLOT_TIMED : 0);
    if (timed) opencl_times_add((opencl_queue *)queue, event, !asked, correlation, begin, end, what);
    return correlation;
}

/* `function` is what is called, of the loader or of an extension. */
#define COMMAND_BY(function, name, parameters, arguments, n_waits, describe, prove)                                    \
    static int32_t layer_##name parameters {                                                                           \
        lp_records *ring = process_ring();                                                                             \
        int32_t(*real) parameters = (int32_t(*) parameters)(function);                                                 \
        const opencl_queue *at;                                                                                        \
        payload what = {0};                                                                                            \
        uint64_t begin, end;                                                                                           \
        void *own = 0;                                                                                                 \
        int32_t code;                                                                                                  \
        int asked = event != 0;                                                                                        \
        if (ring == 0) return real arguments;                                                                          \
        describe;                                                                                                      \
        if (LP_UNLIKELY(what.command == 0)) {                                                                          \
            lp_add(&lp_trace.header->counters.excluded, 1);                                                            \
            return real arguments;                                                                                     \
        }                                                                                                              \
        what.waits = (uint16_t)(n_waits < 65535 ? n_waits : 65535);                                                    \
        at = opencl_queue_of(ring, queue);                                                                             \
        PROOF((opencl_waits(&proof, n_waits, waits, event), prove))                                                    \
        if (!asked && opencl_times_room(at)) event = &own;                                                             \
        begin = call_begins(ring, OPENCL_NUMBER(name));                                                                \
        code = real arguments;                                                                                         \
        end = lp_ticks();                                                                                              \
        PROVEN(ring, code, begin, opencl_command_write(ring, OPENCL_NUMBER(name), begin, end, code, &what, at, event && code == 0 ? *event : 0, asked)); \
        return code;                                                                                                   \
    }
#define COMMAND(name, parameters, arguments, n_waits, describe, prove)                                                 \
    COMMAND_BY(opencl.below[D_##name], name, parameters, arguments, n_waits, describe, prove)
#define CALL_BY(function, name, parameters, arguments, where, quantity, prove)                                         \
    static int32_t layer_##name parameters {                                                                           \
        int32_t(*real) parameters = (int32_t(*) parameters)(function);                                                 \
        lp_records *ring = process_ring();                                                                             \
        uint64_t begin, end;                                                                                           \
        place there;                                                                                                   \
        int32_t code;                                                                                                  \
        if (ring == 0) return real arguments;                                                                          \
        there = where;                                                                                                 \
        PROOF(prove)                                                                                                   \
        begin = call_begins(ring, OPENCL_NUMBER(name));                                                                \
        code = real arguments;                                                                                         \
        end = lp_ticks();                                                                                              \
        PROVEN(ring, code, begin, call_write(ring, OPENCL_NUMBER(name), begin, end, code, code != 0, quantity, there)); \
        return code;                                                                                                   \
    }
#define CALL_PROVEN(name, parameters, arguments, where, quantity, prove) CALL_BY(opencl.below[D_##name], name, parameters, arguments, where, quantity, prove)
#define MAKE_BY(function, name, parameters, arguments, after, where, quantity, prove)                                  \
    static void *layer_##name parameters {                                                                             \
        void *(*real)parameters = (void *(*)parameters)(function);                                                     \
        lp_records *ring = process_ring();                                                                             \
        uint64_t begin, end;                                                                                           \
        int32_t own = 0;                                                                                               \
        place there;                                                                                                   \
        void *object;                                                                                                  \
        if (ring == 0) return real arguments;                                                                          \
        if (result == 0) result = &own;                                                                                \
        there = where;                                                                                                 \
        PROOF(prove)                                                                                                   \
        begin = call_begins(ring, OPENCL_NUMBER(name));                                                                \
        object = real arguments;                                                                                       \
        end = lp_ticks();                                                                                              \
        PROVEN(ring, *result, begin, call_write(ring, OPENCL_NUMBER(name), begin, end, *result, *result != 0, quantity, there)); \
        if (object) after;                                                                                             \
        return object;                                                                                                 \
    }
#define MAKE_PROVEN(name, parameters, arguments, after, where, quantity, prove)                                        \
    MAKE_BY(opencl.below[D_##name], name, parameters, arguments, after, where, quantity, prove)
#define FREE(name, parameters, arguments, where)                                                                       \
    static void layer_##name parameters {                                                                              \
        void(*real) parameters = (void(*) parameters)opencl.below[D_##name];                                           \
        lp_records *ring = process_ring();                                                                             \
        uint64_t begin;                                                                                                \
        if (ring == 0) {                                                                                               \
            real arguments;                                                                                            \
            return;                                                                                                    \
        }                                                                                                              \
        PROOF((void)0)                                                                                                 \
        begin = call_begins(ring, OPENCL_NUMBER(name));                                                                \
        real arguments;                                                                                                \
        PROVEN(ring, 0, begin, call_write(ring, OPENCL_NUMBER(name), begin, lp_ticks(), 0, 0, 0, where));              \
    }
#include "entries.h"
#undef COMMAND
#undef CALL_PROVEN
#undef MAKE_PROVEN
#undef FREE

static void *layer_clSVMAlloc(void *context, uint64_t flags, size_t size, uint32_t alignment) {
    void *(*real)(void *, uint64_t, size_t, uint32_t) = (void *(*)(void *, uint64_t, size_t, uint32_t))opencl.below[D_clSVMAlloc];
    lp_records *ring = process_ring();
    uint64_t begin;
    void *at;
    if (ring == 0) return real(context, flags, size, alignment);
    begin = call_begins(ring, OPENCL_NUMBER(clSVMAlloc));
    at = real(context, flags, size, alignment);
    call_write(ring, OPENCL_NUMBER(clSVMAlloc), begin, lp_ticks(), at ? 0 : -1, at == 0, size, OPENCL_NOWHERE);
    return at;
}

static int32_t layer_clCreateKernelsInProgram(void *program, uint32_t n, void **kernels, uint32_t *n_kernels) {
    int32_t (*real)(void *, uint32_t, void **, uint32_t *) = (int32_t(*)(void *, uint32_t, void **, uint32_t *))opencl.below[D_clCreateKernelsInProgram];
    lp_records *ring = process_ring();
    uint64_t begin;
    uint32_t i, made = 0;
    int32_t code;
    if (ring == 0) return real(program, n, kernels, n_kernels);
    if (n_kernels == 0) n_kernels = &made;
    begin = call_begins(ring, OPENCL_NUMBER(clCreateKernelsInProgram));
    code = real(program, n, kernels, n_kernels);
    call_write(ring, OPENCL_NUMBER(clCreateKernelsInProgram), begin, lp_ticks(), code, code != 0, *n_kernels, OPENCL_NOWHERE);
    for (i = 0; code == 0 && kernels && i < n && i < *n_kernels; i++) opencl_kernel_new(kernels[i]);
    return code;
}

/* Queues. With times of devices each gets profiling; `clGetCommandQueueInfo` goes on to tell what the program has asked for. */

static void *queue_noted(void *queue, int timed, int hidden) {
    lp_records *ring = process_ring();
    if (ring == 0 && lp_trace.generation) ring = records_here(); /* the trace pauses */
    if (queue && ring) opencl_queue_new(ring, queue, timed, hidden);
    else if (queue) handle_set(&opencl.queues, (uint64_t)(uintptr_t)queue, 0); /* another queue had this handle */
    return queue;
}

static void *layer_clCreateCommandQueue(void *context, void *device, uint64_t properties, int32_t *result) {
    void *(*real)(void *, void *, uint64_t, int32_t *) = (void *(*)(void *, void *, uint64_t, int32_t *))opencl.below[D_clCreateCommandQueue];
    int timed = options.on && options.timed && (properties & CL_QUEUE_PROFILING_) == 0;
    void *queue = timed ? real(context, device, properties | CL_QUEUE_PROFILING_, result) : 0;
    if (queue) return queue_noted(queue, 1, 1);
    return queue_noted(real(context, device, properties, result), 0, 0);
}

static void *layer_clCreateCommandQueueWithProperties(void *context, void *device, const uint64_t *properties, int32_t *result) {
    void *(*real)(void *, void *, const uint64_t *, int32_t *) =
        (void *(*)(void *, void *, const uint64_t *, int32_t *))opencl.below[D_clCreateCommandQueueWithProperties];
    uint64_t more[64], value = 0;
    size_t n = 0, at = 61;
    void *queue = 0;
    while (properties && properties[n] && n < 60) {
        more[n] = properties[n], more[n + 1] = properties[n + 1];
        if (more[n] == CL_QUEUE_PROPERTIES_) at = n, value = more[n + 1];
        n += 2;
    }
    if (options.on && options.timed && !(value & (CL_QUEUE_PROFILING_ | CL_QUEUE_ON_DEVICE_)) && !(properties && n >= 60)) {
        if (at == 61) more[n] = CL_QUEUE_PROPERTIES_, at = n, n += 2;
        more[at + 1] = value | CL_QUEUE_PROFILING_, more[n] = 0;
        queue = real(context, device, more, result);
    }
    if (queue) return queue_noted(queue, 1, 1);
    return queue_noted(real(context, device, properties, result), 0, 0);
}

static int32_t layer_clGetCommandQueueInfo(void *queue, uint32_t what, size_t size, void *value, size_t *needed) {
    opencl_get_info real = (opencl_get_info)opencl.below[D_clGetCommandQueueInfo];
    int32_t code = real(queue, what, size, value, needed);
    uint64_t known = handle_find(&opencl.queues, (uint64_t)(uintptr_t)queue);
    if (code == 0 && what == CL_QUEUE_PROPERTIES_ && value && size >= 8 && known && ((opencl_queue *)(uintptr_t)known)->hidden)
        *(uint64_t *)value &= ~(uint64_t)CL_QUEUE_PROFILING_;
    return code;
}

/* Without profiling of its own the program is told what it would be told without the recorder. */
static int32_t layer_clGetEventProfilingInfo(void *event, uint32_t what, size_t size, void *value, size_t *needed) {
    opencl_get_info real = (opencl_get_info)opencl.below[D_clGetEventProfilingInfo];
    void *queue = 0;
    uint64_t known = 0;
    if (lp_load(&opencl.all_queues) && event && opencl_ask(D_clGetEventInfo, event, CL_EVENT_QUEUE_, &queue, sizeof queue) == 0)
        known = handle_find(&opencl.queues, (uint64_t)(uintptr_t)queue);
    if (known && ((opencl_queue *)(uintptr_t)known)->hidden) return CL_PROFILING_INFO_NOT_AVAILABLE_;
    return real(event, what, size, value, needed);
}

static int32_t layer_clReleaseCommandQueue(void *queue) {
    int32_t (*real)(void *) = (int32_t(*)(void *))opencl.below[D_clReleaseCommandQueue];
    lp_records *ring = process_ring();
    uint64_t begin;
    int32_t code;
    place at;
    if (ring == 0) return real(queue);
    at = opencl_place_of(ring, queue);
    begin = call_begins(ring, OPENCL_NUMBER(clReleaseCommandQueue));
    code = real(queue);
    call_write(ring, OPENCL_NUMBER(clReleaseCommandQueue), begin, lp_ticks(), code, code != 0, 0, at);
    return code;
}

#endif
