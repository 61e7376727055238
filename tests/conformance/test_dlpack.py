"""DLPack: device memory that the host can reach is given out as CPU memory, without a copy, after the work on it."""

import gc

import numpy as np
import pytest

import launchpath as lp

from .calls import waits_until_released


@pytest.fixture(autouse=True)
def reachable(device, native, request):
    if native:
        if request.node.originalname != "test_memory_of_cuda_and_hip_is_the_devices":
            pytest.skip(
                "memory of CUDA and HIP devices is given out as theirs: NumPy takes none, tests/gpu has the rest"
            )
        return
    if not device.info["host_accessible"]:
        array = lp.empty(3, device=device)
        with pytest.raises(BufferError, match="cannot reach"):
            array.__dlpack_device__()
        pytest.skip("the host cannot reach this device's memory")


def test_numpy_sees_the_same_memory(device, program, nonblocking):
    array = lp.asarray(np.arange(10, dtype="int32"), device=device)
    view = np.from_dlpack(array)
    assert view.ctypes.data == array.pointer
    assert view.tolist() == list(range(10))
    program.add[1, 10, nonblocking](array, 5, 10)
    nonblocking.synchronize()
    assert view.tolist() == list(range(5, 15))


def test_memory_that_numpy_has_is_not_freed(device):
    """A view of memory that has gone back to the driver would crash, or show what another array holds by then."""
    array = lp.asarray(np.arange(10, dtype="int32"), device=device)
    views = [np.from_dlpack(array), np.from_dlpack(array[2:5])]
    while views:
        with pytest.raises(BufferError, match=r"another library uses the memory of the array of shape \(10,\), int32"):
            array.free()
        assert views.pop()[-1] in (4, 9)
    array.free()
    with pytest.raises(lp.FreedError):
        np.from_dlpack(array)


def test_memory_is_lent_until_the_views_are_gone_even_if_the_array_went_before(device):
    view = np.from_dlpack(lp.asarray(np.arange(10, dtype="int32"), device=device))
    gc.collect()
    device.synchronize()
    device.trim_memory()
    other = lp.zeros(10, "int32", device)
    device.synchronize()
    assert view.tolist() == list(range(10))
    assert other.to_numpy().tolist() == [0] * 10


def test_it_is_cpu_memory(device):
    assert lp.empty(3, device=device).__dlpack_device__() == (1, 0)


def test_memory_of_cuda_and_hip_is_the_devices(device, native):
    if not native:
        pytest.skip("of CUDA and HIP devices")
    kinds = {"cuda": 2, "hip": 10}  # kDLCUDA and kDLROCM
    array = lp.asarray(np.arange(6, dtype="int32").reshape(2, 3), device=device)
    assert array.__dlpack_device__() == (kinds[device.info["driver"]], device.info["ordinal"])
    with pytest.raises((BufferError, RuntimeError)):
        np.from_dlpack(array)
    assert array.to_numpy().tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float16", "float64", "complex64"])
def test_dtypes_and_shapes_come_through(device, dtype):
    host = (np.arange(24) % 2).astype(dtype).reshape(2, 3, 4)
    view = np.from_dlpack(lp.asarray(host, device=device))
    assert view.dtype == dtype
    assert (view == host).all()


def test_a_slice_and_an_empty_array_come_through(device):
    array = lp.asarray(np.arange(12, dtype="int32").reshape(6, 2), device=device)
    assert np.from_dlpack(array[2:4]).tolist() == [[4, 5], [6, 7]]
    assert np.from_dlpack(array[3:3]).shape == (0, 2)


def test_it_waits_for_the_work_on_every_stream(device, nonblocking):
    array = lp.zeros(10, "int32", device)
    device.synchronize()
    hold = nonblocking.hold()
    array.fill(4, nonblocking)
    assert (waits_until_released(hold, np.from_dlpack, array) == 4).all()


def test_the_view_keeps_the_memory(device):
    array = lp.asarray(np.arange(4000, dtype="int32"), device=device)
    view = np.from_dlpack(array)
    del array
    gc.collect()
    for _ in range(4):
        lp.empty(4000, "int32", device).fill(-1)
    device.synchronize()
    assert (view == np.arange(4000)).all()


def test_the_view_goes_back_in(device):
    view = np.from_dlpack(lp.asarray(np.arange(5, dtype="int32"), device=device))
    assert lp.asarray(view, device=device).to_numpy().tolist() == [0, 1, 2, 3, 4]


def test_a_structured_array_has_no_dlpack_type(device):
    with pytest.raises(BufferError):
        np.from_dlpack(lp.empty(3, [("a", "i4"), ("b", "f4")], device))


def test_torch_sees_the_same_memory(device, nonblocking):
    torch = pytest.importorskip("torch")
    array = lp.asarray(np.arange(10, dtype="float32"), device=device)
    tensor = torch.from_dlpack(array)
    assert tensor.data_ptr() == array.pointer
    array.fill(2.5, nonblocking)
    nonblocking.synchronize()
    assert tensor.tolist() == [2.5] * 10
