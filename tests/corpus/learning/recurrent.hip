// Gates of a long short-term memory, lookups in a table of embeddings, Adam's step, dropout from a counter.
#include <hip/hip_runtime.h>
#include <stdint.h>

__device__ __forceinline__ float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

__global__ void lstmCell(const float* __restrict__ gates, const float* __restrict__ bias, float* __restrict__ cell,
                         float* __restrict__ hidden, int batch, int units) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= batch * units) return;
    const int row = i / units, unit = i % units;
    float g[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) g[k] = gates[(row * 4 + k) * units + unit] + bias[k * units + unit];
    const float in = sigmoid(g[0]), forget = sigmoid(g[1]), candidate = tanhf(g[2]), out = sigmoid(g[3]);
    const float c = forget * cell[i] + in * candidate;
    cell[i] = c;
    hidden[i] = out * tanhf(c);
}

template <typename Index>
__global__ void embed(const float4* __restrict__ table, const Index* __restrict__ ids, float4* __restrict__ out, int words,
                      int quads, Index padding) {
    const int word = blockIdx.x, quad = threadIdx.x;
    if (word >= words || quad >= quads) return;
    const Index id = ids[word];
    out[word * quads + quad] = id == padding ? make_float4(0.f, 0.f, 0.f, 0.f) : table[id * quads + quad];
}

struct AdamOptions {
    float rate = 1e-3f, beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f, decay = 0.0f;
};

__global__ void adamStep(float* parameters, const float* gradients, float* m, float* v, size_t n, int step,
                         AdamOptions options) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float g = gradients[i] + options.decay * parameters[i];
    m[i] = options.beta1 * m[i] + (1 - options.beta1) * g;
    v[i] = options.beta2 * v[i] + (1 - options.beta2) * g * g;
    const float mHat = m[i] / (1 - powf(options.beta1, step));
    const float vHat = v[i] / (1 - powf(options.beta2, step));
    parameters[i] -= options.rate * mHat / (sqrtf(vHat) + options.epsilon);
}

__device__ uint32_t mixBits(uint64_t key) {
    key ^= key >> 33;
    key *= 0xff51afd7ed558ccdULL;
    key ^= key >> 33;
    key *= 0xc4ceb9fe1a85ec53ULL;
    key ^= key >> 33;
    return (uint32_t)key;
}

__global__ void dropout(const float* x, float* y, uint8_t* mask, int n, float keep, uint64_t seed) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const bool kept = mixBits(seed + (uint64_t)i) < (uint32_t)(keep * 4294967295.0);
    mask[i] = kept;
    y[i] = kept ? x[i] / keep : 0.0f;
}
