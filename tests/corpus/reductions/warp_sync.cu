// The same with CUDA's masked shuffles, written for warps of 32 as most CUDA programs are.
#include <cuda_runtime.h>
#include <stdio.h>

#define WARP_SIZE 32
#define FULL_MASK 0xffffffffu
#define CUDA_CHECK(x)                                                                \
    {                                                                                \
        cudaError_t e = x;                                                           \
        if (e != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(e)); \
    }

// The sum of a warp's values, in lane 0.
__inline__ __device__ float sumOfWarp(float x) {
#pragma unroll
    for (int below = WARP_SIZE / 2; below >= 1; below >>= 1) x += __shfl_down_sync(FULL_MASK, x, below);
    return x;
}

template <int BLOCK>
__global__ void dotProduct(const float* a, const float* b, float* out, int n) {
    static_assert(BLOCK % WARP_SIZE == 0, "whole warps");
    __shared__ float shared[BLOCK / WARP_SIZE];
    int lane = threadIdx.x & (WARP_SIZE - 1);
    int wid = threadIdx.x / WARP_SIZE;
    float sum = 0.0f;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += BLOCK * gridDim.x) sum = fmaf(a[i], b[i], sum);
    sum = sumOfWarp(sum);
    if (lane == 0) shared[wid] = sum;
    __syncthreads();
    sum = (threadIdx.x < BLOCK / WARP_SIZE) ? shared[lane] : 0.0f;
    if (wid == 0) sum = sumOfWarp(sum);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// An inclusive scan of each warp's 32 values, and what the last lane has, told to all.
__global__ void warpScan(const int* in, int* out, int* totals) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % WARP_SIZE;
    int value = in[i];
    for (int d = 1; d < WARP_SIZE; d <<= 1) {
        int below = __shfl_up_sync(FULL_MASK, value, d);
        if (lane >= d) value += below;
    }
    out[i] = value;
    int total = __shfl_sync(FULL_MASK, value, WARP_SIZE - 1);
    __syncwarp();
    if (lane == 0) totals[i / WARP_SIZE] = total;
}

int main() {
    const int n = 1 << 22, blocks = 128;
    float *a, *b, *c;
    CUDA_CHECK(cudaMallocManaged(&a, n * sizeof(float)));
    CUDA_CHECK(cudaMallocManaged(&b, n * sizeof(float)));
    CUDA_CHECK(cudaMallocManaged(&c, blocks * sizeof(float)));
    for (int i = 0; i < n; i++) a[i] = b[i] = 1.0f;
    dotProduct<256><<<blocks, 256>>>(a, b, c, n);
    CUDA_CHECK(cudaDeviceSynchronize());
    float total = 0;
    for (int i = 0; i < blocks; i++) total += c[i];
    printf("%g (should be %d)\n", total, n);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return total == n ? 0 : 1;
}
