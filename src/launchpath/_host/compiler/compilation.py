"""Compile a source: its host side by a process of Clang's, and its device side at the same time."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...errors import CompileError, LaunchpathError
from . import device_side, host_headers, host_side, uses
from .command import DIALECTS, Command, Input

Side = Callable[[Command, Input], bytes]


class Outcome(NamedTuple):
    """How a compilation ended."""

    code: int  # as of a compiler
    errors: bytes  # what Clang wrote on stderr, warnings too
    output: bytes = b""  # what it wrote on stdout


def compile_source(
    command: Command, source: Input, target: str | None, mode: str = "compile", side: Side = device_side.bundle
) -> Outcome:
    """Compile a source.

    Parameters
    ----------
    command : Command
    source : Input
    target : str or None
        The file to write.
    mode : str
        As `Command.mode`.
    side : callable, optional
        Makes the device side.
    """
    is_dialect = source.language in DIALECTS
    folders = host_side.folders(command)
    api = uses.api(source.path, folders) if source.language == "c++" else None
    with tempfile.TemporaryDirectory(prefix="launchpath-") as scratch:
        defines = None
        text = host_side.text_of_macros(command) if is_dialect or api else ""
        if is_dialect and command.relocatable:
            text += host_side.text_of_handle(source, target)
        if text:
            defines = os.path.join(scratch, "defines.h")
            with open(defines, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(text)
        words = host_side.arguments(command, source, target, mode, api, defines)
        if is_dialect and mode in ("compile", "assemble"):
            outcome = _both_sides(command, source, words, side, folders)
        else:
            outcome = run(words)
        if outcome.code == 0 and command.writes_dependencies:
            _without_temporary([*words, *command.host], scratch)
    if outcome.code and target is not None and os.path.isfile(target):  # not /dev/null
        with contextlib.suppress(OSError):
            os.unlink(target)
    return outcome


def _both_sides(command: Command, source: Input, words: list[str], side: Side, folders: Sequence[str]) -> Outcome:
    try:
        first = cc1(words)
    except CompileError:
        return run(words)  # it says what is wrong
    headers = None if "-imacros" in command.host else host_headers.find(first, source.path, folders)
    command_line = " ".join([*command.includes, *(text for _, text in command.macros)])
    has_device = command.includes or uses.has_device_code(source.path, folders, command_line, command.relocatable)
    is_left_out = command.host_only or not has_device
    with contextlib.ExitStack() as stack:
        if headers is not None:
            stack.callback(os.close, headers.file)
        device = stack.enter_context(_DeviceSide(command, source, side, is_left_out))
        outcome = device.run(first if headers is None else headers.command)
        if outcome.code and headers is not None:
            if host_headers.is_refused(outcome.errors.decode(errors="replace")):
                host_headers.drop(headers)
            outcome = device.run(first)
    if outcome.code == 0 and device.error is not None:
        return Outcome(1, outcome.errors + _text(device.error))
    return outcome


def cc1(words: Sequence[str]) -> list[str]:
    """Give the command of ``clang -cc1`` that Clang's driver would start.

    Raises
    ------
    CompileError
        The driver refuses its command, or would start several.
    """
    outcome = run([*words, "-###"])
    lines = [line for line in outcome.errors.decode(errors="surrogateescape").splitlines() if ' "-cc1" ' in line]
    if outcome.code or len(lines) != 1:
        raise CompileError("the compiler's driver refuses its options")
    start, *arguments = shlex.split(lines[0])
    return [start, "clang", *arguments]


class _DeviceSide:
    """The device side that a thread makes, and the runs of the host side that include it."""

    def __init__(self, command: Command, source: Input, side: Side, is_left_out: bool) -> None:
        self.error: LaunchpathError | None = None
        self._bytes = b""
        self._other: BaseException | None = None
        self._thread: threading.Thread | None = None
        if not is_left_out:
            self._thread = threading.Thread(target=self._make, args=(command, source, side), daemon=True)

    def __enter__(self) -> _DeviceSide:
        if self._thread is not None:
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._thread is not None and kind is None:
            self._thread.join()
        if kind is None and self._other is not None:
            raise self._other

    def _make(self, command: Command, source: Input, side: Side) -> None:
        try:
            self._bytes = side(command, source)
        except LaunchpathError as error:
            self.error = error
        except BaseException as error:  # told by the thread that waits
            self._other = error

    def run(self, words: list[str]) -> Outcome:
        """Run Clang, which reads the device side from a pipe when it writes the host side's code."""
        if self._thread is None:
            return run(words)
        reader, writer = os.pipe()
        feeder = threading.Thread(target=self._feed, args=(writer,), daemon=True)
        try:
            with _Started([*words, "-fcuda-include-gpubinary", f"/dev/fd/{reader}"], (reader,)) as process:
                os.close(reader)
                reader = -1
                feeder.start()
                outcome = process.ended()
        finally:
            if reader >= 0:
                os.close(reader)
                os.close(writer)
        feeder_may_wait = outcome.code != 0  # for the device side, which nobody reads then
        if not feeder_may_wait:
            feeder.join()
        return outcome

    def _feed(self, writer: int) -> None:
        with contextlib.suppress(BrokenPipeError), os.fdopen(writer, "wb") as pipe:  # closing writes too
            assert self._thread is not None
            self._thread.join()
            pipe.write(self._bytes)


class _Started:
    """A process of Clang's, which ends with this block."""

    def __init__(self, words: Sequence[str], files: Sequence[int] = ()) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(words, stdout=pipe, stderr=pipe, pass_fds=files)

    def __enter__(self) -> _Started:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for file in (self._process.stdout, self._process.stderr):
            if file is not None:
                file.close()

    def ended(self) -> Outcome:
        """Wait for the end."""
        output, errors = self._process.communicate()
        code = self._process.returncode
        if code < 0:
            errors += f"launchpath c++: Clang ended by {signal.Signals(-code).name}\n".encode()
            code = 1
        return Outcome(code, re.sub(rb"(?m)^zig: ", b"clang: ", errors), output)


def run(words: Sequence[str]) -> Outcome:
    """Run a command of Clang's."""
    with _Started(words) as process:
        return process.ended()


def _text(error: LaunchpathError) -> bytes:
    """What the compiler of the device side wrote, or the error's words."""
    log = getattr(error, "log", "") or str(error)
    return f"{log.rstrip()}\n".encode(errors="surrogateescape")


def _without_temporary(words: Sequence[str], folder: str) -> None:
    """Remove what is gone by now from the list of the files that an object depends on."""
    path = _list_of_files(words)
    with contextlib.suppress(OSError):
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
        lasting = re.sub(rf"(?<=\s)(?:/proc/|{re.escape(folder)}/)\S+", "", text)
        if lasting != text:
            with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(re.sub(r"(?m)^[ \t]*\\\n", "", lasting))


def _list_of_files(words: Sequence[str]) -> str:
    for option in ("-MF", "-o"):
        if option in words[:-1]:
            value = words[len(words) - 1 - list(reversed(words)).index(option) + 1]
            return value if option == "-MF" else f"{os.path.splitext(value)[0]}.d"
    return os.devnull
