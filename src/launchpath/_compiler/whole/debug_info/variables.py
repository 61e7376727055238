"""Device variables in LLVM's text: their names in the source, and their types."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import NamedTuple

from ...kernels.variable import Variable
from .nodes import DebugInfo
from .types import Type, qualified

_GLOBAL = re.compile(r"^@(?P<name>\"[^\"]+\"|[\w.$]+) = [^\n]*!dbg (?P<debug>!\d+)", re.MULTILINE)
_LOCAL = ("DISubprogram", "DILexicalBlock", "DILexicalBlockFile")
_VECTOR = re.compile(r"(u?)(char|short|int|long|longlong|float|double)([1-4])|HIP_vector_type<(.+), ([1-4])U?>")


class Named(NamedTuple):
    """A variable: its name in the source, and its type."""

    name: str
    variable: Variable


def variables(text: str, info: DebugInfo, files: Container[str]) -> dict[str, Named]:
    """List the variables of a module at file scope and in classes, by their names in LLVM's text.

    Parameters
    ----------
    text : str
    info : DebugInfo
    files : container of str
        The paths of the files whose variables the host may see.
    """
    named = {}
    for match in _GLOBAL.finditer(text):
        expression = info.node(match["debug"])
        number = expression.values.get("var", match["debug"])
        node = info.node(number)
        scope, file = info.linked(node, "scope"), info.linked(node, "file")
        if (scope is not None and scope.kind in _LOCAL) or (file is not None and info.path(file) not in files):
            continue
        declaration = node.values.get("declaration", "")
        name = qualified(info, declaration if declaration in info else number)
        named[match["name"].strip('"')] = Named(name, array(Type(info, node.values.get("type"))))
    return named


def array(type_: Type) -> Variable:
    """Give NumPy's name and the shape of a variable; bytes for what NumPy has no type for."""
    shape = list(type_.shape)
    type_ = type_.element
    if type_.is_pointer:
        pointee = type_.pointee
        is_function = pointee.bare.tag == "DISubroutineType"
        return Variable("uint64", tuple(shape), "" if is_function else type_.data[0] or "void")
    name = type_.number_kind
    if name is not None:
        return Variable(name, tuple(shape))
    match = _VECTOR.fullmatch(type_.bare.name) if type_.bare.tag == "structure_type" else None
    members = type_.members() if match is not None else []
    if match is not None and members and (kind := members[0][1].number_kind) is not None:
        count = int(match[3] or match[5])
        return Variable(kind, (*shape, count))
    total = type_.size
    for extent in shape:
        total *= extent
    return Variable("uint8", (total,))
