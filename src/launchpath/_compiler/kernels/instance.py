"""Instances: the kernels of a program, including templates with their arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..clang import frontend
from .declaration import KernelDeclaration, address

ENTRY_PREFIX = "__kernel_"
# And a number: the file in messages about what is generated for an instance.
GENERATED = "__lp_kernel_"

_GAPS = r"\s*([<>,:*&()\[\]])\s*"


class Instance(NamedTuple):
    """A kernel: its declaration, its name with template arguments, and its entry point in the text that we write."""

    declaration: KernelDeclaration
    name: str
    entry: str
    function: str = ""  # its mangled name, where that is known

    @property
    def expression(self) -> str:
        """The kernel's address, in the source's terms."""
        return address(self.name) if self.declaration.template else self.declaration.expression

    def typed_expression(self, types: Iterable[str]) -> str:
        """The same with the types of its parameters: where there are other functions of its name."""
        return address(self.name if self.declaration.template else self.declaration.name, types)


def access(kernels: Iterable[Instance]) -> dict[str, str | None]:
    """The macro, of `clang.frontend`, for a compilation of kernels of which some are private."""
    return {frontend.OPEN: None} if any(kernel.declaration.is_hidden for kernel in kernels) else {}


def normal(name: str) -> str:
    """A name expression with its spaces where they mean something only."""
    if name.isidentifier():
        return name
    return re.sub(_GAPS, r"\1", re.sub(r"\s+", " ", name.strip()))


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
