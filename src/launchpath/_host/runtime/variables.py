"""Variables of the device by the addresses of the host's variables of the same names."""

from __future__ import annotations

import ctypes

from launchpath import _core
from launchpath._compiler.kernels.mangled import demangled
from launchpath._host.runtime.binary import binary_of
from launchpath._memory.array import Array
from launchpath.hip._copies import symbols
from launchpath.hip._devices.current import current


def install() -> None:
    """Let HIP's functions take the addresses of programs' variables."""
    symbols.register_host_variables(array_at)


def array_at(address: int) -> Array | None:
    """Return the variable that an address of the host stands for, on this thread's device; None if it is none."""
    found = _core.host_variable_at(address)
    if found is None:
        return None
    number, wrapper, name, _size, _kind = found
    return binary_of(number, wrapper).program(current()).symbol(demangled(name) or name)


def place_managed(address: int) -> int:
    """Let the host's pointer of a managed variable point to the variable of the first device.

    Its memory must be the host's too, as it is on CPU devices, and CUDA's drivers make it so.
    """
    array = array_at(ctypes.c_uint64.from_address(ctypes.c_uint64.from_address(address).value).value)
    if array is not None:
        _kept.append(array)
        pointer = ctypes.c_uint64.from_address(address).value
        ctypes.c_uint64.from_address(ctypes.c_uint64.from_address(pointer).value).value = array.pointer
    return 0


_kept: list[Array] = []
