"""The compiler driver: reads the command line, compiles, links.

It is started as ``launchpath c++`` and ``launchpath-c++``; as ``launchpath-hipcc``, for which C++ sources are HIP's;
and as ``launchpath-nvcc``.
"""

from __future__ import annotations

import itertools
import os
import shlex
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace

from ...errors import LaunchpathError
from . import command as commands
from . import compilation, device_side, host_headers, host_side, link, openmp, probes, uses
from .command import Command, Input
from .compilation import Outcome, Side
from .words import UsageError

NAME = "launchpath c++"
_SUFFIXES = {"compile": ".o", "assemble": ".s"}


def run(
    words: Sequence[str], name: str = NAME, dialect: str | None = None, side: Side | None = None, finishes: bool = True
) -> int:
    """Run the driver; give the exit code, as of a compiler.

    Parameters
    ----------
    words : sequence of str
        Without the program's name.
    name : str
        The program's, for messages.
    dialect : str, optional
        That of all C++ sources.
    side : callable, optional
        Makes the device side, in place of `device_side.bundle`.
    finishes : bool, optional
        Whether to call `host_headers.finish`. Who has better things to do first calls it later.
    """
    try:
        answer = probes.answer(words, name)
        if answer is not None:
            _tell_first(words, name)
            sys.stdout.write(answer)
            sys.stdout.flush()
            return 0
        try:
            command = commands.read(words, dialect)
        except UsageError:
            _tell_first(words, name)  # CMake asks with the name of a file that is not there
            raise
        if command.verbose:
            _write(probes.verbose(name).encode(errors="surrogateescape"))
        code = _Driver(command, name, side).run()
        if finishes:
            host_headers.finish()
        return code
    except (UsageError, LaunchpathError) as error:
        _write(f"{name}: error: {error}\n".encode(errors="surrogateescape"))
        return 1
    except KeyboardInterrupt:
        return 130


def main() -> None:
    """Run as ``launchpath-c++``, ``launchpath-hipcc`` or ``launchpath-nvcc``."""
    name = os.path.basename(sys.argv[0])
    sys.exit(run(sys.argv[1:], name, "hip" if name.endswith("hipcc") else None))


def _tell_first(words: Sequence[str], name: str) -> None:
    if words[0] == "-v":
        _write(probes.verbose(name).encode(errors="surrogateescape"))


class _Driver:
    """Does what a command asks for."""

    def __init__(self, command: Command, name: str, side: Side | None) -> None:
        self.command, self.name = command, name
        self._side = {} if side is None else {"side": side}

    def run(self) -> int:
        command = self.command
        if not command.inputs:
            return 0  # -v alone
        if command.notes and not command.quiet:
            _write(f"{self.name}: note: without a meaning here: {', '.join(command.notes)}\n".encode())
        if command.openmp:
            openmp.find()  # before the work
        if command.dry:
            return self._print_commands()
        if command.mode in ("link", "archive"):
            return self._linked()
        if command.mode == "device-link":
            return self._reported(link.empty_object(command.output or "a_dlink.o"))
        if command.mode == "device":
            return self._binaries()
        for source in command.sources:
            code = self._reported(self._compiled(source, self._target(source), command.mode))
            if code:
                return code
        return 0

    def _binaries(self) -> int:
        for source in self.command.sources:
            data = device_side.binary(self.command, self._in_dialect(source))
            with open(self._target(source) or "a.out", "wb") as file:
                file.write(data)
        return 0

    def _target(self, source: Input) -> str | None:
        if self.command.output is not None:
            return self.command.output
        if self.command.mode == "compile" and source.language.endswith("-header"):
            return f"{os.path.basename(source.path)}.gch"
        suffix = _SUFFIXES.get(self.command.mode)
        return None if suffix is None else os.path.splitext(os.path.basename(source.path))[0] + suffix

    def _compiled(self, source: Input, target: str | None, mode: str) -> Outcome:
        command = self.command
        if command.writes_dependencies and command.mode == "link":  # not beside the object, which is removed
            stem = os.path.splitext(os.path.basename(source.path))[0]
            dependency_options = [] if "-MF" in command.host else ["-MF", f"{stem}.d"]
            dependency_options += [] if "-MT" in command.host or "-MQ" in command.host else ["-MT", f"{stem}.o"]
            command = replace(command, host=[*command.host, *dependency_options])
        if self.command.verbose and mode in ("compile", "assemble", "syntax"):
            _write(self._folders(source).encode(errors="surrogateescape"))
        return compilation.compile_source(command, self._in_dialect(source), target, mode, **self._side)

    def _in_dialect(self, source: Input) -> Input:
        """Give a source of CUDA's suffix the dialect of the headers that it includes: hipcc takes it as HIP."""
        if source.language == commands.CUDA:
            folders = host_side.folders(self.command)
            return source._replace(language=uses.api(source.path, folders) or source.language)
        return source

    def _linked(self) -> int:
        command = self.command
        with tempfile.TemporaryDirectory(prefix="launchpath-") as scratch:
            words, objects = [], []
            for number, each in enumerate(command.inputs):
                if isinstance(each, str):
                    words.append(each)
                elif each.language == commands.OBJECT:
                    words.append(each.path)
                    objects.append(each.path)
                else:
                    stem = os.path.splitext(os.path.basename(each.path))[0]
                    target = os.path.join(scratch, f"{stem}-{number}.o")
                    code = self._reported(self._compiled(each, target, "compile"))
                    if code:
                        return code
                    words.append(target)
                    objects.append(target)
            return self._reported(self._joined(words, objects))

    def _joined(self, words: list[str], objects: list[str]) -> Outcome:
        command = self.command
        if command.mode == "archive":
            return link.archive(objects, command.output or "a.a")
        target = command.output or "a.out"
        if "-r" in words:
            return link.relocatable([word for word in words if word != "-r"], target)
        make = link.shared_library if command.shared else link.program
        return make(
            words, target, command.library_folders, with_openmp=command.openmp, verbose=command.verbose
        )  # fmt: skip

    def _folders(self, source: Input) -> str:
        """Say where headers are searched, as Clang's ``-v`` does."""
        words = host_side.arguments(self.command, source, None, "compile")
        folders = [folder for option, folder in itertools.pairwise(words) if option in ("-I", "-isystem", "-idirafter")]
        folder_lines = "".join(f" {folder}\n" for folder in folders)
        return f" {shlex.join(words)}\n#include <...> search starts here:\n{folder_lines}End of search list.\n"

    def _print_commands(self) -> int:
        """Print what would be started."""
        for source in self.command.sources:
            words = host_side.arguments(self.command, source, self._target(source), self.command.mode)
            _write(f" {shlex.join(words)}\n".encode(errors="surrogateescape"))
        return 0

    def _reported(self, outcome: Outcome) -> int:
        """Write what a compiler wrote, and give its exit code."""
        _write(outcome.errors)
        if outcome.output:
            sys.stdout.buffer.write(outcome.output)
            sys.stdout.flush()
        return outcome.code


def _write(text: bytes) -> None:
    if text:
        sys.stderr.flush()
        sys.stderr.buffer.write(text)
        sys.stderr.buffer.flush()
