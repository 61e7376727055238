// Merge sort: one launch a level; every element finds its place by binary search in the run beside its own.
#include <cuda_runtime.h>

template <typename T, bool UPPER>
__device__ int rankIn(const T* run, int length, const T& value) {
    int low = 0, high = length;
    while (low < high) {
        int middle = low + (high - low) / 2;
        bool below = UPPER ? !(value < run[middle]) : run[middle] < value;
        if (below)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Runs of `width` are sorted already; n need not be a multiple. Equal elements keep their order.
template <typename T>
__global__ void mergePass(const T* __restrict__ in, T* __restrict__ out, int n, int width) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int pair = i / (2 * width) * (2 * width);
    const int middle = min(pair + width, n);
    const int end = min(pair + 2 * width, n);
    const T value = in[i];
    int at;
    if (i < middle) {
        at = i + rankIn<T, false>(in + middle, end - middle, value);
    } else {
        at = pair + (i - middle) + rankIn<T, true>(in + pair, middle - pair, value);
    }
    out[at] = value;
}

// Where a diagonal of the merge of two sorted arrays crosses the path.
__global__ void mergePath(const int* a, int na, const int* b, int nb, int* crossing, int diagonals, int spacing) {
    const int d = blockIdx.x * blockDim.x + threadIdx.x;
    if (d >= diagonals) return;
    const int diagonal = min(d * spacing, na + nb);
    int low = max(0, diagonal - nb), high = min(diagonal, na);
    while (low < high) {
        const int middle = (low + high) >> 1;
        if (a[middle] <= b[diagonal - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    crossing[d] = low;
}
