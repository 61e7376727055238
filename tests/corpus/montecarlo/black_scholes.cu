// European options by Black and Scholes, with the cumulative normal distribution as a polynomial.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define CHECK(x)                                                                           \
    do {                                                                                   \
        cudaError_t rc = (x);                                                              \
        if (rc != cudaSuccess) {                                                           \
            printf("%s failed: %s\n", #x, cudaGetErrorString(rc));                         \
            exit(2);                                                                       \
        }                                                                                  \
    } while (0)

// Abramowitz and Stegun, 26.2.17: off by less than 7.5e-8.
__device__ __host__ inline float cumulativeNormal(float d) {
    const float A1 = 0.31938153f;
    const float A2 = -0.356563782f;
    const float A3 = 1.781477937f;
    const float A4 = -1.821255978f;
    const float A5 = 1.330274429f;
    const float oneOverRootTwoPi = 0.39894228040143267794f;
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float tail = oneOverRootTwoPi * expf(-0.5f * d * d) * (k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5)))));
    return d > 0 ? 1.0f - tail : tail;
}

__global__ void __launch_bounds__(128) blackScholes(float* __restrict__ call, float* __restrict__ put,
                                                   const float* __restrict__ price, const float* __restrict__ strike,
                                                   const float* __restrict__ years, float riskless, float volatility,
                                                   int count) {
    for (int opt = blockDim.x * blockIdx.x + threadIdx.x; opt < count; opt += blockDim.x * gridDim.x) {
        const float S = price[opt], X = strike[opt], T = years[opt];
        const float sqrtT = sqrtf(T);
        const float d1 = (logf(S / X) + (riskless + 0.5f * volatility * volatility) * T) / (volatility * sqrtT);
        const float d2 = d1 - volatility * sqrtT;
        const float cnd1 = cumulativeNormal(d1), cnd2 = cumulativeNormal(d2);
        const float discounted = X * expf(-riskless * T);
        call[opt] = S * cnd1 - discounted * cnd2;
        put[opt] = discounted * (1.0f - cnd2) - S * (1.0f - cnd1);
    }
}

// The same with the fast intrinsics.
__global__ void blackScholesFast(float2* callPut, const float* price, const float* strike, const float* years,
                                 float riskless, float volatility, int count) {
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= count) return;
    const float S = price[i], X = strike[i], T = years[i];
    const float spread = volatility * __fsqrt_rn(T);
    const float d1 = __fdividef(__logf(__fdividef(S, X)) + (riskless + 0.5f * volatility * volatility) * T, spread);
    const float d2 = d1 - spread;
    const float discounted = X * __expf(-riskless * T);
    const float c = S * cumulativeNormal(d1) - discounted * cumulativeNormal(d2);
    callPut[i] = make_float2(c, c - S + discounted);
}

float RandFloat(float low, float high) {
    float t = (float)rand() / (float)RAND_MAX;
    return (1.0f - t) * low + t * high;
}

int main(int argc, char** argv) {
    const int n = 400000;
    const size_t size = n * sizeof(float);
    float* h = (float*)malloc(3 * size);
    srand(5347);
    for (int i = 0; i < n; i++) {
        h[i] = RandFloat(5.0f, 30.0f);
        h[n + i] = RandFloat(1.0f, 100.0f);
        h[2 * n + i] = RandFloat(0.25f, 10.0f);
    }
    float *in, *out;
    CHECK(cudaMalloc((void**)&in, 3 * size));
    CHECK(cudaMalloc((void**)&out, 4 * size));
    CHECK(cudaMemcpy(in, h, 3 * size, cudaMemcpyHostToDevice));
    blackScholes<<<(n + 127) / 128, 128>>>(out, out + n, in, in + n, in + 2 * n, 0.02f, 0.30f, n);
    blackScholesFast<<<(n + 127) / 128, 128>>>((float2*)(out + 2 * n), in, in + n, in + 2 * n, 0.02f, 0.30f, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    free(h);
    return 0;
}
