"""Calls that type checkers accept. They also run: `on_any_device` on CPUs, `with_other_libraries` on the stand-in GPU."""

import ctypes
from fractions import Fraction
from typing import assert_type

import numpy as np

import launchpath as lp

SOURCE = """
struct Pair { int a; float b; };
__global__ void fill(float* x, int n, float value) { for (int i = 0; i < n; i++) x[i] = value; }
__global__ void kinds(unsigned char small, long long large, double d, bool yes, float3 v, Pair pair, const void* any) {}
__global__ void sum(const float* x, int n, float* total) { for (int i = 0; i < n; i++) *total += x[i]; }
"""


class Pair(ctypes.Structure):
    _fields_ = (("a", ctypes.c_int), ("b", ctypes.c_float))


def on_any_device(device: lp.Device) -> None:
    facts(device)
    devices(lp.devices().index(device))
    program = lp.compile(SOURCE, device)
    lp.compile(
        SOURCE, fast_math=True, maxrregcount=None, line_info=False, optimization=2, warnings="error", options=["-w"]
    )
    assert_type(program.fill.attributes.num_regs, int | None)
    assert_type(lp.compile_all([SOURCE, {"source": SOURCE}], device), list[lp.Program])
    with device:
        arrays(device)
        streams(device)
        steps(program.fill)
        grids(program.fill)
        arguments(program)
        results(program)


def facts(device: lp.Device) -> None:
    assert_type(device.name, str)
    assert_type(device.compute_units, int)
    assert_type(device.max_block, tuple[int, int, int])
    assert_type(device.warp_size, int | None)
    assert_type(device.cooperative, bool)
    device.set_memory_limit(np.int64(1 << 40))
    device.set_memory_limit(None)
    for other in (device, 0, device.name):
        if device.can_access_peer(other):
            device.enable_peer(other)


def devices(index: int) -> None:
    assert_type(lp.device(index), lp.Device)
    assert lp.device(np.int32(index)) is lp.device(str(index)) is lp.devices()[index]


def arrays(device: lp.Device) -> None:
    assert_type(lp.empty(3), lp.Array)
    extents = [2, 3]
    numpy_extents = [np.int64(2), np.int64(3)]
    for shape in (np.int32(6), (2, 3), (np.int64(2), 3), [2, 3], np.zeros((2, 3)).shape, ()):
        assert lp.zeros(shape, device=device).nbytes in (4, 24)
    assert lp.empty(extents).shape == lp.empty(numpy_extents).shape == (2, 3)
    x = lp.asarray([[1, 2], [3, 4]], np.float32, lp.devices().index(device))
    assert_type(x[np.int64(1)], lp.Array)
    assert x[0:1].shape == (1, 2)
    assert x.reshape(4).shape == x.reshape((2, -1)).reshape([4]).shape == x.reshape(np.int64(2), 2).reshape(-1).shape
    x.copy_to(np.zeros((2, 2), "float32"))
    x.copy_from(((1, 2), (3, 4)))
    x.fill(np.float32(1.5))
    assert np.asarray(x).sum() == 6
    created(x)
    parts(x)


def created(x: lp.Array) -> None:
    assert_type(lp.ones((2, np.int64(3)), "int8"), lp.Array)
    assert lp.full(extents := [2, 3], 1.5, np.float32).shape == lp.full((2, 3), [1, 2, 3]).shape == tuple(extents)
    assert (
        lp.arange(3).size
        == lp.arange(0, 3, 1).size
        == lp.arange(np.float32(0), 1.5, step=Fraction(1, 2), dtype="f4").size
    )
    assert_type(lp.empty_like(x, shape=4), lp.Array)
    if x.device.managed_memory:
        managed = lp.managed_empty((2, np.int64(3)), "int8", x.device, x.device.legacy_stream)
        assert_type(managed, lp.Array)
        assert managed.host_view().shape == (2, 3)
    assert lp.zeros_like(x).shape == lp.ones_like(x, "int8").shape == lp.full_like(np.zeros((2, 2)), 3).shape == x.shape
    assert_type(x.copy(), lp.Array)
    assert_type(x.astype(np.int32, copy=False, stream=lp.current_stream()).view("uint8"), lp.Array)
    assert x.to_numpy(out=np.zeros((2, 2), "float32")).shape == (2, 2)


