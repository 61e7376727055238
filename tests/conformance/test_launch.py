"""Launching: grid, block, stream and shared memory, and every kind of argument."""

import ctypes
import struct

import numpy as np
import pytest

import launchpath as lp

SOURCE = r"""
struct Pair { float x; int n; };
struct Nested { char tag; struct Pair pair; float* data; double scale; };

__global__ void ints(long long* out, signed char a, unsigned char b, short c, unsigned short d, int e, unsigned int f,
                     long long g, unsigned long long h) {
    out[0] = a; out[1] = b; out[2] = c; out[3] = d; out[4] = e; out[5] = f; out[6] = g; out[7] = (long long)h;
}
__global__ void floats(double* out, float a, double b) { out[0] = a; out[1] = b; }
__global__ void flags(int* out, bool a, bool b) { out[0] = a ? 1 : 0; out[1] = b ? 1 : 0; }
__global__ void pair(float* out, struct Pair p) { out[0] = p.x; out[1] = p.n; }
__global__ void nested(float* out, struct Nested p) {
    out[0] = p.tag; out[1] = p.pair.x; out[2] = p.pair.n; out[3] = p.data[1]; out[4] = p.scale;
}
__global__ void is_null(int* out, const float* p) { *out = p == 0 ? 1 : 2; }
__global__ void mixed(double* out, float a, int b, short c, int d, float e, const int* p) {
    out[0] = a; out[1] = b; out[2] = c; out[3] = d; out[4] = e; out[5] = *p;
}
__global__ void sixteen(int* out, int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l,
                        int m, int n, int o) {
    int all[15] = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o};
    for (int at = 0; at < 15; ++at) out[at] = all[at];
}
__global__ void any(void* out, const void* in) { *(int*)out = *(const int*)in; }
__global__ void shared_bytes(int* out, int n) {
    extern __shared__ int scratch[];
    int i = threadIdx.x;
    scratch[i] = i;
    __syncthreads();
    if (i < n) out[i] = scratch[n - 1 - i];
}
"""


class Pair(ctypes.Structure):
    _fields_ = [("x", ctypes.c_float), ("n", ctypes.c_int)]


class Nested(ctypes.Structure):
    _fields_ = [("tag", ctypes.c_char), ("pair", Pair), ("data", ctypes.c_void_p), ("scale", ctypes.c_double)]


@pytest.fixture
def launched(device):
    """Launch a kernel whose first parameter is an array to write to, and return that array."""

    def launch(kernel, n, dtype, *args, grid=1, block=1, **kwargs):
        out = lp.zeros(n, dtype, device)
        kernel[grid, block](out, *args, **kwargs)
        return out.to_numpy().tolist()

    return launch


INTS = {"a": (8, True), "b": (8, False), "c": (16, True), "d": (16, False), "e": (32, True), "f": (32, False),
        "g": (64, True), "h": (64, False)}  # fmt: skip


def ends(name):
    bits, signed = INTS[name]
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)


@pytest.mark.parametrize("end", [0, 1])
def test_ints_of_every_width_take_their_whole_range(kernels, launched, end):
    values = [ends(name)[end] for name in INTS]
    wanted = [*values[:7], int(np.uint64(values[7]).astype("int64"))]
    assert launched(kernels.ints, 8, "int64", *values) == wanted


@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize("name", INTS)
def test_an_int_out_of_range_is_refused(kernels, device, name, end):
    value = ends(name)[end] + (1 if end else -1)
    values = {**dict.fromkeys(INTS, 0), name: value}
    with pytest.raises(
        lp.ArgumentValueError, match=rf"ints: parameter \d \(.* {name}\): expected a number from .*, got {value}: pass"
    ):
        kernels.ints[1, 1](lp.empty(8, "int64", device), **values)


@pytest.mark.parametrize("kind", [int, np.int8, np.uint8, np.int16, np.int32, np.uint32, np.uint64, bool, np.bool_])
def test_any_kind_of_int_fits_any_int_parameter(kernels, launched, kind):
    assert launched(kernels.ints, 8, "int64", *[kind(1)] * 8) == [1] * 8


def test_a_numpy_int_out_of_range_is_refused(kernels, device):
    with pytest.raises(lp.ArgumentValueError, match="300"):
        kernels.ints[1, 1](lp.empty(8, "int64", device), np.int64(300), *[0] * 7)


@pytest.mark.parametrize("kind", [float, int, np.float16, np.float32, np.float64, np.int32, bool])
def test_any_kind_of_number_fits_a_float_parameter(kernels, launched, kind):
    assert launched(kernels.floats, 2, "float64", kind(1), kind(1)) == [1.0, 1.0]


def test_floats_are_rounded_to_their_parameter(kernels, launched):
    assert launched(kernels.floats, 2, "float64", 0.1, 0.1) == [float(np.float32(0.1)), 0.1]


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan"), -0.0, 3.4e38])
def test_special_floats_get_through(kernels, launched, value):
    got = launched(kernels.floats, 2, "float64", value, value)
    assert np.array_equal(np.float32(got[0]), np.float32(value), equal_nan=True)
    assert np.array_equal(got[1], value, equal_nan=True)


