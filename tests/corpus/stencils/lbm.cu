// Lattice Boltzmann, D2Q9, on a periodic box: collide and stream in one kernel, density and velocity in another.
#include <cuda_runtime.h>
#include <cstdio>
#include <utility>

namespace lbm {

constexpr int Q = 9;

__constant__ float weight[Q] = {4.f / 9,  1.f / 9,  1.f / 9,  1.f / 9, 1.f / 9,
                                1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
__constant__ int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};

struct Moments {
    float rho, ux, uy;
};

__device__ Moments momentsOf(const float (&f)[Q]) {
    Moments m = {0.f, 0.f, 0.f};
#pragma unroll
    for (int q = 0; q < Q; ++q) {
        m.rho += f[q];
        m.ux += cx[q] * f[q];
        m.uy += cy[q] * f[q];
    }
    m.ux /= m.rho;
    m.uy /= m.rho;
    return m;
}

__device__ float equilibrium(int q, const Moments& m) {
    float cu = 3.f * (cx[q] * m.ux + cy[q] * m.uy);
    float uu = 1.5f * (m.ux * m.ux + m.uy * m.uy);
    return weight[q] * m.rho * (1.f + cu + 0.5f * cu * cu - uu);
}

// Structure of arrays: all of one direction, then all of the next.
__global__ void collideAndStream(const float* __restrict__ from, float* __restrict__ to, int nx, int ny, float omega) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= nx) return;
    const int cells = nx * ny;
    float f[Q];
    for (int q = 0; q < Q; ++q) f[q] = from[q * cells + y * nx + x];
    const Moments m = momentsOf(f);
    for (int q = 0; q < Q; ++q) {
        const int tx = (x + cx[q] + nx) % nx, ty = (y + cy[q] + ny) % ny;
        to[q * cells + ty * nx + tx] = f[q] + omega * (equilibrium(q, m) - f[q]);
    }
}

__global__ void macroscopic(const float* f, Moments* out, int cells) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells) return;
    float mine[Q];
    for (int q = 0; q < Q; ++q) mine[q] = f[q * cells + i];
    out[i] = momentsOf(mine);
}

}  // namespace lbm

int main() {
    using namespace lbm;
    const int nx = 256, ny = 128;
    float *a, *b;
    Moments* m;
    cudaMalloc(&a, sizeof(float) * Q * nx * ny);
    cudaMalloc(&b, sizeof(float) * Q * nx * ny);
    cudaMalloc(&m, sizeof(Moments) * nx * ny);
    for (int t = 0; t < 100; ++t) {
        collideAndStream<<<dim3((nx + 63) / 64, ny), 64>>>(a, b, nx, ny, 1.2f);
        std::swap(a, b);
    }
    macroscopic<<<(nx * ny + 127) / 128, 128>>>(a, m, nx * ny);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(a);
    cudaFree(b);
    cudaFree(m);
}
