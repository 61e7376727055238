// Small containers in registers and shared memory: fixed vectors, matrices with operators, a stack, a ring, strings.
#include <hip/hip_runtime.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <tuple>

template <typename T, int R, int C>
class Matrix {
  public:
    __host__ __device__ T& operator()(int r, int c) { return data_[r * C + c]; }
    __host__ __device__ const T& operator()(int r, int c) const { return data_[r * C + c]; }
    __host__ __device__ static Matrix identity() {
        Matrix m{};
        for (int i = 0; i < (R < C ? R : C); ++i) m(i, i) = T(1);
        return m;
    }
    template <int K>
    __host__ __device__ Matrix<T, R, K> operator*(const Matrix<T, C, K>& o) const {
        Matrix<T, R, K> product{};
        for (int r = 0; r < R; ++r)
            for (int k = 0; k < K; ++k)
                for (int c = 0; c < C; ++c) product(r, k) += (*this)(r, c) * o(c, k);
        return product;
    }
    __host__ __device__ Matrix<T, C, R> transposed() const {
        Matrix<T, C, R> t;
        for (int r = 0; r < R; ++r)
            for (int c = 0; c < C; ++c) t(c, r) = (*this)(r, c);
        return t;
    }

  private:
    T data_[R * C];
};

// A (A' A)^(power - 1), for many small matrices.
__global__ void matrixPowers(const Matrix<float, 3, 2>* in, Matrix<float, 3, 2>* out, int n, int power) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Matrix<float, 3, 2> a = in[i];
    const Matrix<float, 2, 2> square = a.transposed() * a;
    auto result = Matrix<float, 2, 2>::identity();
    for (int p = 1; p < power; ++p) result = result * square;
    out[i] = a * result;
}

template <typename T, unsigned CAPACITY>
class Stack {
    T items_[CAPACITY];
    unsigned size_ = 0;

  public:
    __device__ bool empty() const { return size_ == 0; }
    __device__ void push(T item) {
        if (size_ < CAPACITY) items_[size_++] = item;
    }
    __device__ T pop() { return items_[--size_]; }
};

// Nodes of a binary tree in an array, visited depth first with a stack: how many keys lie within a range.
__global__ void rangeCount(const int* keys, int nodes, const int2* ranges, int* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Stack<int, 32> todo;
    todo.push(0);
    int count = 0;
    while (!todo.empty()) {
        const int node = todo.pop();
        if (node >= nodes) continue;
        const int key = keys[node];
        if (key >= ranges[i].x && key <= ranges[i].y) ++count;
        if (key >= ranges[i].x) todo.push(2 * node + 1);
        if (key <= ranges[i].y) todo.push(2 * node + 2);
    }
    counts[i] = count;
}

// A postfix expression, a byte a token: digits, x, and operators.
__global__ void evaluatePostfix(const char* program, int length, const double* x, double* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Stack<double, 16> stack;
    for (int at = 0; at < length; ++at) {
        const char token = program[at];
        switch (token) {
            case 'x': stack.push(x[i]); break;
            case '+': case '-': case '*': case '/': {
                const double b = stack.pop(), a = stack.pop();
                stack.push(token == '+' ? a + b : token == '-' ? a - b : token == '*' ? a * b : a / b);
                break;
            }
            default:
                if (token >= '0' && token <= '9') stack.push(token - '0');
        }
    }
    out[i] = stack.pop();
}

// The median of the last five values, in a ring; borders take what there is.
__global__ void runningMedian(const short* in, short* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    std::array<short, 5> window{};
    int count = 0;
    for (int k = i - 2; k <= i + 2; ++k)
        if (k >= 0 && k < n) window[count++] = in[k];
    for (int a = 1; a < count; ++a)
        for (int b = a; b > 0 && window[b - 1] > window[b]; --b) {
            const short t = window[b];
            window[b] = window[b - 1];
            window[b - 1] = t;
        }
    out[i] = window[count / 2];
}
