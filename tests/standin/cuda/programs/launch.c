/* Launches: limits are checked and arguments copied at the call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core.h"

int launch_check(CUfunction function, const standin_launch *launch) {
    const unsigned int *grid = launch->grid, *block = launch->block;
    unsigned long long threads = 1;
    for (int i = 0; i < 3; i++) {
        int most_blocks, most_threads;
        device_attribute(0, SI_DEVICE_MAX_GRID_X + i, &most_blocks);
        device_attribute(0, SI_DEVICE_MAX_BLOCK_X + i, &most_threads);
        if (!grid[i] || !block[i] || grid[i] > (unsigned int)most_blocks || block[i] > (unsigned int)most_threads)
            return SI_ERROR_INVALID_VALUE;
        threads *= block[i];
    }
    if (threads > (unsigned long long)function->max_threads) return SI_ERROR_INVALID_VALUE;
    int dynamic = function->max_dynamic;
    if (dynamic == DEVICE_SHARED_DEFAULT) dynamic -= function->shared;
    if (launch->shared > (unsigned int)dynamic) return SI_ERROR_INVALID_VALUE;
    if (!launch->cooperative) return SI_SUCCESS;
    unsigned long long blocks = (unsigned long long)grid[0] * grid[1] * grid[2];
    unsigned long long each = option_cooperative
                                  ? option_cooperative
                                  : (unsigned int)occupancy(function, (unsigned int)threads, launch->shared);
    return blocks > each * DEVICE_MULTIPROCESSORS ? SI_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE : SI_SUCCESS;
}

/* The packed bytes: those given, or gathered from pointers to each argument. */
static int gather(CUfunction function, struct launch_arguments arguments, unsigned char **bytes, unsigned int *size) {
    void **parameters = arguments.parameters, **extra = arguments.extra;
    size_t most = standin_version < 12010 ? 4096 : DEVICE_MAX_PARAMETERS;
    const void *buffer = NULL;
    const size_t *given = NULL;
    if (parameters && extra) return SI_ERROR_INVALID_VALUE;
    for (void **at = extra; at && *at != (void *)SI_LAUNCH_PARAM_END; at += 2) {
        if (*at == (void *)SI_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = at[1];
        else if (*at == (void *)SI_LAUNCH_PARAM_BUFFER_SIZE)
            given = at[1];
        else
            return SI_ERROR_INVALID_VALUE;
    }
    if (extra && (!buffer || !given)) return SI_ERROR_INVALID_VALUE;
    size_t whole = extra ? *given : function->bytes;
    if (whole > most || whole < function->bytes || (whole && !extra && !parameters)) return SI_ERROR_INVALID_VALUE;
    if (whole > (function->bytes + 15) / 16 * 16)
        return SI_ERROR_INVALID_VALUE; /* some padding may follow the last one */
    *bytes = calloc(1, whole + 16);
    *size = (unsigned int)whole;
    if (extra)
        memcpy(*bytes, buffer, whole);
    else
        for (unsigned int i = 0; i < function->count; i++)
            memcpy(*bytes + function->parameters[i].offset, parameters[i], function->parameters[i].size);
    return SI_SUCCESS;
}

void launch_describe(struct call *call, CUfunction function, const standin_launch *launch) {
    snprintf(call->detail, sizeof call->detail, "%s %u,%u,%u %u,%u,%u %u%s", function->name, launch->grid[0],
             launch->grid[1], launch->grid[2], launch->block[0], launch->block[1], launch->block[2], launch->shared,
             function->triggers ? " triggers" : "");
}

int launch_prepare(struct operation *operation, CUfunction function, standin_launch launch,
                   struct launch_arguments arguments) {
    CUmodule module = function->module;
    standin_kernel called = kernel_find(function->symbol ? function->symbol : function->name);
    if (!called) {
        report("no function is registered for kernel %s", function->name);
        return SI_ERROR_NOT_FOUND;
    }
    unsigned char *bytes = NULL;
    int code = gather(function, arguments, &bytes, &launch.size);
    if (code) return code;
    const void *unreachable = NULL;
    for (unsigned int i = 0; i < function->count; i++) {
        uintptr_t value;
        if (function->parameters[i].size != sizeof value) continue;
        memcpy(&value, bytes + function->parameters[i].offset, sizeof value);
        struct memory *memory = memory_find(value);
        if (memory && !peer_reaches(module->context, memory)) unreachable = (const void *)value;
    }
    launch.device = module->context->device;
    launch.name = function->name;
    module->references++; /* its names are needed until the kernel has run */
    operation->as.kernel.function = called;
    operation->as.kernel.handle = function;
    operation->as.kernel.launch = launch;
    operation->as.kernel.arguments = bytes;
    operation->as.kernel.module = module;
    operation->as.kernel.waits = function->waits;
    operation->as.kernel.unreachable = unreachable;
    return SI_SUCCESS;
}

/* What launchpath promises of dependent launches: both kernels wait at their entry, and nothing is between them. */
void dependent_check(const struct operation *operation, bool waits_before) {
    const char *name = operation->as.kernel.launch.name;
    if (!operation->as.kernel.waits) report("%s was launched as a dependent kernel, and does not wait", name);
    if (!waits_before) report("%s was launched as a dependent kernel behind what does not wait at its entry", name);
}

static int launch(CUfunction function, standin_launch launch, struct launch_arguments arguments, bool dependent,
                  struct call *call) {
    CUstream stream;
    int code = stream_take(launch.stream, &stream);
    if (code) return code;
    if (!handle_is(function, MAGIC_FUNCTION)) return SI_ERROR_INVALID_HANDLE;
    launch_describe(call, function, &launch);
    CUcontext context = function->module->context;
    if (context != stream->context || context != current) return SI_ERROR_INVALID_HANDLE;
    code = launch_check(function, &launch);
    if (code) return stream->capture ? capture_break(stream->capture, code) : code;
    struct operation prepared = {.kind = OP_KERNEL};
    code = launch_prepare(&prepared, function, launch, arguments);
    if (code) return code;
    if (function->local > context->local && !stream->capture) { /* where all threads' local memory is grows */
        context->local = function->local;
        idle_wait(context, IDLE_ALL);
    }
    struct operation *operation = operation_new(stream, OP_KERNEL);
    operation->as = prepared.as;
    operation->dependent = dependent;
    if (dependent) dependent_check(operation, stream->waits);
    operation_submit(operation);
    return SI_SUCCESS;
}

EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                               unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                               CUstream stream, void **parameters, void **extra) {
    ENTER(NEEDS_CONTEXT, stream);
    standin_launch what = {
        .grid = {grid_x, grid_y, grid_z}, .block = {block_x, block_y, block_z}, .shared = shared, .stream = stream};
    LEAVE(launch(function, what, (struct launch_arguments){parameters, extra}, false, &call));
}

