"""Instances: the kernels of a program, including templates with their arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..errors import CompileError
from . import frontend, template
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


def access(kernels: Iterable[Instance]) -> dict[str, str | None]:
    """The macro, of `frontend`, for a compilation of kernels of which some are private."""
    return {frontend.OPEN: None} if any(kernel.declaration.is_hidden for kernel in kernels) else {}


def normal(name: str) -> str:
    """A name expression with its spaces where they mean something only."""
    if name.isidentifier():
        return name
    return re.sub(_GAPS, r"\1", re.sub(r"\s+", " ", name.strip()))


def declared(unit: Unit, name: str) -> KernelDeclaration | None:
    """The kernel or template of a name expression."""
    key = normal(name).removeprefix("::")
    return (
        unit.kernels.get(name.strip())
        or unit.kernels.get(without_arguments(key))
        or next((kernel for known, kernel in unit.kernels.items() if normal(known) == key), None)
    )


def without_arguments(name: str) -> str:
    """A name without template arguments: ``Op::run`` of ``Op<float>::run<4>``."""
    text, depth, inside = "", 0, 0
    for sign in name:
        inside += (sign in "([{") - (sign in ")]}")  # there, `<` and `>` compare numbers
        if not inside and sign == "<":
            depth += 1
        elif not inside and depth and sign == ">":
            depth -= 1
        elif not depth:
            text += sign
    return text


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
        declaration = declared(unit, name)
        if declaration is None:
            known = ", ".join(unit.kernels)
            raise CompileError(f"{unit.source.name} has no kernel {name!r}; it has {known}")
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
