/* Graphs: what the nodes of executable graphs do, so that each run has a record of each node. */
#ifndef LAUNCHPATH_RECORDER_CUDA_GRAPHS_H
#define LAUNCHPATH_RECORDER_CUDA_GRAPHS_H

#include "payload.h"

enum { GRAPH_DEPTH = 16 }; /* of graphs in one another */

typedef struct {
    void *node; /* of the graph that it was made of */
    payload what;
    int enabled, excluded;
} cuda_node;

typedef struct {
    uint32_t number; /* no other graph of the process has it */
    uint32_t runs;
    uint32_t n, room;
    uint32_t unknown; /* nodes whose number of runs only the device knows, or that a call has changed in a way not understood */
    cuda_node *nodes;
} cuda_graph;

static handle_table cuda_graphs; /* an executable graph: its cuda_graph */
static uint32_t cuda_graphs_made;

static void graph_kernel_payload(cuda_node *into, const cuda_kernel_node *node, int with_kernel) {
    const cuda_kernel *kernel = cuda_kernel_of(node->function || !with_kernel ? node->function : node->kernel);
    into->what.command = COMMAND_LAUNCH, into->what.name = kernel->name, into->excluded = kernel->excluded;
    into->what.shared = node->shared;
    memcpy(into->what.of.launch.grid, node->grid, sizeof node->grid);
    memcpy(into->what.of.launch.block, node->block, sizeof node->block);
}

static void graph_copy_payload(cuda_node *into, const cuda_box *box) {
    memset(&into->what, 0, sizeof into->what);
    into->what.command = box->height * box->depth > 1 ? COMMAND_ROWS : COMMAND_COPY;
    cuda_box_payload(&into->what, box);
}

static void graph_fill_payload(cuda_node *into, const cuda_fill_node *fill) {
    memset(&into->what, 0, sizeof into->what);
    into->what.command = COMMAND_FILL;
    into->what.of.copy.bytes = (uint64_t)fill->element * fill->width * (fill->height ? fill->height : 1);
    into->what.of.copy.to = fill->to;
}

static int graph_node_read(cuda_graph *graph, void *handle, int type, int depth);

static void graph_read(cuda_graph *graph, void *handle, int depth) {
    size_t n = 0, i;
    void **nodes = 0;
    int type;
    if (cuda.call.cuGraphGetNodes == 0 || cuda.call.cuGraphGetNodes(handle, 0, &n)) {
        graph->unknown += 1;
        return;
    }
    nodes = n ? (void **)malloc(n * sizeof *nodes) : 0;
    if (nodes == 0 || cuda.call.cuGraphGetNodes(handle, nodes, &n)) graph->unknown += n != 0, n = 0;
    for (i = 0; i < n; i++)
        if (cuda.call.cuGraphNodeGetType == 0 || cuda.call.cuGraphNodeGetType(nodes[i], &type) || !graph_node_read(graph, nodes[i], type, depth))
            graph->unknown += 1;
    free(nodes);
}

/* Add a node, and those of a graph in it; 0: it is not understood. */
static int graph_node_read(cuda_graph *graph, void *handle, int type, int depth) {
    cuda_node node = {.node = handle, .enabled = 1};
    cuda_kernel_node kernel = {0};
    cuda_box box = {0};
    cuda_fill_node fill = {0};
    void *child = 0, *grown;
    switch (type) {
    case CUDA_NODE_KERNEL:
        if (cuda.call.cuGraphKernelNodeGetParams_v2 == 0 || cuda.call.cuGraphKernelNodeGetParams_v2(handle, &kernel)) return 0;
        graph_kernel_payload(&node, &kernel, 1);
        break;
    case CUDA_NODE_COPY:
        if (cuda.call.cuGraphMemcpyNodeGetParams == 0 || cuda.call.cuGraphMemcpyNodeGetParams(handle, &box)) return 0;
        graph_copy_payload(&node, &box);
        break;
    case CUDA_NODE_FILL:
        if (cuda.call.cuGraphMemsetNodeGetParams == 0 || cuda.call.cuGraphMemsetNodeGetParams(handle, &fill)) return 0;
        graph_fill_payload(&node, &fill);
        break;
    case CUDA_NODE_GRAPH:
        if (depth == 0 || cuda.call.cuGraphChildGraphNodeGetGraph == 0 || cuda.call.cuGraphChildGraphNodeGetGraph(handle, &child)) return 0;
        graph_read(graph, child, depth - 1);
        return 1;
    default:
        return type != CUDA_NODE_CONDITIONAL; /* events, host functions, allocations: no commands */
    }
    if (graph->n == graph->room) {
        graph->room = graph->room ? 2 * graph->room : 16;
        grown = realloc(graph->nodes, graph->room * sizeof node);
        if (grown == 0) return 0;
        graph->nodes = (cuda_node *)grown;
    }
    graph->nodes[graph->n++] = node;
    return 1;
}

