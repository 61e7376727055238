"""Kernels of other libraries, launched as ours: what is read of their objects, and how they are called."""

import ctypes
import struct

import numpy as np
import pytest

import launchpath as lp
from launchpath.interop import Adopted
from tests.gpu.foreign.foreign_objects import (
    CUfunction,
    CUkernel,
    adopted_triton_kernel,
    cuda_core_kernel,
    cupy_kernel,
    instance,
    kind,
    triton_kernel,
)
from tests.gpu.standin import image

# raw writes all bytes of its arguments to where the first one points.
RAW = [
    "simple raw 24 0:8,8:4,16:8",
    "scratch raw 32 0:8,8:4,12:4,16:8,24:8",
    "one raw 16 0:8,8:8",
    "mixed raw 48 0:8,8:1,10:2,12:2,16:8,24:8,32:8,40:8",
    "tight raw 32 0:8,8:4,16:8,24:8",
]


@pytest.fixture
def function(gpu):
    """Handles of functions in a module that stays as long as the test."""
    loaded = [gpu.load(image(*RAW, "shape shape 8 0:8", "fill fill 16 0:8,8:4,12:4", "nothing nothing 0"))]
    yield lambda name: loaded[0].kernel(name).function
    loaded.clear()


def _bytes(gpu, size, launch, *args):
    out = gpu.zeros(size, "uint8")
    launch(out, *args)
    return out.pointer, bytes(out.to_numpy())


def _shape(gpu, launch):
    out = gpu.zeros(9, "uint32")
    gpu.device.synchronize()  # the launch may be on a stream that the legacy one is not ordered with
    launch(out)
    gpu.device.synchronize()
    return out.to_numpy().tolist()


# -- handles


def test_a_handle_with_a_signature(gpu, function):
    fill = lp.adopt(function("fill"), "float *data, float value, int count", gpu.device)
    assert isinstance(fill, Adopted)
    assert isinstance(fill, lp.Kernel)
    assert str(fill.signature) == "kernel(float *data, float value, int count)"
    assert (fill.library, fill.block) == ("handle", None)
    data = gpu.zeros(16, "float32")
    fill[1, 16](data, 2.5, 16)
    assert data.to_numpy().tolist() == [2.5] * 16
    fill[1, 16](count=16, value=1, data=data)
    assert data.to_numpy().tolist() == [1] * 16
    launch = fill.bind(1, 16, stream=gpu.stream())
    launch(data, 0.5, 8)
    gpu.device.synchronize()
    assert data.to_numpy().tolist() == [0.5] * 8 + [1] * 8
    with pytest.raises(lp.SignatureError, match="expected a number"):
        launch(data, "x", 8)
    with pytest.raises(lp.SignatureError, match="expected an array of float32"):
        launch(gpu.zeros(), 1, 8)
    fill.over(9, 4, stream=gpu.stream())(data, 3, 9)
    fill.over(0, stream=gpu.stream())(data, 4, 9)
    gpu.device.synchronize()
    assert data.to_numpy().tolist() == [3] * 9 + [1] * 7
    with pytest.raises(lp.ConfigurationError, match=r"kernel has no fixed block: use kernel\[grid, block\]"):
        fill.bind(1)


def test_forms_of_handles(gpu, function):
    for handle in (function("nothing"), ctypes.c_void_p(function("nothing")), CUfunction(function("nothing"))):
        lp.adopt(handle, "", gpu.device)[1, 1]()


def test_a_kernel_of_a_library(gpu, function, monkeypatch):
    """A CUkernel is for all devices; the device has a function of it."""
    device = type("Device", (), {"function_of": lambda self, kernel: function("nothing") if kernel == 77 else 0})()
    from launchpath.interop import raw

    assert raw.function(CUkernel(77), instance(type("D", (), {}), driver_device=device)) == function("nothing")


