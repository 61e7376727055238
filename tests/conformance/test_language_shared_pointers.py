"""Shared variables that hold pointers: to shared and to global memory, in arrays and structs, and passed by reference.

CUDA C++ Programming Guide, "__shared__": a shared variable may have any type without a constructor.
"""

import numpy as np
import pytest

import launchpath as lp

SOURCE = """
__device__ __attribute__((noinline)) int *half(int *p, int n) { return p + n / 2; }
__device__ __attribute__((noinline)) void put(int *&to, int *p, int n) { to = p + n / 2; }
struct View { int *values; int factor; };
#define KERNEL(name) __global__ void name(int *o, int *g, int n) { int i = threadIdx.x; __shared__ int s[64]; s[i] = i;
KERNEL(to_shared) __shared__ int *p; if (i == 0) p = s + n / 2; __syncthreads(); o[i] = *p; }
KERNEL(to_global) __shared__ int *p; if (i == 0) p = g + n; __syncthreads(); o[i] = p[i]; }
KERNEL(to_either) __shared__ int *p; if (i == 0) p = n > 5 ? g : s; __syncthreads(); o[i] = p[i]; }
KERNEL(rows_of_shared) __shared__ int *p[4]; if (i < 4) p[i] = s + 8 * i; __syncthreads(); o[i] = p[i / 8][i % 8]; }
KERNEL(rows_of_global) __shared__ int *p[4]; if (i < 4) p[i] = g + 8 * i; __syncthreads(); o[i] = p[i / 8][i % 8]; }
KERNEL(in_a_struct) __shared__ View v; if (i == 0) { v.values = s; v.factor = 2; } __syncthreads();
    o[i] = v.values[i] * v.factor; }
KERNEL(from_a_function) __shared__ int *p; if (i == 0) p = half(s, n); __syncthreads(); o[i] = *p; }
KERNEL(by_reference) __shared__ int *p; if (i == 0) put(p, s, n); __syncthreads(); o[i] = *p; }
KERNEL(global_by_reference) __shared__ int *p; if (i == 0) put(p, g, n); __syncthreads(); o[i] = *p; }
KERNEL(difference) __shared__ int *p; if (i == 0) p = s + n / 4; __syncthreads(); o[i] = (int)(p - s) + (p == s + 8); }
KERNEL(swapped) __shared__ int other[64], *from, *to; if (i == 0) { from = s; to = other; } __syncthreads();
    for (int r = 0; r < 3; r++) {
        to[i] = from[(i + 1) % 32];
        __syncthreads();
        if (i == 0) { int *t = from; from = to; to = t; }
        __syncthreads();
    }
    o[i] = from[i]; }
KERNEL(counted) __shared__ int count, *p; if (i == 0) { count = 0; p = &count; } __syncthreads();
    atomicAdd(p, 1); __syncthreads(); o[i] = count; }
"""
WANTED = {
    "to_shared": lambda i: 16, "to_global": lambda i: 32 + i, "to_either": lambda i: i, "rows_of_shared": lambda i: i,
    "rows_of_global": lambda i: i, "in_a_struct": lambda i: 2 * i, "from_a_function": lambda i: 16,
    "by_reference": lambda i: 16, "global_by_reference": lambda i: 16, "difference": lambda i: 9,
    "swapped": lambda i: (i + 3) % 32, "counted": lambda i: 32,
}  # fmt: skip


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", WANTED)
def test_a_pointer_in_shared_memory(device, kernels, name):
    out, numbers = lp.zeros(32, "int32", device), lp.asarray(np.arange(64, dtype="int32"), device=device)
    kernels[name][1, 32](out, numbers, 32)
    assert out.to_numpy().tolist() == [WANTED[name](i) for i in range(32)]
