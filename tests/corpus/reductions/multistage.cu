// Reductions with any operator, in two launches: partial results per block, then one block over the partial results.
#include <cuda_runtime.h>
#include <float.h>
#include <limits.h>
#include <stdio.h>

#ifndef THREADS
#define THREADS 128
#endif

template <typename T>
struct Sum {
    static __host__ __device__ T identity() { return T(0); }
    __host__ __device__ T operator()(T a, T b) const { return a + b; }
};

template <typename T>
struct Maximum;

template <>
struct Maximum<float> {
    static __host__ __device__ float identity() { return -FLT_MAX; }
    __host__ __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

template <>
struct Maximum<int> {
    static __host__ __device__ int identity() { return INT_MIN; }
    __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

// The greatest value and where it is; of equal values, the first.
struct ValueIndex {
    float value;
    int index;
};

struct ArgMax {
    static __device__ ValueIndex identity() {
        ValueIndex none = {-FLT_MAX, INT_MAX};
        return none;
    }
    __device__ ValueIndex operator()(const ValueIndex& a, const ValueIndex& b) const {
        if (a.value > b.value) return a;
        if (b.value > a.value) return b;
        return a.index < b.index ? a : b;
    }
};

template <typename T, class Op>
__device__ T blockReduce(T mine, Op op) {
    __shared__ T cache[THREADS];
    cache[threadIdx.x] = mine;
    __syncthreads();
    for (int width = THREADS >> 1; width != 0; width >>= 1) {
        if (threadIdx.x < width) cache[threadIdx.x] = op(cache[threadIdx.x], cache[threadIdx.x + width]);
        __syncthreads();
    }
    return cache[0];
}

template <typename T, class Op>
__global__ void reduceStage(const T* in, T* out, int n) {
    Op op;
    T mine = Op::identity();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) mine = op(mine, in[i]);
    mine = blockReduce(mine, op);
    if (threadIdx.x == 0) out[blockIdx.x] = mine;
}

__global__ void argmaxFirst(const float* in, ValueIndex* out, int n) {
    ArgMax op;
    ValueIndex mine = ArgMax::identity();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        ValueIndex here = {in[i], i};
        mine = op(mine, here);
    }
    mine = blockReduce(mine, op);
    if (threadIdx.x == 0) out[blockIdx.x] = mine;
}

template <typename T, class Op>
void reduce(const T* d_in, T* d_partial, T* d_out, int n, int blocks) {
    reduceStage<T, Op><<<blocks, THREADS>>>(d_in, d_partial, n);
    reduceStage<T, Op><<<1, THREADS>>>(d_partial, d_out, blocks);
}

int main() {
    const int n = 1 << 20, blocks = 64;
    float *f, *fp, *fo;
    int *k, *kp, *ko;
    ValueIndex* where;
    cudaMalloc(&f, n * sizeof(float));
    cudaMalloc(&fp, blocks * sizeof(float));
    cudaMalloc(&fo, sizeof(float));
    cudaMalloc(&k, n * sizeof(int));
    cudaMalloc(&kp, blocks * sizeof(int));
    cudaMalloc(&ko, sizeof(int));
    cudaMalloc(&where, blocks * sizeof(ValueIndex));
    cudaMemset(f, 0, n * sizeof(float));
    cudaMemset(k, 0, n * sizeof(int));

    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    reduce<float, Sum<float> >(f, fp, fo, n, blocks);
    reduce<float, Maximum<float> >(f, fp, fo, n, blocks);
    reduce<int, Maximum<int> >(k, kp, ko, n, blocks);
    argmaxFirst<<<blocks, THREADS>>>(f, where, n);
    reduceStage<ValueIndex, ArgMax><<<1, THREADS>>>(where, where, blocks);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float ms = 0;
    cudaEventElapsedTime(&ms, start, stop);
    printf("all: %.3f ms, %s\n", ms, cudaGetErrorString(cudaGetLastError()));
    return 0;
}