def parts(x: lp.Array) -> None:
    x[0] = 1
    x[np.int64(1)] = [3.0, 4]
    x[..., 0] = np.zeros(2)
    x[::2, None, 1:] = x[1, 1].copy()
    assert_type(x[1, 0:1], lp.Array)
    assert x[..., None, :].ndim == x[None].ndim == 3
    assert_type(float(x[1, 1]), float)
    assert int(x[1, 1]) == x[1, 1].item() == complex(x[1, 1]) == 4
    assert [row.shape for row in x] == [(2,), (2,)]
    assert x.tolist() == [[0, 4], [0, 4]]


def streams(device: lp.Device) -> None:
    stream = lp.Stream(False, np.int64(0), device)
    assert_type(stream.record(), lp.Event)
    assert_type(stream.handle, int)
    with stream as same:
        assert_type(same, lp.Stream)
    x = lp.zeros(4, stream=stream)
    x.to_numpy(stream)
    called: list[int] = []
    stream.host_function(called.append, 1)
    start, end = lp.Event(timing=True), lp.Event(True)
    stream.record(start)
    stream.record(end)
    stream.wait(end)
    assert_type(start.elapsed_time(end), float)
    assert lp.Stream.external(stream, device) is stream
    stream.synchronize()


@lp.step
def doubled(x: lp.Array, value: float = 1.0) -> int:
    x.fill(2 * value)
    return x.size


def steps(fill: lp.Kernel) -> None:
    x, step = lp.zeros(4), lp.Step()
    with step as same:
        assert_type(same, lp.Step)
        fill[1, 1](x, 4, 1.0)
    report = step.report()
    assert_type(report, lp.StepReport)
    assert_type(report.early, dict[str, int])
    assert_type(report.causes, list[str])
    assert str(report)
    frozen = step.freeze()
    assert_type(frozen, lp.FrozenStep)
    frozen.launch()
    assert_type(frozen.report(), lp.StepReport)
    stream = lp.Stream()
    stream.begin_capture()
    fill[1, 1, stream](x, 4, 1.0)
    graph = stream.end_capture()
    assert_type(graph, lp.Graph)
    assert_type(len(graph), int)
    executable = graph.instantiate()
    assert_type(executable, lp.ExecutableGraph)
    executable.launch(stream)
    executable.launch()
    executable.update(graph)
    assert_type(doubled(x, value=2.0), int)
    assert x.to_numpy().tolist() == [4.0] * 4


def grids(fill: lp.Kernel) -> None:
    x, stream = lp.zeros(4), lp.Stream()
    extents: tuple[int, ...] = (1, 1)
    listed = [1, 1, 1]
    numpy_listed = [np.int32(1)]
    fill[1, 1](x, 4, 1.0)
    fill[np.int64(1), np.uint8(1)](x, 4, 1.0)
    fill[(1, np.int32(1)), [1, 1, 1]](x, 4, 1.0)
    fill[extents, listed](x, 4, 1.0)
    fill[numpy_listed, x.shape[:0] or 1](x, 4, 1.0)
    fill[1, 1, stream](x, 4, 1.0)
    fill[1, 1, None, np.int64(0)](x, 4, 1.0)
    fill.bind(1, [1], shared=np.int32(0), stream=stream)(x, 4, 1.0)
    launch = fill[1, 1]
    assert_type(launch(x=x, n=4, value=2.0), None)
    launch.packed(
        np.array([x.pointer], "uint64").tobytes() + np.array([4], "int32").tobytes() + np.float32(3).tobytes()
    )
    assert x.to_numpy().tolist() == [3.0] * 4


