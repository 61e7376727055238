// Dynamic programming with one block: the longest common subsequence by antidiagonals, a knapsack, the cheapest path.
#include <hip/hip_runtime.h>

#define LCS_MAX 128

template <typename Char>
__global__ void lcsLength(const Char* a, int na, const Char* b, int nb, int* length) {
    __shared__ int diagonals[3][LCS_MAX + 1];
    int* previous2 = diagonals[0];
    int* previous = diagonals[1];
    int* current = diagonals[2];
    for (int i = threadIdx.x; i <= na; i += blockDim.x) previous2[i] = previous[i] = current[i] = 0;
    __syncthreads();
    for (int sum = 2; sum <= na + nb; ++sum) {
        for (int i = 1 + threadIdx.x; i <= na; i += blockDim.x) {
            const int j = sum - i;
            if (j < 1 || j > nb) continue;
            current[i] = a[i - 1] == b[j - 1] ? previous2[i - 1] + 1 : max(previous[i - 1], previous[i]);
        }
        __syncthreads();
        int* oldest = previous2;
        previous2 = previous;
        previous = current;
        current = oldest;
        __syncthreads();
    }
    if (threadIdx.x == 0) *length = previous[na];
}

// A launch for each block of threads; items one after the other, capacities in parallel.
__global__ void knapsack(const int* weight, const int* value, int items, int* best, int capacity) {
    extern __shared__ int rows[];
    int *from = rows, *to = rows + capacity + 1;
    for (int c = threadIdx.x; c <= capacity; c += blockDim.x) from[c] = 0;
    __syncthreads();
    for (int i = 0; i < items; ++i) {
        for (int c = threadIdx.x; c <= capacity; c += blockDim.x) {
            int with = c >= weight[i] ? from[c - weight[i]] + value[i] : 0;
            to[c] = with > from[c] ? with : from[c];
        }
        __syncthreads();
        int* swap = from;
        from = to;
        to = swap;
    }
    for (int c = threadIdx.x; c <= capacity; c += blockDim.x) best[c] = from[c];
}

// From the first row to the last, straight or diagonally: blocks overlap by as many columns as there are rows.
template <int ROWS>
__global__ void cheapestPath(const int* wall, const int* start, int* result, int columns) {
    __shared__ int before[256], after[256];
    const int useful = blockDim.x - 2 * ROWS;
    const int x = (int)blockIdx.x * useful - ROWS + (int)threadIdx.x;
    const bool valid = x >= 0 && x < columns;
    const int tx = threadIdx.x;
    before[tx] = valid ? start[x] : 1 << 28;
    __syncthreads();
    for (int r = 0; r < ROWS; ++r) {
        const int left = before[tx > 0 ? tx - 1 : 0], right = before[tx < blockDim.x - 1 ? tx + 1 : tx];
        after[tx] = valid ? min(min(left, right), before[tx]) + wall[r * columns + x] : 1 << 28;
        __syncthreads();
        before[tx] = after[tx];
        __syncthreads();
    }
    if (valid && tx >= ROWS && tx < blockDim.x - ROWS) result[x] = before[tx];
}