static cuda_graph *cuda_graph_of(void *executable) { return (cuda_graph *)(uintptr_t)handle_find(&cuda_graphs, (uint64_t)(uintptr_t)executable); }

/* An executable graph was made of a graph, or was changed to one. */
static void cuda_graph_begins(void *executable, void *handle) {
    cuda_graph *graph, *before = cuda_graph_of(executable);
    if (!options.on || process_ring() == 0) return;
    graph = (cuda_graph *)calloc(1, sizeof *graph);
    if (graph == 0) return;
    graph->number = before ? before->number : __atomic_add_fetch(&cuda_graphs_made, 1, __ATOMIC_RELAXED);
    graph->runs = before ? before->runs : 0;
    graph_read(graph, handle, GRAPH_DEPTH);
    handle_set(&cuda_graphs, (uint64_t)(uintptr_t)executable, (uint64_t)(uintptr_t)graph);
    if (before) free(before->nodes), free(before); /* CUDA allows no launch of it at the same time */
}

static void cuda_graph_ends(void *executable) {
    cuda_graph *graph = cuda_graph_of(executable);
    if (graph == 0) return;
    handle_set(&cuda_graphs, (uint64_t)(uintptr_t)executable, 0);
    free(graph->nodes);
    free(graph);
}

static cuda_node *cuda_node_of(void *executable, void *node) {
    cuda_graph *graph = cuda_graph_of(executable);
    uint32_t i;
    for (i = 0; graph && i < graph->n; i++)
        if (graph->nodes[i].node == node) return &graph->nodes[i];
    return 0;
}

static void cuda_graph_kernel(void *executable, void *node, const cuda_kernel_node *values, int with_kernel) {
    cuda_node *known = cuda_node_of(executable, node);
    if (known) graph_kernel_payload(known, values, with_kernel);
}

static void cuda_graph_copy(void *executable, void *node, const cuda_box *box) {
    cuda_node *known = cuda_node_of(executable, node);
    if (known) graph_copy_payload(known, box);
}

static void cuda_graph_fill(void *executable, void *node, const cuda_fill_node *fill) {
    cuda_node *known = cuda_node_of(executable, node);
    if (known) graph_fill_payload(known, fill);
}

static void cuda_graph_enable(void *executable, void *node, unsigned int enabled) {
    cuda_node *known = cuda_node_of(executable, node);
    if (known) known->enabled = enabled != 0;
}

static void cuda_graph_unknown(void *executable) {
    cuda_graph *graph = cuda_graph_of(executable);
    if (graph) graph->unknown += 1;
}

/* Write a record of each node that runs. */
static void cuda_graph_nodes_write(lp_records *ring, int entry, cuda_graph *graph, uint64_t begin, uint64_t end, place at) {
    uint32_t i;
    graph->runs += 1;
    if (graph->unknown) lp_add(&lp_trace.header->counters.not_understood, graph->unknown);
    for (i = 0; i < graph->n; i++) {
        const cuda_node *node = &graph->nodes[i];
        if (!node->enabled) continue;
        if (node->excluded) {
            lp_add(&lp_trace.header->counters.excluded, 1);
            continue;
        }
        node_write(ring, (uint16_t)(cuda.first + entry), begin, end, &node->what, at, graph->number, i, graph->runs);
    }
}

static int cuda_graph_launch(int entry, void *executable, void *stream, int own) {
    int (*real)(void *, void *) = (int (*)(void *, void *))cuda_real(entry);
    lp_records *ring;
    cuda_graph *graph;
    uint64_t begin, end;
    int code;
    place at;
    if (real == 0) return CUDA_NOT_FOUND;
    ring = process_ring();
    if (ring == 0) return real(executable, stream);
    begin = call_begins(ring, (uint16_t)(cuda.first + entry));
    code = real(executable, stream);
    end = lp_ticks();
    at = cuda_place(ring, stream, own);
    graph = cuda_graph_of(executable);
    call_write(ring, (uint16_t)(cuda.first + entry), begin, end, code, code != 0, graph ? graph->n : 0, at);
    if (code == 0 && !cuda_captured(stream, own)) {
        if (graph) cuda_graph_nodes_write(ring, entry, graph, begin, end, at);
        else not_understood(); /* it was made before the trace */
    }
    return code;
}

EXPORT int cuGraphLaunch(void *executable, void *stream) { return cuda_graph_launch(E_cuGraphLaunch, executable, stream, 0); }
EXPORT int cuGraphLaunch_ptsz(void *executable, void *stream) { return cuda_graph_launch(E_cuGraphLaunch_ptsz, executable, stream, 1); }

#endif
