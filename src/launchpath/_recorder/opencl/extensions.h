/* Functions of extensions, which programs ask for by name: command buffers, and Intel's copies of unified memory.

   Each platform has its own; which one is called is told by the queue or the command buffer. */
#ifndef LAUNCHPATH_RECORDER_OPENCL_EXTENSIONS_H
#define LAUNCHPATH_RECORDER_OPENCL_EXTENSIONS_H

#include "wrappers.h"

enum { PLATFORMS_MOST = 16 };

enum opencl_extension {
    X_clCreateCommandBufferKHR,
    X_clReleaseCommandBufferKHR,
    X_clCommandNDRangeKernelKHR,
    X_clCommandCopyBufferKHR,
    X_clCommandFillBufferKHR,
    X_clEnqueueCommandBufferKHR,
    X_clEnqueueMemcpyINTEL,
    X_clEnqueueMemFillINTEL,
    OPENCL_EXTENSIONS
};

static struct {
    lp_lock lock;
    int n;
    void *platforms[PLATFORMS_MOST];
    void *functions[PLATFORMS_MOST][OPENCL_EXTENSIONS];
} opencl_more;

typedef struct { /* a command buffer */
    int platform;
    uint32_t number, runs, n, room;
    payload *nodes;
    void *queue; /* that it was made for */
} opencl_buffer;

static handle_table opencl_buffers;
static uint32_t opencl_buffers_made;

static int more_platform(void *platform) {
    int i;
    for (i = 0; i < opencl_more.n && opencl_more.platforms[i] != platform; i++) {}
    return i < opencl_more.n ? i : 0;
}

static int more_of_queue(lp_records *ring, void *queue) {
    void *device = 0, *platform = 0;
    if (ring) return more_platform(opencl_queue_of(ring, queue)->platform);
    opencl_ask(D_clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE_, &device, sizeof device);
    opencl_ask(D_clGetDeviceInfo, device, CL_DEVICE_PLATFORM_, &platform, sizeof platform);
    return more_platform(platform);
}

static opencl_buffer *opencl_buffer_of(void *handle) { return (opencl_buffer *)(uintptr_t)handle_find(&opencl_buffers, (uint64_t)(uintptr_t)handle); }

static void *layer_clCreateCommandBufferKHR(uint32_t n, void *const *queues, const uint64_t *properties, int32_t *result) {
    lp_records *ring = process_ring();
    int platform = n && queues ? more_of_queue(ring, queues[0]) : 0;
    void *(*real)(uint32_t, void *const *, const uint64_t *, int32_t *) =
        (void *(*)(uint32_t, void *const *, const uint64_t *, int32_t *))opencl_more.functions[platform][X_clCreateCommandBufferKHR];
    void *handle = real(n, queues, properties, result);
    opencl_buffer *buffer = handle ? (opencl_buffer *)calloc(1, sizeof *buffer) : 0;
    if (buffer) {
        buffer->platform = platform, buffer->queue = n && queues ? queues[0] : 0;
        buffer->number = __atomic_add_fetch(&opencl_buffers_made, 1, __ATOMIC_RELAXED);
        handle_set(&opencl_buffers, (uint64_t)(uintptr_t)handle, (uint64_t)(uintptr_t)buffer); /* a release may not be the last: it stays */
    }
    return handle;
}

static void buffer_add(opencl_buffer *buffer, const payload *what) {
    void *grown;
    if (buffer == 0) return;
    if (buffer->n == buffer->room) {
        buffer->room = buffer->room ? 2 * buffer->room : 16;
        grown = realloc(buffer->nodes, buffer->room * sizeof *what);
        if (grown == 0) {
            buffer->room = buffer->n;
            not_understood();
            return;
        }
        buffer->nodes = (payload *)grown;
    }
    buffer->nodes[buffer->n++] = *what;
}

/* Versions of the extension differ in how many arguments come behind those that are read here. */
typedef int32_t (*more_command)(void *, void *, const void *, void *, uint64_t, const size_t *, const size_t *, const size_t *, uint64_t, uint64_t, uint64_t,
                                uint64_t, uint64_t);

static int32_t buffer_command(int extension, uint8_t command, void *handle, void *queue, const void *a, void *b, uint64_t c, const size_t *d,
                              const size_t *e, const size_t *f, uint64_t g, uint64_t h, uint64_t i, uint64_t j, uint64_t k) {
    opencl_buffer *buffer = opencl_buffer_of(handle);
    more_command real = (more_command)opencl_more.functions[buffer ? buffer->platform : 0][extension];
    int32_t code = real(handle, queue, a, b, c, d, e, f, g, h, i, j, k);
    payload what = {0};
    if (code == 0) {
        if (command == COMMAND_LAUNCH) opencl_launch(&what, b, (uint32_t)c, e, f);
        else what.command = command; /* its bytes stand in another place in each version */
        if (what.command) buffer_add(buffer, &what);
    }
    return code;
}

