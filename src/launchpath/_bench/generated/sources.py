"""The kernels of `launchpath._bench.generated.pairs` in HIP C++, by name."""

from __future__ import annotations

SOURCES = {
    "saxpy": """
__global__ void saxpy(int n, float a, const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
""",
    "reduction": """
template <typename T, int BLOCK>
__global__ void reduce(const T* in, T* out, int n) {
    __shared__ T part[BLOCK];
    T sum = 0;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += BLOCK * gridDim.x) sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
""",
    "stencil": """
template <int W, int H>
__global__ void stencil(const float* in, float* out, int width, int height) {
    __shared__ float tile[H + 2][W + 2];
    int x = blockIdx.x * W + threadIdx.x, y = blockIdx.y * H + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    tile[ty][tx] = in[y * width + x];
    if (tx == 1) tile[ty][0] = in[y * width + max(x - 1, 0)];
    if (tx == W) tile[ty][W + 1] = in[y * width + min(x + 1, width - 1)];
    if (ty == 1) tile[0][tx] = in[max(y - 1, 0) * width + x];
    if (ty == H) tile[H + 1][tx] = in[min(y + 1, height - 1) * width + x];
    __syncthreads();
    float ring = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
    out[y * width + x] = 0.5f * tile[ty][tx] + 0.125f * ring;
}
""",
    "matmul": """
template <typename T, int TILE>
__global__ void matmul(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c, int n) {
    __shared__ T as[TILE][TILE], bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    T sum = 0;
    for (int k = 0; k < n; k += TILE) {
        as[ty][tx] = a[row * n + k + tx];
        bs[ty][tx] = b[(k + ty) * n + column];
        __syncthreads();
        for (int i = 0; i < TILE; ++i) sum += as[ty][i] * bs[i][tx];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
""",
    "nbody": """
__device__ float3 pull(float3 sum, float4 on, float4 by) {
    float dx = by.x - on.x, dy = by.y - on.y, dz = by.z - on.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    float s = by.w * inverse * inverse * inverse;
    return make_float3(sum.x + dx * s, sum.y + dy * s, sum.z + dz * s);
}

__global__ void nbody(const float4* bodies, float4* forces, int n) {
    __shared__ float4 tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 mine = bodies[i];
    float3 sum = make_float3(0, 0, 0);
    for (int base = 0; base < n; base += 128) {
        tile[threadIdx.x] = bodies[base + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 128; ++j) sum = pull(sum, mine, tile[j]);
        __syncthreads();
    }
    forces[i] = make_float4(sum.x, sum.y, sum.z, mine.w);
}
""",
    "histogram": """
__global__ void histogram(const unsigned int* words, unsigned int* bins, int n) {
    __shared__ unsigned int counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        unsigned int word = words[i];
        atomicAdd(&counts[word & 255], 1);
        atomicAdd(&counts[word >> 8 & 255], 1);
        atomicAdd(&counts[word >> 16 & 255], 1);
        atomicAdd(&counts[word >> 24], 1);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
""",
    "black_scholes": """
__device__ float normal(float d) {
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float p = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float tail = 0.39894228f * expf(-0.5f * d * d) * p;
    return d > 0 ? 1.0f - tail : tail;
}

__global__ void blackScholes(float* __restrict__ call, float* __restrict__ put, const float* __restrict__ price,
                             const float* __restrict__ strike, const float* __restrict__ years, float rate,
                             float vol, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float S = price[i], X = strike[i], T = years[i];
    float root = sqrtf(T);
    float d1 = (logf(S / X) + (rate + 0.5f * vol * vol) * T) / (vol * root);
    float d2 = d1 - vol * root;
    float discounted = X * expf(-rate * T);
    float c1 = normal(d1), c2 = normal(d2);
    call[i] = S * c1 - discounted * c2;
    put[i] = discounted * (1.0f - c2) - S * (1.0f - c1);
}
""",
    "transpose": """
template <typename T, int TILE>
__global__ void transpose(T* to, const T* from, int width, int height) {
    __shared__ T tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = from[y * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    to[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
""",
    "mandelbrot": """
struct Complex {
    float re, im;
    __device__ Complex operator*(Complex o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
    __device__ Complex operator+(Complex o) const { return {re + o.re, im + o.im}; }
    __device__ float norm2() const { return re * re + im * im; }
};

__global__ void mandelbrot(int* out, int side, int limit) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    Complex c = {3.0f * x / side - 2.0f, 3.0f * y / side - 1.5f}, z = {0, 0};
    int i = 0;
    for (; i < limit && z.norm2() <= 4.0f; ++i) z = z * z + c;
    out[y * side + x] = i;
}
""",
    "spmv": """
template <typename T>
__global__ void spmv(int n, const int* rows, const int* columns, const T* values, const T* x, T* y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    T sum = 0;
    for (int j = rows[row]; j < rows[row + 1]; ++j) sum += values[j] * x[columns[j]];
    y[row] = sum;
}
""",
}
