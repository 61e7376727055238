"""Device variables that are pointers and vectors get their values from the host.

CUDA C++ Programming Guide, "Device Memory": ``cudaMemcpyToSymbol(devPointer, &ptr, sizeof(ptr))``.
"""

import struct

import numpy as np
import pytest

import launchpath as lp

SOURCE = """
__constant__ const int *table;
__device__ float *rows[2];
__device__ void *anything;
__device__ int2 pair;
__constant__ float3 axes[2];
__device__ uchar4 color;
__constant__ double1 single;
__device__ void (*chosen)(int *);
__device__ void one(int *o) { o[9] = 1; }
__global__ void choose(int n) { chosen = n ? one : nullptr; }
__global__ void call(int *o) { if (chosen) chosen(o); }
__global__ void k(int *o) {
    o[0] = table ? table[1] : -1;
    o[1] = rows[1] ? (int)rows[1][0] : -1;
    o[2] = pair.y;
    o[3] = (int)axes[1].z;
    o[4] = color.w;
    o[5] = (int)single.x;
    o[6] = anything ? *(short *)anything : -1;
    o[7] = rows[0] ? (int)rows[0][0] : -1;
}
"""


@pytest.fixture
def program(device):
    return lp.compile(SOURCE, device=device)


@pytest.fixture
def numbers(device):
    return lp.asarray(np.array([5, 6], "int32"), device=device)


def seen(program, at):
    out = lp.zeros(10, "int32", program.device)
    program.k[1, 1](out)
    return int(out.to_numpy()[at])


def test_types(program):
    types = {name: (str(program.symbol(name).dtype), program.symbol(name).shape) for name in program.symbols}
    assert types == {
        "table": ("uint64", ()), "rows": ("uint64", (2,)), "anything": ("uint64", ()), "pair": ("int32", (2,)),
        "axes": ("float32", (2, 3)), "color": ("uint8", (4,)), "single": ("float64", (1,)), "chosen": ("uint64", ()),
    }  # fmt: skip


@pytest.mark.parametrize(
    "given",
    [
        lambda array: array,
        lambda array: lp.DevicePointer(array.pointer),
        lambda array: np.uint64(array.pointer),
        lambda array: array.pointer,
        lambda array: array.pointer.to_bytes(8, "little"),
    ],
    ids=["array", "DevicePointer", "uint64", "int", "bytes"],
)
def test_a_pointer(program, numbers, given):
    symbol = program.symbol("table")
    for put in (symbol.copy_from, symbol.fill, lambda value: symbol.__setitem__(..., value)):
        if put == symbol.fill and isinstance(given(numbers), bytes):
            continue
        put(given(numbers))
        assert seen(program, 0) == 6
        put(None)
        assert seen(program, 0) == -1
    symbol.copy_from(numbers)
    assert symbol.to_numpy() == numbers.pointer
    symbol.view("uint8").fill(0)
    assert seen(program, 0) == -1


def test_pointers(program, device):
    first, second = (lp.asarray(np.array([number], "float32"), device=device) for number in (7, 8))
    rows = program.symbol("rows")
    rows.copy_from([first, second])
    assert (seen(program, 7), seen(program, 1)) == (7, 8)
    rows.copy_from((None, lp.DevicePointer(first.pointer)))
    assert (seen(program, 7), seen(program, 1)) == (-1, 7)
    rows.copy_from(np.array([second.pointer, 0], "uint64"))
    assert (seen(program, 7), seen(program, 1)) == (8, -1)
    rows[1] = first
    assert (seen(program, 7), seen(program, 1)) == (8, 7)
    rows[:] = second
    assert rows.to_numpy().tolist() == [second.pointer] * 2
    rows.fill(first)
    assert rows.to_numpy().tolist() == [first.pointer] * 2
    rows.copy_from(struct.pack("2Q", 0, second.pointer))
    assert (seen(program, 7), seen(program, 1)) == (-1, 8)


def test_pointers_are_copied_from_pointers(program, numbers):
    program.symbol("table").copy_from(numbers)
    program.symbol("anything").copy_from(program.symbol("table"))  # its value, not its address
    assert seen(program, 6) == 5
    program.symbol("rows")[1] = program.symbol("anything")
    assert program.symbol("rows").to_numpy().tolist() == [0, numbers.pointer]


