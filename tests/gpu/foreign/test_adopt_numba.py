"""Numba's kernels: an array is several parameters."""

import ctypes
import struct
import types

import numpy as np
import pytest

import launchpath as lp
from tests.gpu.foreign.foreign_objects import (
    Boolean,
    Complex,
    CPointer,
    CUfunction,
    Float,
    Integer,
    Opaque,
    UniTuple,
    instance,
    kind,
    numba_array,
    numba_kernel,
)
from tests.gpu.standin import image

ARRAY = ",".join(f"{8 * i}:8" for i in range(7))
WORDS = [
    f"arrays captured 136 {ARRAY},56:4,{','.join(f'{64 + 8 * i}:8' for i in range(9))}",
    f"one captured 56 {ARRAY}",
    "numbers captured 44 0:8,8:1,12:4,16:4,24:8,32:8,40:4",
]


@pytest.fixture(params=["cuda"])
def driver(request):
    return request.param  # Numba is CUDA's


@pytest.fixture
def function(gpu):
    """Handles of functions in a module that stays as long as the test."""
    loaded = [gpu.load(image(*WORDS, "shape shape 8 0:8"))]
    yield lambda name: CUfunction(loaded[0].kernel(name).function)
    loaded.clear()


def _captured(gpu, launch, *args):
    """All bytes of the arguments of a launch."""
    seen = []
    gpu.control.register("captured", lambda launch, address: seen.append(ctypes.string_at(address, launch.size)))
    launch(*args)
    gpu.device.synchronize()
    return seen[0]


def _add(x, n, y):
    """Stand in for the function that Numba compiled."""


def test_arrays_become_several_parameters(gpu, function):
    foreign = numba_kernel(
        function("arrays"), numba_array("float32"), Integer("int32"), numba_array("int16", 2, "A"), py_func=_add
    )
    kernel = lp.adopt(foreign, device=gpu.device)
    assert foreign.bound == [1]
    assert str(kernel.signature) == "_add(array(float32, 1d, C) x, int32_t n, array(int16, 2d, A) y)"
    x = gpu.zeros(5, "float32")
    y = gpu.zeros(12, "int16").reshape(3, 4)
    packed = _captured(gpu, kernel[2, 32], x, 7, y)
    assert struct.unpack("<7qi4x9q", packed) == (
        0, 0, 5, 4, x.pointer, 5, 4, 7, 0, 0, 12, 2, y.pointer, 3, 4, 8, 2
    )  # fmt: skip


def test_arrays_of_others(gpu, function):
    kernel = lp.adopt(
        numba_kernel(function("arrays"), numba_array("float32"), Integer("int32"), numba_array("int16", 2, "F")),
        device=gpu.device,
    )
    x, y = gpu.zeros(5, "float32"), gpu.zeros(12, "int16")

    def theirs(array, shape, strides=None):
        interface = {"data": (array.pointer, False), "shape": shape, "strides": strides, "typestr": array.dtype.str}
        return types.SimpleNamespace(__cuda_array_interface__=interface | {"version": 3})

    packed = _captured(gpu, kernel[1, 1], theirs(x, (5,)), 1, theirs(y, (3, 4), (2, 6)))
    assert struct.unpack("<7qi4x9q", packed)[8:] == (0, 0, 12, 2, y.pointer, 3, 4, 2, 6)
    with pytest.raises(
        lp.SignatureError, match=r"parameter 'arg2' \(array\(int16, 2d, F\)\): expected a contiguous array"
    ):
        kernel[1, 1](x, 1, theirs(y, (3, 4)))
    with pytest.raises(lp.SignatureError, match="expected 1 axes of float32, got 2 of float32"):
        kernel[1, 1](theirs(x, (5, 1)), 1, y)
    with pytest.raises(lp.SignatureError, match="expected 1 axes of float32, got 1 of int16"):
        kernel[1, 1](y, 1, y)
    with pytest.raises(lp.SignatureError, match="expected an array on the device .* got ndarray"):
        kernel[1, 1](np.zeros(5, np.float32), 1, y)
    with pytest.raises(lp.SignatureError, match="expected 3 arguments, got 2"):
        kernel[1, 1](x, 1)
    far, matrix = gpu.zeros(5, "float32", ordinal=1), theirs(y, (3, 4), (2, 6))
    parameter = r"^entry: parameter 0 \(array\(float32, 1d, C\) arg0\): "
    with pytest.raises(lp.ArgumentValueError, match=parameter + "the array is on 'Stand-in GPU 1', the kernel"):
        kernel[1, 1](far, 1, matrix)
    with pytest.raises(lp.ArgumentValueError, match=parameter + ".* is in CUDA device 1, the kernel runs on"):
        kernel[1, 1](theirs(far, (5,)), 1, matrix)
    with pytest.raises(lp.SignatureError, match=r"^entry: parameter 1 \(int32_t arg1\): expected an int, got"):
        kernel[1, 1](x, "1", matrix)
    x.free()
    with pytest.raises(lp.FreedError, match="was freed"):
        kernel[1, 1](x, 1, matrix)


