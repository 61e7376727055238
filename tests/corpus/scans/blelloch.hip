// Exclusive scan, work-efficient: up the tree and down again in shared memory, padded against bank conflicts.
#include "hip/hip_runtime.h"

#define BANKS_LOG2 5
#ifdef NO_PADDING
#define PAD(i) (i)
#else
#define PAD(i) ((i) + ((i) >> BANKS_LOG2))
#endif

// A block scans 2 * blockDim.x elements; the length is a multiple of that. The dynamic shared memory holds them, padded.
__global__ void scanExclusive(const float* source, float* target, float* blockTotals) {
    extern __shared__ float tree[];
    const int count = 2 * blockDim.x;
    const int first = blockIdx.x * count + threadIdx.x, second = first + blockDim.x;
    tree[PAD(threadIdx.x)] = source[first];
    tree[PAD(threadIdx.x + blockDim.x)] = source[second];

    int reach = 1;
    for (int pairs = count / 2; pairs > 0; pairs /= 2, reach *= 2) {
        __syncthreads();
        if (threadIdx.x < pairs) {
            const int left = reach * (2 * threadIdx.x + 1) - 1, right = left + reach;
            tree[PAD(right)] += tree[PAD(left)];
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        if (blockTotals != NULL) blockTotals[blockIdx.x] = tree[PAD(count - 1)];
        tree[PAD(count - 1)] = 0.0f;
    }
    for (int pairs = 1; pairs < count; pairs *= 2) {
        reach /= 2;
        __syncthreads();
        if (threadIdx.x < pairs) {
            const int left = reach * (2 * threadIdx.x + 1) - 1, right = left + reach;
            const float kept = tree[PAD(left)];
            tree[PAD(left)] = tree[PAD(right)];
            tree[PAD(right)] += kept;
        }
    }
    __syncthreads();
    target[first] = tree[PAD(threadIdx.x)];
    target[second] = tree[PAD(threadIdx.x + blockDim.x)];
}

__global__ void addToBlocks(float* data, const float* starts) {
    __shared__ float start;
    if (threadIdx.x == 0) start = starts[blockIdx.x];
    __syncthreads();
    float* mine = data + blockIdx.x * 2 * blockDim.x + threadIdx.x;
    mine[0] += start;
    mine[blockDim.x] += start;
}
