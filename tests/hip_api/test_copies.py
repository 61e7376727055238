"""Copies and fills, against NumPy."""

import array

import numpy as np
import pytest

from .calls import fails, ok


@pytest.fixture
def memory(hip, made):
    """Return a function that allocates memory of the device; it is freed at the end."""
    return lambda size: made(hip.hipMalloc(size))


def test_there_within_and_back(hip, memory):
    kinds = hip.hipMemcpyKind
    data, result = np.arange(1000, dtype="i4"), np.zeros(1000, "i4")
    first, second = memory(4000), memory(4000)
    for up, within, down in (
        (kinds.hipMemcpyHostToDevice, kinds.hipMemcpyDeviceToDevice, kinds.hipMemcpyDeviceToHost),
        (kinds.hipMemcpyDefault,) * 3,
    ):
        data += 1
        ok(hip.hipMemcpy(first, data, 4000, up))
        ok(hip.hipMemcpy(second, first, 4000, within))
        ok(hip.hipMemcpy(result, second, 4000, down))
        np.testing.assert_array_equal(result, data)


def test_the_named_copies(hip, memory, made):
    data, result = array.array("f", range(100)), array.array("f", [0] * 100)
    first, second = memory(400), memory(400)
    ok(hip.hipMemcpyHtoD(first, data, 400))
    ok(hip.hipMemcpyDtoD(second, first, 400))
    ok(hip.hipMemcpyDtoH(result, second, 400))
    assert result == data
    stream = made(hip.hipStreamCreate())
    ok(hip.hipMemsetD32Async(first, 0x3F800000, 100, stream))
    ok(hip.hipMemcpyDtoDAsync(second, first, 400, stream))
    ok(hip.hipMemcpyDtoHAsync(result, second, 400, stream))
    assert list(result) == [1] * 100
    ok(hip.hipMemcpyHtoDAsync(first, data, 400, stream))
    ok(hip.hipMemcpyWithStream(result, first, 400, hip.hipMemcpyKind.hipMemcpyDeviceToHost, stream))
    assert result == data


def test_parts_of_memory(hip, memory):
    data, result, there = np.arange(100, dtype="u1"), np.zeros(100, "u1"), memory(100)
    ok(hip.hipMemset(there, 255, 100))
    ok(hip.hipMemcpyHtoD(int(there) + 10, data, 20))
    ok(hip.hipMemcpyDtoH(result, there, 100))
    np.testing.assert_array_equal(result, [255] * 10 + list(range(20)) + [255] * 70)


@pytest.mark.parametrize("pitches", [(8, 8), (10, 8), (8, 13), (16, 9)])
def test_rows(hip, memory, pitches):
    there_pitch, here_pitch = pitches
    data = np.arange(6 * here_pitch, dtype="u1").reshape(6, here_pitch)
    result, there = np.zeros((6, here_pitch), "u1"), memory(6 * there_pitch)
    kinds = hip.hipMemcpyKind
    ok(hip.hipMemcpy2D(there, there_pitch, data, here_pitch, 7, 6, kinds.hipMemcpyHostToDevice))
    ok(hip.hipMemcpy2DAsync(result, here_pitch, there, there_pitch, 7, 6, kinds.hipMemcpyDeviceToHost, None))
    np.testing.assert_array_equal(result[:, :7], data[:, :7])
    assert not result[:, 7:].any()
    fails(hip.hipMemcpy2D(there, 6, data, here_pitch, 7, 6, kinds.hipMemcpyHostToDevice), "hipErrorInvalidPitchValue")


def test_the_ends_of_a_copy_stay_if_a_later_row_fails(hip, device, memory, monkeypatch):
    from launchpath import errors
    from launchpath.hip._copies import copies

    if device.driver_device.stages:
        pytest.skip("copies of pageable memory go through pinned memory: they do not use it after they return")
    there, data, copied = memory(64), np.zeros((4, 16), "u1"), []
    copy_bytes, before = copies._core.copy_bytes, len(copies._left)

    def fail_later(*row):
        if copied:
            raise errors.DriverError("copy", "failed", 0)
        copied.append(row)
        copy_bytes(*row)

    with monkeypatch.context() as patch:
        patch.setattr(copies._core, "copy_bytes", fail_later)
        fails(hip.hipMemcpy2D(there, 16, data, 16, 8, 4, hip.hipMemcpyKind.hipMemcpyHostToDevice), "hipErrorUnknown")
    (left,) = copies._left[before:]
    assert left.ends[1] is data
    ok(hip.hipDeviceSynchronize())
    del copies._left[before:]


def test_fills(hip, memory):
    there, result = memory(64), np.zeros(64, "u1")
    for fill, value, count, expected in (
        (hip.hipMemset, 300, 64, np.full(64, 44, "u1")),
        (hip.hipMemsetD8, 7, 64, np.full(64, 7, "u1")),
        (hip.hipMemsetD16, 0x1234, 32, np.full(32, 0x1234, "u2")),
        (hip.hipMemsetD32, -2, 16, np.full(16, -2, "i4")),
        (lambda *args: hip.hipMemsetAsync(*args, None), 9, 64, np.full(64, 9, "u1")),
        (lambda *args: hip.hipMemsetD8Async(*args, None), 8, 64, np.full(64, 8, "u1")),
        (lambda *args: hip.hipMemsetD16Async(*args, None), 77, 32, np.full(32, 77, "u2")),
    ):
        ok(fill(there, value, count))
        ok(hip.hipMemcpyDtoH(result, there, 64))
        np.testing.assert_array_equal(result, expected.view("u1"))


