// Separable Gaussian filter: rows then columns, weights in constant memory, apron in shared memory; and bilateral.
#include <hip/hip_runtime.h>

#define KERNEL_RADIUS 4
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
#define ROW_TILE 64

__constant__ float d_gaussian[KERNEL_LENGTH];

__global__ void gaussianRows(float* dst, const float* src, int width, int height) {
    __shared__ float line[ROW_TILE + 2 * KERNEL_RADIUS];
    const int y = blockIdx.y;
    const int start = blockIdx.x * ROW_TILE - KERNEL_RADIUS;
    for (int i = threadIdx.x; i < ROW_TILE + 2 * KERNEL_RADIUS; i += blockDim.x) {
        const int x = start + i;
        line[i] = x >= 0 && x < width ? src[y * width + x] : 0.0f;
    }
    __syncthreads();
    const int x = blockIdx.x * ROW_TILE + threadIdx.x;
    if (threadIdx.x >= ROW_TILE || x >= width) return;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < KERNEL_LENGTH; ++k) sum += d_gaussian[k] * line[threadIdx.x + k];
    dst[y * width + x] = sum;
}

__global__ void gaussianColumns(float* dst, const float* src, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
#pragma unroll
    for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; ++k)
        if (y + k >= 0 && y + k < height) sum += d_gaussian[k + KERNEL_RADIUS] * src[(y + k) * width + x];
    dst[y * width + x] = sum;
}

// Weights fall off with distance in place and in colour.
__global__ void bilateral(const float4* src, float4* dst, int width, int height, int radius, float sigmaPlace,
                          float sigmaColour) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float4 centre = src[y * width + x];
    float4 sum = make_float4(0, 0, 0, 0);
    float total = 0.0f;
    for (int dy = -radius; dy <= radius; ++dy) {
        for (int dx = -radius; dx <= radius; ++dx) {
            const float4 p = src[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
            const float colour2 = (p.x - centre.x) * (p.x - centre.x) + (p.y - centre.y) * (p.y - centre.y) +
                                  (p.z - centre.z) * (p.z - centre.z);
            const float weight = expf(-(dx * dx + dy * dy) / (2 * sigmaPlace * sigmaPlace) -
                                      colour2 / (2 * sigmaColour * sigmaColour));
            sum.x += weight * p.x;
            sum.y += weight * p.y;
            sum.z += weight * p.z;
            total += weight;
        }
    }
    dst[y * width + x] = make_float4(sum.x / total, sum.y / total, sum.z / total, centre.w);
}
