"""Where precompiled headers are kept: beside the compiled programs, for later processes.

They are entries of a cache of their own, in a folder below that of the programs, and with a limit. The headers are
files that are attached to the entries. A compiler gets a path by way of a descriptor of this process: what it reads
stays as it is, though other processes may remove or replace the file.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from ..cache import cache as caches
from ..cache.entry import Entry

FOLDER = "precompiled"
_FACTS = "names"  # entries of before have other facts
_WANTED = "wanted"  # of an entry without a file
_SHARE = 4  # the part of the programs' limit that precompiled headers may take besides


def is_on() -> bool:
    """Whether later processes get what is kept."""
    return _cache() is not None


def fetch(kind: tuple[str, ...]) -> tuple[str, Mapping[str, Any]] | None:
    """Give a path for a compiler, and the facts that were kept with it; None if nothing is kept."""
    if (opened_file := opened_with_facts(kind)) is None:
        return None
    file, facts = opened_file
    # By the number of this process: the compiler may be another.
    path = f"/proc/{os.getpid()}/fd/{file}"
    if os.path.exists(path):
        return path, facts
    with open(file, "rb") as opened, suppress(OSError):
        path = os.path.join(tempfile.mkdtemp(prefix="precompiled-"), "headers.pch")
        with open(path, "wb") as copy:
            shutil.copyfileobj(opened, copy)
        return path, facts
    return None


def opened(kind: tuple[str, ...]) -> Sequence[int]:
    """Open what is kept, and give the descriptor, which is the caller's; none if nothing is kept."""
    opened_file = opened_with_facts(kind)
    return () if opened_file is None else opened_file[:1]


def opened_with_facts(kind: tuple[str, ...]) -> tuple[int, Mapping[str, Any]] | None:
    """Open what is kept; give the descriptor, which is the caller's, and the facts. None if nothing is kept."""
    cache, key = _cache(), _key(kind)
    if cache is None or (entry := cache.get(key)) is None or (file := cache.attached(key, entry)) is None:
        return None
    return file, entry.meta


def keep(kind: tuple[str, ...], path: str, meta: Mapping[str, Any]) -> None:
    """Keep a file for later processes, where that is possible."""
    if (cache := _cache()) is None:
        return
    with suppress(OSError):
        with open(path, "rb") as file:
            data = file.read()
        cache.put(_key(kind), Entry({**meta, "source": "precompiled headers"}, {}), data)


def wanted(kind: tuple[str, ...]) -> int:
    """Count how often a file was wanted that is not kept, by this process and by others, this time too."""
    if (cache := _cache()) is None:
        return 0
    entry = cache.get(_key(kind))
    count = 1 if entry is None else int(entry.meta.get(_WANTED, 0)) + 1
    cache.put(_key(kind), Entry({_WANTED: count, "source": "precompiled headers"}, {}))
    return count


def drop(kind: tuple[str, ...]) -> None:
    """Remove a file that a compiler refuses: a later process makes a new file."""
    if (cache := _cache()) is not None:
        cache.put(_key(kind), Entry({}, {}))


def _cache() -> caches.Cache | None:
    programs = caches.default()
    return programs and beside(programs)


def beside(programs: caches.Cache) -> caches.Cache:
    """Give the cache of precompiled headers that belongs to a cache of programs."""
    return caches.Cache(os.path.join(programs.folder, FOLDER), programs.limit // _SHARE)


def _key(kind: tuple[str, ...]) -> str:
    return caches.key(FOLDER, _FACTS, *kind)
