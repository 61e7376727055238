// Matrix product C = alpha A B + beta C, row-major: one thread an element, and with shared tiles of any size and type.
#include <hip/hip_runtime.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

static void hipAssert(hipError_t code, const char* file, int line, bool abort = true) {
    if (code != hipSuccess) {
        fprintf(stderr, "hipAssert: %s %s %d\n", hipGetErrorString(code), file, line);
        if (abort) exit(code);
    }
}
#define HIP_ASSERT(x) hipAssert((x), __FILE__, __LINE__)

template <typename T>
__global__ void gemmNaive(int M, int N, int K, T alpha, const T* A, const T* B, T beta, T* C) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) return;
    T sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = alpha * sum + beta * C[row * N + col];
}

template <typename T, int TILE>
__global__ void gemmTiled(int M, int N, int K, T alpha, const T* __restrict__ A, const T* __restrict__ B, T beta,
                          T* __restrict__ C) {
    __shared__ T As[TILE][TILE];
    __shared__ T Bs[TILE][TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    T sum = T(0);
    for (int tile = 0; tile < (K + TILE - 1) / TILE; ++tile) {
        const int ka = tile * TILE + tx, kb = tile * TILE + ty;
        As[ty][tx] = (row < M && ka < K) ? A[row * K + ka] : T(0);
        Bs[ty][tx] = (kb < K && col < N) ? B[kb * N + col] : T(0);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k) sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = alpha * sum + beta * C[row * N + col];
}

template <typename T, int TILE>
double timeGemm(int n, int repeat, const std::string& what) {
    std::mt19937 gen(42);
    std::uniform_real_distribution<double> dist(-1.0, 1.0);
    std::vector<T> h(static_cast<size_t>(n) * n);
    for (auto& x : h) x = static_cast<T>(dist(gen));
    T *A, *B, *C;
    HIP_ASSERT(hipMalloc(&A, h.size() * sizeof(T)));
    HIP_ASSERT(hipMalloc(&B, h.size() * sizeof(T)));
    HIP_ASSERT(hipMalloc(&C, h.size() * sizeof(T)));
    HIP_ASSERT(hipMemcpy(A, h.data(), h.size() * sizeof(T), hipMemcpyHostToDevice));
    HIP_ASSERT(hipMemcpy(B, h.data(), h.size() * sizeof(T), hipMemcpyHostToDevice));
    const dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    gemmNaive<T><<<grid, block>>>(n, n, n, T(1), A, B, T(0), C);
    HIP_ASSERT(hipDeviceSynchronize());
    const auto start = std::chrono::high_resolution_clock::now();
    for (int r = 0; r < repeat; ++r) gemmTiled<T, TILE><<<grid, block>>>(n, n, n, T(1), A, B, T(0), C);
    HIP_ASSERT(hipDeviceSynchronize());
    const std::chrono::duration<double, std::milli> took = std::chrono::high_resolution_clock::now() - start;
    printf("%-8s %8.3f ms\n", what.c_str(), took.count() / repeat);
    HIP_ASSERT(hipFree(A));
    HIP_ASSERT(hipFree(B));
    HIP_ASSERT(hipFree(C));
    return took.count();
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::stoi(argv[1]) : 1024;
    timeGemm<float, 16>(n, 10, "float");
    timeGemm<float, 8>(n, 10, "float 8");
    timeGemm<double, 16>(n, 10, "double");
    timeGemm<int, 16>(n, 10, "int");
    return 0;
}
