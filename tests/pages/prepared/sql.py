"""A trace to query, for docs/sql.md."""

import launchpath as lp

_program = lp.compile("""
extern "C" __global__ void saxpy(const float *x, float *y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
extern "C" __global__ void scale(float *y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] *= a;
}
""")
_x, _y = lp.ones(1000), lp.zeros(1000)
with lp.trace("run.lptrace"):
    for _ in range(10):
        _program.saxpy[4, 256](_x, _y, 2.0, 1000)
        _program.scale[4, 256](_y, 0.5, 1000)
    lp.synchronize()
__all__: list[str] = []
