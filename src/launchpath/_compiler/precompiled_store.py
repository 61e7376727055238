"""Where precompiled headers are kept: beside the compiled programs, for later processes.

They are entries of a cache of their own, in a folder below that of the programs: with a checksum, and with a limit. A
compiler gets a copy in the folder of temporary files of the process that compiles, so nobody removes or replaces a file
that a compiler reads.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from . import cache as caches
from .entry import Entry

FOLDER = "precompiled"
_SHARE = 4  # the part of the programs' limit that precompiled headers may take besides
_NAME = "headers"


def is_on() -> bool:
    """Whether later processes get what is kept."""
    return _cache() is not None


def fetch(kind: tuple[str, ...]) -> tuple[str, Mapping[str, Any]] | None:
    """Give the path of a copy, and the facts that were kept with it; None if nothing is kept."""
    kept = _cache()
    if kept is None or (entry := kept.get(_key(kind))) is None or _NAME not in entry.blobs:
        return None
    try:
        folder = tempfile.mkdtemp(prefix="precompiled-")
        path = os.path.join(folder, "headers.pch")
        with open(path, "wb") as file:
            file.write(entry.blobs[_NAME])
    except OSError:
        return None
    return path, entry.meta


def keep(kind: tuple[str, ...], path: str, meta: Mapping[str, Any]) -> None:
    """Keep a file for later processes, where that is possible."""
    if (kept := _cache()) is None:
        return
    with suppress(OSError):
        with open(path, "rb") as file:
            data = file.read()
        kept.put(_key(kind), Entry({**meta, "source": "precompiled headers"}, {_NAME: data}))


def drop(kind: tuple[str, ...]) -> None:
    """Remove a file that a compiler refuses: a later process makes a new file."""
    if (kept := _cache()) is not None:
        kept.put(_key(kind), Entry({}, {}))


def _cache() -> caches.Cache | None:
    programs = caches.default()
    return programs and beside(programs)


def beside(programs: caches.Cache) -> caches.Cache:
    """Give the cache of precompiled headers that belongs to a cache of programs."""
    return caches.Cache(os.path.join(programs.folder, FOLDER), programs.limit // _SHARE)


def _key(kind: tuple[str, ...]) -> str:
    return caches.key(FOLDER, *kind)
