"""From a parsed source to a device's binary, by NVRTC or hipRTC."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple

from ...errors import CompileError
from .. import header_folders, parts
from ..clang.run import Outcome
from ..extraction.unit import ParsedUnit
from ..kernels.dynamic_shared import has_dynamic_shared
from ..kernels.instance import GENERATED, Instance
from ..kernels.mangled import demangled
from ..llvm_text import build
from ..messages.log import Message
from ..signature import Layout
from ..source.source import VIRTUAL
from ..target import CUDA
from . import body, managed, waiting
from .arguments import blocks
from .arguments.entry_points import FILE, EntryPoint
from .arguments.in_place import in_place, plain
from .library import headers
from .library.library import Library, Program, Result
from .library.machine import Machine
from .library.registers import limited
from .text import dropped, entry_waits, includes, messages
from .text.includes import Files
from .text.lambda_marks import unmarked
from .text.prelude import prelude
from .text.statement_expressions import as_lambdas
from .text.tail import entry_points, symbol, tail

_ATTEMPTS = 8
_STANDARD_NAME = re.compile(rb"\bstd\b|#[ \t]*include[ \t]*<[a-z_]+>")
_UNRESOLVED = re.compile(r"Unresolved extern function '([^']+)'")
_UNKNOWN_HEADER = re.compile(r"(?:could not|cannot) open source file \"([^\"]+)\"|'([^']+)' file not found")


class _Way(NamedTuple):
    """A way to compile. Ways that make a program larger, or slower to compile, come last."""

    # declarations without a mark are the device's. NVRTC then puts unused constants into the binary, also those of its
    # own headers
    unmarked: bool = False
    whole: bool = False  # the C++ library is libcu++, which takes a second to read, and not the small one of our own


class Built(NamedTuple):
    """A build's outcome: the code, its kind, names in it by expression, warnings at the source's own lines, and PTX.

    The PTX is there where the program may have dynamic shared memory, see `shared.by_ptx`.
    """

    code: bytes
    kind: str
    names: dict[str, str]
    log: str
    ptx: bytes = b""
    waiting: frozenset[str] = frozenset()  # the entry points that wait at their entry
    body: str = ""  # see `body`; empty if none waits


def compile(
    unit: ParsedUnit, instances: list[Instance], layout: Layout, library: Library, machine: Machine, symbols: list[str],
    is_part: bool = False,
) -> Built:  # fmt: skip
    """Compile.

    Parameters
    ----------
    unit : ParsedUnit
    instances : list of Instance
        The kernels wanted.
    layout : Layout
        What they take.
    library : Library
    machine : Machine
    symbols : list of str
        The device globals whose names are wanted.
    is_part : bool
        It is part of a program of several files, and its other kernels come from another file.

    Raises
    ------
    CompileError
        With the compiler's messages at the source's own lines.
    """
    return _Search(unit, instances, layout, library, machine, symbols, is_part).run()


class _Attempt(NamedTuple):
    """A run of the compiler."""

    result: Result
    messages: list[Message]
    files: Files  # what it was given
    entries: dict[str, EntryPoint]  # entry points that call the source's own kernels, by the instances' entries
    standard: bool  # whether the C++ library is used

    @property
    def remarks(self) -> list[Message]:
        """The messages without those about our entry points: Clang warns about kernels in inline namespaces."""
        return [message for message in self.messages if not message.file.startswith(FILE)]

    @property
    def errors(self) -> int:
        """How many there are."""
        return sum(message.level.endswith("error") for message in self.messages)


class _Search:
    """Looks for a way to compile a source: after each attempt that fails, the first remedy that applies changes it.

    Attributes
    ----------
    expressions : list of str
        The kernels' addresses, as C++ writes them.
    managed : dict of str to str
        The names in the binary of managed variables, by their names.
    way : _Way
    ways : list of _Way
        Those that are left.
    spilled : set of str
        Kernels whose arguments come by address, and that have an entry point which calls them.
    references : dict of str to list of Edit
        For those kernels, the edits by which they read their parameters in place.
    own_names : bool
        Whether the entry points that call them have the kernels' own names.
    is_part : bool
        Whether it is part of a program of several files.
    unasked : set of str
        Other kernels of the source that may have to be spilled as well.
    using : set of (str, int)
        Using directives that were left out, as in `ParsedUnit.dropped`.
    waits : bool
        Whether the kernels get a wait at their entry.
    waiting_lines : set of (str, int)
        The lines where that was written.
    attempts : list of _Attempt
        Those that no remedy explained.
    """

    def __init__(
        self, unit: ParsedUnit, instances: list[Instance], layout: Layout, library: Library, machine: Machine,
        symbols: list[str], is_part: bool,
    ) -> None:  # fmt: skip
        self.unit, self.instances, self.layout = unit, instances, layout
        self.library, self.machine = library, machine
        self.managed = managed.names(unit, symbols) if library.file.dialect == CUDA else {}
        self.symbols, self.is_part = [symbol(name) for name in symbols if name not in self.managed], is_part
        self.expressions = [instance.expression for instance in instances]
        self.way, *self.ways = _Way(), _Way(True), _Way(True, True)
        self.spilled = blocks.spilled(instances, layout.signatures) | blocks.members(unit)
        self.references = in_place(unit, instances, layout, self.spilled)
        self.own_names = True
        self.unasked = blocks.others(unit, instances)
        if is_part:  # a second definition of a kernel would not link
            self.spilled |= self.unasked - {name.rpartition("::")[2] for name in unit.templates}
        self.using: set[tuple[str, int]] = set()
        self.waits, self.waiting_lines = bool(machine.waits), set[tuple[str, int]]()
        self.attempts: list[_Attempt] = []

    def run(self) -> Built:
        """Try until an attempt succeeds, or no remedy is left."""
        for _ in range(1 + _ATTEMPTS + len(self.spilled) + len(self.unasked)):
            attempt = self._compile_once()
            if attempt.result.succeeded:
                return self._built(attempt)
            if not any(remedy(attempt) for remedy in self._remedies()):
                break
        raise self._error()

    def _remedies(self) -> list[Callable[[_Attempt], bool]]:
        """In the order in which they are looked at; each says whether it has changed something."""
        return [
            self._wait_nowhere, self._name_plainly, self._take_by_value, self._spill_another, self._drop_using,
            self._note, self._name_with_types, self._go_another_way, self._drop_host_code,
        ]  # fmt: skip

    def _wait_nowhere(self, attempt: _Attempt) -> bool:
        """Leave the kernels as they are, if there are errors where a wait was written, or the assembler has errors."""
        errors = {(message.file, message.line) for message in attempt.messages if message.level.endswith("error")}
        was, self.waits = self.waits, self.waits and errors.isdisjoint(self.waiting_lines | {("", 0)})
        return was and not self.waits

    def _name_plainly(self, attempt: _Attempt) -> bool:
        """Give up entry points of the kernels' own names: not every template can be written once more."""
        refused = any(message.level.endswith("error") and message.file.startswith(FILE) for message in attempt.messages)
        was_own, self.own_names = self.own_names, self.own_names and not refused
        return was_own and refused

    def _take_by_value(self, attempt: _Attempt) -> bool:
        """Take parameters by value, as the source has them, where reading them in place does not compile."""
        about = _about(self.unit, self.instances, attempt.messages) & self.references.keys()
        self.references = {name: edits for name, edits in self.references.items() if name not in about}
        return bool(about)

    def _spill_another(self, attempt: _Attempt) -> bool:
        """Spill kernels that are not requested: a kernel of the source may have too many arguments for a launch."""
        about = _about(self.unit, self.instances, attempt.messages) & self.unasked
        self.unasked -= about
        self.spilled |= about
        return bool(about)

    def _drop_using(self, attempt: _Attempt) -> bool:
        """Leave out using directives, and using declarations, for names that only the host's C++ library has."""
        pieces = dropped.pieces_with_errors(self.unit, attempt.messages)
        using = {place for place, piece in pieces.items() if piece.using} - self.unit.dropped
        self.unit.dropped |= using
        self.using |= using
        return bool(using)

    def _note(self, attempt: _Attempt) -> bool:
        """Keep the attempt for the error: its messages are about the source."""
        self.attempts.append(attempt)
        return False

    def _name_with_types(self, attempt: _Attempt) -> bool:
        """Name the kernels with the types of their parameters: the program has other functions of a kernel's name."""
        typed = [
            instance.typed_expression(types) for instance, types in zip(self.instances, self.layout.types, strict=True)
        ]
        is_generated = any(message.file.startswith(GENERATED) for message in attempt.messages)
        if typed == self.expressions or not is_generated:
            return False
        self.expressions = typed
        return True

    def _go_another_way(self, attempt: _Attempt) -> bool:
        """Go the next way; libcu++ is of no use to a source that does not name the C++ library."""
        if not self.ways or (self.ways[0].whole and not attempt.standard):
            return False
        self.way = self.ways.pop(0)
        if self.way.whole:  # libcu++ may have it
            self.unit.dropped -= self.using
        return True

    def _drop_host_code(self, attempt: _Attempt) -> bool:
        """Leave out code that turns out to be host code."""
        return dropped.drop_host_code(self.unit, attempt.messages)

    def _compile_once(self) -> _Attempt:
        texts = self.unit.reduced(self.way.whole)
        standard = any(_STANDARD_NAME.search(text) for text in texts.values())
        called, marked = set[str](), True
        if self.spilled:
            texts, marked = blocks.unmark(self.unit, texts, self.spilled, chain.from_iterable(self.references.values()))
            called = blocks.called(self.instances, self.spilled if marked else None)
        entries = entry_points(self.instances, self.layout, called, self.own_names)
        if self.library.file.dialect == CUDA:
            texts = {path: unmarked(as_lambdas(text)) for path, text in texts.items()}
        texts = self.unit.with_tail(texts, tail(self.instances, self.expressions, self.layout, entries))
        if self.waits:
            texts, self.waiting_lines = entry_waits.waiting(texts)
        folders = [*headers.bundled(self.library.file), *headers.folders(self.library), *header_folders.ABSENT]
        files = includes.resolve(self.unit, texts, folders)
        before = ["#include <launchpath/block.h>"] if self.spilled else []
        before += () if marked else blocks.REDEFINED
        before += [waiting.definition(self.machine.waits)] if self.waits else []
        expressions = [
            entries[instance.entry].expression if instance.entry in entries else expression
            for instance, expression in zip(self.instances, self.expressions, strict=True)
        ]
        expressions = [expression for expression in expressions if expression]
        ptx = self.is_part or self.waits or has_dynamic_shared(texts)
        result = self._compiled(files, folders, [*expressions, *self.symbols], standard, before, ptx)
        return _Attempt(result, messages.read(result.log), files, entries, standard)

    def _compiled(
        self, files: Files, folders: list[str], expressions: list[str], standard: bool, before: list[str], ptx: bool
    ) -> Result:
        switches = {"__LP_STD__": standard, "__LP_LIBCUXX__": self.way.whole}
        macros = self.machine.added | {name: None for name, chosen in switches.items() if chosen}
        unmarked = self.machine.unmarked if self.way.unmarked else ()
        options = [*self.machine.options, *unmarked, *(f"-I{folder}" for folder in folders)]
        text = prelude(self.unit.source, macros, before) + files.text
        # In a folder that is not there: beside it they look for headers, which have their host code still.
        name = f"{VIRTUAL}/{os.path.basename(self.unit.source.path)}"
        return self.library.compile(Program(text, name, files.headers, options, expressions, self.machine.kind, ptx))

    def _built(self, attempt: _Attempt) -> Built:
        result = attempt.result
        names = dict(result.names) | {symbol(name): entry for name, entry in self.managed.items()}
        for instance, expression in zip(self.instances, self.expressions, strict=True):
            entry = attempt.entries.get(instance.entry, EntryPoint("", expression))
            names[instance.expression] = entry.name or result.names[entry.expression]
        log = build.rendered(self.unit, self.instances, attempt.remarks)
        code, most = result.code, self.unit.source.options.maxrregcount
        if self.machine.kind == "ptx" and most is not None:
            code = limited(code, most)
        waits = waiting.entries(result.ptx, self.machine.waits) if self.waits else frozenset[str]()
        digest = body.digest(result.ptx, self.machine.waits) if waits else ""
        return Built(code, self.machine.kind, names, log, result.ptx, waits, digest)

    def _error(self) -> CompileError:
        """Make an error of the attempt with the fewest errors."""
        best = min(self.attempts, key=lambda attempt: attempt.errors)
        hints = build.hints(self.unit, Outcome(False, b"", best.messages))
        shown = [*_resolved(self.unit, best.remarks), *hints, *_header_hints(best.messages, best.files, self.library)]
        log = build.rendered(self.unit, self.instances, shown, errors=True)
        if self.unit.missing:
            log = f"{build.render_all(self.unit, self.unit.missing)}\n{log}"
        return CompileError(f"{self.unit.source.name} does not compile:\n{log}", log)


