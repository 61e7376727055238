"""The Pythons of this machine that a wheel can be built for: those from the floor on that have their headers."""

from __future__ import annotations

import glob
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

FLOOR = (3, 11)
NEWEST = 30  # minor version: names that are looked for on PATH
ASK = """
import json, os, sys, sysconfig
print(json.dumps({
    "version": sys.version_info[:3],
    "implementation": sys.implementation.name,
    "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    "headers": os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")),
}))
"""


@dataclass(frozen=True)
class Interpreter:
    """A Python that a wheel can be built for."""

    path: str
    version: tuple[int, int, int]
    free_threaded: bool = False

    @property
    def tag(self) -> str:
        """The ABI tag of its wheels: ``cp312``, or ``cp313t`` for a free-threaded build."""
        return f"cp{self.version[0]}{self.version[1]}{'t' if self.free_threaded else ''}"


def candidates() -> Iterator[str]:
    """Name the Pythons to look at: this one, those on PATH, and those of pyenv."""
    yield getattr(sys, "_base_executable", sys.executable)
    for minor in range(FLOOR[1], NEWEST):
        for name in (f"python3.{minor}", f"python3.{minor}t"):
            if there := shutil.which(name):
                yield there
    pyenv = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    yield from sorted(glob.glob(os.path.join(glob.escape(pyenv), "versions", "*", "bin", "python")))


def look_at(path: str) -> Interpreter | str:
    """Ask a Python what it is; a text says why no wheel can be built for it."""
    try:
        done = subprocess.run([path, "-c", ASK], capture_output=True, text=True, check=True, timeout=60)
        facts = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        return f"{path}: expected a Python, got {error}"
    version = tuple(facts["version"])
    if version < FLOOR:
        return f"{path}: expected Python {'.'.join(map(str, FLOOR))} or later, got {'.'.join(map(str, version))}"
    if facts["implementation"] != "cpython":
        return f"{path}: expected CPython, got {facts['implementation']}"
    if not facts["headers"]:
        return f"{path}: expected its headers (Python.h), got none: install them"
    return Interpreter(path, version, facts["free_threaded"])


def search(named: str | None = None) -> list[Interpreter]:
    """Find an interpreter for each ABI tag.

    Parameters
    ----------
    named
        Paths or names of interpreters, apart by spaces or commas: exactly these, and each must do. Without it, all
        that the machine has and that can be used.

    Raises
    ------
    SystemExit
        A named interpreter cannot be used, or there is none at all.
    """
    words = re.split(r"[\s,]+", named.strip()) if named and named.strip() else []
    looked = [(path, look_at(path)) for path in _distinct(words or candidates())]
    refused = [answer for _, answer in looked if isinstance(answer, str)]
    if words and refused:
        sys.exit("\n".join(refused))
    by_tag: dict[str, Interpreter] = {}
    for _, answer in looked:
        # A free-threaded Python is no supported one: it is built for only by name.
        if isinstance(answer, Interpreter) and (words or not answer.free_threaded):
            by_tag.setdefault(answer.tag, answer)
    if not by_tag:
        sys.exit("\n".join(["expected a Python to build for, got none", *refused]))
    return [by_tag[tag] for tag in sorted(by_tag)]


def _distinct(paths: Iterable[str]) -> Iterator[str]:
    seen = set()
    for path in paths:
        there = shutil.which(path) or path
        # Not resolved: a virtual environment's Python is a link, and pyenv's names on PATH are one script.
        if os.path.abspath(there) not in seen:
            seen.add(os.path.abspath(there))
            yield str(Path(there).absolute())
