/* Runs of graphs: each has a record of each node that runs. */
#ifndef LAUNCHPATH_RECORDER_CUDA_GRAPH_RUNS_H
#define LAUNCHPATH_RECORDER_CUDA_GRAPH_RUNS_H

#include "../cupti/pending.h"

/* Write a record of each node that runs. */
static void cuda_graph_nodes_write(lp_records *ring, int entry, cuda_graph *graph, uint64_t begin, uint64_t end, place at) {
    const uint64_t calls = ring->calls;
    uint32_t i, timed = 0, untimed = 0;
    graph->runs += 1;
    if (graph->unknown) lp_add(&lp_trace.header->counters.not_understood, graph->unknown);
    for (i = 0; i < graph->n; i++) {
        const cuda_node *node = &graph->nodes[i];
        if (!node->enabled) continue;
        if (node->excluded) {
            lp_add(&lp_trace.header->counters.excluded, 1);
            continue;
        }
        if (pending_has_record(node->what.command)) timed += 1;
        else untimed += 1;
        ring->calls = calls + i; /* so its number is that of the first node and its own place */
        node_write(ring, (uint16_t)(cuda.first + entry), begin, end, &node->what, at, graph->number, i, graph->runs);
    }
    ring->calls = calls;
    if (options.timed) pending_submitted(records_correlation(ring), begin, at, 0, graph, timed);
    if (options.timed) pending_untimed(untimed);
    ring->calls = calls + graph->n + 1;
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
    pending_enter();
    if (ring == 0) {
        code = real(executable, stream);
        pending_leave();
        return code;
    }
    PROOF((void)0)
    begin = call_begins(ring, (uint16_t)(cuda.first + entry));
    code = real(executable, stream);
    end = lp_ticks();
    at = cuda_place(ring, stream, own);
    graph = cuda_graph_of(executable);
    PROVEN(ring, code, begin, call_write(ring, (uint16_t)(cuda.first + entry), begin, end, code, code != 0, graph ? graph->n : 0, at));
    if (code == 0 && !cuda_captured(stream, own)) {
        if (graph) cuda_graph_nodes_write(ring, entry, graph, begin, end, at);
        else not_understood(); /* it was made before the trace */
    }
    pending_leave();
    return code;
}

EXPORT int cuGraphLaunch(void *executable, void *stream) { return cuda_graph_launch(E_cuGraphLaunch, executable, stream, 0); }
EXPORT int cuGraphLaunch_ptsz(void *executable, void *stream) { return cuda_graph_launch(E_cuGraphLaunch_ptsz, executable, stream, 1); }

#endif
