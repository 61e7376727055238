"""Kernels that `launchpath.register` knows, as HIP's host symbols: by name, or by a ``launchpath_symbol`` of C code."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from launchpath._programs import registry
from launchpath._programs.kernel import Kernel
from launchpath.errors import SymbolError
from launchpath.hip._devices.current import current
from launchpath.hip._launches.modules import Function, functions
from launchpath.hip._types.bindings import Error, address
from launchpath.hip._types.errors import HipError, WrongHandle
from launchpath.hip._types.kept import launch
from launchpath.hip._types.readable import read, read_text

_POINTER = 8  # bytes
_FUNCTION = "ihipModuleSymbol_t"  # the type of the handle, for the code of its function
_LONGEST = 4096  # bytes of a symbol
_C_POINTERS = ctypes._Pointer, type(ctypes.byref(ctypes.c_int()))


_host_functions: list[Callable[[int], Any]] = []


def register_host_functions(find: Callable[[int], Any]) -> None:
    """Name the function that returns the function of a compiled program's kernel by its address, or None."""
    _host_functions.append(find)


def handle_of(pointer: Any) -> Any:
    """Return the function that a pointer to a kernel names.

    Parameters
    ----------
    pointer : hipFunction_t, str, bytes, int or ctypes object
        A function, a registered symbol, or the address of a ``launchpath_symbol``. A symbol is looked up for this
        thread's device, and its function ends with the registration.
    """
    named = isinstance(pointer, (str, bytes, bytearray))
    if isinstance(pointer, _C_POINTERS):
        pointer = ctypes.cast(pointer, ctypes.c_void_p).value or 0
    if not named and functions.knows(pointer):
        return pointer
    for find_at in () if named else _host_functions:
        if (handle := find_at(address(pointer))) is not None:
            return handle
    symbol = _text(pointer) if named else _name_at(address(pointer))
    if symbol is None:
        raise WrongHandle(
            Error.hipErrorInvalidDeviceFunction,
            "expected a function of hipModuleGetFunction, a symbol that launchpath.register knows, or the address of a "
            f"launchpath_symbol, got {pointer!r}",
            _FUNCTION,
        )
    try:
        return registry.kept_of(symbol, current(), "hip", _add, _remove)
    except SymbolError as error:
        raise WrongHandle(Error.hipErrorInvalidDeviceFunction, str(error), _FUNCTION) from error


def find(pointer: Any) -> Function:
    """Return what is known of the kernel that a pointer names."""
    try:
        return functions.find(handle_of(pointer))
    except HipError as error:  # also one that another thread has just unregistered
        raise WrongHandle(Error.hipErrorInvalidDeviceFunction, str(error), _FUNCTION) from error


def _add(kernel: Kernel) -> Any:
    return functions.add(Function(kernel))


def _remove(handle: Any) -> None:
    functions.remove(handle)
    launch.forget()


def _text(name: str | bytes | bytearray) -> str | None:
    try:
        return name if isinstance(name, str) else bytes(name).decode()
    except UnicodeDecodeError:
        return None


def _name_at(place: int) -> str | None:
    """Return the name that the launchpath_symbol at an address has; None if there is none."""
    first = read(place, _POINTER) if place % _POINTER == 0 else None
    name = read_text(int.from_bytes(first, "little"), _LONGEST) if first else None
    return _text(name) if name else None
