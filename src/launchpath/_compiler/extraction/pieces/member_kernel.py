"""Kernels that are static members of classes and of class templates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...kernels.declaration import Class
from ...source.active import Active
from .. import clang
from .declaration import CLASSES, FUNCTIONS, HIDDEN, Declaration, declaration, template_parameters
from .extent import Extents

_TEMPLATES = frozenset({clang.CLASS_TEMPLATE, clang.PARTIAL_SPECIALIZATION})


def member_kernels(cursor: Any, active: Active, extents: Extents) -> Iterator[Declaration]:
    """Yield the kernels that are declared in a class, and in the classes in it."""
    for child in cursor.get_children():
        if child._kind_id in CLASSES:
            yield from member_kernels(child, active, extents)
        elif child._kind_id in FUNCTIONS and clang.extent(child)[0].path == clang.place(cursor.location).path:
            member = declaration(child, active, extents, 0)
            if member.is_kernel:
                yield member


def scope(kernel: Any, active: Active) -> tuple[Class, ...]:
    """The classes around a kernel, from the outermost."""
    classes: list[Class] = []
    member, around = kernel, kernel.semantic_parent
    while around is not None and around._kind_id in CLASSES:
        is_template = around._kind_id in _TEMPLATES
        if not around.spelling or around.spelling.startswith("("):
            break
        named = around.spelling.partition("<")[0] if is_template else around.displayname
        arguments = template_parameters(around, active) if is_template else ()
        classes.append(Class(named, arguments, member.access_specifier.name in HIDDEN))
        member, around = around, around.semantic_parent
    return tuple(reversed(classes))
