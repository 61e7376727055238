// Two filters of pictures. A picture is one float per pixel, in rows. Outside of it is the nearest pixel of its edge.

__device__ inline int clamped(int i, int size) { return min(max(i, 0), size - 1); }

// Blur along one axis with weights on both sides: along x first, then along y, which is the blur in both directions.

__global__ void blur(int width, int height, int radius, bool along_y, const float* weights, const float* in,
                     float* out) {
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int k = -radius; k <= radius; k++) {
        int at = along_y ? clamped(y + k, height) * width + x : y * width + clamped(x + k, width);
        sum += weights[k + radius] * in[at];
    }
    out[y * width + x] = sum;
}

// Sobel's filter: how fast the brightness changes along x and y, and the length of both together. A block copies its
// pixels and those around them to shared memory. There are more of them than threads, so a thread copies up to two.

__global__ void sobel(int width, int height, const float* in, float* out) {
    const int SIDE = TILE + 2;
    __shared__ float tile[SIDE][SIDE];
    int thread = threadIdx.y * TILE + threadIdx.x;
    for (int k = thread; k < SIDE * SIDE; k += TILE * TILE) {
        int x = clamped(blockIdx.x * TILE + k % SIDE - 1, width), y = clamped(blockIdx.y * TILE + k / SIDE - 1, height);
        tile[k / SIDE][k % SIDE] = in[y * width + x];
    }
    __syncthreads();
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x >= width || y >= height) return;
    const float *above = &tile[threadIdx.y][threadIdx.x], *here = above + SIDE, *below = here + SIDE;
    float along_x = above[2] + 2 * here[2] + below[2] - above[0] - 2 * here[0] - below[0];
    float along_y = below[0] + 2 * below[1] + below[2] - above[0] - 2 * above[1] - above[2];
    out[y * width + x] = sqrtf(along_x * along_x + along_y * along_y);
}
