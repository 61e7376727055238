// Reductions that end in an atomic: native ones, ones by compare-and-swap, and one in which the last block finishes.
#include <hip/hip_runtime.h>

#define BLOCK_SIZE 256

__device__ unsigned int finishedBlocks = 0;

__device__ double atomicMaxDouble(double* address, double value) {
    unsigned long long int* asInteger = (unsigned long long int*)address;
    unsigned long long int old = *asInteger, assumed;
    do {
        assumed = old;
        if (__longlong_as_double(assumed) >= value) break;
        old = atomicCAS(asInteger, assumed, __double_as_longlong(value));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__device__ float atomicMulFloat(float* address, float value) {
    int* bits = reinterpret_cast<int*>(address);
    int old = *bits;
    int assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(value * __int_as_float(assumed)));
    } while (old != assumed);
    return __int_as_float(old);
}

__global__ void sumAtomic(const float* in, float* sum, int n) {
    __shared__ float blockSum;
    if (threadIdx.x == 0) blockSum = 0.0f;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&blockSum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(sum, blockSum);
}

__global__ void extremes(const int* in, int* low, int* high, unsigned long long* total, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicMin(low, in[i]);
        atomicMax(high, in[i]);
        atomicAdd(total, (unsigned long long)(in[i] < 0 ? -in[i] : in[i]));
    }
}

__global__ void maxDouble(const double* in, double* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMaxDouble(out, in[i]);
}

__global__ void productFloat(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMulFloat(out, in[i]);
}

// One launch: every block writes its sum; the block that comes last adds them up.
__global__ void __launch_bounds__(BLOCK_SIZE) sumLastBlock(const float* in, volatile float* partial, float* out, int n) {
    __shared__ float cache[BLOCK_SIZE];
    __shared__ bool last;
    float mine = 0;
    for (int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; i < n; i += BLOCK_SIZE * gridDim.x) mine += in[i];
    cache[threadIdx.x] = mine;
    __syncthreads();
    for (int s = BLOCK_SIZE / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) cache[threadIdx.x] += cache[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = cache[0];
        __threadfence();
        last = atomicInc(&finishedBlocks, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float total = 0;
        for (unsigned int b = 0; b < gridDim.x; ++b) total += partial[b];
        *out = total;
        finishedBlocks = 0;
    }
}
