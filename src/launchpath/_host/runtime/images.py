"""Images of programs in memory, of which C code gives the address alone: their bytes."""

from __future__ import annotations

import ctypes
import struct

from launchpath._compiler.cache.entry import MAGIC as ENTRY

_ELF = b"\x7fELF"
_SECTIONS = struct.Struct(
    "<40xQ10xHH"
)  # of an ELF file's header: where its table of sections is, their size and number
_BUNDLE = b"__CLANG_OFFLOAD_BUNDLE__"
_FATBIN, _FATBIN_SIZES = (
    0xBA55ED50,
    struct.Struct("<IHHQ"),
)  # of nvcc's: magic, version, bytes of the header, and of the rest


def bytes_at(address: int) -> bytes:
    """Return an image: a program that launchpath saved, an ELF file, Clang's bundle, nvcc's fat binary, or PTX.

    Raises
    ------
    ValueError
        It is nothing of these, whose size would be known.
    """
    start = ctypes.string_at(address, 16)
    if start.startswith(ENTRY):
        return ctypes.string_at(address, _entry_size(address))
    if start.startswith(_ELF):
        place, size, count = _SECTIONS.unpack(ctypes.string_at(address, _SECTIONS.size))
        return ctypes.string_at(address, place + size * count)
    if struct.unpack("<I", start[:4])[0] == _FATBIN:
        _, _, header, rest = _FATBIN_SIZES.unpack(start)
        return ctypes.string_at(address, header + rest)
    if _BUNDLE.startswith(start):
        return ctypes.string_at(address, _bundle_size(address))
    text = ctypes.string_at(address)
    if b".version" in text:
        return text
    raise ValueError(f"expected a program's image, got what begins with {start!r}")


def _entry_size(address: int) -> int:
    from launchpath._compiler.cache import entry  # noqa: PLC0415 (few programs load images)

    return entry.total_size(ctypes.string_at(address, entry.HEADER_BYTES))


def _bundle_size(address: int) -> int:
    """Give the end of the last part of an offload bundle."""
    place, end = address + len(_BUNDLE), 0
    (count,) = struct.unpack("<Q", ctypes.string_at(place, 8))
    place += 8
    for _ in range(count):
        offset, size, name = struct.unpack("<QQQ", ctypes.string_at(place, 24))
        place, end = place + 24 + name, max(end, offset + size)
    return end
