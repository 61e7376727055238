"""Programs that ``launchpath run`` has compiled, kept on disk with the digests of the files that they were made of."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence

from launchpath._compiler.cache import cache as caches
from launchpath._compiler.cache.fingerprint import digest, key, unchanged
from launchpath._compiler.cache.own_sources import identity as own_identity
from launchpath._compiler.clang import frontend
from launchpath._host.compiler import driver
from launchpath._version import __version__
from launchpath.errors import CompileError

_NAME, _FILES = "program", "files.json"
_PART = re.compile(r"(?:\\.|[^\s\\])+")  # of a list of dependencies: a name, with its spaces escaped


def program(files: Sequence[str], words: Sequence[str]) -> str:
    """Give the path of the program of some sources, from the cache or by the compiler driver.

    Parameters
    ----------
    files : sequence of str
        Sources, and objects.
    words : sequence of str
        Options of the driver.

    Raises
    ------
    CompileError
        They do not compile; the compiler's messages are on stderr.
    """
    folder = os.path.join(_folder(), key("run", __version__, own_identity(), frontend.identity(), sys.executable,
                                         os.getcwd(), *files, "--", *words)[:40])  # fmt: skip
    path = os.path.join(folder, _NAME)
    if not _is_current(folder):
        _build(folder, files, words)
    return path


def _folder() -> str:
    folder = caches.settings().folder or os.path.join(tempfile.gettempdir(), f"launchpath-{os.getuid()}")
    made = os.path.join(folder, "host", "run")
    os.makedirs(made, mode=0o700, exist_ok=True)
    return made


def _is_current(folder: str) -> bool:
    try:
        with open(os.path.join(folder, _FILES), encoding="utf-8", errors="surrogateescape") as file:
            return unchanged(json.load(file))
    except (OSError, ValueError):
        return False


def _build(folder: str, files: Sequence[str], words: Sequence[str]) -> None:
    """Compile and link into a folder of its own, which takes its place at the end: others may run or build the same."""
    with tempfile.TemporaryDirectory(prefix=".building-", dir=os.path.dirname(folder)) as scratch:
        made, objects, digests = os.path.join(scratch, "made"), [], {}
        os.mkdir(made)
        for number, source in enumerate(files):
            if source.endswith((".o", ".a", ".so")):
                objects.append(source)
                digests[os.path.abspath(source)] = digest(source)
                continue
            target, listed = (os.path.join(scratch, f"{number}.{end}") for end in ("o", "d"))
            # The options first: `-x cu` is of the files behind it.
            _drive([*words, "-c", source, "-o", target, "-MD", "-MF", listed], source)
            objects.append(target)
            digests |= {path: digest(path) for path in _dependencies(listed)}
        _drive([*objects, *words, "-o", os.path.join(made, _NAME)], ", ".join(files))
        with open(os.path.join(made, _FILES), "w", encoding="utf-8", errors="surrogateescape") as file:
            json.dump(digests, file)
        shutil.rmtree(folder, ignore_errors=True)
        with contextlib.suppress(OSError):  # another process has built the same
            os.rename(made, folder)


def _drive(words: list[str], subject: str) -> None:
    if driver.run(words, "launchpath run"):
        raise CompileError(f"{subject}: expected a program that compiles, got the errors above")


def _dependencies(path: str) -> list[str]:
    """Give the files that a source includes, but the compiler's and launchpath's own, which the key has."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read().replace("\\\n", " ").partition(":")[2]
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    names = (os.path.abspath(re.sub(r"\\(.)", r"\1", name)) for name in _PART.findall(text))
    return [name for name in names if not name.startswith((f"{package}/", "/proc/")) and "/ziglang/" not in name]
