"""OpenCL C of what is computed with a thread's place in its block."""

import re

import numpy as np
import pytest

import launchpath as lp
from tests.unit.compiler.opencl_c.opencl_c import pocl, written

pytestmark = pytest.mark.compiles

__all__ = ["pocl"]

TURN = """
__global__ void turn(float *to, const float *from, int width, int height) {
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = from[y * width + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    to[y * height + x] = tile[threadIdx.x][threadIdx.y];
}"""

EXPRESSIONS = [
    "t - 20", "t - 20u", "t * -3", "(int)t - n", "n - (int)t", "(int)t < -1", "t < (unsigned)-1", "t > n", "t == n",
    "(int)t >= n", "t & 7", "t & -4", "t & n", "t >> 2", "(int)t >> 1", "t >> 1 & 3", "t << 4", "t << 30", "(t + 1) * 16",
    "(t + 0xffffffffu) >> 1", "((int)t - 9) / 2", "((int)t - 9) % 4", "t % 5", "~t", "-t", "t ^ n", "t | 64",
    "(long long)t * 0x100000001", "(int)((unsigned long long)t << 40 >> 38)", "(long long)(int)(t + 2) << 33 >> 32",
    "(unsigned char)(t * 20)", "(short)(t * 5000)", "(char)t - 9", "(int)(t * 0.5f)", "(int)((int)t * -0.5)",
    "min((int)t, n)", "max(t, 9u)", "t ? n : -n", "threadIdx.y * blockDim.x + t", "(int)blockDim.x - (int)t - 17",
    "table[t & 3]", "table[(int)t - (int)t / 4 * 4]", "(&table[3])[-(int)(t % 4)]", "__popc(t)", "t * 0x10000001u",
    "(long long)(t - 5u)", "(long long)((int)t - 5)", "(t + 65535) >> 4", "t / 3", "(int)t * (int)t - (int)t",
]  # fmt: skip


def test_a_place_is_not_cut_off():
    text = written(TURN)
    assert "(uint)get_local_id" not in text and "& 0xffffffff" not in text
    assert not re.search(r"\w+ = \S*get_local_id\(\d\);", text), "nothing of it is kept over the barrier"
    assert "(uint)(" in text


def test_arithmetic_is_as_in_32_bits(pocl):
    lines = "".join(f"out[{at} * 32 + t] = {text};\n" for at, text in enumerate(EXPRESSIONS))
    source = f"""
    __global__ void k(long long *out, const int *table, int n) {{ unsigned t = threadIdx.x; {lines} }}
    __global__ void lane(long long *out, const int *table, int n, int which) {{
        uint3 threadIdx = {{(unsigned)which, 0, 0}}; unsigned t = threadIdx.x; {lines} }}"""
    program = lp.compile(source, pocl)
    table = lp.asarray([10, 20, 30, 40], "int32", pocl)
    size = len(EXPRESSIONS) * 32
    for n in (7, -7):
        got, expected = lp.zeros(size, "int64", pocl), lp.zeros(size, "int64", pocl)
        program.k[1, 32](got, table, n)
        for which in range(32):
            program.lane[1, 32](expected, table, n, which)
        wrong = np.nonzero(got.to_numpy() != expected.to_numpy())[0] // 32
        assert [EXPRESSIONS[at] for at in dict.fromkeys(wrong)] == []
