// Seven-point stencil in three dimensions: a plane at a time, what is above and below kept in registers.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(cmd)                                                                                    \
    {                                                                                                 \
        hipError_t error = cmd;                                                                       \
        if (error != hipSuccess) {                                                                    \
            fprintf(stderr, "error: '%s'(%d) at %s:%d\n", hipGetErrorString(error), error, __FILE__, __LINE__); \
            exit(EXIT_FAILURE);                                                                       \
        }                                                                                             \
    }

typedef struct {
    int nx, ny, nz;
    float c0, c1;
} Grid;

__host__ __device__ inline size_t at(const Grid& g, int x, int y, int z) {
    return (static_cast<size_t>(z) * g.ny + y) * g.nx + x;
}

__global__ void laplace3d(const float* __restrict__ a, float* __restrict__ b, const Grid g) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const bool inside = x > 0 && y > 0 && x < g.nx - 1 && y < g.ny - 1;
    if (!inside) return;
    float below = a[at(g, x, y, 0)];
    float here = a[at(g, x, y, 1)];
    for (int z = 1; z < g.nz - 1; ++z) {
        const float above = a[at(g, x, y, z + 1)];
        const float ring = a[at(g, x - 1, y, z)] + a[at(g, x + 1, y, z)] + a[at(g, x, y - 1, z)] + a[at(g, x, y + 1, z)];
        b[at(g, x, y, z)] = g.c1 * (ring + below + above) - g.c0 * here;
        below = here;
        here = above;
    }
}

// One thread a cell, three-dimensional blocks.
__global__ void laplace3dSimple(const float* a, float* b, Grid g) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int z = blockIdx.z * blockDim.z + threadIdx.z + 1;
    if (x < g.nx - 1 && y < g.ny - 1 && z < g.nz - 1) {
        b[at(g, x, y, z)] = g.c1 * (a[at(g, x - 1, y, z)] + a[at(g, x + 1, y, z)] + a[at(g, x, y - 1, z)] +
                                    a[at(g, x, y + 1, z)] + a[at(g, x, y, z - 1)] + a[at(g, x, y, z + 1)]) -
                            g.c0 * a[at(g, x, y, z)];
    }
}

int main(int argc, char** argv) {
    Grid g = {128, 128, 64, 6.0f, 1.0f};
    const size_t bytes = (size_t)g.nx * g.ny * g.nz * sizeof(float);
    float *a, *b;
    CHECK(hipMalloc(&a, bytes));
    CHECK(hipMalloc(&b, bytes));
    CHECK(hipMemset(a, 0, bytes));
    hipEvent_t start, stop;
    CHECK(hipEventCreate(&start));
    CHECK(hipEventCreate(&stop));
    CHECK(hipEventRecord(start, 0));
    for (int i = 0; i < 10; ++i) {
        hipLaunchKernelGGL(laplace3d, dim3(g.nx / 32, g.ny / 8), dim3(32, 8), 0, 0, a, b, g);
        hipLaunchKernelGGL(laplace3dSimple, dim3(g.nx / 8, g.ny / 8, g.nz / 4), dim3(8, 8, 4), 0, 0, b, a, g);
    }
    CHECK(hipEventRecord(stop, 0));
    CHECK(hipEventSynchronize(stop));
    float ms;
    CHECK(hipEventElapsedTime(&ms, start, stop));
    printf("%f ms\n", ms / 20);
    CHECK(hipFree(a));
    CHECK(hipFree(b));
    return 0;
}
