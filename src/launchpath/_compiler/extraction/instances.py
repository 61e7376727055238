"""The kernels of a parsed source that are compiled: those that are no templates, and instances that are asked for."""

from __future__ import annotations

import re

from ...errors import CompileError
from ..kernels import template
from ..kernels.declaration import KernelDeclaration
from ..kernels.instance import ENTRY_PREFIX, Instance, normal, without_arguments
from .unit import ParsedUnit


def declared(unit: ParsedUnit, name: str) -> KernelDeclaration | None:
    """The kernel or template of a name expression."""
    key = normal(name).removeprefix("::")
    return (
        unit.kernels.get(name.strip())
        or unit.kernels.get(without_arguments(key))
        or next((kernel for written, kernel in unit.kernels.items() if normal(written) == key), None)
    )


def instances(
    unit: ParsedUnit, names: list[str], alone: bool = False, entries: set[str] | None = None
) -> list[Instance]:
    """All kernels of a unit that are no templates, and those that the name expressions ask for; or those `alone`.

    `entries` are those that other files of the program have; more are added.

    Raises
    ------
    CompileError
        A name expression names no kernel, or a template without its arguments.
    """
    chosen: dict[str, Instance] = {}
    entries = set() if entries is None else entries
    plain = [name for name, kernel in unit.kernels.items() if not kernel.template and not alone]
    for name in [*plain, *names]:
        key = normal(name)
        if key in chosen:
            continue
        declaration = declared(unit, name)
        if declaration is None:
            kernels = ", ".join(unit.kernels)
            raise CompileError(f"{unit.source.name} has no kernel {name!r}; it has {kernels}")
        if declaration.template and "<" not in key:
            example = template.example(declaration.written, ()) if declaration.of_template else f"{name}<float>"
            raise CompileError(
                f"{unit.source.name}: kernel {name!r} is a template: add its arguments, as in '{example}'"
            )
        entry = ENTRY_PREFIX + re.sub(r"\W+", "_", key).strip("_")
        while entry in entries:
            entry += "_"
        entries.add(entry)
        chosen[key] = Instance(declaration, name.strip(), entry)
    return list(chosen.values())
