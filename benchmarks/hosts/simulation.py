"""Two hosts on this machine: processes in network namespaces of their own, or on the loopback."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from benchmarks.hosts.world import SECOND, FakeClock, Scene, World

ROOT = Path(__file__).parents[2]
ADDRESSES = "10.74.60.1", "10.74.60.2"


class Row(NamedTuple):
    """What was stated of a time of a trace, and the truth: nanoseconds."""

    true: int
    stated: int
    bound: int
    round_trip: int  # the shortest of the trace

    @property
    def inside(self) -> bool:
        return abs(self.true - self.stated) <= self.bound

    @property
    def ratio(self) -> float:
        """The bound, by half of the shortest round trip."""
        return self.bound / (self.round_trip / 2)


class Namespaces:
    """Two network namespaces with a cable between them. `words` begins a command in either."""

    def __init__(self) -> None:
        number = os.getpid()
        self.names = (f"lp{number}a", f"lp{number}b")
        for name in self.names:
            _ip("netns", "add", name)
        one, other = (f"v{number}{end}" for end in "ab")
        _ip("link", "add", one, "netns", self.names[0], "type", "veth", "peer", "name", other, "netns", self.names[1])
        for name, link, address in zip(self.names, (one, other), ADDRESSES, strict=True):
            _ip("-n", name, "address", "add", f"{address}/24", "dev", link)
            for each in (link, "lo"):
                _ip("-n", name, "link", "set", each, "up")

    def words(self, place: int) -> list[str]:
        return ["ip", "netns", "exec", self.names[place]]

    def close(self) -> None:
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


class Hosts:
    """Two simulated hosts; ``with`` ends them.

    Attributes
    ----------
    network : str
        How they are connected.
    """

    def __init__(self, namespaces: bool = True) -> None:
        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name, "world")
        self._world = World(path)
        self._namespaces: Namespaces | None = None
        self.network = "loopback"
        host = "127.0.0.1"
        if namespaces and os.geteuid() == 0 and shutil.which("ip"):
            self._namespaces = Namespaces()
            self.network, host = "network namespaces with a veth pair", ADDRESSES[1]
        self._host = self._start(0, "host", str(path))
        self._reference = self._start(1, "reference", host, str(path))

    def __enter__(self) -> Hosts:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for each in (self._host, self._reference):
            each.stdin.close()  # type: ignore[union-attr]
            try:
                each.wait(10)
            except subprocess.TimeoutExpired:
                each.kill()
            each.stdout.close()  # type: ignore[union-attr]
        if self._namespaces is not None:
            self._namespaces.close()
        self._folder.cleanup()

    def trace(self, scene: Scene, length: int, seed: int) -> tuple[list[Row], list[int]]:
        """Simulate a trace of so many seconds; gives what it says, and what failed."""
        draw, begin = random.Random(seed), self._world.now()
        own = FakeClock(begin, draw.randrange(10**6 * SECOND), **scene.clock)
        other = FakeClock(begin, draw.randrange(10**6 * SECOND), **scene.reference)
        addresses = _asked(self._reference, [scene, other, seed])
        rows, shortest, counts, _ = _asked(self._host, [own, other, addresses, length * SECOND, seed])
        _write(self._reference, "")
        return [Row(*row, shortest) for row in rows], counts

    def _start(self, place: int, module: str, *arguments: str) -> subprocess.Popen[str]:
        words = [] if self._namespaces is None else self._namespaces.words(place)
        return subprocess.Popen(
            [*words, sys.executable, "-m", f"benchmarks.hosts.{module}", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )


def _asked(program: subprocess.Popen[str], question: Any) -> Any:
    _write(program, json.dumps(question))
    line = program.stdout.readline()  # type: ignore[union-attr]
    if not line:
        raise RuntimeError(f"expected an answer of {program.args!r}, got none: it has ended with {program.wait()}")
    return json.loads(line)


def _write(program: subprocess.Popen[str], text: str) -> None:
    program.stdin.write(text + "\n")  # type: ignore[union-attr]
    program.stdin.flush()  # type: ignore[union-attr]


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)
