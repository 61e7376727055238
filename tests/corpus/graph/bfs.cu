// Breadth-first search, level by level: a frontier as masks over all nodes (two kernels a level), and as a queue.
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS_PER_BLOCK 256

struct Node {
    int firstEdge;
    int edges;
};

// Masks: which nodes are on this level, which have been found for the next, which are done with.
struct Marks {
    bool* current;
    bool* found;
    bool* visited;
};

__global__ void visitLevel(const Node* nodes, const int* targets, Marks marks, int* distance, int n) {
    const int u = blockIdx.x * THREADS_PER_BLOCK + threadIdx.x;
    if (u >= n || !marks.current[u]) return;
    marks.current[u] = false;
    const int end = nodes[u].firstEdge + nodes[u].edges;
    for (int e = nodes[u].firstEdge; e < end; e++) {
        const int v = targets[e];
        if (marks.visited[v]) continue;
        distance[v] = distance[u] + 1;
        marks.found[v] = true;
    }
}

__global__ void nextLevel(Marks marks, bool* goOn, int n) {
    const int u = blockIdx.x * THREADS_PER_BLOCK + threadIdx.x;
    if (u >= n || !marks.found[u]) return;
    marks.found[u] = false;
    marks.current[u] = marks.visited[u] = true;
    *goOn = true;
}

// With a queue: nodes found on a level are appended to the next one, each by whoever claims it first.
__global__ void expandFrontier(const int* __restrict__ row, const int* __restrict__ col, int* __restrict__ distance,
                               const int* frontier, const int* frontierSize, int* next, int* nextSize, int level) {
    for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < *frontierSize; at += gridDim.x * blockDim.x) {
        const int u = frontier[at];
        for (int e = row[u]; e < row[u + 1]; ++e) {
            const int v = col[e];
            if (atomicCAS(&distance[v], -1, level) == -1) next[atomicAdd(nextSize, 1)] = v;
        }
    }
}

int levels(int n, const Node* d_nodes, const int* d_targets, Marks marks, int* d_distance) {
    const dim3 grid((unsigned int)ceil(n / (double)THREADS_PER_BLOCK)), threads(THREADS_PER_BLOCK);
    bool *d_goOn, goOn;
    int level = 0;
    cudaMalloc((void**)&d_goOn, sizeof(bool));
    do {
        goOn = false;
        cudaMemcpy(d_goOn, &goOn, sizeof goOn, cudaMemcpyHostToDevice);
        visitLevel<<<grid, threads, 0>>>(d_nodes, d_targets, marks, d_distance, n);
        nextLevel<<<grid, threads, 0>>>(marks, d_goOn, n);
        cudaMemcpy(&goOn, d_goOn, sizeof goOn, cudaMemcpyDeviceToHost);
        ++level;
    } while (goOn);
    cudaFree(d_goOn);
    return level;
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 65536;
    Node* nodes = (Node*)malloc(n * sizeof(Node));
    int* targets = (int*)malloc(2 * n * sizeof(int));
    for (int u = 0; u < n; u++) {
        nodes[u] = Node{2 * u, 2};
        targets[2 * u] = (2 * u + 1) % n;
        targets[2 * u + 1] = (2 * u + 2) % n;
    }
    Node* d_nodes;
    int *d_targets, *d_distance;
    Marks marks;
    cudaMalloc((void**)&d_nodes, n * sizeof(Node));
    cudaMalloc((void**)&d_targets, 2 * n * sizeof(int));
    cudaMalloc((void**)&d_distance, n * sizeof(int));
    cudaMalloc((void**)&marks.current, n * sizeof(bool));
    cudaMalloc((void**)&marks.found, n * sizeof(bool));
    cudaMalloc((void**)&marks.visited, n * sizeof(bool));
    cudaMemcpy(d_nodes, nodes, n * sizeof(Node), cudaMemcpyHostToDevice);
    cudaMemcpy(d_targets, targets, 2 * n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_distance, 0, n * sizeof(int));
    cudaMemset(marks.current, 0, n);
    cudaMemset(marks.current, 1, 1);
    cudaMemset(marks.found, 0, n);
    cudaMemset(marks.visited, 0, n);
    cudaMemset(marks.visited, 1, 1);
    printf("%d levels\n", levels(n, d_nodes, d_targets, marks, d_distance));
    free(nodes);
    free(targets);
    return 0;
}
