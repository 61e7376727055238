"""What is known of addresses one by one, and advice on managed memory, which is a hint."""

from __future__ import annotations

import threading
from typing import Any
from weakref import WeakKeyDictionary

from launchpath.hip._devices import contexts
from launchpath.hip._devices.current import all_devices, number_of
from launchpath.hip._devices.limits import check
from launchpath.hip._memory import allocations as _allocations
from launchpath.hip._memory import pools
from launchpath.hip._memory.allocations import DEVICE, MANAGED, Allocation
from launchpath.hip._streams.streams import stream_of
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.values import read, room, struct_of, write

_KINDS = types.hipPointer_attribute
_ADVICE = types.hipMemoryAdvise
_RANGE = types.hipMemRangeAttribute
_COHERENCE = _RANGE.hipMemRangeAttributeCoherencyMode
_CPU, _NONE = types.hipCpuDeviceId, types.hipInvalidDeviceId


def _allocation_of(pointer: Any) -> Allocation:
    allocation = _allocations.find(address(pointer))
    if allocation is None:
        raise HipError(Error.hipErrorInvalidValue, f"{address(pointer):#x} is in no memory of HIP's functions")
    return allocation


@function()
def hipPointerGetAttribute(data: Any, attribute: Any, ptr: Any) -> None:
    """Write an attribute of an address where a pointer says."""
    kind, allocation, pointer = check(_KINDS, attribute), _allocation_of(ptr), address(ptr)
    types_of = {DEVICE: types.hipMemoryType.hipMemoryTypeDevice, MANAGED: types.hipMemoryType.hipMemoryTypeManaged}
    sized = {  # the value, and its bytes
        "CONTEXT": (int(contexts.primary_of(allocation.device).handle), 8),
        "MEMORY_TYPE": (types_of.get(allocation.kind, types.hipMemoryType.hipMemoryTypeHost), 4),
        "DEVICE_POINTER": (pointer, 8),
        "HOST_POINTER": (0 if allocation.kind == DEVICE else pointer, 8),
        "SYNC_MEMOPS": (0, 1),
        "IS_MANAGED": (allocation.kind == MANAGED, 1),
        "DEVICE_ORDINAL": (number_of(allocation.device), 4),
        "IS_LEGACY_HIP_IPC_CAPABLE": (0, 1),
        "RANGE_START_ADDR": (allocation.address, 8),
        "RANGE_SIZE": (allocation.size, 4 if room(data) == 4 else 8),
        "MAPPED": (1, 1),
        "IS_GPU_DIRECT_RDMA_CAPABLE": (0, 1),
        "MEMPOOL_HANDLE": (pools.pool_of(allocation), 8),
    }
    name = kind.name.removeprefix("HIP_POINTER_ATTRIBUTE_")
    if name not in sized:
        raise HipError(Error.hipErrorNotSupported, f"launchpath has no {kind.name}")
    value, size = sized[name]
    if value >> 8 * size:
        raise HipError(Error.hipErrorInvalidValue, f"expected 8 bytes for {value}, got {size}")
    write(data, value, size)


@function()
def hipPointerSetAttribute(value: Any, attribute: Any, ptr: Any) -> None:
    """Check an attribute of an address: only that its fills need not wait, which is so."""
    kind = check(_KINDS, attribute)
    _allocation_of(ptr)
    if kind != _KINDS.HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS:
        raise HipError(Error.hipErrorInvalidValue, f"{kind.name} cannot be set")
    if read(value, 1):
        raise HipError(Error.hipErrorNotSupported, "launchpath does not wait for fills: use hipStreamSynchronize")


# Advice: the last advice for each byte counts.

_events: WeakKeyDictionary[Allocation, list[tuple[int, int, Any, int]]] = WeakKeyDictionary()
_lock = threading.Lock()


def _range(pointer: Any, count: int) -> tuple[Allocation, int, int]:
    first = address(pointer)
    allocation = _allocations.find(first)
    if count <= 0 or allocation is None or allocation.kind != MANAGED:
        raise HipError(Error.hipErrorInvalidValue, f"expected managed memory, got {count} bytes at {first:#x}")
    _allocations.check(allocation, first, count, "the range")
    return allocation, first, first + count


def _note(pointer: Any, count: int, kind: Any, value: int) -> None:
    allocation, first, end = _range(pointer, count)
    with _lock:
        noted = _events.setdefault(allocation, [])
        noted[:] = [each for each in noted if each[2] != kind or each[0] < first or each[1] > end]
        noted.append((first, end, kind, value))


def _last(pointer: Any, count: int, kind: Any, default: int) -> int:
    """Return what was said last of all bytes of a range; the default if it differs."""
    allocation, first, end = _range(pointer, count)
    with _lock:
        noted = [each for each in _events.get(allocation, ()) if each[2] == kind]
    cuts = {first, *(cut for each in noted for cut in each[:2] if first < cut < end)}
    values = {next((each[3] for each in reversed(noted) if each[0] <= cut < each[1]), default) for cut in cuts}
    return values.pop() if len(values) == 1 else default


def _check_coherent(pointer: Any, count: int) -> None:
    device = _range(pointer, count)[0].device
    if not device.info.get("host_accessible"):
        raise HipError(Error.hipErrorNotSupported, f"{device.name!r} does not let the host use it meanwhile")


