"""Time of two simulated hosts, which can be moved on, and their clocks, whose offset is known."""

from __future__ import annotations

import math
import mmap
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

SECOND = 10**9


class World:
    """The true time of all simulated hosts: nanoseconds of this machine's clock, and what was skipped.

    `path` is a file of 8 bytes, which the hosts' processes share.
    """

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(8))
        with path.open("r+b") as file:
            self._skipped = mmap.mmap(file.fileno(), 8)

    def now(self) -> int:
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) + struct.unpack("<q", self._skipped[:8])[0]

    def skip(self, span: int) -> None:
        """Move on. No host may be in the middle of an exchange."""
        self._skipped[:8] = struct.pack("<q", struct.unpack("<q", self._skipped[:8])[0] + span)


class FakeClock(NamedTuple):
    """A clock that shows `ahead` at the world's time `begin`. Its crystal drifts, and a daemon corrects it.

    Attributes
    ----------
    drift : float
        Parts of a million.
    wander, period : float
        The crystal's rate goes up and down by this many parts of a million, in so many seconds.
    correction, every, length : float
        A daemon makes it so many parts of a million faster, every so many seconds, for so many seconds.
    """

    begin: int
    ahead: int
    drift: float = 0.0
    wander: float = 0.0
    period: float = 600.0
    correction: float = 0.0
    every: float = 60.0
    length: float = 5.0

    def raw(self, now: int) -> int:
        """Give what the crystal shows: nanoseconds."""
        passed = now - self.begin
        seconds = passed / SECOND
        turn = 2 * math.pi / self.period
        swing = self.wander * 1e-6 / turn * (1 - math.cos(turn * seconds)) * SECOND
        return self.begin + self.ahead + passed + round(passed * self.drift * 1e-6 + swing)

    def corrected(self, now: int) -> int:
        """Give what the clock shows."""
        whole, part = divmod(max(now - self.begin, 0) / SECOND, self.every)
        return self.raw(now) + round((whole * self.length + min(part, self.length)) * self.correction * 1e3)

    def at(self, world: World) -> tuple[Callable[[], int], Callable[[], int]]:
        """Give the clock and the raw one, as functions."""
        return lambda: self.corrected(world.now()), lambda: self.raw(world.now())


class Scene(NamedTuple):
    """A network and two clocks. Times are microseconds; `jitter` is the mean of what each way takes longer at times."""

    name: str
    there: float
    back: float
    jitter: float
    clock: dict[str, float]
    reference: dict[str, float]

    @classmethod
    def of(cls, facts: list[Any]) -> Scene:
        return cls(*facts)


SCENES = (
    Scene("same ways", 250, 250, 20, {"drift": 40}, {"drift": -35}),
    Scene("jitter", 500, 500, 400, {"drift": -80, "wander": 0.4}, {"drift": 90, "wander": -0.3, "period": 700}),
    Scene("one way longer", 100, 1500, 50, {"drift": 15}, {"drift": 15.5}),
    Scene("all of it one way", 2000, 0, 200, {"drift": -60, "wander": -0.4}, {"drift": 20}),
    Scene("corrected", 300, 500, 100, {"drift": 30, "correction": 50, "every": 47}, {"correction": -80, "every": 71}),
)
