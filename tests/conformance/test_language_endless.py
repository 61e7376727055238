"""Loops without an end that no thread comes to, in kernels with barriers, and with lanes in step."""

from __future__ import annotations

import numpy as np
import pytest

import launchpath as lp

pytestmark = pytest.mark.filterwarnings("ignore::launchpath.CompileWarning")

KERNEL = """
#define SPIN for (;;) ++*(volatile unsigned *)out;
__device__ __noinline__ unsigned fail(unsigned n, unsigned *out) { if (n > 77) SPIN return 0; }
extern "C" __global__ void k(int n, unsigned *out) {
    __shared__ unsigned shared[32];
    unsigned t = threadIdx.x, a = t * 7 + 1;
    BEFORE
    shared[t] = a;
    __syncthreads();
    BETWEEN
    __syncthreads();
    out[t] = shared[(t + 3) % 32] + n + a;
}"""
LOOPS = {
    "of all threads": "if (n > 77) SPIN",
    "of a thread": "if (t > n + 77) SPIN",
    "by atomics": "if (n > 77) for (;;) if (atomicAdd(out, 0) == 77) out[t] = 1;",
    "of two ways": "if (n > 77) for (;;) if (a++ % 7) ++*(volatile unsigned *)out; else --*(volatile unsigned *)out;",
    "one in another": "if (n > 77) for (;;) { for (int i = 0; i < n; ++i) if (i > 99) SPIN ++*(volatile unsigned *)out; }",
    "in a loop": "for (int i = 0; i < n; ++i) if (t > i + 77) SPIN",
    "in a function": "if (t > n + 70) a += fail(n + t, out);",
    "in a switch": "switch (t + 100 * n) { case 600: SPIN case 1005: break; case 1006: out[t] = 3; }",
}


@pytest.mark.sample(8)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("place", ["BEFORE", "BETWEEN"])
def test_a_loop_without_an_end(device, loop, place):
    """Intel's runtime ended the process where volatile accesses make warps; PoCL 3.1 lost results."""
    other = {"BEFORE": "BETWEEN", "BETWEEN": "BEFORE"}[place]
    defines = {place: LOOPS[loop], other: "a += n;"}
    out, thread = lp.zeros(32, "uint32", device), np.arange(32)
    lp.compile(KERNEL, device, defines=defines).k[1, 32](3, out)
    a = thread * 7 + 1
    shared = a + 3 * (place == "BETWEEN")
    assert out.to_numpy().tolist() == (np.roll(shared, -3) + 3 + a + 3).tolist()


SWITCH = """extern "C" __global__ void k(int n, unsigned *out) {
    __shared__ unsigned shared[32];
    unsigned t = threadIdx.x, a = t * 7 + 1;
    switch (t + 100 * n) { case 600: for (;;) ++*(volatile unsigned *)out; case 5: a += 7; break; case 6: a *= 3; }
    shared[t] = a + out[t];
    __syncthreads();
    out[t] = shared[(t + 3) % 32] + a;
}"""


def test_a_choice_with_a_loop_without_an_end(device):
    out, thread = lp.zeros(32, "uint32", device), np.arange(32)
    lp.compile(SWITCH, device).k[1, 32](0, out)
    a = thread * 7 + 1
    a = np.where(thread == 5, a + 7, np.where(thread == 6, a * 3, a))
    assert out.to_numpy().tolist() == (np.roll(a, -3) + a).tolist()


ROUNDS = """extern "C" __global__ void k(int n, unsigned *out) {
    __shared__ unsigned shared[32];
    shared[threadIdx.x] = 0;
    unsigned t = threadIdx.x, a = t * 7, b = t ^ 5;
    if (t > 99 + n) for (;;) ++*(volatile unsigned *)out;
    for (int i = 0; i < n + 2; ++i) {
        a += i;
        __syncthreads();
        shared[t] = a;
        __syncthreads();
        a += shared[(t + 4) % 32];
    }
    out[t] += a;
    out[t] += b;
}"""


def test_a_loop_without_an_end_before_a_loop_with_barriers(device):
    out, a = lp.zeros(32, "uint32", device), np.arange(32) * 7
    lp.compile(ROUNDS, device).k[1, 32](1, out)
    for i in range(3):
        a = a + i
        a = a + np.roll(a, -4)
    assert out.to_numpy().tolist() == (a + (np.arange(32) ^ 5)).tolist()
