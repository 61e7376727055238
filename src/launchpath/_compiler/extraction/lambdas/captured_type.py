"""The type of a variable that a lambda captures, as it can be written outside of its function."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...source.active import Active
from .. import clang
from ..pieces.declaration import CLASSES, NONE, is_hidden, is_local

# Clang's numbers, see `clang`: kinds of cursors, then of types.
_THIS = 132
_POINTER, _REFERENCES, _ARRAYS = 101, (103, 104), (112, 114, 115, 116)
_OF_TEMPLATE = re.compile(r"type-parameter-0-(\d+)\b")
_UNKNOWN = re.compile(r"\.\.\.|type-parameter-|<dependent|\bauto\b|decltype\(|\(lambda at|\(unnamed|\(anonymous")
LAMBDA_AT = re.compile(r"\(lambda at (?P<path>.*?):(?P<line>\d+):(?P<column>\d+)\)")
_AUTO = re.compile(r"\bauto\b")


class Unknown(Exception):
    """The type cannot be written outside of the function."""


class CapturedType:
    """Types of the variables of a function.

    Parameters
    ----------
    file : Active
    parameters : sequence of str
        The names of the parameters of the function template around the lambda.
    lambdas : mapping
        The lambdas whose classes are known, by their places.
    is_member : bool
        Whether the function is a template that is a member of a class.
    """

    def __init__(
        self,
        file: Active,
        parameters: Sequence[str],
        lambdas: Mapping[tuple[str, int, int], Any],
        is_member: bool = False,
    ) -> None:
        self._lambdas = lambdas
        self._is_member = is_member
        self._file = file
        self._parameters = parameters

    def spelling(self, variable: Any) -> str:
        """Write the type of a copy of a variable.

        Raises
        ------
        Unknown
        """
        canonical = variable.type.get_canonical()
        if canonical._kind_id in _REFERENCES:
            canonical = canonical.get_pointee()
        spelled = str(canonical.spelling)
        if _AUTO.search(spelled):
            return self._deduced(variable)
        if "typename " in spelled or "<dependent" in spelled:  # Clang leaves namespaces out there
            spelled = str(variable.type.spelling).rstrip("& ")
        spelled = LAMBDA_AT.sub(self._lambda, _OF_TEMPLATE.sub(self._parameter, spelled))
        if _UNKNOWN.search(spelled):
            raise Unknown
        if is_hidden(_element(canonical).get_declaration()):
            raise Unknown
        return spelled

    def locals_of(self, variable: Any) -> Iterator[Any]:
        """Yield the types of the function's own that the type of a variable needs."""
        declarations: list[Any] = []

        def visit(cursor: Any, _parent: Any) -> bool:
            if cursor._kind_id == clang.TYPE_REFERENCE and (entity := cursor.referenced) is not None:
                declarations.append(entity)
            return bool(cursor._kind_id != clang.LAMBDA)

        clang.visit(variable, visit)
        # A variable's declaration may define its type.
        declarations.append(_element(variable.type.get_canonical()).get_declaration())
        for entity in declarations:
            if entity._kind_id != NONE and is_local(entity) and not LAMBDA_AT.search(entity.type.spelling):
                yield entity

    def _parameter(self, match: re.Match[str]) -> str:
        """The name of a template parameter, for Clang's words for its type."""
        number = int(match[1])
        if number >= len(self._parameters) or not self._parameters[number]:
            return match[0]
        return self._parameters[number]

    def _may_be_a_member(self, offset: int, values: Mapping[int, object]) -> bool:
        """Whether a name in an initializer may be that of a member: in a template the parser does not say so."""
        index = self._file.index(offset)
        return offset not in values and not self._file.is_at(index - 1, b".", b":", b">")

    def _lambda(self, match: re.Match[str]) -> str:
        """The name of a lambda's class, for Clang's words for its type."""
        device_lambda = self._lambdas.get((match["path"], int(match["line"]), int(match["column"])))
        if device_lambda is None:
            return match[0]
        # In the same instance of a template, for a captured variable is of the same function.
        return (
            f"{device_lambda.name}<{', '.join(self._parameters)}>"
            if device_lambda.template
            else str(device_lambda.name)
        )

    def _deduced(self, variable: Any) -> str:
        """Write what a variable's initializer makes of `auto`; the variables in it become values of their types."""
        file = self._file
        named = file.index(clang.place(variable.location).offset)
        end = clang.place(variable.extent.end).offset
        if not file.is_at(named, variable.spelling.encode()) or not file.is_at(named + 1, b"="):
            raise Unknown
        start = file.tokens[named + 1].end
        values: dict[int, tuple[int, str]] = {}

        def visit(cursor: Any, _parent: Any) -> bool:
            if cursor._kind_id == clang.LAMBDA or is_of_this(cursor):
                raise Unknown
            entity = cursor.referenced if cursor._kind_id in (clang.REFERENCE, clang.TYPE_REFERENCE) else None
            if entity is not None and entity.semantic_parent is not None and entity.semantic_parent._kind_id in CLASSES:
                raise Unknown  # its name needs the class's
            if entity is not None and cursor._kind_id == clang.REFERENCE and is_local(entity):
                offset = clang.place(cursor.location).offset
                index = file.index(offset)
                if entity._kind_id not in (clang.VARIABLE, clang.PARAMETER) or not file.is_at(
                    index, entity.spelling.encode()
                ):
                    raise Unknown
                values[offset] = (file.tokens[index].end, f"__lp_value<{self.spelling(entity)}>()")
            return True

        clang.visit(variable, visit)
        names = [token for token in file.tokens[file.index(start) : file.index(end)] if token.kind == "name"]
        if self._is_member and any(self._may_be_a_member(token.start, values) for token in names):
            raise Unknown
        text, before = "", start
        for offset, (after, value) in sorted(values.items()):
            if offset < start:
                continue
            text += file.on_one_line(before, offset) + value
            before = after
        text += file.on_one_line(before, end)
        if "..." in text:
            raise Unknown
        by_reference = any(file.is_at(i, b"&") for i in (named - 1, named - 2))
        return f"typename decltype(__lp_{'referred' if by_reference else 'deduced'}({text}))::type"


def is_of_this(cursor: Any) -> bool:
    """Whether an expression is `this`, or a member that is named without an object."""
    return cursor._kind_id == _THIS or (cursor._kind_id == clang.MEMBER_REFERENCE and clang.visit_first(cursor) is None)


def _element(type_: Any) -> Any:
    """What a type points or refers to, or is an array of."""
    while type_._kind_id in (*_REFERENCES, _POINTER, *_ARRAYS):
        type_ = type_.get_array_element_type() if type_._kind_id in _ARRAYS else type_.get_pointee()
    return type_
