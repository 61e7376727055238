"""Precompiled headers: the headers before a source, read once for each kind of compilation.

Our own headers take most of a short compilation, and they are the same for every source of its kind (language, device,
optimization). The process that compiles has Clang precompile them beside its work, and later compilations of that kind
begin with the result. No compilation waits for it, and none needs it. They are kept for later processes, where there is
a cache; then they are made the first time that a kind is wanted, else the second time.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from .._external import run
from . import frontend, precompiled_store
from .source import Source

_OFTEN = 2  # times that a kind is wanted before its headers are precompiled for this process alone
_LIMIT = 60.0  # seconds that Clang may take for it
# What Clang says of a file that it cannot use: one of its headers has changed, or the file is damaged.
_REFUSAL = re.compile(r"precompiled (?:header|file)|PCH file|AST file|module file")
# What an option of a compilation does that its headers do not depend on.
_NOT_OF_HEADERS = ("-emit-", "-ast-dump", "-fsyntax-only")

Kind = tuple[str, ...]
Made = tuple[str, Mapping[str, Any]]

_times: dict[Kind, int] = {}
_files: dict[Kind, Made] = {}
_is_on: list[bool] = []


def switch_on() -> None:
    """Precompile from now on: for a process that removes its folder of temporary files when it ends."""
    _is_on.append(True)


def find(
    source: Source, macros: Mapping[str, str | None], mode: Iterable[str], library: Iterable[str] = ()
) -> str | None:
    """Find the precompiled headers for a compilation; if there are none yet, they may be made for later ones.

    Parameters
    ----------
    source : Source
    macros : mapping of str to str or None
        Besides the source's.
    mode : iterable of str
        What to do: arguments of ``clang -cc1``.
    library : iterable of str
        Headers of the C++ library that come behind ours.

    Returns
    -------
    str or None
        A file for ``-include-pch``.
    """
    # A header in the caller's folders may come before ours, and may change. Names that macros paste are of one source.
    if source.virtual_folders or (frontend.LAUNCHES in macros and len(macros) > len(frontend.HOST)):
        return None
    options = [option for option in mode if not option.startswith(_NOT_OF_HEADERS)]
    command = [*frontend.language(source, macros), *options]
    if library:
        command.append("-fpch-instantiate-templates")
    for header in (*frontend.headers_before(source, macros), *library):
        command += ["-include", header]

    def make(folder: str) -> Made | None:
        file = os.path.join(folder, "headers.pch")
        done = run([*command, "-emit-pch", frontend.PRECOMPILED, "-o", file], timeout=_LIMIT)
        return (file, {}) if done.code == 0 else None

    headers = of((frontend.identity(), *command), make)
    return headers and headers[0]


def of(kind: Kind, make: Callable[[str], Made | None]) -> Made | None:
    """Give the file of a kind, with what is known of it; if there is none yet, it may be made for later compilations.

    Parameters
    ----------
    kind : tuple of str
        All that the file depends on.
    make : callable
        Makes the file in a folder, on a thread of its own.
    """
    if not _is_on:
        return None
    _times[kind] = times = _times.get(kind, 0) + 1
    if times == 1 and (kept := precompiled_store.fetch(kind)) is not None:
        _files[kind] = kept
    elif times == (1 if precompiled_store.is_on() else _OFTEN):
        threading.Thread(target=_precompile, args=(kind, make), daemon=True).start()
    return _files.get(kind)


def is_refused(messages: Iterable[str]) -> bool:
    """Whether Clang's messages say that it cannot use a precompiled header."""
    return any(_REFUSAL.search(text) for text in messages)


def drop(file: str) -> None:
    """Use a file no more; its kind is not precompiled again in this process."""
    for kind in [kind for kind, (other, _) in _files.items() if other == file]:
        _files.pop(kind, None)
        precompiled_store.drop(kind)


def _precompile(kind: Kind, make: Callable[[str], Made | None]) -> None:
    with suppress(OSError, subprocess.TimeoutExpired):
        if (made := make(tempfile.mkdtemp(prefix="precompiled-"))) is not None:
            _files[kind] = made
            precompiled_store.keep(kind, *made)
