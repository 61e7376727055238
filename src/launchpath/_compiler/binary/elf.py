"""ELF files, as both kinds of GPU binaries are."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager

from elftools.common.exceptions import ELFError
from elftools.construct import ConstructError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Symbol, SymbolTableSection

from ...errors import ArgumentValueError

MAGIC = b"\x7fELF"
CUDA, AMDGPU = 190, 224  # e_machine: EM_CUDA, EM_AMDGPU
_SECTION, _SEGMENT = 64, 56  # bytes of a header in a file of 64 bits
# Sections, notes and names lie one behind the other. A crafted file may have thousands that all are the whole file: so
# many times its length may they have together.
_TIMES = 8


def machine(data: bytes) -> int:
    """e_machine of an ELF file of 64 bits; 0 if it is cut short."""
    return int.from_bytes(data[18:20], "little") if len(data) >= 64 and data[4] == 2 else 0


@contextmanager
def opened(data: bytes, name: str) -> Iterator[ELFFile]:
    """Read an ELF file.

    Raises
    ------
    ArgumentValueError
        It is damaged; also while it is read, inside the block.
    """
    try:
        file = ELFFile(io.BytesIO(data))
        _check_segments(file, len(data), name)
        _check_sections(file, len(data), name)
        yield file
    except ArgumentValueError:
        raise
    except (ELFError, ConstructError, ValueError, TypeError, AttributeError, IndexError, KeyError, OverflowError,
            AssertionError, MemoryError, RecursionError) as error:  # fmt: skip
        problem = str(error) or type(error).__name__
        raise ArgumentValueError(f"{name} is a damaged or truncated ELF file ({problem})") from error


def symbols(table: SymbolTableSection) -> Iterator[Symbol]:
    """Give the symbols of a table.

    Raises
    ------
    ValueError
        Their names are longer than the file can have.
    """
    left = _TIMES * table.elffile.stream_len
    for symbol in table.iter_symbols():
        left -= len(symbol.name)
        if left < 0:
            raise ValueError("names of symbols that overlap")
        yield symbol


def _check_segments(file: ELFFile, length: int, name: str) -> None:
    if file["e_phnum"] and file["e_phentsize"] != _SEGMENT:
        raise ArgumentValueError(f"{name} is damaged: its segments have headers of {file['e_phentsize']} bytes")
    if file["e_phoff"] + file["e_phnum"] * file["e_phentsize"] > length:
        raise ArgumentValueError(f"{name} is truncated: its table of segments lies beyond its end")
    if sum(segment["p_filesz"] for segment in file.iter_segments("PT_NOTE")) > _TIMES * length:
        raise ArgumentValueError(f"{name} is damaged: its notes are larger than the file")


def _check_sections(file: ELFFile, length: int, name: str) -> None:
    if file["e_shoff"] and file["e_shentsize"] != _SECTION:
        raise ArgumentValueError(f"{name} is damaged: its sections have headers of {file['e_shentsize']} bytes")
    if file["e_shoff"] + file.num_sections() * _SECTION > length:
        raise ArgumentValueError(f"{name} is truncated: its table of sections lies beyond its end")
    left = names = _TIMES * length
    for section in file.iter_sections():
        size = section["sh_size"] if section["sh_type"] != "SHT_NOBITS" else 0
        if size and section["sh_offset"] + size > length:
            raise ArgumentValueError(f"{name} is truncated: its section {section.name!r:.100} lies beyond its end")
        left, names = left - size, names - len(section.name)
        if min(left, names) < 0:
            raise ArgumentValueError(f"{name} is damaged: its sections are larger than the file")