@pytest.mark.parametrize("value", [1e39, -1e39, 10**400])
def test_a_float_out_of_range_is_refused(kernels, device, value):
    with pytest.raises(lp.ArgumentValueError, match=r"floats: parameter 1 \(float a\)"):
        kernels.floats[1, 1](lp.empty(2, "float64", device), value, 0)


@pytest.mark.parametrize("kind", [bool, int, np.bool_, np.int32])
def test_bools(kernels, launched, kind):
    assert launched(kernels.flags, 2, "int32", kind(1), kind(0)) == [1, 0]


@pytest.mark.parametrize("give", ["ctypes", "numpy scalar", "numpy array", "bytes", "bytearray"])
def test_a_struct_by_value(kernels, launched, give):
    dtype = np.dtype([("x", "f4"), ("n", "i4")])
    value = {
        "ctypes": Pair(2.5, 7),
        "numpy scalar": np.array((2.5, 7), dtype)[()],
        "numpy array": np.array((2.5, 7), dtype),
        "bytes": struct.pack("fi", 2.5, 7),
        "bytearray": bytearray(struct.pack("fi", 2.5, 7)),
    }[give]
    assert launched(kernels.pair, 2, "float32", value) == [2.5, 7.0]


def test_a_struct_that_holds_a_pointer_and_a_struct(kernels, launched, device):
    data = lp.asarray([1.5, 2.5], "float32", device)
    value = Nested(b"A", Pair(3.5, 4), data.pointer, 0.5)
    assert launched(kernels.nested, 5, "float32", value) == [65.0, 3.5, 4.0, 2.5, 0.5]


def test_none_is_the_null_pointer(kernels, launched, device):
    assert launched(kernels.is_null, 1, "int32", None) == [1]
    assert launched(kernels.is_null, 1, "int32", lp.DevicePointer(0)) == [1]
    assert launched(kernels.is_null, 1, "int32", lp.empty(1, "float32", device)) == [2]


def test_a_device_pointer_is_taken_as_it_is(kernels, device):
    source, out = lp.asarray([1, 42], "int32", device), lp.zeros(1, "int32", device)
    kernels.any[1, 1](lp.DevicePointer(out.pointer), lp.DevicePointer(source.pointer + 4))
    assert out.to_numpy()[0] == 42
    assert int(lp.DevicePointer(5)) == 5
    with pytest.raises(lp.ArgumentValueError):
        lp.DevicePointer(-1)


@pytest.mark.parametrize("dtype", ["int32", "float32", "uint8", [("a", "i4")]])
def test_a_void_pointer_takes_any_array(kernels, device, dtype):
    source, out = lp.zeros(8, dtype, device), lp.asarray([3], "int32", device)
    kernels.any[1, 1](out, source)
    assert out.to_numpy()[0] == 0


@pytest.mark.parametrize("dtype", ["int64", np.longlong, np.int_, np.dtype("l")])
def test_dtypes_that_are_the_same_for_the_device_are_the_same(device, kernels, dtype):
    out = lp.zeros(8, dtype, device)
    kernels.ints[1, 1](out, 1, 2, 3, 4, 5, 6, 7, 8)
    assert out.to_numpy().tolist() == list(range(1, 9))


def test_an_array_of_foreign_byte_order_does_not_pass_for_a_native_array(device, program):
    array = lp.asarray(np.arange(3, dtype="int32").astype(np.dtype("int32").newbyteorder()), device=device)
    with pytest.raises(lp.SignatureError, match="expected an array of int32"):
        program.add[1, 1](array, 1, 3)


def test_a_slice_is_an_argument(program, device):
    array = lp.zeros(10, "int32", device)
    program.add[1, 3](array[4:7], 5, 3)
    assert array.to_numpy().tolist() == [0] * 4 + [5] * 3 + [0] * 3


def test_sixteen_arguments(kernels, launched):
    assert launched(kernels.sixteen, 15, "int32", *range(15)) == list(range(15))


def test_arguments_by_name_and_in_any_order(kernels, launched, device):
    p = lp.asarray([9], "int32", device)
    wanted = [1.5, 2, 3, 4, 5.5, 9]
    assert launched(kernels.mixed, 6, "float64", 1.5, 2, 3, 4, 5.5, p) == wanted
    assert launched(kernels.mixed, 6, "float64", p=p, e=5.5, d=4, c=3, b=2, a=1.5) == wanted
    assert launched(kernels.mixed, 6, "float64", 1.5, 2, p=p, e=5.5, c=3, d=4) == wanted


def test_packed_bytes_are_in_cudas_layout(kernels, device):
    out, p = lp.zeros(6, "float64", device), lp.asarray([9], "int32", device)
    packed = struct.pack("@PfihifP", out.pointer, 1.5, 2, 3, 4, 5.5, p.pointer)
    assert kernels.mixed.signature.size == len(packed) == 40
    kernels.mixed[1, 1].packed(packed)
    assert out.to_numpy().tolist() == [1.5, 2, 3, 4, 5.5, 9]


