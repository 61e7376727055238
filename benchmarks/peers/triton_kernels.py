"""The kernels in Triton, which reads them from their file."""
# mypy: ignore-errors

import triton
import triton.language as tl


@triton.jit
def launch0():
    """Do nothing."""
    pass


@triton.jit
def launch2(p0, n0):
    """Write if `n0` is negative."""
    if n0 < 0:
        tl.store(p0, n0)


@triton.jit
def launch16(p0, p1, p2, p3, p4, p5, p6, p7, n0, n1, n2, n3, n4, n5, n6, n7):
    """Write if `n0` is negative."""
    if n0 < 0:
        tl.store(p7, n7)
