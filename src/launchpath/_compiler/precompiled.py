"""Precompiled headers: the headers before a source, read once for each kind of compilation.

Our own headers take most of a short compilation, and they are the same for every source of its kind (language, device,
optimization). The second time that a kind is wanted, the process that compiles has Clang precompile them beside its
work, and later compilations of that kind begin with the result. No compilation waits for it, and none needs it: the
files lie in the process's own folder and end with it.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence

from .._external import run
from . import frontend
from .source import Source

_OFTEN = 2  # times that a kind is wanted before its headers are precompiled
_LIMIT = 60.0  # seconds that Clang may take for it
# What Clang says of a file that it cannot use: one of its headers has changed, or the file is damaged.
_REFUSAL = re.compile(r"precompiled (?:header|file)|PCH file|AST file|module file")

_times: dict[tuple[str, ...], int] = {}
_files: dict[tuple[str, ...], str] = {}
_is_on: list[bool] = []


def switch_on() -> None:
    """Precompile from now on: for a process that removes its folder of temporary files when it ends."""
    _is_on.append(True)


def find(source: Source, macros: Mapping[str, str | None], mode: Iterable[str]) -> str | None:
    """Find the precompiled headers for a compilation; if there are none yet, they may be made for later ones.

    Parameters
    ----------
    source : Source
    macros : mapping of str to str or None
        Besides the source's.
    mode : iterable of str
        What to do: arguments of ``clang -cc1``.

    Returns
    -------
    str or None
        A file for ``-include-pch``.
    """
    # A header in the caller's folders may come before ours, and may change. Host code has macros for one source alone.
    if not _is_on or source.virtual_folders or frontend.LAUNCHES in macros:
        return None
    options = [option for option in mode if not option.startswith("-emit-")]
    command = [*frontend.language(source, macros), *options, "-emit-pch"]
    headers = frontend.headers_before(source, macros)
    kind = (*command, *headers)
    _times[kind] = _times.get(kind, 0) + 1
    if _times[kind] == _OFTEN:
        threading.Thread(target=_precompile, args=(kind, command, headers), daemon=True).start()
    return _files.get(kind)


def is_refused(messages: Iterable[str]) -> bool:
    """Whether Clang's messages say that it cannot use a precompiled header."""
    return any(_REFUSAL.search(text) for text in messages)


def drop(file: str) -> None:
    """Use a file no more; its kind is not precompiled again."""
    for kind in [kind for kind, other in _files.items() if other == file]:
        _files.pop(kind, None)


def _precompile(kind: tuple[str, ...], command: Sequence[str], headers: Iterable[str]) -> None:
    try:
        folder = tempfile.mkdtemp(prefix="precompiled-")
        text, file = os.path.join(folder, "headers.h"), os.path.join(folder, "headers.pch")
        with open(text, "w") as opened:
            opened.writelines(f"#include <{header}>\n" for header in headers)
        done = run([*command, text, "-o", file], timeout=_LIMIT)
    except (OSError, subprocess.TimeoutExpired):
        return
    if done.code == 0:
        _files[kind] = file