def test_packed_bytes_of_another_size_are_refused(kernels):
    with pytest.raises(lp.SignatureError, match=r"mixed\(.* packs into 40 bytes, got 39"):
        kernels.mixed[1, 1].packed(bytes(39))


def test_arguments_may_be_used_again_right_after_the_call(kernels, device, nonblocking):
    out = lp.zeros((20, 2), "float32", device)
    value = Pair(0, 0)
    device.synchronize()
    with nonblocking.hold():
        for i in range(20):
            value.x, value.n = i, -i
            kernels.pair[1, 1, nonblocking](out[i], value)
        value.x = value.n = 99
    assert out.to_numpy(nonblocking).tolist() == [[i, -i] for i in range(20)]


@pytest.mark.parametrize(
    ("grid", "block"),
    [(3, 4), ((3,), (4,)), ((3, 2), (4, 2)), ((3, 2, 2), (2, 3, 4)), ([2, 2], [3]), (np.int64(5), (np.int32(2), 3))],
)
def test_grid_and_block_are_in_blocks_and_threads(program, device, grid, block):
    def whole(value):
        return (*value, 1, 1)[:3] if isinstance(value, (tuple, list)) else (int(value), 1, 1)

    blocks, threads = np.prod(whole(grid)), np.prod(whole(block))
    out = lp.zeros((blocks, threads), "int32", device)
    program.where[grid, block](out)
    assert (out.to_numpy() == np.arange(blocks)[:, None] * 1000 + np.arange(threads)).all()
    shape = lp.zeros(6, "int32", device)
    program.shape[grid, block](shape)
    assert shape.to_numpy().tolist() == [*whole(grid), *whole(block)]


def test_a_kept_launcher_is_used_again_with_other_arguments(program, device):
    launch = program.add[1, 8]
    arrays = [lp.zeros(8, "int32", device) for _ in range(3)]
    for i, array in enumerate(arrays):
        launch(array, i, 8)
    assert [array.to_numpy()[0] for array in arrays] == [0, 1, 2]
    assert "add[(1, 1, 1), (8, 1, 1)" in repr(launch)


def test_the_largest_block(program, device):
    n = min(device.info["max_threads_per_block"], device.info["max_block"][0])
    out = lp.zeros(n, "float32", device)
    program.fill[1, n](out, n)
    assert (out.to_numpy() == np.arange(n)).all()


def test_dynamic_shared_memory_is_in_bytes(kernels, device):
    out = lp.zeros(64, "int32", device)
    kernels.shared_bytes[1, 64, None, 64 * 4](out, 64)
    assert out.to_numpy().tolist() == list(reversed(range(64)))


def test_a_kernel_without_arguments(program, nonblocking):
    program.nothing[1, 1, nonblocking]()
    program.nothing[4, 64, nonblocking].packed(b"")
    nonblocking.synchronize()


def test_kernels_say_what_they_take(kernels):
    assert kernels.mixed.name == "mixed"
    assert [parameter.name for parameter in kernels.mixed.signature.parameters] == ["out", "a", "b", "c", "d", "e", "p"]
    assert "short c" in kernels.mixed.__doc__
    assert "mixed(" in repr(kernels.mixed)
    assert kernels["mixed"] is kernels.mixed
    assert "mixed" in dir(kernels)
    assert kernels.mixed in list(kernels)


def test_a_kernel_outlives_its_program(device, nonblocking):
    kernel = lp.compile("__global__ void store(int* out) { *out = 1; }", device).store
    out = lp.zeros(1, "int32", device)
    kernel[1, 1](out)
    assert out.to_numpy()[0] == 1


def test_a_program_dropped_with_work_in_flight_does_its_work(device, nonblocking):
    out = lp.zeros(1, "int32", device)
    program = lp.compile(
        "__global__ void count(int* out) { *out += 1; }", device
    )  # CUDA loads none while a stream is held
    device.synchronize()
    with nonblocking.hold():
        program.count[1, 1, nonblocking](out)
        del program
        device.trim_memory()
    assert out.to_numpy(nonblocking)[0] == 1


def test_a_struct_in_constant_memory(device):
    source = """
    struct Parameters { float factor; int n; double* table; };
    __constant__ Parameters parameters;
    __global__ void k(float* out) { *out = parameters.factor * parameters.n; }
    """
    program = lp.compile(source, device)
    kind = np.dtype([("factor", "f4"), ("n", "i4"), ("table", "u8")])
    record = np.array([(2.5, 4, 0)], kind)
    symbol, out = program.symbol("parameters"), lp.zeros(1, "float32", device)
    assert (symbol.dtype, symbol.shape) == ("uint8", (16,))
    for value in (record, record[0], record.tobytes()):
        symbol.fill(0)
        symbol.copy_from(value)
        program.k[1, 1](out)
        assert out.to_numpy()[0] == 10
    assert symbol.to_numpy().view(kind)[0] == record[0]
    with pytest.raises(lp.ArgumentValueError, match="expected 16 bytes"):
        symbol.copy_from(record.tobytes()[:12])
