"""Pointers to one or another of a thread's own variables, in kernels with barriers and without."""

from __future__ import annotations

import numpy as np
import pytest

import launchpath as lp

CHOICES = """struct Pair { short first; unsigned second; };
__device__ __noinline__ void add(bool one, unsigned *a, unsigned *b, int i, unsigned n) { (one ? a : b)[i] += n; }
extern "C" __global__ void k(int n, unsigned *out) {
    unsigned t = threadIdx.x, x[4] = {t, t + 1, t + 2, t + 3}, y[4] = {9, t, 8, t};
    Pair v[3] = {{1, t}, {2, t + 1}, {3, 7}}, w[3] = {{4, t}, {5, 6}, {6, t + 2}};
    unsigned char c[8] = {1, 2, 3, 4, 5, 6, 7, 8}, d[8] = {9, 8, 7, 6, 5, 4, 3, 2};
    for (int i = 0; i < n; ++i) {
        bool one = (t * 7 + i) % 3 == 0;
        unsigned *p = one ? x : y;
        p[i & 1] += 3 + i;
        add(t % 5 > 2, x, y, i & 3, t);
        Pair &pair = *(one ? v + i % 3 : w + 1);
        pair.first += 2;
        pair.second *= 3;
        (t % 2 ? c : one ? d : d + 3)[i & 3] += t;
        x[2] += 5;
    }
    unsigned sum = 0;
    for (int i = 0; i < 4; ++i) sum = sum * 3 + x[i] + y[i] * 5;
    for (int i = 0; i < 3; ++i) sum = sum * 3 + v[i].first + v[i].second * 5 + w[i].first * 7 + w[i].second * 11;
    for (int i = 0; i < 8; ++i) sum = sum * 3 + c[i] + d[i] * 5;
    out[t] = sum;
}"""


def test_one_of_two_variables(device):
    """Intel's runtime wrote to other elements, without a message."""
    out = lp.zeros(100, "uint32", device)
    lp.compile(CHOICES, device).k[1, 100](7, out)
    assert out.to_numpy().tolist() == [of_choices(7, t) for t in range(100)]


def of_choices(n, t):
    x, y, c, d = [t, t + 1, t + 2, t + 3], [9, t, 8, t], list(range(1, 9)), list(range(9, 1, -1))
    v, w = [[1, t], [2, t + 1], [3, 7]], [[4, t], [5, 6], [6, t + 2]]
    for i in range(n):
        one = (t * 7 + i) % 3 == 0
        (x if one else y)[i & 1] += 3 + i
        (x if t % 5 > 2 else y)[i & 3] += t
        pair = v[i % 3] if one else w[1]
        pair[0], pair[1] = pair[0] + 2, pair[1] * 3
        of, at = (c, i & 3) if t % 2 else (d, i & 3 if one else 3 + (i & 3))
        of[at] = of[at] + t & 0xFF
        x[2] += 5
    total = 0
    for a, b in zip(x, y, strict=True):
        total = total * 3 + a + b * 5
    for a, b in zip(v, w, strict=True):
        total = total * 3 + a[0] + a[1] * 5 + b[0] * 7 + b[1] * 11
    for a, b in zip(c, d, strict=True):
        total = total * 3 + a + b * 5
    return total & 0xFFFFFFFF


ARRAYS = """extern "C" __global__ void k(int n, unsigned *out) {
    __shared__ unsigned shared[32];
    unsigned t = threadIdx.x, x[8], y[8], sum, *p, *q;
    for (int i = 0; i < 8; ++i) x[i] = t * 7u + i * blockIdx.x, y[i] = i ^ t;
    unsigned *u = x + (t & 1), *v = y + (t & 1);
    *u += 1;
    *v += 2;
    if (n) {
        shared[t] = x[n + 1];
        __syncthreads();
        p = %s, q = %s, sum = shared[(t + 3) %% 32];
    } else {
        shared[t] = y[n + 1];
        __syncthreads();
        p = %s, q = %s, sum = shared[(t + 5) %% 32];
    }
    p[sum & 3] += 3;
    q[(sum + 1) & 3] += 1;
    *u += 3;
    *v += 4;
    for (int i = 0; i < 8; ++i) sum += x[i] * 3 + y[i];
    out[blockIdx.x * 32 + t] = sum;
}"""
PLACES = {
    "start": ("x", "y", "y", "x"),
    "element": ("x + 1", "y + 2", "y + 1", "x + 2"),
    "of the kernel": ("x + n", "y + n", "y + n", "x + n"),
    "of the thread": ("u", "v", "v", "u"),
    "one of two": ("t > 9 ? x : v", "y", "y", "t < 9 ? x : u"),
}


