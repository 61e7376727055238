"""Streams and kernels of the real libraries, on a GPU: `pytest tests/gpu/real/interop.py`.

Each test is left out where its library or a CUDA or HIP device is missing. (The stand-in's tests check the same on objects
made like theirs; this says whether they are.)
"""

import ctypes

import numpy as np
import pytest

import launchpath as lp

from .numba_kernels import numbas_scale

SOURCE = r"""
extern "C" __global__ void scale(float *data, float by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= by;
}
extern "C" __global__ void scale_large(float *data, float by, int n) {
    extern __shared__ float kept[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    kept[threadIdx.x + 16384] = i < n ? data[i] : 0;
    __syncthreads();
    if (i < n) data[i] = kept[threadIdx.x + 16384] * by;
}
"""
SIGNATURE = "float *data, float by, int n"
SPIN = 'extern "C" __global__ void spin(long long ticks) { long long a = clock64(); while (clock64() - a < ticks) {} }'
N = 1000


@pytest.fixture
def data(device):
    array = lp.asarray(np.arange(N, dtype="float32"), device=device)
    device.synchronize()
    return array


def _is_scaled(data, by):
    return (data.to_numpy() == np.arange(N, dtype="float32") * np.float32(by)).all()


@pytest.fixture(scope="module")
def busy(device):
    """Keep a stream busy for a while, so that what is not ordered behind it comes too early."""
    spin = lp.compile(SPIN, device=device)["spin"]
    return lambda stream: spin[1, 1, stream](50_000_000)


# -- streams


def _streams():
    """(library, how to make a stream)."""
    return [
        ("torch", lambda torch: torch.cuda.Stream()),
        ("torch", lambda torch: torch.cuda.Stream(priority=-1)),
        ("cupy", lambda cupy: cupy.cuda.Stream(non_blocking=True)),
        ("cupy", lambda cupy: cupy.cuda.Stream()),
        ("numba.cuda", lambda cuda: cuda.stream()),
        ("cuda.core", _cuda_core_stream),
    ]


def _cuda_core_stream(core):
    device = core.Device(0)
    device.set_current()
    return device.create_stream()


@pytest.mark.parametrize(("library", "make"), _streams())
def test_a_stream_of_theirs(device, data, busy, library, make):
    theirs = make(pytest.importorskip(library))
    stream = lp.Stream.external(theirs)
    assert stream.device is device
    assert lp.Stream.external(theirs) is stream
    assert stream.handle not in (0, 1, 2)
    scale = lp.compile(SOURCE, device=device)["scale"]
    busy(stream)
    scale[4, 256, theirs](data, 2, N)
    assert not stream.query()
    stream.synchronize()
    assert _is_scaled(data, 2)
    busy(stream)
    del stream
    device.synchronize()


def test_the_legacy_stream_of_theirs(device, torch):
    assert lp.Stream.external(torch.cuda.default_stream()) is device.legacy_stream


def test_our_stream_for_them(device, torch):
    stream = lp.Stream(blocking=False, device=device)
    version, handle = stream.__cuda_stream__()
    assert (version, handle) == (0, stream.handle)
    with torch.cuda.stream(torch.cuda.ExternalStream(handle)):
        ones = torch.ones(N, device="cuda")
    stream.synchronize()
    assert float(ones.sum()) == N


def test_our_stream_for_cuda_core(device):
    core = pytest.importorskip("cuda.core")
    stream = lp.Stream(device=device)
    core.Device(0).set_current()
    theirs = core.Device(0).create_stream(stream)
    assert int(theirs.handle) == stream.handle
    theirs.sync()


def test_our_stream_for_cupy(device):
    cupy = pytest.importorskip("cupy")
    if not hasattr(cupy.cuda.Stream, "from_external"):
        pytest.skip("CuPy before 14.1")
    stream = lp.Stream(device=device)
    with cupy.cuda.Stream.from_external(stream):
        ones = cupy.ones(N)
    stream.synchronize()
    assert float(ones.sum()) == N


def test_following_torch(device, torch, data, busy):
    scale = lp.compile(SOURCE, device=device)["scale"]
    launch = scale[4, 256]
    first, second = torch.cuda.Stream(), torch.cuda.Stream()
    with lp.interop.follow_torch():
        assert lp.current_stream() is device.legacy_stream
        assert lp.current_device() is device
        with torch.cuda.stream(first):
            assert lp.current_stream().handle == first.cuda_stream
            busy(None)
            launch(data, 2, N)
            assert not first.query()
            with torch.cuda.stream(second):
                assert lp.current_stream().handle == second.cuda_stream
                assert second.query()
        first.synchronize()
        with torch.cuda.stream(second):
            x = torch.arange(N, dtype=torch.float32, device="cuda")
            launch(x, 3, N)  # in torch's order, so nothing has to be waited for
            assert (x == torch.arange(N, device="cuda") * 3).all()
    assert lp.current_stream() is device.legacy_stream
    assert _is_scaled(data, 2)


