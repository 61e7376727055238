// Element-wise functions: functors as template parameters, functors with a state, and lambdas through a helper.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Relu {
    template <typename T>
    __device__ T operator()(T x) const {
        return x > T(0) ? x : T(0);
    }
};

struct Gelu {
    __device__ float operator()(float x) const { return 0.5f * x * (1.0f + erff(x * 0.70710678f)); }
    __device__ double operator()(double x) const { return 0.5 * x * (1.0 + erf(x * 0.7071067811865476)); }
};

struct GeluTanh {
    __device__ float operator()(float x) const {
        const float inner = 0.7978845608f * (x + 0.044715f * x * x * x);
        return 0.5f * x * (1.0f + tanhf(inner));
    }
};

template <typename T>
struct LeakyRelu {
    T slope;
    __device__ T operator()(T x) const { return x >= 0 ? x : slope * x; }
};

template <typename T>
struct Clip {
    T low, high;
    __host__ __device__ Clip(T low, T high) : low(low), high(high) {}
    __device__ T operator()(T x) const { return min(max(x, low), high); }
};

// First one, then the other.
template <class F, class G>
struct Chain {
    F first;
    G second;
    template <typename T>
    __device__ T operator()(T x) const {
        return second(first(x));
    }
};

template <typename T, class F>
__global__ void mapElements(const T* __restrict__ in, T* __restrict__ out, size_t n, F f) {
    const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
    for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) out[i] = f(in[i]);
}

template <class F>
__device__ void forEach(int n, F&& body) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) body(i);
}

__global__ void swishGate(const float* x, const float* gate, float* y, int n) {
    forEach(n, [=](int i) {
        const float s = 1.0f / (1.0f + expf(-gate[i]));
        y[i] = x[i] * gate[i] * s;
    });
}

__global__ void softplusSum(const float* x, float* sum, int n) {
    float total = 0;
    forEach(n, [&total, x](int i) { total += log1pf(expf(x[i])); });
    atomicAdd(sum, total);
}

int main() {
    const size_t n = 1 << 20;
    std::vector<float> h(n, -0.5f);
    float *x, *y;
    double *dx, *dy;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    cudaMalloc(&dx, n * sizeof(double));
    cudaMalloc(&dy, n * sizeof(double));
    cudaMemcpy(x, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    mapElements<<<1024, 256>>>(x, y, n, Relu());
    mapElements<<<1024, 256>>>(x, y, n, Gelu{});
    mapElements<<<1024, 256>>>(dx, dy, n, Gelu{});
    mapElements<<<1024, 256>>>(x, y, n, GeluTanh{});
    mapElements<<<1024, 256>>>(x, y, n, LeakyRelu<float>{0.01f});
    mapElements<<<1024, 256>>>(dx, dy, n, Clip<double>(0.0, 6.0));
    mapElements<<<1024, 256>>>(x, y, n, Chain<LeakyRelu<float>, Clip<float> >{{0.1f}, {-1.0f, 1.0f}});
    swishGate<<<64, 256>>>(x, y, y, n);
    softplusSum<<<64, 256>>>(x, y, n);
    cudaMemcpy(h.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%f\n", h[0]);
    return 0;
}
