// Sum of a vector, block by block: a tree in shared memory, with the block size and the type as template parameters.
#include <hip/hip_runtime.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HIP_CHECK(call)                                                                            \
    do {                                                                                           \
        hipError_t status = (call);                                                                \
        if (status != hipSuccess) {                                                                \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorString(status)); \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

// Dynamic shared memory of any type: one untyped array, since arrays of several types may not share a name.
template <typename T>
struct SharedArray {
    __device__ inline T* data() {
        extern __shared__ __align__(16) unsigned char raw[];
        return reinterpret_cast<T*>(raw);
    }
};

template <typename T, unsigned int BLOCK>
__global__ void reduceTree(const T* __restrict__ in, T* __restrict__ out, size_t n) {
    __shared__ T partial[BLOCK];
    const unsigned int tid = threadIdx.x;
    size_t i = static_cast<size_t>(blockIdx.x) * (BLOCK * 2) + tid;
    const size_t stride = static_cast<size_t>(BLOCK) * 2 * gridDim.x;

    T sum = T(0);
    while (i < n) {
        sum += in[i];
        if (i + BLOCK < n) sum += in[i + BLOCK];
        i += stride;
    }
    partial[tid] = sum;
    __syncthreads();

#pragma unroll
    for (unsigned int half = BLOCK / 2; half > 0; half >>= 1) {
        if (tid < half) partial[tid] += partial[tid + half];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = partial[0];
}

// The first version everybody writes: modulo addressing, as many blocks as it takes.
template <class T>
__global__ void reduceInterleaved(const T* in, T* out, unsigned int n) {
    SharedArray<T> shared;
    T* cache = shared.data();
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    cache[tid] = (i < n) ? in[i] : 0;
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if ((tid % (2 * s)) == 0) cache[tid] += cache[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = cache[0];
}

template <typename T>
T reduceOnDevice(const std::vector<T>& host, int blocks, unsigned int threads) {
    const size_t n = host.size();
    T *d_in = nullptr, *d_out = nullptr;
    HIP_CHECK(hipMalloc(&d_in, n * sizeof(T)));
    HIP_CHECK(hipMalloc((void**)&d_out, blocks * sizeof(T)));
    HIP_CHECK(hipMemcpy(d_in, host.data(), n * sizeof(T), hipMemcpyHostToDevice));
    switch (threads) {
        case 256: reduceTree<T, 256><<<blocks, 256>>>(d_in, d_out, n); break;
        case 128: reduceTree<T, 128><<<blocks, 128>>>(d_in, d_out, n); break;
        default: hipLaunchKernelGGL(reduceInterleaved<T>, dim3(blocks), dim3(threads), threads * sizeof(T), 0, d_in,
                                    d_out, (unsigned int)n);
    }
    HIP_CHECK(hipGetLastError());
    std::vector<T> partial(blocks);
    HIP_CHECK(hipMemcpy(partial.data(), d_out, blocks * sizeof(T), hipMemcpyDeviceToHost));
    T total = 0;
    for (const T& each : partial) total += each;
    HIP_CHECK(hipFree(d_in));
    HIP_CHECK(hipFree(d_out));
    return total;
}

int main(int argc, char** argv) {
    const size_t n = argc > 1 ? std::atoll(argv[1]) : size_t(1) << 24;
    std::vector<float> f(n);
    std::vector<int> k(n);
    std::vector<double> d(n);
    for (size_t i = 0; i < n; ++i) {
        f[i] = static_cast<float>(i % 7) * 0.25f;
        k[i] = static_cast<int>(i % 11) - 5;
        d[i] = 1.0 / (1.0 + i);
    }
    auto begin = std::chrono::steady_clock::now();
    float sum = reduceOnDevice(f, 64, 256);
    auto end = std::chrono::steady_clock::now();
    std::printf("float: %f in %lld us\n", sum,
                (long long)std::chrono::duration_cast<std::chrono::microseconds>(end - begin).count());
    std::printf("int: %d\n", reduceOnDevice(k, 64, 128));
    std::printf("double: %.12f\n", reduceOnDevice(d, 32, 256));
    return 0;
}
