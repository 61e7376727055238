// Reductions by warp shuffles; nothing here knows how wide a warp is.
#include <hip/hip_runtime.h>

template <typename T>
__device__ __forceinline__ T warpSum(T value) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down(value, offset);
    return value;
}

template <typename T>
__device__ T warpMaxAll(T value) {
    for (int mask = warpSize / 2; mask > 0; mask >>= 1) {
        T other = __shfl_xor(value, mask);
        value = other > value ? other : value;
    }
    return value;
}

template <typename T>
__device__ T blockSum(T value) {
    __shared__ T perWarp[64];
    const int lane = threadIdx.x % warpSize;
    const int warp = threadIdx.x / warpSize;
    value = warpSum(value);
    if (lane == 0) perWarp[warp] = value;
    __syncthreads();
    const int warps = (blockDim.x + warpSize - 1) / warpSize;
    T total = T(0);
    if (threadIdx.x == 0) {
        for (int i = 0; i < warps; ++i) total += perWarp[i];
    }
    return total;
}

template <typename T>
__global__ void reduceWarp(const T* in, T* out, int n) {
    T mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += in[i];
    T total = blockSum(mine);
    if (threadIdx.x == 0) atomicAdd(out, total);
}

__global__ void rowMax(const float* in, float* out, int columns) {
    // One warp a row: the lanes walk along it.
    const int lane = threadIdx.x % warpSize;
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
    float best = -1e30f;
    for (int c = lane; c < columns; c += warpSize) best = fmaxf(best, in[row * columns + c]);
    best = warpMaxAll(best);
    if (lane == 0) out[row] = best;
}

__global__ void countPositive(const int* in, unsigned int* count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool positive = i < n && in[i] > 0;
    unsigned long long votes = __ballot(positive);
    if (threadIdx.x % warpSize == 0) atomicAdd(count, (unsigned int)__popcll(votes));
}

__global__ void anyAll(const int* in, int* any, int* all) {
    int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    int some = __any(value < 0), every = __all(value >= 0);
    if (threadIdx.x % warpSize == 0) {
        if (some) atomicOr(&any[blockIdx.x], 1);
        if (!every) atomicAnd(&all[blockIdx.x], 0);
    }
}
