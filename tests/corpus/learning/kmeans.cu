// k-means: assign each point to the nearest centre, add up, divide; the number of features is a template parameter.
#include <cuda_runtime.h>
#include <float.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

#define MAX_CENTRES 32

__constant__ float c_centres[MAX_CENTRES * 4];

template <int D>
__device__ inline float distance2(const float* a, const float* b) {
    float sum = 0.0f;
#pragma unroll
    for (int d = 0; d < D; ++d) {
        const float diff = a[d] - b[d];
        sum += diff * diff;
    }
    return sum;
}

template <int D>
__global__ void assignPoints(const float* __restrict__ points, int* __restrict__ membership, int* moved, int n, int k) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float mine[D];
    for (int d = 0; d < D; ++d) mine[d] = points[i * D + d];
    int nearest = -1;
    float best = FLT_MAX;
    for (int c = 0; c < k; ++c) {
        const float d2 = distance2<D>(mine, &c_centres[c * D]);
        if (d2 < best) {
            best = d2;
            nearest = c;
        }
    }
    if (membership[i] != nearest) {
        membership[i] = nearest;
        atomicAdd(moved, 1);
    }
}

template <int D>
__global__ void addUp(const float* points, const int* membership, float* sums, unsigned int* counts, int n, int k) {
    extern __shared__ float shared[];  // k * D sums, then k counts
    unsigned int* members = reinterpret_cast<unsigned int*>(shared + k * D);
    for (int i = threadIdx.x; i < k * D; i += blockDim.x) shared[i] = 0;
    for (int i = threadIdx.x; i < k; i += blockDim.x) members[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        const int c = membership[i];
        atomicAdd(&members[c], 1u);
        for (int d = 0; d < D; ++d) atomicAdd(&shared[c * D + d], points[i * D + d]);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < k * D; i += blockDim.x) atomicAdd(&sums[i], shared[i]);
    for (int i = threadIdx.x; i < k; i += blockDim.x) atomicAdd(&counts[i], members[i]);
}

__global__ void divide(float* centres, const float* sums, const unsigned int* counts, int features) {
    const unsigned int count = counts[blockIdx.x];
    if (count > 0 && threadIdx.x < features)
        centres[blockIdx.x * features + threadIdx.x] = sums[blockIdx.x * features + threadIdx.x] / count;
}

int main() {
    constexpr int D = 4;
    const int n = 100000, k = 16;
    std::default_random_engine engine;
    std::normal_distribution<float> normal;
    std::vector<float> points(n * D);
    std::generate(points.begin(), points.end(), [&] { return normal(engine); });
    float *d_points, *d_sums, *d_centres;
    int *d_membership, *d_moved;
    unsigned int* d_counts;
    cudaMalloc(&d_points, points.size() * sizeof(float));
    cudaMalloc(&d_sums, k * D * sizeof(float));
    cudaMalloc(&d_centres, k * D * sizeof(float));
    cudaMalloc(&d_membership, n * sizeof(int));
    cudaMalloc(&d_moved, sizeof(int));
    cudaMalloc(&d_counts, k * sizeof(unsigned int));
    cudaMemcpy(d_points, points.data(), points.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(c_centres, points.data(), k * D * sizeof(float));
    for (int iteration = 0; iteration < 10; ++iteration) {
        cudaMemset(d_sums, 0, k * D * sizeof(float));
        cudaMemset(d_counts, 0, k * sizeof(unsigned int));
        assignPoints<D><<<(n + 255) / 256, 256>>>(d_points, d_membership, d_moved, n, k);
        addUp<D><<<32, 128, k * (D + 1) * sizeof(float)>>>(d_points, d_membership, d_sums, d_counts, n, k);
        divide<<<k, 32>>>(d_centres, d_sums, d_counts, D);
        cudaMemcpyToSymbol(c_centres, d_centres, k * D * sizeof(float), 0, cudaMemcpyDeviceToDevice);
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
