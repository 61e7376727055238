"""Arrays in HIP's structs: the bindings let programs read them, and not write them."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Hashable
from typing import Any, cast


@functools.cache
def _offset(kind: Hashable, name: str) -> int:
    """Find where a field is: the first byte that changes what it reads as."""
    probe: Any = kind()  # type: ignore[operator]
    size = probe.c_sizeof()
    memory = (ctypes.c_ubyte * size).from_address(int(probe))
    ctypes.memset(int(probe), 0, size)
    before = getattr(probe, name)
    for offset in range(size):
        memory[offset] = 65
        if getattr(probe, name) != before:
            return offset
        memory[offset] = 0
    raise AttributeError(f"{probe!r} has no field {name!r} that can be written")


def write_text(struct: Any, name: str, text: str, size: int) -> None:
    """Write a text into a field of `size` characters."""
    data = text.encode("utf-8", "replace")[: size - 1].ljust(size, b"\0")
    ctypes.memmove(int(struct) + _offset(cast(Hashable, type(struct)), name), data, size)


def write_ints(struct: Any, name: str, values: tuple[int, ...]) -> None:
    """Write a field of ints of 32 bits."""
    data = (ctypes.c_int * len(values))(*values)
    ctypes.memmove(int(struct) + _offset(cast(Hashable, type(struct)), name), data, ctypes.sizeof(data))
