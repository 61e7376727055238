"""Launches on the stand-in: arguments, limits, kernels that fail."""

import ctypes
import struct
import threading

import pytest

from .client import IMAGE, CudaError


def launch_parameters(cuda, name, *arguments, extra=None, cooperative=False, grid=(1, 1, 1), block=(1, 1, 1)):
    pointers = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(argument) for argument in arguments))
    if cooperative:
        return cuda.code("cuLaunchCooperativeKernel", cuda.function(name), *grid, *block, 0, 0, pointers)
    return cuda.code("cuLaunchKernel", cuda.function(name), *grid, *block, 0, 0, pointers, extra)


def test_packed_arguments(cuda):
    data = cuda.allocate(64)
    cuda.launch("fill", struct.pack("Qfi", data, 1.5, 12), grid=(4, 1, 1), block=(4, 1, 1))
    cuda("cuCtxSynchronize")
    assert struct.unpack("16f", ctypes.string_at(data, 64))[:12] == (1.5,) * 12
    assert ctypes.string_at(data + 48, 16) == b"\xcd" * 16


def test_pointers_to_arguments(cuda):
    out = cuda.allocate(4)
    numbers = [ctypes.c_int(i) for i in range(1, 16)]
    assert launch_parameters(cuda, "add16", ctypes.c_uint64(out), *numbers) == 0
    for number in numbers:
        number.value = 0  # they were copied at the call
    assert cuda.read(out) == [120]


def test_arguments_are_copied_at_the_call(cuda):
    stream, out = cuda.stream(), cuda.allocate(24)
    release = cuda.hold(stream)
    cuda.launch("raw", struct.pack("QQQ", out, 1, 2), stream)
    release()
    cuda("cuCtxSynchronize")
    assert struct.unpack("QQQ", ctypes.string_at(out, 24)) == (out, 1, 2)


def test_both_kinds_of_arguments(cuda):
    assert launch_parameters(cuda, "fails", ctypes.c_int(0), extra=(ctypes.c_void_p * 1)(0)) == 1


@pytest.mark.parametrize(("size", "code"), [(15, 1), (16, 0), (20, 1)])
def test_the_size_of_packed_arguments(cuda, size, code):
    data = cuda.allocate(4)
    assert cuda.launch_code("fill", struct.pack("Qfi4x", data, 1.5, 1)[:size]) == code


def test_the_shape_of_a_launch(cuda):
    out = cuda.allocate(36)
    cuda.launch("shape", struct.pack("Q", out), grid=(2, 3, 4), block=(5, 6, 7), shared=8)
    assert cuda.read(out, 9) == [2, 3, 4, 5, 6, 7, 8, 0, 0]
    assert launch_parameters(cuda, "shape", ctypes.c_uint64(out), cooperative=True) == 0
    assert cuda.read(out, 9) == [1, 1, 1, 1, 1, 1, 0, 1, 0]


@pytest.mark.parametrize(
    ("grid", "block", "shared"),
    [
        ((0, 1, 1), (1, 1, 1), 0),
        ((1, 1, 1), (1, 0, 1), 0),
        ((1, 65536, 1), (1, 1, 1), 0),
        ((1, 1, 65536), (1, 1, 1), 0),
        ((1, 1, 1), (1025, 1, 1), 0),
        ((1, 1, 1), (1, 1, 65), 0),
        ((1, 1, 1), (32, 33, 1), 0),
        ((1, 1, 1), (1, 1, 1), 49153),
    ],
)
def test_limits(cuda, grid, block, shared):
    assert cuda.launch_code("nothing", grid=grid, block=block, shared=shared) == 1
    assert cuda.launch_code("nothing", grid=(2147483647, 1, 1), block=(1024, 1, 1), shared=49152) == 0


def test_more_shared_memory_is_asked_for(cuda):
    function = cuda.function("nothing")
    cuda("cuFuncSetAttribute", function, 8, 232448)
    assert cuda.out("cuFuncGetAttribute", 8, function, kind=ctypes.c_int) == 232448
    cuda.launch(function, shared=232448)
    assert cuda.code("cuFuncSetAttribute", function, 8, 232449) == 1


