"""The program of README.md, for docs/interop.md."""

import launchpath as lp

program = lp.compile("""
__global__ void fill(float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}""")
__all__ = ["program"]
