// Softmax by rows: three passes over shared reductions, and in one pass with a running maximum; cross-entropy.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <type_traits>

template <typename T>
struct Accumulate {
    using type = float;
};
template <>
struct Accumulate<double> {
    using type = double;
};
template <typename T>
using accumulate_t = typename Accumulate<T>::type;

template <int BLOCK, typename T, typename Combine>
__device__ T combineBlock(T value, Combine combine) {
    __shared__ T scratch[BLOCK];
    __syncthreads();
    scratch[threadIdx.x] = value;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) scratch[threadIdx.x] = combine(scratch[threadIdx.x], scratch[threadIdx.x + s]);
        __syncthreads();
    }
    return scratch[0];
}

template <int BLOCK, typename T>
__global__ void softmaxRows(const T* __restrict__ in, T* __restrict__ out, int columns) {
    using A = accumulate_t<T>;
    const T* row = in + static_cast<size_t>(blockIdx.x) * columns;
    A most = -INFINITY;
    for (int c = threadIdx.x; c < columns; c += BLOCK) most = fmax(most, static_cast<A>(row[c]));
    most = combineBlock<BLOCK>(most, [](A a, A b) { return a > b ? a : b; });
    A sum = 0;
    for (int c = threadIdx.x; c < columns; c += BLOCK) sum += exp(static_cast<A>(row[c]) - most);
    sum = combineBlock<BLOCK>(sum, [](A a, A b) { return a + b; });
    for (int c = threadIdx.x; c < columns; c += BLOCK)
        out[static_cast<size_t>(blockIdx.x) * columns + c] = static_cast<T>(exp(static_cast<A>(row[c]) - most) / sum);
}

struct Running {
    float most, sum;
};

__device__ Running merge(Running a, Running b) {
    const float most = fmaxf(a.most, b.most);
    if (most == -INFINITY) return Running{most, 0.f};
    return Running{most, a.sum * expf(a.most - most) + b.sum * expf(b.most - most)};
}

__global__ void softmaxOnline(const float* in, float* out, int columns) {
    const float* row = in + blockIdx.x * columns;
    Running mine = {-INFINITY, 0.f};
    for (int c = threadIdx.x; c < columns; c += blockDim.x) mine = merge(mine, Running{row[c], 1.f});
    const Running all = combineBlock<64>(mine, [](Running a, Running b) { return merge(a, b); });
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        out[blockIdx.x * columns + c] = expf(row[c] - all.most) / all.sum;
}

__global__ void crossEntropy(const float* probabilities, const long long* labels, double* losses, int rows, int classes) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    const long long label = labels[r];
    losses[r] = label < 0 ? 0.0 : -log((double)probabilities[r * classes + label] + 1e-12);
}

int main() {
    const int rows = 1024, columns = 768;
    float *in, *out;
    double *in64, *out64, *loss;
    long long* labels;
    cudaMalloc(&in, rows * columns * sizeof(float));
    cudaMalloc(&out, rows * columns * sizeof(float));
    cudaMalloc(&in64, rows * columns * sizeof(double));
    cudaMalloc(&out64, rows * columns * sizeof(double));
    cudaMalloc(&loss, rows * sizeof(double));
    cudaMalloc(&labels, rows * sizeof(long long));
    softmaxRows<128><<<rows, 128>>>(in, out, columns);
    softmaxRows<128><<<rows, 128>>>(in64, out64, columns);
    softmaxOnline<<<rows, 64>>>(in, out, columns);
    crossEntropy<<<rows / 128, 128>>>(out, labels, loss, rows, columns);
    std::printf("%d\n", (int)cudaDeviceSynchronize());
    return 0;
}
