// Inclusive scan of any length: blocks by Hillis and Steele's method, then the blocks' totals, then both together.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cassert>
#include <iostream>

constexpr int kBlock = 256;

template <typename T>
__global__ void inclusiveScanBlock(const T* input, T* output, T* totals, int n) {
    __shared__ T buffer[2][kBlock];
    const int tid = threadIdx.x;
    const int i = blockIdx.x * kBlock + tid;
    int from = 0, to = 1;
    buffer[from][tid] = i < n ? input[i] : T();
    __syncthreads();
    for (int distance = 1; distance < kBlock; distance <<= 1) {
        buffer[to][tid] = buffer[from][tid] + (tid >= distance ? buffer[from][tid - distance] : T());
        from = to;
        to = 1 - from;
        __syncthreads();
    }
    if (i < n) output[i] = buffer[from][tid];
    if (totals != nullptr && tid == kBlock - 1) totals[blockIdx.x] = buffer[from][tid];
}

template <typename T>
__global__ void addTotals(T* data, const T* scannedTotals, int n) {
    const int i = blockIdx.x * kBlock + threadIdx.x;
    if (blockIdx.x > 0 && i < n) data[i] += scannedTotals[blockIdx.x - 1];
}

template <typename T>
void scan(const T* in, T* out, T* totals, int n) {
    const int blocks = (n + kBlock - 1) / kBlock;
    assert(blocks <= kBlock);
    inclusiveScanBlock<T><<<blocks, kBlock>>>(in, out, totals, n);
    inclusiveScanBlock<T><<<1, kBlock>>>(totals, totals, nullptr, blocks);
    addTotals<T><<<blocks, kBlock>>>(out, totals, n);
}

int main() {
    const int n = 50000;
    int *in, *out, *totals;
    cudaMallocManaged((void**)&in, n * sizeof(int));
    cudaMallocManaged((void**)&out, n * sizeof(int));
    cudaMallocManaged((void**)&totals, kBlock * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = i % 5;
    scan(in, out, totals, n);
    cudaDeviceSynchronize();
    int sum = 0;
    bool right = true;
    for (int i = 0; i < n; ++i) {
        sum += in[i];
        right = right && out[i] == sum;
    }
    std::cout << (right ? "PASSED" : "FAILED") << std::endl;
    double *din, *dout, *dtotals;
    cudaMallocManaged((void**)&din, n * sizeof(double));
    cudaMallocManaged((void**)&dout, n * sizeof(double));
    cudaMallocManaged((void**)&dtotals, kBlock * sizeof(double));
    scan(din, dout, dtotals, n);
    cudaDeviceSynchronize();
    cudaFree(in); cudaFree(out); cudaFree(totals);
    cudaFree(din); cudaFree(dout); cudaFree(dtotals);
    return right ? 0 : 1;
}
