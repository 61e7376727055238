"""Copies and fills of three dimensions, by structs, and between devices, against NumPy."""

import numpy as np
import pytest

from .calls import fails, ok

SHAPE = 3, 5, 7  # slices, rows, bytes of a row


@pytest.fixture
def pitched(hip):
    """Return memory of rows with a pitch."""
    result = ok(hip.hipMallocPitch(SHAPE[2], SHAPE[0] * SHAPE[1]))
    yield result
    ok(hip.hipFree(result[0]))


def fill_pointer(pointer, memory, pitch, width, height):
    pointer.ptr, pointer.pitch, pointer.xsize, pointer.ysize = memory, pitch, width, height


def parameters(hip, to, source, extent, dst_pos=(0, 0, 0), src_pos=(0, 0, 0)):
    """Return hipMemcpy3DParms between pointers of (address, pitch, rows of a slice)."""
    p = hip.hipMemcpy3DParms()
    fill_pointer(p.dstPtr, to[0], to[1], extent[0], to[2])
    fill_pointer(p.srcPtr, source[0], source[1], extent[0], source[2])
    p.extent.width, p.extent.height, p.extent.depth = extent
    p.dstPos.x, p.dstPos.y, p.dstPos.z = dst_pos
    p.srcPos.x, p.srcPos.y, p.srcPos.z = src_pos
    p.kind = hip.hipMemcpyKind.hipMemcpyDefault
    return p


@pytest.mark.parametrize("stream", [False, True])
def test_boxes_there_and_parts_back(hip, pitched, stream):
    def copy(p):
        ok(hip.hipMemcpy3DAsync(p, None) if stream else hip.hipMemcpy3D(p))

    memory, pitch = pitched
    data, result = np.arange(105, dtype="u1").reshape(SHAPE), np.zeros((2, 4, 6), "u1")
    copy(parameters(hip, (memory, pitch, 5), (data.ctypes.data, 7, 5), (7, 5, 3)))
    copy(
        parameters(hip, (result.ctypes.data, 6, 4), (memory, pitch, 5), (3, 2, 2), dst_pos=(1, 2, 0), src_pos=(4, 3, 1))
    )
    expected = np.zeros_like(result)
    expected[:2, 2:4, 1:4] = data[1:3, 3:5, 4:7]
    np.testing.assert_array_equal(result, expected)


def test_boxes_that_are_refused(hip, pitched):
    memory, pitch = pitched
    data = np.zeros(SHAPE, "u1")
    end = data.ctypes.data, 7, 5
    fails(hip.hipMemcpy3D(parameters(hip, (0, pitch, 5), end, (7, 5, 3))), "hipErrorInvalidValue")
    fails(hip.hipMemcpy3D(parameters(hip, (memory, pitch, 2), end, (7, 5, 3))), "hipErrorInvalidValue")
    fails(hip.hipMemcpy3D(parameters(hip, (memory, 4, 5), end, (7, 5, 1))), "hipErrorInvalidPitchValue")
    fails(
        hip.hipMemcpy3D(parameters(hip, (memory, pitch, 5), end, (7, 5, 3), dst_pos=(0, 0, 1))), "hipErrorInvalidValue"
    )
    ok(hip.hipMemcpy3D(parameters(hip, (memory, pitch, 5), end, (7, 0, 3))))
    fails(hip.hipMemcpy3DAsync(parameters(hip, (memory, pitch, 5), end, (7, 5, 3)), 12345), "hipErrorInvalidValue")


def driver_parameters(hip, kind, to, source, width, height, depth=None):
    kinds = hip.hipMemoryType
    p = kind()
    for side, (where, memory, pitch, x, y) in (("dst", to), ("src", source)):
        setattr(p, f"{side}MemoryType", kinds.hipMemoryTypeHost if where == "Host" else kinds.hipMemoryTypeDevice)
        setattr(p, f"{side}{where}", memory)
        setattr(p, f"{side}Pitch", pitch)
        setattr(p, f"{side}XInBytes", x)
        setattr(p, f"{side}Y", y)
        if depth is not None:
            setattr(p, f"{side}Height", 5)
    p.WidthInBytes, p.Height = width, height
    if depth is not None:
        p.Depth = depth
    return p


