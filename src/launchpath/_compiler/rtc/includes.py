"""The origin of each include of a source: the user's own files, as text; the library's folders; or missing."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from .. import host_libraries
from ..unit import Unit

_INCLUDE = re.compile(rb'^([ \t]*\#[ \t]*include[ \t]*)(?:"([^"\n]+)"|<([^>\n]+)>)([^\n]*)$', re.MULTILINE)
_FOLDER = "launchpath_user"  # of the user's headers, in the names that they are given by


@dataclass(slots=True)
class Files:
    """The files of a program as the library takes them.

    Attributes
    ----------
    text : str
        The source.
    headers : dict of str to str
        The user's headers, by the names in the ``#include`` directives as they are now.
    missing : dict of str to (str, int)
        What is included and is nowhere, with path and line; it is left out.
    """

    text: str
    headers: dict[str, str] = field(default_factory=dict)
    missing: dict[str, tuple[str, int]] = field(default_factory=dict)


def resolve(unit: Unit, texts: Mapping[str, bytes], folders: Iterable[str]) -> Files:
    """Give each file of the user's a name that is its own, and leave out what cannot be included.

    The libraries look for headers given as text by exactly the name in the directive: ``"b.h"`` in ``a/a.h`` would be
    looked for beside the program, and two headers of one name would be one.

    Parameters
    ----------
    unit : Unit
    texts : mapping of str to bytes
        The user's files by path, see `Unit.reduced`.
    folders : iterable of str
        Where the library looks for headers.
    """
    names = {path: f"{_FOLDER}/{number}/{os.path.basename(path)}" for number, path in enumerate(texts)}
    known = {os.path.normpath(path): path for path in texts}
    searched = [*folders]
    foreign = {*searched}
    files = Files("")

    def directive(match: re.Match[bytes], path: str, line: int) -> bytes:
        name = (match[2] or match[3]).decode(errors="replace")
        beside = [os.path.dirname(path)] if match[2] is not None else []
        hides = False
        for folder in [*beside, *unit.source.virtual_folders, *searched]:
            place = os.path.join(folder, name)
            found = known.get(os.path.normpath(place))
            if found is not None:
                return b'%s"%s"%s' % (match[1], names[found].encode(), match[4])
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

    made = {path: _replaced(text, path, directive) for path, text in texts.items()}
    files.text = made.pop(unit.source.path)
    files.headers = {names[path]: f"#line 1 {quoted(path)}\n{text}" for path, text in made.items()}
    return files


def quoted(path: str) -> str:
    """Write a path as a C string."""
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _replaced(text: bytes, path: str, directive: Callable[[re.Match[bytes], str, int], bytes]) -> str:
    made, at = [], 0
    for match in _INCLUDE.finditer(text):
        made += [text[at : match.start()], directive(match, path, text.count(b"\n", 0, match.start()) + 1)]
        at = match.end()
    return b"".join([*made, text[at:]]).decode(errors="replace")
