/* Graphs and their nodes. Captures append nodes (capture.c), and so do calls (graph_node.c). */
#include <stdlib.h>

#include "../core.h"

long long graphs_live, nodes_live;
static CUgraph graphs;

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
    nodes_live -= graph->nodes.count;
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

struct operand operand_of(const void *address) {
    const struct memory *memory = memory_find((uintptr_t)address);
    if (!memory) return (struct operand){PAGEABLE, NULL};
    bool host = memory->place == PLACE_PINNED || memory->place == PLACE_MANAGED;
    return (struct operand){host ? (int)memory->place : PLACE_DEVICE, memory->context};
}

CUgraphNode node_new(CUgraph graph, CUcontext context, struct nodes after, struct operation *operation) {
    CUgraphNode node = handle_new(sizeof *node, MAGIC_NODE);
    node->graph = graph;
    node->operation = operation;
    node->context = context;
    node->after = after;
    if (operation->kind == OP_COPY) {
        node->to = operand_of(operation->as.copy.to);
        node->from = operand_of(operation->as.copy.from);
    } else if (operation->kind == OP_FILL)
        node->to = operand_of(operation->as.fill.to);
    node->index = graph->nodes.count;
    node->lane = lane_of(graph, node);
    nodes_add(&graph->nodes, node);
    nodes_live++;
    return node;
}

bool node_is(CUgraphNode node) { return handle_is(node, MAGIC_NODE) && handle_is(node->graph, MAGIC_GRAPH); }

void graph_append(CUstream stream, struct operation *operation) {
    CUgraph graph = stream->capture->graph;
    CUgraphNode node = node_new(graph, stream->context, stream->tips, operation);
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

EXPORT CUresult cuGraphCreate(CUgraph *graph, unsigned int flags) {
    ENTER(NEEDS_INIT, NULL);
    if (!graph || flags) LEAVE(SI_ERROR_INVALID_VALUE);
    *graph = graph_new();
    (*graph)->open = false;
    LEAVE(SI_SUCCESS);
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
    if (!node_is(node) || !type) LEAVE(SI_ERROR_INVALID_VALUE);
    switch (node->operation->kind) {
    case OP_KERNEL: *type = SI_NODE_KERNEL; break;
    case OP_COPY: *type = SI_NODE_MEMCPY; break;
    case OP_FILL: *type = SI_NODE_MEMSET; break;
    case OP_HOST: *type = SI_NODE_HOST; break;
    case OP_WAIT: *type = node->operation->as.wait.event ? SI_NODE_WAIT_EVENT : SI_NODE_EMPTY; break;
    case OP_RECORD: *type = SI_NODE_EVENT_RECORD; break;
    case OP_ALLOCATE: *type = SI_NODE_MEM_ALLOC; break;
    case OP_FREE: *type = SI_NODE_MEM_FREE; break;
    default: *type = SI_NODE_BATCH_MEM_OP; break;
    }
    LEAVE(SI_SUCCESS);
}

void graphs_reset(void) {
    execs_reset();
    while (graphs) graph_end(graphs);
}
