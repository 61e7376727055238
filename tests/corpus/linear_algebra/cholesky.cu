// Cholesky decomposition: one block for a small matrix, batches of tiny ones with the size as a template parameter.
#include <cuda_runtime.h>

// In place, lower triangle; the matrix fits into one block's threads, a thread a row.
__global__ void choleskyBlock(double* a, int n, int* info) {
    __shared__ double pivot;
    const int row = threadIdx.x;
    for (int k = 0; k < n; ++k) {
        if (row == k) {
            const double d = a[k * n + k];
            if (d <= 0) *info = k + 1;
            a[k * n + k] = pivot = sqrt(d);
        }
        __syncthreads();
        if (row > k && row < n) a[row * n + k] /= pivot;
        __syncthreads();
        if (row > k && row < n)
            for (int j = k + 1; j <= row; ++j) a[row * n + j] -= a[row * n + k] * a[j * n + k];
        __syncthreads();
    }
    if (row < n)
        for (int j = row + 1; j < n; ++j) a[row * n + j] = 0;
}

// A thread a matrix, all of it in registers.
template <typename T, int N>
__global__ void choleskyBatch(T* matrices, int batch) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= batch) return;
    T a[N][N];
    T* mine = matrices + b * N * N;
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) a[i][j] = mine[i * N + j];
#pragma unroll
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j <= i; ++j) {
            T sum = a[i][j];
            for (int k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
            a[i][j] = i == j ? sqrt(sum) : sum / a[j][j];
        }
    }
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) mine[i * N + j] = j <= i ? a[i][j] : T(0);
}

// Solve L y = b, then L' x = y; a block a right-hand side.
__global__ void solveTriangular(const double* L, double* b, int n) {
    extern __shared__ double x[];
    b += blockIdx.x * n;
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = b[i];
    for (int k = 0; k < n; ++k) {
        __syncthreads();
        if (threadIdx.x == 0) x[k] /= L[k * n + k];
        __syncthreads();
        for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x) x[i] -= L[i * n + k] * x[k];
    }
    for (int k = n - 1; k >= 0; --k) {
        __syncthreads();
        if (threadIdx.x == 0) x[k] /= L[k * n + k];
        __syncthreads();
        for (int i = threadIdx.x; i < k; i += blockDim.x) x[i] -= L[k * n + i] * x[k];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) b[i] = x[i];
}
