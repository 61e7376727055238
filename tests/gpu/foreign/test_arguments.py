"""Arrays of other libraries as arguments, without a copy: by either protocol, and by DLPack's exchange API."""

import gc

import numpy as np
import pytest

import launchpath as lp
from tests.gpu.foreign.dlpack import KINDS, Capsule, Interface, exchanging

WAYS = ["interface", "capsule", "old capsule", "exchange"]


def _theirs(way, gpu, address, **more):
    if way == "interface":
        return Interface(gpu, address, **more)
    if way == "exchange":
        return exchanging()(gpu, address, **more)
    return Capsule(gpu, address, versioned=way == "capsule", **more)


@pytest.fixture(params=WAYS)
def way(request):
    return request.param


@pytest.fixture
def array(gpu):
    return gpu.zeros(64)


@pytest.fixture
def launch(gpu):
    """Launch, wait, and give what the array holds."""
    stream = gpu.stream()

    def run(theirs, array, count=16):
        gpu.kernel("increment")[1, 64, stream](theirs, count)
        return array.to_numpy(stream).tolist()

    return run


def test_the_kernel_gets_its_address(gpu, way, array, launch):
    theirs = _theirs(way, gpu, array.pointer + 64)
    for turn in range(1, 4):
        assert launch(theirs, array) == [0] * 16 + [turn] * 16 + [0] * 32


def test_nothing_is_copied(gpu, way, array, launch):
    theirs = _theirs(way, gpu, array.pointer)
    launch(theirs, array)
    gpu.forget_calls()
    stream = gpu.stream()
    gpu.kernel("increment")[1, 64, stream](theirs, 16)
    assert gpu.calls("cuMemcpyAsync", "cuStreamSynchronize", "cuEventRecord", "cuStreamWaitEvent") == []


@pytest.mark.parametrize("way", WAYS[1:])
def test_an_offset(gpu, way, array, launch):
    assert launch(_theirs(way, gpu, array.pointer + 64, offset=64), array) == [0] * 16 + [1] * 16 + [0] * 32


def test_another_dtype_is_refused(gpu, way, array):
    for dtype in "float32", "int64", "uint32", "int16":
        with pytest.raises(
            lp.SignatureError, match=rf"expected an array of int32, got .* of {dtype}: convert it to int32 first"
        ):
            gpu.kernel("increment")[1, 1](_theirs(way, gpu, array.pointer, dtype=dtype), 16)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "complex64", "complex128"])
def test_any_dtype_for_an_untyped_pointer(gpu, stream, way, array, dtype):
    gpu.kernel("raw")[1, 1, stream](_theirs(way, gpu, array.pointer, dtype=dtype), 1, 2)
    assert array.to_numpy(stream).view("uint64")[:3].tolist() == [array.pointer, 1, 2]


def test_another_device_is_refused(gpu, way):
    away = gpu.zeros(ordinal=1)
    theirs = _theirs(way, gpu, away.pointer, device=(KINDS[gpu.driver], 1))
    with pytest.raises(lp.ArgumentValueError, match=rf"is in {gpu.driver.upper()} device 1, the kernel runs on"):
        gpu.kernel("increment")[1, 1](theirs, 16)


@pytest.mark.parametrize("way", WAYS[1:])
def test_host_memory_is_refused(gpu, way, array):
    host = np.zeros(16, "int32")
    theirs = _theirs(way, gpu, host.ctypes.data, device=(1, 0))
    with pytest.raises((lp.ArgumentValueError, lp.SignatureError), match="host memory"):
        gpu.kernel("increment")[1, 1](theirs, 16)


def test_an_address_that_the_library_does_not_know(gpu):
    host = np.zeros(16, "int32")
    with pytest.raises(lp.ArgumentValueError, match="memory that the driver does not know"):
        gpu.kernel("increment")[1, 1](Interface(gpu, host.ctypes.data), 16)


@pytest.mark.parametrize(("shape", "strides"), [
    ((4, 4), (1, 4)),
    ((8,), (2,)),
    ((2, 4), (8, 1)),
    ((3,), (0,)),
])  # fmt: skip
def test_strided_arrays_are_refused(gpu, way, array, shape, strides):
    with pytest.raises(lp.ArgumentValueError, match=r"has strides .*C-contiguous"):
        gpu.kernel("increment")[1, 1](_theirs(way, gpu, array.pointer, shape=shape, strides=strides), 16)


