"""A process of a program: steps of a copy, launches, a wait and a barrier. One of them has something planted in it."""

from __future__ import annotations

import contextlib
import os
import time
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import numpy

import launchpath as lp
from benchmarks.ranks.scenes import COPY, HOST, LAUNCH, WAIT, Scene

SOURCE = """
extern "C" __global__ void touch(float *values) { values[threadIdx.x] += 1; }
"""
WAITED = 0.004  # seconds that the other process takes to answer
_RUNS = 0.003  # seconds of a processor that a slow host takes
_COPIED, _SLOW = 64 << 10, 24 << 20  # bytes
_LAUNCHES, _MANY = 4, 600
_PATIENCE = 120  # seconds


def answer(requests: Connection) -> None:
    """Be the process that another one waits for: it takes some time for each answer."""
    while requests.recv():
        time.sleep(WAITED)
        requests.send(True)


def work(
    rank: int, folder: str, given: list[Scene], steps: int, barrier: Barrier, other: Connection, device: int | None
) -> None:
    """Run all scenes in this process, with a trace for each."""
    os.environ["RANK"] = str(rank)
    with contextlib.suppress(PermissionError):  # what else the machine does is not what is planted
        os.nice(-15)
    _Worker(rank, Path(folder), barrier, other, device).run(given, steps)


class _Worker:
    def __init__(self, rank: int, folder: Path, barrier: Barrier, other: Connection, device: int | None) -> None:
        self.rank, self.folder, self.barrier, self.other = rank, folder, barrier, other
        self.device = lp.devices()[0 if device is None else device]
        self.touch = lp.compile(SOURCE, device=self.device).touch[1, 16]
        self.small: Any = lp.zeros(_COPIED // 4, "f4", device=self.device)
        self.large: Any = lp.zeros(_SLOW // 4, "f4", device=self.device)
        self.values = numpy.zeros(_SLOW // 4, "f4")

    def run(self, given: list[Scene], steps: int) -> None:
        for number, scene in enumerate(given):
            for _ in range(3):  # what is made once is made before the trace begins
                self.step(scene)
            self.barrier.wait(_PATIENCE)
            path = self.folder / f"{number}.{self.rank}.lptrace"
            with lp.trace(path, keep="summary", findings=True):
                for _ in range(steps):
                    self.step(scene)
        self.other.send(False)

    def step(self, scene: Scene) -> None:
        with lp.range("step"):
            self.body(scene.kind if scene.rank == self.rank else None)
            if scene.inside:
                self.barrier.wait(_PATIENCE)
        if not scene.inside:
            self.barrier.wait(_PATIENCE)

    def body(self, planted: str | None) -> None:
        self.small.copy_from(self.values[: _COPIED // 4])
        if planted == COPY:
            self.large.copy_from(self.values)
        if planted == HOST:
            until = time.thread_time() + _RUNS
            while time.thread_time() < until:
                pass
        for _ in range(_MANY if planted == LAUNCH else _LAUNCHES):
            self.touch(self.small)
        self.device.synchronize()
        if planted == WAIT:
            self.other.send(True)
            self.other.recv()
