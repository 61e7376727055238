"""HSACO: AMD's binaries for one architecture (AMDGPU's code objects). A note in msgpack has the kernels' parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgpack
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection
from elftools.elf.segments import NoteSegment

from ...errors import ArgumentValueError
from . import elf
from .kernels import BinaryKernel, Contents, Place

_NOTE_OWNER = "AMDGPU"
_NOTE_TYPES = (32, "NT_AMDGPU_METADATA")  # pyelftools gives the number, or its name if it knows that
# Only kernels that reach dynamic shared memory have this hidden parameter, and of these not all.
_DYNAMIC = "hidden_dynamic_lds_size"
# OpenCL's `__local` pointer (`dynamic_shared_pointer`) is none: its argument is an offset in shared memory, of 4 bytes.
_POINTER = "global_buffer"
_UNLAUNCHABLE = ("sampler", "image", "pipe", "queue")  # OpenCL's
_COMPILERS_VARIABLES = ("__hip_cuid", "__hiprtc_", "__oclc_")
_GLOBALS = (".data", ".bss", ".rodata", ".data.rel.ro")


def read(data: bytes, name: str) -> Contents:
    """Read an HSACO.

    Raises
    ------
    ArgumentValueError
        It is damaged, has no metadata, or has a kernel with a parameter that a launch cannot pass.
    """
    with elf.opened(data, name) as file:
        metadata = _metadata(file, name)
        target = str(metadata.get("amdhsa.target", "")).rpartition("--")[2]
        contents = Contents("hsaco", data, target)
        try:
            contents.kernels = [_kernel(kernel, name) for kernel in metadata["amdhsa.kernels"]]
        except ArgumentValueError:  # a ValueError, but of no damage
            raise
        except (KeyError, TypeError, ValueError) as error:
            raise ArgumentValueError(
                f"{name} is damaged: its information about kernels cannot be read ({error})"
            ) from error
        contents.globals = _globals(file)
    return contents


def _metadata(file: ELFFile, name: str) -> Mapping[str, Any]:
    for segment in file.iter_segments():
        if not isinstance(segment, NoteSegment):
            continue
        for note in segment.iter_notes():
            if note["n_name"] == _NOTE_OWNER and note["n_type"] in _NOTE_TYPES:
                described = note["n_descdata"]
                try:
                    metadata = msgpack.unpackb(described, strict_map_key=False)
                except (ValueError, TypeError, msgpack.UnpackException) as error:  # TypeError: a list as a key
                    raise ArgumentValueError(f"{name} is damaged: its metadata is not msgpack ({error})") from error
                if not isinstance(metadata, Mapping):
                    raise ArgumentValueError(f"{name} is damaged: its metadata is not a map")
                return metadata
    raise ArgumentValueError(f"{name}: expected an AMDGPU code object of version 3 or later, got one without metadata")


def _kernel(kernel: Mapping[str, Any], name: str) -> BinaryKernel:
    entry = str(kernel[".name"])
    places = []
    dynamic = None  # see `Signature.dynamic_variable`: None if it reaches none, or does not tell
    for argument in kernel.get(".args", ()):
        kind = str(argument[".value_kind"])
        if kind == _DYNAMIC:
            dynamic = ""  # it reaches one, whose name is not told
        if kind.startswith("hidden_"):
            continue
        if kind in _UNLAUNCHABLE:
            raise ArgumentValueError(f"{name}: kernel {entry!r} has a parameter that a launch cannot pass: {kind}")
        pointer = "pointer" if kind == _POINTER else None
        places.append(Place(int(argument[".offset"]), int(argument[".size"]), pointer, str(argument.get(".name", ""))))
    places.sort(key=lambda place: place.offset)
    most = kernel.get(".max_flat_workgroup_size")
    shared = int(kernel.get(".group_segment_fixed_size", 0))
    return BinaryKernel(entry, tuple(places), shared, int(most) if most else None, dynamic)


def _globals(file: ELFFile) -> list[tuple[str, int]]:
    """The variables that the host can find by name, without the symbols of kernels' descriptors."""
    table = file.get_section_by_name(".dynsym")
    if not isinstance(table, SymbolTableSection):
        return []
    variables = []
    sections = [section.name for section in file.iter_sections()]
    for symbol in elf.symbols(table):
        place = symbol.entry["st_shndx"]
        if symbol.entry["st_info"]["type"] != "STT_OBJECT" or not isinstance(place, int):
            continue
        if sections[place] in _GLOBALS and not symbol.name.endswith(".kd"):
            variables.append((symbol.name, symbol.entry["st_size"]))
    return [variable for variable in variables if not variable[0].startswith(_COMPILERS_VARIABLES)]


def runs_on(target: str, device: str) -> bool:
    """Whether a device loads code for a target. Both are AMDGPU's target IDs.

    Code that names a feature needs a device that names it too, with the same sign: ``gfx90a:xnack+`` is for a device
    with xnack on. Code that does not name it is for both: ``gfx90a`` is for a device with xnack on or off.
    """
    (code, *needed), (processor, *features) = target.split(":"), device.split(":")
    return code == processor and set(needed) <= set(features)


def stubs(data: bytes, prefix: str) -> dict[str, str]:
    """Give the symbols that stubs point to, by the stubs' names, which begin with a prefix.

    For each name expression hipRTC makes a variable, its stub, which points to the kernel. Before ROCm 5.4 it finds
    names by the text of the expression, and does not know overloads: then only the stub tells the kernel.
    """
    with elf.opened(data, "the code object") as file:
        table = file.get_section_by_name(".dynsym")
        symbols = [*elf.symbols(table)] if isinstance(table, SymbolTableSection) else []
        by_place = {symbol.entry["st_value"]: symbol.name for symbol in symbols if symbol.name.startswith(prefix)}
        named = {symbol.entry["st_value"]: symbol.name for symbol in _all_symbols(file)
                 if symbol.entry["st_info"]["type"] in ("STT_FUNC", "STT_OBJECT")}  # fmt: skip
        relocations = file.get_section_by_name(".rela.dyn")
        pointees = {}
        for relocation in relocations.iter_relocations() if isinstance(relocations, RelocationSection) else ():
            stub = by_place.get(relocation["r_offset"])
            if stub is not None:
                index = relocation["r_info_sym"]
                pointees[stub] = symbols[index].name if index else named.get(relocation["r_addend"], "")
    return pointees


def _all_symbols(file: ELFFile) -> list[Any]:
    tables = (file.get_section_by_name(name) for name in (".dynsym", ".symtab"))
    return [symbol for table in tables if isinstance(table, SymbolTableSection) for symbol in elf.symbols(table)]
