// Median of 3x3 by a sorting network made of macros; dilation and erosion; an integral image.
#include <cuda_runtime.h>

#define SORT2(a, b)                 \
    {                               \
        const T low = min(a, b);    \
        (b) = max(a, b);            \
        (a) = low;                  \
    }
#define SORT3(a, b, c) \
    SORT2(b, c)        \
    SORT2(a, b)        \
    SORT2(b, c)

template <typename T>
__global__ void median3x3(const T* in, T* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x > width - 2 || y > height - 2) return;
    T v[9];
#pragma unroll
    for (int i = 0; i < 9; ++i) v[i] = in[(y + i / 3 - 1) * width + x + i % 3 - 1];
    SORT3(v[0], v[1], v[2])
    SORT3(v[3], v[4], v[5])
    SORT3(v[6], v[7], v[8])
    const T lows = max(max(v[0], v[3]), v[6]);
    const T highs = min(min(v[2], v[5]), v[8]);
    T a = v[1], b = v[4], c = v[7];
    SORT3(a, b, c)
    T m0 = lows, m1 = b, m2 = highs;
    SORT3(m0, m1, m2)
    out[y * width + x] = m1;
}

struct Dilate {
    static constexpr int start = -2147483647 - 1;
    __device__ static int apply(int a, int b) { return max(a, b); }
};
struct Erode {
    static constexpr int start = 2147483647;
    __device__ static int apply(int a, int b) { return min(a, b); }
};

template <class Operation, int R>
__global__ void morphology(const int* in, int* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int value = Operation::start;
    for (int dy = -R; dy <= R; ++dy)
        for (int dx = -R; dx <= R; ++dx)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                value = Operation::apply(value, in[(y + dy) * width + x + dx]);
    out[y * width + x] = value;
}

// A thread a row, then a thread a column.
__global__ void integralRows(const unsigned char* in, unsigned int* sums, int width, int height) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height) return;
    unsigned int running = 0;
    for (int x = 0; x < width; ++x) sums[y * width + x] = (running += in[y * width + x]);
}

__global__ void integralColumns(unsigned int* sums, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (int y = 1; y < height; ++y) sums[y * width + x] += sums[(y - 1) * width + x];
}
