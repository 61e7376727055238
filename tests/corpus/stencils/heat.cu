/* Explicit heat equation on a plate, and how far it still is from rest. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <time.h>
#include <cuda_runtime.h>

#define BLOCK_X 16
#define BLOCK_Y 16

typedef double real;

#define U(i, j) u[(i) * ny + (j)]
#define V(i, j) v[(i) * ny + (j)]

struct Plate {
    int nx, ny;
    real dx, dy, dt, alpha;
};

__global__ void heatStep(const real *u, real *v, struct Plate p)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int nx = p.nx, ny = p.ny;
    if (i >= nx || j >= ny) return;
    if (i == 0 || j == 0 || i == nx - 1 || j == ny - 1) {
        V(i, j) = U(i, j);
        return;
    }
    real uxx = (U(i - 1, j) - 2.0 * U(i, j) + U(i + 1, j)) / (p.dx * p.dx);
    real uyy = (U(i, j - 1) - 2.0 * U(i, j) + U(i, j + 1)) / (p.dy * p.dy);
    V(i, j) = U(i, j) + p.dt * p.alpha * (uxx + uyy);
}

__global__ void residual(const real *u, const real *v, real *out, int n)
{
    extern __shared__ real scratch[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    real d = i < n ? fabs(u[i] - v[i]) : 0.0;
    scratch[threadIdx.x] = d;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) scratch[threadIdx.x] = fmax(scratch[threadIdx.x], scratch[threadIdx.x + s]);
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = scratch[0];
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char *argv[])
{
    struct Plate p = {256, 256, 1.0 / 255, 1.0 / 255, 3e-6, 1.0};
    int steps = argc > 1 ? atoi(argv[1]) : 100;
    size_t size = p.nx * p.ny * sizeof(real);
    real *h = (real *)calloc(p.nx * p.ny, sizeof(real));
    for (int j = 0; j < p.ny; j++) h[j] = sin(M_PI * j / (p.ny - 1));
    real *d_u, *d_v, *d_r;
    cudaMalloc((void **)&d_u, size);
    cudaMalloc((void **)&d_v, size);
    int blocks = (p.nx * p.ny + 255) / 256;
    cudaMalloc((void **)&d_r, blocks * sizeof(real));
    cudaMemcpy(d_u, h, size, cudaMemcpyHostToDevice);
    dim3 block(BLOCK_X, BLOCK_Y), grid((p.ny + BLOCK_X - 1) / BLOCK_X, (p.nx + BLOCK_Y - 1) / BLOCK_Y);
    double t = seconds();
    for (int s = 0; s < steps; s++) {
        heatStep<<<grid, block>>>(d_u, d_v, p);
        real *swap = d_u;
        d_u = d_v;
        d_v = swap;
    }
    residual<<<blocks, 256, 256 * sizeof(real)>>>(d_u, d_v, d_r, p.nx * p.ny);
    cudaDeviceSynchronize();
    printf("%d steps: %g s\n", steps, seconds() - t);
    cudaMemcpy(h, d_u, size, cudaMemcpyDeviceToHost);
    printf("middle: %.6f\n", h[(p.nx / 2) * p.ny + p.ny / 2]);
    cudaFree(d_u);
    cudaFree(d_v);
    cudaFree(d_r);
    free(h);
    return 0;
}
