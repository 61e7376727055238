"""Link objects to a program, or to a shared library, by ziglang's lld.

A program is a shared library too, which launchpath loads into a process of Python. It can be started as well: it has
the path of a loader, as programs do, and an address to start at.
"""

from __future__ import annotations

import itertools
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from . import constructors, library, missing, openmp, toolchain
from .compilation import Outcome

ENTRY = "launchpath_entry"
_ERROR = re.compile(r"^(?:ld\.lld|zig): (error|warning): ", re.MULTILINE)
_UNDEFINED = re.compile(r"undefined symbol: (.+)")
# The main function's address, for it may be hidden; the constructors, see `constructors`; the loader; and the Python
# that runs the program.
_START = """
.section .interp,"aR",@progbits
.asciz {interpreter}
.section .data.rel.ro.launchpath_main,"awR",@progbits
.p2align 3
.globl launchpath_main
.type launchpath_main,@object
.size launchpath_main,8
launchpath_main: .quad main
.globl launchpath_constructors
.type launchpath_constructors,@object
.size launchpath_constructors,16
launchpath_constructors: .quad __init_array_start, __init_array_end
.section .rodata.launchpath_python,"aR",@progbits
.globl launchpath_python
.type launchpath_python,@object
launchpath_python: .asciz {python}
.size launchpath_python,.-launchpath_python
.section .note.GNU-stack,"",@progbits
"""
_EMPTY = '.section .note.GNU-stack,"",@progbits\n'


def program(words: Sequence[str], target: str, folders: Sequence[str] = (), *, with_openmp: bool = False,
            verbose: bool = False) -> Outcome:  # fmt: skip
    """Link a program.

    Parameters
    ----------
    words : sequence of str
        Objects, libraries, and lld's options, in order.
    target : str
        The file to write.
    folders : sequence of str
        Where libraries are searched first.
    with_openmp, verbose : bool

    Returns
    -------
    Outcome
        What lld and `missing` say.
    """
    with tempfile.TemporaryDirectory(prefix="launchpath-") as scratch:
        start = os.path.join(scratch, "start.o")
        text = _START.format(interpreter=_quoted(toolchain.interpreter()), python=_quoted(sys.executable))
        outcome = assemble(text, start)
        if outcome.code:
            return outcome
        link_options = ["-e", ENTRY, "-u", ENTRY, "-Bsymbolic", "-z", "defs", "--gc-sections", start]
        outcome = _link([*link_options, *words], target, folders, with_openmp, verbose)
        if outcome.code == 0:
            constructors.hide(target)
        return outcome


def shared_library(words: Sequence[str], target: str, folders: Sequence[str] = (), *, with_openmp: bool = False,
                   verbose: bool = False) -> Outcome:  # fmt: skip
    """Link a shared library; see `program`. Functions that it lacks may be the program's."""
    link_options = ["-z", "defs", "--warn-unresolved-symbols", "--gc-sections"]
    return _link([*link_options, *words], target, folders, with_openmp, verbose)


def relocatable(words: Sequence[str], target: str) -> Outcome:
    """Make one object of several."""
    return _run([toolchain.zig(), "ld.lld", "-m", "elf_x86_64", "-r", "-o", target, *words])


def archive(objects: Sequence[str], target: str) -> Outcome:
    """Make an archive, or add to it."""
    return _run([toolchain.zig(), "ar", "rcs", target, *objects])


def stub(empty: str, target: str) -> Outcome:
    """Make a shared library of an object with nothing in it."""
    return _run([toolchain.zig(), "ld.lld", "-m", "elf_x86_64", "-shared", "-o", target, empty])


def empty_object(target: str) -> Outcome:
    """Make an object with nothing in it."""
    return assemble(_EMPTY, target)


def assemble(text: str, target: str) -> Outcome:
    """Assemble a text."""
    command = [toolchain.zig(), "clang", "--no-default-config", "-target", toolchain.MACHINE]
    return _run([*command, "-c", "-x", "assembler", "-", "-o", target], text)


def _link(words: Sequence[str], target: str, folders: Sequence[str], with_openmp: bool, verbose: bool) -> Outcome:
    cxx, start = library.cxx(), library.start()
    own_archives = [*cxx, *([start] if start else [])]
    command = [toolchain.zig(), "ld.lld", "-m", "elf_x86_64", "-shared", "--eh-frame-hdr", "--error-limit=0"]
    command += ["-o", target, f"--exclude-libs={':'.join(map(os.path.basename, own_archives))}"]
    searched = [*folders, *_of_environment(), *toolchain.library_folders()]
    command += _resolved(words, searched)
    command += [f"-L{folder}" for folder in searched]
    if with_openmp:
        path = openmp.find()
        command += [path, "-rpath", os.path.dirname(path)]
    *before, compiler_rt = cxx
    # The functions of the C library are taken from its shared libraries where they have them.
    command += [*before, "--push-state", "--as-needed", *toolchain.c_library(), "--pop-state"]
    command += [*([start] if start else []), compiler_rt]
    outcome = _run(command)
    errors, is_missing = _with_missing(outcome.errors.decode(errors="surrogateescape"))
    if verbose:
        errors = f" {shlex.join(command)}\n{errors}"
    if is_missing and outcome.code == 0 and os.path.isfile(target):  # not /dev/null
        os.unlink(target)
    return Outcome(1 if outcome.code or is_missing else 0, errors.encode(errors="surrogateescape"), outcome.output)


def _with_missing(text: str) -> tuple[str, bool]:
    """Say what lld says, and which libraries are missing; whether any is."""
    starts = [*(match.start() for match in _ERROR.finditer(text)), len(text)]
    messages, functions = text[: starts[0]], []
    for start, end in itertools.pairwise(starts):
        block = text[start:end]
        undefined = _UNDEFINED.search(block)
        if undefined is not None and missing.library_of(undefined[1]) is not None:
            functions.append(undefined[1])
        elif undefined is None or ": error: " in block.partition("\n")[0]:
            messages += block
    return messages + missing.text(functions), bool(functions)


def _resolved(words: Sequence[str], folders: Sequence[str]) -> list[str]:
    """Leave out the libraries that are had, and those that only missing functions would need."""
    resolved = []
    for word in words:
        name = word.removeprefix("-l")
        if missing.is_stub(word):
            continue
        if word.startswith("-l") and (
            name in missing.HAD or (missing.ABSENT.fullmatch(name) and not _is_there(name, folders))
        ):
            continue
        resolved.append(word)
    return resolved


def _is_there(name: str, folders: Sequence[str]) -> bool:
    return any(
        os.path.exists(os.path.join(folder, f"lib{name}.{suffix}")) for folder in folders for suffix in ("so", "a")
    )


def _of_environment() -> list[str]:
    return [folder for folder in os.environ.get("LIBRARY_PATH", "").split(":") if folder]


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _run(command: Sequence[str], text: str | None = None) -> Outcome:
    input_bytes = None if text is None else text.encode(errors="surrogateescape")
    process = subprocess.run(command, input=input_bytes or b"", check=False, capture_output=True)
    return Outcome(process.returncode, process.stderr, process.stdout)