# -- kernels


def test_cupys_kernel(device, data):
    cupy = pytest.importorskip("cupy")
    kernel = cupy.RawKernel(SOURCE, "scale")
    adopted = lp.adopt(kernel, SIGNATURE)
    assert adopted.device is device
    adopted[4, 256](data, 2, N)
    assert _is_scaled(data, 2)
    with pytest.raises(lp.SignatureError, match="expected a number|expected an int"):
        adopted[4, 256](data, "2", N)
    plain = lp.adopt(kernel, device=device)
    plain.bind(4, 256)(data, np.float32(0.5), np.int32(N))
    assert _is_scaled(data, 1)
    theirs = cupy.arange(N, dtype="float32")
    cupy.cuda.get_current_stream().synchronize()
    adopted[4, 256](theirs, 2, N)
    device.synchronize()
    assert (theirs == cupy.arange(N, dtype="float32") * 2).all()
    with pytest.raises(lp.SignatureError, match="in the driver.s kernel 4 bytes"):
        lp.adopt(kernel, "float *data, double by, int n")


def test_more_shared_memory_than_the_default(device, data):
    cupy = pytest.importorskip("cupy")
    shared = 4 * (16384 + 256)
    if shared > device.info["shared_memory_optin"]:
        pytest.skip("the device has no more")
    adopted = lp.adopt(cupy.RawKernel(SOURCE, "scale_large"), SIGNATURE)
    adopted[4, 256, None, shared](data, 2, N)
    assert _is_scaled(data, 2)
    assert adopted.occupancy(256, shared) >= 1


def test_cuda_cores_kernel(device, data):
    core = pytest.importorskip("cuda.core")
    core.Device(0).set_current()
    options = core.ProgramOptions(arch=f"sm_{core.Device(0).arch}")
    code = core.Program(SOURCE, "c++", options=options).compile("cubin")
    kernel = code.get_kernel("scale")
    adopted = lp.adopt(kernel, SIGNATURE)
    adopted[4, 256](data, 2, N)
    assert _is_scaled(data, 2)
    places = [(parameter.offset, parameter.size) for parameter in kernel.arguments_info]
    assert [(parameter.offset, parameter.size) for parameter in lp.adopt(kernel).signature.parameters] == places
    lp.adopt(kernel)[4, 256](data, ctypes.c_float(0.5), ctypes.c_int(N))
    assert _is_scaled(data, 1)


def test_a_handle(device, data):
    cupy = pytest.importorskip("cupy")
    kernel = cupy.RawKernel(SOURCE, "scale")
    lp.adopt(int(kernel.kernel.ptr), SIGNATURE, device)[4, 256](data, 2, N)
    assert _is_scaled(data, 2)


def _triton_kernels():
    from . import triton_kernels

    return triton_kernels


def test_what_a_tensor_stands_for_is_not_always_what_its_memory_holds(device, torch):
    take = lp.compile('extern "C" __global__ void take(const float *x, float *out) { *out = *x; }', device=device)
    launch = take["take"][1, 1]
    plain, out = torch.ones(1, device="cuda"), torch.zeros(1, device="cuda")
    negative = torch.tensor([1 + 2j], device="cuda").conj().imag
    assert negative.is_contiguous() and negative.is_neg()
    with lp.interop.follow_torch():
        launch(plain, out)  # from now on by the shortest way
        for wrong in (negative, torch._neg_view(plain)):
            with pytest.raises(lp.ArgumentValueError, match="resolve_neg"):
                launch(wrong, out)
        with pytest.raises(lp.ArgumentValueError, match="zeros that are nowhere"):
            launch(torch._efficientzerotensor((1,), device="cuda"), out)
        launch(negative.resolve_neg(), out)
        assert out.item() == -2


@pytest.mark.parametrize("alpha", [2.5, 1])
def test_tritons_kernel(device, torch, alpha):
    triton = pytest.importorskip("triton")
    kernels = _triton_kernels()
    x, y = torch.rand(N, device="cuda"), torch.rand(N, device="cuda")
    out, wanted = torch.zeros_like(x), torch.zeros_like(x)
    grid = triton.cdiv(N, 256)
    compiled = kernels.axpy[(grid,)](wanted, x, y, alpha, N, BLOCK=256)
    adopted = lp.adopt(compiled)
    assert adopted.device is device
    assert [parameter.name for parameter in adopted.signature.parameters][:3] == ["out", "x", "y"]
    torch.cuda.synchronize()
    # A number that is 1 becomes a constant of the kernel: it is no parameter any more.
    names = [parameter.name for parameter in adopted.signature.parameters]
    arguments = [value for name, value in (("alpha", alpha), ("n", N)) if name in names]
    assert len(arguments) == (1 if alpha == 1 else 2)
    adopted[grid](out, x, y, *arguments)
    adopted.bind(grid)(out, x, y, *arguments)
    device.synchronize()
    assert torch.equal(out, wanted)
    assert torch.allclose(out, alpha * x + y)


