"""Variables of the device by the addresses of the host's variables of the same names."""

from __future__ import annotations

import ctypes
from contextlib import suppress

from launchpath import _core
from launchpath._compiler.kernels.mangled import demangled
from launchpath._host.runtime.binary import binary_of
from launchpath._memory.array import Array
from launchpath._streams.device import Device
from launchpath.errors import SymbolError
from launchpath.hip._copies import symbols
from launchpath.hip._devices.current import current
from launchpath.hip._types.bindings import Error
from launchpath.hip._types.errors import HipError


def install() -> None:
    """Let HIP's functions take the addresses of programs' variables."""
    symbols.register_host_variables(array_at)


def array_at(address: int) -> Array | None:
    """Return the variable that an address of the host stands for, on this thread's device; None if it is none."""
    found = _core.host_variable_at(address)
    if found is None:
        return None
    number, wrapper, name, _size, _kind = found
    binary = binary_of(number, wrapper)
    program, (name, is_static, _) = binary.program(current()), name.partition(".static.")
    name = demangled(name) or name
    if is_static:  # files of a program whose device code is linked may have variables of one name
        with suppress(SymbolError):
            return program.symbol(f"{binary.path}:{name}")
    return program.symbol(name)


def place_managed(address: int) -> int:
    """Let the host's pointer of a managed variable point to the variable of the first device.

    Its memory must be the host's too, also while kernels run. Where it is not, no kernel of the variable's binary is
    launched.
    """
    pointer = ctypes.c_uint64.from_address(ctypes.c_uint64.from_address(address).value).value
    found, device = _core.host_variable_at(pointer), current()
    if found is None:
        return 0
    number, _wrapper, name, _size, _kind = found
    if not reaches_variables(device):
        _refused[number] = (
            f"the managed variable {demangled(name) or name}: expected a device whose memory the host reaches too, "
            f"got {device.name}: allocate it with hipMallocManaged, or run the program on a CPU device"
        )
        return 0
    array = array_at(pointer)
    assert array is not None
    _placed[number] = device, array
    ctypes.c_uint64.from_address(pointer).value = array.pointer
    return 0


def reaches_variables(device: Device) -> bool:
    """Whether the host may use a device's managed variables, as on CPU devices and with NVRTC's on CUDA devices."""
    info = device.info
    return bool(info["host_accessible"]) or (info["driver"] == "cuda" and bool(info["concurrent_managed_access"]))


def check_managed(number: int, device: Device) -> None:
    """Refuse a kernel of a binary whose managed variables the device cannot have.

    Raises
    ------
    HipError
    """
    if number in _refused:
        raise HipError(Error.hipErrorNotSupported, _refused[number])
    if number in _placed and _placed[number][0] is not device:
        raise HipError(
            Error.hipErrorNotSupported,
            f"kernels beside managed variables: expected {_placed[number][0].name}, which has the variables, got "
            f"{device.name}",
        )


_placed: dict[int, tuple[Device, Array]] = {}  # the device whose memory they are, by the number of the binary
_refused: dict[int, str] = {}  # why, by the number of the binary