@pytest.mark.parametrize("places", PLACES)
def test_one_of_two_arrays_behind_barriers(device, places):
    """Intel's runtime read what other threads have there, or the process crashed."""
    kernel = lp.compile(ARRAYS % PLACES[places], device).k
    for n in range(2):
        out = lp.zeros((3, 32), "uint32", device)
        kernel[3, 32](n, out)
        assert out.to_numpy().tolist() == [[of_arrays(PLACES[places], n, b, t) for t in range(32)] for b in range(3)]


def of_arrays(places, n, block, thread):
    def arrays(t):
        x, y = [t * 7 + i * block for i in range(8)], [i ^ t for i in range(8)]
        x[t & 1] += 1
        y[t & 1] += 2
        return x, y

    x, y = arrays(thread)
    own = thread & 1
    starts = {"x": (x, 0), "y": (y, 0), "u": (x, own), "v": (y, own), "x + n": (x, n), "y + n": (y, n)}
    starts |= {"x + 1": (x, 1), "y + 1": (y, 1), "x + 2": (x, 2), "y + 2": (y, 2)}
    starts["t > 9 ? x : v"] = starts["x" if thread > 9 else "v"]
    starts["t < 9 ? x : u"] = starts["x" if thread < 9 else "u"]
    (p, at), (q, there) = (starts[place] for place in (places[:2] if n else places[2:]))
    total = arrays((thread + (3 if n else 5)) % 32)[0 if n else 1][n + 1]
    p[at + (total & 3)] += 3
    q[there + (total + 1 & 3)] += 1
    x[own] += 3
    y[own] += 4
    return total + sum(x) * 3 + sum(y)


REFERENCES = """__device__ __noinline__ void exchange(int n, unsigned &a, unsigned &b, unsigned *shared) {
    if (n) {
        __syncthreads();
        shared[threadIdx.x] = b;
        __syncthreads();
        b += shared[(threadIdx.x + 26) % 32];
        if (n == 2) return;
    } else {
        __syncthreads();
        shared[threadIdx.x] = a;
        __syncthreads();
        a += shared[(threadIdx.x + 24) % 32];
    }
}
extern "C" __global__ void k(int n, unsigned *out) {
    __shared__ unsigned shared[32];
    unsigned a = threadIdx.x * 7, b = threadIdx.x ^ 5;
    exchange(n, a, b, shared);
    out[threadIdx.x] = a + b * 3;
}"""


@pytest.mark.parametrize("n", range(3))
def test_a_function_with_barriers_that_adds_to_one_of_two_variables(device, n):
    """Compilers make one sum of the two."""
    out, thread = lp.zeros(32, "uint32", device), np.arange(32)
    lp.compile(REFERENCES, device).k[1, 32](n, out)
    a, b = thread * 7, thread ^ 5
    a, b = (a, b + np.roll(b, -26)) if n else (a + np.roll(a, -24), b)
    assert out.to_numpy().tolist() == (a + b * 3).tolist()


RETURNED = """__device__ __noinline__ unsigned *chosen(unsigned n, unsigned *a, unsigned *b, unsigned *shared) {
    if (shared[n] > 40) { shared[n + 32] = 9; return a; }
    shared[n + 32] = 5;
    return b;
}
extern "C" __global__ void k(int n, unsigned *out) {
    __shared__ unsigned shared[64];
    unsigned t = threadIdx.x, x[4] = {t, t + 1, t + 2, t + 3}, y[4] = {9, t, 8, t};
    for (int i = 0; i < n; ++i) {
        shared[t] = x[i & 3] + y[t & 3];
        __syncthreads();
        unsigned next = (t + 1) % 32, *p = chosen(next, x, y, shared);
        p[i & 1] += 3 + shared[next + 32];
        x[2] += 5;
        __syncthreads();
    }
    out[t] = x[0] + x[1] * 3 + x[2] * 5 + y[0] * 7 + y[1] * 11 + y[t & 3];
}"""


def test_a_function_that_returns_one_of_two_arrays(device):
    out = lp.zeros(32, "uint32", device)
    kernel = lp.compile(RETURNED, device).k
    kernel[1, 32](6, out)
    x, y = [[t, t + 1, t + 2, t + 3] for t in range(32)], [[9, t, 8, t] for t in range(32)]
    for i in range(6):
        shared = [x[t][i & 3] + y[t][t & 3] for t in range(32)]
        greater = [shared[(t + 1) % 32] > 40 for t in range(32)]
        for t in range(32):
            (x if greater[t] else y)[t][i & 1] += 12 if greater[t] else 8
            x[t][2] += 5
    for t, (a, b) in enumerate(zip(x, y, strict=True)):
        assert out.to_numpy()[t] == a[0] + a[1] * 3 + a[2] * 5 + b[0] * 7 + b[1] * 11 + b[t & 3]
