// Function templates that take functions: map, fold, a scan over a tuple; closures in registers, nothing by pointer.
#include <hip/hip_runtime.h>

namespace fn {

template <typename F>
__device__ void gridLoop(size_t n, F body) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) body(i);
}

template <typename T, typename F>
__device__ T fold(const T* values, int n, T start, F&& combine) {
    for (int i = 0; i < n; ++i) start = combine(start, values[i]);
    return start;
}

template <class F>
struct Twice {
    F f;
    template <typename T>
    __device__ T operator()(T x) const {
        return f(f(x));
    }
};

template <class F>
__device__ Twice<F> twice(F f) {
    return Twice<F>{f};
}

namespace detail {
inline namespace v1 {
__device__ inline float bend(float x, float k = 0.25f) { return x + k * x * x; }
}
}

}  // namespace fn

__global__ void mapLambda(const float* x, float* y, float offset, size_t n) {
    const auto shift = [offset](auto value) { return value + offset; };
    const auto bendTwice = fn::twice([](float v) { return fn::detail::bend(v); });
    fn::gridLoop(n, [&](size_t i) { y[i] = bendTwice(shift(x[i])); });
}

__global__ void rowFolds(const int* matrix, int* sums, int* highest, long long* products, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const int* mine = matrix + row * columns;
    sums[row] = fn::fold(mine, columns, 0, [](int a, int b) { return a + b; });
    highest[row] = fn::fold(mine, columns, -1 << 30, [](int a, int b) { return a > b ? a : b; });
    long long product = 1;
    fn::fold(mine, columns, 0, [&product](int, int b) {
        product = product * (b == 0 ? 1 : b) % 1000003;
        return 0;
    });
    products[row] = product;
}

// Numerical integration of a function chosen by the template.
template <int WHICH>
__device__ double integrand(double x) {
    if (WHICH == 0) return x * x;
    if (WHICH == 1) return sin(x);
    return exp(-x * x);
}

template <int WHICH>
__global__ void integrate(double from, double width, int slices, double* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const double h = width / slices, a = from + i * width;
    double sum = integrand<WHICH>(a) + integrand<WHICH>(a + width);
    for (int k = 1; k < slices; ++k) sum += (k % 2 ? 4 : 2) * integrand<WHICH>(a + k * h);
    out[i] = sum * h / 3;
}

void runAll(double* out, hipStream_t stream) {
    integrate<0><<<1, 64, 0, stream>>>(0.0, 0.1, 16, out);
    integrate<1><<<1, 64, 0, stream>>>(0.0, 0.1, 16, out);
    integrate<2><<<1, 64, 0, stream>>>(-3.0, 0.1, 16, out);
}
