"""Precompiled headers of the host side: those before a source, and those of the C++ library, read once for all sources.

They take nine tenths of the time in which the host side of a short program is compiled. The standard lets each header
of the C++ library include others. So a source that includes some of them is compiled with all of `library_headers`.
What that changes is noticed:

- A name of the library's that the source has for itself: there is an error, and the source is compiled as it is.
- A macro of the library's that a ``#if`` of the source's looks at: the source is compiled as it is.

The files are kept beside the compiled programs. Without a cache there are none.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from ..._compiler import header_folders
from ..._compiler.clang import frontend, library_headers, precompiled_store
from . import host_side, uses

_MACROS, _NAMES = "host macros", "host names"  # facts of a file
_LIMIT = 60.0  # seconds for making one
_OFTEN, _AGAIN = 2, 8  # times that a file is wanted before it is made, and before that is tried again
_WITH_VALUE = frozenset(("-main-file-name", "-dependency-file", "-MT", "-MQ", "-o", "-fcuda-include-gpubinary"))
_ALONE = ("-fdebug-compilation-dir=", "-fcoverage-compilation-dir=", "-cuid=", "-W", "-emit-", "-MP", "-MV", "-MG",
          "-module-file-deps", "-sys-header-deps", "-fcolor-diagnostics", "-w", "-S", "-debug-info-kind", "-dwarf-",
          "-debugger-tuning", "-fsyntax-only", "-header-include")  # fmt: skip
_FOLDERS = ("-I", "-isystem", "-idirafter", "-iquote")
_CONDITION = re.compile(rb"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|undef)\b(.*(?:\\\n.*)*)", re.MULTILINE)
_WORD = re.compile(rb"[A-Za-z_]\w*")


_to_make: dict[tuple[str, ...], Callable[[], None]] = {}


class Headers(NamedTuple):
    """What a command becomes with precompiled headers."""

    command: list[str]
    kind: tuple[str, ...]
    file: int  # the descriptor of the file, to close when Clang has ended


def is_refused(errors: str) -> bool:
    """Whether Clang's messages say that it cannot use a file."""
    return re.search(r"precompiled (?:header|file)|PCH file|AST file|module file", errors) is not None


def drop(headers: Headers) -> None:
    """Use a file no more."""
    precompiled_store.drop(headers.kind)


def find(command: Sequence[str], path: str, folders: Sequence[str]) -> Headers | None:
    """Find the precompiled headers for a command of ``clang -cc1``; `finish` may make them for the next one.

    Parameters
    ----------
    command : sequence of str
        Of a source in one of the dialects.
    path : str
        The source.
    folders : sequence of str
        The user's, in which headers are searched.
    """
    if not precompiled_store.is_on():
        return None
    texts = list(uses.texts(path, folders))
    for library in (library_headers.HEADERS, ()) if any(map(library_headers.is_slow, texts)) else ((),):
        start, before = _parts(command)
        kind = ("host", frontend.identity(), *start, *before, *library)
        stored = precompiled_store.opened_with_facts(kind)
        if stored is None:
            _to_make[kind] = partial(_make, kind, start, before, library)
            return None
        file, facts = stored
        names, macros = facts.get(_NAMES), frozenset(facts.get(_MACROS, ()))
        if names is None or header_folders.hides(folders, (), names) or _depends(texts, macros):
            os.close(file)
            continue
        # By the number of this process: Clang is another.
        path = f"/proc/{os.getpid()}/fd/{file}"
        return Headers([*_without(command, before), "-include-pch", path], kind, file)
    return None


def finish(at_once: bool = False) -> None:
    """Make the files that were wanted and not there.

    Parameters
    ----------
    at_once : bool
        Also those that were wanted for the first time: a file takes twice as long as the compilation that wants it, and
        configurations of build systems compile once with each of many options.
    """
    while _to_make:
        kind, make = _to_make.popitem()
        if at_once or precompiled_store.wanted(kind) % _AGAIN == _OFTEN:
            make()


def _parts(command: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part a command: what the headers depend on, and the headers before a source."""
    start, headers = [], []
    words = iter(command)
    for word in words:
        if word in _WITH_VALUE or word in ("-x", "-I", "-iquote"):
            next(words)
        elif word == "-include":
            headers.append(next(words))
        elif word in ("-isystem", "-idirafter"):
            folder = next(words)
            start += [word, folder]
        elif word == "-D":
            macro = next(words)
            start += [word, macro] if _counts(macro) else []
        elif not word.startswith(_ALONE) and not (word.startswith("-I") and len(word) > 2):
            start.append(word)
    start.pop()  # the source
    ours = [header for header in headers[:2] if header in _BEFORE]
    return [*start, "-x", "hip"], ours


_BEFORE = (frontend.PRELUDE, "cuda_runtime.h", "hip/hip_runtime.h")


def _counts(macro: str) -> bool:
    return host_side.changes_headers(macro)


def _without(command: Sequence[str], headers: Iterable[str]) -> list[str]:
    headers_to_leave_out, words_to_keep = list(headers), []
    words = iter(command)
    for word in words:
        if word == "-include":
            header = next(words)
            if header in headers_to_leave_out:
                headers_to_leave_out.remove(header)
                continue
            words_to_keep += [word, header]
        else:
            words_to_keep.append(word)
    return words_to_keep


def _depends(texts: Iterable[bytes], macros: frozenset[str]) -> bool:
    """Whether a conditional part of some texts depends on one of these macros."""
    return any(
        word.decode() in macros
        for text in texts
        for condition in _CONDITION.findall(text)
        for word in _WORD.findall(condition)
    )


def _make(kind: tuple[str, ...], start: list[str], before: list[str], library: Sequence[str]) -> None:
    """Make a file and keep it; other processes that want it at the same time make their own."""
    header_options = [part for header in (*before, *library) for part in ("-include", header)]
    folder = tempfile.mkdtemp(prefix="launchpath-")
    file, dependencies = os.path.join(folder, "headers.pch"), os.path.join(folder, "headers.d")
    dependency_options = ["-dependency-file", dependencies, "-MT", "headers", "-sys-header-deps"]
    instantiate = ["-fpch-instantiate-templates"] if library else []
    try:
        process = _run(
            [*start, *header_options, *instantiate, "-emit-pch", frontend.PRECOMPILED, "-o", file, *dependency_options]
        )
        if process is None or process.returncode:
            return
        facts = {_NAMES: header_folders.read_names(_paths(dependencies), _roots(start))}
        if library:
            options_before = [part for header in before for part in ("-include", header)]
            facts[_MACROS] = sorted(_macros([*start, *header_options]) - _macros([*start, *options_before]))
        precompiled_store.keep(kind, file, facts)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _roots(start: Sequence[str]) -> list[str]:
    return [folder for option, folder in itertools.pairwise(start) if option in _FOLDERS]


def _paths(dependencies: str) -> list[str]:
    with open(dependencies, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read().replace("\\\n", " ")
    return [path.replace("\\ ", " ") for path in re.split(r"(?<!\\)\s+", text)]


def _macros(command: list[str]) -> set[str]:
    process = _run([*command, "-E", "-dM", frontend.PRECOMPILED, "-o", "-"])
    text = "" if process is None else process.stdout
    return set(re.findall(r"^#define (\w+)", text, re.MULTILINE))


def _run(command: list[str]) -> subprocess.CompletedProcess[str] | None:
    with suppress(OSError, subprocess.TimeoutExpired):
        return subprocess.run(command, check=False, capture_output=True, text=True, errors="replace", timeout=_LIMIT)
    return None
