"""A parsed source: its kernels, and its text without the host's part.

`parse` reads a source with libclang and takes the user's files apart into pieces (declarations at file scope). The
compilation then asks for `reduced` files, in which only the pieces that kernels reach are left, and compiles those. If
that fails, it drops pieces that turn out to be host code (`dropped`), and asks again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...errors import CompileError
from ..kernels.declaration import KernelDeclaration
from ..source.source import Source
from ..source.text import Lines
from ..source.unit import NO_KERNEL, Declared, Unit, files_read, refused
from .pieces.blanked import blanked
from .pieces.piece import NEVER, Piece, Pieces
from .pieces.reached import reached

if TYPE_CHECKING:
    from ..messages.log import Message
    from ..source import balance
    from ..source.active import Active
    from . import clang
    from .lambdas.lambdas import Lambdas

# Patterns as text: plain sources, which are not parsed, have no use for them.
_LAUNCH = rb"<<<|\bhipLaunchKernel(?:GGL)?\b|\bcudaLaunchKernel\b|\bcudaLaunchCooperativeKernel\b"
_HOST = rb"""<<<|\bmain\s*\(|\b(?:cuda|hip)[A-Z]\w*|\#[ \t]*include[ \t]*[<"](?!hip/hip_runtime\.h)"""
_MAIN = rb"\bmain\s*\("
_INCLUDED = rb"""\#[ ]*\w+[ ]*([<"])([^>"\n]+)[>"]"""


class ParsedUnit(Unit):
    """A parsed source.

    Attributes
    ----------
    kernels : dict of str to KernelDeclaration
        Kernels and templates of kernels by name, in order.
    files : dict of str to Pieces
        The user's own files by path.
    missing : list of Message
        Errors about missing headers.
    included : dict of (str, int) to (set of (str, str))
        By path and line of each directive that includes a file: the names that it includes, with their paths. Where a
        macro names the file, these may be several.
    partly : bool
        Whether headers of libraries are there with a few of their declarations only.
    launches : bool
        Whether there is host code that launches something.
    program : bool
        Whether it is a whole program, or has host code that launches.
    dropped : set of (str, int)
        Pieces (path, start) that turned out to be host code after all.
    roots : set of str
        Names that are needed besides those in kernels: those in template arguments.
    variable_templates : set of str
        The names of templates of variables.
    reads_library : bool
        Whether it can be read with all of `clang.library_headers` before it.
    parsed : TranslationUnit or None
        The first parse, if it may answer more questions: it has no errors, and the kernels are no templates.
    """

    __slots__ = (
        "_lambdas", "dropped", "included", "kernels", "launches", "missing", "parsed", "partly", "program",
        "reads_library", "roots", "variable_templates",
    )  # fmt: skip
    files: dict[str, Pieces]

    # No dataclass: making that class takes longer than to read a small source.
    def __init__(
        self,
        source: Source,
        kernels: dict[str, KernelDeclaration],
        files: dict[str, Pieces],
        partly: bool = False,
        launches: bool = False,
    ) -> None:
        super().__init__(source, files)
        self.kernels, self.partly, self.launches = kernels, partly, launches
        self.program = False
        self.missing: list[Message] = []
        self.included: dict[tuple[str, int], set[tuple[str, str]]] = {}
        self.dropped: set[tuple[str, int]] = set()
        self.roots: set[str] = set()
        self.variable_templates: set[str] = set()
        self.reads_library = False
        self.parsed: Any = None
        self._lambdas: Lambdas | None = None

    @property
    def includes(self) -> bool:
        """Whether anything is included."""
        files = [file.active for file in self.files.values()]
        return any(directive.is_include for active in files for directive in active.directives)

    @property
    def templates(self) -> dict[str, tuple[str, ...]]:
        """The parameters of each template of kernels, as they are written, by name."""
        return {
            kernel.written if kernel.of_template else name: kernel.arguments
            for name, kernel in self.kernels.items()
            if kernel.template
        }

    def reduced(self, every_header: bool = False) -> dict[str, bytes]:
        """The user's files without the parts that no kernel needs; every line and column stays."""
        ids, files = reached(self), {}
        for path, file in self.files.items():
            pieces = [piece for piece in file.pieces if id(piece) in ids]
            files[path] = blanked(file, pieces, every_header, self._lost(path))
        if classes := self.classes():
            from .lambdas.lambdas import TAIL as LAMBDA_TAIL  # noqa: PLC0415 (only some sources need it)

            return self.with_tail(files, "".join([LAMBDA_TAIL, *classes.values()]))
        return files

    def with_tail(self, files: Mapping[str, bytes], text: str) -> dict[str, bytes]:
        """The files with text behind the source's own: only once where the source includes itself."""
        if self._includes_itself():
            text = f"\n#if __INCLUDE_LEVEL__ == 0{text}\n#endif\n"
        return {**files, self.source.path: files[self.source.path] + text.encode()}

    def _includes_itself(self) -> bool:
        """Whether a file may include the source, to have it once more with other macros."""
        name = os.path.basename(self.source.path).encode()
        includes = (directive.line for file in self.files.values() for directive in file.active.directives
                    if directive.is_include)  # fmt: skip
        return any((match := re.match(_INCLUDED, line)) and os.path.basename(match[2]) == name for line in includes)

    def lambdas(self) -> Lambdas:
        """The lambdas of host code that are device code."""
        if self._lambdas is None:
            from ..clang.library_headers import HEADERS as LIBRARY  # noqa: PLC0415
            from .lambdas.lambdas import lambdas  # noqa: PLC0415 (only some sources need it)

            files = {path: file.active for path, file in self.files.items()}
            self._lambdas = lambdas(self.source, files, LIBRARY if self.reads_library else ())
        return self._lambdas

    def classes(self) -> dict[str, str]:
        """The classes that are made of the lambdas among the roots, by name."""
        if not self.roots:
            return {}
        from .lambdas.lambdas import NAME, local_names  # noqa: PLC0415 (only some sources need it)

        needed = {root for root in self.roots if NAME.fullmatch(root)}
        if self.roots - needed:
            declared = set().union(*(piece.names for file in self.files.values() for piece in file.pieces))
            files = {path: file.active for path, file in self.files.items()}
            needed |= local_names(self.roots - needed, files, declared)
        return self.lambdas().texts(needed) if needed else {}

    def macros(self) -> dict[str, frozenset[str]]:
        """The names in the bodies of the user's macros."""
        macros: dict[str, frozenset[str]] = {}
        for file in self.files.values():
            for name, within in file.active.macros.items():
                macros[name] = macros.get(name, frozenset()) | within
        for name, value in self.source.defines:
            macros[name] = frozenset(re.findall(r"[A-Za-z_]\w*", value or ""))
        return macros

    def pasted(self) -> dict[str, re.Pattern[str]]:
        """The names that the user's macros may put together, by macro."""
        patterns: dict[str, list[str]] = {}
        for file in self.files.values():
            for name, texts in file.active.pasted.items():
                patterns.setdefault(name, []).extend(texts)
        return {name: re.compile("|".join(texts)) for name, texts in patterns.items()}

    def _lost(self, path: str) -> set[int]:
        """The lines of a file that include missing headers; `blanked` leaves them out."""
        return {message.line for message in self.missing if message.file == self.name_of(path)}

    def error(self, place: clang.Place, text: str) -> Message:
        """An error at a place of one of the files."""
        from ..messages.log import Message  # noqa: PLC0415 (most programs have no errors)

        return Message(self.name_of(place.path), place.line, place.column, "error", text)

    def host_places(self, name: str) -> list[tuple[str, int]]:
        """The first place where host code declares a name, as path and offset; empty if there is none."""
        return [
            (path, piece.start)
            for path, file in self.files.items()
            for piece in file.pieces
            if name in piece.names and piece.keep == NEVER
        ][:1]

    def declared(self, path: str) -> list[Declared]:
        """The pieces of a file."""
        return [_declared(piece) for piece in self.files[path].pieces]

    def declared_at(self, path: str, line: int) -> Declared | None:
        """The first piece on a line of a file."""
        piece = self.piece_at(path, line)
        return _declared(piece) if piece is not None else None

    def places_of(self, *words: bytes) -> list[tuple[str, int]]:
        """Where words stand in what kernels reach: path and offset."""
        ids = reached(self)
        return [
            (path, token.start)
            for path, file in self.files.items()
            for piece in file.pieces
            if id(piece) in ids
            for token in file.active.tokens[file.active.index(piece.start) : file.active.index(piece.end)]
            if token.text in words
        ]

    def piece_at(self, path: str, line: int, column: int = 0) -> Piece | None:
        """The piece that holds a place in a file; the first on the line if its column is not known."""
        file = self.files.get(path)
        if file is None:
            return None
        lines = Lines(file.active.original)
        if column and 1 <= line <= len(lines.starts):
            offset = lines.starts[line - 1] + column - 1
            within = [piece for piece in file.pieces if piece.start <= offset < piece.end]
            if within:
                return within[0]
        for piece in file.pieces:
            if lines.position(piece.start)[0] <= line <= lines.position(max(piece.start, piece.end - 1))[0]:
                return piece
        return None


def _declared(piece: Piece) -> Declared:
    return Declared(piece.names, piece.start, piece.end, piece.device)


def _seen(files: Mapping[str, Pieces]) -> dict[str, tuple[Active, list[tuple[int, int]]]]:
    """Give the parts of each file that the parser has seen."""
    return {path: (file.active, [(piece.start, piece.end) for piece in file.pieces]) for path, file in files.items()}


def _placed(errors: list[clang.Diagnostic]) -> list[balance.Error]:
    from ..source import balance  # noqa: PLC0415 (plain sources need no parser)

    return [balance.Error(error.place.path, error.place.offset, error.message) for error in errors]


def parse(source: Source, is_part: bool = False) -> ParsedUnit:
    """Parse a source for its kernels.

    Parameters
    ----------
    source : Source
    is_part : bool
        It is part of a program of several files: it may have no kernel, and other files may call its device functions.

    Raises
    ------
    OtherDialectError
        It includes the headers of the other dialect, and no language was named.
    CompileError
        At the source's own lines: it is no C++, or has no kernel, or a header is missing that its kernels may need.
        Errors in host code, and in the headers that it includes, are left alone.

    Notes
    -----
    May be called from any thread; threads take turns.
    """
    from .. import header_folders  # noqa: PLC0415 (plain sources need no parser)
    from ..messages import hints  # noqa: PLC0415 (plain sources need no parser)
    from ..messages.log import Message, is_missing, render  # noqa: PLC0415
    from ..source import balance  # noqa: PLC0415 (plain sources need no parser)
    from ..source.dialect import check_dialect  # noqa: PLC0415
    from ..source.unreadable import unreadable  # noqa: PLC0415
    from . import clang, reading  # noqa: PLC0415 (plain sources need no parser)
    from .pieces.collector import Collector  # noqa: PLC0415

    files = {source.path: source.text} | source.virtual_headers()
    if refusals := list(unreadable(source)):
        log = render(refusals, Lines(source.text))
        raise CompileError(log, log)
    with clang.lock:
        clang.forget_files()
        # The host's API is only read where there may be code that wants it.
        macros: dict[str, str | None] = {"__LP_OUTLINE__": None, "_LIBCPP_REMOVE_TRANSITIVE_INCLUDES": None}
        macros |= {"__LP_HOST__": None} if re.search(_HOST, source.text) else {}
        read = reading.read(source, files, macros)
        errors, active = read.errors, read.active
        partly = any(path.startswith(header_folders.ABSENT) for path in clang.files(read.parsed))
        collector = Collector(active, is_part)
        collector.run(read.parsed)
        check_dialect(source, collector.includes)

        def parse_bodies() -> list[balance.Error]:
            whole = clang.translation_unit(source, files | read.files, macros, clang.KEEP_GOING)
            return _placed(clang.errors(whole))

        broken = balance.unbalanced(active, _placed(errors), parse_bodies)
        broken = broken or list(balance.lost(_seen(collector.files), _placed(errors)))
    text = b"\n".join(file.text for file in active.values())
    unit = ParsedUnit(source, collector.kernels.by_name, collector.files, partly, bool(re.search(_LAUNCH, text)))
    if (broken or not unit.kernels) and (other := list(hints.other_language(source.text))):
        raise refused(unit, [unit.message_at(source.path, *place) for place in other])
    if broken:
        raise refused(unit, [unit.message_at(*place) for place in dict.fromkeys(broken)])
    if not errors and not any(kernel.template for kernel in unit.kernels.values()):
        unit.parsed = read.parsed
    unit.program = unit.launches or bool(re.search(_MAIN, text))
    unit.files_read = files_read(unit, read.digests)
    unit.remarks += read.remarks
    unit.variable_templates = collector.variable_templates
    unit.reads_library = read.with_library
    unit.included = collector.included
    unit.missing += [unit.error(error.place, error.message) for error in errors if is_missing(error.message)]
    if unit.missing and not unit.program:
        raise refused(unit, unit.missing)
    if (kernel := unit.kernels.get("main")) is not None:
        problem = "a kernel cannot be named 'main', which C++ keeps for the host's function: give it another name"
        raise refused(unit, [Message(unit.name_of(kernel.path), kernel.line, kernel.column, "error", problem)])
    if not unit.kernels and not is_part:
        own_errors = [unit.error(error.place, error.message) for error in errors if error.place.path in active]
        if own_errors:
            raise refused(unit, own_errors)
        raise CompileError(f"{source.name}: {NO_KERNEL}")
    return unit
