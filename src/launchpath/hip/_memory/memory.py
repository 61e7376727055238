"""Memory: of the device, of the host, and managed; and what is known of an address."""

from __future__ import annotations

from typing import Any

from launchpath.hip._devices.current import current, number_of
from launchpath.hip._memory import allocations as _allocations
from launchpath.hip._memory.allocations import DEVICE, HOST, MANAGED, SIGNAL, allocate
from launchpath.hip._streams.capturing import Capturing
from launchpath.hip._streams.streams import stream_of
from launchpath.hip._types.bindings import DeviceArray, Error, Pointer, address, types
from launchpath.hip._types.errors import HipError, function

PITCH = 256  # bytes that rows of two-dimensional memory are a multiple of


def _array(pointer: int, size: int) -> Any:
    array = DeviceArray.fromObj(pointer)
    return array.configure(_force=True, typestr="B", shape=(size,)) if pointer else array


@function(1)
def hipMalloc(size: int) -> Any:
    """Allocate memory of this thread's device."""
    return _array(allocate(current(), size, DEVICE), size)


@function(1)
def hipMallocAsync(size: int, stream: Any) -> Any:
    """Allocate memory in the order of a stream."""
    order = stream_of(stream)
    if isinstance(order, Capturing):
        return _array(order.allocate(size), size)
    return _array(allocate(order.device, size, DEVICE, order, pool=_allocations.pools[order.device]), size)


@function(1)
def hipMallocManaged(size: int, flags: int) -> Any:
    """Allocate memory that the host and the device reach at one address."""
    if flags not in (types.hipMemAttachGlobal, types.hipMemAttachHost):
        raise HipError(Error.hipErrorInvalidValue, f"expected hipMemAttachGlobal or hipMemAttachHost, got {flags}")
    if size == 0:
        raise HipError(Error.hipErrorInvalidValue, "expected a size in bytes, got 0")
    if not current().info.get("managed_memory"):
        raise HipError(Error.hipErrorNotSupported, f"{current().name!r} has no managed memory")
    return _array(allocate(current(), size, MANAGED, flags=flags), size)