def test_rows_are_filled(hip, memory):
    there, result = memory(60), np.zeros((6, 10), "u1")
    ok(hip.hipMemset(there, 1, 60))
    ok(hip.hipMemset2D(there, 10, 2, 4, 6))
    ok(hip.hipMemset2DAsync(int(there) + 5, 10, 3, 5, 6, None))
    ok(hip.hipMemcpyDtoH(result, there, 60))
    assert (result[:, :4] == 2).all() and (result[:, 4] == 1).all() and (result[:, 5:] == 3).all()
    fails(hip.hipMemset2D(there, 4, 2, 5, 6), "hipErrorInvalidValue")


def test_what_does_not_fit_is_refused(hip, memory):
    there, data = memory(100), np.zeros(200, "u1")
    kinds = hip.hipMemcpyKind
    fails(hip.hipMemcpy(there, data, 101, kinds.hipMemcpyHostToDevice), "hipErrorInvalidValue")
    assert "at most 100 bytes" in hip.reason()
    fails(hip.hipMemcpyDtoH(data, int(there) + 50, 51), "hipErrorInvalidValue")
    fails(hip.hipMemset(there, 0, 101), "hipErrorInvalidValue")
    fails(hip.hipMemset(data, 0, 10), "hipErrorInvalidValue")
    fails(hip.hipMemsetD32(int(there) + 2, 0, 4), "hipErrorInvalidValue")
    fails(hip.hipMemcpy2D(there, 40, data, 40, 30, 3, kinds.hipMemcpyHostToDevice), "hipErrorInvalidValue")


def test_null_pointers_and_kinds(hip, memory):
    there, data, kinds = memory(100), np.zeros(100, "u1"), hip.hipMemcpyKind
    fails(hip.hipMemcpy(None, data, 10, kinds.hipMemcpyHostToDevice), "hipErrorInvalidValue")
    fails(hip.hipMemcpy(there, None, 10, kinds.hipMemcpyHostToDevice), "hipErrorInvalidValue")
    fails(hip.hipMemcpy(there, data, 10, 99), "hipErrorInvalidMemcpyDirection")
    ok(hip.hipMemcpy(None, None, 0, kinds.hipMemcpyHostToDevice))
    ok(hip.hipMemset(None, 0, 0))


def test_host_memory_of_hips_is_copied_asynchronously(hip, memory, made):
    import ctypes

    there, stream = memory(1 << 16), made(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
    host = made(hip.hipHostMalloc(1 << 16, 0))
    view = np.frombuffer((ctypes.c_ubyte * (1 << 16)).from_address(int(host)), "u1")
    view[:] = 7
    kinds = hip.hipMemcpyKind
    ok(hip.hipMemcpyAsync(there, host, 1 << 16, kinds.hipMemcpyHostToDevice, stream))
    ok(hip.hipMemsetAsync(there, 9, 100, stream))
    ok(hip.hipMemcpyAsync(host, there, 1 << 16, kinds.hipMemcpyDeviceToHost, stream))
    ok(hip.hipStreamSynchronize(stream))
    assert (view[:100] == 9).all() and (view[100:] == 7).all()


def test_memory_of_another_device(hip, two_devices, made):
    from launchpath.hip._devices import current

    first, second = two_devices
    kinds = hip.hipMemcpyKind
    current.choose(first)
    there, stream = made(hip.hipMalloc(64)), made(hip.hipStreamCreate())
    current.choose(second)
    data, result = np.arange(16, dtype="i4"), np.zeros(16, "i4")
    ok(hip.hipMemcpyHtoD(there, data, 64))
    ok(hip.hipMemset(int(there) + 60, 0, 4))
    ok(hip.hipMemcpyDtoHAsync(result, there, 64, stream))
    np.testing.assert_array_equal(result, [*range(15), 0])
    here, other = made(hip.hipMalloc(64)), made(hip.hipStreamCreate())
    for copy in (
        lambda: hip.hipMemcpyDtoD(here, there, 64),
        lambda: hip.hipMemcpy(here, there, 64, kinds.hipMemcpyDefault),
        lambda: hip.hipMemcpyAsync(here, there, 64, kinds.hipMemcpyDeviceToDevice, other),
        lambda: hip.hipMemcpy2D(here, 16, there, 16, 16, 4, kinds.hipMemcpyDefault),
    ):
        ok(hip.hipMemset(here, 0, 64))
        ok(copy())
        ok(hip.hipMemcpyDtoH(result, here, 64))
        np.testing.assert_array_equal(result, [*range(15), 0])
    ok(hip.hipMemcpy2D(here, 32, there, 16, 8, 2, kinds.hipMemcpyDefault))
    ok(hip.hipMemcpyDtoH(result, here, 64))
    np.testing.assert_array_equal(result, [*range(8), 4, 5, *range(10, 15), 0])
    fails(hip.hipMemcpyDtoHAsync(result, there, 64, other), "hipErrorInvalidValue")
    fails(hip.hipMemsetAsync(here, 0, 64, stream), "hipErrorInvalidValue")
    assert "expected a stream of the memory's device" in hip.reason()