#define BUFFER_COMMAND(name, command)                                                                                  \
    static int32_t layer_##name(void *handle, void *queue, const void *a, void *b, uint64_t c, const size_t *d, const size_t *e, \
                                const size_t *f, uint64_t g, uint64_t h, uint64_t i, uint64_t j, uint64_t k) {         \
        return buffer_command(X_##name, command, handle, queue, a, b, c, d, e, f, g, h, i, j, k);                      \
    }
BUFFER_COMMAND(clCommandNDRangeKernelKHR, COMMAND_LAUNCH)
BUFFER_COMMAND(clCommandCopyBufferKHR, COMMAND_COPY)
BUFFER_COMMAND(clCommandFillBufferKHR, COMMAND_FILL)
#undef BUFFER_COMMAND

static int32_t layer_clReleaseCommandBufferKHR(void *handle) {
    opencl_buffer *buffer = opencl_buffer_of(handle);
    return ((int32_t(*)(void *))opencl_more.functions[buffer ? buffer->platform : 0][X_clReleaseCommandBufferKHR])(handle);
}

static int32_t layer_clEnqueueCommandBufferKHR(uint32_t n_queues, void **queues, void *handle, uint32_t n, void *const *waits, void **event) {
    opencl_buffer *buffer = opencl_buffer_of(handle);
    int32_t (*real)(uint32_t, void **, void *, uint32_t, void *const *, void **) = (int32_t(*)(uint32_t, void **, void *, uint32_t, void *const *, void **))
                                                                                       opencl_more.functions[buffer ? buffer->platform : 0][X_clEnqueueCommandBufferKHR];
    lp_records *ring = process_ring();
    uint64_t begin, end;
    uint32_t i;
    int32_t code;
    place at;
    if (ring == 0) return real(n_queues, queues, handle, n, waits, event);
    at = n_queues && queues ? opencl_place_of(ring, queues[0]) : buffer && buffer->queue ? opencl_place_of(ring, buffer->queue) : OPENCL_NOWHERE;
    begin = call_begins(ring, OPENCL_NUMBER(clEnqueueCommandBufferKHR));
    code = real(n_queues, queues, handle, n, waits, event);
    end = lp_ticks();
    call_write(ring, OPENCL_NUMBER(clEnqueueCommandBufferKHR), begin, end, code, code != 0, buffer ? buffer->n : 0, at);
    if (code == 0 && buffer == 0) not_understood();
    if (code || buffer == 0) return code;
    buffer->runs += 1;
    if (lp_trace.timed) lp_add(&lp_trace.header->counters.untimed, buffer->n); /* the library tells the times of the whole */
    for (i = 0; i < buffer->n; i++) node_write(ring, OPENCL_NUMBER(clEnqueueCommandBufferKHR), begin, end, &buffer->nodes[i], at, buffer->number, i, buffer->runs);
    return code;
}

#define OF_QUEUE(name) opencl_more.functions[more_of_queue(ring, queue)][X_##name]
COMMAND_BY(OF_QUEUE(clEnqueueMemcpyINTEL), clEnqueueMemcpyINTEL,
           (void *queue, uint32_t blocking, void *to, const void *from, size_t size, uint32_t n, void *const *waits, void **event),
           (queue, blocking, to, from, size, n, waits, event), n, opencl_copy(&what, COMMAND_COPY, COPY_UNKNOWN, size, to, from))
COMMAND_BY(OF_QUEUE(clEnqueueMemFillINTEL), clEnqueueMemFillINTEL,
           (void *queue, void *to, const void *pattern, size_t pattern_size, size_t size, uint32_t n, void *const *waits, void **event),
           (queue, to, pattern, pattern_size, size, n, waits, event), n, opencl_copy(&what, COMMAND_FILL, 0, size, to, 0))
#undef OF_QUEUE

static const struct {
    const char *name;
    void *function;
} more_functions[OPENCL_EXTENSIONS] = {
#define MORE(name) {#name, (void *)layer_##name}
    MORE(clCreateCommandBufferKHR), MORE(clReleaseCommandBufferKHR), MORE(clCommandNDRangeKernelKHR), MORE(clCommandCopyBufferKHR),
    MORE(clCommandFillBufferKHR),   MORE(clEnqueueCommandBufferKHR), MORE(clEnqueueMemcpyINTEL),      MORE(clEnqueueMemFillINTEL),
#undef MORE
};

/* A program asks a platform for a function of an extension. */
static void *more_asked(void *platform, const char *name, void *function) {
    int i, at;
    if (function == 0 || !options.on || name == 0) return function;
    for (i = 0; i < OPENCL_EXTENSIONS && strcmp(more_functions[i].name, name); i++) {}
    if (i == OPENCL_EXTENSIONS) {
        return strncmp(name, "clEnqueue", 9) && strncmp(name, "clCommand", 9) ? function : unseen_add(name, function);
    }
    lp_lock_acquire(&opencl_more.lock);
    for (at = 0; at < opencl_more.n && opencl_more.platforms[at] != platform; at++) {}
    if (at == opencl_more.n && at < PLATFORMS_MOST) opencl_more.platforms[opencl_more.n++] = platform;
    if (at < PLATFORMS_MOST) opencl_more.functions[at][i] = function;
    lp_lock_release(&opencl_more.lock);
    return at < PLATFORMS_MOST ? more_functions[i].function : function;
}

static void *layer_clGetExtensionFunctionAddressForPlatform(void *platform, const char *name) {
    void *(*real)(void *, const char *) = (void *(*)(void *, const char *))opencl.below[D_clGetExtensionFunctionAddressForPlatform];
    return more_asked(platform, name, real(platform, name));
}

#endif
