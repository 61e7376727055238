/* Graphs: what was captured, and launches of it. A launch submits copies of the nodes' operations to streams of its
 * own, the lanes, between two operations of the stream that it was launched on. */
#include <stdlib.h>
#include <string.h>

#include "core.h"

struct CUgraphExec_st {
    enum magic magic;
    CUgraphExec next;
    CUgraph graph;
    struct objects *objects; /* shared with its launches in flight */
    CUstream *lanes;
    struct waits last; /* the end of the last launch: they come one after the other */
    bool frees;        /* what the last launch has left, before it is launched again */
};

long long graphs_live;
static CUgraph graphs;
static CUgraphExec execs;

void nodes_add(struct nodes *nodes, CUgraphNode node) {
    if (nodes->count == nodes->room) {
        nodes->room = nodes->room ? nodes->room * 2 : 4;
        nodes->items = realloc(nodes->items, nodes->room * sizeof(CUgraphNode));
    }
    nodes->items[nodes->count++] = node;
}

void nodes_join(struct nodes *nodes, const struct nodes *others) {
    for (unsigned int i = 0; i < others->count; i++) {
        bool found = false;
        for (unsigned int j = 0; j < nodes->count; j++) found |= nodes->items[j] == others->items[i];
        if (!found) nodes_add(nodes, others->items[i]);
    }
}

void nodes_clear(struct nodes *nodes) {
    free(nodes->items);
    *nodes = (struct nodes){0};
}

CUgraph graph_new(void) {
    CUgraph graph = handle_new(sizeof *graph, MAGIC_GRAPH);
    graph->references = 1;
    graph->open = true;
    graph->next = graphs;
    graphs = graph;
    graphs_live++;
    return graph;
}

void graph_drop(CUgraph graph) {
    if (--graph->references) return;
    for (unsigned int i = 0; i < graph->nodes.count; i++) {
        CUgraphNode node = graph->nodes.items[i];
        struct memory *memory = node->operation->kind == OP_ALLOCATE ? memory_find(node->operation->as.memory) : NULL;
        if (memory && memory->graph == graph && memory->state != STATE_FREED) {
            memory->graph = NULL;
            if (!memory->promised) memory_free(memory); /* else it stays until somebody frees it */
        }
        operation_release(node->operation);
        free(node->operation);
        nodes_clear(&node->after);
        handle_end(node);
    }
    nodes_clear(&graph->nodes);
    handle_end(graph);
}

void graph_end(CUgraph graph) {
    for (CUgraph *at = &graphs; *at; at = &(*at)->next)
        if (*at == graph) {
            *at = graph->next;
            break;
        }
    graphs_live--;
    graph->magic = MAGIC_DEAD; /* what was instantiated keeps the nodes, not the handle */
    objects_drop(graph->objects);
    graph->objects = NULL;
    graph_drop(graph);
}

/* Nodes that follow each other share a lane; what may run at the same time does not. */
static unsigned int lane_of(CUgraph graph, CUgraphNode node) {
    for (unsigned int i = 0; i < node->after.count; i++) {
        CUgraphNode before = node->after.items[i];
        bool last = before->context == node->context;
        for (unsigned int j = before->index + 1; last && j < graph->nodes.count; j++)
            last = graph->nodes.items[j]->lane != before->lane;
        if (last) return before->lane;
    }
    return graph->lanes++;
}

void graph_append(CUstream stream, struct operation *operation) {
    CUgraph graph = stream->capture->graph;
    CUgraphNode node = handle_new(sizeof *node, MAGIC_NODE);
    node->operation = operation;
    node->context = stream->context;
    node->after = stream->tips;
    node->index = graph->nodes.count;
    node->lane = lane_of(graph, node);
    nodes_add(&graph->nodes, node);
    graph->allocates |= operation->kind == OP_ALLOCATE;
    stream->tips = (struct nodes){0};
    nodes_add(&stream->tips, node);
}

