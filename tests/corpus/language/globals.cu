// Variables on the device: constants with and without initial values, counters, tables that a kernel fills.
#include <cuda_runtime.h>
#include <stdio.h>

#define TABLE_SIZE 64

struct Settings {
    float scale;
    int shift;
    bool enabled;
};

__constant__ Settings settings = {2.0f, 3, true};
__constant__ int primesBelow20[8] = {2, 3, 5, 7, 11, 13, 17, 19};
__constant__ float weights[TABLE_SIZE];
__device__ int counter = 100;
__device__ unsigned long long bigCounter;
__device__ float table[TABLE_SIZE];
__device__ double history[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
static __device__ const char greeting[] = "hello";

namespace inner {
__device__ int hidden = 7;
}

__global__ void fillTable(float base) {
    const int i = threadIdx.x;
    table[i] = settings.enabled ? base * i * settings.scale + settings.shift : 0.0f;
}

__global__ void useTable(const int* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = table[in[i] % TABLE_SIZE] + weights[i % TABLE_SIZE] + primesBelow20[i % 8];
}

__global__ void count(int n, int* ticket) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    ticket[i] = atomicAdd(&counter, 1);
    atomicAdd(&bigCounter, (1ULL << 33) + i);
    if (i == 0) {
        history[1][2] += inner::hidden;
        inner::hidden *= 2;
    }
}

__global__ void copyGreeting(char* out) {
    if (threadIdx.x < sizeof(greeting)) out[threadIdx.x] = greeting[threadIdx.x];
}

int main() {
    Settings changed = {1.0f, 0, true};
    cudaMemcpyToSymbol(settings, &changed, sizeof(Settings));
    float w[TABLE_SIZE] = {0};
    cudaMemcpyToSymbol(weights, w, sizeof(w));
    int *in, *ticket;
    float* out;
    char* text;
    cudaMalloc(&in, 1024 * sizeof(int));
    cudaMalloc(&ticket, 1024 * sizeof(int));
    cudaMalloc(&out, 1024 * sizeof(float));
    cudaMalloc(&text, 16);
    fillTable<<<1, TABLE_SIZE>>>(0.5f);
    useTable<<<4, 256>>>(in, out, 1024);
    count<<<4, 256>>>(1024, ticket);
    copyGreeting<<<1, 32>>>(text);
    int counted = 0;
    cudaMemcpyFromSymbol(&counted, counter, sizeof(int));
    void* address = nullptr;
    cudaGetSymbolAddress(&address, table);
    printf("%d %s\n", counted, cudaGetErrorString(cudaGetLastError()));
    return 0;
}
