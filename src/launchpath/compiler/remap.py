"""A device compiler's build log in the terms of the user's own source."""

from __future__ import annotations

import re

from .edits import all_edits
from .facts import Unit
from .log import Message, render
from .names import restore
from .text import column_before

# Generated text calls itself a file of this name, followed by the kernel's.
GENERATED = "launchpath kernel "

_LEVEL = r"(?P<level>(?:fatal )?error|warning|note)"
_PLACE = r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+)"
_CLANG = re.compile(rf"^{_PLACE}: {_LEVEL}: (?P<text>.*)$")
_POCL = re.compile(rf"^{_LEVEL}: {_PLACE}(?: <Spelling=[^>]*>)?: (?P<text>.*)$")

# NVIDIA's compiler says this of every kernel.
_NOISE = re.compile(r"^\(\): Warning: Function .* is a kernel, so overriding noinline attribute\..*\n?", re.MULTILINE)

# NVIDIA's compiler gives places in all of its input, which it calls by this name, whatever #line says.
_WHOLE = "<kernel>"
_LINE = re.compile(r'#line (\d+) "((?:[^"\\]|\\.)*)"')


def remap_log(log: str, unit: Unit) -> str:
    """Give the messages of a build log at the user's own file, lines, columns and names.

    Parameters
    ----------
    log : str
        What ``clGetProgramBuildInfo`` gave for the last output of `to_opencl` for the unit: in clang's form
        (Intel, NVIDIA and others) or PoCL's.
    unit : Unit
        What was translated.

    Returns
    -------
    str
        Messages about the source, each with its line and a caret. Others are left out, unless there are none
        about the source.
    """
    dialect, generated = unit.translated
    edits = all_edits(unit, dialect)
    lines = unit.lines
    messages: list[Message] = []
    for text in log.splitlines():
        match = _CLANG.match(text) or _POCL.match(text)
        if match is None:
            continue
        file, line, column = match["file"], int(match["line"]), int(match["column"])
        if file == _WHOLE:
            file, line = _presumed(generated, line)
        if file.startswith(GENERATED):
            line, column = _kernel_place(unit, file.removeprefix(GENERATED))
        elif file == unit.name and 1 <= line <= len(lines.starts):
            column = column_before(lines, edits, line, column)
        else:
            continue
        messages.append(Message(unit.name, line, column, match["level"], restore(match["text"])))
    messages = list(dict.fromkeys(messages))
    return render(messages, lines) if messages else restore(_NOISE.sub("", log)).strip()


def _presumed(text: str, line: int) -> tuple[str, int]:
    """Where the directives in the text say that this line of it stands."""
    file, shift = "", 0
    for number, line_text in enumerate(text.split("\n")[: line - 1], 1):
        if match := _LINE.match(line_text):
            file, shift = re.sub(r"\\(.)", r"\1", match[2]), int(match[1]) - number - 1
    return file, line + shift


def _kernel_place(unit: Unit, name: str) -> tuple[int, int]:
    """Line and column of a kernel's name."""
    line = unit.kernels[name].line if name in unit.kernels else 1
    return line, max(1, unit.lines.text(line).find(name.rpartition(":")[2]) + 1)
