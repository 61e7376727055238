// Segmented inclusive scan: sums that start again wherever a flag is set.
#include <cuda_runtime.h>

#include "../common/pair.cuh"

#define N_THREADS 128

namespace seg {

// (flag, value): associative, since a flag on the right cuts off what is on the left.
template <typename T>
struct SegmentedSum {
    __device__ Pair<int, T> operator()(const Pair<int, T>& left, const Pair<int, T>& right) const {
        return makePair(left.first | right.first, right.first ? right.second : left.second + right.second);
    }
};

template <typename T>
__global__ void scanSegments(const T* values, const unsigned char* heads, T* out, int n) {
    __shared__ Pair<int, T> work[N_THREADS];
    SegmentedSum<T> op;
    Pair<int, T> carry = makePair(0, T(0));
    // One block walks over the array, a tile at a time.
    for (int base = 0; base < n; base += N_THREADS) {
        const int i = base + threadIdx.x;
        work[threadIdx.x] = i < n ? makePair((int)heads[i], values[i]) : makePair(0, T(0));
        __syncthreads();
        for (int d = 1; d < N_THREADS; d *= 2) {
            Pair<int, T> sum = work[threadIdx.x];
            if (threadIdx.x >= d) sum = op(work[threadIdx.x - d], sum);
            __syncthreads();
            work[threadIdx.x] = sum;
            __syncthreads();
        }
        Pair<int, T> mine = op(carry, work[threadIdx.x]);
        if (i < n) out[i] = mine.second;
        carry = op(carry, work[N_THREADS - 1]);
        __syncthreads();
    }
}

}  // namespace seg

void run(const int* d_values, const unsigned char* d_heads, int* d_out, int n, cudaStream_t stream) {
    seg::scanSegments<int><<<dim3(1), dim3(N_THREADS), 0, stream>>>(d_values, d_heads, d_out, n);
}