/* Is everything in front of the tips? What is not was captured in a stream that nobody has waited for since. */
bool graph_joined(CUgraph graph, const struct nodes *tips) {
    bool all = true;
    for (unsigned int i = 0; i < graph->nodes.count; i++) graph->nodes.items[i]->reached = false;
    for (unsigned int i = 0; i < tips->count; i++) tips->items[i]->reached = true;
    for (unsigned int i = graph->nodes.count; i-- > 0;) {
        CUgraphNode node = graph->nodes.items[i];
        all &= node->reached;
        for (unsigned int j = 0; j < node->after.count; j++) node->after.items[j]->reached |= node->reached;
    }
    return all;
}

EXPORT CUresult cuGraphDestroy(CUgraph graph) {
    ENTER(NEEDS_INIT, NULL);
    if (!handle_is(graph, MAGIC_GRAPH) || graph->open) LEAVE(SI_ERROR_INVALID_VALUE);
    graph_end(graph);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
    ENTER(NEEDS_INIT, NULL);
    if (!handle_is(graph, MAGIC_GRAPH) || !count) LEAVE(SI_ERROR_INVALID_VALUE);
    size_t all = graph->nodes.count;
    for (size_t i = 0; nodes && i < *count; i++) nodes[i] = i < all ? graph->nodes.items[i] : NULL;
    if (!nodes || *count > all) *count = all;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type) {
    ENTER(NEEDS_INIT, NULL);
    if (!handle_is(node, MAGIC_NODE) || !type) LEAVE(SI_ERROR_INVALID_VALUE);
    switch (node->operation->kind) {
    case OP_KERNEL: *type = SI_NODE_KERNEL; break;
    case OP_COPY: *type = SI_NODE_MEMCPY; break;
    case OP_FILL: *type = SI_NODE_MEMSET; break;
    case OP_HOST: *type = SI_NODE_HOST; break;
    case OP_ALLOCATE: *type = SI_NODE_MEM_ALLOC; break;
    case OP_FREE: *type = SI_NODE_MEM_FREE; break;
    default: *type = SI_NODE_BATCH_MEM_OP; break;
    }
    LEAVE(SI_SUCCESS);
}

/* A graph that allocates has its addresses, which only one at a time can use. */
EXPORT CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
    ENTER(NEEDS_CONTEXT, NULL);
    SAFE;
    if (!exec || !handle_is(graph, MAGIC_GRAPH) || graph->open) LEAVE(SI_ERROR_INVALID_VALUE);
    if (flags & ~(SI_INSTANTIATE_AUTO_FREE | SI_INSTANTIATE_UPLOAD | SI_INSTANTIATE_NODE_PRIORITY))
        LEAVE(SI_ERROR_NOT_SUPPORTED);
    if (graph->allocates && graph->instantiated) LEAVE(SI_ERROR_NOT_SUPPORTED);
    CUgraphExec made = handle_new(sizeof *made, MAGIC_EXEC);
    made->graph = graph;
    made->objects = objects_copy(graph->objects);
    made->frees = flags & SI_INSTANTIATE_AUTO_FREE;
    made->lanes = calloc(graph->lanes + 1, sizeof(CUstream));
    for (unsigned int i = 0; i < graph->nodes.count; i++) {
        CUgraphNode node = graph->nodes.items[i];
        if (made->lanes[node->lane]) continue;
        made->lanes[node->lane] = stream_new(node->context, LANE, 0);
        stream_keep(made->lanes[node->lane]);
    }
    made->next = execs;
    execs = made;
    graph->references++;
    graph->instantiated = true;
    graphs_live++;
    *exec = made;
    LEAVE(SI_SUCCESS);
}

