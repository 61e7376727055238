"""Instances of templates of device variables: ``template <class T> __constant__ T mask[4]`` gives ``mask<float>``.

Static members of class templates are such templates as well: ``Table<float>::size``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ...image import Symbol
from ...kernels.instance import without_arguments
from ...kernels.mangled import demangled
from ...kernels.variable import Variable
from .. import clang
from ..unit import ParsedUnit
from . import types

_NAME = "__lp_variable_"
_NUMBERED = re.compile(f"{_NAME}([0-9]+)")


def named(unit: ParsedUnit, symbols: Iterable[Symbol], files: Mapping[str, bytes]) -> tuple[Symbol, ...]:
    """Give symbols their names in the source, ``mask<float>``, and their types, in place of mangled names.

    Parameters
    ----------
    unit : ParsedUnit
    symbols : iterable of Symbol
        All of a program.
    files : mapping of str to bytes
        The user's files without host code, see `ParsedUnit.reduced`.
    """
    symbols = tuple(symbols)
    names = {symbol.name: name for symbol in symbols if (name := _name(unit, symbol.name))}
    if not names:
        return symbols
    arrays = _arrays(unit, list(names.values()), files)
    renamed = []
    for symbol in symbols:
        name = names.get(symbol.name, "")
        dtype, shape, pointee = arrays.get(name, Variable("uint8", (symbol.size,)))
        renamed.append(symbol._replace(name=name, dtype=dtype, shape=shape, pointee=pointee) if name else symbol)
    return tuple(renamed)


def of_binary(unit: ParsedUnit, kind: str, code: bytes) -> tuple[Symbol, ...]:
    """Find the instances in a device's binary, by their mangled names."""
    if not unit.variable_templates:
        return ()
    from ...binary import cubin, hsaco, ptx  # noqa: PLC0415 (it brings a reader of ELF files, which is slow to import)

    readers = {"cubin": cubin.read, "ptx": ptx.read, "hsaco": hsaco.read}
    contents = readers[kind](code, unit.source.name)
    return tuple(Symbol(entry, 0, size, entry=entry) for entry, size in contents.globals if _name(unit, entry))


def _name(unit: ParsedUnit, entry: str) -> str:
    """A variable's name in the source; empty if it is not an instance of a template, or if nothing can demangle it."""
    if not unit.variable_templates or not entry.startswith("_Z"):
        return ""
    name = (demangled(entry) or "").replace("(anonymous namespace)::", "")
    template = without_arguments(name).rpartition("::")[2]
    return name if "<" in name and "(" not in name and template in unit.variable_templates else ""


def _arrays(unit: ParsedUnit, names: list[str], files: Mapping[str, bytes]) -> dict[str, Variable]:
    """The types by name; names that Clang does not know are left out."""
    source = unit.source
    questions = "".join(f"\ntypedef decltype(::{name}) {_NAME}{number};" for number, name in enumerate(names))
    whole = unit.with_tail(files, questions)
    arrays: dict[str, Variable] = {}

    def visit(cursor: Any, _parent: Any) -> bool:
        if cursor._kind_id == clang.TYPEDEF and (match := _NUMBERED.fullmatch(cursor.spelling)) is not None:
            type_ = cursor.underlying_typedef_type
            if type_.get_size() > 0:
                arrays[names[int(match[1])]] = types.array(type_)
        return False

    with clang.lock:
        clang.forget_files()
        options = clang.KEEP_GOING | clang.SKIP_BODIES
        clang.visit(clang.translation_unit(source, whole, {"__LP_OUTLINE__": None}, options).cursor, visit)
    return arrays
