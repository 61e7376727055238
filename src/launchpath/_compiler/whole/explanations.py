"""Clang's errors in the user's terms: their places, and what they are about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..kernels.instance import without_arguments
from ..llvm_text import build
from ..messages.log import Message
from ..source import balance
from ..source.unit import Unit
from . import asked
from .reading.templates import places

# Messages of Clang's that do not name what they are about.
_EXPECTED = ("expected namespace name", "expected class name")
_WORD = re.compile(rb"\w+")
_NAME = re.compile(rb"\b[A-Za-z_]\w{2,}")
_UNDECLARED = re.compile(r"use of undeclared identifier '(\w+)'$")


def unbalanced(unit: Unit, messages: Iterable[Message]) -> list[balance.Place]:
    """Say what is opened and not closed, or closed and not opened, and which marks are spelled wrong."""
    files = {path: file.active for path, file in unit.files.items()}
    errors = [
        balance.Error(each.file, unit.lines(each.file).offset(each.line, each.column), each.text)
        for each in messages
        if each.file in files and each.line and each.level.endswith("error")
    ]
    broken = balance.unbalanced(files, errors, lambda: errors)
    return [*dict.fromkeys(broken or balance.misspelled(errors))]


def placed(unit: Unit, names: Sequence[str], messages: Iterable[Message]) -> Iterator[Message]:
    """Give messages the kernels' places where they are about the caller's names of kernels."""
    of_host = False
    for message in messages:
        of_host = build.is_of_host(message) or (of_host and message.level == "note")
        if of_host and message.text.endswith(" declared here"):
            continue  # a hint says it
        if message.text in _EXPECTED and message.file in unit.files:
            lines = unit.lines(message.file)
            word = _WORD.match(lines.source, lines.offset(message.line, message.column))
            token = f", got '{word[0].decode(errors='replace')}'" if word is not None else ""
            yield message._replace(text=f"{message.text}{token}")
        elif message.file == asked.FILE:
            plain = without_arguments(asked.at_line(names, message.line)).removeprefix("::")
            for path, file in unit.files.items():
                if plain in (offsets := places([file.active])):
                    line, column = unit.lines(path).position(offsets[plain])
                    yield message._replace(file=path, line=line, column=column)
        else:
            yield message._replace(text=message.text + _near(unit, message.text))


# What kernels use without a declaration of their own. Clang, which could suggest it too, would go on with its guess,
# and then tell of errors that are none.
_BUILT_IN = (
    "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "__syncthreads", "__syncwarp", "__threadfence",
    "__shfl_sync", "__shfl_down_sync", "__shfl_xor_sync", "__ballot_sync", "__ldg", "__popc", "__clz", "atomicAdd",
    "atomicSub", "atomicMax", "atomicMin", "atomicCAS", "atomicExch", "printf", "assert", "sqrtf", "expf", "rsqrtf",
    "fminf", "fmaxf", "float2", "float3", "float4", "int2", "int3", "int4", "uint3", "make_float2", "make_float3",
    "make_float4",
)  # fmt: skip


def _near(unit: Unit, text: str) -> str:
    """The name that an undeclared one is closest to, as Clang puts it: a kernel's, or of the source; empty without."""
    if (match := _UNDECLARED.search(text)) is None:
        return ""
    from difflib import get_close_matches  # noqa: PLC0415 (only errors need it)

    own = {word.decode() for file in unit.files.values() for word in _NAME.findall(file.active.original)}
    names = [*_BUILT_IN, *sorted(own - {match[1]})]
    same = [name for name in names if name.strip("_").lower() == match[1].strip("_").lower()]
    close = same or get_close_matches(match[1], names, 1, 0.75)
    return f"; did you mean '{close[0]}'?" if close else ""
