"""Instances: the kernels of a program, including templates with their arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..errors import CompileError
from .kernel_declaration import KernelDeclaration, address
from .unit import Unit

ENTRY_PREFIX = "__kernel_"
# And a number: the file in messages about what is generated for an instance.
GENERATED = "__lp_kernel_"

_GAPS = r"\s*([<>,:*&()\[\]])\s*"


class Instance(NamedTuple):
    """A kernel: its declaration, its name with template arguments, and its entry point in the text that we write."""

    declaration: KernelDeclaration
    name: str
    entry: str

    @property
    def expression(self) -> str:
        """The kernel's address, in the source's terms."""
        return address(self.name) if self.declaration.template else self.declaration.expression

    def typed_expression(self, types: Iterable[str]) -> str:
        """The same with the types of its parameters: where there are other functions of its name."""
        return address(self.name if self.declaration.template else self.declaration.name, types)


def normal(name: str) -> str:
    """A name expression with its spaces where they mean something only."""
    if name.isidentifier():
        return name
    return re.sub(_GAPS, r"\1", re.sub(r"\s+", " ", name.strip()))


def declared(unit: Unit, name: str) -> KernelDeclaration | None:
    """The kernel or template of a name expression."""
    return unit.kernels.get(name.strip()) or unit.kernels.get(normal(name).removeprefix("::").partition("<")[0])


def instances(unit: Unit, names: list[str], alone: bool = False, entries: set[str] | None = None) -> list[Instance]:
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
        bracket = "<" in key
        declaration = declared(unit, name)
        if declaration is None:
            known = ", ".join(unit.kernels)
            raise CompileError(f"{unit.source.name} has no kernel {name!r}; it has {known}")
        if declaration.template and not bracket:
            raise CompileError(
                f"{unit.source.name}: kernel {name!r} is a template: add its arguments, as in '{name}<float>'"
            )
        entry = ENTRY_PREFIX + re.sub(r"\W+", "_", key).strip("_")
        while entry in entries:
            entry += "_"
        entries.add(entry)
        chosen[key] = Instance(declaration, name.strip(), entry)
    return list(chosen.values())
