"""Cubins: CUDA's binaries for one architecture. Sections ``.nv.info.KERNEL`` describe the kernels."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from ...errors import ArgumentValueError
from . import elf
from .kernels import BinaryKernel, Contents, Place

_INFO = ".nv.info."
# Records of a kernel's section: a form, an attribute, and for the form 4 the length of the content.
_SIZED = 4
_PARAMETER, _LARGE_PARAMETER, _MOST_THREADS = 0x17, 0x45, 0x05
_NEW_ABI = 8  # of e_ident, since CUDA 13: the architecture has moved in the flags
# From sm_90 on the system takes some of every block's shared memory, and the section counts that.
_RESERVED, _RESERVED_BYTES = ".nv.shared.reserved.0", 1024
_OTHER, _ENTRY = 5, 0x10  # where a symbol has st_other, and the bit of it that kernels have
_GLOBALS = (".nv.global", ".nv.global.init", ".nv.constant3")


def read(data: bytes, name: str) -> Contents:
    """Read a cubin.

    Raises
    ------
    ArgumentValueError
        It is damaged, or of another machine.
    """
    with elf.opened(data, name) as file:
        flags, abi = file.header["e_flags"], file.header["e_ident"]["EI_ABIVERSION"]
        contents = Contents("cubin", data, f"sm_{flags >> 8 & 255 if abi >= _NEW_ABI else flags & 255}")
        for section in file.iter_sections():
            if section.name.startswith(_INFO):
                contents.kernels.append(_kernel(file, section.name[len(_INFO) :], section.data(), name))
        names = {section.name: index for index, section in enumerate(file.iter_sections())}
        places = {names[section_name] for section_name in _GLOBALS if section_name in names}
        table = file.get_section_by_name(".symtab")
        if isinstance(table, SymbolTableSection):
            _read_symbols(contents, table, places)
    return contents


def _read_symbols(contents: Contents, table: SymbolTableSection, places: set[int]) -> None:
    """Find the globals, and drop functions that are no kernels: where files were linked, these have sections too."""
    functions = set()
    for number, symbol in enumerate(elf.symbols(table)):
        other = contents.code[table["sh_offset"] + number * table["sh_entsize"] + _OTHER]
        if symbol.entry["st_info"]["type"] == "STT_FUNC" and not other & _ENTRY:
            functions.add(symbol.name)
        if symbol.entry["st_shndx"] in places and symbol.entry["st_info"]["type"] == "STT_OBJECT":
            contents.globals.append((symbol.name, symbol.entry["st_size"]))
    contents.kernels[:] = [kernel for kernel in contents.kernels if kernel.entry not in functions]


def _kernel(file: ELFFile, entry: str, info: bytes, name: str) -> BinaryKernel:
    places: dict[int, Place] = {}
    most = None
    for attribute, value in _records(info, name, entry):
        if attribute == _PARAMETER:
            _, ordinal, offset, bits = struct.unpack("<IHHI", value)
            places[ordinal] = Place(offset, bits >> 18)
        elif attribute == _LARGE_PARAMETER:
            _, ordinal, offset, size, _ = struct.unpack("<IHHHH", value)
            places[ordinal] = Place(offset, size)
        elif attribute == _MOST_THREADS:
            x, y, z = struct.unpack("<III", value)
            most = x * y * z
    if sorted(places) != list(range(len(places))):
        raise ArgumentValueError(f"{name} is damaged: parameters of kernel {entry!r} are missing")
    memory = file.get_section_by_name(f".nv.shared.{entry}")
    shared = memory["sh_size"] if memory is not None else 0
    if file.get_section_by_name(_RESERVED) is not None:
        shared = max(0, shared - _RESERVED_BYTES)
    return BinaryKernel(entry, tuple(places[i] for i in range(len(places))), shared, most)


def _records(info: bytes, name: str, entry: str) -> Iterator[tuple[int, bytes]]:
    place = 0
    while place + 4 <= len(info):
        form, attribute, length = info[place], info[place + 1], int.from_bytes(info[place + 2 : place + 4], "little")
        place += 4
        if form == _SIZED:
            if place + length > len(info):
                raise ArgumentValueError(f"{name} is damaged: its information about kernel {entry!r} is truncated")
            yield attribute, info[place : place + length]
            place += length


def runs_on(architecture: str, device: str) -> bool:
    """Whether a cubin runs on a device: its architecture has the same major number, and no later minor number."""
    code_number, device_number = _number(architecture), _number(device)
    return code_number // 10 == device_number // 10 and code_number <= device_number


def _number(architecture: str) -> int:
    return int("".join(filter(str.isdigit, architecture)) or 0)
