// Temperature of a chip: several steps on a shared tile whose valid part shrinks, as many launches as it takes.
#include <hip/hip_runtime.h>

#define TILE 16
#define IN_RANGE(x, low, high) ((x) >= (low) && (x) <= (high))

__global__ void thermalSteps(int steps, const float* power, const float* before, float* after, int cols, int rows,
                             int border, float cap, float rx, float ry, float rz) {
    __shared__ float warmth[TILE][TILE];
    __shared__ float heating[TILE][TILE];
    __shared__ float next[TILE][TILE];
    const float ambient = 80.0f;

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int useful = TILE - 2 * border;
    const int row = useful * (int)blockIdx.y - border + ty;
    const int col = useful * (int)blockIdx.x - border + tx;
    const bool onGrid = IN_RANGE(row, 0, rows - 1) && IN_RANGE(col, 0, cols - 1);
    const int index = cols * row + col;
    if (onGrid) {
        warmth[ty][tx] = before[index];
        heating[ty][tx] = power[index];
    }
    __syncthreads();

    bool computed = false;
    for (int i = 0; i < steps; i++) {
        computed = false;
        if (IN_RANGE(tx, i + 1, TILE - i - 2) && IN_RANGE(ty, i + 1, TILE - i - 2) && onGrid) {
            computed = true;
            // What lies outside of the chip is as warm as its edge.
            const int n = row > 0 ? ty - 1 : ty, s = row < rows - 1 ? ty + 1 : ty;
            const int w = col > 0 ? tx - 1 : tx, e = col < cols - 1 ? tx + 1 : tx;
            const float here = warmth[ty][tx];
            next[ty][tx] = here + cap * (heating[ty][tx] + (warmth[s][tx] + warmth[n][tx] - 2.0f * here) * ry +
                                         (warmth[ty][e] + warmth[ty][w] - 2.0f * here) * rx + (ambient - here) * rz);
        }
        __syncthreads();
        if (i == steps - 1) break;
        if (computed) warmth[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (computed) after[index] = next[ty][tx];
}
