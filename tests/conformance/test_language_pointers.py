"""Virtual functions and pointers to functions."""

import numpy as np
import pytest

import launchpath as lp

SOURCE = """
struct float5 { float a, b, c, d, e; };
struct Base {
    int tag;
    __device__ virtual float value(int i) const = 0;
    __device__ virtual void add(float* o) { o[0] += 1; }
    __device__ virtual ~Base() {}
};
struct Sum : Base { __device__ float value(int i) const override { return i + tag; } };
struct Product : Base {
    float s;
    __device__ float value(int i) const override { return s * i; }
    __device__ void add(float* o) override { o[0] += s; }
};
__global__ void virtuals(float* o, int which) {
    Sum sum; sum.tag = 10;
    Product product; product.s = 3;
    Base* b = which ? (Base*)&sum : (Base*)&product;
    o[threadIdx.x] = b->value(threadIdx.x);
    b->add(o + threadIdx.x);
}
typedef float (*Function)(float, float);
__device__ float plus(float a, float b) { return a + b; }
__device__ float times(float a, float b) { return a * b; }
__device__ float minus(float a, float b) { return a - b; }
__device__ float unlike(int a, float b) { return 1000; }
__device__ float (*other)(int, float) = unlike;
__device__ Function table[3] = {plus, times, minus};
__constant__ Function chosen = times;
__global__ void tables(float* o, int which) { o[threadIdx.x] = table[which](threadIdx.x, 2) + chosen(3, 4); }
__global__ void change(float* o, int which) { table[0] = which ? minus : plus; }
struct Operation { Function f; int n; };
__device__ float apply(Operation op, float x) { return op.f(x, op.n); }
__global__ void members(float* o, int which) {
    Operation ops[2] = {{plus, 7}, {minus, 8}};
    o[threadIdx.x] = apply(ops[which], threadIdx.x);
}
__device__ float5 up(float5 x, float by) { x.a += by; x.e += 2 * by; return x; }
__device__ float5 down(float5 x, float by) { x.a -= by; x.e -= 2 * by; return x; }
__global__ void structs(float* o, int which) {
    float5 (*f)(float5, float) = which ? up : down;
    float5 x = f(float5{1, 0, 0, 0, 7}, threadIdx.x);
    o[threadIdx.x] = x.a + x.e;
}
__device__ float first = 1, second = 2;
struct Pair { Function f; float* p; };
__device__ Pair pairs[2] = {{plus, &first}, {minus, &second}};
__global__ void mixed(float* o, int which) { o[threadIdx.x] = pairs[which].f(threadIdx.x, *pairs[which].p); }
__device__ float total;
__device__ void into(float* where, float x) { *where = x; }
__device__ void onto(float* where, float x) { *where += x; }
__global__ void globals(float* o, int which) {
    void (*f)(float*, float) = which ? into : onto;
    if (threadIdx.x == 0) f(&total, 3);
    f(o + threadIdx.x, threadIdx.x);
}
"""


INDEX = np.arange(4)


@pytest.mark.parametrize(
    ("kernel", "wanted"),
    [
        ("virtuals", [3 * INDEX + 3, INDEX + 11]),
        ("tables", [INDEX + 14, 2 * INDEX + 12, INDEX + 10]),
        ("members", [INDEX + 7, INDEX - 8]),
        ("structs", [8 - 3 * INDEX, 8 + 3 * INDEX]),
        ("mixed", [INDEX + 1, INDEX - 2]),
        ("globals", [INDEX, INDEX]),
    ],
)
def test_what_a_pointer_holds_is_called(device, kernels, kernel, wanted):
    for which, values in enumerate(wanted):
        out = lp.zeros(4, "float32", device)
        kernels[kernel][1, 4](out, which)
        assert np.array_equal(out.to_numpy(), values)


# Apart from tables of these functions: NVRTC 13.0 makes a wrong program of both together, see docs/language.md.
NULL = """
typedef float (*Function)(float, float);
__device__ float plus(float a, float b) { return a + b; }
__device__ float times(float a, float b) { return a * b; }
__global__ void selected(float* o, int which) {
    Function f = which == 0 ? plus : which == 1 ? times : nullptr;
    o[threadIdx.x] = f ? f(threadIdx.x, 5) : -1;
}
"""


def test_a_pointer_may_be_null(device):
    kernel = lp.compile(NULL, device).selected
    for which, values in enumerate([INDEX + 5, 5 * INDEX, 0 * INDEX - 1]):
        out = lp.zeros(4, "float32", device)
        kernel[1, 4](out, which)
        assert np.array_equal(out.to_numpy(), values)


def test_a_pointer_stored_by_a_kernel_is_called_by_another(device, kernels):
    out = lp.zeros(4, "float32", device)
    for which, wanted in ((1, INDEX + 10), (0, INDEX + 14)):
        kernels.change[1, 1](out, which)
        kernels.tables[1, 4](out, 0)
        assert np.array_equal(out.to_numpy(), wanted)


def test_tables_of_virtual_functions_are_no_symbols(kernels):
    assert kernels.symbols.keys() == {"other", "table", "chosen", "total", "first", "second", "pairs"}


# No kernel calls by these pointers: without such a call Clang's backend would write null for a function's address.
HELD = """
typedef float (*Function)(float);
struct Named { long long number; Function f; };
__device__ float twice(float x) { return 2 * x; }
__device__ float thrice(float x) { return 3 * x; }
__device__ Function chosen = twice;
__device__ Function table[2] = {twice, thrice};
__device__ Named named = {7, thrice};
typedef unsigned long long word;
__global__ void read(word* o, int at) {
    Function local[2] = {thrice, twice};
    o[0] = (word)chosen, o[1] = (word)table[at], o[2] = (word)named.f, o[3] = (word)local[at];
    o[4] = chosen == table[0], o[5] = chosen == table[1];
}
"""


@pytest.mark.parametrize("used", [True, False])
def test_a_variable_holds_a_function_that_no_kernel_calls(device, used):
    program = lp.compile(HELD if used else HELD.partition("__global__")[0] + "__global__ void read(int*) {}", device)
    chosen = int(program.symbol("chosen").to_numpy())
    table = program.symbol("table").to_numpy().tolist()
    named = program.symbol("named").to_numpy().view("uint64").tolist()
    assert 0 not in table and table[0] != table[1]
    assert (chosen, named) == (table[0], [7, table[1]])
    if used:
        out = lp.zeros(6, "uint64", device)
        program.read[1, 1](out, 1)
        assert out.to_numpy().tolist() == [chosen, table[1], table[1], chosen, 1, 0]


# As in a common pattern of CUDA's: the host reads a pointer to a function, and hands it to kernels.
CHOSEN = """
typedef float (*op)(float);
__device__ float twice(float x) { return 2 * x; }
__device__ float thrice(float x) { return 3 * x; }
__device__ op chosen = twice;
__device__ op other = thrice;
__global__ void call(float* o) { *o = chosen(1.0f); }
__global__ void handed(float* o, op f) { *o = f(1.0f); }
"""


def test_the_host_reads_and_writes_a_pointer_that_a_single_kernel_calls(device):
    program, out = lp.compile(CHOSEN, device), lp.zeros(1, "float32", device)
    first, second = (int(program.symbol(name).to_numpy()) for name in ("chosen", "other"))
    assert first and second and first != second
    values = []
    for pointer in (first, second):
        program.symbol("chosen")[...] = pointer
        program.call[1, 1](out)
        values.append(out.to_numpy()[0])
        program.handed[1, 1](out, lp.DevicePointer(pointer))
        values.append(out.to_numpy()[0])
    assert values == [2, 2, 3, 3]
