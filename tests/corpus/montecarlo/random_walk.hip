// Random walks on a lattice and geometric Brownian motion, with states kept from launch to launch.
#include <hip/hip_runtime.h>

#include "random_numbers.cuh"

struct Walker {
    int x, y;
    Lcg random;
};

__global__ void walk(Walker* walkers, int n, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Walker w = walkers[i];
    while (steps-- > 0) {
        switch (w.random() >> 30) {
            case 0u: w.x++; break;
            case 1u: w.x--; break;
            case 2u: w.y++; break;
            default: w.y--;
        }
    }
    walkers[i] = w;
}

// Box and Muller's pair of normal numbers from two uniform ones.
__device__ float2 boxMuller(float u1, float u2) {
    float radius = sqrtf(-2.0f * logf(u1));
    float sine, cosine;
    sincosf(6.28318530718f * u2, &sine, &cosine);
    return make_float2(radius * cosine, radius * sine);
}

__global__ void brownian(unsigned int* seeds, float* prices, float start, float drift, float volatility, int n, int steps) {
    int path = blockIdx.x * blockDim.x + threadIdx.x;
    if (path >= n) return;
    Lcg random = {seeds[path]};
    const float dt = 1.0f / steps;
    float logPrice = logf(start);
    for (int s = 0; s < steps; s += 2) {
        float u1 = ((random() >> 8) + 1) * (1.0f / 16777216.0f);
        float u2 = (random() >> 8) * (1.0f / 16777216.0f);
        float2 z = boxMuller(u1, u2);
        logPrice += 2 * (drift - 0.5f * volatility * volatility) * dt + volatility * sqrtf(dt) * (z.x + z.y);
    }
    prices[path] = expf(logPrice);
    seeds[path] = random.state;
}
