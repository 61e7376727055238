// Least significant digit radix sort, four bits a pass: count, scan over (digit, block), scatter in order.
#include <hip/hip_runtime.h>
#include <iostream>
#include <vector>
#include <algorithm>

using Key = unsigned int;
constexpr int RADIX_BITS = 4;
constexpr int RADIX = 1 << RADIX_BITS;
constexpr int THREADS_PER_BLOCK = 128;

__device__ __forceinline__ int digitOf(Key key, int shift) { return (key >> shift) & (RADIX - 1); }

__global__ void countDigits(const Key* keys, int* counts, int n, int shift) {
    __shared__ int local[RADIX];
    if (threadIdx.x < RADIX) local[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&local[digitOf(keys[i], shift)], 1);
    __syncthreads();
    if (threadIdx.x < RADIX) counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

__global__ void scanCounts(int* counts, int length) {
    extern __shared__ int sums[];
    const int per = (length + blockDim.x - 1) / blockDim.x;
    const int begin = min((int)threadIdx.x * per, length), end = min(begin + per, length);
    int sum = 0;
    for (int i = begin; i < end; ++i) sum += counts[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        int running = 0;
        for (int t = 0; t < blockDim.x; ++t) {
            int mine = sums[t];
            sums[t] = running;
            running += mine;
        }
    }
    __syncthreads();
    int running = sums[threadIdx.x];
    for (int i = begin; i < end; ++i) {
        int mine = counts[i];
        counts[i] = running;
        running += mine;
    }
}

__global__ void scatterDigits(const Key* in, Key* out, const int* offsets, int n, int shift) {
    __shared__ unsigned char digits[THREADS_PER_BLOCK];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const Key key = i < n ? in[i] : 0;
    const int digit = i < n ? digitOf(key, shift) : RADIX;
    digits[threadIdx.x] = digit;
    __syncthreads();
    if (i >= n) return;
    int rank = 0;
    for (int t = 0; t < threadIdx.x; ++t) rank += digits[t] == digit;
    out[offsets[digit * gridDim.x + blockIdx.x] + rank] = key;
}

int main() {
    const int n = 100000;
    std::vector<Key> host(n);
    for (int i = 0; i < n; ++i) host[i] = (Key)i * 2654435761u;
    Key *a, *b;
    int* counts;
    const int blocks = (n + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK;
    if (hipMalloc(&a, n * sizeof(Key)) || hipMalloc(&b, n * sizeof(Key)) || hipMalloc(&counts, RADIX * blocks * sizeof(int))) {
        std::cerr << "no memory\n";
        return 1;
    }
    hipMemcpy(a, host.data(), n * sizeof(Key), hipMemcpyHostToDevice);
    for (int shift = 0; shift < 32; shift += RADIX_BITS) {
        countDigits<<<blocks, THREADS_PER_BLOCK>>>(a, counts, n, shift);
        scanCounts<<<1, 256, 256 * sizeof(int)>>>(counts, RADIX * blocks);
        scatterDigits<<<blocks, THREADS_PER_BLOCK>>>(a, b, counts, n, shift);
        std::swap(a, b);
    }
    std::vector<Key> sorted(n);
    hipMemcpy(sorted.data(), a, n * sizeof(Key), hipMemcpyDeviceToHost);
    std::cout << (std::is_sorted(sorted.begin(), sorted.end()) ? "sorted" : "NOT sorted") << '\n';
    return 0;
}
