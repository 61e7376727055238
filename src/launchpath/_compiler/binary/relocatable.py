"""Cubins and PTX of one file of a program, before they are linked: the names in them, and other names instead."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from typing import NamedTuple

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from . import elf

_SYMBOL = struct.Struct("<IBBHQQ")  # Elf64_Sym: st_name first
_SECTION = struct.Struct("<IIQQQQIIQQ")  # Elf64_Shdr
# Symbols' types. Before files are linked variables have NVIDIA's own number, the first that is a processor's.
_VARIABLE = ("STT_OBJECT", "STT_LOPROC")
_TYPES = (*_VARIABLE, "STT_FUNC", "STT_NOTYPE")
_SHARED = 2  # in a variable's st_other: it is in shared memory
# PTX: a linkage (none: of the file alone), then the definition or declaration.
_DECLARED = re.compile(
    rb"^[ \t]*(?:\.(visible|extern|weak|common)[ \t]+)?\.(global|const|func|entry)\b([^;={]*?)"
    rb"([A-Za-z_$][\w$]*)[ \t]*(?:\[[\d\]\[]*\])?[ \t]*(?=[;={(\n])",
    re.MULTILINE,
)
_LINKAGE = {b"visible": "global", b"extern": "global", b"weak": "weak", b"common": "weak", b"": "local"}


class Name(NamedTuple):
    """A name in a file."""

    name: str
    linkage: str  # ``global``, ``weak`` or ``local``
    is_defined: bool
    is_variable: bool
    size: int  # bytes of a variable; 0 if the file does not tell


def names(kind: str, code: bytes, file: str) -> list[Name]:
    """List the functions and variables of a cubin or of PTX, without dynamic shared memory, which no file defines.

    Raises
    ------
    ArgumentValueError
        It is damaged; `file` is what the message calls it.
    """
    return _of_ptx(code) if kind == "ptx" else _of_cubin(code, file)


def renamed(kind: str, code: bytes, others: Mapping[str, str], file: str) -> bytes:
    """Give a file with other names for its own variables and kernels: drivers find those of a file by them too."""
    if not others:
        return code
    if kind == "ptx":
        for name, other in others.items():
            code = re.sub(rb"(?<![\w$%%.])%s(?![\w$])" % re.escape(name.encode()), other.encode(), code)
        return code
    return _renamed_cubin(code, others, file)


def _of_cubin(code: bytes, file: str) -> list[Name]:
    names = []
    with elf.opened(code, file) as opened:
        for symbol in elf.symbols(_table(opened)):
            kind, binding = symbol.entry["st_info"]["type"], symbol.entry["st_info"]["bind"]
            if symbol.name and kind in _TYPES:
                linkage = str(binding).removeprefix("STB_").lower()
                defined = symbol.entry["st_shndx"] != "SHN_UNDEF"
                if kind in _VARIABLE and not defined and symbol.entry["st_other"]["local"] == _SHARED:
                    continue
                names.append(Name(symbol.name, linkage, defined, kind in _VARIABLE, symbol.entry["st_size"]))
    return names


def _of_ptx(code: bytes) -> list[Name]:
    return [
        Name(
            match[4].decode(), _LINKAGE[match[1] or b""], match[1] != b"extern", match[2] in (b"global", b"const"), 0
        )
        for match in _DECLARED.finditer(code)
    ]  # fmt: skip


def _table(file: ELFFile) -> SymbolTableSection:
    table = file.get_section_by_name(".symtab")
    if not isinstance(table, SymbolTableSection):
        raise ValueError("it has no table of symbols")
    return table


def _renamed_cubin(code: bytes, others: Mapping[str, str], file: str) -> bytes:
    """Put a longer table of strings at the end, and let symbols of the file alone have their names there."""
    with elf.opened(code, file) as opened:
        table = _table(opened)
        strings = opened.get_section(table["sh_link"])
        header_place = opened["e_shoff"] + table["sh_link"] * opened["e_shentsize"]
        text = bytearray(strings.data())
        changed = bytearray(code)
        for number, symbol in enumerate(elf.symbols(table)):
            if symbol.name in others and symbol.entry["st_info"]["bind"] == "STB_LOCAL":
                place = table["sh_offset"] + number * _SYMBOL.size
                struct.pack_into("<I", changed, place, len(text))
                text += others[symbol.name].encode() + b"\0"
    header = list(_SECTION.unpack_from(code, header_place))
    changed += b"\0" * (-len(changed) % 8)
    header[4], header[5] = len(changed), len(text)
    _SECTION.pack_into(changed, header_place, *header)
    return bytes(changed + text)
