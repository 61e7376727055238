"""Memory pools: launchpath's own pool of a device is the default one; others count what programs have from them."""

from __future__ import annotations

import threading
from typing import Any

from launchpath._streams.device import Device
from launchpath.hip._devices.current import all_devices, device_at
from launchpath.hip._devices.limits import check
from launchpath.hip._devices.reset import on_reset
from launchpath.hip._memory import allocations as _allocations
from launchpath.hip._memory import memory, waiting
from launchpath.hip._memory.allocations import DEVICE, allocate
from launchpath.hip._streams.capturing import Capturing
from launchpath.hip._streams.streams import stream_of
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.handles import Handles
from launchpath.hip._types.values import read, struct_of, write

_ATTRIBUTES = types.hipMemPoolAttr
_FLAGS = types.hipMemAccessFlags
_REUSE = (
    _ATTRIBUTES.hipMemPoolReuseFollowEventDependencies,
    _ATTRIBUTES.hipMemPoolReuseAllowOpportunistic,
    _ATTRIBUTES.hipMemPoolReuseAllowInternalDependencies,
)


class Pool:
    """A pool, which counts its memory.

    Attributes
    ----------
    reuse : dict of hipMemPoolAttr to int
        What programs have allowed. launchpath reuses memory whose uses have ended or are ordered, whatever they allow.
    threshold : int
        The bytes that a program wants to stay reserved. launchpath keeps all until `hipMemPoolTrimTo`.
    """

    def __init__(self, device: Device, most: int = 0, default: bool = False) -> None:
        self.device, self.most, self.default = device, most, default
        self.used = self.highest = self.highest_reserved = 0
        self.threshold, self.reuse = 0, dict.fromkeys(_REUSE, 1)
        self._lock = threading.Lock()

    def enter(self, size: int) -> None:
        """Count memory that is allocated, or refuse it."""
        with self._lock:
            if self.most and self.used + size > self.most:
                left = self.most - self.used
                raise HipError(Error.hipErrorOutOfMemory, f"expected at most the pool's {left} bytes, got {size}")
            self.used += size
            self.highest = max(self.highest, self.used)

    def leave(self, size: int) -> None:
        """Count memory that is freed."""
        with self._lock:
            self.used -= size

    def reserved(self) -> int:
        """Return the bytes that are not the driver's."""
        info = self.device.memory_info()
        now = info["in_use"] + info["waiting"] + info["pooled"] if self.default else self.used
        with self._lock:
            self.highest_reserved = max(self.highest_reserved, self.highest, now)
        return now

    def forget_highest(self) -> None:
        """Count the most bytes in use from now on."""
        with self._lock:
            self.highest = self.used

    def forget_highest_reserved(self) -> None:
        """Count the most bytes that are reserved from now on."""
        with self._lock:
            self.highest_reserved = 0
        self.reserved()


_pools: Handles[Pool] = Handles(types.ihipMemPoolHandle_t, Error.hipErrorInvalidValue)
_defaults: dict[Device, Any] = {}  # handles
_lock = threading.Lock()


def _default_of(device: Device) -> Any:
    with _lock:
        if device not in _defaults:
            _defaults[device] = _pools.add(Pool(device, default=True))
        _allocations.pools.setdefault(device, _pools.find(_defaults[device]))
        return _defaults[device]


def _handle_of(pool: Any) -> Any:
    return next(types.ihipMemPoolHandle_t(handle) for handle, other in _pools.items() if other is pool)


class _Current(dict[Device, _allocations.PoolOf]):
    """The pools that `hipMallocAsync` allocates from: the default one at first."""

    def __missing__(self, device: Device) -> _allocations.PoolOf:
        return _pools.find(_default_of(device))


_allocations.pools = _Current()


@function(1)
def hipDeviceGetDefaultMemPool(device: int) -> Any:
    """Return the default pool of a device."""
    return _default_of(device_at(device))


@function(1)
def hipDeviceGetMemPool(device: int) -> Any:
    """Return the pool that `hipMallocAsync` allocates from."""
    subject = _valid(device)
    _default_of(subject)
    return _handle_of(_allocations.pools[subject])


