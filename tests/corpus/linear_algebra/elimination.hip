// Gaussian elimination with two kernels for each column, and Jacobi's iteration for diagonally dominant systems.
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define MAXBLOCKSIZE 64
#define BLOCK_SIZE_XY 8

unsigned int totalKernelTime = 0;
float *a_host, *b_host;

__global__ void multipliers(float* factors, const float* a, int size, int column)
{
    int below = threadIdx.x + blockIdx.x * blockDim.x;
    if (below >= size - 1 - column) return;
    int row = column + 1 + below;
    factors[row] = a[row * size + column] / a[column * size + column];
}

__global__ void eliminate(const float* factors, float* a, float* b, int size, int column)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int j = threadIdx.y + blockIdx.y * blockDim.y;
    if (i >= size - 1 - column || j >= size - column) return;
    int row = column + 1 + i, col = column + j;
    a[row * size + col] -= factors[row] * a[column * size + col];
    if (j == 0) b[row] -= factors[row] * b[column];
}

__global__ void jacobiSweep(const float* a, const float* b, const float* x, float* next, int size)
{
    int row = threadIdx.x + blockIdx.x * blockDim.x;
    if (row >= size) return;
    float sum = b[row];
    for (int j = 0; j < size; ++j)
        if (j != row) sum -= a[row * size + j] * x[j];
    next[row] = sum / a[row * size + row];
}

void forward(float* d_factors, float* d_a, float* d_b, int size)
{
    int blocks = size / MAXBLOCKSIZE + !(size % MAXBLOCKSIZE ? 0 : 1);
    int blocksXY = (size + BLOCK_SIZE_XY - 1) / BLOCK_SIZE_XY;
    dim3 dimBlock(MAXBLOCKSIZE), dimGrid(blocks);
    dim3 dimBlockXY(BLOCK_SIZE_XY, BLOCK_SIZE_XY), dimGridXY(blocksXY, blocksXY);
    for (int column = 0; column < size - 1; column++) {
        multipliers<<<dimGrid, dimBlock>>>(d_factors, d_a, size, column);
        eliminate<<<dimGridXY, dimBlockXY>>>(d_factors, d_a, d_b, size, column);
    }
}

int main(int argc, char* argv[])
{
    int size = argc > 1 ? atoi(argv[1]) : 256;
    a_host = (float*)malloc(size * size * sizeof(float));
    b_host = (float*)malloc(size * sizeof(float));
    for (int i = 0; i < size; i++) {
        b_host[i] = 1.0f;
        for (int j = 0; j < size; j++) a_host[i * size + j] = i == j ? 2.0f * size : 1.0f;
    }
    float *d_a, *d_b, *d_factors, *d_x, *d_next;
    hipMalloc((void**)&d_a, size * size * sizeof(float));
    hipMalloc((void**)&d_b, size * sizeof(float));
    hipMalloc((void**)&d_factors, size * sizeof(float));
    hipMalloc((void**)&d_x, size * sizeof(float));
    hipMalloc((void**)&d_next, size * sizeof(float));
    hipMemcpy(d_a, a_host, size * size * sizeof(float), hipMemcpyHostToDevice);
    hipMemcpy(d_b, b_host, size * sizeof(float), hipMemcpyHostToDevice);
    hipMemset(d_x, 0, size * sizeof(float));
    jacobiSweep<<<(size + 63) / 64, 64>>>(d_a, d_b, d_x, d_next, size);
    forward(d_factors, d_a, d_b, size);
    hipMemcpy(a_host, d_a, size * size * sizeof(float), hipMemcpyDeviceToHost);
    hipMemcpy(b_host, d_b, size * sizeof(float), hipMemcpyDeviceToHost);
    for (int i = size - 1; i >= 0; i--) {
        for (int j = i + 1; j < size; j++) b_host[i] -= a_host[i * size + j] * b_host[j];
        b_host[i] /= a_host[i * size + i];
    }
    printf("x[0] = %f\n", b_host[0]);
    free(a_host);
    free(b_host);
    return 0;
}
