"""Pauses between calls: what a thread did there, by looks at it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from launchpath._findings.spans import Spans, union
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.timeline import Timeline

PAUSE = 100_000  # nanoseconds: shorter pauses have no look of their own
_PROCESSORS = 256  # more than a process has
_MOSTLY = 0.5  # of the time that a thread did not run, in which other threads of the process did


@dataclass
class Pauses:
    """What a thread did between calls: nanoseconds of each pause.

    Attributes
    ----------
    ready : numpy.ndarray of float64
        It was ready to run, and had no processor.
    blocked : numpy.ndarray of float64
        It waited while other threads of its process ran: for a lock, or the GIL.
    asleep : numpy.ndarray of float64
        It waited, and no other thread of its process ran: for a file, the network, or a time.
    lock : str
        What it waited for, as a cause: "lock" or "GIL".
    known : numpy.ndarray of bool
        There was a look.
    """

    ready: Array
    blocked: Array
    asleep: Array
    lock: str
    known: Array


def split_pauses(timeline: Timeline, thread: int, begin: Array, end: Array) -> Pauses:
    """Find out what a thread did in its pauses.

    Parameters
    ----------
    begin, end : numpy.ndarray of int64
        Of the pauses, in the order of time.
    """
    count = len(begin)
    none = numpy.zeros(count)
    result = Pauses(none, none.copy(), none.copy(), lock_of(timeline), numpy.zeros(count, "?"))
    looks = timeline.looks.take(timeline.looks.thread == thread)
    long = numpy.flatnonzero(end - begin >= PAUSE)
    if not len(looks) or not len(long):
        return result
    # A look lasts from the one before it to the first call behind the pause: it covers the middle of the pause.
    middle = (begin[long] + end[long]) // 2
    place = numpy.minimum(numpy.searchsorted(looks.end, middle), len(looks) - 1)
    covered = (looks.begin[place] <= middle) & (middle <= looks.end[place])
    long, place = long[covered], place[covered]
    length = (end - begin)[long]
    calls = _calls(timeline, thread)
    wall = looks.end[place] - looks.begin[place]
    ready = numpy.minimum(looks.runnable[place], length)
    # In calls a thread may have waited as well: what is left is the least that it waited in the pause.
    off = wall - looks.processor[place] - looks.runnable[place]
    off = numpy.clip(off - calls.between(looks.begin[place], looks.end[place]), 0, length - ready)
    others = numpy.maximum(looks.process[place] - looks.processor[place], 0)
    others = numpy.maximum(others - _device_threads(timeline, looks.begin[place], looks.end[place]), 0)
    held = others >= _MOSTLY * off
    result.ready[long] = ready
    result.blocked[long] = numpy.where(held, off, 0)
    result.asleep[long] = numpy.where(held, 0, off)
    result.known[long] = True
    return result


def joined(parts: list[Pauses]) -> Pauses:
    """Put pauses behind one another: those of one thread."""
    columns = {
        name: numpy.concatenate([getattr(part, name) for part in parts])
        for name in ("ready", "blocked", "asleep", "known")
    }
    return Pauses(lock=parts[0].lock, **columns)


def lock_of(timeline: Timeline) -> str:
    """Tell what a blocked thread most likely waits for: in a Python program of several threads, the GIL."""
    facts = timeline.process.facts
    python = isinstance(facts.get("python"), str) and facts.get("free_threaded") is not True
    return "GIL" if python else "lock"


def _calls(timeline: Timeline, thread: int) -> Spans:
    ops = timeline.ops
    first, last = numpy.searchsorted(ops.thread, [thread, thread + 1])
    rows = numpy.arange(first, last)
    rows = rows[ops.depth[rows] == 0]
    return Spans(ops.begin[rows], ops.end[rows])


def _device_threads(timeline: Timeline, begin: Array, end: Array) -> Array:
    """Tell how long the threads of a CPU's runtime ran commands, which are part of the process."""
    total = numpy.zeros(len(begin), "i8")
    described = timeline.meta.get("devices")
    for number, device in enumerate(described if isinstance(described, list) else []):
        if not isinstance(device, dict) or device.get("kind") != "cpu":
            continue
        units, works = device.get("units"), timeline.works
        chosen = works.device == number
        busy, _, _ = union(works.begin[chosen], works.end[chosen])
        # Without the number of its units a command may have run on all processors.
        factor = units if isinstance(units, int) and units > 0 else _PROCESSORS
        total += factor * busy.between(begin, end)
    return total
