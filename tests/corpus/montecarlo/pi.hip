// Pi by throwing darts: each thread has a generator of its own, a block adds up its hits.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>

#include "random_numbers.cuh"

#define BLOCK 128

__global__ void darts(uint64_t seed, int throwsEach, unsigned int* hits) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    Xorshift128 random(seed + thread);
    unsigned int mine = 0;
    for (int i = 0; i < throwsEach; ++i) {
        const float x = random.uniform();
        const float y = random.uniform();
        mine += x * x + y * y < 1.0f;
    }
    __shared__ unsigned int sum[BLOCK];
    sum[threadIdx.x] = mine;
    __syncthreads();
    for (int s = BLOCK / 2; s; s >>= 1) {
        if (threadIdx.x < s) sum[threadIdx.x] += sum[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) hits[blockIdx.x] = sum[0];
}

// Raw numbers, for tests of the generator.
__global__ void rawNumbers(uint64_t seed, uint32_t* out, int each) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    Xorshift128 random(seed + thread);
    for (int i = 0; i < each; ++i) out[thread * each + i] = random.next();
}

int main() {
    const int blocks = 64, each = 10000;
    unsigned int* d_hits;
    unsigned int hits[blocks];
    hipMalloc((void**)&d_hits, sizeof(hits));
    darts<<<dim3(blocks), dim3(BLOCK)>>>(1234ull, each, d_hits);
    hipMemcpy(hits, d_hits, sizeof(hits), hipMemcpyDeviceToHost);
    double total = 0;
    for (unsigned int h : hits) total += h;
    const double pi = 4.0 * total / ((double)blocks * BLOCK * each);
    std::printf("%.6f\n", pi);
    hipFree(d_hits);
    return std::fabs(pi - M_PI) < 1e-2 ? 0 : 1;
}
