// Bitonic sort: what fits a block in shared memory, the wide steps one launch each.
#include <hip/hip_runtime.h>

constexpr unsigned PER_BLOCK = 256;

struct KeyValue {
    unsigned key, value;
};

__device__ inline void order(KeyValue& low, KeyValue& high, bool ascending) {
    if (ascending ? low.key > high.key : low.key < high.key) {
        const KeyValue t = low;
        low = high;
        high = t;
    }
}

// Sorts each PER_BLOCK pairs by themselves; a block has half as many threads.
__global__ void bitonicBlock(unsigned* keys, unsigned* values, bool ascending) {
    __shared__ KeyValue pairs[PER_BLOCK];
    keys += blockIdx.x * PER_BLOCK;
    values += blockIdx.x * PER_BLOCK;
    for (unsigned i = threadIdx.x; i < PER_BLOCK; i += blockDim.x) pairs[i] = KeyValue{keys[i], values[i]};

    for (unsigned length = 2; length <= PER_BLOCK; length *= 2) {
        for (unsigned apart = length / 2; apart > 0; apart /= 2) {
            __syncthreads();
            const unsigned low = threadIdx.x / apart * 2 * apart + threadIdx.x % apart;
            const bool up = ((low & length) == 0 || length == PER_BLOCK) == ascending;
            order(pairs[low], pairs[low + apart], up);
        }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < PER_BLOCK; i += blockDim.x) {
        keys[i] = pairs[i].key;
        values[i] = pairs[i].value;
    }
}

template <typename T>
__global__ void bitonicStep(T* data, int j, int k) {
    const unsigned int i = threadIdx.x + blockDim.x * blockIdx.x;
    const unsigned int partner = i ^ j;
    if (partner > i) {
        const bool ascending = (i & k) == 0;
        const T a = data[i], b = data[partner];
        if (ascending ? a > b : a < b) {
            data[i] = b;
            data[partner] = a;
        }
    }
}

template <typename T>
void bitonicSort(T* d_data, int n) {
    for (int k = 2; k <= n; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) bitonicStep<<<n / 256, 256>>>(d_data, j, k);
}

int main() {
    const int n = 1 << 16;
    float* f;
    long long* l;
    unsigned int *keys, *values;
    hipMalloc(&f, n * sizeof(float));
    hipMalloc(&l, n * sizeof(long long));
    hipMalloc(&keys, n * sizeof(unsigned int));
    hipMalloc(&values, n * sizeof(unsigned int));
    bitonicSort(f, n);
    bitonicSort(l, n);
    bitonicBlock<<<n / PER_BLOCK, PER_BLOCK / 2>>>(keys, values, true);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
