/* Nodes that calls add to a graph. NVIDIA's documentation leaves open when parameters are checked: here it is at the
 * call that passes them. */
#include <stdio.h>
#include <stdlib.h>

#include "graph.h"

int node_kernel(struct operation *operation, const CUDA_KERNEL_NODE_PARAMS *parameters, bool cooperative,
                struct call *call) {
    if (!parameters) return SI_ERROR_INVALID_VALUE;
    CUfunction function = parameters->func ? parameters->func : (CUfunction)parameters->kern; /* see kernel.c */
    if (!handle_is(function, MAGIC_FUNCTION)) return SI_ERROR_INVALID_VALUE;
    standin_launch launch = {
        .grid = {parameters->gridDimX, parameters->gridDimY, parameters->gridDimZ},
        .block = {parameters->blockDimX, parameters->blockDimY, parameters->blockDimZ},
        .shared = parameters->sharedMemBytes,
        .cooperative = cooperative,
    };
    launch_describe(call, function, &launch);
    if (cooperative && parameters->extra) return SI_ERROR_INVALID_VALUE;
    int code = launch_check(function, &launch);
    if (code) return code;
    *operation = (struct operation){.kind = OP_KERNEL};
    return launch_prepare(operation, function, launch,
                          (struct launch_arguments){parameters->kernelParams, parameters->extra});
}

/* The pointers are good until this thread's next call. */
EXPORT CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *parameters) {
    static _Thread_local void *pointers[DEVICE_MAX_PARAMETERS];
    ENTER(NEEDS_INIT, NULL);
    if (!node_is(node) || !parameters || node->operation->kind != OP_KERNEL) LEAVE(SI_ERROR_INVALID_VALUE);
    CUfunction function = node->operation->as.kernel.handle;
    const standin_launch *launch = &node->operation->as.kernel.launch;
    for (unsigned int i = 0; i < function->count; i++)
        pointers[i] = node->operation->as.kernel.arguments + function->parameters[i].offset;
    *parameters = (CUDA_KERNEL_NODE_PARAMS){.func = function,
                                            .gridDimX = launch->grid[0],
                                            .gridDimY = launch->grid[1],
                                            .gridDimZ = launch->grid[2],
                                            .blockDimX = launch->block[0],
                                            .blockDimY = launch->block[1],
                                            .blockDimZ = launch->block[2],
                                            .sharedMemBytes = launch->shared,
                                            .kernelParams = pointers};
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *parameters) {
    ENTER(NEEDS_INIT, NULL);
    if (!node_is(node) || !parameters || node->operation->kind != OP_COPY) LEAVE(SI_ERROR_INVALID_VALUE);
    const struct operation *operation = node->operation;
    size_t rows = operation->as.copy.rows;
    *parameters = (CUDA_MEMCPY3D){.srcMemoryType = SI_MEMORY_UNIFIED,
                                  .srcDevice = (uintptr_t)operation->as.copy.from,
                                  .dstMemoryType = SI_MEMORY_UNIFIED,
                                  .dstDevice = (uintptr_t)operation->as.copy.to,
                                  .WidthInBytes = rows ? operation->as.copy.width : operation->as.copy.size,
                                  .Height = rows ? rows : 1,
                                  .Depth = 1};
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *parameters) {
    ENTER(NEEDS_INIT, NULL);
    if (!node_is(node) || !parameters || node->operation->kind != OP_FILL) LEAVE(SI_ERROR_INVALID_VALUE);
    const struct operation *operation = node->operation;
    size_t rows = operation->as.fill.rows;
    *parameters = (CUDA_MEMSET_NODE_PARAMS){.dst = (uintptr_t)operation->as.fill.to,
                                            .pitch = operation->as.fill.pitch,
                                            .value = operation->as.fill.value,
                                            .elementSize = operation->as.fill.width,
                                            .width = operation->as.fill.count,
                                            .height = rows ? rows : 1};
    LEAVE(SI_SUCCESS);
}

/* One side of a copy; NULL if its type and its address do not fit. */
static void *side(int type, const void *host, CUdeviceptr device) {
    void *address = type == SI_MEMORY_HOST ? (void *)(uintptr_t)host : (void *)(uintptr_t)device;
    int kind = operand_of(address).kind, concurrent = 0;
    switch (type) {
    case SI_MEMORY_HOST: return kind == PLACE_DEVICE ? NULL : address;
    case SI_MEMORY_DEVICE: return kind == PAGEABLE ? NULL : address;
    case SI_MEMORY_UNIFIED:
        device_attribute(0, SI_DEVICE_CONCURRENT_MANAGED, &concurrent);
        return kind == PLACE_MANAGED && !concurrent ? NULL : address;
    default: return NULL; /* arrays, which nobody here uses */
    }
}

static size_t extent(size_t rows, size_t pitch, size_t width) { return (rows - 1) * pitch + width; }

