"""Build launchpath's part of each program, as an archive, from the sources in ``_host/start``.

The build of the package runs this file by its path, so it imports nothing of launchpath.
"""

from __future__ import annotations

import glob
import hashlib
import os
import runpy
import shlex
import subprocess
import tempfile
from types import SimpleNamespace
from typing import Any

ARCHIVE = "libstart.a"
_HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(os.path.dirname(_HERE), "start")
_OPTIONS = (
    "-c", "-O2", "-g0", "-fPIC", "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections", "-std=gnu11",
    "-fno-stack-protector",
)  # fmt: skip


def sources() -> list[str]:
    """Name the sources, in order."""
    return sorted(glob.glob(os.path.join(FOLDER, "*.c")))


def key(zig: str) -> str:
    """Name what the archive depends on: the compiler, and the texts of the sources and their headers."""
    digest = hashlib.sha256(repr(_OPTIONS).encode())
    for path in sorted(glob.glob(os.path.join(FOLDER, "*.[ch]"))):
        with open(path, "rb") as file:
            digest.update(os.path.basename(path).encode() + b"\0" + file.read() + b"\0")
    return f"{os.stat(zig).st_size} {digest.hexdigest()}"


def build(zig: str, folder: str) -> None:
    """Build the archive into a folder.

    Raises
    ------
    cxx_library.BuildError
        A source does not compile.
    """
    library = _cxx_library()
    headers = [part for path in library.system_folders(zig) for part in ("-isystem", path)]
    start = [zig, "clang", "--no-default-config", "-target", library.TRIPLE, *_OPTIONS, "-nostdinc"]
    with tempfile.TemporaryDirectory(prefix="launchpath-build-") as scratch:
        objects = []
        for number, path in enumerate(sources()):
            objects.append(os.path.join(scratch, f"{number}-{os.path.basename(path)}.o"))
            command = [*start, f"-D__GLIBC_MINOR__={library.GLIBC}", *headers, path, "-o", objects[-1]]
            done = subprocess.run(command, check=False, capture_output=True, text=True, errors="replace")
            if done.returncode:
                raise library.BuildError(f"{shlex.join(command)}\n{done.stderr}")
        library.archive_of(zig, os.path.join(folder, ARCHIVE), objects)


def _cxx_library() -> Any:
    """Give the module `cxx_library`, also where launchpath cannot be imported yet."""
    if __package__:
        from . import cxx_library  # noqa: PLC0415

        return cxx_library
    return SimpleNamespace(**runpy.run_path(os.path.join(_HERE, "cxx_library.py")))
