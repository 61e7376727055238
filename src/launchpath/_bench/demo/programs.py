"""The programs of the demonstration."""

from __future__ import annotations

# A program of CUDA's own language, whole. It writes a picture to the file that it is called with.
PROGRAM = """\
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void mandelbrot(uchar3 *pixels, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float a = 3.0f * x / width - 2.2f, b = 2.0f * y / height - 1.0f;
    float u = 0, v = 0;
    int n = 0;
    for (; n < 256 && u * u + v * v < 16; n++) {
        float t = u * u - v * v + a;
        v = 2 * u * v + b;
        u = t;
    }
    float s = n == 256 ? 0 : sqrtf((n + 1 - log2f(0.5f * log2f(u * u + v * v))) / 64);
    pixels[y * width + x] = make_uchar3(255 * fminf(s * s, 1), 255 * fminf(s * 0.8f, 1), 255 * fminf(0.2f + s, 1));
}

int main(int argc, char **argv) {
    int width = 960, height = 640;
    uchar3 *pixels;
    cudaMalloc(&pixels, width * height * sizeof(uchar3));
    dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    mandelbrot<<<grid, block>>>(pixels, width, height);
    std::vector<uchar3> image(width * height);
    cudaMemcpy(image.data(), pixels, image.size() * sizeof(uchar3), cudaMemcpyDeviceToHost);
    cudaError_t error = cudaGetLastError();
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    printf("%d x %d pixels by %s: %s\\n", width, height, device.name, cudaGetErrorString(error));
    FILE *file = fopen(argv[1], "wb");
    if (error || !file) return 1;
    fprintf(file, "P6 %d %d 255\\n", width, height);
    fwrite(image.data(), sizeof(uchar3), image.size(), file);
    return fclose(file) ? 1 : 0;
}
"""
# What the demonstration shows of it: from the line that begins so to the one that does not begin so any more.
SHOWN = ("int main", "    std::vector")

KERNEL = """\
__global__ void fill(float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}
"""
LAUNCH = """\
import launchpath as lp

program = lp.compile(KERNEL, name="fill.cu")
out = lp.empty(1000, "float32")
program.fill[4, 256](out, 1000)  # 4 blocks of 256 threads
values = out.to_numpy()
"""

# A program that does what many do. Findings name its lines.
SLOW = '''\
import numpy as np
import launchpath as lp

program = lp.compile("""
__global__ void move(float *x, const float *force, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 0.01f * force[i];
}""")
n = 100_000
x, force = lp.zeros(n, "float32"), np.ones(n, "float32")
for step in range(300):
    there = lp.asarray(force)
    program.move[-(-n // 256), 256](x, there, n)
    lp.synchronize()
    if x.to_numpy()[0] > 100:
        break
    np.sort(force)
'''

# Each is refused.
MISTAKES = (
    "program.fill[4, 256](out)",
    'program.fill[4, 256](lp.empty(1000, "int32"), 1000)',
)
# Another process runs it: checks of accesses are switched on before a device is found.
OUTSIDE = """\
program = lp.compile(KERNEL.replace("i < n", "i <= n"), name="fill.cu")
program.fill[4, 256](lp.empty(1000, "float32"), 1000)
"""
