"""The time of a repetition, from a trace of the host."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from launchpath._findings.anchor import FUNCTION, KERNEL, Anchor
from launchpath._findings.anchor import RANGE as ANCHOR_RANGE
from launchpath._shown import shown
from launchpath._trace.chunk import Chunk
from launchpath._trace.format import API, COMMAND, IN_STEP, LAUNCH, RANGE
from launchpath._trace.records import Records
from launchpath.errors import ArgumentValueError, LaunchpathError

LEAST = 3  # repetitions that are timed
_BLOCKS = 15  # in which the repetitions of a run are taken together
_SKIPPED = 4  # repetitions before those: kernels are loaded, and a step's graph is built

Ticks = NDArray[numpy.int64]


@dataclass(frozen=True)
class Period:
    """The time of a repetition: from the begin of the first that counts to the end of the wait behind the last.

    Work that waits in queues is in it: what the host has submitted ahead is waited for at the end. Of the host's
    repetitions the median of blocks counts, so that a disturbance of some of them is left out.

    Attributes
    ----------
    time : float
        Nanoseconds.
    repetitions : int
        Those that count.
    all_repetitions : int
        Those too that do not count.
    """

    time: float
    repetitions: int
    all_repetitions: int


def period(paths: Sequence[str], anchor: Anchor) -> Period:
    """Take the time of a repetition from traces of a run's processes: of the thread that has most of them.

    Raises
    ------
    LaunchpathError
        There are too few.
    ArgumentValueError
        The anchor is a function.
    """
    if anchor.kind == FUNCTION:
        raise ArgumentValueError(f"anchor: expected a kernel or a range, got the function {shown(anchor.name)}")
    best: tuple[Ticks, Ticks, int] | None = None
    for path in paths:
        for begins, waits, end in _of_threads(path, anchor):
            if best is None or len(begins) > len(best[0]):
                best = begins, waits, end
    begins = best[0][:: anchor.every] if best else numpy.zeros(0, "i8")
    skipped = min(max(_SKIPPED, len(begins) // 10), max(len(begins) - LEAST, 1))
    if best is None or len(begins) - skipped < LEAST:
        raise LaunchpathError(
            f"expected at least {LEAST + 1} repetitions of the {anchor.kind} {shown(anchor.name)}, got {len(begins)}: "
            "let the program run longer"
        )
    _, waits, last = best
    behind = waits[waits >= begins[-1]]
    end = int(behind[0]) if len(behind) else last
    count = len(begins) - skipped
    ahead = _typical(numpy.diff(begins[skipped:])) * (count - 1)
    return Period((ahead + end - int(begins[-1])) / count, count, len(begins))


def _typical(times: Ticks) -> float:
    """The median of the means of blocks: of each repetition, if there are few."""
    blocks = numpy.array_split(times, min(len(times), _BLOCKS))
    return float(numpy.median([block.mean() for block in blocks]))


def _of_threads(path: str, anchor: Anchor) -> Iterator[tuple[Ticks, Ticks, int]]:
    """For each thread of a process: when it came to the anchor, when waits ended, and when the last record did."""
    with Records(path) as records:
        parts: list[tuple[Ticks, NDArray[numpy.uint32]]] = []
        ends: list[tuple[Ticks, NDArray[numpy.uint32]]] = []
        last = 0
        waiting = records.labels.synchronizing()[0]
        known: dict[int, bool] = {}
        for chunk in records.chunks():
            if anchor.kind == KERNEL:
                begins, names, threads = _launches(chunk)
            else:
                slots = chunk.slots_of(RANGE)
                begins, names, threads = slots["begin"], slots["name"], chunk.threads(RANGE)
            for name in numpy.unique(names).tolist():
                known.setdefault(name, _is(records, anchor, name))
            fits = numpy.array([known[name] for name in names.tolist()], bool)
            parts.append((records.host(begins[fits]), threads[fits]))
            calls = chunk.slots_of(API)
            waits = numpy.isin(calls["entry"], waiting)
            ends.append((records.host(calls["end"][waits]), chunk.threads(API)[waits]))
            for slots in (calls, chunk.slots_of(COMMAND)):
                if len(slots):
                    last = max(last, int(records.host(slots["end"]).max()))
    if not parts:
        return
    begins, threads = (numpy.concatenate(column) for column in zip(*parts, strict=True))
    waits, waiters = (numpy.concatenate(column) for column in zip(*ends, strict=True))
    for thread in numpy.unique(threads):
        yield numpy.sort(begins[threads == thread]), numpy.sort(waits[waiters == thread]), last


def _launches(chunk: Chunk) -> tuple[Ticks, NDArray[numpy.uint32], NDArray[numpy.uint32]]:
    """The program's own launches: when they began, their kernels and threads. Not those that a step makes of them."""
    commands, details, threads = chunk.commands()
    own = (details["command"] == LAUNCH) & (commands["flags"] & IN_STEP == 0)
    return commands["begin"][own], commands["name"][own], threads[own]


def _is(records: Records, anchor: Anchor, name: int) -> bool:
    if anchor.kind == ANCHOR_RANGE:
        return records.labels.name(name) == anchor.name
    return anchor.name in (records.labels.name(name), *records.labels.kernel_name(name))
