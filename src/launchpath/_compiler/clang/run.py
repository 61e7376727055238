"""Run Clang on files that may not exist: the caller's texts overlay those on disk."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ..._external import UNKNOWN_STATUS, Ended, run
from ...errors import CompileError
from .. import limit
from ..messages.crash import CRASH_REASON, CRASHES
from ..messages.log import Message
from ..source.source import Source
from . import frontend, precompiled

_MESSAGE = re.compile(
    r"^(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): (?P<level>fatal error|error|warning|note|remark): (?P<text>.*)$"
)
_INCLUDED = re.compile(r"^\.+ (.+)$", re.MULTILINE)
_BARE = re.compile(r"^(?P<level>fatal error|error): (?P<text>.*)$")

# The options by which Clang lists the files that it includes.
INCLUSIONS = ("-H", "-sys-header-deps")


class ClangCrashed(CompileError):
    """Clang was ended by a signal of its own making."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a run."""

    succeeded: bool
    output: bytes
    messages: list[Message]  # with the files' paths in them
    # the paths of the files that were included, if the mode has `INCLUSIONS`; without those of precompiled headers
    included: tuple[str, ...] = ()


def clang(
    source: Source,
    files: Mapping[str, bytes],
    macros: Mapping[str, str | None],
    mode: Sequence[str],
    headers: str | None = None,
    meanwhile: Callable[[], object] | None = None,
) -> Outcome:
    """Run Clang on a source.

    Parameters
    ----------
    source : Source
    files : mapping of str to bytes
        Texts by path, in place of what lies there; the source's own among them.
    macros : mapping of str to str or None
        Besides the source's.
    mode : sequence of str
        What to do: arguments of ``clang -cc1``.
    headers : str, optional
        A file of precompiled headers, in place of that of `precompiled.find`; empty for none.
    meanwhile : callable, optional
        Called while Clang works.

    Raises
    ------
    CompileError
        Clang cannot be started, or died.
    """
    with tempfile.TemporaryDirectory(prefix="launchpath-") as folder:
        if headers is None:
            headers = precompiled.find(source, macros, mode)
        rest = ["-ivfsoverlay", overlay(source, files, folder), *mode, source.path, "-o", "-"]
        if headers:
            with suppress(ClangCrashed):  # of a damaged file perhaps
                outcome = start(source, [*frontend.arguments(source, macros, headers), *rest], meanwhile=meanwhile)
                if not precompiled.is_refused(message.text for message in outcome.messages):
                    return outcome
            precompiled.drop(headers)
        return start(source, [*frontend.arguments(source, macros), *rest], meanwhile=meanwhile)


def overlay(source: Source, files: Mapping[str, bytes], folder: str) -> str:
    """Write the files that Clang reads in place of those on disk into a folder; give the path of their list."""
    paths = {}
    for number, (path, text) in enumerate((source.virtual_files() | dict(files)).items()):
        where = os.path.join(folder, str(number))
        with open(where, "wb") as file:
            file.write(text)
        paths[path] = where
    listed = os.path.join(folder, "overlay.yaml")
    with open(listed, "w") as file:
        file.write(listing(paths))
    return listed


def listing(paths: Mapping[str, str]) -> str:
    """Make the list of the files that Clang reads in place of others; `paths` has theirs by those of the others."""
    roots = [{"type": "file", "name": name, "external-contents": path} for name, path in paths.items()]
    return json.dumps({"version": 0, "use-external-names": False, "roots": roots})


def assemble(source: Source, text: bytes, mode: Iterable[str]) -> Outcome:
    """Run Clang on LLVM's own text; see `clang`."""
    return start(source, [*frontend.assembler(), *mode, "-", "-o", "-"], text)


def link(source: Source, modules: Sequence[bytes], mode: Iterable[str]) -> Outcome:
    """Run Clang on modules of LLVM's bitcode, to link them to a single module; see `clang`."""
    with tempfile.TemporaryDirectory(prefix="launchpath-") as folder:
        files = []
        for number, module in enumerate(modules):
            files.append(os.path.join(folder, f"{number}.bc"))
            with open(files[-1], "wb") as file:
                file.write(module)
        others = [part for file in files[1:] for part in ("-mlink-bitcode-file", file)]
        return start(source, [*frontend.assembler(), *others, *mode, files[0], "-o", "-"])


def start(
    source: Source, command: list[str], text: bytes = b"", meanwhile: Callable[[], object] | None = None
) -> Outcome:
    """Run a command of Clang's with a text as its input; see `clang`."""
    try:
        done = run(command, text, timeout=limit.seconds(), meanwhile=meanwhile)
    except subprocess.TimeoutExpired as error:
        raise CompileError(f"{source.name}: Clang {limit.text(error.timeout)}") from None
    except OSError as error:
        raise CompileError(f"{command[0]} does not start: {error}: {frontend.INSTALL_HINT}") from error
    return outcome(source, done)


def outcome(source: Source, done: Ended) -> Outcome:
    """Read how Clang ended; see `clang`."""
    log = done.errors.decode(errors="replace")
    if done.code is None:
        raise CompileError(f"{source.name}: Clang ended, and {UNKNOWN_STATUS}", log)
    messages = list(_messages(log))
    if done.code and not any(message.level.endswith("error") for message in messages):
        tail = "\n".join(log.strip().splitlines()[-5:])
        if -done.code in CRASHES:
            raise ClangCrashed(f"{source.name}: Clang crashed ({CRASHES[-done.code]}): {CRASH_REASON}\n{tail}", log)
        raise CompileError(f"{source.name}: Clang ended with code {done.code}:\n{tail}", log)
    return Outcome(done.code == 0, done.output, messages, tuple(dict.fromkeys(_INCLUDED.findall(log))))


def _messages(text: str) -> Iterable[Message]:
    for line in text.splitlines():
        if match := _MESSAGE.match(line):
            yield Message(match["file"], int(match["line"]), int(match["column"]), match["level"], match["text"])
        elif match := _BARE.match(line):
            yield Message("", 0, 0, match["level"], match["text"])