def test_a_signature_that_is_not_the_kernels(gpu, function):
    with pytest.raises(lp.SignatureError, match="has 1 parameters, the driver's kernel has 3"):
        lp.adopt(function("fill"), "float *data", gpu.device)
    with pytest.raises(lp.SignatureError, match="in the driver's kernel 4 bytes at 8"):
        lp.adopt(function("fill"), "float *data, double value, int count", gpu.device)
    with pytest.raises(lp.ArgumentValueError, match="is not a C parameter list"):
        lp.adopt(function("fill"), "float *data,, int", gpu.device)


test_a_signature_that_is_not_the_kernels = pytest.mark.parametrize("driver", ["cuda"], indirect=True)(
    test_a_signature_that_is_not_the_kernels
)


@pytest.mark.parametrize("driver", ["cuda"], indirect=True)
def test_without_a_signature_places_and_sizes_are_known(gpu, function):
    kernel = lp.adopt(function("simple"), device=gpu.device)
    assert str(kernel.signature) == "kernel(void *arg0, unsigned char[4] arg1, void *arg2)"
    address, packed = _bytes(gpu, 24, kernel[1, 1], np.int32(-5), lp.DevicePointer(9))
    assert struct.unpack("<Qi4xQ", packed) == (address, -5, 9)
    untold = "does not contain the parameter's type, and 8 bytes count as an address: declare it .*signature"
    with pytest.raises(lp.SignatureError, match=f"expected a struct of 4 bytes .*{untold}.* NumPy scalar"):
        kernel[1, 1](gpu.zeros(), -5, None)
    for wrong in (3, 1.5):
        with pytest.raises(lp.SignatureError, match=f"expected an array, got the .*{untold}"):
            kernel[1, 1](gpu.zeros(), np.int32(1), wrong)


@pytest.mark.parametrize("driver", ["hip"], indirect=True)
def test_without_a_signature_where_the_driver_does_not_tell(gpu, function):
    with pytest.raises(lp.ArgumentValueError, match="a handle does not describe its parameters, nor does this driver"):
        lp.adopt(function("simple"), device=gpu.device)


@pytest.mark.parametrize("argument", [None, "kernel", 1.5, object(), True])
def test_what_is_no_kernel(gpu, argument):
    with pytest.raises(lp.ArgumentValueError, match="expected a kernel of Triton, CuPy"):
        lp.adopt(argument, "", gpu.device)


def test_null_and_our_own(gpu):
    with pytest.raises(lp.ArgumentValueError, match="expected a kernel's handle, a CUfunction"):
        lp.adopt(0, "", gpu.device)
    with pytest.raises(lp.ArgumentValueError, match="a launchpath kernel"):
        lp.adopt(gpu.kernel("nothing"))


# -- CuPy and cuda.core


def test_cupys_raw_kernel(gpu, function):
    foreign = cupy_kernel(function("fill"))
    fill = lp.adopt(foreign, "float *data, float value, int count", gpu.device)
    assert (fill.library, fill.name, fill.foreign) == ("cupy", "fill", foreign)
    data = gpu.zeros(16, "float32")
    fill[1, 16](data, 3, 16)
    assert data.to_numpy().tolist() == [3] * 16
    function_object = foreign.kernel
    lp.adopt(function_object, "float *data, float value, int count", gpu.device).bind(1, 16)(data, 4, 16)
    assert data.to_numpy().tolist() == [4] * 16


def test_cupys_cooperative_kernel(gpu, function):
    kernel = lp.adopt(cupy_kernel(function("shape"), cooperative=True), "unsigned *out", gpu.device)
    assert _shape(gpu, kernel[2, 32])[7] == 1


def test_what_else_is_cupys(gpu):
    with pytest.raises(lp.ArgumentValueError, match="expected a RawKernel of CuPy"):
        lp.adopt(instance(kind("cupy._core.raw", "RawModule"), code="", get_function=None), "", gpu.device)
    with pytest.raises(lp.ArgumentValueError, match="expected a RawKernel of CuPy"):
        lp.adopt(instance(kind("cupy._core._kernel", "ElementwiseKernel"), name="x"), "", gpu.device)
    with pytest.raises(lp.ArgumentValueError, match="cupy.*Function of cupy .* has 0 as ptr"):
        lp.adopt(cupy_kernel(0), "", gpu.device)


