// Splats: soft round spots of colour whose sum is a picture. A splat is six floats: x, y, the logarithm of its size, red,
// green and blue. The picture has rows of pixels of three floats. Its height has the length 1.

struct Splat {
    float x, y, log_size, colour[3];
};

// How bright a splat is at a point. `reach` is its size squared, `far` the squared distance.
__device__ inline float brightness(const Splat& splat, float x, float y, float* reach, float* far) {
    *reach = expf(2 * splat.log_size);
    *far = (x - splat.x) * (x - splat.x) + (y - splat.y) * (y - splat.y);
    return expf(-*far / (2 * *reach));
}

// One thread for each pixel.
__global__ void splat_forward(int splats, int height, int width, const float* splat, float* picture) {
    int pixel = blockIdx.x * THREADS + threadIdx.x;
    if (pixel >= height * width) return;
    float x = (pixel % width + 0.5f) / height, y = (pixel / width + 0.5f) / height, sum[3] = {0, 0, 0}, reach, far;
    for (int i = 0; i < splats; i++) {
        const Splat& each = ((const Splat*)splat)[i];
        float bright = brightness(each, x, y, &reach, &far);
        for (int k = 0; k < 3; k++) sum[k] += bright * each.colour[k];
    }
    for (int k = 0; k < 3; k++) picture[3 * pixel + k] = sum[k];
}

// One block for each splat: its threads share the pixels among them, and sum up what they have. No atomics are needed.
__global__ void splat_backward(int height, int width, const float* splat, const float* picture_grad, float* splat_grad) {
    __shared__ float shared[6][THREADS];
    const Splat& mine = ((const Splat*)splat)[blockIdx.x];
    float sum[6] = {0, 0, 0, 0, 0, 0}, reach, far;
    for (int pixel = threadIdx.x; pixel < height * width; pixel += THREADS) {
        float x = (pixel % width + 0.5f) / height, y = (pixel / width + 0.5f) / height;
        const float* grad = picture_grad + 3 * pixel;
        float bright = brightness(mine, x, y, &reach, &far), along = 0;
        for (int k = 0; k < 3; k++) {
            sum[3 + k] += bright * grad[k];
            along += bright * grad[k] * mine.colour[k];
        }
        sum[0] += along * (x - mine.x) / reach;
        sum[1] += along * (y - mine.y) / reach;
        sum[2] += along * far / reach;
    }
    for (int k = 0; k < 6; k++) shared[k][threadIdx.x] = sum[k];
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            for (int k = 0; k < 6; k++) shared[k][threadIdx.x] += shared[k][threadIdx.x + half];
    }
    __syncthreads();
    if (threadIdx.x < 6) splat_grad[6 * blockIdx.x + threadIdx.x] = shared[threadIdx.x][0];
}
