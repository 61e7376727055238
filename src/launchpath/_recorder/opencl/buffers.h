/* Command buffers: what was recorded into each, and a record of each command whenever it runs. */
#ifndef LAUNCHPATH_RECORDER_OPENCL_BUFFERS_H
#define LAUNCHPATH_RECORDER_OPENCL_BUFFERS_H

#include "extensions.h"

enum {
    CL_DEVICE_EXTENSIONS_WITH_VERSION_ = 0x1060,
    EXTENSIONS_MOST = 512,
    BUFFERS_WITH_PROPERTIES = 9 << 12 | 5, /* version 0.9.5: each function has a parameter for properties before the others */
    UPDATES_BY_LIST = 9 << 12 | 2,         /* version 0.9.2 of cl_khr_command_buffer_mutable_dispatch */
    BUFFER_WORDS = 14                      /* arguments behind the queue, at most */
};

typedef struct {
    payload what;
    void *command; /* by which the program may change it, or NULL */
    size_t items[3];
} buffer_node;

typedef struct { /* a command buffer */
    void *platform, *queue; /* that it was made for */
    uint32_t version, updates; /* of the extensions */
    uint32_t number, runs, n, room, excluded, unknown;
    buffer_node *nodes;
} opencl_buffer;

typedef struct { /* cl_mutable_dispatch_config_khr, from UPDATES_BY_LIST on */
    void *command;
    uint32_t n_arguments, n_svm, n_infos, dimensions;
    const void *arguments, *svm, *infos;
    const size_t *offset, *global, *local;
} buffer_change;

static handle_table opencl_buffers;
static uint32_t opencl_buffers_made;

static opencl_buffer *opencl_buffer_of(void *handle) { return (opencl_buffer *)(uintptr_t)handle_find(&opencl_buffers, (uint64_t)(uintptr_t)handle); }
static void *buffer_function(const opencl_buffer *buffer, int extension) { return more_of(buffer ? buffer->platform : 0, extension); }

static void buffer_versions(opencl_buffer *buffer) {
    struct {
        uint32_t version;
        char name[64];
    } *all = calloc(EXTENSIONS_MOST, sizeof *all);
    void *device = 0;
    int i;
    if (all && opencl_ask(D_clGetCommandQueueInfo, buffer->queue, CL_QUEUE_DEVICE_, &device, sizeof device) == 0 &&
        opencl_ask(D_clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS_WITH_VERSION_, all, EXTENSIONS_MOST * sizeof *all) == 0) {
        for (i = 0; i < EXTENSIONS_MOST && all[i].name[0]; i++) {
            if (strcmp(all[i].name, "cl_khr_command_buffer") == 0) buffer->version = all[i].version;
            if (strcmp(all[i].name, "cl_khr_command_buffer_mutable_dispatch") == 0) buffer->updates = all[i].version;
        }
    }
    free(all);
}

static void *layer_clCreateCommandBufferKHR(uint32_t n, void *const *queues, const uint64_t *properties, int32_t *result) {
    void *queue = n && queues ? queues[0] : 0, *platform = more_platform_of_queue(queue);
    void *(*real)(uint32_t, void *const *, const uint64_t *, int32_t *) =
        (void *(*)(uint32_t, void *const *, const uint64_t *, int32_t *))more_of(platform, X_clCreateCommandBufferKHR);
    lp_records *ring = process_ring();
    place at = ring && queue ? opencl_place_of(ring, queue) : OPENCL_NOWHERE;
    opencl_buffer *buffer;
    int32_t own = 0;
    uint64_t begin;
    void *handle;
    if (result == 0) result = &own;
    begin = ring ? call_begins(ring, OPENCL_NUMBER(clCreateCommandBufferKHR)) : 0;
    handle = real(n, queues, properties, result);
    if (ring) call_write(ring, OPENCL_NUMBER(clCreateCommandBufferKHR), begin, lp_ticks(), *result, *result != 0, 0, at);
    buffer = handle ? (opencl_buffer *)calloc(1, sizeof *buffer) : 0;
    if (buffer) {
        buffer->platform = platform, buffer->queue = queue;
        buffer->number = __atomic_add_fetch(&opencl_buffers_made, 1, __ATOMIC_RELAXED);
        buffer_versions(buffer);
        handle_set(&opencl_buffers, (uint64_t)(uintptr_t)handle, (uint64_t)(uintptr_t)buffer); /* a release may not be the last: it stays */
    }
    return handle;
}

