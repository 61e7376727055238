// Tridiagonal systems: Thomas's algorithm with a thread a system, parallel cyclic reduction with a block a system.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <vector>

#define CUDA_OK(call)                                                         \
    do {                                                                      \
        const cudaError_t error = call;                                       \
        if (error != cudaSuccess) {                                           \
            printf("Error: %s:%d, ", __FILE__, __LINE__);                     \
            printf("code: %d, reason: %s\n", error, cudaGetErrorString(error)); \
            exit(1);                                                          \
        }                                                                     \
    } while (0)

// Systems are interleaved: element i of system s is at [i * systems + s].
template <typename T>
__global__ void thomas(const T* __restrict__ lower, const T* __restrict__ diagonal, T* __restrict__ upper,
                       T* __restrict__ rhs, int n, int systems) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems) return;
    upper[s] /= diagonal[s];
    rhs[s] /= diagonal[s];
    for (int i = 1; i < n; ++i) {
        const int at = i * systems + s;
        const T scale = T(1) / (diagonal[at] - lower[at] * upper[at - systems]);
        upper[at] *= scale;
        rhs[at] = (rhs[at] - lower[at] * rhs[at - systems]) * scale;
    }
    for (int i = n - 2; i >= 0; --i) {
        const int at = i * systems + s;
        rhs[at] -= upper[at] * rhs[at + systems];
    }
}

template <typename T, int N>
__global__ void cyclicReduction(const T* lower, const T* diagonal, const T* upper, const T* rhs, T* x) {
    __shared__ T a[N], b[N], c[N], d[N];
    const int i = threadIdx.x;
    const size_t base = static_cast<size_t>(blockIdx.x) * N;
    a[i] = lower[base + i];
    b[i] = diagonal[base + i];
    c[i] = upper[base + i];
    d[i] = rhs[base + i];
    __syncthreads();
#pragma unroll
    for (int stride = 1; stride < N; stride *= 2) {
        T na = 0, nb = b[i], nc = 0, nd = d[i];
        if (i - stride >= 0) {
            const T k = a[i] / b[i - stride];
            na = -a[i - stride] * k;
            nb -= c[i - stride] * k;
            nd -= d[i - stride] * k;
        }
        if (i + stride < N) {
            const T k = c[i] / b[i + stride];
            nc = -c[i + stride] * k;
            nb -= a[i + stride] * k;
            nd -= d[i + stride] * k;
        }
        __syncthreads();
        a[i] = na;
        b[i] = nb;
        c[i] = nc;
        d[i] = nd;
        __syncthreads();
    }
    x[base + i] = d[i] / b[i];
}

int main() {
    const int n = 128, systems = 512;
    std::vector<float> h(n * systems, 1.0f);
    float* d[5];
    for (float*& each : d) {
        CUDA_OK(cudaMalloc((void**)&each, h.size() * sizeof(float)));
        CUDA_OK(cudaMemcpy(each, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice));
    }
    cyclicReduction<float, 128><<<systems, 128>>>(d[0], d[1], d[2], d[3], d[4]);
    thomas<float><<<systems / 64, 64>>>(d[0], d[1], d[2], d[3], n, systems);
    thomas<double><<<1, 64>>>((double*)d[0], (double*)d[1], (double*)d[2], (double*)d[3], 8, 64);
    CUDA_OK(cudaGetLastError());
    CUDA_OK(cudaDeviceSynchronize());
    return 0;
}
