"""Plain sources: those that are functions and nothing else, with numbers and pointers as the kernels' parameters.

What libclang says of such a source stands in its tokens, and is read here from them, without libclang. Anything
unusual is left to the parser, even where tokens might suffice: then libclang reads it, with all messages. A plain
source that does not compile is compiled again with libclang for the same reason.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..extraction.pieces.piece import ALWAYS, REACHED, Piece, Pieces
from ..extraction.unit import ParsedUnit
from ..kernels.declaration import KernelDeclaration
from ..kernels.dynamic_shared import has_dynamic_shared
from ..signature import Layout, Parameter, Signature, pack
from ..source.active import Active
from ..source.source import Source
from ..source.text import Joined, Lines
from . import types as plain_types
from .types import Type
from .words import is_name, is_usual

MOST = 1 << 16  # bytes
_DEEPEST = 64  # brackets
# Lines that go on, other spellings of signs, raw strings, launches.
_UNUSUAL = re.compile(rb"\\[ \t]*(?:\n|\Z)|\?\?[=/'()!<>-]|<[%:]|[%:]>|%:|R\"|<<<|[\r\v\f]")
_INCLUDE = rb"#include <(?:hip/hip_runtime|cuda_runtime)\.h>\s*"
_STD = rb"\bstd\b"  # in strings too: by this word the C++ library comes to a source
_NUMBER = r"[1-9]\d{0,5}"
_VALUE = r"[A-Za-z0-9_.+-]*"
_SIGNS = frozenset(b"+-*/%=<>!&|^~?:;,.()[]{}"[index : index + 1] for index in range(24))
_PARTNERS = {b")": b"(", b"]": b"[", b"}": b"{"}
_FUNCTION_WORDS = ("static", "inline", "__inline__", "__forceinline__", "__noinline__", "__host__", "__device__")


class Plain(NamedTuple):
    """What is known of a plain source."""

    unit: ParsedUnit
    layout: Layout


def read(source: Source) -> Plain | None:
    """Read a source; None if it is not plain."""
    if len(source.text) > MOST or source.folders or source.headers or source.options.extra:
        return None
    if _UNUSUAL.search(source.text) or not all(map(_is_plain_macro, source.defines)):
        return None
    active = Active(source.text)
    if not _has_plain_text(active):
        return None
    functions = _Functions(source, active).read()
    if functions is None or _calls_kernels(functions, active):
        return None
    file = Pieces(active, [function.piece for function in functions])
    kernels = {function.name: function.kernel for function in functions if function.kernel is not None}
    unit = ParsedUnit(source, kernels, {source.path: file})
    dynamic = has_dynamic_shared(unit.reduced())
    laid_out = [_signature(function, dynamic) for function in functions if function.kernel is not None]
    types = [
        tuple(type_.canonical for type_ in function.types) for function in functions if function.kernel is not None
    ]
    return Plain(unit, Layout(laid_out, {}, types)) if kernels else None


def _calls_kernels(functions: Sequence[_Function], active: Active) -> bool:
    """Whether a kernel's name stands anywhere but in its declaration."""
    names = [function.name.encode() for function in functions if function.kernel is not None]
    return sum(token.text in names for token in active.tokens) > len(names)


def _is_plain_macro(macro: tuple[str, str | None]) -> bool:
    """Whether a macro of the caller's stands for a number or a name that has no other meaning here."""
    name, value = macro
    words = re.findall(r"[A-Za-z_]\w*", value or "")
    return is_name(name, is_macro=True) and re.fullmatch(_VALUE, value or "") is not None and all(map(is_usual, words))


def _has_plain_text(active: Active) -> bool:
    """Whether directives, comments, brackets and words are those of a plain source."""
    if not active.tokens or (b"std" in active.text and re.search(_STD, active.text)) or not _ends_comments(active):
        return False
    first = active.tokens[0].start
    if any(directive.start > first or not re.fullmatch(_INCLUDE, directive.line) for directive in active.directives):
        return False
    opened: list[bytes] = []
    for token in active.tokens:
        text = token.text
        if token.kind == "sign":
            if text not in _SIGNS or (text in _PARTNERS and (not opened or opened.pop() != _PARTNERS[text])):
                return False
            if text in b"([{":
                opened.append(text)
        elif not text.isascii() or (token.kind == "name" and not is_usual(text.decode())):
            return False
        if len(opened) > _DEEPEST:
            return False
    return not opened


def _ends_comments(active: Active) -> bool:
    """Whether the last comment has an end: every other one has a token behind it."""
    rest = active.original[active.tokens[-1].end :]
    comments = [rest[start:end] for _, start, end in Joined(rest).literals()]
    return not comments or comments[-1][:2] != b"/*" or (len(comments[-1]) > 3 and comments[-1].endswith(b"*/"))


class _Function(NamedTuple):
    """A function; `kernel` and `types`, of the parameters, if it is a kernel."""

    name: str
    piece: Piece
    kernel: KernelDeclaration | None
    types: tuple[Type, ...]


