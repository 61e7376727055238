// Histograms: straight into global memory, one per block in shared memory, and a template over the number of bins.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

typedef unsigned int uint;
typedef unsigned char uchar;

#define checkCuda(call) check_((call), #call, __FILE__, __LINE__)

inline void check_(cudaError_t code, const char* what, const char* file, int line) {
    if (code != cudaSuccess) {
        fprintf(stderr, "CUDA error at %s:%d code=%d \"%s\"\n", file, line, (int)code, what);
        exit(EXIT_FAILURE);
    }
}

__global__ void histogramGlobal(const uchar* data, uint* bins, uint n) {
    uint i = blockIdx.x * blockDim.x + threadIdx.x;
    const uint stride = blockDim.x * gridDim.x;
    for (; i < n; i += stride) atomicAdd(bins + data[i], 1u);
}

// Four bytes are loaded at once.
__device__ inline void addWord(uint* hist, uint word) {
    atomicAdd(&hist[(word >> 0) & 0xFFu], 1);
    atomicAdd(&hist[(word >> 8) & 0xFFu], 1);
    atomicAdd(&hist[(word >> 16) & 0xFFu], 1);
    atomicAdd(&hist[(word >> 24) & 0xFFu], 1);
}

__global__ void histogramShared(const uint* words, uint* bins, uint count) {
    __shared__ uint hist[256];
    for (uint b = threadIdx.x; b < 256; b += blockDim.x) hist[b] = 0;
    __syncthreads();
    for (uint i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) addWord(hist, words[i]);
    __syncthreads();
    for (uint b = threadIdx.x; b < 256; b += blockDim.x)
        if (hist[b]) atomicAdd(&bins[b], hist[b]);
}

template <int BINS, typename Key, typename Weight>
__global__ void histogramWeighted(const Key* keys, const Weight* weights, float* bins, float low, float high, int n) {
    __shared__ float local[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0.f;
    __syncthreads();
    const float scale = BINS / (high - low);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float key = static_cast<float>(keys[i]);
        if (key < low || key >= high) continue;
        int bin = static_cast<int>((key - low) * scale);
        bin = bin >= BINS ? BINS - 1 : bin;
        atomicAdd(&local[bin], static_cast<float>(weights[i]));
    }
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) atomicAdd(&bins[b], local[b]);
}

// A block a bin: no atomics at all.
__global__ void sumPartial(const uint* partial, uint* bins, uint parts) {
    extern __shared__ uint mine[];
    mine[threadIdx.x] = 0;
    for (uint p = threadIdx.x; p < parts; p += blockDim.x) mine[threadIdx.x] += partial[p * gridDim.x + blockIdx.x];
    for (uint half = blockDim.x >> 1; half != 0; half >>= 1) {
        __syncthreads();
        if (threadIdx.x < half) mine[threadIdx.x] += mine[threadIdx.x + half];
    }
    if (threadIdx.x == 0) bins[blockIdx.x] = *mine;
}

int main() {
    const uint n = 1u << 22;
    std::mt19937 engine(1);
    std::uniform_int_distribution<int> byte(0, 255);
    uchar* h = (uchar*)malloc(n);
    for (uint i = 0; i < n; i++) h[i] = (uchar)byte(engine);
    uchar* d;
    uint *bins, *partial;
    float *keys, *weights, *fbins;
    checkCuda(cudaMalloc((void**)&d, n));
    checkCuda(cudaMalloc((void**)&bins, 256 * sizeof(uint)));
    checkCuda(cudaMalloc((void**)&partial, 256 * 16 * sizeof(uint)));
    checkCuda(cudaMalloc((void**)&keys, n * sizeof(float)));
    checkCuda(cudaMalloc((void**)&weights, n * sizeof(float)));
    checkCuda(cudaMalloc((void**)&fbins, 64 * sizeof(float)));
    checkCuda(cudaMemcpy(d, h, n, cudaMemcpyHostToDevice));
    checkCuda(cudaMemset(bins, 0, 256 * sizeof(uint)));
    histogramGlobal<<<64, 256>>>(d, bins, n);
    histogramShared<<<64, 128>>>((const uint*)d, bins, n / 4);
    sumPartial<<<256, 64, 64 * sizeof(uint)>>>(partial, bins, 16);
    histogramWeighted<64, float, float><<<32, 128>>>(keys, weights, fbins, -1.0f, 1.0f, n);
    histogramWeighted<10, int, short><<<32, 128>>>((const int*)keys, (const short*)weights, fbins, 0.0f, 100.0f, n);
    checkCuda(cudaGetLastError());
    checkCuda(cudaDeviceSynchronize());
    free(h);
    checkCuda(cudaFree(d));
    return EXIT_SUCCESS;
}
