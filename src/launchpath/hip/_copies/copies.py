"""Copies and fills."""

from __future__ import annotations

from typing import Any

from launchpath import _core
from launchpath._streams.stream import Stream
from launchpath.hip._copies import pageable
from launchpath.hip._devices.current import all_devices
from launchpath.hip._memory import allocations
from launchpath.hip._streams.capturing import Capturing
from launchpath.hip._streams.streams import stream_of
from launchpath.hip._types import readable
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.values import room

_KINDS = types.hipMemcpyKind
_UP, _DOWN, _WITHIN = 1, 2, 3  # for records


class Copy:
    """A copy: where its ends are, and whether the host's memory may go before it is complete."""

    def __init__(self, dst: Any, src: Any, kind: Any, rows: tuple[int, int, int, int]) -> None:
        self.kind = kind
        self.ends: tuple[Any, ...] = (dst, src)  # they own the memory
        self.under_way = False  # at least a row is
        self.to, self.source = address(dst), address(src)
        self.width, self.height, self.to_pitch, self.source_pitch = rows
        try:
            _KINDS(int(kind))
        except ValueError:
            raise HipError(Error.hipErrorInvalidMemcpyDirection, f"expected a hipMemcpyKind, got {kind!r}") from None
        self.to_known = self._find(dst, self.to, self.to_pitch, "the destination")
        self.source_known = self._find(src, self.source, self.source_pitch, "the source")

    def _find(self, end: Any, pointer: int, pitch: int, role: str) -> allocations.Allocation | None:
        if not pointer:
            raise HipError(Error.hipErrorInvalidValue, f"{role} is a null pointer")
        allocation, size = allocations.find(pointer), pitch * (self.height - 1) + self.width
        if allocation is not None:
            allocations.check(allocation, pointer, size, role)
        else:
            check_host(end, pointer, size, role, role == "the destination")
        return allocation

    @property
    def is_between_devices(self) -> bool:
        """Whether its ends are memory of two devices."""
        to, source = self.to_known, self.source_known
        return to is not None and source is not None and to.device is not source.device

    def is_of_host(self) -> bool:
        """Whether both ends are the host's: then also an asynchronous copy has ended when the function returns."""
        return all(end is None or end.of_host for end in (self.to_known, self.source_known))

    def may_go(self) -> bool:
        """Whether an end is memory that HIP's functions did not allocate, so that its owner may free it any time."""
        return self.to_known is None or self.source_known is None

    def submit(self, stream: Stream) -> None:
        """Submit it. Memory of the host is used when the stream comes to it."""
        if pageable.is_staged(self, stream.device):
            pageable.submit(self, stream)
            self.under_way = True
            return
        up, down = (end is None or end.of_host for end in (self.source_known, self.to_known))
        direction = _UP if up else _DOWN if down else _WITHIN
        for to, source, size in pageable.rows_of(self):
            _core.copy_bytes(stream, to, source, size, direction)
            self.under_way = True


def check_host(end: Any, pointer: int, size: int, role: str, written: bool) -> None:
    """Refuse memory that HIP's functions do not know, if so many bytes of it are not there."""
    space = room(end, written)
    if space is not None and address(end) == pointer:
        if space < size:
            raise HipError(Error.hipErrorInvalidValue, f"{role}: expected memory of {size} bytes, got {space}")
    elif not may_be_a_devices(pointer) and not readable.is_there(pointer, size, written):
        raise HipError(Error.hipErrorInvalidValue, f"{role}: expected {size} bytes of memory, got {pointer:#x}")


def may_be_a_devices(pointer: int) -> bool:
    """Whether an address may be in memory of a device, or pinned, that HIP's functions did not allocate.

    CUDA and HIP know their memory. What is in that of an OpenCL GPU nothing tells.
    """
    drivers = {device.info["driver"]: device.driver_device for device in all_devices()}
    if not 0 < pointer < 1 << 64:
        return False
    if any(driver.stages and driver.device_of(pointer) is not None for driver in drivers.values()):
        return True
    return any(not (device.driver_device.stages or device.info["host_accessible"]) for device in all_devices())


def check_sizes(*sizes: int) -> None:
    """Refuse negative sizes, which are no size_t."""
    if min(sizes) < 0:
        raise HipError(Error.hipErrorInvalidValue, f"expected sizes of 0 or more, got {', '.join(map(str, sizes))}")


def order_of(handle: Any, *ends: allocations.Allocation | None) -> Stream:
    """Return the stream of a copy or a fill. A default stream is that of the memory's device."""
    owners = list({allocation.device: None for allocation in ends if allocation is not None})
    if len(owners) > 1:
        raise HipError(Error.hipErrorNotSupported, "launchpath.hip does not copy between devices")
    if not owners:
        return stream_of(handle)
    stream = stream_of(handle, owners[0])
    if stream.device is not owners[0]:
        raise HipError(
            Error.hipErrorInvalidValue,
            f"expected a stream of the memory's device, {owners[0].name!r}, got one of {stream.device.name!r}",
        )
    return stream


