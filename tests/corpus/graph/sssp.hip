// Shortest paths: relax every edge until nothing changes (weights as ints and as floats), and all pairs by Floyd.
#include <hip/hip_runtime.h>

#include <climits>

__device__ int changed;

struct Edge {
    int from, to;
    int weight;
};

__global__ void resetChanged() { changed = 0; }

__global__ void relaxEdges(const Edge* edges, int* distance, int edgeCount) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edgeCount) return;
    const Edge edge = edges[e];
    const int reached = distance[edge.from];
    if (reached == INT_MAX) return;
    const int candidate = reached + edge.weight;
    if (candidate < atomicMin(&distance[edge.to], candidate)) changed = 1;
}

// Non-negative floats are ordered as their bits are.
__device__ float atomicMinPositive(float* address, float value) {
    return __int_as_float(atomicMin((int*)address, __float_as_int(value)));
}

__global__ void relaxFloat(const int2* edges, const float* weights, float* distance, int edgeCount) {
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < edgeCount; e += blockDim.x * gridDim.x) {
        float candidate = distance[edges[e].x] + weights[e];
        if (candidate < distance[edges[e].y]) atomicMinPositive(&distance[edges[e].y], candidate);
    }
}

__global__ void floydWarshall(int* d, int n, int k) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    __shared__ int through;
    if (threadIdx.x == 0) through = d[i * n + k];
    __syncthreads();
    if (j >= n || through == INT_MAX) return;
    const int rest = d[k * n + j];
    if (rest != INT_MAX && through + rest < d[i * n + j]) d[i * n + j] = through + rest;
}
