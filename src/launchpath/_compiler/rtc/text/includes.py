"""The origin of each include of a source: the user's own files, as text; the library's folders; or missing."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from ...extraction import host_libraries
from ...extraction.unit import ParsedUnit
from .prelude import quoted

_INCLUDE = re.compile(rb'^([ \t]*\#[ \t]*include[ \t]*)(?:"([^"\n]+)"|<([^>\n]+)>)([^\n]*)$', re.MULTILINE)
_BY_MACRO = re.compile(rb"^([ \t]*\#[ \t]*include[ \t]*)[A-Za-z_][^\n]*$", re.MULTILINE)
_FOLDER = "launchpath_user"  # of the user's headers, in their names for the library


@dataclass(slots=True)
class Files:
    """The files of a program as the library takes them."""

    text: str  # the source
    # the user's headers, by the names in the ``#include`` directives as they are now
    headers: dict[str, str] = field(default_factory=dict)
    # included headers that are missing, with path and line of the directive, which is left out
    missing: dict[str, tuple[str, int]] = field(default_factory=dict)


def resolve(unit: ParsedUnit, texts: Mapping[str, bytes], folders: Iterable[str]) -> Files:
    """Give each of the user's files a name of its own, and leave out directives for missing headers.

    The libraries look for headers passed as text by exactly the name in the directive. They would look for ``"b.h"`` in
    ``a/a.h`` beside the program, and take two headers of the same name for the same header.

    Parameters
    ----------
    unit : ParsedUnit
    texts : mapping of str to bytes
        The user's files by path, see `ParsedUnit.reduced`.
    folders : iterable of str
        Where the library looks for headers.
    """
    texts = {path: _named(unit, text, path) for path, text in texts.items()}
    names = {path: f"{_FOLDER}/{number}/{os.path.basename(path)}" for number, path in enumerate(texts)}
    by_normal_path = {os.path.normpath(path): path for path in texts}
    searched = [*folders]
    foreign = {*searched}
    files = Files("")

    def directive(match: re.Match[bytes], path: str, line: int) -> bytes:
        name = (match[2] or match[3]).decode(errors="replace")
        own_folder = [os.path.dirname(path)] if match[2] is not None else []
        hides = False
        for folder in [*own_folder, *unit.source.virtual_folders, *searched]:
            place = os.path.join(folder, name)
            included = by_normal_path.get(os.path.normpath(place))
            if included is not None:
                return b'%s"%s"%s' % (match[1], names[included].encode(), match[4])
            if folder not in foreign or not os.path.isfile(place):
                continue
            if host_libraries.is_one_of(place, unit.source.system):
                hides = True  # the parser has a header of ours for it, and has not read this
            elif hides:
                return b'%s"%s"%s' % (match[1], place.encode(), match[4])
            else:
                return b"%s<%s>%s" % (match[1], name.encode(), match[4])
        files.missing.setdefault(name, (path, line))
        return b""

    replaced = {path: _replaced(text, path, directive) for path, text in texts.items()}
    files.text = replaced[unit.source.path]
    if not any(names[unit.source.path] in text for text in replaced.values()):  # it does not include itself
        del replaced[unit.source.path]
    files.headers = {names[path]: f"#line 1 {quoted(path)}\n{text}" for path, text in replaced.items()}
    return files


def _named(unit: ParsedUnit, text: bytes, path: str) -> bytes:
    """Write the names of headers into the directives where macros name them.

    A directive that included several files, by a macro that has changed, is left to the library.
    """

    def directive(match: re.Match[bytes]) -> bytes:
        included = unit.included.get((path, text.count(b"\n", 0, match.start()) + 1), set())
        if len(included) != 1:
            return match[0]
        ((name, place),) = included
        return match[1] + (b'"%s"' % place.encode() if place in unit.files else b"<%s>" % name.encode())

    return _BY_MACRO.sub(directive, text)


def _replaced(text: bytes, path: str, directive: Callable[[re.Match[bytes], str, int], bytes]) -> str:
    pieces, offset = [], 0
    for match in _INCLUDE.finditer(text):
        pieces += [text[offset : match.start()], directive(match, path, text.count(b"\n", 0, match.start()) + 1)]
        offset = match.end()
    return b"".join([*pieces, text[offset:]]).decode(errors="replace")