@pytest.mark.parametrize("name", ["hipDrvMemcpy3D", "hipDrvMemcpy3DAsync"])
def test_the_drivers_boxes(hip, pitched, name):
    memory, pitch = pitched
    call, more = getattr(hip, name), (None,) if name.endswith("Async") else ()
    data, result = np.arange(105, dtype="u1").reshape(SHAPE), np.zeros(SHAPE, "u1")
    there = "Device", memory, pitch
    kind = hip.HIP_MEMCPY3D
    ok(call(driver_parameters(hip, kind, (*there, 0, 0), ("Host", data.ctypes.data, 7, 0, 0), 7, 5, 3), *more))
    ok(call(driver_parameters(hip, kind, ("Host", result.ctypes.data, 7, 2, 1), (*there, 3, 2), 4, 3, 3), *more))
    expected = np.zeros_like(result)
    expected[:, 1:4, 2:6] = data[:, 2:5, 3:7]
    np.testing.assert_array_equal(result, expected)
    wrong = driver_parameters(hip, kind, (*there, 0, 0), ("Host", data.ctypes.data, 7, 4, 0), 7, 5, 3)
    fails(call(wrong, *more), "hipErrorInvalidPitchValue")
    wrong = driver_parameters(hip, kind, (*there, 0, 0), ("Host", data.ctypes.data, 7, 0, 0), 7, 5, 3)
    wrong.srcMemoryType = hip.hipMemoryType.hipMemoryTypeUnregistered
    fails(call(wrong, *more), "hipErrorInvalidValue")
    wrong.srcLOD = 1
    fails(call(wrong, *more), "hipErrorInvalidValue")


@pytest.mark.parametrize("name", ["hipMemcpyParam2D", "hipMemcpyParam2DAsync", "hipDrvMemcpy2DUnaligned"])
def test_rows_by_a_struct(hip, pitched, name):
    memory, pitch = pitched
    call, more = getattr(hip, name), (None,) if name.endswith("Async") else ()
    data, result = np.arange(35, dtype="u1").reshape(5, 7), np.zeros((5, 7), "u1")
    there = "Device", memory, pitch
    kind = hip.hip_Memcpy2D
    ok(call(driver_parameters(hip, kind, (*there, 0, 0), ("Host", data.ctypes.data, 7, 0, 0), 7, 5), *more))
    ok(call(driver_parameters(hip, kind, ("Host", result.ctypes.data, 7, 1, 2), (*there, 2, 1), 5, 3), *more))
    expected = np.zeros_like(result)
    expected[2:5, 1:6] = data[1:4, 2:7]
    np.testing.assert_array_equal(result, expected)
    fails(
        call(driver_parameters(hip, kind, (*there, 0, 0), ("Host", data.ctypes.data, 6, 0, 0), 7, 5), *more),
        "hipErrorInvalidPitchValue",
    )
    fails(call(driver_parameters(hip, kind, (*there, 0, 0), ("Host", 0, 7, 0, 0), 7, 5), *more), "hipErrorInvalidValue")


def peer_parameters(hip, to, source, extent, devices):
    p, like = hip.hipMemcpy3DPeerParms(), parameters(hip, to, source, extent)
    for name in ("dstPtr", "srcPtr"):
        pointer = getattr(like, name)
        fill_pointer(getattr(p, name), pointer.ptr, pointer.pitch, pointer.xsize, pointer.ysize)
    p.extent.width, p.extent.height, p.extent.depth = extent
    p.dstDevice, p.srcDevice = devices
    return p


def test_boxes_within_a_device(hip, pitched):
    number = ok(hip.hipGetDevice())
    memory, pitch = pitched
    data, result = np.arange(105, dtype="u1").reshape(SHAPE), np.zeros(SHAPE, "u1")
    host = data.ctypes.data, 7, 5
    ok(hip.hipMemcpy3DPeer(peer_parameters(hip, (memory, pitch, 5), host, (7, 5, 3), (number, number))))
    p = peer_parameters(hip, (result.ctypes.data, 7, 5), (memory, pitch, 5), (7, 5, 3), (number, number))
    ok(hip.hipMemcpy3DPeerAsync(p, None))
    np.testing.assert_array_equal(result, data)
    p.dstDevice = 1000
    fails(hip.hipMemcpy3DPeer(p), "hipErrorInvalidDevice")


