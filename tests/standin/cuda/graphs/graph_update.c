/* Updates of executable graphs: later launches run with the new parameters. Launches in flight have copies of the old
 * ones. */
#include "graph.h"

/* A node's handle ends with its graph. A node that was added after the instantiation is not part of it. */
static int find(struct call *call, CUgraphExec exec, CUgraphNode node, enum kind kind, struct operation **operation) {
    if (!handle_is(exec, MAGIC_EXEC)) return SI_ERROR_INVALID_VALUE;
    if (!node_is(node)) {
        if (node) report("%s was called for a node whose graph was destroyed", call->name);
        return SI_ERROR_INVALID_VALUE;
    }
    if (node->graph != exec->graph || node->index >= exec->count) return SI_ERROR_INVALID_VALUE;
    *operation = exec->operations[node->index];
    return (*operation)->kind == kind ? SI_SUCCESS : SI_ERROR_INVALID_VALUE;
}

static void replace(struct operation *operation, const struct operation *update) {
    bool dependent = operation->dependent; /* its edge stays */
    operation_release(operation);
    *operation = *update;
    operation->dependent = dependent;
}

static bool same(struct operand operand, const void *address) {
    struct operand update = operand_of(address);
    return operand.kind == update.kind && operand.context == update.context;
}

EXPORT CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                                  const CUDA_KERNEL_NODE_PARAMS *parameters) {
    ENTER(NEEDS_CONTEXT, NULL);
    struct operation *operation, update;
    int code = find(&call, exec, node, OP_KERNEL, &operation);
    if (!code) code = node_kernel(&update, parameters, operation->as.kernel.launch.cooperative, &call);
    if (code) LEAVE(code);
    if (update.as.kernel.module->context != node->context) { /* a function of another context */
        operation_release(&update);
        LEAVE(SI_ERROR_INVALID_VALUE);
    }
    replace(operation, &update);
    LEAVE(SI_SUCCESS);
}

/* Of one row each, and between the same kinds of memory of the same contexts. */
EXPORT CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *parameters,
                                               CUcontext context) {
    ENTER(NEEDS_CONTEXT, NULL);
    struct operation *operation, update;
    int code = find(&call, exec, node, OP_COPY, &operation);
    if (!code) code = node_copy(&update, parameters, context, exec->graph, &call);
    if (code) LEAVE(code);
    if (operation->as.copy.rows || update.as.copy.rows || context != node->context) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!same(node->to, update.as.copy.to) || !same(node->from, update.as.copy.from)) LEAVE(SI_ERROR_INVALID_VALUE);
    replace(operation, &update);
    LEAVE(SI_SUCCESS);
}

/* CUDA may refuse another width or element size of one row too, depending on how it has planned the node: standin_fail shows
 * that to a test. */
EXPORT CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                               const CUDA_MEMSET_NODE_PARAMS *parameters, CUcontext context) {
    ENTER(NEEDS_CONTEXT, NULL);
    struct operation *operation, update;
    int code = find(&call, exec, node, OP_FILL, &operation);
    if (!code) code = node_fill(&update, parameters, context, exec->graph, &call);
    if (code) LEAVE(code);
    bool differs = operation->as.fill.count != update.as.fill.count ||
                   operation->as.fill.width != update.as.fill.width ||
                   operation->as.fill.pitch != update.as.fill.pitch;
    if (operation->as.fill.rows != update.as.fill.rows || (operation->as.fill.rows && differs))
        LEAVE(SI_ERROR_INVALID_VALUE);
    if (context != node->context || !same(node->to, update.as.fill.to)) LEAVE(SI_ERROR_INVALID_VALUE);
    replace(operation, &update);
    LEAVE(SI_SUCCESS);
}

static int set_event(struct call *call, CUgraphExec exec, CUgraphNode node, enum kind kind, CUevent event) {
    struct operation *operation, update;
    int code = find(call, exec, node, kind, &operation);
    if (!code && kind == OP_WAIT && !operation->as.wait.event) code = SI_ERROR_INVALID_VALUE; /* an empty node */
    if (!code) code = node_event(&update, kind, event, call);
    if (!code) replace(operation, &update);
    return code;
}

EXPORT CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
    ENTER(NEEDS_CONTEXT, NULL);
    LEAVE(set_event(&call, exec, node, OP_RECORD, event));
}

EXPORT CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
    ENTER(NEEDS_CONTEXT, NULL);
    LEAVE(set_event(&call, exec, node, OP_WAIT, event));
}
