"""Our arrays as other libraries take them: ``__cuda_array_interface__``, and DLPack's capsules in both versions."""

import gc
import threading
import weakref

import numpy as np
import pytest

import launchpath as lp
from tests.gpu.foreign.dlpack import KINDS, NAMES, api, take
from tests.gpu.standin import OUT


def test_the_interface(gpu):
    array = gpu.zeros(12, "float32").reshape(3, 4)
    interface = array.__cuda_array_interface__
    assert interface["shape"] == (3, 4)
    assert np.dtype(interface["typestr"]) == "float32"
    assert interface["data"] == (array.pointer, False)
    assert (interface["strides"], interface["version"]) == (None, 3)


def test_the_interface_names_the_order(gpu, array, stream):
    """What was submitted before comes before what the consumer does on the stream that is named."""
    with stream.hold():
        array.fill(5, stream)
        assert array.__cuda_array_interface__["stream"] == 1
        theirs = gpu.zeros()
        gpu.cuda("cuMemcpyAsync", theirs.pointer, array.pointer, 64, 1)
    gpu.cuda("cuStreamSynchronize", 1)
    assert theirs.to_numpy().tolist() == [5] * 16
    gpu.device.synchronize()


def test_a_freed_array_is_refused(array):
    array.free()
    with pytest.raises(lp.FreedError):
        array.__dlpack__()
    with pytest.raises((lp.FreedError, AttributeError)):
        _ = array.__cuda_array_interface__


@pytest.mark.parametrize("versioned", [False, True])
@pytest.mark.parametrize("dtype", ["int32", "uint8", "float64", "float16", "complex64", "bool", "int64"])
def test_capsules(gpu, versioned, dtype):
    array = gpu.zeros(24, dtype).reshape(2, 3, 4)[1]
    assert array.__dlpack_device__() == (KINDS[gpu.driver], 0)
    capsule = array.__dlpack__(max_version=(1, 0)) if versioned else array.__dlpack__()
    assert api.PyCapsule_GetName(capsule) == NAMES[versioned]
    managed, end = take(capsule)
    tensor = managed.tensor
    assert tensor.data + tensor.byte_offset == array.pointer
    assert (tensor.device_type, tensor.device_id) == array.__dlpack_device__()
    assert tensor.shape[: tensor.ndim] == [3, 4]
    assert not tensor.strides or tensor.strides[:2] == [4, 1]
    kind = np.dtype(dtype)
    assert (tensor.bits, tensor.lanes) == (8 * kind.itemsize, 1)
    assert tensor.code == {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}[kind.kind]
    if versioned:
        assert (managed.version.major, managed.flags) == (1, 0)
    end()


@pytest.mark.parametrize("taken", [False, True])
@pytest.mark.parametrize("versioned", [False, True])
def test_the_memory_lives_as_long_as_a_capsule_or_until_the_deleter_of_who_took_it(gpu, versioned, taken):
    array = gpu.zeros(1 << 16)
    gone = weakref.ref(array)
    capsule = array.__dlpack__(max_version=(1, 0) if versioned else None)
    end = take(capsule)[1] if taken else lambda: None
    del array
    if taken:
        del capsule
    gc.collect()
    assert gone() is not None
    end()
    capsule = None
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("versioned", [False, True])
def test_memory_that_another_library_has_is_not_freed(gpu, versioned):
    array = gpu.zeros(1 << 16)
    _, end = take(array.__dlpack__(max_version=(1, 0) if versioned else None))
    with pytest.raises(BufferError, match="another library uses the memory"):
        array.free()
    end()
    array.free()


def test_a_capsule_is_ordered_before_the_consumers_stream(gpu):
    array, stream, theirs = gpu.zeros(), gpu.stream(), gpu.zeros()
    handle = gpu.cuda("cuStreamCreateWithPriority", OUT, 1, 0)
    with stream.hold():
        array.fill(6, stream)
        _, end = take(array.__dlpack__(stream=handle))
        gpu.cuda("cuMemcpyAsync", theirs.pointer, array.pointer, 64, handle)
    gpu.cuda("cuStreamSynchronize", handle)
    assert theirs.to_numpy().tolist() == [6] * 16
    end()
    gc.collect()
    gpu.cuda("cuStreamDestroy_v2", handle)


def test_a_consumer_that_wants_no_order(gpu, array, stream):
    with stream.hold():
        array.fill(6, stream)
        gpu.forget_calls()
        _, end = take(array.__dlpack__(stream=-1))
        assert gpu.calls("cuEventRecord", "cuStreamWaitEvent") == []
    end()


def test_two_devices(gpu):
    array = gpu.zeros(ordinal=1)
    assert array.__dlpack_device__() == (KINDS[gpu.driver], 1)
    managed, end = take(array.__dlpack__())
    assert managed.tensor.device_id == 1
    end()


def test_what_cannot_be_exported_is_refused(gpu, array):
    with pytest.raises(BufferError):
        array.__dlpack__(copy=True)
    with pytest.raises(BufferError):
        array.__dlpack__(dl_device=(1, 0))
    with pytest.raises(BufferError):
        gpu.zeros(4, "S4").__dlpack__()
    with pytest.raises((BufferError, RuntimeError)):
        np.from_dlpack(array)


def test_it_comes_back_as_an_argument(gpu, array, stream):
    """Through another library's object and back into a kernel."""

    class Wrapped:
        __cuda_array_interface__ = array.__cuda_array_interface__

    gpu.kernel("increment")[1, 16, stream](Wrapped(), 16)
    assert array.to_numpy(stream).tolist() == [1] * 16


def test_operators_name_the_libraries_that_share_the_memory(gpu):
    with pytest.raises(TypeError, match=r"use torch\.from_dlpack\(array\) or cupy\.from_dlpack\(array\), which share"):
        gpu.zeros() + 1


def test_what_reads_without_a_stream_waits_for_a_stream_that_is_held(gpu):
    array, stream = gpu.zeros(2000), gpu.stream()
    for read in (
        lambda: int(array[0]),
        lambda: int(repr(array).partition("[")[2].split()[0]),
        lambda: np.asarray(array)[0],
    ):
        array.fill(0)
        gpu.device.synchronize()
        hold = stream.hold()
        array.fill(5, stream)
        timer = threading.Timer(0.05, hold.release)
        timer.start()
        assert read() == 5
        timer.join()
