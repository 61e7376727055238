"""The device code in an object of a program: made a program for a device at its first use."""

from __future__ import annotations

import threading
from functools import cached_property, partial

from launchpath._host.runtime import bundle, linked
from launchpath._host.runtime.wrapper import content_at
from launchpath._programs.program import Program
from launchpath._streams.device import Device


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
                together = self._recipe.is_relocatable
                make = partial(linked.program, self._wrapper) if together else self._recipe.compile
                self._programs[device] = make(device)
            return self._programs[device]

    @property
    def path(self) -> str:
        """Of the source."""
        return self._recipe.path

    @cached_property
    def _recipe(self) -> bundle.Recipe:
        return bundle.recipe(content_at(self._wrapper))


_lock = threading.Lock()
_binaries: dict[int, Binary] = {}


def binary_of(number: int, wrapper: int) -> Binary:
    """Return the binary of a number."""
    with _lock:
        if number not in _binaries:
            _binaries[number] = Binary(wrapper)
        return _binaries[number]