# Copies of which a row failed, or whose wait was interrupted: the library still reads and writes their memory.
_left: list[Copy] = []


def _copy(
    dst: Any,
    src: Any,
    size: int,
    kind: Any,
    stream: Any,
    waits: bool,
    rows: tuple[int, int, int] = (1, 0, 0),
    owner: Any = None,
) -> None:
    height, to_pitch, source_pitch = rows
    check_sizes(size, height)
    if size == 0 or height == 0:
        return
    copy = Copy(dst, src, kind, (size, height, to_pitch or size, source_pitch or size))
    copy.ends = *copy.ends, owner
    if copy.is_between_devices and not isinstance(stream_of(stream), Capturing):
        if stream is not None:
            stream_of(stream).synchronize()
        staging = bytearray(size * height)
        _copy(staging, src, size, kind, None, True, (height, size, copy.source_pitch))
        _copy(dst, staging, size, kind, None, True, (height, copy.to_pitch, size))
        return
    order = order_of(stream, copy.to_known, copy.source_known)
    if isinstance(order, Capturing):
        if waits:
            order.synchronize()
        order.copy(copy)
        return
    try:
        if (waits or copy.may_go()) and pageable.is_staged(copy, order.device):
            pageable.copy_now(copy, order)
            if waits:
                order.synchronize()
            return
        copy.submit(order)
        if waits or copy.may_go() or copy.is_of_host():
            order.synchronize()
    except BaseException:
        if copy.under_way:
            _left.append(copy)
        raise


@function()
def hipMemcpy(dst: Any, src: Any, sizeBytes: int, kind: Any) -> None:
    """Copy bytes, and wait for it. An array of NumPy's stands for its memory."""
    _copy(dst, src, sizeBytes, kind, None, waits=True)


@function()
def hipMemcpyWithStream(dst: Any, src: Any, sizeBytes: int, kind: Any, stream: Any) -> None:
    """Copy bytes on a stream, and wait for it."""
    _copy(dst, src, sizeBytes, kind, stream, waits=True)


@function()
def hipMemcpyAsync(dst: Any, src: Any, sizeBytes: int, kind: Any, stream: Any) -> None:
    """Copy bytes on a stream.

    Memory of the host that HIP did not allocate is not used any more when this returns: it may go at any time.
    """
    _copy(dst, src, sizeBytes, kind, stream, waits=False)


@function()
def hipMemcpyHtoD(dst: Any, src: Any, sizeBytes: int) -> None:
    """Copy bytes to the device, and wait for it."""
    _copy(dst, src, sizeBytes, _KINDS.hipMemcpyHostToDevice, None, waits=True)


@function()
def hipMemcpyDtoH(dst: Any, src: Any, sizeBytes: int) -> None:
    """Copy bytes to the host, and wait for it."""
    _copy(dst, src, sizeBytes, _KINDS.hipMemcpyDeviceToHost, None, waits=True)


@function()
def hipMemcpyDtoD(dst: Any, src: Any, sizeBytes: int) -> None:
    """Copy bytes within the device, and wait for it."""
    _copy(dst, src, sizeBytes, _KINDS.hipMemcpyDeviceToDevice, None, waits=True)


@function()
def hipMemcpyHtoDAsync(dst: Any, src: Any, sizeBytes: int, stream: Any) -> None:
    """Copy bytes to the device on a stream."""
    _copy(dst, src, sizeBytes, _KINDS.hipMemcpyHostToDevice, stream, waits=False)


@function()
def hipMemcpyDtoHAsync(dst: Any, src: Any, sizeBytes: int, stream: Any) -> None:
    """Copy bytes to the host on a stream."""
    _copy(dst, src, sizeBytes, _KINDS.hipMemcpyDeviceToHost, stream, waits=False)


@function()
def hipMemcpyDtoDAsync(dst: Any, src: Any, sizeBytes: int, stream: Any) -> None:
    """Copy bytes within the device on a stream."""
    _copy(dst, src, sizeBytes, _KINDS.hipMemcpyDeviceToDevice, stream, waits=False)


def _check_pitches(dpitch: int, spitch: int, width: int) -> None:
    if width > min(dpitch, spitch):
        raise HipError(Error.hipErrorInvalidPitchValue, f"rows of {width} bytes, {dpitch} and {spitch} bytes apart")


@function()
def hipMemcpy2D(dst: Any, dpitch: int, src: Any, spitch: int, width: int, height: int, kind: Any) -> None:
    """Copy rows, and wait for it. A pitch is the bytes from row to row."""
    _check_pitches(dpitch, spitch, width)
    _copy(dst, src, width, kind, None, True, (height, dpitch, spitch))


