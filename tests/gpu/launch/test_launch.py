"""Launches: packed bytes as the library takes them, shared memory, cooperative launches, occupancy, limits."""

import ctypes
import struct

import numpy as np
import pytest

import launchpath as lp
from launchpath._compiler import Parameter, Signature
from tests.gpu.process import run
from tests.gpu.standin import image


def _raw(gpu, *sizes):
    """A kernel that copies its argument bytes to where its first one points; the others are structs of these sizes."""
    parameters, end = [Parameter("out", "void *", "pointer", 8, 8, 0)], 8
    for i, size in enumerate(sizes):
        kind = {1: "int8", 2: "int16", 4: "int32", 8: "int64"}.get(size, "struct")
        align = size if kind != "struct" else 1
        at = -(-end // align) * align
        parameters.append(Parameter(f"p{i}", "thing", kind, size, align, at))
        end = at + size
    places = ",".join(f"{parameter.offset}:{parameter.size}" for parameter in parameters)
    program = gpu.load(image(f"raw raw {end} {places}"))
    signature = Signature("raw", tuple(parameters), -(-end // 8) * 8)
    return lp.Kernel(program.kernel("raw"), gpu.device, signature), end


def _bytes(gpu, kernel, end, *arguments):
    stream = gpu.stream()
    out = lp.zeros(-(-end // 16) * 16 + 16, "uint8", stream=stream)
    kernel[1, 1, stream](out, *arguments)
    content = out.to_numpy(stream).tobytes()
    assert content[end:] == bytes(len(content) - end)  # exactly as many as the kernel has
    return content[8:end]


def test_a_kernel_without_parameters(gpu):
    gpu.forget_calls()
    gpu.kernel("nothing")[3, 5, gpu.stream()]()
    [call] = [call for call in gpu.calls("cuLaunchKernel") if call.result == 0]
    assert call.detail == "nothing 3,1,1 5,1,1 0"


@pytest.mark.parametrize(
    "sizes", [(1,), (2,), (4,), (8,), (1, 8), (4, 1), (8, 1, 2), (1, 1, 1), (4,) * 5, (2, 4, 1, 8, 1)]
)
def test_the_bytes_are_as_many_as_the_kernel_takes(gpu, sizes):
    """A last parameter that ends before the packed block does: CUDA refuses more bytes than there are."""
    kernel, end = _raw(gpu, *sizes)
    values = [-(i + 3) for i in range(len(sizes))]
    content = _bytes(gpu, kernel, end, *values)
    for parameter, value in zip(kernel.signature.parameters[1:], values, strict=True):
        at = parameter.offset - 8
        assert int.from_bytes(content[at : at + parameter.size], "little", signed=True) == value


@pytest.mark.parametrize("count", [1, 16, 100, 500])
def test_many_parameters(gpu, count):
    kernel, end = _raw(gpu, *[4] * count)
    assert _bytes(gpu, kernel, end, *range(count)) == struct.pack(f"{count}i", *range(count))


@pytest.mark.parametrize("size", [3, 100, 1000, 4088])
def test_structs(gpu, size):
    kernel, end = _raw(gpu, size)
    thing = bytes(i % 251 for i in range(size))
    assert _bytes(gpu, kernel, end, thing) == thing


def test_the_largest_arguments(gpu):
    most = gpu.device.info["parameter_bytes"]
    kernel, end = _raw(gpu, most - 8)
    assert end == most
    thing = bytes(i % 251 for i in range(most - 8))
    assert _bytes(gpu, kernel, end, thing) == thing
    with pytest.raises(lp.ConfigurationError, match=f"at most {most}"):
        _raw(gpu, most)


def test_the_grid_and_block(gpu):
    stream, out = gpu.stream(), gpu.zeros(9, "uint32")
    gpu.kernel("shape")[(2, 3, 4), (5, 6, 7), stream](out)
    assert out.to_numpy(stream).tolist() == [2, 3, 4, 5, 6, 7, 0, 0, 0]
    out = gpu.zeros(9, "uint32", ordinal=1)
    stream = gpu.stream(ordinal=1)
    gpu.kernel("shape", 1)[2, 3, stream](out)
    assert out.to_numpy(stream).tolist() == [2, 1, 1, 3, 1, 1, 0, 0, 1]


def test_packed_bytes(gpu):
    stream, out = gpu.stream(), gpu.zeros(1)
    packed = struct.pack("Q15i4x", out.pointer, *range(15))
    gpu.kernel("add16")[1, 1, stream].packed(packed[: gpu.kernel("add16").signature.size])
    assert out.to_numpy(stream)[0] == sum(range(15))


def test_floats_and_pointers(gpu, stream):
    x = lp.asarray(np.arange(100, dtype="float32"), device=gpu.device, stream=stream)
    y = lp.zeros(100, "float32", stream=stream)
    gpu.kernel("fill")[1, 100, stream](y, 1.5, 100)
    gpu.kernel("saxpy")[4, 32, stream](2.0, x, y, 100)
    assert (y.to_numpy(stream) == 1.5 + 2 * np.arange(100)).all()


def test_arguments_are_taken_at_the_call(gpu):
    stream, out = gpu.stream(), gpu.zeros(3)
    launch = gpu.kernel("add16")[1, 1, stream]
    with stream.hold():
        for i in range(3):
            launch(out[i : i + 1], i, *[0] * 14)
    assert out.to_numpy(stream).tolist() == [0, 1, 2]


def test_a_mismatched_signature_is_refused(gpu):
    out = gpu.zeros(1)
    with pytest.raises(lp.SignatureError, match="expected 16 arguments, got 2: pass"):
        gpu.kernel("add16")[1, 1](out, 1)
    with pytest.raises(lp.SignatureError, match="expected an array of int32"):
        gpu.kernel("add16")[1, 1](gpu.zeros(1, "float32"), *range(15))
    with pytest.raises(lp.ArgumentValueError, match="expected a stream of .*, got a stream of"):
        gpu.kernel("nothing")[1, 1, gpu.stream(ordinal=1)]


def test_an_array_of_another_device_is_refused(driver):
    """In a process of its own: once a test has let devices use each other's memory, they may."""
    run(driver, """
        with pytest.raises(lp.ArgumentValueError, match="the kernel on"):
            gpu.kernel("add16")[1, 1](gpu.zeros(1, ordinal=1), *range(15))
        """)  # fmt: skip


def test_the_layout_is_what_the_library_says(gpu):
    kernel = gpu.load().kernel("add16")
    layout = kernel.parameter_layout()
    if gpu.driver == "hip":
        assert layout is None
    else:
        assert layout == [(0, 8), *((8 + 4 * i, 4) for i in range(15))]
        assert gpu.load().kernel("nothing").parameter_layout() == []


@pytest.mark.parametrize("nth", [1, 2, 16])
def test_a_layout_that_the_library_fails_to_give(gpu, nth):
    if gpu.driver == "hip":
        pytest.skip("HIP's library has no such call")
    kernel = gpu.load().kernel("add16")
    gpu.control.fail("cuFuncGetParamInfo", 999, nth)
    with pytest.raises(lp.DriverError, match="cuFuncGetParamInfo"):
        kernel.parameter_layout()
    assert len(kernel.parameter_layout()) == 16


# -- shared memory


def _sharing(gpu, ordinal=0):
    return gpu.adapt(gpu.load(), "shape", "pointer:uint32", dynamic_shared=True)


def test_dynamic_shared_memory(gpu):
    stream, out, kernel = gpu.stream(), gpu.zeros(9, "uint32"), _sharing(gpu)
    kernel[1, 1, stream, 1000](out)
    assert out.to_numpy(stream)[6] == 1000


def test_more_than_the_default_is_allowed_first(gpu):
    stream, out, kernel = gpu.stream(), gpu.zeros(9, "uint32"), _sharing(gpu)
    gpu.forget_calls()
    kernel[1, 1, stream, 48 << 10](out)
    assert gpu.calls("cuFuncSetAttribute") == []
    kernel[1, 1, stream, 100 << 10](out)
    kernel[1, 1, stream, 100 << 10](out)
    kernel[1, 1, stream, 90 << 10](out)
    assert len(gpu.calls("cuFuncSetAttribute", clear=False)) == 1
    kernel[1, 1, stream, 227 << 10](out)
    assert len(gpu.calls("cuFuncSetAttribute")) == 2
    assert out.to_numpy(stream)[6] == 227 << 10


def test_more_than_there_is_is_refused(gpu):
    kernel = _sharing(gpu)
    gpu.forget_calls()
    with pytest.raises(lp.ConfigurationError, match="232449 bytes of dynamic .* has 232448 for a block"):
        kernel[1, 1, None, (227 << 10) + 1]
    assert gpu.calls() == []


def test_a_failure_to_allow_it_is_reported(gpu):
    kernel, out = _sharing(gpu), gpu.zeros(9, "uint32")
    gpu.control.fail("cuFuncSetAttribute", 1)
    if gpu.driver == "cuda":
        with pytest.raises(lp.DriverError, match=r"cuFuncSetAttribute failed: .*shape: 102400 bytes"):
            kernel[1, 1, None, 100 << 10]
    stream = gpu.stream()
    gpu.control.forgive()
    kernel[1, 1, stream, 110 << 10](out)
    assert out.to_numpy(stream)[6] == 110 << 10


# -- cooperative launches and occupancy


def _cooperative(gpu):
    kernel = gpu.adapt(gpu.load(), "shape", "pointer:uint32")
    kernel.make_cooperative()
    return kernel


def test_a_cooperative_launch(gpu):
    stream, out, kernel = gpu.stream(), gpu.zeros(9, "uint32"), _cooperative(gpu)
    gpu.forget_calls()
    kernel[4, 32, stream](out)
    assert [call.result for call in gpu.calls("cuLaunchCooperativeKernel")] == [0]
    assert out.to_numpy(stream).tolist() == [4, 1, 1, 32, 1, 1, 0, 1, 0]


def test_cooperative_arguments(gpu):
    stream, out = gpu.stream(), gpu.zeros(1)
    kernel = gpu.adapt(gpu.load(), "add16", "pointer:int32", *["int32"] * 15)
    kernel.make_cooperative()
    kernel[1, 1, stream](out, *range(15))
    assert out.to_numpy(stream)[0] == sum(range(15))


def test_a_cooperative_launch_waits(gpu):
    stream, other, out, kernel = gpu.stream(), gpu.stream(), gpu.zeros(9, "uint32"), _cooperative(gpu)
    with other.hold():
        stream.wait(other.record())
        kernel[4, 32, stream](out)
        assert not stream.query()
    assert out.to_numpy(stream)[7] == 1


def test_too_many_blocks_for_a_cooperative_launch(gpu):
    kernel, out = _cooperative(gpu), gpu.zeros(9, "uint32")
    gpu.control.option("cooperative_blocks", 1)
    try:
        kernel[132, 32, gpu.stream()](out)
        with pytest.raises((lp.DriverError, lp.ConfigurationError)) as caught:
            kernel[133, 32, gpu.stream()](out)
    finally:
        gpu.control.option("cooperative_blocks", 0)
    if isinstance(caught.value, lp.DriverError):
        assert (caught.value.call, caught.value.code) == (gpu.call["launch_cooperative"], 720)
        assert "kernel.occupancy" in str(caught.value)


def test_occupancy(gpu):
    kernel = gpu.load().kernel("nothing")
    assert kernel.occupancy(1024, 0) == 2
    assert kernel.occupancy(32, 0) == 32
    assert kernel.occupancy(32, 100 << 10) == 2
    assert kernel.suggest_block(0, 0) == (1024, 264)
    assert kernel.suggest_block(0, 256) == (256, 8 * 132)


def test_what_fails_there_is_named(gpu):
    kernel = gpu.load().kernel("nothing")
    for cuda, field, ask in (
        ("cuOccupancyMaxActiveBlocksPerMultiprocessor", "occupancy", lambda: kernel.occupancy(32, 0)),
        ("cuOccupancyMaxPotentialBlockSize", "suggest", lambda: kernel.suggest_block(0, 0)),
    ):
        gpu.control.fail(cuda, 1)
        with pytest.raises(lp.DriverError) as caught:
            ask()
        assert caught.value.call == gpu.own_name(field)


def test_limits_are_the_kernels_too(gpu):
    """``.maxntid`` of the module."""
    ptx = b".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry nothing()\n.maxntid 128, 1, 1\n{\nret;\n}\n"
    kernel = gpu.adapt(gpu.load(ptx), "nothing")
    kernel[1, 128, gpu.stream()]()
    with pytest.raises(lp.ConfigurationError, match="a block of at most 128 threads"):
        kernel[1, 129]


def test_launch_blocking(gpu, stream, array):
    lp._core.set_launch_blocking(True)
    try:
        gpu.kernel("increment")[1, 16, stream](array, 16)
        assert ctypes.c_int.from_address(array.pointer).value == 1
    finally:
        lp._core.set_launch_blocking(False)


def test_kernels_of_foreign_code(gpu):
    """A function that somebody else loaded."""
    from tests.gpu.standin import IMAGE, OUT

    module = gpu.cuda("cuModuleLoadDataEx", OUT, IMAGE, 0, None, None)
    function = gpu.cuda("cuModuleGetFunction", OUT, module, b"increment")
    stream, array = gpu.stream(), gpu.zeros()
    driver_kernel = gpu.device.driver_device.adopt(function)
    assert driver_kernel.function == function
    kernel = lp.Kernel(driver_kernel, gpu.device, gpu.kernel("increment").signature)
    kernel[1, 16, stream](array, 16)
    assert array.to_numpy(stream).tolist() == [1] * 16
    if gpu.driver == "cuda":
        assert (
            gpu.device.driver_device.function_of(function) == function
        )  # on the stand-in a CUkernel is its CUfunction
    else:
        with pytest.raises(lp.DriverError, match="not in this library"):
            gpu.device.driver_device.function_of(function)
    del kernel, driver_kernel
    gpu.cuda("cuModuleUnload", module)
