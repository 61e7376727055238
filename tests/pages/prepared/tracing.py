"""A program to trace, for docs/tracing.md."""

from types import SimpleNamespace

import launchpath as lp

_kernel = lp.compile("""
extern "C" __global__ void saxpy(const float *x, float *y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
""").saxpy
_x, _y = lp.ones(1000), lp.zeros(1000)
request = SimpleNamespace(number=7)


def compute() -> None:
    """Launch a kernel."""
    _kernel[4, 256](_x, _y, 2.0, 1000)


simulate = compute
__all__ = ["compute", "lp", "request", "simulate"]
