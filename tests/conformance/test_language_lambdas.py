"""Lambdas of host code that macros begin and end: kernels take them as their macros make them."""

from __future__ import annotations

import numpy as np

import launchpath as lp

SOURCE = """
template <class F> __global__ void apply(int n, int *x, F f) { int i = threadIdx.x; if (i < n) f(x, i); }
template <class F> void forall(int n, int *x, F f) { apply<<<1, 64>>>(n, x, f); }
struct Step { int stride; };
#define LOOP_BEGIN(n, i, by) \\
{ \\
  Step step; step.stride = by; \\
  forall(n, y, [=] __host__ __device__ (int *x, int index) \\
  { \\
    int i = index * step.stride;
#define LOOP_END(i) \\
  }); \\
}
#define EACH(i, n, BODY) forall(n, y, [=] __device__ (int *x, int i) BODY)
__host__ __device__ int next(int x) { return x + 1; }
// The name that a macro leaves in its own text is no use of the macro.
#define next(x) next(10 * (x))
#define ADDED(i) x[i] += a * next(i);
void go(int n, int *y, int a) {
  LOOP_BEGIN(n, i, 3)
  {
    x[i] = a;
  }
  LOOP_END(i);
  EACH(i, n, { ADDED(i) });
}
"""


def line_of(text: str) -> int:
    return 1 + SOURCE[: SOURCE.index(text)].count("\n")


def test_macros_that_begin_and_end_their_bodies(device):
    program = lp.compile(SOURCE, device)
    strided = program[f"apply<lambda_{line_of('LOOP_BEGIN(n, i, 3)')}>"]
    each = program[f"apply<lambda_{line_of('EACH(i, n, {')}>"]
    x = lp.zeros(30, "int32", device)
    strided[1, 64](10, x, np.array((3, 5), [("step", "i4"), ("a", "i4")])[()])
    each[1, 64](30, x, np.array((7,), [("a", "i4")])[()])
    at = np.arange(30)
    assert (x.to_numpy() == np.where(at % 3, 0, 5) + 7 * (10 * at + 1)).all()
