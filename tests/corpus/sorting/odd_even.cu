// Odd-even transposition: a block sorts its part; the order is a template parameter that is a type.
#include <cuda_runtime.h>

struct Less {
    template <typename T>
    __device__ bool operator()(const T& a, const T& b) const {
        return a < b;
    }
};

struct Record {
    short key;
    char tag;
};

struct ByKeyThenTagDown {
    __device__ bool operator()(const Record& a, const Record& b) const {
        return a.key != b.key ? a.key < b.key : a.tag > b.tag;
    }
};

template <typename T>
__device__ void swapValues(T& a, T& b) {
    T t = a;
    a = b;
    b = t;
}

template <typename T, typename Compare>
__global__ void oddEvenSort(T* data, int per_block) {
    extern __shared__ double2 raw[];
    T* part = (T*)raw;
    T* mine = data + blockIdx.x * per_block;
    for (int i = threadIdx.x; i < per_block; i += blockDim.x) part[i] = mine[i];
    __syncthreads();
    Compare before;
    for (int phase = 0; phase < per_block; ++phase) {
        const int left = 2 * threadIdx.x + (phase & 1);
        if (left + 1 < per_block && before(part[left + 1], part[left])) swapValues(part[left], part[left + 1]);
        __syncthreads();
    }
    for (int i = threadIdx.x; i < per_block; i += blockDim.x) mine[i] = part[i];
}
