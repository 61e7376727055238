"""Compile a source: its host side by a process of Clang's, and its device side at the same time."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
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
    folders = [*command.folders, *(folder for _, folder in command.system_folders)]
    api = uses.api(source.path, folders) if source.language == "c++" else None
    words = host_side.arguments(command, source, target, mode, api)
    if not is_dialect or mode not in ("compile", "assemble"):
        return run(words)
    try:
        first = cc1(words)
    except CompileError:
        return run(words)  # it says what is wrong
    headers = None if "-imacros" in command.host else host_headers.find(first, source.path, folders)
    others = " ".join([*command.includes, *(text for _, text in command.macros)])
    is_left_out = command.host_only or not (command.includes or uses.has_device_code(source.path, folders, others))
    with _DeviceSide(command, source, side, is_left_out) as device:
        outcome = device.run(first if headers is None else headers.command)
        if outcome.code and headers is not None:
            if host_headers.is_refused(outcome.errors.decode(errors="replace")):
                host_headers.drop(headers)
            outcome = device.run(first)
        if headers is not None and outcome.code == 0 and command.writes_dependencies:
            _without_precompiled(first)
        if outcome.code == 0 and device.error is not None:
            if target is not None:
                with contextlib.suppress(OSError):
                    os.unlink(target)
            return Outcome(1, outcome.errors + _text(device.error))
    return outcome


def cc1(words: Sequence[str]) -> list[str]:
    """Give the command of ``clang -cc1`` that Clang's driver would start.

    Raises
    ------
    CompileError
        The driver refuses its command, or would start several.
    """
    done = run([*words, "-###"])
    lines = [line for line in done.errors.decode(errors="surrogateescape").splitlines() if ' "-cc1" ' in line]
    if done.code or len(lines) != 1:
        raise CompileError("the compiler's driver refuses its options")
    start, *rest = shlex.split(lines[0])
    return [start, "clang", *rest]


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
        with os.fdopen(writer, "wb") as pipe, contextlib.suppress(BrokenPipeError):
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


def _without_precompiled(words: Sequence[str]) -> None:
    """Remove the file of precompiled headers from the list of what an object depends on: it is gone by then."""
    path = words[list(words).index("-dependency-file") + 1] if "-dependency-file" in words else "-"
    with contextlib.suppress(OSError):
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
        kept = "".join(_kept(text))
        if kept != text:
            with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(kept)


def _kept(text: str) -> Iterator[str]:
    for line in text.splitlines(keepends=True):
        if line.lstrip().startswith("/proc/"):
            if not line.endswith("\\\n"):
                yield "\n"
        else:
            yield line
