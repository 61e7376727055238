"""Memory that programs have from HIP's functions, by its address."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from launchpath import _core
from launchpath._streams.device import Device
from launchpath._streams.stream import Stream
from launchpath.hip._devices.reset import on_reset
from launchpath.hip._memory import waiting
from launchpath.hip._types.bindings import Error
from launchpath.hip._types.errors import HipError

DEVICE, HOST, MANAGED = 0, 1, 2  # as the pool numbers its kinds
SIGNAL, REGISTERED = 3, 4  # of the host: that of hipMallocSignalMemory, and the program's own
_ALL = 1 << 64  # bytes that addresses reach


@dataclass(frozen=True)
class Allocation:
    """A piece of memory."""

    address: int
    size: int
    kind: int
    device: Device
    memory: _core.Allocation | None  # None: the program's own
    flags: int = 0
    pool: PoolOf | None = None  # that counts it

    @property
    def of_host(self) -> bool:
        """Whether it is the host's."""
        return self.kind in (HOST, SIGNAL, REGISTERED)


class PoolOf(Protocol):
    """What counts memory."""

    def enter(self, size: int) -> None:
        """Count memory that is allocated, or refuse it."""

    def leave(self, size: int) -> None:
        """Count memory that is freed."""


_lock = threading.RLock()  # of those that look at the core's table of addresses and change it then
pools: dict[Device, PoolOf] = {}  # that hipMallocAsync allocates from
_dropped: deque[Allocation] = deque()  # that graphs had which are gone


def allocate(
    device: Device, size: int, kind: int, stream: Stream | None = None, flags: int = 0, pool: PoolOf | None = None
) -> int:
    """Get memory; 0 bytes are the null pointer."""
    if size < 0:
        raise HipError(Error.hipErrorInvalidValue, f"expected a size in bytes, got {size}")
    if size == 0:
        return 0
    waiting.free_passed()
    _free_dropped()
    if pool is not None:
        pool.enter(size)
    try:
        memory, address = _pooled(device, size, kind, stream)
    except BaseException:
        if pool is not None:
            pool.leave(size)
        raise
    _add(Allocation(address, size, kind, device, memory, flags, pool))
    return address


def _pooled(device: Device, size: int, kind: int, stream: Stream | None) -> tuple[_core.Allocation, int]:
    """Allocate from the device's pool; where texture units read it at an address that they take."""
    of_pool = HOST if kind == SIGNAL else kind
    memory = device.pool.allocate(size, stream, of_pool)
    alignment = _core.HIP_ALIGNMENT
    if kind not in (DEVICE, MANAGED) or not memory.pointer % alignment or _core.reads_textures_in_software(device):
        return memory, memory.pointer
    memory.free()
    memory = device.pool.allocate(size + alignment, stream, of_pool)
    return memory, memory.pointer + -memory.pointer % alignment


def _add(allocation: Allocation) -> None:
    with _lock:
        _forget_registered(allocation.address, allocation.size)
        begin, size, kind, device = allocation.address, allocation.size, allocation.kind, allocation.device
        if not _core.address_add(begin, size, kind, device, allocation):
            raise RuntimeError(f"{begin:#x}: HIP's functions have given out this memory already")


def _forget_registered(address: int, size: int) -> None:
    """Forget memory that the program registered and has freed since: its addresses are those of other memory now.

    Caller holds the lock.
    """
    for stale in list(_overlapping(address, size)):
        if stale.kind == REGISTERED:
            _remove(stale)


def _overlapping(address: int, size: int) -> Iterator[Allocation]:
    """Give the pieces that have a byte of some memory. Caller holds the lock."""
    piece = _core.address_of(address) or _core.address_next(address)
    while piece is not None and piece.address < address + size:
        yield piece
        piece = _core.address_next(piece.address)


def register(device: Device, address: int, size: int, flags: int) -> None:
    """Know memory of the program's own."""
    with _lock:
        if find(address) is not None or any(_overlapping(address, size)):
            raise HipError(Error.hipErrorHostMemoryAlreadyRegistered, f"{address:#x}: HIP's functions know the memory")
        _add(Allocation(address, size, REGISTERED, device, None, flags))


def unregister(address: int) -> None:
    """Forget memory of the program's own, when its device is idle."""
    with _lock:
        allocation = _core.address_at(address)
    if allocation is None or allocation.kind != REGISTERED:
        raise HipError(Error.hipErrorHostMemoryNotRegistered, f"{address:#x} is not the begin of registered memory")
    allocation.device.synchronize()
    _take(address, REGISTERED)


@on_reset
def _forget(device: Device) -> None:
    with _lock:
        allocations = [allocation for allocation in _overlapping(0, _ALL) if allocation.device is device]
    for allocation in allocations:
        _free(_take(allocation.address, allocation.kind))
    waiting.free_passed()


def _free(allocation: Allocation) -> None:
    if allocation.memory is not None:
        allocation.memory.free()


def drop(allocation: Allocation) -> None:
    """Let memory be freed that only a graph had, by the next call here.

    Finalizers call this, on any thread and within any function here: it neither waits nor changes what these look at.
    """
    _dropped.append(allocation)


def _free_dropped() -> None:
    """Free what was dropped; the pool gives it out again when no stream uses it any more."""
    with suppress(IndexError):
        while True:
            allocation = _dropped.popleft()
            with _lock:
                is_current = _remove(allocation)
            if is_current:
                _free(allocation)


def find(address: int) -> Allocation | None:
    """Return the memory that an address is in."""
    if _dropped:
        _free_dropped()
    known: Allocation | None = _core.address_of(address) if 0 <= address < _ALL else None
    return known


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


def _beginning_at(address: int, *kinds: int, wrong: Any = Error.hipErrorInvalidValue) -> Allocation:
    if _dropped:
        _free_dropped()
    allocation: Allocation | None = _core.address_at(address) if 0 <= address < _ALL else None
    if allocation is None or allocation.kind not in kinds:
        raise HipError(wrong, f"{address:#x} is not the begin of such memory")
    return allocation


def _take(address: int, *kinds: int, wrong: Any = Error.hipErrorInvalidValue) -> Allocation:
    with _lock:
        allocation = _beginning_at(address, *kinds, wrong=wrong)
        _remove(allocation)
    if allocation.pool is not None:
        allocation.pool.leave(allocation.size)
    return allocation


def _remove(allocation: Allocation) -> bool:
    """Know it no more; False if it is not known. Caller holds the lock."""
    return _core.address_remove(allocation.address, allocation)


_core.register_address_thing(Allocation)


def free(address: int, *kinds: int, wrong: Any = Error.hipErrorInvalidValue) -> None:
    """Free memory, when its device is idle: what the program submitted may use it, and launches do not tell.

    Parameters
    ----------
    address : int
        Where it begins.
    *kinds : int
        The kinds that it may be of.
    wrong : Error
        The code if it is not.
    """
    if address:
        _beginning_at(address, *kinds, wrong=wrong).device.synchronize()  # before the memory is taken: this may fail
        _free(_take(address, *kinds, wrong=wrong))


def free_in_order(address: int, stream: Stream) -> None:
    """Free memory behind what a stream has been given."""
    if address:
        _beginning_at(address, DEVICE)
        event = stream.record()  # before the memory is taken: this may fail
        with _lock:  # of two threads that free an address, the second is refused here
            memory = _take(address, DEVICE).memory
            assert memory is not None  # the device's is launchpath's own
        waiting.add(memory, event, stream)
    waiting.free_passed()


def count() -> int:
    """Count the pieces of memory; for tests."""
    _free_dropped()
    return _core.address_count()