def arguments(program: lp.Program) -> None:
    fill, kinds = program.fill[1, 1], program["kinds"][1, 1]
    x, host = lp.zeros(4), np.zeros(4, "float32")
    result = lp.InOut(host)
    fill(x, np.int32(4), np.float32(1))
    fill(lp.DevicePointer(x.pointer), np.array(4), Fraction(1, 2))
    fill(lp.DevicePointer(np.uint64(x.pointer)), True, 1)
    fill(None, 0, np.float16(0.5))
    texture = lp.Texture(lp.zeros((3, 4)), address=["wrap", "mirror"], filter="linear", normalized=True)
    texture.update(lp.zeros((3, 4)), stream=lp.Stream(blocking=False))
    assert_type(texture.handle, int)
    assert_type(texture.address, tuple[str, ...])
    fill(result, 4, 7)
    assert result.get().tolist() == [7.0] * 4
    vector = np.zeros(3, "float32")
    pair = np.zeros((), [("a", "i4"), ("b", "f4")])[()]
    kinds(1, 2, 3.0, np.bool_(True), vector, Pair(1, 2.0), x)
    kinds(np.uint8(1), np.int64(2), 3, False, bytes(12), bytearray(8), None)
    kinds(1, 2, 3, 1, memoryview(bytes(12)), pair, lp.In(host))


def results(program: lp.Program) -> None:
    x = lp.asarray(np.ones(4, "float32"))
    total = program.sum.returning("total", zero=True)
    result = total[1, 1](x, 4)
    assert_type(result, lp.Result)
    assert float(result) == int(result) == result.item() == 4
    arrays = program.fill.returning(x=[np.int64(2), 2])
    assert arrays[[1], 1, None](n=4, value=1).get().sum() == 4


# -- other libraries, as checkers see what they have


class ProtocolStream:
    """A stream as cuda.core and torch have it."""

    def __init__(self, handle: int) -> None:
        self.address = handle

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.address


class TorchStream:
    """A stream of an older torch."""

    def __init__(self, handle: int) -> None:
        self.cuda_stream = handle


class CuPyStream:
    """A stream of an older CuPy."""

    def __init__(self, handle: int) -> None:
        self.ptr = handle


class NumbaStream:
    """A stream of Numba."""

    def __init__(self, handle: int) -> None:
        self.handle = ctypes.c_void_p(handle)


class InterfaceArray:
    """An array with the CUDA Array Interface."""

    def __init__(self, array: lp.Array) -> None:
        self.array = array

    @property
    def __cuda_array_interface__(self) -> dict[str, object]:
        return {**self.array.__cuda_array_interface__, "stream": None}


class DLPackArray:
    """An array with DLPack, as torch declares it."""

    def __init__(self, array: lp.Array) -> None:
        self.array = array

    def __dlpack__(self, *, stream: int | None = None) -> object:
        return self.array.__dlpack__(stream=stream)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


def with_other_libraries(increment: lp.Kernel, array: lp.Array, handle: int) -> None:
    """Launch ``increment(int *, int)`` in another library's stream, and on its arrays."""
    theirs = (ProtocolStream(handle), TorchStream(handle), CuPyStream(handle), NumbaStream(handle))
    kept = lp.Stream.external(handle, array.device)
    assert lp.Stream.external(ctypes.c_void_p(handle), array.device) is kept
    assert lp.Stream.external(np.uint64(handle), array.device) is kept
    for stream in theirs:
        assert lp.Stream.external(stream, array.device) is kept
        increment[1, 16, stream](array, 16)
        increment.bind(1, 16, stream=stream)(array, 16)
        copy = lp.asarray(array.to_numpy(stream), device=array.device, stream=stream)
        copy.fill(0, stream)
    increment[1, 16, theirs[0]](array, 16)
    increment[1, 16, theirs[1]](InterfaceArray(array), 16)
    increment[1, 16, theirs[2]](DLPackArray(array), 16)
    assert array.to_numpy(kept).tolist() == [11] * 16
