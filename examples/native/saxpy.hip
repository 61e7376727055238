// The kernel. launchpath compiles it for each device at its first launch there.
#include <hip/hip_runtime.h>

extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
