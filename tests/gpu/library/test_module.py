"""Modules: images of every kind, what is wrong with them, their variables, and when they go."""

import ctypes
import gc

import pytest

import launchpath as lp
from tests.gpu.standin import IMAGE, image

PTX = """.version {version}
.target {target}
.address_size 64
.visible .global .align 4 .u32 counter = 7;
.visible .entry increment(.param .u64 a, .param .u32 b)
{{
ret;
}}
"""


def _ptx(version="8.0", target="sm_90"):
    return PTX.format(version=version, target=target).encode()


def test_ptx(gpu):
    program = gpu.load(_ptx())
    stream, array = gpu.stream(), gpu.zeros()
    gpu.adapt(program, "increment", "pointer:int32", "int32")[1, 16, stream](array, 16)
    assert array.to_numpy(stream).tolist() == [1] * 16
    address, size = program.symbol("counter")
    assert size == 4
    assert ctypes.c_int.from_address(address).value == 7
    assert program.binary() == _ptx()


def test_variables(gpu):
    address, size = gpu.load().symbol("table")
    assert (address != 0, size) == (True, 64)
    module, other = gpu.load(), gpu.load()
    assert module.symbol("table") != other.symbol("table")  # each module has its own


@pytest.mark.parametrize("what", ["kernel", "symbol"])
def test_unknown_names(gpu, what):
    program = gpu.load()
    with pytest.raises(lp.DriverError) as caught:
        getattr(program, what)("missing_" + what)
    field = {"kernel": "function", "symbol": "symbol"}[what]
    assert (caught.value.call, caught.value.code) == (gpu.call[field], 500)


@pytest.mark.parametrize("data", [b"nonsense", b"", b"\x7fELF and no more", b"STANDIN1\nkernel\n"])
def test_images_that_are_none(gpu, data):
    with pytest.raises((lp.CompileError, lp.DriverError)) as caught:
        gpu.load(data)
    assert gpu.call["load"] in str(caught.value)
    gpu.load()  # all is well afterwards


@pytest.mark.parametrize("data", [_ptx(version="9.5"), _ptx(target="sm_120")], ids=["newer", "architecture"])
def test_ptx_of_a_newer_compiler_or_device(gpu, data):
    with pytest.raises((lp.CompileError, lp.DriverError)) as caught:
        gpu.load(data)
    text = str(caught.value)
    assert gpu.call["load"] in text
    assert "another architecture, or by a compiler newer than this driver" in text or gpu.driver == "hip"


def test_the_linkers_log_is_kept(gpu):
    with pytest.raises(lp.CompileError) as caught:
        gpu.load(b"STANDIN1\nkernel bad\n")
    assert caught.value.log == "error   : line 2"
    assert "line 2" in str(caught.value)
    assert gpu.device.name in str(caught.value)


def test_a_module_stays_while_its_kernels_run(gpu):
    before = gpu.live()["modules"]
    stream, array = gpu.stream(), gpu.zeros()
    kernel = gpu.adapt(gpu.load(), "increment", "pointer:int32", "int32")
    with stream.hold():
        for _ in range(3):
            kernel[1, 16, stream](array, 16)
        del kernel
        gc.collect()
        gpu.device.trim_memory()
        assert gpu.live()["modules"] == before + 1
    assert array.to_numpy(stream).tolist() == [3] * 16
    gpu.device.synchronize()
    gpu.device.trim_memory()
    assert gpu.live()["modules"] == before


def test_kernels_keep_their_module(gpu):
    before = gpu.live()["modules"]
    program = gpu.load()
    kernels = [program.kernel(name) for name in ("fill", "nothing")]
    del program
    gpu.settle()
    assert gpu.live()["modules"] == before + 1
    stream = gpu.stream()
    lp.Kernel(kernels[1], gpu.device, gpu.kernel("nothing").signature)[1, 1, stream]()
    stream.synchronize()
    kernels.clear()
    gpu.settle()
    assert gpu.live()["modules"] == before


def test_the_cycle_collector_takes_modules(gpu):
    before = gpu.live()["modules"]
    for _ in range(20):
        program = gpu.load()
        cycle = [program, program.kernel("nothing")]
        cycle.append(cycle)
        del program, cycle
    gc.collect()
    gpu.settle()
    assert gpu.live()["modules"] == before


def test_modules_of_two_devices(gpu):
    """A kernel runs where its module was loaded, whatever is current."""
    for ordinal in 0, 1:
        out, stream = gpu.zeros(9, "uint32", ordinal=ordinal), gpu.stream(ordinal=ordinal)
        kernel = gpu.adapt(gpu.load(IMAGE, ordinal), "shape", "pointer:uint32", ordinal=ordinal)
        with gpu.current(1 - ordinal):
            kernel[1, 1, stream](out)
        assert out.to_numpy(stream)[8] == ordinal


def test_a_kernel_that_the_library_does_not_find(gpu):
    """The stand-in has no function for it: the launch fails, and is named."""
    program = gpu.load(image("unheard unheard_of 0"))
    with pytest.raises(lp.DriverError) as caught:
        gpu.adapt(program, "unheard")[1, 1, gpu.stream()]()
    assert (caught.value.call, caught.value.code) == (gpu.call["launch"], 500)
    assert gpu.control.reports() == ["no function is registered for kernel unheard"]
