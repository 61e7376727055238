"""The archives that each program is linked with: the C++ library, and launchpath's part of each program.

The package's build puts them into ``_host/lib``. Where they are not there, or of another ziglang or other sources, they
are built at first use, into the folder of the cache.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..._compiler.cache import cache as caches
from ...errors import CompileError
from . import cxx_library, start_library, toolchain

PACKAGED = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "lib")
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
        cxx_library.build(zig, folder)

    folder = _found_or_built("cxx", cxx_library.key(zig), build)
    return [os.path.join(folder, name) for name in cxx_library.ARCHIVES]


def start() -> str | None:
    """Give the path of the archive of launchpath's part of each program; None if it has no sources.

    Raises
    ------
    CompileError
        It cannot be built.
    """
    zig = toolchain.zig()
    if not start_library.sources():
        return None
    folder = _found_or_built("start", start_library.key(zig), lambda folder: start_library.build(zig, folder))
    return os.path.join(folder, start_library.ARCHIVE)


def _found_or_built(noun: str, key: str, build: Callable[[str], None]) -> str:
    """Give a folder with archives of a key."""
    packaged = os.path.join(PACKAGED, noun)
    if is_of(packaged, key):
        return packaged
    own = os.path.join(_cache_folder(), f"{noun}-{hashlib.sha256(key.encode()).hexdigest()[:16]}")
    if is_of(own, key):
        return own
    with _locked(f"{own}.lock"):
        if not is_of(own, key):
            try:
                build_into(own, key, build)
            except (OSError, subprocess.SubprocessError, cxx_library.BuildError) as error:
                raise CompileError(f"the library that programs are linked with cannot be built: {error}") from None
    return own


def is_of(folder: str, key: str) -> bool:
    """Whether a folder has archives of a key."""
    try:
        with open(os.path.join(folder, "key"), encoding="utf-8") as file:
            return file.read() == key
    except OSError:
        return False


def build_into(folder: str, key: str, build: Callable[[str], None]) -> None:
    """Build archives, and put them into their folder at once."""
    above = os.path.dirname(folder)
    os.makedirs(above, exist_ok=True)
    scratch = tempfile.mkdtemp(prefix=".building-", dir=above)
    try:
        build(scratch)
        with open(os.path.join(scratch, "key"), "w", encoding="utf-8") as file:
            file.write(key)
        os.chmod(scratch, 0o755)
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(scratch, folder)
    except BaseException:
        shutil.rmtree(scratch, ignore_errors=True)
        raise


def _cache_folder() -> str:
    folder = caches.settings().folder
    if folder is None:
        raise CompileError(f"the library that programs are linked with cannot be kept: {caches.NO_FOLDER}")
    made = os.path.join(folder, _FOLDER)
    os.makedirs(made, mode=0o700, exist_ok=True)
    return made


@contextmanager
def _locked(path: str) -> Iterator[None]:
    """Hold a lock among processes: one builds, others wait for it."""
    with open(path, "a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
