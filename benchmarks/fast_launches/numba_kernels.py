"""Numba's kernels of these benchmarks."""

from numba import cuda


@cuda.jit
def two(x, n):
    x[0] = n


@cuda.jit
def sixteen(x0, x1, x2, x3, x4, x5, x6, x7, n0, n1, n2, n3, n4, n5, n6, n7):
    x0[0] = n0 + n1 + n2 + n3 + n4 + n5 + n6 + n7
    x1[0] = x2[0] = x3[0] = x4[0] = n0
    x5[0] = x6[0] = x7[0] = n0
