"""Files for executors: traces of several hosts, what they sum up to, and a file that stops whoever reads it."""

from __future__ import annotations

import fcntl
import os
import signal
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest

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
    """A file that whoever opens it waits at: this process has a lease of it, see fcntl(2)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_bytes(b"stop")
        self._file = os.open(path, os.O_RDWR)
        signal.signal(signal.SIGIO, signal.SIG_IGN)  # the system tells so that a process wants to open it
        try:
            fcntl.fcntl(self._file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        except OSError as error:
            pytest.skip(f"this file system has no leases: {error}")

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
        until = time.monotonic() + PATIENCE
        while pid in self._readers():
            time.sleep(0.005)
            assert time.monotonic() < until, "expected a process that was killed to end"

    def reader(self, reading: threading.Thread) -> int | None:
        """Wait until a process reads it, and give its number; None if the thread ends before."""
        until = time.monotonic() + PATIENCE
        while reading.is_alive():
            for pid in self._readers():
                return pid
            time.sleep(0.01)
            assert time.monotonic() < until, f"expected a process that reads {self.path}, got none"
        return None

    def _readers(self) -> list[int]:
        """Give the processes below this one that wait for a lease to be broken."""
        result = []
        for waits in Path("/proc").glob("[0-9]*/task/*/wchan"):
            pid = int(waits.parts[2])
            with suppress(OSError):
                if waits.read_text() == "__break_lease" and _is_below(pid):
                    result.append(pid)
        return result

    def become(self, path: Path) -> None:
        """Put a copy of a file in its place; those who wait for it wait on."""
        copy = self.path.with_suffix(".copy")
        copy.write_bytes(path.read_bytes())
        os.replace(copy, self.path)


def _is_below(pid: int) -> bool:
    """Whether a process was started by this one, or by one that this one has started."""
    while pid > 1 and pid != os.getpid():
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return pid == os.getpid()