@pytest.mark.parametrize(("shape", "strides"), [
    ((4, 4), (4, 1)),
    ((1, 16), (99, 1)),
    ((16, 1), (1, 99)),
    ((4, 1, 4), (4, 7, 1)),
    ((), ()),
    ((0, 4), (77, 3)),
    ((16,), None),
])  # fmt: skip
def test_contiguous_arrays_are_taken(gpu, way, array, launch, shape, strides):
    assert launch(_theirs(way, gpu, array.pointer, shape=shape, strides=strides), array)[:2] == [1, 1]


def test_empty_ones_without_an_address(gpu, stream, way):
    gpu.kernel("increment")[1, 1, stream](_theirs(way, gpu, 0, shape=(0,)), 0)
    stream.synchronize()


def test_read_only_ones_need_a_const_parameter(gpu, array):
    from launchpath._compiler import Parameter, Signature

    with pytest.raises(lp.ArgumentValueError, match="read-only, but the parameter is not const"):
        gpu.kernel("increment")[1, 1](Interface(gpu, array.pointer, read_only=True), 16)
    parameters = (
        Parameter("out", "void *", "pointer", 8, 8, 0),
        Parameter("p", "const int *", "pointer", 8, 8, 8, "int32", True),
        Parameter("q", "unsigned long", "uint64", 8, 8, 16),
    )
    kernel = lp.Kernel(gpu.load().kernel("raw"), gpu.device, Signature("raw", parameters, 24))
    stream, other = gpu.stream(), gpu.zeros()
    kernel[1, 1, stream](other, Interface(gpu, array.pointer, read_only=True), 5)
    assert other.to_numpy(stream).view("uint64")[1] == array.pointer


def test_masked_ones_are_refused(gpu, array):
    with pytest.raises(lp.ArgumentValueError, match="has a mask"):
        gpu.kernel("increment")[1, 1](Interface(gpu, array.pointer, mask=array), 16)


def test_vectors_are_refused_for_typed_pointers(gpu, array):
    with pytest.raises(lp.SignatureError, match="expected an array of int32"):
        gpu.kernel("increment")[1, 1](Capsule(gpu, array.pointer, lanes=4), 16)


def test_a_capsule_is_not_consumed(gpu, array, launch):
    """It is not consumed: whoever made it ends it, by its own destructor."""
    theirs = Capsule(gpu, array.pointer)
    launch(theirs, array)
    assert theirs.options.get("stream") == -1  # no waiting: the order is the caller's


def test_an_exchange_that_fails(gpu, array):
    with pytest.raises(lp.SignatureError, match="does not export its memory"):
        gpu.kernel("increment")[1, 1](exchanging(fail=True)(gpu, array.pointer), 16)


def test_an_exchange_of_another_version_is_not_used(gpu, array):
    theirs = exchanging(major=2)(gpu, array.pointer)
    with pytest.raises(lp.SignatureError, match="expected an array"):
        gpu.kernel("increment")[1, 1](theirs, 16)
    assert type(theirs).asked == 0


def test_an_exchange_is_asked_once_a_launch(gpu, array, launch):
    kind = exchanging()
    theirs = kind(gpu, array.pointer)
    launch(theirs, array)
    before = kind.asked
    for _ in range(5):
        launch(theirs, array)
    assert kind.asked - before == 5


def test_two_libraries_in_the_same_launch(gpu, stream):
    x, y = gpu.zeros(16, "float32"), gpu.zeros(16, "float32")
    x.fill(3, stream)
    first, second = exchanging(), exchanging()
    for _ in range(3):
        gpu.kernel("saxpy")[1, 16, stream](
            1.0, first(gpu, x.pointer, dtype="float32"), second(gpu, y.pointer, dtype="float32"), 16
        )
    assert y.to_numpy(stream).tolist() == [9.0] * 16


def test_nothing_of_theirs_is_kept(gpu, way, array, launch):
    import weakref

    theirs = _theirs(way, gpu, array.pointer)
    gone = weakref.ref(theirs)
    launch(theirs, array)
    del theirs
    gc.collect()
    assert gone() is None


def test_host_arrays_are_refused_with_advice(gpu):
    with pytest.raises(lp.SignatureError, match="copy it with launchpath.asarray first"):
        gpu.kernel("increment")[1, 1](np.zeros(16, "int32"), 16)
