"""Kernels by the addresses that stand for them on the host."""

from __future__ import annotations

import re
import threading
from typing import Any

from launchpath import _core
from launchpath._compiler.kernels.instance import normal
from launchpath._compiler.kernels.mangled import demangled
from launchpath._host.runtime import variables
from launchpath._host.runtime.binary import binary_of
from launchpath._host.runtime.told import tell
from launchpath._programs.kernel import Kernel
from launchpath._programs.program import Program
from launchpath._streams.device import Device
from launchpath.errors import LaunchpathError, SymbolError
from launchpath.hip._devices.current import number_of, on_choice, on_first
from launchpath.hip._launches import registered
from launchpath.hip._launches.modules import Function
from launchpath.hip._launches.modules import functions as handles

_lock = threading.RLock()
_known: dict[tuple[int, Device], Any] = {}  # handles by address and device
_addresses: dict[Kernel, int] = {}  # of the host's functions


def install() -> None:
    """Let HIP's functions take the addresses of programs' kernels."""
    registered.register_host_functions(handle_at, _addresses.get)
    on_choice(_chosen)
    on_first(lambda device: _core.host_null_stream_is(device.legacy_stream))


def _chosen(device: Device | None) -> None:
    if device is None:
        _core.host_null_stream_is(None)
    else:
        _core.host_null_stream_is(device.legacy_stream, number_of(device))


def handle_at(address: int, device: Device) -> Any:
    """Return the function that an address of the host stands for on a device; None if it is none."""
    found = _core.host_function_at(address)
    if found is None:
        return None
    with _lock:
        if (address, device) not in _known:
            number, wrapper, name = found
            name = name.partition(".intern.")[0]  # of a static kernel of a program whose device code is linked
            variables.check_managed(number, device)
            try:
                kernel = kernel_of(binary_of(number, wrapper).program(device), name)
            except LaunchpathError as error:
                tell(str(error))
                raise
            _known[address, device] = handles.add(Function(kernel))
            _addresses.setdefault(kernel, address)
            _core.host_kernel_is(address, device, _core.c_publish(kernel))
        return _known[address, device]


def kernel_of(program: Program, name: str) -> Kernel:
    """Return a kernel by its mangled name.

    Raises
    ------
    SymbolError
        The program has none of this name.
    """
    image = program._image
    for entry, signature in image.kernels:
        if name in (entry, image.functions.get(entry), signature.name):
            if signature.name in program._refused:
                raise SymbolError(program._refused[signature.name])
            return program.kernels[signature.name]
    declared = _declared((demangled(name) or name).replace("(anonymous namespace)::", ""))
    for form in (str, _plain):
        alike = [kernel for kernel in program if _is(form(normal(kernel.name)), form(declared))]
        if len(alike) == 1 or (alike and form is str):
            return alike[0]
    names = ", ".join(kernel.name for kernel in program)
    raise SymbolError(f"expected the kernel {declared} in the device code, got {names or 'none'}")


def _declared(text: str) -> str:
    """Give a function's name with its parameters, without the type that an instance of a template returns."""
    depth, start = 0, 0
    for index, sign in enumerate(text):
        depth += (sign in "<(") - (sign in ">)")
        if sign == " " and depth == 0 and "(" not in text[:index]:
            start = index + 1
    return normal(text[start:])


def _is(name: str, declared: str) -> bool:
    return declared == name or declared.startswith(f"{name}(")


# The C++ libraries of the host and of a device's compiler have classes in other inline namespaces, and compilers write
# numbers with and without their types.
_INLINE, _SUFFIX = re.compile(r"\bstd::__\w+::"), re.compile(r"(?<=\d)u?l{1,2}\b|(?<=\d)u\b")


def _plain(name: str) -> str:
    return _SUFFIX.sub("", _INLINE.sub("std::", name)).replace(" ", "")
