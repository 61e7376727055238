// Nearest neighbours: all distances by tiles, then the K smallest of each row by insertion into a sorted list.
#include <hip/hip_runtime.h>

#include <limits>

template <typename T, int K>
struct Nearest {
    T distance[K];
    int index[K];

    __device__ Nearest() {
        for (int i = 0; i < K; ++i) {
            distance[i] = std::numeric_limits<T>::max();
            index[i] = -1;
        }
    }

    __device__ void offer(T d, int i) {
        if (d >= distance[K - 1]) return;
        int at = K - 1;
        for (; at > 0 && distance[at - 1] > d; --at) {
            distance[at] = distance[at - 1];
            index[at] = index[at - 1];
        }
        distance[at] = d;
        index[at] = i;
    }
};

// Distances squared between rows of A and rows of B; sizes are multiples of the tile.
template <int TILE>
__global__ void distances(const float* A, const float* B, float* out, int features, int columns) {
    __shared__ float a[TILE][TILE], b[TILE][TILE + 1];
    const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int f = 0; f < features; f += TILE) {
        a[threadIdx.y][threadIdx.x] = A[row * features + f + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = B[(blockIdx.x * TILE + threadIdx.y) * features + f + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            float d = a[threadIdx.y][k] - b[threadIdx.x][k];
            sum += d * d;
        }
        __syncthreads();
    }
    out[row * columns + col] = sum;
}

template <typename T, int K>
__global__ void selectNearest(const T* distance, int* neighbours, T* best, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    Nearest<T, K> nearest;
    for (int c = 0; c < columns; ++c) nearest.offer(distance[row * columns + c], c);
    for (int k = 0; k < K; ++k) {
        neighbours[row * K + k] = nearest.index[k];
        best[row * K + k] = nearest.distance[k];
    }
}
