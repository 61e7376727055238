"""Symbols: variables of modules, by the address of `hipModuleGetGlobal` or by their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from launchpath import errors
from launchpath._memory.array import Array
from launchpath.hip._copies import copies
from launchpath.hip._copies.kinds import FROM_DEVICE, TO_DEVICE, check_kind
from launchpath.hip._devices.current import current
from launchpath.hip._launches import modules
from launchpath.hip._streams.streams import stream_of
from launchpath.hip._types.bindings import Error, Pointer, address
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.values import text_of


def _by_name(name: str) -> Array | None:
    """Return a variable of the module of this thread's device that was loaded last."""
    for _, module in reversed(modules._modules.items()):
        if module.program.device is current():
            try:
                if name not in module.arrays:
                    module.arrays[name] = module.program.symbol(name)
                return module.arrays[name]
            except errors.ArgumentValueError:
                continue
    return None


_host_variables: list[Callable[[int], Array | None]] = []


def register_host_variables(find_at: Callable[[int], Array | None]) -> None:
    """Name the function that returns a compiled program's variable by the address of the host's, or None."""
    _host_variables.append(find_at)


def find(symbol: Any) -> Array:
    """Return the variable that a symbol is."""
    if isinstance(symbol, (str, bytes, bytearray)):
        array = _by_name(text_of(symbol))
    else:
        place = address(symbol)
        arrays = (array for _, module in modules._modules.items() for array in list(module.arrays.values()))
        array = next((each for each in arrays if each.pointer == place), None)
        for find_at in _host_variables if array is None else ():
            array = find_at(place)
    if array is None:
        raise HipError(
            Error.hipErrorInvalidSymbol,
            f"expected the name of a variable of a loaded module, or its address of hipModuleGetGlobal, got {symbol!r}",
        )
    return array


def part_of(symbol: Any, size: int, offset: int, kind: Any, allowed: tuple[Any, ...]) -> tuple[Array, int]:
    """Return the variable that a symbol is, and the address of a part of it."""
    array = find(symbol)
    check_kind(kind, allowed)
    if offset < 0 or offset + size > array.nbytes:
        raise HipError(
            Error.hipErrorInvalidValue,
            f"expected at most the variable's {array.nbytes} bytes, got {size} from {offset} on",
        )
    return array, array.pointer + offset


def _part(symbol: Any, size: int, offset: int, kind: Any, allowed: tuple[Any, ...], stream: Any) -> tuple[Array, int]:
    array, place = part_of(symbol, size, offset, kind, allowed)
    if stream_of(stream).device is not array.device:
        raise HipError(Error.hipErrorInvalidValue, f"expected a stream of the variable's device, {array.device.name!r}")
    return array, place


@function(1)
def hipGetSymbolAddress(symbol: Any) -> Any:
    """Return the address of a variable."""
    return Pointer.fromObj(find(symbol).pointer)


@function(1)
def hipGetSymbolSize(symbol: Any) -> int:
    """Return the bytes of a variable."""
    return find(symbol).nbytes


def _write(symbol: Any, src: Any, size: int, offset: int, kind: Any, stream: Any, waits: bool) -> None:
    array, place = _part(symbol, size, offset, kind, TO_DEVICE, stream)
    copies._copy(place, src, size, kind, stream, waits, owner=array)


def _read(dst: Any, symbol: Any, size: int, offset: int, kind: Any, stream: Any, waits: bool) -> None:
    array, place = _part(symbol, size, offset, kind, FROM_DEVICE, stream)
    copies._copy(dst, place, size, kind, stream, waits, owner=array)


@function()
def hipMemcpyToSymbol(symbol: Any, src: Any, sizeBytes: int, offset: int, kind: Any) -> None:
    """Copy bytes to a variable, and wait for it."""
    _write(symbol, src, sizeBytes, offset, kind, None, True)


@function()
def hipMemcpyToSymbolAsync(symbol: Any, src: Any, sizeBytes: int, offset: int, kind: Any, stream: Any) -> None:
    """Copy bytes to a variable on a stream, and wait for it: a module may be unloaded at any time."""
    _write(symbol, src, sizeBytes, offset, kind, stream, False)


@function()
def hipMemcpyFromSymbol(dst: Any, symbol: Any, sizeBytes: int, offset: int, kind: Any) -> None:
    """Copy bytes of a variable, and wait for it."""
    _read(dst, symbol, sizeBytes, offset, kind, None, True)


@function()
def hipMemcpyFromSymbolAsync(dst: Any, symbol: Any, sizeBytes: int, offset: int, kind: Any, stream: Any) -> None:
    """Copy bytes of a variable on a stream, and wait for it: a module may be unloaded at any time."""
    _read(dst, symbol, sizeBytes, offset, kind, stream, False)