@pytest.mark.parametrize("driver", ["cuda"], indirect=True)
def test_cuda_cores_kernel(gpu, function):
    kernel = lp.adopt(cuda_core_kernel(CUfunction(function("fill"))), "float *data, float value, int n", gpu.device)
    data = gpu.zeros(16, "float32")
    kernel[1, 16](data, 3, 16)
    assert data.to_numpy().tolist() == [3] * 16
    assert kernel.library == "cuda.core"
    plain = lp.adopt(cuda_core_kernel(function("fill")), device=gpu.device)
    plain[1, 16](data, np.float32(5), np.int32(16))
    assert data.to_numpy().tolist() == [5] * 16
    with pytest.raises(lp.ArgumentValueError, match=r"holds kernels: adopt\(code.get_kernel\(name\)\)"):
        lp.adopt(instance(kind("cuda.core._module", "ObjectCode"), get_kernel=None), "", gpu.device)
    with pytest.raises(
        lp.ArgumentValueError, match="cuda.core._module.Kernel of cuda.core .* has no handle or _handle"
    ):
        lp.adopt(instance(kind("cuda.core._module", "Kernel")), "", gpu.device)


# -- Triton


SCRATCH = {"out": "*u8", "a": "i32", "b": "fp32", "BLOCK": "constexpr"}


def test_tritons_kernel(gpu, function):
    kernel = adopted_triton_kernel(gpu, function("scratch"), SCRATCH, shared=64)
    assert str(kernel.signature) == "add(unsigned char *out, int a, float b)"
    assert (kernel.library, kernel.block, kernel.shared) == ("triton", 128, 64)
    # The scratch pointers are null, whatever the int before them has written over them.
    address, packed = _bytes(gpu, 32, kernel[3], -7, 1.5)
    assert struct.unpack("<QifQQ", packed) == (address, -7, 1.5, 0, 0)
    address, packed = _bytes(gpu, 32, kernel.bind(3), 7, 2)
    assert struct.unpack("<QifQQ", packed) == (address, 7, 2, 0, 0)
    with pytest.raises(lp.SignatureError, match=r"expected 3 arguments, got 4: omit the constants .* \(BLOCK\)"):
        kernel[3](gpu.zeros(32, "uint8"), 1, 1, 1)
    with pytest.raises(lp.SignatureError, match=r"expected 3 arguments, got 2: pass '\w+' too$"):
        kernel[3](gpu.zeros(32, "uint8"), 1)
    with pytest.raises(lp.SignatureError, match="has no parameter 'BLOCK': it is a constant of the compiled kernel"):
        kernel[3](gpu.zeros(32, "uint8"), 1, 1, BLOCK=16)
    with pytest.raises(lp.SignatureError, match=r"has no parameter 'c'$"):
        kernel[3](gpu.zeros(32, "uint8"), 1, 1, c=16)


def test_nothing_is_left_of_an_int_behind_which_scratch_pointers_come(gpu, function):
    kernel = adopted_triton_kernel(gpu, function("tight"), {"out": "*u8", "a": "i32"})
    for value in (-1, 1):
        address, packed = _bytes(gpu, 32, kernel[1], value)
        assert struct.unpack("<Qi4xQQ", packed) == (address, value, 0, 0)


