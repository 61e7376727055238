// Triangles of a graph with sorted adjacency: for each edge, what two lists have in common; and colouring by priority.
#include <cuda_runtime.h>

__device__ int intersection(const int* a, const int* aEnd, const int* b, const int* bEnd) {
    int common = 0;
    while (a != aEnd && b != bEnd) {
        if (*a < *b)
            ++a;
        else if (*b < *a)
            ++b;
        else {
            ++common;
            ++a;
            ++b;
        }
    }
    return common;
}

__global__ void countTriangles(const int* row, const int* col, unsigned long long* total, int n) {
    int u = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long mine = 0;
    if (u < n) {
        for (int e = row[u]; e < row[u + 1]; ++e) {
            int v = col[e];
            if (v > u) mine += intersection(col + e + 1, col + row[u + 1], col + row[v], col + row[v + 1]);
        }
    }
    if (mine) atomicAdd(total, mine);
}

__host__ __device__ constexpr unsigned int mix(unsigned int x) {
    x = (x ^ 61u) ^ (x >> 16);
    x *= 9u;
    x ^= x >> 4;
    x *= 0x27d4eb2du;
    return x ^ (x >> 15);
}

// A node takes this round's colour if no uncoloured neighbour has a higher priority.
__global__ void colourRound(const int* row, const int* col, const int* before, int* after, int n, int colour) {
    int u = blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= n) return;
    after[u] = before[u];
    if (before[u] >= 0) return;
    const unsigned int mine = mix((unsigned int)u);
    for (int e = row[u]; e < row[u + 1]; ++e) {
        const int v = col[e];
        if (v == u || before[v] >= 0) continue;
        const unsigned int other = mix((unsigned int)v);
        if (other > mine || (other == mine && v > u)) return;
    }
    after[u] = colour;
}
