"""Other kinds of memory: with flags, of three dimensions, and memory that the program registers."""

from __future__ import annotations

from typing import Any

from launchpath.hip._devices.current import current
from launchpath.hip._memory import allocations as _allocations
from launchpath.hip._memory import memory as _memory
from launchpath.hip._memory.allocations import DEVICE, SIGNAL, allocate
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.values import place_of, struct_of

_UNCACHED = 3  # hipDeviceMallocUncached, which the bindings do not name
_SIGNAL_SIZE = 8  # bytes


@function(1)
def hipExtMallocWithFlags(sizeBytes: int, flags: int) -> Any:
    """Allocate memory of the device, or the 8 bytes that streams wait for."""
    if flags == types.hipMallocSignalMemory:
        if sizeBytes != _SIGNAL_SIZE:
            raise HipError(Error.hipErrorInvalidValue, f"expected {_SIGNAL_SIZE} bytes, got {sizeBytes}")
        return _memory._array(allocate(current(), sizeBytes, SIGNAL), sizeBytes)
    coherent = (types.hipDeviceMallocFinegrained, _UNCACHED)
    if flags in coherent and not current().info.get("host_accessible"):
        raise HipError(Error.hipErrorNotSupported, f"{current().name!r} has no memory that is coherent at any time")
    if flags not in (types.hipDeviceMallocDefault, *coherent):
        raise HipError(Error.hipErrorInvalidValue, f"expected hipDeviceMallocDefault, got flags of {flags:#x}")
    return _memory._array(allocate(current(), sizeBytes, DEVICE), sizeBytes)


@function(1)
def hipMalloc3D(extent: Any) -> Any:
    """Allocate slices of rows; the output has the bytes from row to row."""
    extent = struct_of(types.hipExtent, extent)
    memory, pitch = _memory._rows(extent.width, extent.height * extent.depth)
    result = types.hipPitchedPtr()
    result.ptr, result.pitch, result.xsize, result.ysize = memory, pitch, extent.width, extent.height
    return result


@function()
def hipHostRegister(hostPtr: Any, sizeBytes: int, flags: int) -> None:
    """Take over memory of the program's own: copies of it no longer wait, so it must stay until it is unregistered.

    It is not pinned: on CUDA and HIP devices copies of it go through pinned memory. Kernels reach it on CPUs only.
    """
    usual_flags = types.hipHostRegisterPortable | types.hipHostRegisterMapped
    if not address(hostPtr) or sizeBytes <= 0 or flags & ~(usual_flags | types.hipHostRegisterIoMemory):
        raise HipError(Error.hipErrorInvalidValue, f"expected memory and its flags, got {sizeBytes} bytes, {flags:#x}")
    if flags & types.hipHostRegisterIoMemory:
        raise HipError(Error.hipErrorNotSupported, "launchpath does not register memory of other devices")
    if flags & types.hipHostRegisterMapped and current().info["kind"] != "cpu":
        raise HipError(Error.hipErrorNotSupported, f"kernels of {current().name!r} do not reach registered memory")
    place_of(hostPtr, sizeBytes, written=True, noun="memory of the host")
    _allocations.register(current(), address(hostPtr), sizeBytes, flags)


@function()
def hipHostUnregister(hostPtr: Any) -> None:
    """Give memory of the program's own back, when the device is idle."""
    if not address(hostPtr):
        raise HipError(Error.hipErrorInvalidValue, "expected registered memory, got a null pointer")
    _allocations.unregister(address(hostPtr))
