"""What the tests of the C interface launch: kernels, their arguments and results."""

from ctypes import c_float, c_int, c_void_p

import numpy as np

from tests.native.table import Arguments

SOURCE = """
extern "C" __global__ void add(float a, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a;
}
extern "C" __global__ void reversed(float *y) {
    extern __shared__ float t[];
    t[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = t[blockDim.x - 1 - threadIdx.x];
}
extern "C" __global__ void sometimes(float *y, int n) {
    extern __shared__ float t[];
    if (n) {
        t[threadIdx.x] = n;
        __syncthreads();
        y[threadIdx.x] = t[threadIdx.x ^ 1];
    } else y[threadIdx.x] = 7;
}
template <class T> __global__ void twice(T *y) { y[threadIdx.x] *= 2; }
"""
N = 64


def add(y, a=1.0):
    return Arguments(c_float(a), c_void_p(y.pointer), c_int(N))


def values(y):
    return np.asarray(y).tolist()
