// Vectors: axpy, scale, dot, norms, rotation, index of the greatest; with strides as in BLAS.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <vector>

#define HIP(call)                                                                   \
    do {                                                                            \
        const hipError_t e = (call);                                                \
        if (e != hipSuccess) {                                                      \
            std::cerr << __FILE__ << ':' << __LINE__ << ' ' << hipGetErrorString(e); \
            std::abort();                                                           \
        }                                                                           \
    } while (false)

constexpr unsigned kThreads = 128;

template <typename T>
__global__ void axpy(int n, T alpha, const T* x, int incx, T* y, int incy) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i * incy] += alpha * x[i * incx];
}

template <typename T>
__global__ void scal(int n, T alpha, T* x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= alpha;
}

template <typename T>
__device__ void finishSum(T mine, T* out) {
    __shared__ T sums[kThreads];
    sums[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned s = kThreads / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(out, sums[0]);
}

template <typename T>
__global__ void dot(int n, const T* x, const T* y, T* out) {
    T mine = 0;
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += kThreads * gridDim.x) mine += x[i] * y[i];
    finishSum(mine, out);
}

template <typename T>
__global__ void asum(int n, const T* x, T* out) {
    T mine = 0;
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += kThreads * gridDim.x) mine += x[i] < 0 ? -x[i] : x[i];
    finishSum(mine, out);
}

__global__ void nrm2(int n, const float* x, float* out) {
    float mine = 0;
    for (int i = threadIdx.x; i < n; i += kThreads) mine = fmaf(x[i], x[i], mine);
    finishSum(mine, out);
    __syncthreads();
    if (threadIdx.x == 0) *out = sqrtf(*out);
}

__global__ void rot(int n, double* x, double* y, double c, double s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double t = c * x[i] + s * y[i];
    y[i] = c * y[i] - s * x[i];
    x[i] = t;
}

// The key has the value's bits above and the inverted index below: the greatest key is the first of the greatest values.
__global__ void iamax(int n, const float* x, unsigned long long* best) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        const unsigned long long key = (unsigned long long)__float_as_uint(fabsf(x[i])) << 32 | (0xffffffffu - i);
        atomicMax(best, key);
    }
}

int main() {
    const int n = 1 << 20;
    std::vector<float> x(n);
    std::iota(x.begin(), x.end(), 0.0f);
    float *d_x, *d_y, *d_out;
    double *d_a, *d_b;
    unsigned long long* d_best;
    HIP(hipMalloc(&d_x, n * sizeof(float)));
    HIP(hipMalloc(&d_y, n * sizeof(float)));
    HIP(hipMalloc(&d_out, sizeof(float)));
    HIP(hipMalloc(&d_a, n * sizeof(double)));
    HIP(hipMalloc(&d_b, n * sizeof(double)));
    HIP(hipMalloc(&d_best, sizeof(unsigned long long)));
    HIP(hipMemcpy(d_x, x.data(), n * sizeof(float), hipMemcpyHostToDevice));
    axpy<<<256, kThreads>>>(n, 2.0f, d_x, 1, d_y, 1);
    axpy<<<256, kThreads>>>(n / 2, 2.0, d_a, 2, d_b, 1);
    scal<<<(n + 127) / 128, 128>>>(n, 0.5f, d_x);
    dot<<<64, kThreads>>>(n, d_x, d_y, d_out);
    dot<double><<<64, kThreads>>>(n, d_a, d_b, d_a);
    asum<int><<<64, kThreads>>>(n, (const int*)d_x, (int*)d_out);
    nrm2<<<1, kThreads>>>(n, d_x, d_out);
    rot<<<(n + 127) / 128, 128>>>(n, d_a, d_b, std::cos(0.5), std::sin(0.5));
    iamax<<<64, kThreads>>>(n, d_x, d_best);
    HIP(hipDeviceSynchronize());
    float result;
    HIP(hipMemcpy(&result, d_out, sizeof(float), hipMemcpyDeviceToHost));
    std::cout << result << '\n';
    for (void* p : {(void*)d_x, (void*)d_y, (void*)d_out, (void*)d_a, (void*)d_b, (void*)d_best}) HIP(hipFree(p));
}
