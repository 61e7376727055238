"""Symbols: the memory of a program's ``__device__`` and ``__constant__`` variables, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from launchpath import _core
from launchpath._memory.array import Array
from launchpath._memory.creation import empty
from launchpath._streams.stream import Stream
from launchpath.errors import ArgumentValueError, DriverError

if TYPE_CHECKING:
    from launchpath._compiler.image import Image, Symbol
    from launchpath._streams.device import Device


def block(device: Device, image: Image) -> Array | None:
    """Make the block that the program's globals live in, and wait until it has its first content."""
    if not image.globals_size:
        return None
    memory = empty(image.globals_size, "uint8", device)
    content = np.frombuffer(bytearray(image.initial), np.uint8)
    for place, to in image.relocations:
        content[place : place + 8] = np.frombuffer((memory.pointer + to).to_bytes(8, "little"), np.uint8)
    stream = Stream(blocking=False, device=device)
    if len(content):
        memory[: len(content)].copy_from(content, stream)
    if len(content) < image.globals_size:
        memory[len(content) :].fill(0, stream)
    stream.synchronize()
    return memory


def in_block(symbol: Symbol, device: Device, block: Array) -> Array:
    """Give the memory of a global that lives in the program's block."""
    dtype = np.dtype(symbol.dtype)
    array = Array(
        block.allocation, device, dtype, _core.dtype_code(dtype.name), symbol.shape, symbol.offset, symbol.size
    )
    return _owned(array, symbol)


def of_driver(symbol: Symbol, device: Device, built: Any) -> Array:
    """Give the memory of a global that the driver keeps; `built` is the driver's program."""
    try:
        address, size = built.symbol(symbol.entry)
    except DriverError as error:
        problem = f"the driver does not find the global {symbol.name!r}; the compiler may have left it out ({error})"
        raise ArgumentValueError(problem) from error
    # The memory is the module's, so the array holds that.
    memory = _core.borrowed_memory(address, size, built)
    dtype, shape = np.dtype(symbol.dtype), symbol.shape
    if symbol.size != size:
        dtype, shape, symbol = np.dtype("uint8"), (size,), symbol._replace(pointee="")
    array = Array(memory, device, dtype, _core.dtype_code(dtype.name), shape, 0, size)
    return _owned(array, symbol)


def _owned(array: Array, symbol: Symbol) -> Array:
    array._owner = f"the program's global {symbol.name!r}"
    array._pointee = symbol.pointee
    return array
