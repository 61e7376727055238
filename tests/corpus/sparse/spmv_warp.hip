// CSR matrix times vector with a part of a warp for each row: shuffles within groups of lanes.
#include <hip/hip_runtime.h>

template <int LANES>
__device__ float groupSum(float value) {
    for (int offset = LANES >> 1; offset > 0; offset >>= 1) value += __shfl_down(value, offset, LANES);
    return value;
}

template <int LANES>
__global__ void spmvGroups(int rows, const int* __restrict__ offsets, const int* __restrict__ columns,
                           const float* __restrict__ values, const float* __restrict__ x, float* __restrict__ y) {
    const int lane = threadIdx.x & (LANES - 1);
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    float sum = 0.f;
    if (row < rows)
        for (int j = offsets[row] + lane; j < offsets[row + 1]; j += LANES) sum += values[j] * x[columns[j]];
    sum = groupSum<LANES>(sum);
    if (lane == 0 && row < rows) y[row] = sum;
}
