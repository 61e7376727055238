"""Wrappers of device code, which objects of a program register: their content, and the file that they are in."""

from __future__ import annotations

import ctypes

from launchpath._host.runtime import bundle

_MAGIC = 0x48495046  # HIPF


class _Wrapper(ctypes.Structure):
    _fields_ = (
        ("magic", ctypes.c_uint32),
        ("version", ctypes.c_uint32),
        ("binary", ctypes.c_void_p),
        ("unused", ctypes.c_void_p),
    )


class _Place(ctypes.Structure):  # Dl_info
    _fields_ = (
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("symbol", ctypes.c_char_p),
        ("symbol_address", ctypes.c_void_p),
    )


def content_at(address: int) -> bytes:
    """Return the content of the bundle in a wrapper.

    Raises
    ------
    CompileError
        Another compiler has made it.
    """
    wrapper = _Wrapper.from_address(address)
    if wrapper.magic != _MAGIC or not wrapper.binary:
        raise bundle.wrong(f"expected Clang's wrapper of device code, got the number {wrapper.magic:#x}")
    return bundle.content(wrapper.binary)


def file_of(address: int) -> str:
    """Return the path of the program or library that an address is in; empty if it is in none."""
    place = _Place()
    is_known = ctypes.CDLL(None).dladdr(ctypes.c_void_p(address), ctypes.byref(place))
    return (place.file or b"").decode(errors="surrogateescape") if is_known else ""
