"""Precompiled headers for libclang, as `clang.precompiled` has them for Clang: each reads only its own version's."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from ...errors import CompileError
from .. import header_folders
from ..clang import frontend, precompiled
from ..clang.precompiled import Precompiled
from ..source.source import Source
from . import clang

_MACRO = 501  # Clang's kind of cursor for a macro's definition
_FOR_SAVING = 0x10


class ParsedHeaders(NamedTuple):
    """A file of headers that libclang has read."""

    file: str  # for ``-include-pch``
    macros: frozenset[str]  # the macros that the C++ library's headers define


def find(source: Source, macros: Mapping[str, str | None], library: Iterable[str] = ()) -> ParsedHeaders | None:
    """Find the headers before a source for a parse. If there are none yet, they may be made for later parses.

    Parameters
    ----------
    source : Source
    macros : mapping of str to str or None
        Besides the source's.
    library : iterable of str
        Headers of the C++ library that come behind ours.
    """
    alone = frontend.alone(source)
    arguments = clang.arguments(alone, macros)
    for header in (*frontend.headers_before(source, macros), *library):
        arguments += ["-include", header]
    kind = (clang.identity(), frontend.identity(), *arguments)
    roots = frontend.roots(alone)
    headers = precompiled.find_or_make(
        kind, lambda folder: _make(os.path.join(folder, "headers.pch"), arguments, roots)
    )
    if headers is None or precompiled.are_hidden(headers, source):
        return None
    return ParsedHeaders(headers[0], frozenset(headers[1].get("macros", ())))


def parse(
    source: Source,
    files: Mapping[str, bytes],
    macros: Mapping[str, str | None],
    options: int,
    library: Iterable[str] = (),
) -> Any:
    """Parse as `clang.translation_unit` does, with the headers before the source, and `library`, if precompiled."""
    if (headers := find(source, macros, library)) is not None:
        with suppress(CompileError):  # the parser says no more
            parsed = clang.translation_unit(source, files, macros, options, headers.file)
            if not precompiled.is_refused(error.message for error in clang.errors(parsed)):
                return parsed
        precompiled.drop(headers.file)
    return clang.translation_unit(source, files, macros, options)


def _make(file: str, arguments: list[str], roots: Sequence[str]) -> Precompiled | None:
    cindex = clang.library()
    options = clang.PREPROCESSING | clang.SKIP_BODIES | clang.KEEP_GOING | clang.INCOMPLETE | _FOR_SAVING
    with suppress(cindex.TranslationUnitLoadError, cindex.TranslationUnitSaveError):
        parsed = cindex.Index.create().parse(frontend.PRECOMPILED, args=arguments, options=options)
        if any(diagnostic.severity >= 4 for diagnostic in parsed.diagnostics):
            return None
        parsed.save(file)
        names = header_folders.read_names(clang.inclusions(parsed), roots)
        return file, {"macros": sorted(_macros(parsed)), precompiled.NAMES: names}
    return None


def _macros(parsed: Any) -> set[str]:
    """The macros that the C++ library's headers define; those of ours are there in any case."""
    system = frontend.find().system
    names: set[str] = set()

    def take(cursor: Any, _parent: Any) -> bool:
        if cursor._kind_id == _MACRO and clang.place(cursor.location).path.startswith(system):
            names.add(cursor.spelling)
        return False

    clang.visit(parsed.cursor, take)
    return names
