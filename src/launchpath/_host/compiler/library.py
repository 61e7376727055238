"""The archives that each program is linked with: the C++ library, and launchpath's part of each program.

The package's build puts them into ``_host/lib``. Those of a wheel are packed, and unpacked at first use into the folder
of the cache. Where they are not there, or of another ziglang or other sources, they are built there.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

from ..._compiler.cache import cache as caches
from ...errors import CompileError
from . import archives, toolchain

_FOLDER = "host"  # in that of the cache


def cxx() -> list[str]:
    """Give the paths of the archives of the C++ library, in the order of the link.

    Raises
    ------
    CompileError
        They cannot be built.
    """
    zig = toolchain.zig()

    def build(folder: str) -> None:
        sys.stderr.write("launchpath c++: note: building the C++ library, once: this takes about a minute\n")
        sys.stderr.flush()
        archives.build_cxx(zig, folder)

    folder = found_or_built("cxx", archives.cxx_key(zig), build)
    return [os.path.join(folder, name) for name in archives.ARCHIVES]


def start() -> str | None:
    """Give the path of the archive of launchpath's part of each program; None if it has no sources.

    Raises
    ------
    CompileError
        It cannot be built.
    """
    zig = toolchain.zig()
    if not archives.start_sources():
        return None
    folder = found_or_built("start", archives.start_key(zig), lambda folder: archives.build_start(zig, folder))
    return os.path.join(folder, archives.START)


def found_or_built(noun: str, key: str, build: Callable[[str], None]) -> str:
    """Give a folder with archives of a key."""
    packaged = os.path.join(archives.PACKAGED, noun)
    is_packaged, is_packed = archives.is_of(packaged, key), archives.is_packed(packaged)
    if is_packaged and not is_packed:
        return packaged
    cached = own_folder(noun, key)
    if archives.is_of(cached, key):
        return cached
    with _locked(f"{cached}.lock"):
        if is_packaged and not archives.is_of(cached, key):
            with suppress(tarfile.TarError):  # then they are built
                archives.build_into(cached, key, partial(archives.unpack, packaged))
        if not archives.is_of(cached, key):
            try:
                archives.build_into(cached, key, build)
            except (OSError, subprocess.SubprocessError, archives.BuildError) as error:
                raise CompileError(f"the library that programs are linked with cannot be built: {error}") from None
    return cached


def own_folder(noun: str, key: str) -> str:
    """Name the folder for archives of a key in that of the cache."""
    return os.path.join(_cache_folder(), f"{noun}-{hashlib.sha256(key.encode()).hexdigest()[:16]}")


def _cache_folder() -> str:
    folder = caches.settings().folder
    if folder is None:
        raise CompileError(f"the library that programs are linked with cannot be kept: {caches.NO_FOLDER}")
    archives_folder = os.path.join(folder, _FOLDER)
    os.makedirs(archives_folder, mode=0o700, exist_ok=True)
    return archives_folder


@contextmanager
def _locked(path: str) -> Iterator[None]:
    """Hold a lock among processes: one builds, others wait for it."""
    with open(path, "a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
