// LU decomposition without pivoting, in blocks: the diagonal block, its row and column, then the rest.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sys/time.h>

#ifndef BLOCK_SIZE
#define BLOCK_SIZE 16
#endif

#define SAFE(call)                                                                    \
    if (hipError_t status_ = (call)) {                                                \
        std::cerr << #call << ": " << hipGetErrorName(status_) << std::endl;          \
        std::exit(1);                                                                 \
    }

__device__ void loadBlock(float (*to)[BLOCK_SIZE], const float* from, int n) {
    for (int r = 0; r < BLOCK_SIZE; ++r) to[r][threadIdx.x] = from[r * n + threadIdx.x];
}

__device__ void storeBlock(float* to, float (*from)[BLOCK_SIZE], int n) {
    for (int r = 0; r < BLOCK_SIZE; ++r) to[r * n + threadIdx.x] = from[r][threadIdx.x];
}

__global__ void factorDiagonal(float* m, int n, int offset) {
    __shared__ float d[BLOCK_SIZE][BLOCK_SIZE];
    float* corner = m + offset * n + offset;
    loadBlock(d, corner, n);
    __syncthreads();
    const int row = threadIdx.x;
    for (int k = 0; k < BLOCK_SIZE - 1; ++k) {
        if (row > k) {
            d[row][k] /= d[k][k];
            for (int c = k + 1; c < BLOCK_SIZE; ++c) d[row][c] -= d[row][k] * d[k][c];
        }
        __syncthreads();
    }
    storeBlock(corner, d, n);
}

// Blocks with y = 0 do a block of the row of blocks, those with y = 1 one of the column.
__global__ void factorPerimeter(float* m, int n, int offset) {
    __shared__ float d[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float p[BLOCK_SIZE][BLOCK_SIZE];
    const int away = offset + (blockIdx.x + 1) * BLOCK_SIZE;
    float* mine = blockIdx.y == 0 ? m + offset * n + away : m + away * n + offset;
    loadBlock(d, m + offset * n + offset, n);
    loadBlock(p, mine, n);
    __syncthreads();
    const int t = threadIdx.x;
    if (blockIdx.y == 0) {
        for (int i = 1; i < BLOCK_SIZE; ++i)
            for (int k = 0; k < i; ++k) p[i][t] -= d[i][k] * p[k][t];
    } else {
        for (int j = 0; j < BLOCK_SIZE; ++j) {
            for (int k = 0; k < j; ++k) p[t][j] -= p[t][k] * d[k][j];
            p[t][j] /= d[j][j];
        }
    }
    __syncthreads();
    storeBlock(mine, p, n);
}

__global__ void updateInterior(float* m, int n, int offset) {
    __shared__ float left[BLOCK_SIZE][BLOCK_SIZE], top[BLOCK_SIZE][BLOCK_SIZE];
    const int row = offset + (blockIdx.y + 1) * BLOCK_SIZE + threadIdx.y;
    const int col = offset + (blockIdx.x + 1) * BLOCK_SIZE + threadIdx.x;
    left[threadIdx.y][threadIdx.x] = m[row * n + offset + threadIdx.x];
    top[threadIdx.y][threadIdx.x] = m[(offset + threadIdx.y) * n + col];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < BLOCK_SIZE; ++k) sum += left[threadIdx.y][k] * top[k][threadIdx.x];
    m[row * n + col] -= sum;
}

void decompose(float* d_m, int n) {
    int i = 0;
    for (; i < n - BLOCK_SIZE; i += BLOCK_SIZE) {
        const int rest = (n - i) / BLOCK_SIZE - 1;
        hipLaunchKernelGGL(factorDiagonal, dim3(1), dim3(BLOCK_SIZE), 0, 0, d_m, n, i);
        hipLaunchKernelGGL(factorPerimeter, dim3(rest, 2), dim3(BLOCK_SIZE), 0, 0, d_m, n, i);
        hipLaunchKernelGGL(updateInterior, dim3(rest, rest), dim3(BLOCK_SIZE, BLOCK_SIZE), 0, 0, d_m, n, i);
    }
    hipLaunchKernelGGL(factorDiagonal, dim3(1), dim3(BLOCK_SIZE), 0, 0, d_m, n, i);
}

static double now() {
    struct timeval t;
    gettimeofday(&t, nullptr);
    return t.tv_sec + t.tv_usec * 1e-6;
}

int main(int argc, char* argv[]) {
    const int n = argc > 1 ? atoi(argv[1]) : 512;
    float* m = new float[n * n];
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) m[i * n + j] = i == j ? n : 1.0f / (1 + abs(i - j));
    float* d_m;
    SAFE(hipMalloc(&d_m, n * n * sizeof(float)));
    SAFE(hipMemcpy(d_m, m, n * n * sizeof(float), hipMemcpyHostToDevice));
    double begin = now();
    decompose(d_m, n);
    SAFE(hipDeviceSynchronize());
    printf("%d x %d: %g s\n", n, n, now() - begin);
    SAFE(hipFree(d_m));
    delete[] m;
    return 0;
}