/* Without offsets, and with one plane: nobody here uses more. CUDA takes no copy of no bytes. */
static int copy_check(const CUDA_MEMCPY3D *copy) {
    if (copy->srcXInBytes || copy->srcY || copy->srcZ || copy->srcLOD || copy->reserved0) return SI_ERROR_INVALID_VALUE;
    if (copy->dstXInBytes || copy->dstY || copy->dstZ || copy->dstLOD || copy->reserved1) return SI_ERROR_INVALID_VALUE;
    size_t width = copy->WidthInBytes, rows = copy->Height;
    if (!width || !rows || copy->Depth != 1) return SI_ERROR_INVALID_VALUE;
    if ((rows > 1 || copy->srcPitch) && copy->srcPitch < width) return SI_ERROR_INVALID_VALUE;
    if ((rows > 1 || copy->dstPitch) && copy->dstPitch < width) return SI_ERROR_INVALID_VALUE;
    if (copy->srcPitch > SI_LARGEST_PITCH || copy->dstPitch > SI_LARGEST_PITCH) return SI_ERROR_INVALID_VALUE;
    return SI_SUCCESS;
}

int node_copy(struct operation *operation, const CUDA_MEMCPY3D *parameters, CUcontext context, CUgraph graph,
              struct call *call) {
    if (!parameters) return SI_ERROR_INVALID_VALUE;
    if (!context_is(context)) return SI_ERROR_INVALID_CONTEXT;
    int code = copy_check(parameters);
    if (code) return code;
    void *to = side((int)parameters->dstMemoryType, parameters->dstHost, parameters->dstDevice);
    const void *from = side((int)parameters->srcMemoryType, parameters->srcHost, parameters->srcDevice);
    size_t width = parameters->WidthInBytes, rows = parameters->Height;
    snprintf(call->detail, sizeof call->detail, "%p %p %zu %zu", to, from, width, rows);
    if (!to || !from) return SI_ERROR_INVALID_VALUE;
    code = memory_usable(to, extent(rows, parameters->dstPitch, width), context, graph);
    if (!code) code = memory_usable(from, extent(rows, parameters->srcPitch, width), context, graph);
    if (code) return code;
    size_t pitch = parameters->dstPitch < parameters->srcPitch ? parameters->dstPitch : parameters->srcPitch;
    *operation = (struct operation){.kind = OP_COPY};
    operation->as.copy.to = to;
    operation->as.copy.from = from;
    operation->as.copy.size = extent(rows, pitch, width);
    if (rows == 1) return SI_SUCCESS;
    operation->as.copy.rows = rows;
    operation->as.copy.width = width;
    operation->as.copy.to_pitch = parameters->dstPitch;
    operation->as.copy.from_pitch = parameters->srcPitch;
    return SI_SUCCESS;
}

int node_fill(struct operation *operation, const CUDA_MEMSET_NODE_PARAMS *parameters, CUcontext context, CUgraph graph,
              struct call *call) {
    if (!parameters) return SI_ERROR_INVALID_VALUE;
    if (!context_is(context)) return SI_ERROR_INVALID_CONTEXT;
    unsigned int size = parameters->elementSize;
    size_t rows = parameters->height;
    snprintf(call->detail, sizeof call->detail, "%#llx %#x %zu %zu", (unsigned long long)parameters->dst,
             parameters->value, parameters->width, rows);
    if ((size != 1 && size != 2 && size != 4) || !parameters->width || !rows) return SI_ERROR_INVALID_VALUE;
    if (rows > 1 && (parameters->pitch < parameters->width * size || parameters->pitch % size))
        return SI_ERROR_INVALID_VALUE;
    *operation = (struct operation){.kind = OP_FILL};
    operation->as.fill.to = (void *)(uintptr_t)parameters->dst;
    operation->as.fill.count = parameters->width;
    operation->as.fill.value = parameters->value;
    operation->as.fill.width = size;
    operation->as.fill.rows = rows > 1 ? rows : 0;
    operation->as.fill.pitch = rows > 1 ? parameters->pitch : 0;
    return fill_check(operation, context, graph);
}

int node_event(struct operation *operation, enum kind kind, CUevent event, struct call *call) {
    snprintf(call->detail, sizeof call->detail, "%p", (void *)event);
    if (!handle_is(event, MAGIC_EVENT)) return SI_ERROR_INVALID_VALUE;
    *operation = (struct operation){.kind = kind};
    if (kind == OP_RECORD)
        operation->as.record.event = event;
    else
        operation->as.wait.event = event;
    event->references++;
    return SI_SUCCESS;
}

/* Where a node goes: the call's first arguments. */
struct place_in_graph {
    CUgraphNode *node;
    CUgraph graph;
    const CUgraphNode *after;
    size_t count;
};

