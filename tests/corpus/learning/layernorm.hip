// Normalization of layers: by row with Welford's method, root mean square, and batches with running statistics.
#include <hip/hip_runtime.h>

struct Welford {
    float mean = 0.f;
    float m2 = 0.f;
    float count = 0.f;

    __device__ void add(float x) {
        count += 1.f;
        const float delta = x - mean;
        mean += delta / count;
        m2 += delta * (x - mean);
    }
    __device__ void add(const Welford& o) {
        if (o.count == 0.f) return;
        const float total = count + o.count, delta = o.mean - mean;
        mean += delta * o.count / total;
        m2 += o.m2 + delta * delta * count * o.count / total;
        count = total;
    }
};

template <int THREADS, bool AFFINE>
__global__ void layerNorm(const float* x, float* y, const float* gamma, const float* beta, int width, float epsilon) {
    __shared__ float mean[THREADS], m2[THREADS], count[THREADS];
    const float* row = x + blockIdx.x * width;
    Welford w;
    for (int i = threadIdx.x; i < width; i += THREADS) w.add(row[i]);
    for (int s = THREADS / 2; s > 0; s >>= 1) {
        mean[threadIdx.x] = w.mean;
        m2[threadIdx.x] = w.m2;
        count[threadIdx.x] = w.count;
        __syncthreads();
        if (threadIdx.x < s) {
            Welford other;
            other.mean = mean[threadIdx.x + s];
            other.m2 = m2[threadIdx.x + s];
            other.count = count[threadIdx.x + s];
            w.add(other);
        }
        __syncthreads();
    }
    __shared__ float centre, scale;
    if (threadIdx.x == 0) {
        centre = w.mean;
        scale = rsqrtf(w.m2 / w.count + epsilon);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < width; i += THREADS) {
        float v = (row[i] - centre) * scale;
        if constexpr (AFFINE) v = v * gamma[i] + beta[i];
        y[blockIdx.x * width + i] = v;
    }
}

template <typename T>
__global__ void rmsNorm(const T* __restrict__ x, const T* __restrict__ weight, T* __restrict__ y, int width, T epsilon) {
    extern __shared__ __align__(sizeof(double)) unsigned char storage[];
    T* sums = reinterpret_cast<T*>(storage);
    T mine = 0;
    for (int i = threadIdx.x; i < width; i += blockDim.x) mine += x[blockIdx.x * width + i] * x[blockIdx.x * width + i];
    sums[threadIdx.x] = mine;
    __syncthreads();
    for (int s = blockDim.x >> 1; s > 0; s >>= 1) {
        if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
        __syncthreads();
    }
    const T scale = T(1) / sqrt(sums[0] / width + epsilon);
    for (int i = threadIdx.x; i < width; i += blockDim.x) y[blockIdx.x * width + i] = x[blockIdx.x * width + i] * scale * weight[i];
}

// A block a channel: [batch][channel][pixel].
__global__ void batchNorm(const float* x, float* y, float* runningMean, float* runningVariance, int batch, int channels,
                          int pixels, float momentum) {
    __shared__ float total, squares;
    if (threadIdx.x == 0) total = squares = 0.f;
    __syncthreads();
    const int c = blockIdx.x, n = batch * pixels;
    float sum = 0, sum2 = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const float v = x[((i / pixels) * channels + c) * pixels + i % pixels];
        sum += v;
        sum2 += v * v;
    }
    atomicAdd(&total, sum);
    atomicAdd(&squares, sum2);
    __syncthreads();
    const float mean = total / n, variance = squares / n - mean * mean;
    const float inverse = rsqrtf(variance + 1e-5f);
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const int at = ((i / pixels) * channels + c) * pixels + i % pixels;
        y[at] = (x[at] - mean) * inverse;
    }
    if (threadIdx.x == 0) {
        runningMean[c] += momentum * (mean - runningMean[c]);
        runningVariance[c] += momentum * (variance * n / (n - 1) - runningVariance[c]);
    }
}
