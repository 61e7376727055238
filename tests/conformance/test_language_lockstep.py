"""Lanes of a warp that share volatile memory without a barrier: they run in step, or the user is told."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import launchpath as lp

SOURCE = """
__device__ void last(volatile float* s, int t) {
  s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8]; s[t] += s[t + 4]; s[t] += s[t + 2]; s[t] += s[t + 1];
}
__global__ void sum(const float* in, float* out) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) last(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void turn(int* d) {
  volatile __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = d[t];
  FENCE
  d[t] = s[t / 8 * 8 + 7 - t % 8];
}
__global__ void with_barriers(int* d) {
  volatile __shared__ int s[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  for (int i = 0; i < 3; i++) {
    s[y][x] = d[y * 16 + x];
    s[y][x] += 1;
    __syncthreads();
    d[y * 16 + x] = s[x][y];
    __syncthreads();
  }
}
"""


def compiled(device, fence: str) -> lp.Program:
    return lp.compile(SOURCE, device, defines={"FENCE": fence})


def check(program: lp.Program, device) -> None:
    x = np.arange(8 * 128, dtype="float32")
    out = lp.zeros(8, "float32", device)
    program.sum[8, 128](lp.asarray(x, device=device), out)
    assert (out.to_numpy() == x.reshape(8, 128).sum(1)).all()
    for threads in (8, 40, 64, 72, 128):  # a block's last warp need not be whole
        d = lp.asarray(np.arange(threads, dtype="int32") + threads, device=device)
        program.turn[1, threads](d)
        t = np.arange(threads)
        assert (d.to_numpy() == t // 8 * 8 + 7 - t % 8 + threads).all()


def check_barriers(program: lp.Program, device) -> None:
    d = lp.asarray(np.arange(256, dtype="int32"), device=device)
    program.with_barriers[1, (16, 16)](d)  # its rows are no warps, and it does not count on any
    assert (d.to_numpy() == np.arange(256).reshape(16, 16).T.ravel() + 3).all()


def test_volatile_shared_memory(device):
    if device.info["kind"] != "cpu":
        pytest.skip("warps of a GPU are its own")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        program = compiled(device, "")
    check_barriers(program, device)
    if device.info["dialect"] == "spirv":
        assert not told
        check(program, device)
    else:
        (warning,) = told
        assert issubclass(warning.category, RuntimeWarning)
        assert "kernel 'sum': threads exchange values through volatile shared memory" in str(warning.message)
        assert "kernel 'turn': threads" in str(warning.message)
        assert "with_barriers" not in str(warning.message)


def test_a_fence_of_a_warp(device):
    if device.info["dialect"] != "spirv" or device.info["kind"] != "cpu":
        pytest.skip("about Intel's runtime, which runs a warp that is not whole in step only if it is made to")
    check(compiled(device, "__syncwarp();"), device)
