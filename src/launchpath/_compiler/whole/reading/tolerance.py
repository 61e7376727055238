"""Errors that kernels are not touched by: those in host functions of which nothing is compiled for the device."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ...messages.log import Message
from ...source.active import Active
from ...source.text import Lines
from ..debug_info.closures import is_closure
from ..debug_info.nodes import DebugInfo
from .bodies import Lambda, Part, device_words, lambdas, local_classes, parts

# Errors behind which Clang may take kernels for something else, and assertions, which count anywhere.
_ALWAYS = (
    "static assertion failed", "static_assert",
    "expected '}'", "extraneous closing brace", "function definition is not allowed here", "unterminated",
    "raw string missing", "#", "unknown type name '__", "unknown type name 'kernel'",
)  # fmt: skip


# Functions with these words need no mark to be compiled for the device.
_MAY_BE_DEVICE = frozenset({b"template", b"constexpr", b"consteval", b"auto"})


class Tolerated(NamedTuple):
    """An error in host code: its message and file, the function or variable and the lambdas around it.

    `in_body` says whether it is in the function's body.
    """

    message: Message
    path: str
    part: Part
    around: tuple[Lambda, ...]
    in_body: bool


class Tolerance:
    """The errors of a run, judged by their places."""

    def __init__(
        self, messages: Iterable[Message], files: Mapping[str, bytes], skipped: Mapping[str, list[tuple[int, int]]]
    ) -> None:
        self._files, self._skipped = files, skipped
        self._parts: dict[str, list[Part]] = {}
        self._lines: dict[str, Lines] = {}
        self._words = device_words(Active(text).macros for text in files.values())
        self.tolerated: list[Tolerated] = []
        self.harmful: list[Message] = []  # the errors that are not in functions of the host, with their notes
        names: set[bytes] | None = None
        outside: list[Message] = []
        for error, *notes in _grouped(messages):
            error_in_host = self._tolerated(error, notes)
            if error_in_host is not None:
                names = self._device_names() if names is None else names
            if error_in_host is None or error_in_host.part.name in (names or ()):
                self.harmful += [*outside, error, *notes]
                outside = []
            else:
                self.tolerated.append(error_in_host)
                # What is declared at file scope, and is lost, may be the cause of errors behind it.
                outside += [] if error_in_host.in_body else [error, *notes]

    def _tolerated(self, error: Message, notes: list[Message]) -> Tolerated | None:
        # An error in a header of the library's counts where the program's own line asked for that.
        places = [each for each in (error, *notes) if each.file in self._files]
        if not places or error.level.startswith("fatal") or error.text.startswith(_ALWAYS):
            return None
        place = places[0] if places[0] is error else places[-1]
        if self._lines_of(place.file).text(place.line).lstrip().startswith("#"):
            return None  # a directive, as #error is
        offset = self._lines_of(place.file).offset(place.line, place.column)
        for part in self._parts_of(place.file):
            in_body = part.start <= offset < part.end
            if not part.is_device and (in_body or (part.head <= offset <= part.end and not part.is_member)):
                around = tuple(each for each in lambdas(part.tokens) if each.start <= offset < each.end)
                return Tolerated(place._replace(text=error.text, level="error"), place.file, part, around, in_body)
        return None

    def reached(self, text: str) -> list[Message]:
        """Give the tolerated errors that are in functions and lambdas of which LLVM's text has code."""
        if not self.tolerated:
            return []
        info = DebugInfo(text)
        closures: dict[str, set[int]] = {}
        functions: dict[str, set[tuple[bytes, int]]] = {}
        for _, node in info.nodes("DISubprogram"):
            scope, file = info.linked(node, "scope"), info.linked(node, "file")
            if file is None or "DISPFlagDefinition" not in node.values.get("spFlags", ""):
                continue
            path, line = info.path(file), node.number("line")
            if scope is not None and scope.kind == "DICompositeType" and is_closure(scope):
                closures.setdefault(path, set()).add(line)
            else:
                functions.setdefault(path, set()).add((node.text("name").partition("<")[0].encode(), line))
        return [
            each.message
            for each in self.tolerated
            if self._is_in_lambda(each, closures.get(each.path, set()))
            or self._is_in_function(each, functions.get(each.path, set()))
        ]

    def _is_in_lambda(self, each: Tolerated, closures: set[int]) -> bool:
        """Whether one of the lambdas on the lines of the outermost around an error is the device's."""
        if not each.around:
            return False
        lines, around = self._lines_of(each.path), each.around[0]
        first, last = lines.position(around.offset)[0], lines.position(around.end)[0]
        return any(first <= line <= last for line in closures)

    def _is_in_function(self, each: Tolerated, functions: set[tuple[bytes, int]]) -> bool:
        """Whether the device's code has the function around an error, or one that a macro makes at the error's line."""
        lines = self._lines_of(each.path)
        first, last = lines.position(each.part.head)[0], lines.position(each.part.start)[0]
        written = {part.name for part in self._parts_of(each.path)}
        return any(
            (name == each.part.name and first <= line <= last) or (line == each.message.line and name not in written)
            for name, line in functions
        )

    def _device_names(self) -> set[bytes]:
        """Give the names in functions of the device, and in those without a mark that they may call.

        What has an error may be left out of the device's code without a word: a call of such a function, for example.
        """
        parts = [part for path in self._files for part in self._parts_of(path)]
        unmarked = {part for part in parts if not part.is_device and part.names & _MAY_BE_DEVICE}
        names = {token.text for part in parts if part.is_device for token in part.tokens}
        names |= {name for part in parts if not part.is_device for name in _device_names_within(part)}
        names |= {name for part in parts if part.is_device for name in part.names}
        while more := [part for part in unmarked if part.name in names]:
            unmarked.difference_update(more)
            names.update(token.text for part in more for token in part.tokens)
        return names

    def _parts_of(self, path: str) -> list[Part]:
        if path not in self._parts:
            tokens = Active(self._files[path], self._skipped.get(path, ())).tokens
            # Where macros have the other halves of braces, it is not known which function a place is in.
            is_whole = sum((token.text == b"{") - (token.text == b"}") for token in tokens) == 0
            self._parts[path] = parts(tokens, self._words) if is_whole else []
        return self._parts[path]

    def _lines_of(self, path: str) -> Lines:
        if path not in self._lines:
            self._lines[path] = Lines(self._files[path])
        return self._lines[path]


def _device_names_within(part: Part) -> Iterator[bytes]:
    """Yield the names in a host function's lambdas, and in its local classes: these may be the device's."""
    ranges = [(each.start, each.end) for each in lambdas(part.tokens)]
    ranges += local_classes(part.tokens)
    for token in part.tokens:
        if token.kind == "name" and any(start <= token.start < end for start, end in ranges):
            yield token.text


def _grouped(messages: Iterable[Message]) -> Iterator[list[Message]]:
    """Yield each error with the notes behind it."""
    group: list[Message] = []
    for message in messages:
        if message.level == "note":
            if group:
                group.append(message)
            continue
        if group:
            yield group
        group = [message] if message.level.endswith("error") else []
    if group:
        yield group
