// Many small products: through arrays of pointers, and by strides, transposed or not.
#include <hip/hip_runtime.h>

enum Transpose { NoTrans = 0, Trans = 1 };

template <typename T, int OP>
struct View {
    const T* data;
    int ld;
    __device__ T operator()(int i, int j) const { return OP == Trans ? data[j * ld + i] : data[i * ld + j]; }
};

__global__ void gemmPointers(const float* const* A, const float* const* B, float** C, int n) {
    const float* a = A[blockIdx.z];
    const float* b = B[blockIdx.z];
    float* c = C[blockIdx.z];
    for (int at = threadIdx.x; at < n * n; at += blockDim.x) {
        const int i = at / n, j = at % n;
        float sum = 0;
        for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
        c[at] = sum;
    }
}

template <typename T, int OPA, int OPB>
__global__ void gemmStrided(const T* A, long long strideA, const T* B, long long strideB, T* C, long long strideC, int m,
                            int n, int k) {
    const View<T, OPA> a = {A + blockIdx.z * strideA, OPA == Trans ? m : k};
    const View<T, OPB> b = {B + blockIdx.z * strideB, OPB == Trans ? k : n};
    const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m || j >= n) return;
    T sum = 0;
    for (int p = 0; p < k; ++p) sum += a(i, p) * b(p, j);
    C[blockIdx.z * strideC + i * n + j] = sum;
}

// y = A x, a block a row; and the update A += alpha x y'.
template <unsigned THREADS>
__global__ void gemv(const float* __restrict__ A, const float* __restrict__ x, float* __restrict__ y, int columns) {
    __shared__ float sums[THREADS];
    float sum = 0.f;
    for (int c = threadIdx.x; c < columns; c += THREADS) sum += A[(size_t)blockIdx.x * columns + c] * x[c];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned s = THREADS >> 1; s; s >>= 1) {
        if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
        __syncthreads();
    }
    if (!threadIdx.x) y[blockIdx.x] = sums[0];
}

__global__ void rankOneUpdate(float* A, const float* x, const float* y, float alpha, int rows, int columns) {
    int c = threadIdx.x + blockIdx.x * blockDim.x, r = threadIdx.y + blockIdx.y * blockDim.y;
    if (r < rows && c < columns) A[r * columns + c] += alpha * x[r] * y[c];
}
