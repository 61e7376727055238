// Atomics of all kinds: on bits, exchange, increments that wrap, user-made ones for double and for bytes, locks.
#include <cuda_runtime.h>

__device__ double atomicMaxDouble(double* address, double val) {
    unsigned long long int* address_as_ull = (unsigned long long int*)address;
    unsigned long long int old = *address_as_ull, assumed;
    while (val > __longlong_as_double(old)) {
        assumed = old;
        old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val));
        if (old == assumed) break;
    }
    return __longlong_as_double(old);
}

// Any operation on 32 bits, told as a functor.
template <typename T, typename F>
__device__ T atomicApply(T* address, F f) {
    static_assert(sizeof(T) == sizeof(unsigned int), "words only");
    unsigned int* word = reinterpret_cast<unsigned int*>(address);
    unsigned int seen = *word, expected;
    do {
        expected = seen;
        T value;
        __builtin_memcpy(&value, &expected, sizeof(T));
        value = f(value);
        unsigned int wanted;
        __builtin_memcpy(&wanted, &value, sizeof(T));
        seen = atomicCAS(word, expected, wanted);
    } while (seen != expected);
    T before;
    __builtin_memcpy(&before, &seen, sizeof(T));
    return before;
}

__global__ void doubles(const double* x, double* most, double* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicMaxDouble(most, x[i]);
    atomicAdd(sum, x[i]);
}

__global__ void manyKinds(const unsigned int* x, unsigned int* out, unsigned long long* wide, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAnd(&out[0], x[i]);
    atomicOr(&out[1], x[i]);
    atomicXor(&out[2], x[i]);
    atomicInc(&out[3], 6u);
    atomicDec(&out[4], 9u);
    atomicMin(&out[5], x[i]);
    atomicMax(&out[6], x[i]);
    atomicSub(&out[7], 3u);
    atomicMax(&wide[0], (unsigned long long)x[i] << 20);
    atomicAnd(&wide[1], ~(1ULL << (i % 64)));
    atomicXor(&wide[2], (unsigned long long)x[i] << 7);
}

__global__ void floatMinMax(const float* x, float* low, float* high, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float mine = x[i];
    atomicApply(low, [mine](float v) { return fminf(v, mine); });
    atomicApply(high, [mine](float v) { return v < mine ? mine : v; });
}

// Exchange of a whole list: each thread puts itself in front.
__global__ void linkedLists(const int* bucket, int* head, int* next, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) next[i] = atomicExch(&head[bucket[i]], i);
}

// One thread of each block at a time; within a block only the first tries.
__device__ int mutex = 0;

__global__ void underLock(int* plain, int* order) {
    if (threadIdx.x != 0) return;
    bool done = false;
    while (!done) {
        if (atomicCAS(&mutex, 0, 1) == 0) {
            __threadfence();
            volatile int* value = plain;
            order[*value] = blockIdx.x;
            *value = *value + 1;
            __threadfence();
            atomicExch(&mutex, 0);
            done = true;
        }
    }
}