class _Functions:
    """Reads the functions, token by token."""

    def __init__(self, source: Source, active: Active) -> None:
        self._source, self._active = source, active
        self._words = [token.text.decode() for token in active.tokens]
        self._lines = Lines(active.original)
        self._macros = {name for name, _ in source.defines}
        self._index = 0

    def read(self) -> list[_Function] | None:
        """Give the functions; None if there is something else, or two have one name."""
        functions: dict[str, _Function] = {}
        while self._index < len(self._words):
            function = self._function()
            if function is None or function.name in functions:
                return None
            functions[function.name] = function
        return [*functions.values()]

    def _function(self) -> _Function | None:
        first = self._index
        opened = next((index for index in range(first, len(self._words)) if self._words[index] in ("{", ";")), -1)
        if opened < 0 or self._words[opened] != "{" or self._words[opened - 1] != ")":
            return None
        bracket = self._active.opening(opened - 1)
        head, name = self._words[first : bracket - 1], self._words[bracket - 1]
        last = self._active.closing(opened)
        declared = self._words[first:opened]
        if bracket <= first + 1 or not self._is_free(name) or not self._macros.isdisjoint(declared):
            return None
        if not self._has_plain_body(opened, last):
            return None
        self._index = last + 1
        parameters = self._parameters(bracket, opened - 1)
        if parameters is None or not all(self._is_free(parameter) for _, parameter in parameters):
            return None
        if len({parameter for _, parameter in parameters}) < len(parameters):
            return None
        is_kernel = "__global__" in head
        piece = Piece(
            self._active.tokens[first].start, self._active.tokens[last].end, {name},
            ALWAYS if is_kernel else REACHED, True,
        )  # fmt: skip
        if not is_kernel:
            usual = _is_head(head) and all(plain_types.is_of_function(words) for words, _ in parameters)
            return _Function(name, piece, None, ()) if usual else None
        types = [plain_types.parameter(words) for words, _ in parameters]
        read = tuple(type_ for type_ in types if type_ is not None)
        bound = _bound(head)
        if bound is None or len(read) < len(types):
            return None
        names = tuple(parameter for _, parameter in parameters)
        return _Function(name, piece, self._kernel(name, bracket - 1, names, bound, read), read)

    def _is_free(self, name: str) -> bool:
        """Whether a function or a parameter can have a name without any other meaning."""
        return is_name(name) and name not in plain_types.WORDS

    def _has_plain_body(self, opened: int, last: int) -> bool:
        """Whether nothing in a body is looked at before a device's compiler reads it, dynamic shared memory apart."""
        words = self._words
        for index in range(opened, last):
            word = words[index]
            if word == "extern" and (words[index + 1] != "__shared__" or words[index - 1] not in ("{", "}", ";")):
                return False
            if word in ("__global__", "__device__", "__host__", "__launch_bounds__"):
                return False
            if (word == "(" and words[index + 1] == "{") or (word == ":" == words[index + 1]):
                return False
        return True

    def _parameters(self, opened: int, closed: int) -> list[tuple[list[str], str]] | None:
        """Give the types and the names of parameters; None if there are other brackets, or no name."""
        words = self._words[opened + 1 : closed]
        if words in ([], ["void"]):
            return []
        parameters: list[tuple[list[str], str]] = []
        begin = 0
        while begin <= len(words):
            end = next((comma for comma in range(begin, len(words)) if words[comma] == ","), len(words))
            if end - begin < 2:
                return None
            parameters.append((words[begin : end - 1], words[end - 1]))
            begin = end + 1
        return parameters

    def _kernel(
        self, name: str, index: int, names: tuple[str, ...], bound: str, types: tuple[Type, ...]
    ) -> KernelDeclaration:
        line, column = self._lines.position(self._active.tokens[index].start)
        return KernelDeclaration(
            name, names, False, self._source.path, line, column, bound or None,
            spelled=tuple(type_.spelled for type_ in types),
        )  # fmt: skip


def _is_head(words: Sequence[str]) -> bool:
    """Whether it is what stands before a device function's name."""
    words = words[2:] if words[:2] == ["extern", '"C"'] and "static" not in words else words
    end = next((index for index, word in enumerate(words) if word not in _FUNCTION_WORDS), len(words))
    marks, type_ = words[:end], words[end:]
    once = len({*marks}) == len(marks)
    return once and "__device__" in marks and plain_types.is_of_function(type_, returned=True)


def _bound(words: Sequence[str]) -> str | None:
    """The text of a kernel's launch bound, empty if it has none; None if what stands before its name is unusual."""
    words = words[2:] if words[:2] == ["extern", '"C"'] and "static" not in words else words
    bound = ""
    if "__launch_bounds__" in words:
        index = [*words].index("__launch_bounds__")
        end = index + (6 if words[index + 3 : index + 4] == [","] else 4)
        numbers = words[index + 2 : end - 1 : 2]
        are_numbers = all(re.fullmatch(_NUMBER, number) for number in numbers)
        if words[index + 1 : index + 2] != ["("] or words[end - 1 : end] != [")"] or not are_numbers:
            return None
        bound, words = numbers[0], [*words[:index], *words[end:]]
    return bound if sorted(words) in (["__global__", "void"], ["__global__", "static", "void"]) else None


def _signature(function: _Function, dynamic_shared: bool) -> Signature:
    """The signature of a kernel, as `layout` has it."""
    kernel, types = function.kernel, function.types
    assert kernel is not None
    offsets, size = pack([(type_.size, type_.size) for type_ in types])
    # Clang's tree has the source's own spellings where no parameter is const or restrict itself.
    canonical = any(type_.is_qualified for type_ in types)
    parameters = tuple(
        Parameter(
            name, type_.canonical if canonical else type_.shown, type_.kind, type_.size, type_.size, offset,
            type_.pointee, type_.const,
        )
        for name, type_, offset in zip(kernel.parameters, types, offsets, strict=True)
    )  # fmt: skip
    is_alone = len(types) == 1 and types[0].element
    lacking = f"its parameter points to {types[0].element}, which is not a struct" if is_alone else ""
    return Signature(
        kernel.name, parameters, size, dynamic_shared=dynamic_shared,
        max_threads=int(kernel.bound) if kernel.bound else None, no_fields=lacking,
    )  # fmt: skip