def test_arrays_in_a_step(gpu, function):
    """A launch knows the arrays that it uses: a step keeps it back, but not with memory of other libraries."""
    kernel = lp.adopt(
        numba_kernel(function("arrays"), numba_array("float32"), Integer("int32"), numba_array("int16", 2)),
        device=gpu.device,
    )
    x, y, stream, step = gpu.zeros(5, "float32"), gpu.zeros(12, "int16").reshape(3, 4), gpu.stream(), lp.Step()
    gpu.control.register("captured", lambda launch, address: None)
    launch = kernel.bind(1, 1, stream=stream)
    for count in (1, 1, 2):
        with step:
            for _ in range(4):
                launch(x, count, y)
    report = step.report()
    assert (report.graphs, report.graph_runs, report.updated, report.direct) == (1, 2, 4, 0)
    other = types.SimpleNamespace(
        __cuda_array_interface__={"data": (x.pointer, False), "shape": (5,), "typestr": "<f4", "version": 3}
    )
    with step:
        launch(other, 1, y)
        launch(x, 1, y)
    assert step.report().direct == 2
    stream.synchronize()


def test_memory_of_a_launch_is_not_used_again_before_it(gpu, function):
    """An array that is dropped behind its launch, while another stream gets memory."""
    kernel = lp.adopt(numba_kernel(function("one"), numba_array("float32")), device=gpu.device)
    stream, side, array, seen = gpu.stream(), gpu.stream(), gpu.zeros(5, "float32"), []
    gpu.control.register("captured", lambda launch, at: seen.append(struct.unpack("<7q", ctypes.string_at(at, 56))[4]))
    gpu.device.synchronize()
    with stream.hold():
        kernel.bind(1, 1, stream=stream)(array)
        del array
        with side:
            others = [lp.empty(5, "float32", gpu.device) for _ in range(8)]
    stream.synchronize()
    assert seen[0] not in [other.pointer for other in others]


def test_numbers(gpu, function):
    kernel = lp.adopt(
        numba_kernel(
            function("numbers"), CPointer("float32*"), Boolean("bool"), Complex("complex64"),
            UniTuple("UniTuple(int64 x 2)", types=(Integer("int64"), Integer("int64"))), Float("float32"),
        ),
        device=gpu.device,
    )  # fmt: skip
    packed = _captured(gpu, kernel[1, 1], None, True, 1 + 2j, (3, -4), 0.5)
    assert struct.unpack("<Q?3xffxxxxqqf", packed[:44]) == (0, True, 1, 2, 3, -4, 0.5)
    with pytest.raises(lp.SignatureError, match="expected a tuple of 2, got 5"):
        kernel[1, 1](None, True, 1, 5, 0.5)


def test_a_cooperative_kernel(gpu, function):
    kernel = lp.adopt(numba_kernel(function("shape"), CPointer("uint32*"), cooperative=True), device=gpu.device)
    out = gpu.zeros(9, "uint32")
    kernel[2, 32](out)
    assert out.to_numpy().tolist()[7] == 1


def test_a_cooperative_launch_of_arrays(gpu, function):
    kernel = lp.adopt(
        numba_kernel(
            function("arrays"), numba_array("float32"), Integer("int32"), numba_array("int16", 2), cooperative=True
        ),
        device=gpu.device,
    )
    x, y = gpu.zeros(5, "float32"), gpu.zeros(12, "int16").reshape(3, 4)
    packed = _captured(gpu, kernel[1, 1], x, 7, y)
    assert struct.unpack("<7qi4x9q", packed)[4:8] == (x.pointer, 5, 4, 7)


def test_a_single_compiled_kernel_is_wanted(gpu, function):
    foreign = numba_kernel(function("shape"), CPointer("uint32*"))
    (compiled,) = foreign.overloads.values()
    lp.adopt(compiled, device=gpu.device)
    lp.adopt(instance(kind("numba.cuda.dispatcher", "_LaunchConfiguration"), dispatcher=foreign), device=gpu.device)
    foreign.overloads["int64",] = compiled
    with pytest.raises(lp.ArgumentValueError, match=r"is compiled for \('uint32\*',\), \('int64',\): adopt a single"):
        lp.adopt(foreign, device=gpu.device)
    foreign.overloads.clear()
    with pytest.raises(lp.ArgumentValueError, match="is compiled for no types yet: adopt a single"):
        lp.adopt(foreign, device=gpu.device)


def test_what_numba_alone_launches(gpu, function):
    with pytest.raises(lp.ArgumentValueError, match="'arg0' is of Numba's type opaque"):
        lp.adopt(numba_kernel(function("shape"), Opaque("opaque")), device=gpu.device)
    with pytest.raises(lp.ArgumentValueError, match="has Numba's extensions"):
        lp.adopt(numba_kernel(function("shape"), CPointer("x*"), extensions=[1]), device=gpu.device)
    with pytest.raises(lp.ArgumentValueError, match="omit the signature"):
        lp.adopt(numba_kernel(function("shape"), CPointer("x*")), "int a", gpu.device)
    with pytest.raises(lp.ArgumentValueError, match="in the driver .* this version of launchpath does not know"):
        lp.adopt(numba_kernel(function("arrays"), CPointer("x*")), device=gpu.device)
