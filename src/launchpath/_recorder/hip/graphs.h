/* Graphs: their numbers, and how often they have run. What their nodes are only the device's work tells. */
#ifndef LAUNCHPATH_RECORDER_HIP_GRAPHS_H
#define LAUNCHPATH_RECORDER_HIP_GRAPHS_H

#include "real.h"

typedef struct {
    uint32_t number; /* no other graph of the process has it */
    uint32_t runs;
} hip_graph;

static handle_table hip_graphs; /* an executable graph: its hip_graph */
static uint32_t hip_graphs_made;

/* Note another run of a graph. */
static void hip_graph_runs(void *executable, hip_call *call) {
    hip_graph *graph = (hip_graph *)(uintptr_t)handle_find(&hip_graphs, (uint64_t)(uintptr_t)executable);
    if (graph == 0 && executable && (graph = (hip_graph *)calloc(1, sizeof *graph)) != 0) {
        graph->number = __atomic_add_fetch(&hip_graphs_made, 1, __ATOMIC_RELAXED);
        handle_set(&hip_graphs, (uint64_t)(uintptr_t)executable, (uint64_t)(uintptr_t)graph);
    }
    if (graph) call->graph = graph->number, call->run = __atomic_add_fetch(&graph->runs, 1, __ATOMIC_RELAXED);
}

static void hip_graph_ends(void *executable) {
    if (executable) handle_set(&hip_graphs, (uint64_t)(uintptr_t)executable, 0);
}

#endif
