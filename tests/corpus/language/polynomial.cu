// Work done by the compiler: polynomials by recursive templates, tables by constexpr, powers, variadic sums.
#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>
#include <utility>

template <int DEGREE>
struct Horner {
    template <typename T>
    __device__ static T evaluate(const T* coefficients, T x) {
        return coefficients[0] + x * Horner<DEGREE - 1>::evaluate(coefficients + 1, x);
    }
};
template <>
struct Horner<0> {
    template <typename T>
    __device__ static T evaluate(const T* coefficients, T) {
        return *coefficients;
    }
};

template <unsigned N>
__device__ constexpr double power(double x) {
    if constexpr (N == 0)
        return 1.0;
    else if constexpr (N % 2 == 0)
        return power<N / 2>(x * x);
    else
        return x * power<N - 1>(x);
}

__host__ __device__ constexpr unsigned long long factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

template <int N>
struct Table {
    double value[N];
    __host__ __device__ constexpr Table() : value() {
        for (int i = 0; i < N; ++i) value[i] = 1.0 / factorial(i);
    }
};

template <typename... Ts>
__device__ auto total(Ts... values) {
    return (values + ...);
}

template <typename T, int DEGREE>
__global__ void polynomial(const T* __restrict__ coefficients, const T* __restrict__ x, T* __restrict__ y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = Horner<DEGREE>::evaluate(coefficients, x[i]);
}

__global__ void taylorExp(const double* x, double* y, int n) {
    constexpr Table<18> inverse;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0, term = 1;
    for (int k = 0; k < 18; ++k, term *= x[i]) sum += inverse.value[k] * term;
    y[i] = sum;
}

template <std::size_t... Is>
__device__ double sumOfPowers(double x, std::index_sequence<Is...>) {
    return total(power<Is>(x)...);
}

__global__ void geometricSeries(const double* x, double* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = sumOfPowers(x[i], std::make_index_sequence<8>{});
}

// Values in any type that holds numbers; others do not compile.
template <typename T, typename = typename std::enable_if<std::is_arithmetic<T>::value>::type>
__device__ T square(T x) {
    return x * x;
}

template <typename T>
__global__ void squares(const T* x, typename std::conditional<std::is_integral<T>::value, long long, double>::type* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    using Wide = typename std::remove_pointer<decltype(y)>::type;
    if (i < n) y[i] = square(static_cast<Wide>(x[i]));
}