@function()
def hipDeviceSetMemPool(device: int, mem_pool: Any) -> None:
    """Let `hipMallocAsync` allocate from a pool."""
    subject = device_at(device)
    pool = _pools.find(mem_pool)
    if pool.device is not subject:
        raise HipError(Error.hipErrorInvalidDevice, f"expected a pool of {subject.name!r}, got one of another device")
    _allocations.pools[subject] = pool


@function(1)
def hipMemPoolCreate(pool_props: Any) -> Any:
    """Create a pool of a device. Its memory comes from launchpath's pool of the device."""
    pool_props = struct_of(types.hipMemPoolProps, pool_props)
    if pool_props.allocType != types.hipMemAllocationType.hipMemAllocationTypePinned:
        raise HipError(Error.hipErrorInvalidValue, "expected properties with hipMemAllocationTypePinned")
    if pool_props.handleTypes != types.hipMemAllocationHandleType.hipMemHandleTypeNone:
        raise HipError(Error.hipErrorNotSupported, "launchpath shares no memory with other processes")
    return _pools.add(Pool(_device_of(pool_props.location), int(pool_props.maxSize)))


@function()
def hipMemPoolDestroy(mem_pool: Any) -> None:
    """Destroy a pool; its memory stays until it is freed."""
    pool = _pools.find(mem_pool)
    if pool.default:
        raise HipError(Error.hipErrorInvalidValue, "a default pool cannot be destroyed")
    _pools.remove(mem_pool)
    if _allocations.pools.get(pool.device) is pool:
        _allocations.pools[pool.device] = _pools.find(_default_of(pool.device))


@function(1)
def hipMallocFromPoolAsync(size: int, mem_pool: Any, stream: Any) -> Any:
    """Allocate memory of a pool in the order of a stream."""
    pool = _pools.find(mem_pool)
    order = stream_of(stream, pool.device)
    if isinstance(order, Capturing):
        order.refuse("an allocation from a pool that is named")
    if order.device is not pool.device:
        raise HipError(Error.hipErrorInvalidValue, f"expected a stream of the pool's device, {pool.device.name!r}")
    return memory._array(allocate(pool.device, size, DEVICE, order, pool=pool), size)


@function()
def hipMemPoolTrimTo(mem_pool: Any, min_bytes_to_hold: int) -> None:
    """Return memory that is not in use to the driver, if the pool holds enough without it."""
    pool = _pools.find(mem_pool)
    waiting.free_passed()
    info = pool.device.memory_info()
    if info["in_use"] + info["waiting"] >= min_bytes_to_hold:
        pool.device.trim_memory()


@function()
def hipMemPoolGetAttribute(mem_pool: Any, attr: Any, value: Any) -> None:
    """Write an attribute of a pool where a pointer says: an int of 32 bits for reuse, and of 64 bits for sizes."""
    pool, kind = _pools.find(mem_pool), check(_ATTRIBUTES, attr)
    if kind in _REUSE:
        write(value, pool.reuse[kind], 4)
        return
    sizes = {
        _ATTRIBUTES.hipMemPoolAttrReleaseThreshold: pool.threshold,
        _ATTRIBUTES.hipMemPoolAttrReservedMemCurrent: pool.reserved(),
        _ATTRIBUTES.hipMemPoolAttrReservedMemHigh: pool.highest_reserved,
        _ATTRIBUTES.hipMemPoolAttrUsedMemCurrent: pool.used,
        _ATTRIBUTES.hipMemPoolAttrUsedMemHigh: pool.highest,
    }
    write(value, sizes[kind], 8)