def test_tritons_shape(gpu, function):
    shape = {"out": "*u32"}
    none = {"global_scratch_size": "absent", "profile_scratch_size": "absent"}
    kernel = adopted_triton_kernel(gpu, function("shape"), shape, shared=4096, num_warps=8, **none)
    assert _shape(gpu, kernel[4])[:7] == [4, 1, 1, 256, 1, 1, 4096]
    assert _shape(gpu, kernel[(4, 2), None])[:7] == [4, 2, 1, 256, 1, 1, 4096]
    assert _shape(gpu, kernel[(4,)])[:4] == [4, 1, 1, 256]
    assert _shape(gpu, kernel[4, None, gpu.stream(), 8])[:7] == [4, 1, 1, 256, 1, 1, 8]
    assert _shape(gpu, kernel.bind((4, 2, 3), (256, 1)))[:7] == [4, 2, 3, 256, 1, 1, 4096]
    assert _shape(gpu, kernel.bind((4, 2), 256))[:4] == [4, 2, 1, 256]
    assert _shape(gpu, kernel[4, (256,)])[:4] == [4, 1, 1, 256]
    for wrong in (2, (2,), (256, 2)):
        with pytest.raises(lp.ConfigurationError, match="compiled for a block of 256 threads, got .*: omit it"):
            kernel.bind(4, wrong)
    # Triton's grid of (2, 256) blocks: the same key as grid 2, block 256.
    for key in ((2, 256), (2, 4), (2, np.int64(256), None), (4, 256, gpu.stream(), 8)):
        with pytest.raises(
            lp.ConfigurationError, match=r"has a fixed block of 256 threads: .* is add\[\(x, y\), None\]"
        ):
            kernel[key]
    with pytest.raises(
        lp.ConfigurationError, match=r"fixed block of 256 threads, and its source says .* use add\[grid\]"
    ):
        kernel.over(1000)
    with pytest.raises(lp.ConfigurationError, match=r"add\[grid\], add\[grid, block\]"):
        kernel[1, 2, 3, 4, 5]
    large = gpu.device.info["shared_memory_per_block"] + 1024
    assert _shape(gpu, adopted_triton_kernel(gpu, function("shape"), shape, shared=large, **none)[1])[6] == large
    assert (
        _shape(gpu, adopted_triton_kernel(gpu, function("shape"), shape, launch_cooperative_grid=True, **none)[1])[7]
        == 1
    )


def test_tritons_types(gpu, function):
    signature = {"out": "*u8", "i": "i1", "h": "fp16", "b": "bf16", "u": "u64", "f": "fp64"}
    kernel = adopted_triton_kernel(gpu, function("mixed"), signature)
    bf16 = np.uint16(0x3FC0)
    address, packed = _bytes(gpu, 48, kernel[1], True, 1.5, bf16, 2**64 - 1, -0.25)
    assert struct.unpack("<Q?xeHxxQdQQ", packed) == (address, True, 1.5, 0x3FC0, 2**64 - 1, -0.25, 0, 0)
    pointers = (
        adopted_triton_kernel(
            gpu,
            function("scratch"),
            {"a": "*fp32", "b": "*kbf16"},
            profile_scratch_size="absent",
            global_scratch_size="absent",
        )
        if gpu.driver == "hip"
        else None
    )  # whose driver does not tell
    if pointers is not None:
        assert str(pointers.signature) == "add(float *a, const __nv_bfloat16 *b)"
        assert [parameter.pointee for parameter in pointers.signature.parameters] == ["float32", None]


def test_tritons_multiples_of_16(gpu, function):
    attrs = {(0,): [["tt.divisibility", 16]], (1,): [["tt.divisibility", 16], ["tt.pointer_range", 32]], (2,): []}
    kernel = adopted_triton_kernel(gpu, function("scratch"), SCRATCH, attrs=attrs)
    out = gpu.zeros(64, "uint8")
    kernel[1](out, 32, 1)
    kernel[1](out[16:], -16, 1)
    with pytest.raises(lp.ArgumentValueError, match=r"parameter 0 \(unsigned char \*out\).* multiples of 16"):
        kernel[1](out[8:], 32, 1)
    with pytest.raises(lp.ArgumentValueError, match=r"parameter 1 \(int a\).* multiples of 16"):
        kernel[1](out, 8, 1)
    gpu.device.synchronize()


