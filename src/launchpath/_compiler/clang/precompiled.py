"""Precompiled headers: the headers before a source, read once for each kind of compilation.

Our own headers take most of a short compilation, and they are the same for every source of its kind (language, device,
optimization). The process that compiles has Clang precompile them beside its work, and later compilations of that kind
begin with the result. No compilation waits for it, or needs it. With a cache, they are kept for later processes, and
precompiled when a kind is needed for the first time. Without a cache, they are precompiled the second time.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from ..._external import run
from .. import header_folders
from ..source.source import Source
from . import frontend, precompiled_store

NAMES = "names"  # the fact of a file that says by which names its headers include each other
_MACROS = "macros"  # the fact that names the macros of the C++ library's headers
_OFTEN = 2  # times that a kind is wanted before its headers are precompiled for this process alone
_LIMIT = 60.0  # seconds that Clang may take for it
# Clang's messages about a file that it cannot use: one of its headers has changed, or the file is damaged.
_REFUSAL = re.compile(r"precompiled (?:header|file)|PCH file|AST file|module file")
# Options of a compilation that do not change its headers.
_NOT_OF_HEADERS = ("-emit-", "-ast-dump", "-fsyntax-only", "-H", "-sys-header-deps", "-cuid=")

Kind = tuple[str, ...]
Precompiled = tuple[str, Mapping[str, Any]]

_times: dict[Kind, int] = {}
_files: dict[Kind, Precompiled] = {}
_is_on: list[bool] = []
_running: list[threading.Thread] = []


def switch_on() -> None:
    """Precompile from now on: for a process that removes its folder of temporary files when it ends."""
    _is_on.append(True)


def find(
    source: Source, macros: Mapping[str, str | None], mode: Iterable[str], library: Iterable[str] = ()
) -> str | None:
    """Find the precompiled headers for a compilation. If there are none yet, they may be made for later compilations.

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
    headers = _find(source, macros, mode, library)
    return headers[0] if headers is not None else None


def find_with_macros(
    source: Source, macros: Mapping[str, str | None], mode: Iterable[str], library: Iterable[str]
) -> tuple[str, frozenset[str]] | None:
    """Find the same with headers of the C++ library, and give the macros that those define."""
    headers = _find(source, macros, mode, library)
    return (headers[0], frozenset(headers[1].get(_MACROS, ()))) if headers is not None else None


def kept(source: Source, macros: Mapping[str, str | None], mode: Iterable[str]) -> Sequence[int]:
    """Open the precompiled headers for a compilation if an earlier process has kept them; else give no descriptor.

    The descriptor is the caller's. Nothing of it stays in this process, and nothing is precompiled.
    """
    return precompiled_store.opened((frontend.identity(), *_command(source, macros, mode, ())))


def _find(
    source: Source, macros: Mapping[str, str | None], mode: Iterable[str], library: Iterable[str]
) -> Precompiled | None:
    # Macros that rename templates are for this source only.
    if frontend.LAUNCHES in macros and len(macros) > len(frontend.HOST):
        return None
    alone, first_headers = frontend.alone(source), frontend.headers_before(source, macros)
    command = _command(source, macros, mode, library)

    def make(folder: str) -> Precompiled | None:
        file, read = os.path.join(folder, "headers.pch"), os.path.join(folder, "headers.d")
        dependencies = ["-dependency-file", read, "-MT", "headers", "-sys-header-deps"]
        done = run(
            [*command, "-emit-pch", frontend.PRECOMPILED, "-o", file, *dependencies], timeout=_LIMIT, waited_for=False
        )
        if done.code != 0:
            return None
        facts: dict[str, Any] = {NAMES: header_folders.read_names(_paths(read), frontend.roots(alone))}
        if library:
            before = [part for header in first_headers for part in ("-include", header)]
            facts[_MACROS] = sorted(_macros(command) - _macros([*frontend.language(alone, macros), *before]))
        return file, facts

    headers = find_or_make((frontend.identity(), *command), make)
    return headers if headers is not None and not are_hidden(headers, source) else None


def _command(
    source: Source, macros: Mapping[str, str | None], mode: Iterable[str], library: Iterable[str]
) -> list[str]:
    """Make the command that reads the headers of a compilation; all that it writes depends on this."""
    options = [option for option in mode if not option.startswith(_NOT_OF_HEADERS)]
    command = [*frontend.language(frontend.alone(source), macros), *options]
    if library:
        command.append("-fpch-instantiate-templates")
    for header in (*frontend.headers_before(source, macros), *library):
        command += ["-include", header]
    return command


def are_hidden(headers: Precompiled, source: Source) -> bool:
    """Whether headers of a source's caller may hide those that are precompiled."""
    if not source.virtual_folders:
        return False
    names = headers[1].get(NAMES)
    return names is None or header_folders.hides(source.folders, (name for name, _ in source.headers), names)


def _macros(command: list[str]) -> set[str]:
    """Name the macros that there are behind the headers of a command."""
    done = run([*command, "-E", "-dM", frontend.PRECOMPILED, "-o", "-"], timeout=_LIMIT)
    return set(re.findall(r"^#define (\w+)", done.output.decode(errors="replace"), re.MULTILINE))


def _paths(dependencies: str) -> list[str]:
    """The files in a rule of make's."""
    with open(dependencies, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read().replace("\\\n", " ")
    return [path.replace("\\ ", " ") for path in re.split(r"(?<!\\)\s+", text)]


def find_or_make(kind: Kind, make: Callable[[str], Precompiled | None]) -> Precompiled | None:
    """Give the file of a kind, with its facts. If there is none yet, it may be made for later compilations.

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
    if times == 1 and (stored := precompiled_store.fetch(kind)) is not None:
        _files[kind] = stored
    elif times == (1 if precompiled_store.is_on() else _OFTEN):
        thread = threading.Thread(target=_precompile, args=(kind, make), daemon=True)
        _running.append(thread)
        thread.start()
    return _files.get(kind)


def finish() -> None:
    """Wait until all headers are precompiled that are being precompiled."""
    while _running:
        _running.pop().join(_LIMIT)


def is_refused(messages: Iterable[str]) -> bool:
    """Whether Clang's messages say that it cannot use a precompiled header."""
    return any(_REFUSAL.search(text) for text in messages)


def drop(file: str) -> None:
    """Use a file no more; its kind is not precompiled again in this process."""
    for kind in [kind for kind, (other, _) in _files.items() if other == file]:
        _files.pop(kind, None)
        precompiled_store.drop(kind)


def _precompile(kind: Kind, make: Callable[[str], Precompiled | None]) -> None:
    with suppress(OSError, subprocess.TimeoutExpired):
        if (precompiled := make(tempfile.mkdtemp(prefix="precompiled-"))) is not None:
            _files[kind] = precompiled
            precompiled_store.keep(kind, *precompiled)