static int32_t layer_clReleaseCommandBufferKHR(void *handle) {
    return ((int32_t(*)(void *))buffer_function(opencl_buffer_of(handle), X_clReleaseCommandBufferKHR))(handle);
}

/* How to read a command's arguments, which are words here: those behind the queue and the properties. */

#define AT(i) ((void *)(uintptr_t)words[i])
#define SIZES(i) ((const size_t *)(uintptr_t)words[i])
static void read_clCommandNDRangeKernelKHR(payload *what, const uint64_t *words) { opencl_launch(what, AT(0), (uint32_t)words[1], SIZES(3), SIZES(4)); }
static void read_clCommandCopyBufferKHR(payload *what, const uint64_t *words) { opencl_copy(what, COMMAND_COPY, COPY_ON_DEVICE, words[4], AT(1), AT(0)); }
static void read_clCommandCopyBufferRectKHR(payload *what, const uint64_t *words) { opencl_rows(what, COPY_ON_DEVICE, SIZES(4), 1, AT(1), AT(0)); }
static void read_clCommandCopyBufferToImageKHR(payload *what, const uint64_t *words) { opencl_rows(what, COPY_ON_DEVICE, SIZES(4), opencl_texel(AT(1)), AT(1), AT(0)); }
static void read_clCommandCopyImageKHR(payload *what, const uint64_t *words) { opencl_rows(what, COPY_ON_DEVICE, SIZES(4), opencl_texel(AT(0)), AT(1), AT(0)); }
static void read_clCommandCopyImageToBufferKHR(payload *what, const uint64_t *words) { opencl_rows(what, COPY_ON_DEVICE, SIZES(3), opencl_texel(AT(0)), AT(1), AT(0)); }
static void read_clCommandFillBufferKHR(payload *what, const uint64_t *words) { opencl_copy(what, COMMAND_FILL, 0, words[4], AT(0), 0); }
static void read_clCommandFillImageKHR(payload *what, const uint64_t *words) { opencl_fill_image(what, AT(0), SIZES(3)); }
static void read_clCommandSVMMemcpyKHR(payload *what, const uint64_t *words) { opencl_copy(what, COMMAND_COPY, COPY_UNKNOWN, words[2], AT(0), AT(1)); }
static void read_clCommandSVMMemFillKHR(payload *what, const uint64_t *words) { opencl_copy(what, COMMAND_FILL, 0, words[3], AT(0), 0); }

static void buffer_add(opencl_buffer *buffer, int extension, const payload *what, const uint64_t *words) {
    buffer_node *node, *grown;
    uint32_t i;
    if (buffer->n == buffer->room) {
        grown = (buffer_node *)realloc(buffer->nodes, (buffer->room ? 2 * buffer->room : 16) * sizeof *grown);
        if (grown == 0) {
            buffer->unknown += 1;
            return;
        }
        buffer->nodes = grown, buffer->room = buffer->room ? 2 * buffer->room : 16;
    }
    node = &buffer->nodes[buffer->n++];
    memset(node, 0, sizeof *node);
    node->what = *what;
    if (extension == X_clCommandNDRangeKernelKHR) {
        node->command = words[8] ? *(void **)AT(8) : 0;
        for (i = 0; i < 3; i++) node->items[i] = i < (uint32_t)words[1] && words[3] ? SIZES(3)[i] : 1;
    }
}
#undef AT
#undef SIZES

