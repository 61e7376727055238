// Fast Fourier transforms: bit reversal and one launch a stage (in place), and Stockham's in shared memory.
#include <hip/hip_runtime.h>

#include <complex>
#include <cstdio>
#include <vector>

constexpr int FORWARD = -1;
constexpr int INVERSE = 1;
constexpr double PI = 3.14159265358979323846;

__device__ inline float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ inline float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ inline float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

__global__ void reverseOrder(const float2* in, float2* out, int log2n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1u << log2n) out[__brev(i) >> (32 - log2n)] = in[i];
}

template <int DIRECTION>
__global__ void butterflies(float2* data, int half, int n) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2) return;
    const int k = t % half;
    const int even = t / half * 2 * half + k, odd = even + half;
    float s, c;
    sincospif(DIRECTION * (float)k / half, &s, &c);
    const float2 a = data[even], b = make_float2(c, s) * data[odd];
    data[even] = a + b;
    data[odd] = a - b;
}

template <int DIRECTION, int N>
__global__ void stockham(const double2* in, double2* out) {
    __shared__ double2 ping[N], pong[N];
    double2 *from = ping, *to = pong;
    const int t = threadIdx.x;
    in += blockIdx.x * N;
    out += blockIdx.x * N;
    from[t] = in[t];
    from[t + N / 2] = in[t + N / 2];
    __syncthreads();
#pragma unroll
    for (int l = 1; l < N; l *= 2) {
        const int j = t / l, k = t % l;
        double s, c;
        sincos(DIRECTION * PI * k / l, &s, &c);
        const double2 a = from[t], b = from[t + N / 2];
        const double2 w = {c * b.x - s * b.y, c * b.y + s * b.x};
        to[2 * j * l + k] = {a.x + w.x, a.y + w.y};
        to[2 * j * l + k + l] = {a.x - w.x, a.y - w.y};
        __syncthreads();
        double2* swap = from;
        from = to;
        to = swap;
    }
    const double scale = DIRECTION == INVERSE ? 1.0 / N : 1.0;
    out[t] = {from[t].x * scale, from[t].y * scale};
    out[t + N / 2] = {from[t + N / 2].x * scale, from[t + N / 2].y * scale};
}

int main() {
    const int log2n = 12, n = 1 << log2n;
    std::vector<std::complex<float>> signal(n);
    for (int i = 0; i < n; ++i) signal[i] = {std::cos(0.1f * i), 0.0f};
    float2 *a, *b;
    double2* c;
    hipMalloc(&a, n * sizeof(float2));
    hipMalloc(&b, n * sizeof(float2));
    hipMalloc(&c, n * sizeof(double2));
    hipMemcpy(a, signal.data(), n * sizeof(float2), hipMemcpyHostToDevice);
    reverseOrder<<<n / 256, 256>>>(a, b, log2n);
    for (int half = 1; half < n; half *= 2) butterflies<FORWARD><<<n / 512, 256>>>(b, half, n);
    for (int half = 1; half < n; half *= 2) butterflies<INVERSE><<<n / 512, 256>>>(b, half, n);
    stockham<FORWARD, 256><<<n / 256, 128>>>(c, c);
    stockham<INVERSE, 256><<<n / 256, 128>>>(c, c);
    hipMemcpy(signal.data(), b, n * sizeof(float2), hipMemcpyDeviceToHost);
    std::printf("%f %f\n", signal[1].real(), signal[1].imag());
    return 0;
}