def test_tritons_kernel_is_loaded_when_it_is_adopted(gpu, function):
    loads = []

    def load():
        loads.append(1)
        return function("scratch")

    foreign = triton_kernel(None, SCRATCH, load=load)
    foreign.metadata.target.backend = gpu.driver
    try:
        lp.adopt(foreign, device=gpu.device)
        lp.adopt(foreign, device=gpu.device)
    finally:
        foreign.metadata.target.backend = "cuda"
    assert loads == [1]


def test_tritons_future(gpu, function):
    foreign = triton_kernel(function("scratch"), SCRATCH, target=None)
    future = instance(kind("triton.runtime._async_compile", "FutureKernel"), result=lambda: foreign)
    assert lp.adopt(future, device=gpu.device).foreign is foreign


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"num_ctas": 2}, "add is launched in clusters of blocks"),
        ({"cluster_dims": (2, 1, 1)}, "add is launched in clusters of blocks"),
        ({"tensordesc_meta": [{}]}, "add takes tensor descriptors"),
        ({"global_scratch_size": 128}, "add needs scratch memory with each launch .global_scratch_size is 128"),
        ({"profile_scratch_size": 8}, "add needs scratch memory with each launch .profile_scratch_size is 8"),
        ({"num_warps": "absent"}, "CompiledKernel of triton .* has no num_warps|KernelMetadata of .* has no num_warps"),
    ],
)
def test_what_triton_alone_launches(gpu, function, metadata, message):
    with pytest.raises(lp.ArgumentValueError, match=message):
        adopted_triton_kernel(gpu, function("scratch"), SCRATCH, **metadata)


@pytest.mark.parametrize("type_", ["nvTmaDesc", "tensordesc<fp16[64, 64]>", ("*fp32", "i32"), "fp8"])
def test_tritons_other_types(gpu, function, type_):
    with pytest.raises(lp.ArgumentValueError, match="add: parameter 'x' is a .*, which only Triton itself creates"):
        adopted_triton_kernel(gpu, function("scratch"), {"x": type_})


@pytest.mark.parametrize("driver", ["cuda"], indirect=True)
def test_parameters_that_triton_lays_out_in_another_way(gpu, function):
    with pytest.raises(lp.ArgumentValueError, match="in the driver .* this version of launchpath does not know"):
        adopted_triton_kernel(gpu, function("scratch"), {"out": "*u8", "a": "i32"})


def test_what_triton_has_not_compiled(gpu, function):
    with pytest.raises(lp.ArgumentValueError, match="is not compiled yet: adopt the result of kernel"):
        lp.adopt(instance(kind("triton.runtime.jit", "JITFunction"), warmup=None), device=gpu.device)
    with pytest.raises(lp.ArgumentValueError, match="omit the signature"):
        lp.adopt(triton_kernel(function("scratch"), SCRATCH), "int a", gpu.device)


def test_a_kernel_for_the_other_kind_of_device(gpu, function):
    other = "hip" if gpu.driver == "cuda" else "cuda"
    target = instance(kind("triton.backends.compiler", "GPUTarget"), backend=other, arch=90, warp_size=32)
    with pytest.raises(lp.ArgumentValueError, match=f"the kernel is for {other.upper()}; .* is a device of"):
        lp.adopt(triton_kernel(function("scratch"), SCRATCH, target=target), device=gpu.device)


def test_what_an_adopted_kernel_says(gpu, function):
    kernel = adopted_triton_kernel(gpu, function("scratch"), SCRATCH)
    assert repr(kernel) == f"<Kernel add(unsigned char *out, int a, float b) of triton, on {gpu.device.name!r}>"
    assert "b: float, 4, 12" in kernel.__doc__
    assert kernel.cooperative.library == "triton"
    with pytest.raises(TypeError, match="expected a grid and a block"):
        kernel(1)
