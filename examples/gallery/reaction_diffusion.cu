// Gray-Scott reaction and diffusion on a torus. Writes the concentration of the second substance as reaction_diffusion.pgm.
//
//   nvcc -O3 -o reaction_diffusion reaction_diffusion.cu
//   ./reaction_diffusion [size] [steps]

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CHECK(call)                                                                              \
    do {                                                                                              \
        cudaError_t status = (call);                                                                  \
        if (status != cudaSuccess) {                                                                  \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));           \
            exit(EXIT_FAILURE);                                                                       \
        }                                                                                             \
    } while (0)

constexpr int BLOCK_X = 32, BLOCK_Y = 8;

struct Params {
    float feed, kill;
    float diffusion_u, diffusion_v;
};

__constant__ Params c_params;

template <typename T>
__device__ __forceinline__ T laplacian(const T* __restrict__ field, int x, int y, int size) {
    const int left = (x + size - 1) % size, right = (x + 1) % size;
    const int up = (y + size - 1) % size * size, down = (y + 1) % size * size;
    const int row = y * size;
    const T edges = field[row + left] + field[row + right] + field[up + x] + field[down + x];
    const T corners = field[up + left] + field[up + right] + field[down + left] + field[down + right];
    return T(0.2) * edges + T(0.05) * corners - field[row + x];
}

template <typename T>
__global__ void grayScott(const T* __restrict__ u, const T* __restrict__ v, T* __restrict__ uNext,
                          T* __restrict__ vNext, int size) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= size || y >= size) return;
    const int i = y * size + x;
    const T reaction = u[i] * v[i] * v[i];
    uNext[i] = u[i] + c_params.diffusion_u * laplacian(u, x, y, size) - reaction + c_params.feed * (1 - u[i]);
    vNext[i] = v[i] + c_params.diffusion_v * laplacian(v, x, y, size) + reaction -
               (c_params.feed + c_params.kill) * v[i];
}

static void writePgm(const char* name, const std::vector<float>& v, int size) {
    FILE* file = fopen(name, "wb");
    if (!file) {
        perror(name);
        exit(EXIT_FAILURE);
    }
    fprintf(file, "P5\n%d %d\n255\n", size, size);
    for (float value : v) fputc(std::min(255, int(value * 600)), file);
    fclose(file);
}

int main(int argc, char** argv) {
    const int size = argc > 1 ? atoi(argv[1]) : 256;
    const int steps = argc > 2 ? atoi(argv[2]) : 5000;
    const size_t bytes = sizeof(float) * size * size;

    std::vector<float> u(size * size, 1.0f), v(size * size, 0.0f);
    for (int y = size / 2 - 8; y < size / 2 + 8; ++y)
        for (int x = size / 2 - 8; x < size / 2 + 8; ++x) {
            u[y * size + x] = 0.5f;
            v[y * size + x] = 0.25f;
        }

    const Params params = {0.037f, 0.06f, 1.0f, 0.5f};
    CUDA_CHECK(cudaMemcpyToSymbol(c_params, &params, sizeof(params)));

    float *d_u[2], *d_v[2];
    for (int k = 0; k < 2; ++k) {
        CUDA_CHECK(cudaMalloc(&d_u[k], bytes));
        CUDA_CHECK(cudaMalloc(&d_v[k], bytes));
    }
    CUDA_CHECK(cudaMemcpy(d_u[0], u.data(), bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_v[0], v.data(), bytes, cudaMemcpyHostToDevice));

    const dim3 block(BLOCK_X, BLOCK_Y);
    const dim3 grid((size + block.x - 1) / block.x, (size + block.y - 1) / block.y);

    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    CUDA_CHECK(cudaEventRecord(start));
    for (int step = 0; step < steps; ++step) {
        const int now = step % 2;
        grayScott<float><<<grid, block>>>(d_u[now], d_v[now], d_u[1 - now], d_v[1 - now], size);
    }
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));

    float milliseconds = 0;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    printf("%d steps of %d x %d points: %.1f ms\n", steps, size, size, milliseconds);

    CUDA_CHECK(cudaMemcpy(v.data(), d_v[steps % 2], bytes, cudaMemcpyDeviceToHost));
    writePgm("reaction_diffusion.pgm", v, size);

    for (int k = 0; k < 2; ++k) {
        CUDA_CHECK(cudaFree(d_u[k]));
        CUDA_CHECK(cudaFree(d_v[k]));
    }
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    return 0;
}
