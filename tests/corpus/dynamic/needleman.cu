// Alignment of two sequences (Needleman and Wunsch): wavefronts of tiles over the matrix, wavefronts of cells in a tile.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#define TILE 16

__constant__ signed char substitution[4][4] = {{5, -4, -3, -4}, {-4, 5, -4, -3}, {-3, -4, 5, -4}, {-4, -3, -4, 5}};

__device__ __host__ inline int maximum(int a, int b, int c) {
    int k = a <= b ? b : a;
    return k <= c ? c : k;
}

// Block b of the wavefront has tile (firstRow - b, firstColumn + b). The matrix has one row and column more.
__global__ void alignTiles(const char* a, const char* b, int* matrix, int columns, int penalty, int firstRow,
                           int firstColumn) {
    __shared__ int score[TILE + 1][TILE + 1];
    __shared__ char top[TILE], left[TILE];
    const int tx = threadIdx.x;
    const int row0 = (firstRow - (int)blockIdx.x) * TILE, col0 = (firstColumn + (int)blockIdx.x) * TILE;
    left[tx] = a[row0 + tx];
    top[tx] = b[col0 + tx];
    if (tx == 0) score[0][0] = matrix[row0 * columns + col0];
    score[tx + 1][0] = matrix[(row0 + tx + 1) * columns + col0];
    score[0][tx + 1] = matrix[row0 * columns + col0 + tx + 1];
    __syncthreads();
    for (int wave = 0; wave < 2 * TILE - 1; ++wave) {
        const int y = tx, x = wave - tx;
        if (x >= 0 && x < TILE) {
            const int match = score[y][x] + substitution[left[y]][top[x]];
            score[y + 1][x + 1] = maximum(match, score[y + 1][x] - penalty, score[y][x + 1] - penalty);
        }
        __syncthreads();
    }
    for (int y = 0; y < TILE; ++y) matrix[(row0 + y + 1) * columns + col0 + tx + 1] = score[y + 1][tx + 1];
}

__global__ void initMatrix(int* matrix, int rows, int columns, int penalty) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < columns) matrix[i] = -i * penalty;
    if (i < rows) matrix[i * columns] = -i * penalty;
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 2048, columns = n + 1, tiles = n / TILE;
    std::string a(n, 0), b(n, 0);
    for (int i = 0; i < n; ++i) {
        a[i] = i * 7 % 4;
        b[i] = i * 5 % 4;
    }
    char *d_a, *d_b;
    int* d_matrix;
    cudaMalloc((void**)&d_a, n);
    cudaMalloc((void**)&d_b, n);
    cudaMalloc((void**)&d_matrix, sizeof(int) * columns * columns);
    cudaMemcpy(d_a, a.c_str(), n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.c_str(), n, cudaMemcpyHostToDevice);
    initMatrix<<<(columns + 255) / 256, 256>>>(d_matrix, columns, columns, 6);
    for (int wave = 0; wave < 2 * tiles - 1; ++wave) {
        const int firstRow = std::min(wave, tiles - 1), firstColumn = wave - firstRow;
        const int blocks = firstRow - std::max(0, wave - tiles + 1) + 1;
        alignTiles<<<blocks, TILE>>>(d_a, d_b, d_matrix, columns, 6, firstRow, firstColumn);
    }
    int score = 0;
    cudaMemcpy(&score, d_matrix + (size_t)columns * columns - 1, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("score %d\n", score);
    return 0;
}
