"""ELF files, as both kinds of GPU binaries are."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager

from elftools.common.exceptions import ELFError
from elftools.construct import ConstructError
from elftools.elf.elffile import ELFFile

from ...errors import ArgumentValueError

MAGIC = b"\x7fELF"
CUDA, AMDGPU = 190, 224  # e_machine: EM_CUDA, EM_AMDGPU


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
        if file["e_phoff"] + file["e_phnum"] * file["e_phentsize"] > len(data):
            raise ArgumentValueError(f"{name} is truncated: its table of segments lies beyond its end")
        for section in file.iter_sections():
            if section["sh_type"] != "SHT_NOBITS" and section["sh_offset"] + section["sh_size"] > len(data):
                raise ArgumentValueError(f"{name} is truncated: its section {section.name!r} lies beyond its end")
        yield file
    except ArgumentValueError:
        raise
    except (ELFError, ConstructError, ValueError, TypeError, AttributeError, IndexError, KeyError, OverflowError,
            AssertionError, MemoryError, RecursionError) as error:  # fmt: skip
        problem = str(error) or type(error).__name__
        raise ArgumentValueError(f"{name} is a damaged or truncated ELF file ({problem})") from error
