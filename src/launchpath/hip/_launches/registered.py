"""Registered kernels as HIP's host symbols.

HIP launches a kernel also by a pointer to its host function. Here that pointer is the symbol of a kernel that
`launchpath.register` knows: its name, or the address of a ``launchpath_symbol`` in C code.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from launchpath._programs import registry
from launchpath._programs.kernel import Kernel
from launchpath._streams.device import Device
from launchpath.errors import SymbolError
from launchpath.hip._devices.current import current
from launchpath.hip._launches.modules import Function, functions
from launchpath.hip._types.bindings import Error, address
from launchpath.hip._types.errors import HipError, WrongHandle
from launchpath.hip._types.kept import launch
from launchpath.hip._types.readable import read, read_text

_POINTER_BYTES = 8
_HANDLE_TYPE = "ihipModuleSymbol_t"  # HIP's name of a function's type, which errors about handles have
_MAX_SYMBOL_BYTES = 4096
_CTYPES_POINTERS = ctypes._Pointer, type(ctypes.byref(ctypes.c_int()))


_host_functions: list[Callable[[int, Device], Any]] = []
_host_addresses: list[Callable[[Kernel], int | None]] = []


def register_host_functions(find: Callable[[int, Device], Any], address_of: Callable[[Kernel], int | None]) -> None:
    """Name what returns a program's function by its address, and the address by the kernel; None where none is."""
    _host_functions.append(find)
    _host_addresses.append(address_of)


def pointer_of(kernel: Kernel) -> Any:
    """Return what a program knows a kernel by: the address of its host function, or else its handle."""
    for address_of in _host_addresses:
        if (host_address := address_of(kernel)) is not None:
            return host_address
    return functions.handle_of(lambda function: function.kernel is kernel)


def handle_of(pointer: Any, device: Device | None = None) -> Any:
    """Return the handle of the function that a pointer to a kernel stands for.

    Parameters
    ----------
    pointer : hipFunction_t, str, bytes, int or ctypes object
        The handle of a function, a registered symbol, or the address of a ``launchpath_symbol``. A symbol is looked up
        for a device.
    device : Device, optional
        This thread's if omitted.

    Returns
    -------
    hipFunction_t or int
        `pointer` itself if it is a handle. Else a handle that is valid until the kernel is unregistered.

    Raises
    ------
    WrongHandle
        It is none of these, or a symbol of no kernel, or of several, on the device.
    """
    is_text = isinstance(pointer, (str, bytes, bytearray))
    if isinstance(pointer, _CTYPES_POINTERS):
        pointer = ctypes.cast(pointer, ctypes.c_void_p).value or 0
    if not is_text and functions.knows(pointer):
        return pointer
    for find_at in () if is_text else _host_functions:
        if (handle := find_at(address(pointer), device or current())) is not None:
            return handle
    symbol = _decoded(pointer) if is_text else _symbol_name(address(pointer))
    if symbol is None:
        raise WrongHandle(
            Error.hipErrorInvalidDeviceFunction,
            "expected a function of hipModuleGetFunction, a symbol that launchpath.register knows, or the address of a "
            f"launchpath_symbol, got {pointer!r}",
            _HANDLE_TYPE,
        )
    try:
        return registry.kept_of(symbol, device or current(), "hip", _make_handle, _end_handle)
    except SymbolError as error:
        raise WrongHandle(Error.hipErrorInvalidDeviceFunction, str(error), _HANDLE_TYPE) from error


def find(pointer: Any, device: Device | None = None) -> Function:
    """Return the kernel that a pointer stands for, with its last configuration.

    Parameters
    ----------
    pointer : hipFunction_t, str, bytes, int or ctypes object
    device : Device, optional
        As for `handle_of`.

    Raises
    ------
    WrongHandle
        It stands for no kernel, or another thread has just unregistered the kernel.
    """
    try:
        return functions.find(handle_of(pointer, device))
    except HipError as error:
        raise WrongHandle(Error.hipErrorInvalidDeviceFunction, str(error), _HANDLE_TYPE) from error


def _make_handle(kernel: Kernel) -> Any:
    """Make the handle for a registered kernel, at its first use."""
    return functions.add(Function(kernel))


def _end_handle(handle: Any) -> None:
    """End a handle: its kernel is no longer registered."""
    functions.remove(handle)
    launch.forget()


def _decoded(symbol: str | bytes | bytearray) -> str | None:
    """Return a symbol as text; None for bytes that are not UTF-8, which no symbol is."""
    try:
        return symbol if isinstance(symbol, str) else bytes(symbol).decode()
    except UnicodeDecodeError:
        return None


def _symbol_name(symbol_address: int) -> str | None:
    """Return the name in a ``launchpath_symbol``, whose first member points to it.

    Parameters
    ----------
    symbol_address : int
        Any number that a caller gave. It is read only where this process has memory.

    Returns
    -------
    str or None
        None if there is no such struct.
    """
    is_aligned = symbol_address % _POINTER_BYTES == 0
    name_pointer = read(symbol_address, _POINTER_BYTES) if is_aligned else None
    name = read_text(int.from_bytes(name_pointer, "little"), _MAX_SYMBOL_BYTES) if name_pointer else None
    return _decoded(name) if name else None