def _rows(width: int, height: int) -> tuple[Any, int]:
    if min(width, height) < 0:
        raise HipError(Error.hipErrorInvalidValue, f"expected sizes of 0 or more, got {width} and {height}")
    pitch = -(-width // PITCH) * PITCH
    return Pointer.fromObj(allocate(current(), pitch * height, DEVICE)), pitch


@function(2)
def hipMallocPitch(width: int, height: int) -> tuple[Any, int]:
    """Allocate rows of `width` bytes; the second output is the bytes from row to row."""
    return _rows(width, height)


@function(2)
def hipMemAllocPitch(widthInBytes: int, height: int, elementSizeBytes: int) -> tuple[Any, int]:
    """Allocate rows of so many bytes; the second output is the bytes from row to row."""
    if elementSizeBytes not in (4, 8, 16):
        raise HipError(Error.hipErrorInvalidValue, f"expected elements of 4, 8 or 16 bytes, got {elementSizeBytes}")
    return _rows(widthInBytes, height)


_HOST_FLAGS = (
    types.hipHostMallocPortable
    | types.hipHostMallocMapped
    | types.hipHostMallocWriteCombined
    | types.hipHostMallocNumaUser
    | types.hipHostMallocCoherent
    | types.hipHostMallocNonCoherent
) & 0xFFFFFFFF


def _host(size: int, flags: int) -> Any:
    flags &= 0xFFFFFFFF  # hipHostMallocNonCoherent is a negative int in the bindings
    coherence = (types.hipHostMallocCoherent | types.hipHostMallocNonCoherent) & 0xFFFFFFFF
    if flags & ~_HOST_FLAGS or flags & coherence == coherence:
        raise HipError(Error.hipErrorInvalidValue, f"expected flags hipHostMalloc..., got {flags:#x}")
    return Pointer.fromObj(allocate(current(), size, HOST, flags=flags))


@function(1)
def hipHostMalloc(size: int, flags: int) -> Any:
    """Allocate memory of the host that the device copies from and to directly."""
    return _host(size, flags)


@function(1)
def hipHostAlloc(size: int, flags: int) -> Any:
    """Allocate memory of the host that the device copies from and to directly."""
    return _host(size, flags)


@function(1)
def hipMallocHost(size: int) -> Any:
    """Allocate memory of the host that the device copies from and to directly."""
    return _host(size, 0)


@function(1)
def hipMemAllocHost(size: int) -> Any:
    """Allocate memory of the host that the device copies from and to directly."""
    return _host(size, 0)


@function()
def hipFree(ptr: Any) -> None:
    """Free memory of a device, or managed memory, when the device is idle. The null pointer is nothing."""
    _allocations.free(address(ptr), DEVICE, MANAGED, SIGNAL, wrong=Error.hipErrorInvalidDevicePointer)


@function()
def hipFreeAsync(dev_ptr: Any, stream: Any) -> None:
    """Free memory of a device behind what a stream has been given."""
    order = stream_of(stream)
    if not address(dev_ptr):
        raise HipError(Error.hipErrorInvalidValue, "expected memory of the device, got a null pointer")
    if isinstance(order, Capturing):
        order.free(address(dev_ptr))
        return
    _allocations.free_in_order(address(dev_ptr), order)


@function()
def hipHostFree(ptr: Any) -> None:
    """Free memory of the host, when the device is idle. The null pointer is nothing."""
    _allocations.free(address(ptr), HOST)


@function()
def hipFreeHost(ptr: Any) -> None:
    """Free memory of the host, when the device is idle. The null pointer is nothing."""
    _allocations.free(address(ptr), HOST)


@function(1)
def hipHostGetFlags(hostPtr: Any) -> int:
    """Return the flags that memory of the host was allocated with."""
    allocation = _allocations.find(address(hostPtr))
    if allocation is None or not allocation.of_host:
        raise HipError(Error.hipErrorInvalidValue, "expected memory of hipHostMalloc or hipHostRegister")
    return allocation.flags


@function(1)
def hipHostGetDevicePointer(hstPtr: Any, flags: int) -> Any:
    """Return the address by which a device reaches memory of the host."""
    allocation = _allocations.find(address(hstPtr))
    if flags or allocation is None or not allocation.of_host:
        raise HipError(Error.hipErrorInvalidValue, "expected memory of hipHostMalloc, and flags of 0")
    if allocation.memory is None and allocation.device.info["kind"] != "cpu":
        raise HipError(Error.hipErrorNotSupported, f"{allocation.device.name!r} does not reach registered memory")
    return Pointer.fromObj(address(hstPtr))


@function(2)
def hipMemGetInfo() -> tuple[int, int]:
    """Return the bytes of this thread's device that are free, and all."""
    info = current().memory_info()
    return int(info["free"]), int(info["total"])


@function(2)
def hipMemGetAddressRange(dptr: Any) -> tuple[Any, int]:
    """Return the begin and the bytes of the memory that an address is in."""
    allocation = _allocations.find(address(dptr))
    if allocation is None:
        raise HipError(Error.hipErrorNotFound, f"{address(dptr):#x} is in no memory of the device")
    return Pointer.fromObj(allocation.address), allocation.size


@function(1)
def hipMemPtrGetInfo(ptr: Any) -> int:
    """Return the bytes of the memory that an address is in."""
    allocation = _allocations.find(address(ptr))
    if allocation is None:
        raise HipError(Error.hipErrorInvalidValue, f"{address(ptr):#x} is in no memory of the device")
    return allocation.size


@function(1)
def hipPointerGetAttributes(ptr: Any) -> Any:
    """Return what an address is: whose memory, and of which kind."""
    pointer = address(ptr)
    allocation = _allocations.find(pointer)
    if allocation is None:
        raise HipError(Error.hipErrorInvalidValue, f"{pointer:#x} is in no memory that HIP's functions allocated")
    attributes = types.hipPointerAttribute_t()
    kinds = types.hipMemoryType
    by_kind = {DEVICE: kinds.hipMemoryTypeDevice, MANAGED: kinds.hipMemoryTypeManaged}
    attributes.type = by_kind.get(allocation.kind, kinds.hipMemoryTypeHost)
    attributes.device = number_of(allocation.device)
    attributes.devicePointer = pointer
    attributes.hostPointer = 0 if allocation.kind == DEVICE else pointer
    attributes.isManaged = int(allocation.kind == MANAGED)
    attributes.allocationFlags = allocation.flags
    return attributes