/* Of the attributes only one is known here. */
EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra) {
    ENTER(NEEDS_CONTEXT, config ? config->hStream : NULL);
    if (!config || (config->numAttrs && !config->attrs)) LEAVE(SI_ERROR_INVALID_VALUE);
    bool dependent = false;
    for (unsigned int i = 0; i < config->numAttrs; i++) {
        if ((int)config->attrs[i].id != SI_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION || !option_dependent)
            LEAVE(SI_ERROR_NOT_SUPPORTED);
        dependent = config->attrs[i].value.programmaticStreamSerializationAllowed != 0;
    }
    standin_launch what = {.grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
                           .block = {config->blockDimX, config->blockDimY, config->blockDimZ},
                           .shared = config->sharedMemBytes,
                           .stream = config->hStream};
    LEAVE(launch(function, what, (struct launch_arguments){parameters, extra}, dependent, &call));
}

EXPORT CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                          unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                          unsigned int block_z, unsigned int shared, CUstream stream,
                                          void **parameters) {
    ENTER(NEEDS_CONTEXT, stream);
    standin_launch what = {
        .grid = {grid_x, grid_y, grid_z}, .block = {block_x, block_y, block_z}, .shared = shared, .stream = stream};
    what.cooperative = 1;
    LEAVE(launch(function, what, (struct launch_arguments){parameters, NULL}, false, &call));
}
