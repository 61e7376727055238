"""The stages of a compilation, and the time that each takes.

The code of a stage runs in ``with stage("name"):``. That costs nothing worth naming, and is kept only in
``with record() as stages:``, in the same thread. Stages of the process that compiles come back with its answer.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple


class Stage(NamedTuple):
    """A stage that has ended."""

    name: str
    seconds: float  # from its start to its end
    # seconds of processor time: of this process, and of the programs that it ran to their end meanwhile. The parser
    # works on threads of its own, so all threads count. Where two stages run side by side, both have the sum
    processor: float


class _Active(threading.local):
    record: list[Stage] | None = None


_active = _Active()


@contextmanager
def record() -> Iterator[list[Stage]]:
    """Record the stages of this thread, in the order in which they end."""
    before, _active.record = _active.record, []
    try:
        yield _active.record
    finally:
        _active.record = before


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Time a stage, where `record` wants it."""
    record = _active.record
    if record is None:
        yield
        return
    began, worked = time.perf_counter(), _worked()
    try:
        yield
    finally:
        record.append(Stage(name, time.perf_counter() - began, _worked() - worked))


def add(stages: Iterable[Stage]) -> None:
    """Add stages that another thread or process has recorded."""
    if _active.record is not None:
        _active.record.extend(stages)


def _worked() -> float:
    """The processor time of this process, and of the programs that it has run to their end."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system
