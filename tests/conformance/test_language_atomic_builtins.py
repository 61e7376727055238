"""Clang's own atomic builtins on floats, and on 1 and 2 bytes."""

import numpy as np
import pytest

import launchpath as lp

pytestmark = pytest.mark.opencl_only("Clang's builtins")

FLOATS = """
#include <hip/hip_runtime.h>
template <class T> __global__ void k(T* out) {
    __shared__ T s[2];
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) s[0] = s[1] = 0;
    __syncthreads();
    __hip_atomic_fetch_add(out, (T)0.5, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    __hip_atomic_fetch_sub(out + 1, (T)2, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_SYSTEM);
    __atomic_fetch_min(out + 2, (T)-t, __ATOMIC_RELAXED);
    __atomic_fetch_max(out + 3, (T)t, __ATOMIC_SEQ_CST);
    __hip_atomic_fetch_add(s + threadIdx.x % 2, (T)1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    T* either = threadIdx.x % 2 ? s : out + 4;
    __hip_atomic_fetch_add(either, (T)1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    __syncthreads();
    if (threadIdx.x < 2) atomicAdd(out + 5 + threadIdx.x, s[threadIdx.x]);
}
"""
# `at` is a place in memory, of the block or of all.
BYTES = """
#include <hip/hip_runtime.h>
template <class T> __device__ void change(T* at, int t) {
    __hip_atomic_fetch_or(at, (T)(1 << t % 7), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    __atomic_fetch_add(at + 1 + t % 2, (T)1, __ATOMIC_RELAXED);
    T seen = 0;
    while (!__hip_atomic_compare_exchange_strong(at + 3, &seen, (T)(seen + 3), __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                                 __HIP_MEMORY_SCOPE_AGENT)) {
    }
    T was = __atomic_exchange_n(at + 4, (T)(t + 1), __ATOMIC_ACQ_REL);
    __atomic_fetch_xor(at + 5, was, __ATOMIC_RELAXED);
    __hip_atomic_fetch_min(at + 6, (T)(5 - t), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    __hip_atomic_fetch_max(at + 7, (T)(t - 5), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    __atomic_fetch_sub(at + 8, (T)1, __ATOMIC_RELEASE);
}
template <class T> __global__ void k(T* out) {
    __shared__ T s[12];
    int t = threadIdx.x;
    if (t < 12) s[t] = 0;
    __syncthreads();
    change(out, t);
    change(s, t);
    __syncthreads();
    if (t < 12) __atomic_store_n(out + 12 + t, __atomic_load_n(s + t, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
}
__global__ void flags(unsigned char* flags, int* first) {
    if (!__atomic_test_and_set(flags + 1, __ATOMIC_ACQUIRE)) atomicAdd(first, 1);
    __syncthreads();
    if (threadIdx.x == 0) __atomic_clear(flags + 2, __ATOMIC_RELEASE);
}
"""


@pytest.mark.parametrize("ctype", ["float", "double"])
def test_floats(device, ctype):
    program = lp.compile(FLOATS, device, names=[f"k<{ctype}>"])
    out = lp.zeros(7, "float32" if ctype == "float" else "float64", device)
    program[f"k<{ctype}>"][4, 64](out)
    assert out.to_numpy().tolist() == [128, -512, -255, 255, 128, 256, 128]


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("ctype", "dtype"),
    [("unsigned char", "uint8"), ("signed char", "int8"), ("unsigned short", "uint16"), ("short", "int16")],
)
def test_bytes(device, ctype, dtype):
    program = lp.compile(BYTES, device, names=[f"k<{ctype}>"])
    out = lp.zeros(24, dtype, device)
    program[f"k<{ctype}>"][1, 100](out)
    threads, cast = np.arange(100), lambda value: np.array(value).astype(dtype)
    low, high = (-94, 94) if dtype[0] == "i" else (0, cast(-1))
    got = out.to_numpy().reshape(2, 12)
    for row in got:
        assert row[:4].tolist() == [127, 50, 50, cast(300)]
        assert np.bitwise_xor.reduce(threads + 1) == row[4] ^ row[5]
        assert row[6] == low
        assert row[7] == high
        assert row[8] == cast(-100)
        assert not row[9:].any()


def test_flags(device):
    flags, first = lp.asarray([7, 0, 1, 7], "uint8", device), lp.zeros(1, "int32", device)
    lp.compile(BYTES, device).flags[2, 64](flags, first)
    assert flags.to_numpy().tolist() == [7, 1, 0, 7]
    assert first.to_numpy().tolist() == [1]


def test_files_of_one_program(device, tmp_path):
    header = "#include <hip/hip_runtime.h>\n"
    (tmp_path / "a.hip").write_text(header + "__device__ void add(float *);\n__global__ void k(float *x) { add(x); }")
    (tmp_path / "b.hip").write_text(header + "__device__ void add(float *x) { __atomic_fetch_add(x, 1.0f, 0); }")
    x = lp.zeros(1, "float32", device)
    lp.compile(paths=[tmp_path / "a.hip", tmp_path / "b.hip"], device=device).k[2, 64](x)
    assert x.to_numpy().tolist() == [128]