def _about(unit: ParsedUnit, instances: list[Instance], messages: list[Message]) -> set[str]:
    """The names whose declarations have errors, and the kernels whose entry points have errors."""
    names: set[str] = set()
    for message in messages:
        if not message.level.endswith("error"):
            continue
        if message.file.startswith(GENERATED):
            names.add(plain(instances[int(message.file[len(GENERATED) :])]))
        elif piece := unit.piece_at(message.file, message.line):
            names |= piece.names
    return names


def _resolved(unit: ParsedUnit, log: list[Message]) -> Iterator[Message]:
    """Name functions that the assembler finds nowhere, at their declarations."""
    for message in log:
        match = _UNRESOLVED.search(message.text)
        name = demangled(match[1]) or match[1] if match is not None else ""
        place = next((declaration for declaration, _ in parts.declared(unit, name)), None) if name else None
        if place is None:
            yield message
        else:
            text = f"'{name}' is declared here and used, but not defined; if another file of the program defines it, "
            yield place._replace(text=f"{text}pass all with paths=[...]")


def _header_hints(messages: list[Message], files: Files, library: Library) -> Iterator[Message]:
    """Say where missing headers come from."""
    for name, (path, line) in files.missing.items():
        if text := headers.hint(name, library.file):
            yield Message(path, line, 1, "error", text)
    for message in messages:
        for name in unknown_headers(message.text):
            if text := headers.hint(name, library.file):
                yield message._replace(file="", line=0, column=0, level="error", text=text)


def unknown_headers(text: str) -> list[str]:
    """The headers that a compiler says it does not find."""
    return [match[1] or match[2] for match in _UNKNOWN_HEADER.finditer(text)]