static void exec_end(CUgraphExec exec) {
    for (CUgraphExec *at = &execs; *at; at = &(*at)->next)
        if (*at == exec) {
            *at = exec->next;
            break;
        }
    graphs_live--;
    for (unsigned int i = 0; i < exec->graph->lanes; i++) {
        CUstream lane = exec->lanes[i];
        bool gone = lane->destroyed; /* with its context */
        lane->destroyed = true;
        if (!gone && !lane->first) stream_end(lane);
        stream_drop(lane);
    }
    free(exec->lanes);
    waits_end(&exec->last);
    exec->graph->instantiated = false;
    objects_drop(exec->objects);
    graph_drop(exec->graph);
    handle_end(exec);
}

/* What has been launched goes on. */
EXPORT CUresult cuGraphExecDestroy(CUgraphExec exec) {
    ENTER(NEEDS_INIT, NULL);
    SAFE;
    if (!handle_is(exec, MAGIC_EXEC)) LEAVE(SI_ERROR_INVALID_VALUE);
    exec_end(exec);
    LEAVE(SI_SUCCESS);
}

void graphs_reset(void) {
    while (execs) exec_end(execs);
    while (graphs) graph_end(graphs);
}

/* Memory that the last launch left is still allocated: it has to be freed first. */
static int promise(CUgraph graph, bool frees) {
    for (int pass = 0; pass < 2; pass++)
        for (unsigned int i = 0; i < graph->nodes.count; i++) {
            const struct operation *operation = graph->nodes.items[i]->operation;
            struct memory *memory = operation->kind == OP_ALLOCATE ? memory_find(operation->as.memory) : NULL;
            if (!memory || memory->freed_within) continue;
            if (pass)
                memory->promised = true;
            else if (memory->promised && !frees)
                return SI_ERROR_INVALID_VALUE;
        }
    return SI_SUCCESS;
}

static void submit(CUgraphExec exec, CUstream stream, unsigned long long begin, void *handle) {
    CUgraph graph = exec->graph;
    unsigned long long *positions = calloc(graph->nodes.count + 1, sizeof *positions);
    struct waits ends = {0};
    for (unsigned int i = 0; i < graph->nodes.count; i++) {
        CUgraphNode node = graph->nodes.items[i];
        struct operation *operation = operation_copy(node->operation, exec->lanes[node->lane]);
        if (operation->kind == OP_KERNEL) operation->as.kernel.launch.stream = handle;
        waits_add(&operation->waits, stream, begin);
        for (unsigned int j = 0; j < node->after.count; j++) {
            CUgraphNode before = node->after.items[j];
            waits_add(&operation->waits, exec->lanes[before->lane], positions[before->index]);
        }
        positions[i] = operation_submit(operation);
    }
    for (unsigned int i = 0; i < graph->lanes; i++) waits_add(&ends, exec->lanes[i], exec->lanes[i]->submitted);
    struct operation *last = operation_behind(stream, OP_LAUNCHED, ends);
    last->as.launched.graph = graph;
    last->as.launched.objects = objects_keep(exec->objects);
    graph->references++;
    unsigned long long end = operation_submit(last);
    waits_end(&exec->last);
    waits_add(&exec->last, stream, end);
    free(positions);
}

EXPORT CUresult cuGraphLaunch(CUgraphExec exec, CUstream handle) {
    ENTER(NEEDS_CONTEXT, handle);
    CUstream stream;
    int code = stream_find(handle, &stream);
    if (!code) code = capture_implicit(stream);
    if (!code && !handle_is(exec, MAGIC_EXEC)) code = SI_ERROR_INVALID_VALUE;
    if (!code && stream->capture) code = capture_break(stream->capture, SI_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    if (!code) code = promise(exec->graph, exec->frees);
    if (code) LEAVE(code);
    struct operation *first = operation_new(stream, OP_WAIT);
    for (unsigned int i = 0; i < exec->last.count; i++)
        waits_add(&first->waits, exec->last.items[i].stream, exec->last.items[i].position);
    unsigned long long begin = operation_submit(first);
    submit(exec, stream, begin, handle);
    LEAVE(SI_SUCCESS);
}
