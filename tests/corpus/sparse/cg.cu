// One iteration of conjugate gradients without leaving the device: the scalars live in device variables.
#include <cuda_runtime.h>

__device__ double d_rr, d_pAp, d_rrNew;

__global__ void clearSums() {
    d_pAp = 0.0;
    d_rrNew = 0.0;
}

template <int THREADS>
__device__ void addToSum(double mine, double* sum) {
    __shared__ double cache[THREADS];
    cache[threadIdx.x] = mine;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) cache[threadIdx.x] += cache[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(sum, cache[0]);
}

// A is the matrix of the one-dimensional Poisson equation: 2 on the diagonal, -1 beside it.
__global__ void applyAndDot(const double* p, double* Ap, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double mine = 0;
    if (i < n) {
        double v = 2 * p[i];
        if (i > 0) v -= p[i - 1];
        if (i + 1 < n) v -= p[i + 1];
        Ap[i] = v;
        mine = v * p[i];
    }
    addToSum<64>(mine, &d_pAp);
}

__global__ void stepAlong(double* x, double* r, const double* p, const double* Ap, int n) {
    const double alpha = d_rr / d_pAp;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double mine = 0;
    if (i < n) {
        x[i] += alpha * p[i];
        r[i] -= alpha * Ap[i];
        mine = r[i] * r[i];
    }
    addToSum<64>(mine, &d_rrNew);
}

__global__ void nextDirection(double* p, const double* r, int n) {
    const double beta = d_rrNew / d_rr;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = r[i] + beta * p[i];
}

__global__ void accept() { d_rr = d_rrNew; }
