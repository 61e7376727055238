/* Executable graphs. A launch submits copies of the nodes' operations to streams of the executable graph's own, the
 * lanes, between two operations of the stream that it was launched on. */
#include <stdlib.h>

#include "graph.h"

static CUgraphExec execs;
static unsigned int numbers; /* of executable graphs: the newest */

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
    made->count = graph->nodes.count;
    made->number = ++numbers;
    made->lane_count = graph->lanes;
    made->operations = calloc(made->count + 1, sizeof *made->operations);
    made->lanes = calloc(made->lane_count + 1, sizeof(CUstream));
    for (unsigned int i = 0; i < made->count; i++) {
        CUgraphNode node = graph->nodes.items[i];
        made->operations[i] = operation_copy(node->operation, NULL);
        profile_cloned(&made->operations[i], node, (uint64_t)made->number << 32 | i);
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
    for (unsigned int i = 0; i < exec->count; i++) {
        operation_release(exec->operations[i]);
        free(exec->operations[i]);
    }
    free(exec->operations);
    for (unsigned int i = 0; i < exec->lane_count; i++) {
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

void execs_reset(void) {
    while (execs) exec_end(execs);
}

/* Memory that the last launch left is still allocated: it has to be freed first. */
static int promise(CUgraphExec exec) {
    for (int pass = 0; pass < 2; pass++)
        for (unsigned int i = 0; i < exec->count; i++) {
            const struct operation *operation = exec->operations[i];
            struct memory *memory = operation->kind == OP_ALLOCATE ? memory_find(operation->as.memory) : NULL;
            if (!memory || memory->freed_within) continue;
            if (pass)
                memory->promised = true;
            else if (memory->promised && !exec->frees)
                return SI_ERROR_INVALID_VALUE;
        }
    return SI_SUCCESS;
}

static int check_events(CUgraphExec exec) {
    for (unsigned int i = 0; i < exec->count; i++) {
        const struct operation *operation = exec->operations[i];
        bool records = operation->kind == OP_RECORD, waits = operation->kind == OP_WAIT && operation->as.wait.event;
        CUevent event = records ? operation->as.record.event : waits ? operation->as.wait.event : NULL;
        if (event && !handle_is(event, MAGIC_EVENT)) {
            report("a graph was launched after an event of its nodes was destroyed");
            return SI_ERROR_INVALID_VALUE;
        }
        int code = waits ? event_captured(event) : SI_SUCCESS;
        if (code) return code;
    }
    return SI_SUCCESS;
}

/* The launch's own copies. All waits for events are resolved before any event of this launch is recorded: a wait node
 * waits for the record before the launch, never for a record node of the same launch. */
static struct operation **launched(CUgraphExec exec, void *handle) {
    struct operation **operations = calloc(exec->count + 1, sizeof *operations);
    for (unsigned int i = 0; i < exec->count; i++) {
        CUgraphNode node = exec->graph->nodes.items[i];
        struct operation *operation = operation_copy(exec->operations[i], exec->lanes[node->lane]);
        CUevent event = operation->kind == OP_WAIT ? operation->as.wait.event : NULL;
        if (event && event->recorded) waits_add(&operation->waits, event->stream, event->position);
        if (operation->kind == OP_KERNEL) operation->as.kernel.launch.stream = handle;
        operation->node = (uint64_t)exec->number << 32 | i;
        operations[i] = operation;
    }
    return operations;
}

static void submit(CUgraphExec exec, CUstream stream, unsigned long long begin, void *handle) {
    CUgraph graph = exec->graph;
    struct operation **operations = launched(exec, handle);
    unsigned long long *positions = calloc(exec->count + 1, sizeof *positions);
    struct waits ends = {0};
    for (unsigned int i = 0; i < exec->count; i++) {
        CUgraphNode node = graph->nodes.items[i];
        struct operation *operation = operations[i];
        waits_add(&operation->waits, stream, begin);
        for (unsigned int j = 0; j < node->after.count; j++) {
            CUgraphNode before = node->after.items[j];
            waits_add(&operation->waits, exec->lanes[before->lane], positions[before->index]);
        }
        if (operation->kind == OP_RECORD) event_record(operation->as.record.event, operation);
        positions[i] = operation_submit(operation);
    }
    for (unsigned int i = 0; i < exec->lane_count; i++) waits_add(&ends, exec->lanes[i], exec->lanes[i]->submitted);
    struct operation *last = operation_behind(stream, OP_LAUNCHED, ends);
    last->as.launched.graph = graph;
    last->as.launched.objects = objects_keep(exec->objects);
    graph->references++;
    unsigned long long end = operation_submit(last);
    waits_end(&exec->last);
    waits_add(&exec->last, stream, end);
    free(positions);
    free(operations);
}

static int take(CUgraphExec exec, CUstream handle, CUstream *stream) {
    int code = stream_find(handle, stream);
    if (!code) code = capture_implicit(*stream);
    if (!code && !handle_is(exec, MAGIC_EXEC)) code = SI_ERROR_INVALID_VALUE;
    if (!code && (*stream)->capture) code = capture_break((*stream)->capture, SI_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    return code;
}

/* After what the stream has, and after what was launched or uploaded before; its position. */
static unsigned long long begin(CUgraphExec exec, CUstream stream) {
    struct operation *operation = operation_new(stream, OP_WAIT);
    for (unsigned int i = 0; i < exec->last.count; i++)
        waits_add(&operation->waits, exec->last.items[i].stream, exec->last.items[i].position);
    return operation_submit(operation);
}

EXPORT CUresult cuGraphLaunch(CUgraphExec exec, CUstream handle) {
    ENTER(NEEDS_CONTEXT, handle);
    CUstream stream;
    int code = take(exec, handle, &stream);
    if (!code) code = check_events(exec);
    if (!code) code = promise(exec);
    if (code) LEAVE(code);
    submit(exec, stream, begin(exec, stream), handle);
    LEAVE(SI_SUCCESS);
}

/* There is nothing to upload here, but its order is kept. */
EXPORT CUresult cuGraphUpload(CUgraphExec exec, CUstream handle) {
    ENTER(NEEDS_CONTEXT, handle);
    CUstream stream;
    int code = take(exec, handle, &stream);
    if (code) LEAVE(code);
    unsigned long long position = begin(exec, stream);
    waits_end(&exec->last);
    waits_add(&exec->last, stream, position);
    LEAVE(SI_SUCCESS);
}
