// One time step of the heat equation on a square plate, by finite differences. The edges keep their temperature.

// A block computes TILE x TILE points. It first copies them to shared memory, with one more point on each side (the
// halo). Each thread then reads its four neighbours there, and each temperature leaves global memory about once.

__global__ void heat_step(int size, float rate, const float* before, float* after) {
    __shared__ float tile[TILE + 2][TILE + 2];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    int column = threadIdx.x + 1, row = threadIdx.y + 1;
    bool inside = x < size && y < size;
    if (inside) {
        const float* at = before + y * size + x;
        tile[row][column] = *at;
        if (threadIdx.x == 0 && x > 0) tile[row][0] = at[-1];
        if (threadIdx.x == TILE - 1 && x < size - 1) tile[row][TILE + 1] = at[1];
        if (threadIdx.y == 0 && y > 0) tile[0][column] = at[-size];
        if (threadIdx.y == TILE - 1 && y < size - 1) tile[TILE + 1][column] = at[size];
    }
    __syncthreads();  // all threads of the block come here, also those outside the plate
    if (!inside) return;
    float here = tile[row][column];
    if (x == 0 || y == 0 || x == size - 1 || y == size - 1) {
        after[y * size + x] = here;
        return;
    }
    float around = tile[row][column - 1] + tile[row][column + 1] + tile[row - 1][column] + tile[row + 1][column];
    after[y * size + x] = here + rate * (around - 4 * here);
}
