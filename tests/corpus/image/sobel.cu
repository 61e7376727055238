// Edges by Sobel's operator on bytes, brightness of RGBA pixels, and thresholds: the usual start of an image pipeline.
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>

#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : ((x) > (hi) ? (hi) : (x)))

struct Image {
    const uint8_t* pixels;
    int width, height, pitch;
    __device__ int at(int x, int y) const {
        x = CLAMP(x, 0, width - 1);
        y = CLAMP(y, 0, height - 1);
        return pixels[y * pitch + x];
    }
};

__global__ void sobel(Image in, uint8_t* out, float scale) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    const int gx = in.at(x + 1, y - 1) + 2 * in.at(x + 1, y) + in.at(x + 1, y + 1) - in.at(x - 1, y - 1) -
                   2 * in.at(x - 1, y) - in.at(x - 1, y + 1);
    const int gy = in.at(x - 1, y + 1) + 2 * in.at(x, y + 1) + in.at(x + 1, y + 1) - in.at(x - 1, y - 1) -
                   2 * in.at(x, y - 1) - in.at(x + 1, y - 1);
    const int magnitude = (int)(scale * (abs(gx) + abs(gy)));
    out[y * in.pitch + x] = (uint8_t)CLAMP(magnitude, 0, 255);
}

__global__ void rgbaToGrey(const uchar4* rgba, unsigned char* grey, int pixels) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) {
        const uchar4 p = rgba[i];
        grey[i] = (unsigned char)((77 * p.x + 150 * p.y + 29 * p.z + 128) >> 8);
    }
}

__global__ void threshold(uint8_t* pixels, int n, uint8_t limit, bool invert) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) pixels[i] = (pixels[i] >= limit) != invert ? 255 : 0;
}

int main() {
    const int w = 1920, h = 1080;
    uchar4* rgba;
    uint8_t *grey, *edges;
    cudaMalloc((void**)&rgba, w * h * sizeof(uchar4));
    cudaMalloc((void**)&grey, w * h);
    cudaMalloc((void**)&edges, w * h);
    rgbaToGrey<<<256, 256>>>(rgba, grey, w * h);
    Image image = {grey, w, h, w};
    sobel<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(image, edges, 0.5f);
    threshold<<<(w * h + 255) / 256, 256>>>(edges, w * h, 100, false);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