def test_tritons_kernel_by_warmup_with_shared_memory(device, torch):
    pytest.importorskip("triton")
    kernels = _triton_kernels()
    compiled = kernels.multiply.warmup(*[torch.float16] * 2, torch.float32, SIZE=128, grid=(1,))
    adopted = lp.adopt(compiled)
    a, b = (torch.rand(128, 128, device="cuda", dtype=torch.float16) for _ in range(2))
    out = torch.zeros(128, 128, device="cuda")
    torch.cuda.synchronize()
    assert adopted.shared == compiled.metadata.shared > 0
    adopted[1](a, b, out)
    device.synchronize()
    assert torch.allclose(out, a.float() @ b.float(), rtol=1e-2, atol=1e-2)


def test_tritons_multiples_of_16(device, torch):
    pytest.importorskip("triton")
    kernels = _triton_kernels()
    x = torch.rand(N + 8, device="cuda")
    out = torch.zeros_like(x)
    adopted = lp.adopt(kernels.axpy[(4,)](out, x, x, 2.0, 992, BLOCK=256))
    torch.cuda.synchronize()
    with pytest.raises(lp.ArgumentValueError, match="multiples of 16"):
        adopted[4](out, x[1:], x, 2.0, 992)
    with pytest.raises(lp.ArgumentValueError, match="multiples of 16"):
        adopted[4](out, x, x, 2.0, 991)


def test_numbas_kernel(device, data):
    cuda = pytest.importorskip("numba.cuda")
    adopted = lp.adopt(numbas_scale())
    adopted[4, 256](data, 2, N)
    assert _is_scaled(data, 2)
    theirs = cuda.to_device(np.arange(N, dtype="float32"))
    cuda.synchronize()
    adopted.bind(4, 256)(theirs, 3, N)
    device.synchronize()
    assert (theirs.copy_to_host() == np.arange(N, dtype="float32") * 3).all()
    with pytest.raises(lp.SignatureError, match="expected an array on the device"):
        adopted[4, 256](np.zeros(N, "float32"), 2, N)
    with pytest.raises(lp.SignatureError, match="of float32, got 1 of int32"):
        adopted[4, 256](lp.zeros(N, "int32", device), 2, N)


def test_numbas_matrix_tuple_and_complex(device):
    cuda = pytest.importorskip("numba.cuda")

    @cuda.jit
    def mix(out, x, which, z, flag):
        i, j = cuda.grid(2)
        if i < x.shape[0] and j < x.shape[1] and flag:
            out[i, j] = x[i, j] * which[0] + which[1] + z.real - z.imag

    host = np.asfortranarray(np.arange(12, dtype="float64").reshape(3, 4))
    x, out = cuda.to_device(host), cuda.device_array((3, 4))
    special = mix.specialize(out, x, (2, 3), 1 + 4j, True)
    lp.adopt(special)[(1, 1), (4, 4)](out, x, (2, 3), 1 + 4j, True)
    device.synchronize()
    assert (out.copy_to_host() == host * 2 + 3 + 1 - 4).all()


def test_numbas_cooperative_kernel(device):
    cuda = pytest.importorskip("numba.cuda")

    @cuda.jit("void(int32[::1])")
    def both(x):
        grid = cuda.cg.this_grid()
        x[cuda.grid(1)] = 1
        grid.sync()
        if cuda.grid(1) == 0:
            x[0] = x[x.shape[0] - 1] + 1

    out = lp.zeros(64, "int32", device)
    lp.adopt(both)[2, 32](out)
    assert out.to_numpy().tolist() == [2] + [1] * 63


# -- our own


def test_cooperative_and_occupancy(device):
    scale = lp.compile(SOURCE, device=device)["scale"]
    data = lp.asarray(np.arange(N, dtype="float32"), device=device)
    scale.cooperative[4, 256](data, 2, N)
    assert _is_scaled(data, 2)
    assert scale.occupancy(256) >= 1
    threads, blocks = scale.suggest_block()
    assert threads % device.info["warp_size"] == 0
    assert blocks >= device.info["compute_units"]
    large = scale.occupancy(256) * device.info["compute_units"] + 1
    with pytest.raises(lp.DriverError, match="COOPERATIVE"):
        scale.cooperative[large, 256](data, 2, N)