def _advise(pointer: Any, count: int, advice: Any, place: int) -> None:
    kinds, kind = _ADVICE, check(_ADVICE, advice)
    if kind in (kinds.hipMemAdviseSetCoarseGrain, kinds.hipMemAdviseUnsetCoarseGrain):
        _check_coherent(pointer, count)  # memory stays so: a program that asks for less may have more
        _note(pointer, count, _COHERENCE, int(kind == kinds.hipMemAdviseSetCoarseGrain))
    elif kind in (kinds.hipMemAdviseSetReadMostly, kinds.hipMemAdviseUnsetReadMostly):
        _note(pointer, count, _RANGE.hipMemRangeAttributeReadMostly, int(kind == kinds.hipMemAdviseSetReadMostly))
    elif kind in (kinds.hipMemAdviseSetPreferredLocation, kinds.hipMemAdviseUnsetPreferredLocation):
        preferred = place if kind == kinds.hipMemAdviseSetPreferredLocation else _NONE
        _note(pointer, count, _RANGE.hipMemRangeAttributePreferredLocation, preferred)
    else:
        _note(pointer, count, ("accessed", place), int(kind == kinds.hipMemAdviseSetAccessedBy))


def _place(device: int) -> int:
    if device != _CPU and not 0 <= device < len(all_devices()):
        raise HipError(Error.hipErrorInvalidValue, f"expected the number of a device, or hipCpuDeviceId, got {device}")
    return int(device)


def _place_of(location: Any) -> int:
    location, kinds = struct_of(types.hipMemLocation, location), types.hipMemLocationType
    if location.type == kinds.hipMemLocationTypeDevice:
        return _place(location.id)
    if location.type in (kinds.hipMemLocationTypeHost, kinds.hipMemLocationTypeHostNumaCurrent):
        return int(_CPU)
    if location.type == kinds.hipMemLocationTypeHostNuma:
        raise HipError(Error.hipErrorNotSupported, "launchpath does not choose among the host's memories")
    raise HipError(Error.hipErrorInvalidValue, f"expected the location of a device or the host, got {location.type!r}")


@function()
def hipMemAdvise(dev_ptr: Any, count: int, advice: Any, device: int) -> None:
    """Note how managed memory will be used: a hint, which changes nothing."""
    _advise(dev_ptr, count, advice, _place(device))


@function()
def hipMemAdvise_v2(dev_ptr: Any, count: int, advice: Any, location: Any) -> None:
    """Note how managed memory will be used: a hint, which changes nothing."""
    _advise(dev_ptr, count, advice, _place_of(location))


def _prefetch(pointer: Any, count: int, place: int, stream: Any) -> None:
    stream_of(stream)
    _note(pointer, count, _RANGE.hipMemRangeAttributeLastPrefetchLocation, place)


@function()
def hipMemPrefetchAsync(dev_ptr: Any, count: int, device: int, stream: Any) -> None:
    """Note where managed memory will be used next: a hint. It goes there when it is used."""
    _prefetch(dev_ptr, count, _place(device), stream)


@function()
def hipMemPrefetchAsync_v2(dev_ptr: Any, count: int, location: Any, flags: int, stream: Any) -> None:
    """Note where managed memory will be used next: a hint. It goes there when it is used."""
    if flags:
        raise HipError(Error.hipErrorInvalidValue, f"expected flags of 0, got {flags}")
    _prefetch(dev_ptr, count, _place_of(location), stream)


@function()
def hipMemRangeGetAttribute(data: Any, data_size: int, attribute: Any, dev_ptr: Any, count: int) -> None:
    """Write what was advised for all bytes of managed memory: ints of 32 bits."""
    kind = check(_RANGE, attribute)
    _range(dev_ptr, count)
    if kind == _COHERENCE:
        _check_coherent(dev_ptr, count)
    if data_size < 4 or data_size % 4 or (data_size > 4 and kind != _RANGE.hipMemRangeAttributeAccessedBy):
        raise HipError(Error.hipErrorInvalidValue, f"expected room for ints of 4 bytes, got {data_size}")
    if kind != _RANGE.hipMemRangeAttributeAccessedBy:
        default = 0 if kind in (_RANGE.hipMemRangeAttributeReadMostly, _COHERENCE) else _NONE
        write(data, _last(dev_ptr, count, kind, default), 4)
        return
    with _lock:
        keys = {each[2] for each in _events.get(_allocation_of(dev_ptr), ()) if isinstance(each[2], tuple)}
    places = sorted(key[1] for key in keys if _last(dev_ptr, count, key, 0))
    slots = data_size // 4
    padded = (places + [_NONE] * slots)[:slots]
    write(
        data,
        int.from_bytes(b"".join((place & 0xFFFFFFFF).to_bytes(4, "little") for place in padded), "little"),
        data_size,
    )


@function()
def hipStreamAttachMemAsync(stream: Any, dev_ptr: Any, length: int, flags: int) -> None:
    """Check the arguments, then do nothing: host and device may use managed memory at any time together."""
    if flags not in (types.hipMemAttachGlobal, types.hipMemAttachHost, types.hipMemAttachSingle):
        raise HipError(Error.hipErrorInvalidValue, f"expected hipMemAttachGlobal, Host or Single, got {flags}")
    order, allocation = stream_of(stream), _allocation_of(dev_ptr)
    if allocation.kind != MANAGED or length not in (0, allocation.size):
        raise HipError(Error.hipErrorInvalidValue, f"expected all of managed memory, got {length} bytes")
    if not order.device.info.get("concurrent_managed_access"):
        raise HipError(Error.hipErrorNotSupported, f"{order.device.name!r} does not let the host use it meanwhile")
