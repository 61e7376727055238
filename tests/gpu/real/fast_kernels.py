"""Kernels for fast_launches.py; Triton and Numba read their source, so they are in a file."""

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def mixed(out, i8: tl.int8, i32, i64, f32, f64: tl.float64, f16: tl.float16, flag, N: tl.constexpr, scale=2.0):
    tl.store(out + 0, i8.to(tl.float64))
    tl.store(out + 1, tl.cast(i32, tl.float64))
    tl.store(out + 2, tl.cast(i64, tl.float64))
    tl.store(out + 3, f32.to(tl.float64))
    tl.store(out + 4, f64.to(tl.float64))
    tl.store(out + 5, f16.to(tl.float64))
    tl.store(out + 6, tl.where(flag, 1.0, 0.0))
    tl.store(out + 7, N * scale.to(tl.float64))


@triton.autotune([triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256})], key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % 128 == 0})
@triton.jit
def tuned(x, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, mask=at < n) + 1, mask=at < n)