def test_cooperative_launches_must_fit(cuda):
    assert (
        cuda.out("cuOccupancyMaxActiveBlocksPerMultiprocessor", cuda.function("nothing"), 1024, 0, kind=ctypes.c_int)
        == 2
    )
    assert launch_parameters(cuda, "nothing", cooperative=True, grid=(264, 1, 1), block=(1024, 1, 1)) == 0
    assert launch_parameters(cuda, "nothing", cooperative=True, grid=(265, 1, 1), block=(1024, 1, 1)) == 720


def test_a_block_size_is_suggested(cuda):
    grid, block = ctypes.c_int(), ctypes.c_int()
    cuda(
        "cuOccupancyMaxPotentialBlockSize",
        ctypes.byref(grid),
        ctypes.byref(block),
        cuda.function("nothing"),
        None,
        0,
        0,
    )
    assert (grid.value, block.value) == (264, 1024)


def test_a_kernel_that_nobody_has(cuda):
    assert cuda.launch_code("missing") == 500
    assert cuda.reports() == ["no function is registered for kernel missing"]


def test_another_devices_kernel(cuda):
    function = cuda.function("nothing")
    cuda.current(cuda.retain(1))
    assert cuda.launch_code(function) == 400
    assert cuda.launch_code(function, stream=cuda.stream()) == 400
    cuda.current(cuda.context)


def test_a_failing_kernel_is_for_ever(cuda):
    stream, data, event = cuda.stream(), cuda.allocate(4), cuda.event()
    cuda.launch("fails", struct.pack("i", 700), stream)
    cuda.code("cuMemsetD32Async", data, 1, 1, stream)
    cuda.code("cuEventRecord", event, stream)
    with pytest.raises(CudaError, match="700"):
        cuda("cuStreamSynchronize", stream)
    for name, *arguments in (
        ("cuStreamQuery", 0),
        ("cuEventQuery", event),
        ("cuMemAlloc_v2", ctypes.byref(ctypes.c_uint64()), 4),
        ("cuStreamDestroy_v2", stream),
        ("cuEventDestroy_v2", event),
        ("cuMemFree_v2", data),
    ):
        assert cuda.code(name, *arguments) == 700
    assert (cuda.live("streams"), cuda.live("events"), cuda.live("memory")) == (0, 0, 0)
    cuda.current(cuda.retain(1))  # another device goes on
    cuda.allocate(4)
    cuda.current(cuda.context)
    cuda("cuDevicePrimaryCtxReset_v2", 0)
    cuda.current(cuda.retain(0))
    cuda.allocate(4)


def test_asking_for_a_failing_kernel(cuda):
    cuda.fail("run:nothing", 719, nth=2)
    cuda.launch("nothing")
    cuda("cuCtxSynchronize")
    cuda.launch("nothing")
    assert cuda.code("cuCtxSynchronize") == 719


def test_asking_for_a_failing_copy(cuda):
    cuda.fail("run:fill", 700)
    cuda.write(0, cuda.allocate(4), 1)
    assert cuda.code("cuCtxSynchronize") == 700


def test_unloading_waits_for_all_work(cuda):
    """Of the context, whatever module it is: as on the H200."""
    stream, unused = cuda.stream(), cuda.load(IMAGE)
    release = cuda.hold(stream)
    threading.Timer(0.1, release).start()
    cuda("cuModuleUnload", unused)
    assert cuda.code("cuStreamQuery", stream) == 0


def test_an_unloaded_modules_kernel(cuda):
    stream, data = cuda.stream(), cuda.allocate(4)
    release = cuda.hold(stream)
    cuda.launch("fill", struct.pack("Qfi", data, 1, 1), stream)
    cuda.option("free_waits", 0)
    cuda("cuModuleUnload", cuda.module)
    release()
    assert cuda.code("cuStreamSynchronize", stream) == 719
    assert cuda.reports() == ["fill ran after its module was unloaded"]
