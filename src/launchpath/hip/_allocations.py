"""Memory that programs have from HIP's functions, by its address."""

from __future__ import annotations

import bisect
import threading
from dataclasses import dataclass

from launchpath import _core
from launchpath._streams.device import Device
from launchpath._streams.event import Event
from launchpath._streams.stream import Stream
from launchpath.errors import AsynchronousError
from launchpath.hip._bindings import Error
from launchpath.hip._errors import HipError

DEVICE, HOST, MANAGED = 0, 1, 2  # as the pool numbers its kinds


@dataclass(frozen=True)
class Allocation:
    """A piece of memory."""

    address: int
    size: int
    kind: int
    device: Device
    memory: _core.Allocation
    flags: int = 0


_lock = threading.RLock()
_addresses: list[int] = []  # in order
_allocations: dict[int, Allocation] = {}
_waiting: dict[_core.Allocation, Event] = {}  # freed in the order of a stream: each behind its event


def allocate(device: Device, size: int, kind: int, stream: Stream | None = None, flags: int = 0) -> int:
    """Get memory; 0 bytes are the null pointer."""
    if size < 0:
        raise HipError(Error.hipErrorInvalidValue, f"expected a size in bytes, got {size}")
    if size == 0:
        return 0
    free_waiting()
    memory = device.pool.allocate(size, stream, kind)
    allocation = Allocation(memory.pointer, size, kind, device, memory, flags)
    with _lock:
        bisect.insort(_addresses, allocation.address)
        _allocations[allocation.address] = allocation
    return allocation.address


def find(address: int) -> Allocation | None:
    """Return the memory that an address is in."""
    with _lock:
        place = bisect.bisect_right(_addresses, address) - 1
        if place < 0:
            return None
        allocation = _allocations[_addresses[place]]
    return allocation if address < allocation.address + allocation.size else None


def need(address: int, size: int, role: str) -> Allocation:
    """Return the memory of so many bytes from an address on; all of them must be in it."""
    allocation = find(address)
    if allocation is None:
        raise HipError(Error.hipErrorInvalidValue, f"{role}: {address:#x} is in no memory of the device")
    check(allocation, address, size, role)
    return allocation


def check(allocation: Allocation, address: int, size: int, role: str) -> None:
    """Refuse bytes behind the end of the memory that they begin in."""
    left = allocation.address + allocation.size - address
    if size > left:
        raise HipError(
            Error.hipErrorInvalidValue,
            f"{role}: expected at most {left} bytes from {address:#x} to the end of its memory, got {size}",
        )


def _at(address: int, *kinds: int) -> Allocation:
    with _lock:
        allocation = _allocations.get(address)
    if allocation is None or allocation.kind not in kinds:
        raise HipError(Error.hipErrorInvalidValue, f"{address:#x} is not the begin of such memory")
    return allocation


def _take(address: int, *kinds: int) -> Allocation:
    with _lock:
        allocation = _at(address, *kinds)
        del _allocations[address]
        _addresses.pop(bisect.bisect_left(_addresses, address))
    return allocation


def free(address: int, *kinds: int) -> None:
    """Free memory, when its device is idle: what the program submitted may use it, and launches do not tell."""
    if address:
        _at(address, *kinds).device.synchronize()  # before the memory is taken: this may fail
        _take(address, *kinds).memory.free()


def free_in_order(address: int, stream: Stream) -> None:
    """Free memory behind what a stream has been given."""
    if address:
        _at(address, DEVICE)
        event = stream.record()  # before the memory is taken: this may fail
        with _lock:  # of two threads that free an address, the second is refused here
            _waiting[_take(address, DEVICE).memory] = event
    free_waiting()


def free_waiting() -> None:
    """Free what streams have passed.

    If an event raises, the memory behind the other events waits further.
    """
    with _lock:
        waiting = list(_waiting.items())
    for memory, event in waiting:
        try:
            passed = event.query()
        except AsynchronousError:  # its work has ended, and it raises at every query
            _give_back(memory)
            raise
        if passed:
            _give_back(memory)


def _give_back(memory: _core.Allocation) -> None:
    with _lock:
        _waiting.pop(memory, None)
    memory.free()


def count() -> int:
    """Count the pieces of memory; for tests."""
    return len(_allocations)
