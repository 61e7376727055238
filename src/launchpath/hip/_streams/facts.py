"""What streams are: their numbers, devices, attributes and compute units."""

from __future__ import annotations

import ctypes
import itertools
from typing import Any
from weakref import WeakKeyDictionary

from launchpath._streams.device import Device
from launchpath._streams.stream import Stream
from launchpath.hip._devices.current import current, number_of
from launchpath.hip._devices.limits import check
from launchpath.hip._streams import streams as _streams
from launchpath.hip._streams.capturing import Capturing
from launchpath.hip._streams.streams import stream_of
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.values import bytes_of, put_bytes, put_struct, struct_of

_numbers = itertools.count(1)
_ids: WeakKeyDictionary[Stream, int] = WeakKeyDictionary()
_policies: WeakKeyDictionary[Stream, Any] = WeakKeyDictionary()
_IDS = types.hipLaunchAttributeID
_AUTO = types.hipSynchronizationPolicy.hipSyncPolicyAuto


def _itself(handle: Any) -> Stream:
    """Return the stream of a handle, while it is captured too."""
    stream: Any = stream_of(handle)
    return stream.stream if isinstance(stream, Capturing) else stream


@function(1)
def hipStreamGetId(stream: Any) -> int:
    """Return a number that no other stream has."""
    subject = _itself(stream)
    return _ids.setdefault(subject, _ids.get(subject) or next(_numbers))


@function(1)
def hipGetStreamDeviceId(stream: Any) -> int:
    """Return the number of a stream's device."""
    return number_of(stream_of(stream).device)


def _attribute(attr: Any) -> Any:
    kind = check(_IDS, attr)
    if kind not in (_IDS.hipLaunchAttributePriority, _IDS.hipLaunchAttributeSynchronizationPolicy):
        raise HipError(Error.hipErrorInvalidValue, f"expected the priority or the policy of waiting, got {kind.name}")
    return kind


@function()
def hipStreamGetAttribute(stream: Any, attr: Any, value_out: Any) -> None:
    """Write the priority of a stream, or how the host waits for it."""
    kind, subject = _attribute(attr), _itself(stream)
    value = struct_of(types.hipLaunchAttributeValue, value_out)
    if kind == _IDS.hipLaunchAttributePriority:
        value.priority = subject.priority
    else:
        value.syncPolicy = _policies.get(subject, _AUTO)
    put_struct(value_out, value)


def _set_priority(stream: Stream, priority: int) -> None:
    if priority != stream.priority:
        raise HipError(Error.hipErrorNotSupported, f"expected the stream's priority, {stream.priority}, got {priority}")


@function()
def hipStreamSetAttribute(stream: Any, attr: Any, value: Any) -> None:
    """Set how the host waits for a stream, which is a hint; its priority stays as it was created with."""
    kind, subject = _attribute(attr), _itself(stream)
    value = struct_of(types.hipLaunchAttributeValue, value)
    if kind == _IDS.hipLaunchAttributePriority:
        _set_priority(subject, value.priority)
        return
    try:
        _policies[subject] = value.syncPolicy
    except ValueError as error:  # the bindings refuse to read a number that is none
        raise HipError(Error.hipErrorInvalidValue, str(error)) from None


@function()
def hipStreamCopyAttributes(dst: Any, src: Any) -> None:
    """Give a stream the attributes of another one, which must be of its priority."""
    to, source = _itself(dst), _itself(src)
    _set_priority(to, source.priority)
    _policies[to] = _policies.get(source, _AUTO)


# Compute units: a stream has all of its device's.
_MOST = 1 << 16  # words of a mask


def _full(device: Device) -> list[int]:
    units = int(device.info["compute_units"])
    return [(1 << min(32, units - first)) - 1 for first in range(0, units, 32)]


def _words(mask: Any, count: int) -> list[int]:
    if isinstance(mask, (tuple, list)):
        return [int(word) for word in mask[:count]]
    data = bytes_of(mask, 4 * count, "mask")
    return [int.from_bytes(data[place : place + 4], "little") for place in range(0, len(data), 4)]


@function(1)
def hipExtStreamCreateWithCUMask(cuMaskSize: int, cuMask: Any) -> Any:
    """Create a stream with all compute units of this thread's device; fewer are refused."""
    if not 0 < cuMaskSize <= _MOST or (not isinstance(cuMask, (tuple, list)) and not address(cuMask)):
        raise HipError(Error.hipErrorInvalidValue, "expected a mask of compute units, got none")
    words, full = _words(cuMask, cuMaskSize), _full(current())
    if len(words) < len(full) or any(word & all != all for word, all in zip(words, full, strict=False)):
        raise HipError(Error.hipErrorNotSupported, f"expected all {current().info['compute_units']} compute units")
    return _streams._new(types.hipStreamDefault, 0)


@function()
def hipExtStreamGetCUMask(stream: Any, cuMaskSize: int, cuMask: Any) -> None:
    """Write a bit for each compute unit of a stream: all of its device's."""
    full = _full(_itself(stream).device)
    if not address(cuMask) or cuMaskSize < len(full):
        raise HipError(Error.hipErrorInvalidValue, f"expected room for {len(full)} ints of 32 bits, got {cuMaskSize}")
    if cuMaskSize > _MOST:
        raise HipError(Error.hipErrorInvalidValue, f"expected room for up to {_MOST} ints of 32 bits, got {cuMaskSize}")
    data = (ctypes.c_uint32 * cuMaskSize)(*full)
    put_bytes(cuMask, bytes(data), "mask")
