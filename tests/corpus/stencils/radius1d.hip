// One-dimensional stencil of a radius known at compile time: coefficients in constant memory, a tile with its halo.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <vector>

constexpr int MAX_RADIUS = 8;
__constant__ float c_weights[2 * MAX_RADIUS + 1];

template <int RADIUS, int BLOCK>
__global__ void stencil1d(const float* __restrict__ in, float* __restrict__ out, int n) {
    static_assert(RADIUS <= MAX_RADIUS, "too wide");
    __shared__ float tile[BLOCK + 2 * RADIUS];
    const int global = threadIdx.x + blockIdx.x * BLOCK;
    const int local = threadIdx.x + RADIUS;

    tile[local] = global < n ? in[global] : 0.0f;
    if (threadIdx.x < RADIUS) {
        const int left = global - RADIUS, right = global + BLOCK;
        tile[local - RADIUS] = left >= 0 ? in[left] : 0.0f;
        tile[local + BLOCK] = right < n ? in[right] : 0.0f;
    }
    __syncthreads();

    float sum = 0.0f;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; ++k) sum += tile[local + k] * c_weights[k + RADIUS];
    if (global < n) out[global] = sum;
}

int main() {
    const int n = 1 << 20;
    const size_t bytes = n * sizeof(float);
    std::vector<float> weights(2 * MAX_RADIUS + 1, 1.0f / (2 * MAX_RADIUS + 1));
    if (hipMemcpyToSymbol(HIP_SYMBOL(c_weights), weights.data(), weights.size() * sizeof(float)) != hipSuccess) return 1;
    float *in, *out;
    (void)hipMalloc(&in, bytes);
    (void)hipMalloc(&out, bytes);
    (void)hipMemset(in, 0, bytes);
    hipStream_t stream;
    (void)hipStreamCreate(&stream);
    stencil1d<8, 256><<<(n + 255) / 256, 256, 0, stream>>>(in, out, n);
    stencil1d<3, 64><<<(n + 63) / 64, 64, 0, stream>>>(in, out, n);
    (void)hipStreamSynchronize(stream);
    (void)hipStreamDestroy(stream);
    (void)hipFree(in);
    (void)hipFree(out);
    std::printf("done\n");
}