def test_pointers_to_functions_are_numbers(program):
    out = lp.zeros(10, "int32", program.device)
    program.choose[1, 1](1)
    number = program.symbol("chosen").to_numpy()
    program.symbol("chosen").fill(0)
    program.call[1, 1](out)
    assert out.to_numpy()[9] == 0
    program.symbol("chosen").copy_from(number)
    program.call[1, 1](out)
    assert out.to_numpy()[9] == 1


def test_pointers_are_checked_as_launches_check_them(program, numbers, device):
    floats = lp.zeros(2, "float32", device)
    with pytest.raises(lp.ArgumentValueError, match=r'expected an array of int32, got an array of float32: .*"int32"'):
        program.symbol("table").copy_from(floats)
    with pytest.raises(lp.ArgumentValueError, match="expected an array of float32, got an array of int32"):
        program.symbol("rows")[1] = numbers
    with pytest.raises(lp.ArgumentValueError, match="expected an array of float32, got an array of int32"):
        program.symbol("rows").copy_from([floats, numbers])
    program.symbol("anything").copy_from(floats)  # void * takes any
    numbers.free()
    with pytest.raises(lp.LaunchpathError, match="freed"):
        program.symbol("table").copy_from(numbers)
    with pytest.raises(lp.ArgumentValueError, match="expected a value of uint64, 0 to 18446744073709551615, got -1"):
        program.symbol("table").fill(-1)
    with pytest.raises(lp.ArgumentValueError, match=r"expected an array of shape \(2,\) and uint64, got shape \(1,\)"):
        program.symbol("rows").copy_from([floats])


def test_vectors(program):
    program.symbol("pair").copy_from(np.int32([1, 2]))
    program.symbol("axes").copy_from(np.arange(6, dtype="float32").reshape(2, 3))
    program.symbol("color").copy_from([1, 2, 3, 200])
    program.symbol("single").fill(9)
    assert [seen(program, at) for at in (2, 3, 4, 5)] == [2, 5, 200, 9]
    program.symbol("axes")[1] = (0, 0, 8.5)
    program.symbol("pair").copy_from(struct.pack("2i", 3, 4))
    assert [seen(program, at) for at in (2, 3)] == [4, 8]
    fields = np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4")])
    program.symbol("axes").copy_from(np.array([(0, 0, 0), (1, 2, 3)], fields))
    assert seen(program, 3) == 3
    with pytest.raises(lp.ArgumentValueError, match=r"expected an array of shape \(2,\) and int32, got shape \(3,\)"):
        program.symbol("pair").copy_from(np.int32([1, 2, 3]))
    with pytest.raises(lp.ArgumentValueError, match="would lose the fractional part"):
        program.symbol("pair").copy_from(np.float32([1, 2]))


def test_a_struct_named_like_a_vector_is_bytes(device):
    source = (
        "namespace own { struct int2 { float a; int b; }; } __device__ own::int2 v; __global__ void k() { v.b = 1; }"
    )
    assert str(lp.compile(source, device=device).symbol("v").dtype) == "uint8"


def test_they_are_kept_in_a_saved_program(program, numbers, tmp_path):
    program.save(tmp_path / "saved.lp")
    loaded = lp.load(tmp_path / "saved.lp", program.device)
    loaded.symbol("table").copy_from(numbers)
    assert seen(loaded, 0) == 6


def test_a_variable_is_no_attribute_of_the_program(device):
    program = lp.compile("__device__ float table[8];\n__global__ void one(float *x) { *x = 1; }", device=device)
    for find in (lambda: program.table, lambda: program["table"]):
        with pytest.raises(
            (AttributeError, KeyError), match=r"It is a global: use program.symbol\('table'\), an array"
        ):
            find()


def test_a_part_of_a_variable_is_an_argument(device):
    """An address into it: with the bounds of the array, and the memory stays as long as the array does."""
    program = lp.compile(
        "__device__ float table[8];\n__global__ void add(float *x, int n) { for (int i = 0; i < n; i++) x[i] += 1 + i; }",
        device=device,
    )
    table = program.symbol("table")
    table.fill(0)
    program.add[1, 1](table[2:5], 3)
    launch = program.add[1, 1]
    del program
    launch(table[6:], 2)
    assert table.tolist() == [0, 0, 1, 2, 3, 0, 1, 2]
    assert table[20:].size == 0
    with pytest.raises(IndexError):
        table[8]
    with pytest.raises(TypeError, match="an Array holds data and does not compute"):
        table + 2
