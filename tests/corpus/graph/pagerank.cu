// Page rank by pulling along incoming links, with dangling pages, until a given number of iterations.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>
#include <numeric>

#define D_FACTOR (0.85f)
#define GPU(call) mustWork((call), #call, __LINE__)

static inline void mustWork(cudaError_t status, const char *what, int line)
{
    if (status == cudaSuccess) return;
    fprintf(stderr, "line %d: %s: %s\n", line, what, cudaGetErrorString(status));
    exit(status);
}

__global__ void contributions(const float *rank, const int *outDegree, float *share, float *dangling, int n)
{
    __shared__ float lost;
    if (threadIdx.x == 0) lost = 0.0f;
    __syncthreads();
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n)
    {
        if (outDegree[v] > 0)
            share[v] = rank[v] / outDegree[v];
        else
        {
            share[v] = 0.0f;
            atomicAdd(&lost, rank[v]);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0 && lost != 0.0f) atomicAdd(dangling, lost);
}

__global__ void pullRank(const int *rowPtr, const int *source, const float *share, const float *dangling, float *rank, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    float sum = 0.0f;
    for (int e = rowPtr[v]; e < rowPtr[v + 1]; e++) sum += share[source[e]];
    rank[v] = (1.0f - D_FACTOR) / n + D_FACTOR * (sum + *dangling / n);
}

int main()
{
    const int n = 10000;
    std::vector<int> row(n + 1), source(n), degree(n, 1);
    std::iota(row.begin(), row.end(), 0);
    for (int i = 0; i < n; i++) source[i] = (i * 7 + 3) % n;
    std::vector<float> rank(n, 1.0f / n);
    int *d_row, *d_source, *d_degree;
    float *d_rank, *d_share, *d_dangling;
    GPU(cudaMalloc(&d_row, (n + 1) * sizeof(int)));
    GPU(cudaMalloc(&d_source, n * sizeof(int)));
    GPU(cudaMalloc(&d_degree, n * sizeof(int)));
    GPU(cudaMalloc(&d_rank, n * sizeof(float)));
    GPU(cudaMalloc(&d_share, n * sizeof(float)));
    GPU(cudaMalloc(&d_dangling, sizeof(float)));
    GPU(cudaMemcpy(d_row, row.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice));
    GPU(cudaMemcpy(d_source, source.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    GPU(cudaMemcpy(d_degree, degree.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    GPU(cudaMemcpy(d_rank, rank.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    for (int it = 0; it < 20; it++)
    {
        GPU(cudaMemset(d_dangling, 0, sizeof(float)));
        contributions<<<(n + 127) / 128, 128>>>(d_rank, d_degree, d_share, d_dangling, n);
        pullRank<<<(n + 127) / 128, 128>>>(d_row, d_source, d_share, d_dangling, d_rank, n);
        GPU(cudaPeekAtLastError());
    }
    GPU(cudaDeviceSynchronize());
    return 0;
}
