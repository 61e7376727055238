"""Files for executors: traces of several hosts, what they sum up to, and a file that stops whoever reads it."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from launchpath._trace.condensed import packing
from launchpath._trace.condensed.condense import condensed_file, condensed_files
from launchpath._trace.executors.inputs import Input
from tests.patience import PATIENCE
from tests.trace.program import write


def traces(folder: Path, count: int) -> list[Path]:
    """Write traces and, of every third process, only what its trace sums up to."""
    result = []
    for rank in range(count):
        path = folder / f"run.{rank}.lptrace"
        write(path, rank, 40, process={"pid": 100 + rank, "rank": rank, "host": f"node{rank // 4}"})
        if rank % 3 == 2:
            packing.write(condensed_file(path), path.with_suffix(".lpsum"))
            path.unlink()
            path = path.with_suffix(".lpsum")
        result.append(path)
    return result


def inputs_of(paths: Iterable[Path]) -> list[Input]:
    return [Input(str(path), path.stat().st_size) for path in paths]


def sums(paths: Iterable[Path]) -> bytes:
    """What files sum up to, by this process alone."""
    return packing.pack(condensed_files(map(str, paths)))


class Stop:
    """A file that whoever reads it waits at: a pipe that nothing is written to."""

    def __init__(self, path: Path) -> None:
        self.path, self._end = path, -1
        os.mkfifo(path)

    def kill_readers(self, reading: threading.Thread) -> int:
        """Kill each process that reads it, until a thread has ended. Gives how many were killed."""
        killed: set[int] = set()
        while reading.is_alive():
            pid = self.reader(reading)
            if pid is not None and pid not in killed:
                killed.add(pid)
                self.kill(pid)
        return len(killed)

    def kill(self, pid: int) -> None:
        """Kill a process that reads it."""
        os.kill(pid, signal.SIGKILL)
        os.close(self._end)
        self._end = -1

    def reader(self, reading: threading.Thread) -> int | None:
        """Wait until a process reads it, and give its number; None if the thread ends before."""
        until = time.monotonic() + PATIENCE
        while reading.is_alive():
            if self._end < 0:
                with suppress(OSError):  # none reads it so far
                    self._end = os.open(self.path, os.O_WRONLY | os.O_NONBLOCK)
            for pid in self._readers() if self._end >= 0 else []:
                return pid
            time.sleep(0.01)
            assert time.monotonic() < until, f"expected a process that reads {self.path}, got none"
        return None

    def _readers(self) -> list[int]:
        result = []
        for descriptor in Path("/proc").glob("[0-9]*/fd/*"):
            with suppress(OSError):
                if int(descriptor.parts[2]) != os.getpid() and os.readlink(descriptor) == str(self.path):
                    result.append(int(descriptor.parts[2]))
        return result

    def become(self, path: Path) -> None:
        """Put a copy of a file in its place; those who read the pipe wait on."""
        copy = self.path.with_suffix(".copy")
        copy.write_bytes(path.read_bytes())
        os.replace(copy, self.path)
