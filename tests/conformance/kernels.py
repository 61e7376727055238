"""Kernels that many tests share: compiled once for each device."""

SOURCE = r"""
__global__ void nothing() {}

__global__ void fill(float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}

__global__ void add(int* out, int value, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += value;
}

__global__ void copy(int* out, const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

// Counts only if everything before it has counted: launches that overtake each other leave it short.
__global__ void follow(int* at, int before) {
    if (*at == before) *at = before + 1;
}

__global__ void spin(int* out, int rounds) {
    unsigned x = 1;
    for (int i = 0; i < rounds; ++i) x = x * 1664525u + 1013904223u;
    *out = (int)(x | 1u);
}

__global__ void where(int* out) {
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[block * (int)(blockDim.x * blockDim.y * blockDim.z) + thread] = block * 1000 + thread;
}

__global__ void shape(int* out) {
    if (threadIdx.x + threadIdx.y + threadIdx.z + blockIdx.x + blockIdx.y + blockIdx.z == 0) {
        out[0] = gridDim.x; out[1] = gridDim.y; out[2] = gridDim.z;
        out[3] = blockDim.x; out[4] = blockDim.y; out[5] = blockDim.z;
    }
}
"""