/* A graph that is being captured gets nodes from its streams alone: nobody here mixes the two. */
static int place_check(const struct place_in_graph *place) {
    if (!place->node || !handle_is(place->graph, MAGIC_GRAPH)) return SI_ERROR_INVALID_VALUE;
    if (place->graph->open) return SI_ERROR_NOT_SUPPORTED;
    if (place->count && !place->after) return SI_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < place->count; i++) {
        if (!node_is(place->after[i]) || place->after[i]->graph != place->graph) return SI_ERROR_INVALID_VALUE;
        for (size_t j = 0; j < i; j++)
            if (place->after[j] == place->after[i]) return SI_ERROR_INVALID_VALUE;
    }
    return SI_SUCCESS;
}

static void add(const struct place_in_graph *place, CUcontext context, const struct operation *operation) {
    struct operation *kept = malloc(sizeof *kept);
    struct nodes after = {0};
    *kept = *operation;
    for (size_t i = 0; i < place->count; i++) nodes_add(&after, place->after[i]);
    *place->node = node_new(place->graph, context, after, kept);
}

#define ENTER_PLACE                                                  \
    ENTER(NEEDS_CONTEXT, NULL);                                      \
    const struct place_in_graph place = {node, graph, after, count}; \
    struct operation operation;                                      \
    int code = place_check(&place);                                  \
    if (code) LEAVE(code)

EXPORT CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                        const CUDA_KERNEL_NODE_PARAMS *parameters) {
    ENTER_PLACE;
    code = node_kernel(&operation, parameters, false, &call);
    if (!code) add(&place, operation.as.kernel.module->context, &operation);
    LEAVE(code);
}

/* A node that has come after nothing so far joins the lane of the node that it comes after now. */
static void join_lane(CUgraph graph, CUgraphNode from, CUgraphNode to) {
    if (to->after.count || to->context != from->context || to->lane + 1 != graph->lanes) return;
    for (unsigned int i = from->index + 1; i < graph->nodes.count; i++)
        if (graph->nodes.items[i] != to && graph->nodes.items[i]->lane == from->lane) return;
    to->lane = from->lane;
    graph->lanes--;
}

/* Each comes after earlier ones only: nobody here adds them otherwise. */
EXPORT CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                          const CUgraphEdgeData *edges, size_t count) {
    ENTER(NEEDS_INIT, NULL);
    if (!handle_is(graph, MAGIC_GRAPH) || graph->open || (count && (!from || !to))) LEAVE(SI_ERROR_INVALID_VALUE);
    for (size_t i = 0; i < count; i++) {
        if (!node_is(from[i]) || !node_is(to[i]) || from[i]->graph != graph || to[i]->graph != graph)
            LEAVE(SI_ERROR_INVALID_VALUE);
        if (from[i]->index >= to[i]->index) LEAVE(SI_ERROR_INVALID_VALUE);
        const struct operation *before = from[i]->operation;
        struct operation *operation = to[i]->operation;
        bool plain = !edges || (!edges[i].from_port && !edges[i].to_port && !edges[i].type);
        if (!plain) {
            if (!option_dependent) LEAVE(SI_ERROR_NOT_SUPPORTED);
            if (edges[i].from_port != SI_PORT_PROGRAMMATIC || edges[i].to_port || edges[i].type != SI_EDGE_PROGRAMMATIC)
                LEAVE(SI_ERROR_INVALID_VALUE);
            if (before->kind != OP_KERNEL || operation->kind != OP_KERNEL) LEAVE(SI_ERROR_INVALID_VALUE);
            operation->dependent = true;
            dependent_check(operation, before->as.kernel.waits);
        }
        join_lane(graph, from[i], to[i]);
        nodes_add(&to[i]->after, from[i]);
    }
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                     const CUDA_MEMCPY3D *parameters, CUcontext context) {
    ENTER_PLACE;
    code = node_copy(&operation, parameters, context, graph, &call);
    if (!code) add(&place, context, &operation);
    LEAVE(code);
}

EXPORT CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                     const CUDA_MEMSET_NODE_PARAMS *parameters, CUcontext context) {
    ENTER_PLACE;
    code = node_fill(&operation, parameters, context, graph, &call);
    if (!code) add(&place, context, &operation);
    LEAVE(code);
}

EXPORT CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                   const CUDA_HOST_NODE_PARAMS *parameters) {
    ENTER_PLACE;
    if (!parameters || !parameters->fn) LEAVE(SI_ERROR_INVALID_VALUE);
    operation = (struct operation){.kind = OP_HOST};
    operation.as.host.function = parameters->fn;
    operation.as.host.data = parameters->userData;
    add(&place, current, &operation);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count) {
    ENTER_PLACE;
    operation = (struct operation){.kind = OP_WAIT};
    add(&place, current, &operation);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                          CUevent event) {
    ENTER_PLACE;
    code = node_event(&operation, OP_RECORD, event, &call);
    if (!code) add(&place, event->context, &operation);
    LEAVE(code);
}

EXPORT CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                        CUevent event) {
    ENTER_PLACE;
    code = node_event(&operation, OP_WAIT, event, &call);
    if (!code) add(&place, current, &operation);
    LEAVE(code);
}
