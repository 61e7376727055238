"""The declarations that ask Clang about kernels, behind a source, and what a parse answers to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...kernels.instance import Instance
from .. import clang
from ..pieces.declaration import has_plain_name, qualified
from ..unit import ParsedUnit
from . import types

_GLOBALS = (clang.DEVICE_ATTRIBUTE, clang.CONSTANT_ATTRIBUTE)
NAME = "__lp_signature_"
_BOUND = "__lp_bound_"
_TYPED = "__lp_typed_"
_COMPLETED = "__lp_completed_"
_NUMBERED = re.compile(f"(?:{NAME}|{_TYPED})([0-9]+)")
_NUMBERED_BOUND = re.compile(f"{_BOUND}([0-9]+)")


def questions(instances: list[Instance]) -> Iterator[str]:
    """Yield the lines that ask Clang about the kernels. Each kernel has a line of its own first, for its errors."""
    for number, instance in enumerate(instances):
        yield f"typedef decltype({instance.expression}) {NAME}{number};"
    # Where headers, or the program, have other functions of a kernel's name, the first is an error.
    for number, instance in enumerate(instances):
        if not instance.declaration.template and instance.declaration.types is None:
            by_type = instance.typed_expression(instance.declaration.spelled)
            yield f"typedef decltype({by_type}) {_TYPED}{number};"
    for number, instance in enumerate(instances):
        if instance.declaration.template:
            yield f'static_assert(__lp_sizes_of<{NAME}{number}>::sum + 1, "");'
        if (bound := instance.declaration.bound) and not instance.declaration.template:
            yield _inside(instance.declaration.name, f"enum {{ {_BOUND}{number} = int({bound}) }};")
        if len(instance.declaration.parameters) == 1:
            # Completes a class template that the parameter points to, so that its fields are known.
            yield f"enum {{ {_COMPLETED}{number} = sizeof(__lp_completed(({NAME}{number})0)) }};"


def _inside(name: str, text: str) -> str:
    """Write a declaration in the namespaces of a name: a bound may name constants of the kernel's own."""
    namespaces = name.split("::")[:-1]
    return "".join(f"namespace {each} {{ " for each in namespaces) + text + " }" * len(namespaces)


class Answers:
    """What stands in a translation unit about the kernels."""

    def __init__(self, unit: ParsedUnit, instances: list[Instance]) -> None:
        self.functions: dict[int, Any] = {}  # the types of the kernels, by the instances' numbers
        self.bounds: dict[str, int] = {}  # launch bounds by the kernels' names
        self.declared: dict[str, list[Any]] = {}  # the functions of the kernels' names
        self.variables: dict[str, Any] = {}  # device globals
        self._instances = instances
        self._paths = frozenset(unit.files)
        self._names = {instance.name.rpartition("::")[2] for instance in instances}

    def visit(self, cursor: Any, _parent: Any) -> bool:
        number = cursor._kind_id
        if number in (clang.NAMESPACE, clang.LINKAGE):
            return clang.place(cursor.extent.start).path in self._paths
        name = cursor.spelling
        if number == clang.TYPEDEF and (match := _NUMBERED.fullmatch(name)) is not None:
            type_ = cursor.underlying_typedef_type.get_canonical().get_pointee()
            if type_._kind_id == types.FUNCTION:  # else Clang does not know the kernel's address
                self.functions.setdefault(int(match[1]), type_)
        elif number == clang.ENUM:
            for child in cursor.get_children():
                match = _NUMBERED_BOUND.fullmatch(child.spelling)
                if match is not None and child.enum_value > 0:  # 0 where the bound has errors
                    self.bounds[self._instances[int(match[1])].name] = child.enum_value
        elif number == clang.VARIABLE and clang.place(cursor.location).path in self._paths:
            is_device = any(child._kind_id in _GLOBALS for child in cursor.get_children())
            if is_device and has_plain_name(cursor):
                self.variables[qualified(cursor)] = cursor.type
        elif number == clang.FUNCTION and name in self._names and clang.place(cursor.location).path in self._paths:
            self.declared.setdefault(qualified(cursor), []).append(cursor)
        return False
