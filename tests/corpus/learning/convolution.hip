// Convolution of images with channels: directly, as columns for a matrix product, by depth; and pooling.
#include <hip/hip_runtime.h>

#include <cassert>

struct ConvShape {
    int channels, height, width;
    int filters, kernel;
    int stride, pad;
    __host__ __device__ int outHeight() const { return (height + 2 * pad - kernel) / stride + 1; }
    __host__ __device__ int outWidth() const { return (width + 2 * pad - kernel) / stride + 1; }
};

__constant__ float c_bias[16];

__global__ void convDirect(const float* input, const float* weights, float* output, ConvShape s) {
    const int ox = blockIdx.x * blockDim.x + threadIdx.x, oy = blockIdx.y * blockDim.y + threadIdx.y;
    const int filter = blockIdx.z;
    assert(filter < s.filters);
    if (ox >= s.outWidth() || oy >= s.outHeight()) return;
    float sum = c_bias[filter];
    for (int c = 0; c < s.channels; ++c)
        for (int ky = 0; ky < s.kernel; ++ky)
            for (int kx = 0; kx < s.kernel; ++kx) {
                const int ix = ox * s.stride + kx - s.pad, iy = oy * s.stride + ky - s.pad;
                if (ix < 0 || iy < 0 || ix >= s.width || iy >= s.height) continue;
                sum += input[(c * s.height + iy) * s.width + ix] *
                       weights[((filter * s.channels + c) * s.kernel + ky) * s.kernel + kx];
            }
    output[(filter * s.outHeight() + oy) * s.outWidth() + ox] = sum;
}

__global__ void imageToColumns(const float* image, float* columns, ConvShape s) {
    const int pixels = s.outHeight() * s.outWidth(), taps = s.channels * s.kernel * s.kernel;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels * taps; i += gridDim.x * blockDim.x) {
        const int pixel = i % pixels, tap = i / pixels;
        const int kx = tap % s.kernel, ky = tap / s.kernel % s.kernel, c = tap / (s.kernel * s.kernel);
        const int ix = pixel % s.outWidth() * s.stride + kx - s.pad, iy = pixel / s.outWidth() * s.stride + ky - s.pad;
        const bool inside = ix >= 0 && iy >= 0 && ix < s.width && iy < s.height;
        columns[i] = inside ? image[(c * s.height + iy) * s.width + ix] : 0.0f;
    }
}

enum class Pool { Max, Average };

template <Pool KIND, int SIZE>
__global__ void pool(const float* in, float* out, int width, int height) {
    const int ox = blockIdx.x * blockDim.x + threadIdx.x, oy = blockIdx.y * blockDim.y + threadIdx.y;
    const int ow = width / SIZE, oh = height / SIZE;
    if (ox >= ow || oy >= oh) return;
    in += blockIdx.z * width * height;
    float value = KIND == Pool::Max ? -INFINITY : 0.0f;
    for (int y = 0; y < SIZE; ++y)
        for (int x = 0; x < SIZE; ++x) {
            const float v = in[(oy * SIZE + y) * width + ox * SIZE + x];
            if (KIND == Pool::Max)
                value = fmaxf(value, v);
            else
                value += v;
        }
    if (KIND == Pool::Average) value /= SIZE * SIZE;
    out[(blockIdx.z * oh + oy) * ow + ox] = value;
}
