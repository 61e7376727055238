/* Graphs: what the nodes of executable graphs do, so that each run has a record of each node. */
#ifndef LAUNCHPATH_RECORDER_CUDA_GRAPHS_H
#define LAUNCHPATH_RECORDER_CUDA_GRAPHS_H

#include "node_ids.h"
#include "payload.h"

enum { GRAPH_DEPTH = 16 }; /* of graphs in one another */

typedef struct {
    void *node; /* of the graph that it was made of */
    payload what;
    int enabled, excluded;
} cuda_node;

typedef struct {
    uint64_t holds;  /* by its executable graph, and by runs that have not ended */
    uint32_t number; /* no other graph of the process has it */
    uint32_t runs;
    uint32_t n, room;
    uint32_t unknown; /* nodes whose number of runs only the device knows, or that a call has changed in a way not understood */
    cuda_node *nodes; /* change only while nothing else holds the graph: see `cuda_graph_to_change` */
    node_ids ids;     /* of CUPTI */
} cuda_graph;

static handle_table cuda_graphs; /* an executable graph: its cuda_graph */
static uint32_t cuda_graphs_read;

static inline void cuda_graph_hold(cuda_graph *graph) { lp_add(&graph->holds, 1); }

static void cuda_graph_release(cuda_graph *graph) {
    if (lp_add(&graph->holds, -1)) return;
    node_ids_end(&graph->ids);
    free(graph->nodes);
    free(graph);
}

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

static int graph_node_read(cuda_graph *graph, void *handle, int type);

static void graph_read(cuda_graph *graph, void *handle, int depth) {
    size_t n = 0, i;
    void **nodes = 0, *child = 0;
    int type;
    if (cuda.call.cuGraphGetNodes == 0 || cuda.call.cuGraphGetNodes(handle, 0, &n)) {
        graph->unknown += 1;
        return;
    }
    nodes = n ? (void **)malloc(n * sizeof *nodes) : 0;
    if (nodes == 0 || cuda.call.cuGraphGetNodes(handle, nodes, &n)) graph->unknown += n != 0, n = 0;
    /* Nodes of graphs in this one come after its own: so the driver numbers them. */
    for (i = 0; i < n; i++)
        if (cuda.call.cuGraphNodeGetType == 0 || cuda.call.cuGraphNodeGetType(nodes[i], &type)) graph->unknown += 1, nodes[i] = 0;
        else if (type != CUDA_NODE_GRAPH) graph->unknown += !graph_node_read(graph, nodes[i], type), nodes[i] = 0;
    for (i = 0; i < n; i++)
        if (nodes[i] == 0) continue;
        else if (depth && cuda.call.cuGraphChildGraphNodeGetGraph && cuda.call.cuGraphChildGraphNodeGetGraph(nodes[i], &child) == 0)
            graph_read(graph, child, depth - 1);
        else graph->unknown += 1;
    free(nodes);
}

/* Add a node; 0: it is not understood. */
static int graph_node_read(cuda_graph *graph, void *handle, int type) {
    cuda_node node = {.node = handle, .enabled = 1};
    cuda_kernel_node kernel = {0};
    cuda_box box = {0};
    cuda_fill_node fill = {0};
    void *grown;
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

/* Learn the ids of a new executable graph's nodes from what CUPTI has told on this thread. */
static void cuda_graph_clones_read(cuda_graph *graph) {
    uint32_t i;
    for (i = 0; i < graph->n; i++) node_id_cloned(&graph->ids, i, graph->nodes[i].node);
    clones_end();
}

/* An executable graph was made of a graph, or was changed to one. */
static void cuda_graph_begins(void *executable, void *handle) {
    cuda_graph *graph, *before = cuda_graph_of(executable);
    if (!options.on || process_ring() == 0) return;
    graph = (cuda_graph *)calloc(1, sizeof *graph);
    if (graph == 0) return;
    graph->holds = 1;
    graph->number = before ? before->number : __atomic_add_fetch(&cuda_graphs_read, 1, __ATOMIC_RELAXED);
    graph->runs = before ? before->runs : 0;
    graph_read(graph, handle, GRAPH_DEPTH);
    if (before) node_ids_copy(&graph->ids, &before->ids);
    else cuda_graph_clones_read(graph);
    handle_set(&cuda_graphs, (uint64_t)(uintptr_t)executable, (uint64_t)(uintptr_t)graph);
    if (before) cuda_graph_release(before); /* CUDA allows no launch of it at the same time */
}

static void cuda_graph_ends(void *executable) {
    cuda_graph *graph = cuda_graph_of(executable);
    if (graph == 0) return;
    handle_set(&cuda_graphs, (uint64_t)(uintptr_t)executable, 0);
    cuda_graph_release(graph);
}

/* An executable graph's own cuda_graph, which no run in flight reads; NULL: none is known. */
static cuda_graph *cuda_graph_to_change(void *executable) {
    cuda_graph *graph = cuda_graph_of(executable), *copy;
    if (graph == 0 || lp_load(&graph->holds) == 1) return graph;
    copy = (cuda_graph *)malloc(sizeof *copy);
    if (copy == 0) return 0;
    *copy = *graph, copy->holds = 1, copy->room = graph->n;
    copy->nodes = (cuda_node *)malloc((graph->n + 1) * sizeof *copy->nodes);
    memset(&copy->ids, 0, sizeof copy->ids);
    if (copy->nodes == 0) {
        free(copy);
        return 0;
    }
    memcpy(copy->nodes, graph->nodes, graph->n * sizeof *copy->nodes);
    node_ids_copy(&copy->ids, &graph->ids);
    handle_set(&cuda_graphs, (uint64_t)(uintptr_t)executable, (uint64_t)(uintptr_t)copy);
    cuda_graph_release(graph);
    return copy;
}

static cuda_node *cuda_node_of(void *executable, void *node) {
    cuda_graph *graph = cuda_graph_to_change(executable);
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
    cuda_graph *graph = cuda_graph_to_change(executable);
    if (graph) graph->unknown += 1;
}

#endif
