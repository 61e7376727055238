"""Code in C and C++ that benchmarks compile when they run, to launch without Python."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from launchpath import _external
from launchpath._bench.peer import Missing

# By language: the variable that names the compiler, the commands to try, the suffix of a source, and the standard.
_COMPILERS: dict[str, tuple[str, Sequence[str], str, str]] = {
    "C": ("CC", ("cc", "gcc", "clang"), "c", "gnu11"),
    "C++": ("CXX", ("c++",), "cc", "c++17"),
}


def shared_library(text: str, language: str, folder: Path, options: Sequence[str] = ()) -> Path:
    """Compile a source to a shared library.

    Parameters
    ----------
    text : str
    language : {"C", "C++"}
    folder : Path
        For the source and the library. A library that was loaded does not need its file any more.
    options : sequence of str
        Of the compiler.

    Raises
    ------
    Missing
        There is no compiler, or it refuses the source.
    """
    variable, commands, suffix, standard = _COMPILERS[language]
    compiler = _compiler(os.environ.get(variable, ""), commands, language)
    source, library = folder / f"launch.{suffix}", folder / "launch.so"
    source.write_text(text, encoding="utf-8")
    line = [*compiler, "-O2", f"-std={standard}", "-fPIC", "-shared", *options, "-o", str(library), str(source), "-ldl"]
    done = _external.run(line)
    if done.code is None:
        raise Missing(f"its launcher may not compile: {_external.UNKNOWN_STATUS}")
    if done.code:
        errors = [each for each in done.errors.decode(errors="replace").splitlines() if "error" in each]
        raise Missing(f"its launcher does not compile: {(errors or ['no message'])[0].rpartition('/')[2]}")
    return library


def _compiler(named: str, commands: Sequence[str], language: str) -> list[str]:
    """Choose the compiler's command: the one that the environment names, and no other, or the first that exists."""
    words = shlex.split(named)
    for command in [words] if words else [[command] for command in commands]:
        if shutil.which(command[0]) is not None:
            return command
    raise Missing(f"there is no {language} compiler ({words[0] if words else ', '.join(commands)})")
