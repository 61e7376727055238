/* CUPTI's ids of the nodes of an executable graph: its records have them.

   CUPTI tells, on the thread that makes an executable graph, which node was cloned from which. Nodes of graphs in the graph get
   other ids in the end: `node_id_learn` takes those in order. */
#ifndef LAUNCHPATH_RECORDER_CUDA_NODE_IDS_H
#define LAUNCHPATH_RECORDER_CUDA_NODE_IDS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/lock.h"

enum { NODE_IDS_MOST = 1 << 22 };

typedef struct {
    uint32_t *nodes;   /* by an id's low half: the node's place + 1 */
    uint32_t room;
    uint32_t graph;    /* the high half of all its ids; 0: none is known */
    int confirmed;     /* a record has had one of them */
} node_ids;

static lp_lock node_ids_lock; /* of all: the reader of records learns ids */

typedef struct {
    void *from;
    uint64_t id;
} node_clone;

/* What was cloned on this thread since `clones_begin`. */
static LP_THREAD_LOCAL struct {
    int wanted;
    uint32_t n, room;
    node_clone *all;
} clones;

static void node_ids_end(node_ids *ids) { free(ids->nodes); }

/* The place of a node among its graph's; -1: it is not known. The caller has the lock. */
static inline int64_t node_ids_find(const node_ids *ids, uint64_t id) {
    const uint32_t low = (uint32_t)id;
    return ids->graph == (uint32_t)(id >> 32) && low < ids->room ? (int64_t)ids->nodes[low] - 1 : -1;
}

/* Note a node's id; 0: it is of another graph, or there is no memory. The caller has the lock, or the ids are nobody else's yet. */
static int node_ids_set(node_ids *ids, uint64_t id, uint32_t node) {
    const uint32_t low = (uint32_t)id;
    uint32_t room = ids->room ? ids->room : 16, *grown;
    if (low >= NODE_IDS_MOST || (ids->graph && ids->graph != (uint32_t)(id >> 32))) return 0;
    while (room <= low) room *= 2;
    if (room > ids->room) {
        grown = (uint32_t *)realloc(ids->nodes, room * sizeof *grown);
        if (grown == 0) return 0;
        memset(grown + ids->room, 0, (room - ids->room) * sizeof *grown);
        ids->nodes = grown, ids->room = room;
    }
    ids->graph = (uint32_t)(id >> 32);
    ids->nodes[low] = node + 1;
    return 1;
}

/* Begin anew with the ids of a record's graph. The caller has the lock. */
static void node_ids_restart(node_ids *ids, uint64_t id) {
    ids->confirmed = 1;
    if (ids->graph == (uint32_t)(id >> 32)) return;
    if (ids->room) memset(ids->nodes, 0, ids->room * sizeof *ids->nodes);
    ids->graph = 0;
}

static void node_ids_copy(node_ids *into, const node_ids *from) {
    lp_lock_acquire(&node_ids_lock);
    into->nodes = from->room ? (uint32_t *)malloc(from->room * sizeof *into->nodes) : 0;
    if (into->nodes) {
        memcpy(into->nodes, from->nodes, from->room * sizeof *into->nodes);
        into->room = from->room, into->graph = from->graph, into->confirmed = from->confirmed;
    }
    lp_lock_release(&node_ids_lock);
}

/* An executable graph is about to be made on this thread. */
static void clones_begin(void) { clones.wanted = 1, clones.n = 0; }

static void clones_end(void) {
    free(clones.all);
    memset(&clones, 0, sizeof clones);
}

/* CUPTI tells of a clone. */
static void clone_add(void *from, uint64_t id) {
    node_clone *grown;
    if (!clones.wanted) return;
    if (clones.n == clones.room) {
        grown = (node_clone *)realloc(clones.all, 2 * (clones.room + 8) * sizeof *grown);
        if (grown == 0) return;
        clones.all = grown, clones.room = 2 * (clones.room + 8);
    }
    clones.all[clones.n++] = (node_clone){from, id};
}

/* The node at a place was cloned, or not. Clones come in the order of nodes, so the search begins where the last one ended. */
static void node_id_cloned(node_ids *ids, uint32_t node, void *handle) {
    uint32_t i;
    for (i = 0; i < clones.n; i++) {
        const node_clone *clone = &clones.all[(node + i) % clones.n];
        if (clone->from != handle) continue;
        node_ids_set(ids, clone->id, node);
        return;
    }
}

#endif
