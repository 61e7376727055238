"""Integer arithmetic that a runtime refuses in the form that Clang, or another compiler, gives it."""

import operator

import numpy as np
import pytest

import launchpath as lp
from launchpath._compiler.spirv.module import Module
from launchpath._compiler.spirv.opcodes import NO_RESULT, Op
from launchpath._compiler.spirv.outline import Outline
from tests.unit.support.spirv_source import compiled

OVERFLOW = """
template <class T> __global__ void calculated(const T* a, const T* b, T* low, bool* over) {
  int t = threadIdx.x;
  T value;
  over[t] = __builtin_OPERATION_overflow(a[t], b[t], &value);
  low[t] = value;
}
"""
SHIFT = """
#define GLOBAL __attribute__((address_space(1)))
KERNEL shift(GLOBAL unsigned long long *x, GLOBAL unsigned *by) { x[0] = x[0] << by[0] | x[1] >> by[1]; }
"""

# A counter of four words, in branches that not all threads take: Intel's compiler crashes on the carries that Clang
# makes of it.
COUNTER = """
struct Words { unsigned x, y, z, w; };
__global__ void count(unsigned* out, unsigned* last, const unsigned* from) {
  unsigned t = threadIdx.x, at = t % 4, x = from[t], y = ~0u, z = t % 2 ? ~0u : t, w = 0, carry;
  Words words = {x, y, z, w};
  for (unsigned i = t; i < 640; i += 64) {
    unsigned sum = 0;
    for (int twice = 0; twice < 2; ++twice) {
      sum += (&words.x)[at];
      if (++at == 4) {
        at = 0;
        x++;
        carry = x == 0 ? 1 : 0;
        y += carry;
        carry = y == 0 ? carry : 0;
        z += carry;
        carry = z == 0 ? carry : 0;
        w += carry;
        words = {x, y, z, w};
      }
    }
    out[i] = sum;
  }
  last[4 * t] = x; last[4 * t + 1] = y; last[4 * t + 2] = z; last[4 * t + 3] = w;
}
"""


@pytest.fixture(scope="module", params=["mul", "add", "sub"])
def overflowing(request, device):
    """Return an operation of Python's numbers, and the program that does it."""
    if request.param != "mul" and device.info["driver"] == "opencl":
        pytest.skip("Clang has no instructions of SPIR-V for overflowing sums")
    text = OVERFLOW.replace("OPERATION", request.param)
    names = [f"calculated<{ctype}>" for ctype in ("int", "unsigned", "unsigned char", "long long")]
    return getattr(operator, request.param), lp.compile(text, device, names=names)


@pytest.mark.parametrize(
    ("ctype", "dtype"), [("int", "int32"), ("unsigned", "uint32"), ("unsigned char", "uint8"), ("long long", "int64")]
)
def test_results_that_overflow(device, overflowing, ctype, dtype):
    operation, program = overflowing
    limits = np.iinfo(dtype)
    some = [0, 1, 3, limits.max // 2, limits.max, limits.min, limits.min // 2, limits.max // 3]
    a, b = (np.array(pair, dtype) for pair in zip(*[(x, y) for x in some for y in some], strict=True))
    exact = [operation(int(x), int(y)) for x, y in zip(a, b, strict=True)]
    low, over = lp.zeros(len(a), dtype, device), lp.zeros(len(a), "bool", device)
    program[f"calculated<{ctype}>"][1, len(a)](lp.asarray(a, device=device), lp.asarray(b, device=device), low, over)
    assert over.to_numpy().tolist() == [not limits.min <= value <= limits.max for value in exact]
    mask = (1 << 8 * a.itemsize) - 1
    assert [int(value) & mask for value in low.to_numpy()] == [value & mask for value in exact]


def shift_by_32_bits() -> bytes:
    """SPIR-V in which numbers of 64 bits are shifted by numbers of 32, which is allowed."""
    outline = Outline(Module.decode(compiled(SHIFT)))
    (function,) = [function for function in outline.functions.values() if function.body]
    results = {i.words[1]: i for i in function.body if i.opcode not in NO_RESULT and len(i.words) > 1}
    shifts = [i for i in function.body if i.opcode in (Op.ShiftLeftLogical, Op.ShiftRightLogical)]
    assert len(shifts) == 2
    for shift in shifts:
        assert results[shift.words[3]].opcode == Op.UConvert
        shift.words[3] = results[shift.words[3]].words[2]
    return outline.write().encode()


@pytest.mark.opencl_only("SPIR-V is for OpenCL devices")
def test_shifts_by_numbers_of_another_width(device):
    program = lp.load(shift_by_32_bits(), device, {"shift": "unsigned long long *x, const unsigned *by"})
    x = lp.asarray(np.array([5, 1 << 63], "uint64"), device=device)
    program.shift[1, 1](x, lp.asarray(np.array([40, 61], "uint32"), device=device))
    assert x.to_numpy()[0] == 5 << 40 | 4


def test_remainders_of_a_loop_that_are_counted_in_few_bits(device):
    source = """
    __global__ void k(const float* in, float* out, int n) {
        int t = threadIdx.x;
        for (int i = 0; i < 2; i++)
            out[2 * t + i] = in[((16 * i + t % 16) << 5) + ((n + 16 * i + t % 16) & 31)];
    }"""
    out = lp.zeros(64, "float32", device)
    lp.compile(source, device).k[1, 32](lp.arange(1024, dtype="float32", device=device), out, 27)
    row = 16 * np.arange(2) + np.arange(32)[:, None] % 16
    assert np.array_equal(out.to_numpy(), (32 * row + (27 + row) % 32).ravel())


def test_carries_in_branches(device):
    first = np.arange(64, dtype="uint32") * 3 + np.uint32(2**32 - 100)
    out, last = lp.zeros(640, "uint32", device), lp.zeros((64, 4), "uint32", device)
    lp.compile(COUNTER, device).count[1, 64](out, last, lp.asarray(first, device=device))
    for t in range(64):
        z = 2**32 - 1 if t % 2 else t
        number = int(first[t]) | (2**32 - 1) << 32 | z << 64
        at = t % 4
        for i in range(t, 640, 64):
            total = 0
            for _ in range(2):
                total += number >> 32 * at & (2**32 - 1)
                number, at = (number + 1) % 2**128 if at == 3 else number, (at + 1) % 4
            assert out.to_numpy()[i] == total % 2**32
        assert [*last.to_numpy()[t]] == [number >> 32 * word & (2**32 - 1) for word in range(4)]
