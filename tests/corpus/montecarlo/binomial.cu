// Options by a binomial tree: a block an option, the tree's level in shared memory.
#include <cuda_runtime.h>

#define STEPS 128

typedef struct {
    float S;
    float X;
    float T;
    float R;
    float V;
} OptionData;

__constant__ OptionData d_options[16];

__device__ inline float payoff(const OptionData& o, float up, int i, bool isCall) {
    float price = o.S * __expf(up * (2.0f * i - STEPS));
    float gain = isCall ? price - o.X : o.X - price;
    return gain > 0.0f ? gain : 0.0f;
}

__global__ void binomialTree(float* values, bool isCall) {
    __shared__ float level[STEPS + 1];
    const OptionData option = d_options[blockIdx.x];
    const float dt = option.T / (float)STEPS;
    const float up = option.V * sqrtf(dt);
    const float grow = expf(option.R * dt);
    const float u = expf(up), d = expf(-up);
    const float pUp = (grow - d) / (u - d) / grow;
    const float pDown = (1.0f - (grow - d) / (u - d)) / grow;
    const int tid = threadIdx.x;
    for (int i = tid; i <= STEPS; i += blockDim.x) level[i] = payoff(option, up, i, isCall);
    for (int step = STEPS; step > 0; --step) {
        __syncthreads();
        float next = tid < step ? pUp * level[tid + 1] + pDown * level[tid] : 0.0f;
        __syncthreads();
        if (tid < step) level[tid] = next;
    }
    if (tid == 0) values[blockIdx.x] = level[0];
}
