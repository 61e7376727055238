"""From a parsed source to a device's binary, by NVRTC or hipRTC."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from ...errors import CompileError
from .. import build
from ..instance import Instance
from ..layout import Layout
from ..log import Message
from ..run import Outcome
from ..source import VIRTUAL, Source
from ..unit import Unit
from . import blocks, headers, includes, messages
from .includes import Files
from .library import Library, Program, Result
from .machine import Machine, Macros
from .tail import symbol, tail

_ATTEMPTS = 6
_STANDARD_NAME = re.compile(rb"\bstd\b|#[ \t]*include[ \t]*<[a-z_]+>")
_UNKNOWN_HEADER = re.compile(r"(?:could not|cannot) open source file \"([^\"]+)\"|'([^']+)' file not found")


class _Way(NamedTuple):
    """A way to compile: what makes a program larger or slower to compile is tried after what does not.

    Attributes
    ----------
    unmarked : bool
        What has no mark is the device's. NVRTC then puts constants into the binary that nothing uses, of its own
        headers too.
    whole : bool
        The C++ library is libcu++, which takes a second to read, and not the small one of our own.
    """

    unmarked: bool = False
    whole: bool = False


class Built(NamedTuple):
    """What was made: the code, its kind, names in it by expression, and warnings at the source's own lines."""

    code: bytes
    kind: str
    names: dict[str, str]
    log: str


def compile(
    unit: Unit, instances: list[Instance], layout: Layout, library: Library, machine: Machine, symbols: list[str]
) -> Built:
    """Compile.

    Parameters
    ----------
    unit : Unit
    instances : list of Instance
        The kernels wanted.
    layout : Layout
        What they take.
    library : Library
    machine : Machine
    symbols : list of str
        The device globals whose names are wanted.

    Raises
    ------
    CompileError
        With the compiler's messages at the source's own lines.
    """
    expressions = [instance.expression for instance in instances]
    others = [*map(symbol, symbols)]
    attempts: list[tuple[list[Message], Files]] = []
    ways = [_Way(), _Way(True), _Way(True, True)]
    way = ways.pop(0)
    spilled = blocks.wanted(instances, layout.signatures)
    references = blocks.in_place(instances, layout.signatures) if spilled else {}
    unasked = blocks.others(unit, instances)
    for _ in range(_ATTEMPTS + len(spilled) + len(unasked)):
        texts = unit.reduced(way.whole)
        standard = any(_STANDARD_NAME.search(text) for text in texts.values())
        entries, marked = set[str](), True
        if spilled:
            texts, marked = blocks.unmark(unit, texts, spilled, references)
            entries = blocks.called(instances, spilled if marked else None)
        texts[unit.source.path] += tail(instances, expressions, layout, entries).encode()
        folders = [*headers.own(library.found), *headers.folders(library)]
        files = includes.resolve(unit, texts, folders)
        asked = [
            expression
            for instance, expression in zip(instances, expressions, strict=True)
            if instance.entry not in entries
        ]
        before = ["#include <launchpath/block.h>"] if spilled else []
        before += () if marked else blocks.REDEFINED
        result = _compiled(unit, files, library, machine, folders, [*asked, *others], way, standard, before)
        said = messages.read(result.log)
        if result.succeeded:
            names = result.names | {
                instance.expression: instance.entry if instance.entry in entries else result.names[expression]
                for instance, expression in zip(instances, expressions, strict=True)
            }
            return Built(result.code, machine.kind, names, build.rendered(unit, instances, said))
        if about := _about(unit, instances, said) & references.keys():
            # By value, as the source has it.
            references = {name: values for name, values in references.items() if name not in about}
            continue
        if about := _about(unit, instances, said) & unasked:
            # One with more arguments than a launch can bring, say, when an instance of another is looked up later.
            unasked -= about
            spilled |= about
            continue
        attempts.append((said, files))
        typed = build.typed(instances, layout)
        if typed != expressions and any(message.file.startswith(build.GENERATED) for message in said):
            expressions = typed  # it has functions of a kernel's name itself
            continue
        if ways and (standard or not ways[0].whole):
            way = ways.pop(0)
        elif not build.drop_host_code(unit, Outcome(False, b"", said)):
            break
    said, files = min(attempts, key=lambda one: sum(message.level.endswith("error") for message in one[0]))
    told = [*said, *build.hints(unit, Outcome(False, b"", said)), *_header_hints(said, files, library)]
    log = build.rendered(unit, instances, told, errors=True)
    if unit.missing:
        log = f"{build.render_all(unit, unit.missing)}\n{log}"
    raise CompileError(f"{unit.source.name} does not compile:\n{log}", log)


def _about(unit: Unit, instances: list[Instance], said: list[Message]) -> set[str]:
    """The names in whose declarations there are errors, or in what calls a kernel of the name."""
    found: set[str] = set()
    for message in said:
        if not message.level.endswith("error"):
            continue
        if message.file.startswith(build.GENERATED):
            found.add(blocks.plain(instances[int(message.file[len(build.GENERATED) :])]))
        elif piece := unit.piece_at(message.file, message.line):
            found |= piece.names
    return found


def _compiled(
    unit: Unit, files: Files, library: Library, machine: Machine, folders: list[str], expressions: list[str],
    way: _Way, standard: bool, before: list[str],
) -> Result:  # fmt: skip
    wanted = {"__LP_STD__": standard, "__LP_LIBCUXX__": way.whole}
    macros = machine.added | {name: None for name, chosen in wanted.items() if chosen}
    options = [*machine.options, *(machine.unmarked if way.unmarked else ()), *(f"-I{folder}" for folder in folders)]
    text = _prelude(unit.source, macros, before) + files.text
    # In a folder that is not there: beside it they look for headers, which have their host code still.
    name = f"{VIRTUAL}/{os.path.basename(unit.source.path)}"
    return library.compile(Program(text, name, files.headers, options, expressions, machine.kind))


def _prelude(source: Source, macros: Macros, before: list[str]) -> str:
    """What comes before the program; the caller's own macros last, for our headers are not to see them."""
    lines = [f"#define {name} {1 if value is None else value}" for name, value in macros.items()]
    lines += ["#include <launchpath/rtc.h>", *before]
    lines += [f"#define {name} {1 if value is None else value}" for name, value in source.defines]
    if any(name == "NDEBUG" for name, _ in source.defines):
        lines.append("#include <assert.h>")  # again: theirs, or ours, is there already and has not seen the macro
    return "\n".join([*lines, f"#line 1 {includes.quoted(source.path)}", ""])


def _header_hints(said: list[Message], files: Files, library: Library) -> Iterator[Message]:
    """Say of headers that were wanted and are not here where they come from."""
    for name, (path, line) in files.missing.items():
        if text := headers.hint(name, library.found):
            yield Message(path, line, 1, "error", text)
    for message in said:
        for name in unknown_headers(message.text):
            if text := headers.hint(name, library.found):
                yield replace(message, file="", line=0, column=0, level="error", text=text)


def unknown_headers(text: str) -> list[str]:
    """The headers that a compiler says it does not find."""
    return [match[1] or match[2] for match in _UNKNOWN_HEADER.finditer(text)]
