// Stream compaction: keep what a predicate takes, in order (flags, scan, scatter), and in any order (one counter).
#include <hip/hip_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define TPB 64

struct IsOdd {
    __device__ bool operator()(int x) const { return (x & 1) != 0; }
};

struct Above {
    int limit;
    __device__ bool operator()(int x) const { return x > limit; }
};

template <class Predicate>
__global__ void markBlocks(const int* in, uint32_t* counts, int n, Predicate keep) {
    __shared__ uint32_t count;
    if (threadIdx.x == 0) count = 0u;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && keep(in[i])) atomicAdd(&count, 1u);
    __syncthreads();
    if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

// Serial on purpose: there are few blocks.
__global__ void offsets(uint32_t* counts, int blocks, uint32_t* total) {
    uint32_t sum = 0;
    for (int b = 0; b < blocks; ++b) {
        uint32_t mine = counts[b];
        counts[b] = sum;
        sum += mine;
    }
    *total = sum;
}

template <class Predicate>
__global__ void scatterKept(const int* in, int* out, const uint32_t* starts, int n, Predicate keep) {
    __shared__ uint32_t rank[TPB];
    int i = blockIdx.x * TPB + threadIdx.x;
    bool mine = i < n && keep(in[i]);
    rank[threadIdx.x] = mine ? 1 : 0;
    __syncthreads();
    for (int d = 1; d < TPB; d <<= 1) {
        uint32_t below = threadIdx.x >= d ? rank[threadIdx.x - d] : 0;
        __syncthreads();
        rank[threadIdx.x] += below;
        __syncthreads();
    }
    if (mine) out[starts[blockIdx.x] + rank[threadIdx.x] - 1] = in[i];
}

__global__ void compactAnyOrder(const int* in, int* out, int* counter, int n, int limit) {
    __shared__ int kept;
    __shared__ int start;
    if (threadIdx.x == 0) kept = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = -1;
    if (i < n && in[i] > limit) at = atomicAdd(&kept, 1);
    __syncthreads();
    if (threadIdx.x == 0) start = atomicAdd(counter, kept);
    __syncthreads();
    if (at >= 0) out[start + at] = in[i];
}

int main(int argc, char* argv[]) {
    int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
    int blocks = (n + TPB - 1) / TPB;
    int* h = (int*)malloc(n * sizeof(int));
    for (int i = 0; i < n; ++i) h[i] = rand() % 1000;
    int *d_in, *d_out, *d_counter;
    uint32_t *d_counts, *d_total;
    hipMalloc((void**)&d_in, n * sizeof(int));
    hipMalloc((void**)&d_out, n * sizeof(int));
    hipMalloc((void**)&d_counter, sizeof(int));
    hipMalloc((void**)&d_counts, blocks * sizeof(uint32_t));
    hipMalloc((void**)&d_total, sizeof(uint32_t));
    hipMemcpy(d_in, h, n * sizeof(int), hipMemcpyHostToDevice);
    hipMemset(d_counter, 0, sizeof(int));
    Above above = {500};
    markBlocks<<<blocks, TPB>>>(d_in, d_counts, n, above);
    offsets<<<1, 1>>>(d_counts, blocks, d_total);
    scatterKept<<<blocks, TPB>>>(d_in, d_out, d_counts, n, above);
    markBlocks<<<blocks, TPB>>>(d_in, d_counts, n, IsOdd());
    offsets<<<1, 1>>>(d_counts, blocks, d_total);
    scatterKept<<<blocks, TPB>>>(d_in, d_out, d_counts, n, IsOdd());
    compactAnyOrder<<<blocks, TPB>>>(d_in, d_out, d_counter, n, 500);
    uint32_t total = 0;
    hipMemcpy(&total, d_total, sizeof(total), hipMemcpyDeviceToHost);
    printf("kept %u of %d\n", total, n);
    hipFree(d_in); hipFree(d_out); hipFree(d_counter); hipFree(d_counts); hipFree(d_total);
    free(h);
    return 0;
}
