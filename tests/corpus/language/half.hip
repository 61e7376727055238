// Half precision: storage in halves with sums in float, arithmetic on halves and on pairs of them.
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>

__global__ void halfAxpy(int n, float a, const __half* x, __half* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __float2half(a * __half2float(x[i]) + __half2float(y[i]));
}

__global__ void halfArithmetic(const __half* a, const __half* b, __half* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __half sum = __hadd(a[i], b[i]);
    __half product = __hmul(a[i], b[i]);
    out[i] = __hgt(a[i], b[i]) ? __hsub(product, sum) : sum;
}

__global__ void halfPairs(const __half2* x, const __half2* y, __half2* out, int pairs) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pairs) out[i] = __hfma2(x[i], y[i], __float2half2_rn(0.5f));
}

__global__ void halfDot(const half* a, const half* b, float* out, int n) {
    __shared__ float sums[64];
    float mine = 0.0f;
    for (int i = threadIdx.x; i < n; i += 64) mine += __half2float(a[i]) * __half2float(b[i]);
    sums[threadIdx.x] = mine;
    __syncthreads();
    for (int s = 32; s > 0; s >>= 1) {
        if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = sums[0];
}
