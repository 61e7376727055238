"""Pointers to one or another variable of a thread's own: which go through memory, and which functions come in place."""

import pytest

from launchpath._compiler.spirv.enumerants import Control, MemoryAccess
from launchpath._compiler.spirv.opcodes import Op
from launchpath._compiler.spirv.outline import Outline
from launchpath._compiler.spirv.prepare import prepare
from tests.unit.support.spirv_source import compiled, sound

pytestmark = pytest.mark.compiles

KERNEL = """PARAMETERS(16)
%s
KERNEL k(Block block) {
    __shared__ int s[64], r[64];
    int *out = AT(int *, 0), n = AT(int, 8), t = threadIdx.x, x[4], y[4];
    for (int i = 0; i < 4; ++i) x[i] = n + i, y[i] = t * i;
    %s
    out[t] = x[n] + y[n] + s[n] + r[n];
}"""
WRITES = "if (t %% n) { s[t] = 1; __syncthreads(); p = %s; } else { r[t] = 2; __syncthreads(); p = %s; } p[n] += 3;"
OWN = "__attribute__((noinline)) __device__ void f(int n, int *a, int *b) { %s }"


def prepared(body: str, before: str = "") -> Outline:
    data = compiled(KERNEL % (before, body), inlined=not before)
    return sound(prepare(data, spaces=True, flat=True).module)


def through_memory(outline: Outline) -> list[int]:
    """List the choices and phis that take pointers from volatile accesses, each by the number of these pointers."""
    counts = []
    for function in outline.functions.values():
        loads = {
            i.words[1]
            for i in function.body
            if i.opcode == Op.Load and len(i.words) > 3 and i.words[3] & MemoryAccess.Volatile
        }
        stores = [i for i in function.body if i.opcode == Op.Store and len(i.words) > 2 and i.words[2] & 1]
        assert len(stores) == len(loads)
        counts += [len(loads.intersection(i.words)) for i in function.body if i.opcode in (Op.Phi, Op.Select)]
    return [count for count in counts if count]


@pytest.mark.parametrize("choice", ["t % n ? x : y", "t % n ? x + 1 : y + n", "t % n ? x : t % 3 ? x + n : y"])
def test_a_choice_of_arrays(choice):
    assert through_memory(prepared(f"int *p = {choice}; p[n] += 3;"))


def test_ways_that_differ():
    assert through_memory(prepared("int *p; " + WRITES % ("x", "y"))) == [2]


@pytest.mark.parametrize("pointers", [("s", "r"), ("out", "out + n"), ("s", "out")])
def test_pointers_to_other_memory_stay(pointers):
    one, other = pointers
    assert not through_memory(prepared("int *p; " + WRITES % pointers))
    assert not through_memory(prepared(f"int *p = t % n ? {one} : {other}; p[n] += 3;"))


def test_numbers_stay():
    assert not through_memory(prepared("s[t] = t % n ? x[n] : t; for (int i = 0; i < n; ++i) s[i] += x[i & 3];"))


@pytest.mark.parametrize("barrier", ["__syncthreads();", ""])
def test_what_a_function_takes(barrier):
    outline = prepared(f"f(n, x, y); {barrier} f(t, y, x);", OWN % "(n % 3 ? a : b)[n] += 5;")
    assert through_memory(outline) == [2]
    (function,) = [i for number, i in outline.functions.items() if number not in outline.entries]
    assert bool(function.definition.words[2] & Control.Inline) == bool(barrier)


def test_what_a_function_returns():
    before = "__attribute__((noinline)) __device__ int *f(int n, int *a, int *b) { return n % 3 ? a : b; }"
    assert sorted(through_memory(prepared("*f(t, t % n ? f(n, x, y) : y, x) += 4;", before))) == [2, 2]
