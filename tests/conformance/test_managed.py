"""Managed arrays: the device and the host use the same memory, and `host_view` waits for the device."""

import gc

import numpy as np
import pytest

import launchpath as lp

from .calls import waits_until_released

N = 1000


@pytest.fixture(autouse=True)
def managed(device):
    if not device.managed_memory:
        with pytest.raises(lp.LaunchpathError, match=r"has no managed memory: .*Use launchpath\.pinned_empty"):
            lp.managed_empty(3, device=device)
        pytest.skip("the device has no managed memory")


def test_the_host_and_the_device_use_the_same_memory(device, program, nonblocking):
    array = lp.managed_empty(N, "int32", device, nonblocking)
    view = array.host_view()
    assert (view.ctypes.data, view.shape, view.dtype) == (array.pointer, (N,), np.int32)
    view[:] = np.arange(N)
    program.add[4, 256, nonblocking](array, 5, N)
    assert (array.host_view() == np.arange(N) + 5).all()
    assert view[3] == 8


def test_it_is_an_array_as_any_other(device, program, nonblocking):
    array, other = lp.managed_empty((4, 5), "int32", device), lp.zeros((4, 5), "int32", device)
    array.fill(3)
    array[1:3, ::2] = 7
    array[3].copy_from(np.arange(5))
    array.copy_to(other)
    expected = np.full((4, 5), 3)
    expected[1:3, ::2], expected[3] = 7, np.arange(5)
    assert (array.to_numpy() == expected).all()
    assert (other.to_numpy() == expected).all()
    assert (array.host_view() == expected).all()
    assert (array[2].host_view() == expected[2]).all()
    assert (array.copy().to_numpy() == expected).all()
    other.fill(-1)
    array[0] = other[0]
    assert array.host_view()[0].tolist() == [-1] * 5


def test_a_view_waits_for_every_stream(device, nonblocking):
    array = lp.managed_empty(N, "int32", device)
    array.fill(1)
    device.synchronize()
    hold = nonblocking.hold()
    array.fill(4, nonblocking)
    assert (waits_until_released(hold, array.host_view) == 4).all()


def test_a_view_in_a_host_function_is_refused(device, nonblocking):
    """It would wait for the end of the function itself."""
    array, views = lp.managed_empty(N, "int32", device), []
    array.fill(1)
    device.synchronize()

    def look():
        try:
            views.append(array.host_view())
        except lp.LaunchpathError as error:
            views.append(str(error))

    nonblocking.host_function(look)
    nonblocking.synchronize()
    assert "host function" in views[0]
    assert (array.host_view() == 1).all()


def test_a_view_keeps_the_memory(device):
    array = lp.managed_empty(N, "int32", device)
    array[...] = np.arange(N)
    view = array[10:].host_view()
    with pytest.raises(BufferError, match="host_view"):
        array.free()
    del array
    gc.collect()
    device.trim_memory()
    for _ in range(3):
        lp.managed_empty(N, "int32", device).fill(-1)
    device.synchronize()
    assert (view == np.arange(10, N)).all()


def test_freed_memory_is_used_again_and_goes_back(device, nonblocking):
    device.synchronize()
    device.trim_memory()
    before = device.memory_info()
    array = lp.managed_empty(1 << 20, "uint8", device, nonblocking)
    array.fill(1, nonblocking)
    held = device.memory_info()
    assert held["in_use"] == before["in_use"] + (1 << 20)
    assert "managed memory" in str(device.memory_report())
    address = array.pointer
    array.free()
    with pytest.raises(lp.FreedError):
        array.host_view()
    device.synchronize()  # all of it: the address was handed out
    again = [lp.managed_empty(1 << 20, "uint8", device, nonblocking) for _ in range(2)]
    assert address in [each.pointer for each in again]  # a segment has room for two
    assert device.memory_info()["driver_allocations"] == held["driver_allocations"]
    del again
    device.synchronize()
    device.trim_memory()
    assert device.memory_info()["driver_frees"] > before["driver_frees"]
    assert "managed memory" not in str(device.memory_report())


def test_device_memory_is_not_reused_for_managed_memory(device, nonblocking):
    array = lp.empty(1 << 22, "uint8", device, nonblocking)
    address = array.pointer
    del array
    device.synchronize()
    assert lp.managed_empty(1 << 22, "uint8", device, nonblocking).pointer != address


def test_sizes_and_arguments(device):
    assert lp.managed_empty(0, device=device).host_view().shape == (0,)
    scalar = lp.managed_empty((), "float64", device)
    scalar.fill(2.5)
    assert scalar.host_view()[()] == 2.5
    with pytest.raises(lp.ArgumentValueError, match="without negative"):
        lp.managed_empty(-1, device=device)
    with pytest.raises(lp.ArgumentValueError, match="Python objects"):
        lp.managed_empty(1, object, device)


def test_a_limit_counts_it(device):
    device.synchronize()
    device.trim_memory()
    device.set_memory_limit(device.pool.held + (4 << 20))
    try:
        kept = lp.managed_empty(3 << 20, "uint8", device)
        with pytest.raises(lp.OutOfMemoryError, match="over the limit"):
            lp.managed_empty(3 << 20, "uint8", device)
        assert kept.allocation.managed
    finally:
        device.set_memory_limit(None)


def test_arrays_in_memory_of_the_device(device):
    array = lp.zeros(4, "int32", device)
    if device.host_accessible:
        array.host_view()[1] = 5
        assert array.to_numpy().tolist() == [0, 5, 0, 0]
        return
    with pytest.raises(lp.LaunchpathError, match=r"whose memory the host can access.*launchpath\.managed_empty"):
        array.host_view()
