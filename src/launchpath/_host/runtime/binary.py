"""The device code in an object of a program: found in its memory, and made a program for a device at its first use."""

from __future__ import annotations

import ctypes
import threading

from launchpath._host.runtime import bundle
from launchpath._programs.program import Program
from launchpath._streams.device import Device

_MAGIC = 0x48495046  # HIPF, of the wrapper that Clang makes


class _Wrapper(ctypes.Structure):
    _fields_ = (
        ("magic", ctypes.c_uint32),
        ("version", ctypes.c_uint32),
        ("binary", ctypes.c_void_p),
        ("unused", ctypes.c_void_p),
    )


class Binary:
    """The device code of an object.

    Parameters
    ----------
    wrapper : int
        The address of the struct that Clang's constructor registers.
    """

    def __init__(self, wrapper: int) -> None:
        self._wrapper = wrapper
        self._lock = threading.Lock()
        self._programs: dict[Device, Program] = {}

    def program(self, device: Device) -> Program:
        """Return its program for a device.

        Raises
        ------
        LaunchpathError
            It does not compile for the device.
        """
        with self._lock:
            if device not in self._programs:
                self._programs[device] = bundle.program(self._content(), device)
            return self._programs[device]

    def _content(self) -> bytes:
        wrapper = _Wrapper.from_address(self._wrapper)
        if wrapper.magic != _MAGIC or not wrapper.binary:
            raise bundle.wrong(f"expected Clang's wrapper of device code, got the number {wrapper.magic:#x}")
        return bundle.content(wrapper.binary)


_lock = threading.Lock()
_binaries: dict[int, Binary] = {}


def binary_of(number: int, wrapper: int) -> Binary:
    """Return the binary of a number."""
    with _lock:
        if number not in _binaries:
            _binaries[number] = Binary(wrapper)
        return _binaries[number]
