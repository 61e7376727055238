"""Compile a plain source in the program's own process: a run of Clang, which is another process, and passes in Python.

Starting the process that compiles takes longer than all that it does for such a source. Nothing here may crash, hang
or leave anything behind: no libclang, and files in memory only. Clang's process cannot be lost by an interrupt, which
may strike between any two lines. Anything unusual is left to the process that compiles.
"""

from __future__ import annotations

import os
import signal
import time
from _thread import get_ident
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from ..._external import Ended
from ...errors import CompileError
from .. import limit
from ..clang import frontend, precompiled
from ..clang.run import Outcome, listing, outcome
from ..source.source import Source
from ..target import Target
from . import image as plain_image

if TYPE_CHECKING:
    from ..image import Image

_IS_POSSIBLE = all(hasattr(os, name) for name in ("memfd_create", "posix_spawn", "waitid"))
_PAUSE = 0.0005  # seconds between looks at Clang, which takes 0.03 s
_DEATH = 1.0  # seconds; a killed process may be slow to give back much memory

_runs: dict[int, _Clang] = {}  # by their threads


class NotHere(Exception):
    """It is for the process that compiles, which has the message, if there is one."""


class TookTooLong(CompileError):
    """Clang did not end within the limit."""


def compile(source: Source, target: Target) -> Image:
    """Compile a source.

    Raises
    ------
    NotHere
        The source is not plain, or does not compile; or there are no precompiled headers for it yet.
    TookTooLong
    """
    if not _IS_POSSIBLE or (work := plain_image.read(source, target)) is None:
        raise NotHere
    if (image := plain_image.compile(work, _clang)) is None:
        raise NotHere
    return image


def _clang(
    source: Source,
    files: Mapping[str, bytes],
    macros: Mapping[str, str | None],
    mode: Sequence[str],
    *,
    meanwhile: Callable[[], object],
) -> Outcome:
    """Run Clang as `clang.run.clang` does; any other outcome than SPIR-V is `NotHere`."""
    if "-emit-obj" not in mode:
        raise NotHere
    _end_earlier()
    _runs[get_ident()] = clang = _Clang()
    try:
        if not clang.opens(source, macros, mode):
            raise NotHere
        done = clang.run(source, files, partial(_command, source, macros, mode), meanwhile)
    finally:
        _end_earlier()
    if done.code != 0:
        raise NotHere
    return outcome(source, done)


def _end_earlier() -> None:
    """End this thread's run. Where an interrupt leaves that, the thread's next run does it."""
    if (earlier := _runs.get(get_ident())) is not None:
        earlier.end()
        _runs.pop(get_ident(), None)


def _command(
    source: Source, macros: Mapping[str, str | None], mode: Sequence[str], headers: str, overlay: str
) -> list[str]:
    start = frontend.arguments(source, macros, headers)
    return [*start, "-ivfsoverlay", overlay, *mode, source.path, "-o", "-"]


class _Clang:
    """A run of Clang with its files, until `end`."""

    def __init__(self) -> None:
        self._pids: list[int] = []
        self._opened: list[int] = []  # the precompiled headers first
        self._owner = os.getpid()

    def opens(self, source: Source, macros: Mapping[str, str | None], mode: Sequence[str]) -> bool:
        """Open the precompiled headers, if there are any."""
        # In one step for interrupts, which strike between Python's instructions: else the file would stay open.
        self._opened.extend(chain.from_iterable(map(precompiled.kept, (source,), (macros,), (mode,))))
        return bool(self._opened)

    def run(
        self,
        source: Source,
        files: Mapping[str, bytes],
        command: Callable[[str, str], list[str]],
        meanwhile: Callable[[], object],
    ) -> Ended:
        """Run the command that is made for the paths of headers and overlay."""
        texts = source.virtual_files() | dict(files)
        numbers = [self._new(text) for text in texts.values()]
        overlay, output, errors = self._new(), self._new(), self._new()
        # In Clang's process all of them have other numbers, above these: none is overwritten before it is copied.
        above = {opened: max(self._opened) + 1 + index for index, opened in enumerate(self._opened)}
        paths = {opened: f"/proc/self/fd/{number}" for opened, number in above.items()}
        listed = listing({path: paths[number] for path, number in zip(texts, numbers, strict=True)})
        os.write(overlay, listed.encode())
        line = command(paths[self._opened[0]], paths[overlay])
        actions: list[tuple[object, ...]] = [(os.POSIX_SPAWN_DUP2, *pair) for pair in above.items()]
        actions.append((os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0))
        actions += [(os.POSIX_SPAWN_DUP2, above[output], 1), (os.POSIX_SPAWN_DUP2, above[errors], 2)]
        # A process group of its own: the terminal's Ctrl-C does not reach it.
        spawn = partial(os.posix_spawn, file_actions=actions, setpgroup=0)
        # In one step, as in `opens`: else the number could be lost.
        self._pids.extend(map(spawn, line[:1], (line,), (os.environ,)))
        began = time.monotonic()
        _limit(self._pids[-1])
        meanwhile()
        code = self._code(source, began)
        return Ended(code, _content(output), _content(errors))

    def _new(self, text: bytes = b"") -> int:
        self._opened.extend(map(os.memfd_create, ("launchpath",)))
        os.write(self._opened[-1], text)
        return self._opened[-1]

    def _code(self, source: Source, began: float) -> int | None:
        """Wait for the exit code; leave the process to be waited for: until then its number is no other's."""
        seconds = limit.seconds()
        while True:
            try:
                ended = os.waitid(os.P_PID, self._pids[-1], os.WEXITED | os.WNOWAIT | os.WNOHANG)
            except ChildProcessError:  # SIGCHLD is ignored, or something waits for all children
                return None
            if ended is not None:
                return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
            took = time.monotonic() - began
            if seconds is not None and took > seconds:
                raise TookTooLong(f"{source.name}: Clang {limit.text(seconds)}")
            time.sleep(max(_PAUSE, took / 200))

    def end(self) -> None:
        """Kill the process if it works still, and close the files. In the child of a fork it is somebody else's."""
        while self._pids:
            if self._owner == os.getpid():
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._pids[-1], signal.SIGKILL)
                _reap(self._pids[-1])
            self._pids.pop()
        while self._opened:
            os.close(self._opened.pop())


def _limit(pid: int) -> None:
    """Let Clang end by itself where this process is killed before it."""
    with suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 (not on every system)

        seconds = int(limit.seconds() or limit.DEFAULT) + 1
        resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds))


def _reap(pid: int) -> None:
    end = time.monotonic() + _DEATH
    with suppress(ChildProcessError):
        while not os.waitpid(pid, os.WNOHANG)[0] and time.monotonic() < end:
            time.sleep(_PAUSE)


def _content(file: int) -> bytes:
    return os.pread(file, os.fstat(file).st_size, 0)
