"""The traces that a program begins and ends in its middle, and what it launches meanwhile: the records must be just that.

A launch begins and ends while a trace is certainly on, or certainly off, or in between: a thread that begins or ends a trace
does so at some moment of the call.
"""

import itertools
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import launchpath as lp
from launchpath._trace import format
from launchpath._tracing.session import current_trace
from tests.tracing.raw import Raw

from .step import Step

ONE_LAUNCH = frozenset(
    ("affine", "mix", "fields", "written", "table", "hashed", "staged", "count", "temporary")
)  # operations that are one launch
EVER = 1 << 63


@dataclass
class Launches:
    """A step of the program, and what records of launches it must have while a trace is on."""

    step: Step
    calls: int  # of `launch`
    runs: int  # launches that the driver gets
    begin: int
    end: int = EVER
    submitted: int = EVER  # the driver has them all


@dataclass
class Period:
    """A time in which one of the traces records."""

    trace: int
    maybe_from: int  # before the call that began it
    on_from: int  # behind that
    on_until: int = EVER  # before the call that ended it
    maybe_until: int = EVER


class Recorder:
    """Begins and ends the traces of a program, and notes its launches. A lock keeps the calls of several threads apart."""

    def __init__(self) -> None:
        self.noted: dict[int, Launches] = {}  # by external correlation id
        self.periods: list[Period] = []
        self.paths: list[Path] = []
        self.trace: lp.Trace | None = None
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    def note(self, step: Step, calls: int, runs: int) -> int:
        """Note launches that come next, and return the number that their records are to carry."""
        number = next(self._numbers)
        self.noted[number] = Launches(step, calls, runs, time.monotonic_ns())
        return number

    def begin(self, **options: Any) -> None:
        """Begin a trace, unless there is one."""
        with self._lock:
            if current_trace() is not None:
                return
            with tempfile.NamedTemporaryFile(suffix=".lptrace", delete=False) as file:
                self.paths.append(Path(file.name))
            self.trace = lp.trace(self.paths[-1], **options)
            self._on(self.trace.start)

    def pause(self) -> None:
        """Pause the trace, if there is one."""
        with self._lock:
            if self.trace is not None:
                self._off(self.trace.pause)

    def resume(self) -> None:
        """Resume the trace, if there is one."""
        with self._lock:
            if self.trace is not None and self.periods[-1].maybe_until != EVER:
                self._on(self.trace.resume)

    def end(self, patience: float) -> None:
        """End the trace, if there is one."""
        with self._lock:
            if self.trace is not None:
                trace, self.trace = self.trace, None
                self._off(lambda: trace.stop(patience))

    def _on(self, call: Any) -> None:
        before = time.monotonic_ns()
        call()
        self.periods.append(Period(len(self.paths) - 1, before, time.monotonic_ns()))

    def _off(self, call: Any) -> None:
        period = self.periods[-1]
        before = time.monotonic_ns()
        call()
        if period.maybe_until == EVER:
            period.on_until, period.maybe_until = before, time.monotonic_ns()

    def check(self, number: int, raw: Raw) -> str:
        """Return what is wrong with the records of a trace, or an empty text."""
        calls, runs = Counter[int](), Counter[int]()
        for command, detail in raw.commands():
            if detail["command"] == format.LAUNCH:
                external = int(detail["external"])
                calls[external] += not command["flags"] & format.IN_STEP
                runs[external] += not command["flags"] & format.KEPT_BACK
        if unknown := (set(calls) | set(runs)) - set(self.noted):
            return f"launches of no step: {unknown}"
        for external, launches in self.noted.items():
            for what, counted, wanted, end in (
                ("calls of launch", calls[external], launches.calls, launches.end),
                ("launches by the driver", runs[external], launches.runs, launches.submitted),
            ):
                least = wanted if self._is_on(number, launches.begin, end) else 0
                most = 0 if self._is_off(number, launches.begin, end) else wanted
                if not least <= counted <= most:
                    return f"{launches.step}: {counted} records of {what}, expected {least} to {most}"
        return ""

    def _is_on(self, trace: int, begin: int, end: int) -> bool:
        return any(
            period.trace == trace and period.on_from <= begin and end <= period.on_until for period in self.periods
        )

    def _is_off(self, trace: int, begin: int, end: int) -> bool:
        return not any(
            period.trace == trace and period.maybe_from <= end and begin <= period.maybe_until
            for period in self.periods
        )


def launches_of(rows: Any) -> int:
    """Count the launches in a graph's rows of commands."""
    return sum(command["name"] in ONE_LAUNCH for row in rows for command in row)
