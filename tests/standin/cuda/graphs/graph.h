/* What the files of graphs share: executable graphs, and the operations of nodes that calls describe. */
#ifndef STANDIN_GRAPH_H
#define STANDIN_GRAPH_H

#include "../core.h"

/* graph_exec.c */
struct CUgraphExec_st {
    enum magic magic;
    CUgraphExec next;
    CUgraph graph;
    unsigned int count, lane_count; /* of the graph when it was instantiated: later nodes are not part of it */
    struct operation **operations;  /* what the next launch runs copies of; updates replace them */
    struct objects *objects;        /* shared with its launches in flight */
    CUstream *lanes;
    unsigned int number; /* no other one had it: the high half of its nodes' ids */
    struct waits last; /* the end of the last launch: they come one after the other */
    bool frees;        /* what the last launch has left, before it is launched again */
};

/* graph_node.c: each makes an operation of a node's parameters, or returns a code. The operation has references of its
 * own, which operation_release drops. */
int node_kernel(struct operation *operation, const CUDA_KERNEL_NODE_PARAMS *parameters, bool cooperative,
                struct call *call);
int node_copy(struct operation *operation, const CUDA_MEMCPY3D *parameters, CUcontext context, CUgraph graph,
              struct call *call);
int node_fill(struct operation *operation, const CUDA_MEMSET_NODE_PARAMS *parameters, CUcontext context, CUgraph graph,
              struct call *call);
int node_event(struct operation *operation, enum kind kind, CUevent event, struct call *call);

#endif
