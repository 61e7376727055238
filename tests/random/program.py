"""A random program: its threads, each with a part, and what they share."""

import random
import sys
import threading
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

import launchpath as lp

from .drawing import generator
from .drawing.draft import Setting
from .kernels import VARIANTS, Kernels
from .machine import Machine, Shared
from .report import Outcome
from .step import Step
from .traces import check_all
from .values import Values

MIB = 1 << 20
TRACED = 0.3  # of the programs begin and end traces, unless all do or none does
PART_SEEDS = 1000  # at most so many parts in a program


class WrongError(Exception):
    """A step gave something else than the sequential run."""


@dataclass
class Part:
    """A thread's steps, and how far it is."""

    steps: list[Step]
    expected: list[Any]
    counts: dict[int, int]
    at: int = -1
    error: BaseException | None = None
    text: str = ""


class Program:
    """The program of a seed, for some devices."""

    def __init__(
        self,
        seed: int,
        devices: list[lp.Device],
        reaches: bool = False,
        threads: int | None = None,
        variants: int = VARIANTS,
        without: Iterable[str] = (),
        traces: bool | None = None,
    ) -> None:
        self.seed, self.devices = seed, devices
        chance = random.Random(seed)
        count = chance.choice((1, 1, 2, 3, 4))
        self.threads = threads or count
        self.switch_interval = chance.choice((5e-3, 1e-4, 1e-6))
        self.limit = chance.choice((8 * MIB, 32 * MIB)) if chance.random() < 0.3 else None
        kinds = tuple(chance.choice(("blocking", "nonblocking")) for _ in range(chance.choice((0, 0, 1, 2))))
        self.variant, self.variants = chance.randrange(variants), variants
        is_traced = chance.random() < TRACED
        self.setting = Setting(
            host_reaches=tuple(reaches or bool(device.info["host_accessible"]) for device in devices),
            shared_streams=kinds if self.threads > 1 else (),
            is_alone=self.threads == 1,
            is_limited=self.limit is not None,
            without=frozenset(without),
            traces=is_traced if traces is None else traces,
        )
        self.parts = [self._part(number) for number in range(self.threads)]

    def _part(self, number: int) -> Part:
        steps = generator.part(self.seed * PART_SEEDS + number, self.setting, self.variants)
        values = Values()
        expected = values.run(steps)
        return Part(steps, expected, values.counts)

    def __str__(self) -> str:
        limit = f"{self.limit >> 20} MiB" if self.limit else "none"
        return f"seed {self.seed}: threads {self.threads}, memory limit {limit}, shared streams {self.setting.shared_streams}"

    def run(self) -> Outcome:
        """Run it, and compare."""
        before = sys.getswitchinterval()
        sys.setswitchinterval(self.switch_interval)
        for device in self.devices:
            device.trim_memory()
            device.set_memory_limit(self.limit)
        try:
            wrong = self._run()
        finally:
            sys.setswitchinterval(before)
            for device in self.devices:
                device.set_memory_limit(None)
        operations = sum(part.at + 1 for part in self.parts)
        failed = [part for part in self.parts if part.error is not None]
        if not failed and not wrong:
            return Outcome(self.seed, "right", operations)
        is_memory = bool(failed) and all(isinstance(part.error, lp.OutOfMemoryError) for part in failed)
        text = "\n".join([f"{self} {wrong}".rstrip(), *(self._tell(part) for part in failed)])
        return Outcome(self.seed, "out of memory" if is_memory else "wrong", operations, text)

    def _run(self) -> str:
        """Run all parts; return what is wrong with what they share."""
        kernels = [Kernels(device, self.variant) for device in self.devices]
        shared = Shared(self.devices, self.setting.shared_streams, kernels)
        try:
            wrong = self._run_parts(shared)
        finally:
            shared.recorder.end(patience=1)
        if wrong or any(part.error is not None for part in self.parts):
            return wrong
        return check_all(shared.recorder, self.threads)

    def _run_parts(self, shared: Shared) -> str:
        threads = [threading.Thread(target=self._run_part, args=(part, shared)) for part in self.parts[1:]]
        for thread in threads:
            thread.start()
        self._run_part(self.parts[0], shared)
        for thread in threads:
            thread.join()
        if any(part.error is not None for part in self.parts):
            return ""
        for number, device in enumerate(self.devices):
            device.synchronize()
            total = sum(part.counts.get(number, 0) for part in self.parts) & 0xFFFFFFFF
            counted = int(shared.counters[number].to_numpy()[0])
            if counted != total:
                return f"counted {counted} on device {number}, expected {total}"
        return ""

    def _run_part(self, part: Part, shared: Shared) -> None:
        machine = Machine(shared)
        try:
            for number, (step, expected) in enumerate(zip(part.steps, part.expected, strict=True)):
                part.at = number
                _compare(machine.do(step), expected)
        except BaseException as error:  # told by the outcome
            part.error, part.text = error, traceback.format_exc()
            machine.release_all()
            error.__traceback__ = None

    def _tell(self, part: Part) -> str:
        trace = [f"  {number:4} {step}" for number, step in enumerate(part.steps[: part.at + 1])]
        where = f"part {self.parts.index(part)}, step {part.at}: {part.steps[part.at]}"
        return "\n".join([where, part.text.rstrip(), "its steps until then:", *trace])


def _compare(actual: Any, expected: Any) -> None:
    if expected is None:
        return
    if isinstance(expected, np.ndarray):
        if not np.array_equal(actual, expected):
            places = np.flatnonzero(actual != expected)
            first = int(places[0])
            raise WrongError(
                f"{places.size} of {expected.size} elements differ, first [{first}]: expected {expected[first]}, "
                f"got {actual[first]}"
            )
    elif isinstance(expected, list) and expected and isinstance(expected[0], np.ndarray):
        for actual_array, expected_array in zip(actual, expected, strict=True):
            _compare(actual_array, expected_array)
    elif actual != expected:
        raise WrongError(f"expected {expected}, got {actual}")
