// Two-dimensional stencils: five points through a shared tile with halo, nine points with constant weights.
#include <cuda_runtime.h>

#define TILE_W 16
#define TILE_H 8
#define IDX(x, y, pitch) ((y) * (pitch) + (x))

__constant__ float kernel3x3[3][3] = {{0.0625f, 0.125f, 0.0625f}, {0.125f, 0.25f, 0.125f}, {0.0625f, 0.125f, 0.0625f}};

__device__ __forceinline__ int clampIndex(int i, int low, int high) { return min(max(i, low), high); }

template <typename T>
__global__ void fivePoint(const T* in, T* out, int width, int height, T centre, T side) {
    __shared__ T tile[TILE_H + 2][TILE_W + 2];
    const int x = blockIdx.x * TILE_W + threadIdx.x;
    const int y = blockIdx.y * TILE_H + threadIdx.y;
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int cx = clampIndex(x, 0, width - 1), cy = clampIndex(y, 0, height - 1);

    tile[ty][tx] = in[IDX(cx, cy, width)];
    if (threadIdx.x == 0) tile[ty][0] = in[IDX(clampIndex(x - 1, 0, width - 1), cy, width)];
    if (threadIdx.x == TILE_W - 1) tile[ty][TILE_W + 1] = in[IDX(clampIndex(x + 1, 0, width - 1), cy, width)];
    if (threadIdx.y == 0) tile[0][tx] = in[IDX(cx, clampIndex(y - 1, 0, height - 1), width)];
    if (threadIdx.y == TILE_H - 1) tile[TILE_H + 1][tx] = in[IDX(cx, clampIndex(y + 1, 0, height - 1), width)];
    __syncthreads();

    if (x >= width || y >= height) return;
    out[IDX(x, y, width)] =
        centre * tile[ty][tx] + side * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}

__global__ void ninePoint(const float* in, float* out, int2 size) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= size.x - 1 || y >= size.y - 1) return;
    float sum = 0.f;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) sum += kernel3x3[j + 1][i + 1] * in[IDX(x + i, y + j, size.x)];
    out[IDX(x, y, size.x)] = sum;
}

void launch(const float* in, float* out, const double* din, double* dout, int w, int h) {
    dim3 block(TILE_W, TILE_H);
    dim3 grid((w + TILE_W - 1) / TILE_W, (h + TILE_H - 1) / TILE_H);
    fivePoint<float><<<grid, block>>>(in, out, w, h, 0.5f, 0.125f);
    fivePoint<double><<<grid, block>>>(din, dout, w, h, 0.5, 0.125);
    ninePoint<<<grid, block>>>(in, out, make_int2(w, h));
}