/* Fewer arguments are passed by most callers: what is read beyond them goes nowhere. */
typedef int32_t (*buffer_call)(void *, void *, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                               uint64_t, uint64_t, uint64_t, uint64_t);

static int32_t buffer_command(int extension, void (*read)(payload *, const uint64_t *), void *handle, void *queue, const uint64_t *w) {
    opencl_buffer *buffer = opencl_buffer_of(handle);
    buffer_call real = (buffer_call)buffer_function(buffer, extension);
    const uint64_t *words = w + (extension == X_clCommandNDRangeKernelKHR || (buffer && buffer->version >= BUFFERS_WITH_PROPERTIES));
    int32_t code = real(handle, queue, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12], w[13]);
    payload what = {0};
    if (code || buffer == 0 || !options.on) return code;
    read(&what, words);
    if (what.command) buffer_add(buffer, extension, &what, words);
    else buffer->excluded += 1;
    return code;
}

#define BUFFER_COMMAND(name)                                                                                           \
    static int32_t layer_##name(void *handle, void *queue, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, \
                                uint64_t h, uint64_t i, uint64_t j, uint64_t k, uint64_t l, uint64_t m, uint64_t n) {  \
        const uint64_t words[BUFFER_WORDS] = {a, b, c, d, e, f, g, h, i, j, k, l, m, n};                               \
        return buffer_command(X_##name, read_##name, handle, queue, words);                                            \
    }
BUFFER_COMMAND(clCommandNDRangeKernelKHR)
BUFFER_COMMAND(clCommandCopyBufferKHR)
BUFFER_COMMAND(clCommandCopyBufferRectKHR)
BUFFER_COMMAND(clCommandCopyBufferToImageKHR)
BUFFER_COMMAND(clCommandCopyImageKHR)
BUFFER_COMMAND(clCommandCopyImageToBufferKHR)
BUFFER_COMMAND(clCommandFillBufferKHR)
BUFFER_COMMAND(clCommandFillImageKHR)
BUFFER_COMMAND(clCommandSVMMemcpyKHR)
BUFFER_COMMAND(clCommandSVMMemFillKHR)
#undef BUFFER_COMMAND

static void buffer_changed(opencl_buffer *buffer, const buffer_change *change) {
    detail_launch *launch;
    buffer_node *node;
    uint32_t i, k;
    for (i = 0; i < buffer->n && (buffer->nodes[i].command == 0 || buffer->nodes[i].command != change->command); i++) {}
    if (i == buffer->n) return;
    node = &buffer->nodes[i], launch = &node->what.of.launch;
    for (k = 0; k < 3 && k < change->dimensions; k++) {
        if (change->global) node->items[k] = change->global[k];
        if (change->local) launch->block[k] = change->local[k] ? (uint32_t)change->local[k] : 1;
        launch->grid[k] = (uint32_t)((node->items[k] + launch->block[k] - 1) / launch->block[k]);
    }
}

/* The program changes launches of a command buffer. Before version 0.9.2 the list has another form: then what runs is not known. */
static int32_t layer_clUpdateMutableCommandsKHR(void *handle, uint64_t n, const uint32_t *types, const void **changes) {
    opencl_buffer *buffer = opencl_buffer_of(handle);
    int32_t (*real)(void *, uint64_t, const uint32_t *, const void **) =
        (int32_t(*)(void *, uint64_t, const uint32_t *, const void **))buffer_function(buffer, X_clUpdateMutableCommandsKHR);
    int32_t code = real(handle, n, types, changes);
    uint32_t i;
    if (code || buffer == 0) return code;
    if (buffer->updates < UPDATES_BY_LIST) buffer->unknown += 1;
    for (i = 0; buffer->updates >= UPDATES_BY_LIST && i < (uint32_t)n; i++)
        if (types[i] == 0) buffer_changed(buffer, (const buffer_change *)changes[i]);
    return code;
}

static int32_t layer_clEnqueueCommandBufferKHR(uint32_t n_queues, void **queues, void *handle, uint32_t n, void *const *waits, void **event) {
    opencl_buffer *buffer = opencl_buffer_of(handle);
    int32_t (*real)(uint32_t, void **, void *, uint32_t, void *const *, void **) =
        (int32_t(*)(uint32_t, void **, void *, uint32_t, void *const *, void **))buffer_function(buffer, X_clEnqueueCommandBufferKHR);
    lp_records *ring = process_ring();
    uint64_t begin, end;
    uint32_t i, run;
    int32_t code;
    place at;
    if (ring == 0) return real(n_queues, queues, handle, n, waits, event);
    at = n_queues && queues ? opencl_place_of(ring, queues[0]) : buffer && buffer->queue ? opencl_place_of(ring, buffer->queue) : OPENCL_NOWHERE;
    PROOF(opencl_waits(&proof, n, waits, event))
    begin = call_begins(ring, OPENCL_NUMBER(clEnqueueCommandBufferKHR));
    code = real(n_queues, queues, handle, n, waits, event);
    end = lp_ticks();
    PROVEN(ring, code, begin, call_write(ring, OPENCL_NUMBER(clEnqueueCommandBufferKHR), begin, end, code, code != 0, buffer ? buffer->n : 0, at));
    if (code == 0 && buffer == 0) not_understood();
    if (code || buffer == 0) return code;
    run = __atomic_add_fetch(&buffer->runs, 1, __ATOMIC_RELAXED);
    if (lp_trace.timed) lp_add(&lp_trace.header->counters.untimed, buffer->n); /* the library tells the times of the whole */
    if (buffer->excluded) lp_add(&lp_trace.header->counters.excluded, buffer->excluded);
    if (buffer->unknown) lp_add(&lp_trace.header->counters.not_understood, buffer->unknown);
    for (i = 0; i < buffer->n; i++)
        node_write(ring, OPENCL_NUMBER(clEnqueueCommandBufferKHR), begin, end, &buffer->nodes[i].what, at, buffer->number, i, run);
    return code;
}

static const struct {
    const char *name;
    void *function;
} more_functions[OPENCL_EXTENSIONS] = {
#define ENTRY(name) {#name, (void *)layer_##name},
    OPENCL_EXTENSIONS_ALL
#undef ENTRY
};

/* A program asks a platform for a function of an extension. */
static void *more_asked(void *platform, const char *name, void *function) {
    int i, at;
    if (function == 0 || !options.on || name == 0 || (!options.findings && strncmp(name, "clSetKernelArg", 14) == 0)) return function;
    for (i = 0; i < OPENCL_EXTENSIONS && strcmp(more_functions[i].name, name); i++) {}
    if (i == OPENCL_EXTENSIONS) {
        if (strncmp(name, "clEnqueue", 9) && strncmp(name, "clCommand", 9)) return function;
        return strcmp(name, "clCommandBarrierWithWaitListKHR") ? unseen_add(name, function) : function;
    }
    lp_lock_acquire(&opencl_more.lock);
    for (at = 0; at < opencl_more.n && opencl_more.platforms[at] != platform; at++) {}
    if (at < PLATFORMS_MOST) opencl_more.platforms[at] = platform, opencl_more.functions[at][i] = function;
    if (at == opencl_more.n && at < PLATFORMS_MOST) opencl_more.n += 1;
    lp_lock_release(&opencl_more.lock);
    return at < PLATFORMS_MOST ? more_functions[i].function : function;
}

static void *layer_clGetExtensionFunctionAddressForPlatform(void *platform, const char *name) {
    void *(*real)(void *, const char *) = (void *(*)(void *, const char *))opencl.below[D_clGetExtensionFunctionAddressForPlatform];
    return more_asked(platform, name, real(platform, name));
}

/* The loader knows which platform has it. */
static void *layer_clGetExtensionFunctionAddress(const char *name) {
    void *(*real)(const char *) = (void *(*)(const char *))opencl.below[D_clGetExtensionFunctionAddress];
    return more_asked(0, name, real(name));
}

#endif