@pytest.mark.parametrize("stream", [False, True])
def test_copies_between_devices(hip, two_devices, stream, made):
    from launchpath.hip._devices.current import number_of

    numbers = [number_of(device) for device in two_devices]
    pieces = []
    for number in numbers:
        ok(hip.hipSetDevice(number))
        pieces.append(made(hip.hipMalloc(4000)))
    data, result = np.arange(1000, dtype="i4"), np.zeros(1000, "i4")
    ok(hip.hipMemcpyHtoD(pieces[0], data, 4000))

    def copy(to, source, size=4000, destination=numbers[1]):
        ends = pieces[to], destination, pieces[source], numbers[source], size
        return hip.hipMemcpyPeerAsync(*ends, None) if stream else hip.hipMemcpyPeer(*ends)

    ok(copy(1, 0))
    ok(hip.hipMemcpyDtoH(result, pieces[1], 4000))
    np.testing.assert_array_equal(result, data)
    ok(hip.hipMemset(pieces[1], 9, 4000))
    ok(copy(1, 1, 0))
    within = int(pieces[1]) + 2000, numbers[1], pieces[1], numbers[1], 2000
    ok(hip.hipMemset(pieces[1], 8, 1000))
    ok(hip.hipMemcpyPeerAsync(*within, None) if stream else hip.hipMemcpyPeer(*within))
    ok(hip.hipMemcpyDtoH(result, int(pieces[1]) + 2000, 2000))
    assert result.view("u1")[:2000].tolist() == [8] * 1000 + [9] * 1000
    fails(copy(1, 0, 4001), "hipErrorInvalidValue")
    fails(copy(1, 0, destination=1000), "hipErrorInvalidDevice")
    p = peer_parameters(hip, (pieces[0], 4, 1), (pieces[1], 4, 1), (4, 1, 1), numbers)
    fails(hip.hipMemcpy3DPeer(p), "hipErrorNotSupported")
    fails(hip.hipMemcpy3DPeerAsync(p, None), "hipErrorNotSupported")


@pytest.mark.parametrize("stream", [False, True])
def test_fills_of_boxes(hip, pitched, stream):
    memory, pitch = pitched
    ok(hip.hipMemset(memory, 1, 15 * pitch))

    def fill(width, height, depth, rows=5, first=memory):
        pointer, extent = hip.hipPitchedPtr(), hip.hipExtent(width=width, height=height, depth=depth)
        fill_pointer(pointer, first, pitch, width, rows)
        return hip.hipMemset3DAsync(pointer, 0x1F7, extent, None) if stream else hip.hipMemset3D(pointer, 0x1F7, extent)

    ok(fill(6, 4, 3))
    result = np.zeros((3, 5, pitch), "u1")
    ok(hip.hipMemcpyDtoH(result, memory, result.nbytes))
    expected = np.ones_like(result)
    expected[:, :4, :6] = 0xF7
    np.testing.assert_array_equal(result, expected)
    ok(fill(7, 5, 3))
    ok(fill(7, 0, 3))
    fails(fill(pitch + 1, 1, 1), "hipErrorInvalidValue")
    fails(fill(7, 5, 3, rows=4), "hipErrorInvalidValue")
    fails(fill(7, 5, 4), "hipErrorInvalidValue")


@pytest.mark.parametrize(("bits", "value"), [(8, 0x1AB), (16, 0x1BEEF), (32, 0xDEADBEEF)])
@pytest.mark.parametrize("stream", [False, True])
def test_fills_of_rows(hip, pitched, bits, value, stream):
    memory, pitch = pitched
    ok(hip.hipMemset(memory, 1, 15 * pitch))

    def fill(*arguments):
        name = f"hipMemsetD2D{bits}"
        return getattr(hip, f"{name}Async")(*arguments, None) if stream else getattr(hip, name)(*arguments)

    ok(fill(memory, pitch, value, 5, 4))
    result = np.zeros((15, pitch * 8 // bits), f"u{bits // 8}")
    ok(hip.hipMemcpyDtoH(result, memory, result.nbytes))
    expected = np.full_like(result, int.from_bytes(b"\1" * (bits // 8), "little"))
    expected[:4, :5] = value & ((1 << bits) - 1)
    np.testing.assert_array_equal(result, expected)
    fails(fill(memory, pitch, value, pitch * 8 // bits + 1, 2), "hipErrorInvalidValue")
    fails(fill(memory, pitch, value, 5, 16), "hipErrorInvalidValue")
    if bits > 8:
        fails(fill(memory, pitch - 1, value, 2, 4), "hipErrorInvalidValue")
