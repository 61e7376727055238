// Transposes: element by element, and through a padded tile with several rows a thread.
#include <cuda_runtime.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 32, ROWS = 8 };

static cudaError_t ok(cudaError_t status) {
#ifndef NDEBUG
    if (status != cudaSuccess) {
        fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(status));
        assert(!"a CUDA call failed");
    }
#endif
    return status;
}

__global__ void transposeDirect(float* to, const float* from, int width, int height) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < height) to[column * height + row] = from[row * width + column];
}

// Width and height are multiples of the tile.
template <typename T>
__global__ void transposeTiled(T* to, const T* from, int width, int height) {
    __shared__ T tile[SIDE][SIDE + 1];
    const int left = blockIdx.x * SIDE, top = blockIdx.y * SIDE;
#pragma unroll
    for (int r = threadIdx.y; r < SIDE; r += ROWS) tile[r][threadIdx.x] = from[(top + r) * width + left + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int r = threadIdx.y; r < SIDE; r += ROWS) to[(left + r) * height + top + threadIdx.x] = tile[threadIdx.x][r];
}

int main(int argc, char** argv) {
    const int width = 1024, height = 512;
    const size_t size = sizeof(float) * width * height;
    float* host = (float*)malloc(size);
    for (int i = 0; i < width * height; i++) host[i] = (float)i;
    float *from, *to;
    ok(cudaMalloc(&from, size));
    ok(cudaMalloc(&to, size));
    ok(cudaMemcpy(from, host, size, cudaMemcpyHostToDevice));
    cudaEvent_t began, ended;
    ok(cudaEventCreate(&began));
    ok(cudaEventCreate(&ended));
    ok(cudaEventRecord(began, 0));
    transposeDirect<<<dim3(width / 16, height / 16), dim3(16, 16)>>>(to, from, width, height);
    transposeTiled<float><<<dim3(width / SIDE, height / SIDE), dim3(SIDE, ROWS)>>>(to, from, width, height);
    transposeTiled<<<dim3(width / 2 / SIDE, height / SIDE), dim3(SIDE, ROWS)>>>((double*)to, (const double*)from,
                                                                              width / 2, height);
    ok(cudaEventRecord(ended, 0));
    ok(cudaEventSynchronize(ended));
    float ms = 0;
    ok(cudaEventElapsedTime(&ms, began, ended));
    printf("%.2f GB/s\n", 6 * size * 1e-6 / ms);
    ok(cudaEventDestroy(began));
    ok(cudaEventDestroy(ended));
    ok(cudaFree(from));
    ok(cudaFree(to));
    free(host);
}
