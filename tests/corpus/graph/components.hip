// Connected components: labels sink to the least node of a component, by hooking and pointer jumping.
#include <hip/hip_runtime.h>

__device__ unsigned int d_hooks;

__global__ void initLabels(unsigned int* parent, unsigned int n) {
    unsigned int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) parent[v] = v;
    if (v == 0) d_hooks = 0u;
}

__device__ unsigned int findRoot(const unsigned int* parent, unsigned int v) {
    unsigned int p = parent[v];
    while (p != v) {
        v = p;
        p = parent[v];
    }
    return v;
}

__global__ void hook(const uint2* __restrict__ edges, unsigned int* parent, unsigned int m) {
    for (unsigned int e = blockIdx.x * blockDim.x + threadIdx.x; e < m; e += gridDim.x * blockDim.x) {
        unsigned int a = findRoot(parent, edges[e].x), b = findRoot(parent, edges[e].y);
        while (a != b) {
            const unsigned int high = max(a, b), low = min(a, b);
            const unsigned int seen = atomicCAS(&parent[high], high, low);
            if (seen == high) {
                atomicAdd(&d_hooks, 1u);
                break;
            }
            a = findRoot(parent, seen);
            b = findRoot(parent, low);
        }
    }
}

__global__ void compress(unsigned int* parent, unsigned int n) {
    unsigned int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) parent[v] = findRoot(parent, v);
}
