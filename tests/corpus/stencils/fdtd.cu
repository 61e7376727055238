// Finite differences in the time domain (transverse electric, two dimensions): three kernels a step.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define BX 32
#define BY 8
#define AT(field, r, c) (field)[(r) * columns + (c)]
#define ROW_COLUMN                                          \
    const int c = blockIdx.x * blockDim.x + threadIdx.x;    \
    const int r = blockIdx.y * blockDim.y + threadIdx.y;    \
    if (r >= rows || c >= columns) return

typedef float real_t;

__global__ void updateEy(int rows, int columns, const real_t* source, real_t* Ey, const real_t* Hz, int step) {
    ROW_COLUMN;
    if (r == 0)
        AT(Ey, 0, c) = source[step];
    else
        AT(Ey, r, c) -= 0.5f * (AT(Hz, r, c) - AT(Hz, r - 1, c));
}

__global__ void updateEx(int rows, int columns, real_t* Ex, const real_t* Hz) {
    ROW_COLUMN;
    if (c > 0) AT(Ex, r, c) -= 0.5f * (AT(Hz, r, c) - AT(Hz, r, c - 1));
}

__global__ void updateHz(int rows, int columns, const real_t* Ex, const real_t* Ey, real_t* Hz) {
    ROW_COLUMN;
    if (r == rows - 1 || c == columns - 1) return;
    const real_t curl = AT(Ex, r, c + 1) - AT(Ex, r, c) + AT(Ey, r + 1, c) - AT(Ey, r, c);
    AT(Hz, r, c) -= 0.7f * curl;
}

static real_t* allocate(size_t count) {
    real_t* made = NULL;
    cudaError_t status = cudaMalloc((void**)&made, count * sizeof(real_t));
    if (status != cudaSuccess) {
        fprintf(stderr, "cudaMalloc: %s\n", cudaGetErrorString(status));
        exit(1);
    }
    cudaMemset(made, 0, count * sizeof(real_t));
    return made;
}

int main() {
    const int rows = 512, columns = 512, steps = 50;
    real_t *source = allocate(steps), *Ex = allocate(rows * columns), *Ey = allocate(rows * columns),
           *Hz = allocate(rows * columns);
    real_t pulse[steps];
    for (int t = 0; t < steps; t++) pulse[t] = (real_t)t;
    cudaMemcpy(source, pulse, sizeof(pulse), cudaMemcpyHostToDevice);
    const dim3 block(BX, BY);
    const dim3 grid((columns + BX - 1) / BX, (rows + BY - 1) / BY);
    for (int t = 0; t < steps; t++) {
        updateEy<<<grid, block>>>(rows, columns, source, Ey, Hz, t);
        updateEx<<<grid, block>>>(rows, columns, Ex, Hz);
        updateHz<<<grid, block>>>(rows, columns, Ex, Ey, Hz);
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(source);
    cudaFree(Ex);
    cudaFree(Ey);
    cudaFree(Hz);
    return 0;
}