@function()
def hipMemPoolSetAttribute(mem_pool: Any, attr: Any, value: Any) -> None:
    """Set what a pool reuses and keeps, which changes nothing, or its most bytes to 0: they are counted from now on."""
    pool, kind = _pools.find(mem_pool), check(_ATTRIBUTES, attr)
    forget = {
        _ATTRIBUTES.hipMemPoolAttrUsedMemHigh: pool.forget_highest,
        _ATTRIBUTES.hipMemPoolAttrReservedMemHigh: pool.forget_highest_reserved,
    }
    if kind in _REUSE:
        pool.reuse[kind] = read(value, 4)
    elif kind == _ATTRIBUTES.hipMemPoolAttrReleaseThreshold:
        pool.threshold = read(value, 8)
    elif kind in forget and read(value, 8) == 0:
        forget[kind]()
    else:
        raise HipError(Error.hipErrorInvalidValue, f"{kind.name} cannot be set, other than the most bytes to 0")


def _device_of(location: Any) -> Device:
    location = struct_of(types.hipMemLocation, location)
    if location.type != types.hipMemLocationType.hipMemLocationTypeDevice:
        raise HipError(Error.hipErrorInvalidValue, "expected a location of hipMemLocationTypeDevice")
    return _valid(location.id)


def _valid(number: int) -> Device:
    """Return a device by its number; pools have another code than devices for a wrong one."""
    if not 0 <= number < len(all_devices()):
        raise HipError(Error.hipErrorInvalidValue, f"expected the number of a device, got {number}")
    return device_at(number)


def _placed(location: Any, type: Any) -> Device:
    """Return the device of a location, for memory that has pools."""
    if check(types.hipMemAllocationType, type) != types.hipMemAllocationType.hipMemAllocationTypePinned:
        raise HipError(Error.hipErrorInvalidValue, f"expected hipMemAllocationTypePinned, got {type!r}")
    return _device_of(location)


@function(1)
def hipMemGetDefaultMemPool(location: Any, type: Any) -> Any:
    """Return the default pool of a location, which is a device."""
    return _default_of(_placed(location, type))


@function(1)
def hipMemGetMemPool(location: Any, type: Any) -> Any:
    """Return the pool of a location, which is a device, that `hipMallocAsync` allocates from."""
    return _handle_of(_allocations.pools[_placed(location, type)])


_access: dict[tuple[Pool, Device], Any] = {}


@function(1)
def hipMemPoolGetAccess(mem_pool: Any, location: Any) -> Any:
    """Return whether kernels of a device may use a pool's memory."""
    pool, device = _pools.find(mem_pool), _device_of(location)
    if device is pool.device:
        return _FLAGS.hipMemAccessFlagsProtReadWrite
    return _access.get((pool, device), _FLAGS.hipMemAccessFlagsProtNone)


@function()
def hipMemPoolSetAccess(mem_pool: Any, desc_list: Any, count: int) -> None:
    """Let kernels of devices use a pool's memory; the pool's own device always may."""
    pool = _pools.find(mem_pool)
    if count <= 0 or (not isinstance(desc_list, (tuple, list)) and (count > 1 or not address(desc_list))):
        raise HipError(Error.hipErrorInvalidValue, "expected a hipMemAccessDesc, or a list of so many")
    listed = desc_list[:count] if isinstance(desc_list, (tuple, list)) else [desc_list]
    for description in [struct_of(types.hipMemAccessDesc, each) for each in listed]:
        device, flags = _device_of(description.location), check(_FLAGS, description.flags)
        if device is pool.device:
            if flags != _FLAGS.hipMemAccessFlagsProtReadWrite:
                raise HipError(Error.hipErrorInvalidValue, "expected read and write access of the pool's own device")
            continue
        if flags != _FLAGS.hipMemAccessFlagsProtNone:
            if not device.can_access_peer(pool.device):
                raise HipError(Error.hipErrorInvalidDevice, f"{device.name!r} cannot access {pool.device.name!r}")
            device.enable_peer(pool.device)
        _access[pool, device] = flags


@on_reset
def _forget(device: Device) -> None:
    for handle, pool in _pools.items():
        if pool.device is device and not pool.default:
            _pools.remove(handle)
    _allocations.pools.pop(device, None)


def pool_of(allocation: _allocations.Allocation) -> int:
    """Return the handle of the pool that memory is of, or 0."""
    return int(_handle_of(allocation.pool)) if allocation.pool is not None else 0