@function()
def hipMemcpy2DAsync(
    dst: Any, dpitch: int, src: Any, spitch: int, width: int, height: int, kind: Any, stream: Any
) -> None:
    """Copy rows on a stream. A pitch is the bytes from row to row."""
    _check_pitches(dpitch, spitch, width)
    _copy(dst, src, width, kind, stream, False, (height, dpitch, spitch))


# Fills.


class Fill:
    """A fill of rows with a pattern."""

    def __init__(self, dst: Any, pattern: bytes, count: int, rows: tuple[int, int]) -> None:
        self.height, self.pitch = rows
        self.pattern, self.count = pattern, count
        self.size, self.to = len(pattern) * count, address(dst)
        self.allocation = allocations.need(self.to, (self.height - 1) * self.pitch + self.size, "the memory to fill")
        if self.to % len(pattern):
            raise HipError(Error.hipErrorInvalidValue, f"expected an address aligned to {len(pattern)} bytes")

    def submit(self, stream: Stream) -> None:
        """Submit it."""
        size, height = self.size, self.height
        if height > 1 and size == self.pitch:
            size, height = size * height, 1
        for row in range(height):
            _core.fill_bytes(stream, self.to + row * self.pitch, self.pattern, size)


def _fill(
    dst: Any, pattern: bytes, count: int, stream: Any, rows: tuple[int, int] = (1, 0), waits: bool = False
) -> None:
    check_sizes(count, rows[0])
    if count == 0 or rows[0] == 0:
        return
    fill = Fill(dst, pattern, count, rows)
    order = order_of(stream, fill.allocation)
    if isinstance(order, Capturing):
        order.fill(fill)
        return
    fill.submit(order)
    if waits and fill.allocation.kind != allocations.DEVICE:
        order.synchronize()


def _fill_now(dst: Any, pattern: bytes, count: int, rows: tuple[int, int] = (1, 0)) -> None:
    """Fill on the null stream. Memory that the host reaches is filled when this returns, as CUDA documents it."""
    _fill(dst, pattern, count, None, rows, waits=True)


def pattern_of(value: int, size: int) -> bytes:
    """Return the bytes of a value that memory is filled with."""
    return (int(value) & (1 << 8 * size) - 1).to_bytes(size, "little")


@function()
def hipMemset(dst: Any, value: int, sizeBytes: int) -> None:
    """Fill memory with a byte."""
    _fill_now(dst, pattern_of(value, 1), sizeBytes)


@function()
def hipMemsetAsync(dst: Any, value: int, sizeBytes: int, stream: Any) -> None:
    """Fill memory with a byte, on a stream."""
    _fill(dst, pattern_of(value, 1), sizeBytes, stream)


@function()
def hipMemsetD8(dest: Any, value: int, count: int) -> None:
    """Fill memory with a byte."""
    _fill_now(dest, pattern_of(value, 1), count)


@function()
def hipMemsetD8Async(dest: Any, value: int, count: int, stream: Any) -> None:
    """Fill memory with a byte, on a stream."""
    _fill(dest, pattern_of(value, 1), count, stream)


@function()
def hipMemsetD16(dest: Any, value: int, count: int) -> None:
    """Fill memory with values of 2 bytes."""
    _fill_now(dest, pattern_of(value, 2), count)


@function()
def hipMemsetD16Async(dest: Any, value: int, count: int, stream: Any) -> None:
    """Fill memory with values of 2 bytes, on a stream."""
    _fill(dest, pattern_of(value, 2), count, stream)


@function()
def hipMemsetD32(dest: Any, value: int, count: int) -> None:
    """Fill memory with values of 4 bytes."""
    _fill_now(dest, pattern_of(value, 4), count)


@function()
def hipMemsetD32Async(dst: Any, value: int, count: int, stream: Any) -> None:
    """Fill memory with values of 4 bytes, on a stream."""
    _fill(dst, pattern_of(value, 4), count, stream)


def _check_pitch(pitch: int, width: int) -> None:
    if width > pitch:
        raise HipError(Error.hipErrorInvalidValue, f"expected rows of at most {pitch} bytes, their pitch, got {width}")


@function()
def hipMemset2D(dst: Any, pitch: int, value: int, width: int, height: int) -> None:
    """Fill rows with a byte."""
    _check_pitch(pitch, width)
    _fill_now(dst, pattern_of(value, 1), width, (height, pitch))


@function()
def hipMemset2DAsync(dst: Any, pitch: int, value: int, width: int, height: int, stream: Any) -> None:
    """Fill rows with a byte, on a stream."""
    _check_pitch(pitch, width)
    _fill(dst, pattern_of(value, 1), width, stream, (height, pitch))
