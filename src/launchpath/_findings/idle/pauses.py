"""Pauses between calls: what a thread did there, by looks at it."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy

from launchpath._findings.idle.spans import Spans, union
from launchpath._findings.idle.turns import partners
from launchpath._findings.timeline.ops import Array, Looks
from launchpath._findings.timeline.roles import Role
from launchpath._findings.timeline.timeline import Timeline
from launchpath._trace.format import HOST_PROGRAM

PAUSE = 100_000  # nanoseconds: shorter pauses have no look of their own
_PROCESSORS = 256  # more than a process has
_SPINNING = 1_000_000  # nanoseconds that threads of a CPU's runtime go on behind a command, for the next one to come
_MOSTLY = 0.5  # of the time that a thread did not run, in which other threads of the process did
_SURELY = 0.7  # the same, of the time by which a wait ended too late


@dataclass
class Pauses:
    """What a thread did between calls: nanoseconds of each pause.

    Attributes
    ----------
    ready : numpy.ndarray of float64
        It was ready to run, and had no processor.
    blocked : numpy.ndarray of float64
        It waited while other threads of its process ran, or had their turn: for a lock, or the GIL.
    asleep : numpy.ndarray of float64
        It waited, and no other thread of its process ran: for a file, the network, or a time.
    known : numpy.ndarray of bool
        There was a look.
    """

    ready: Array
    blocked: Array
    asleep: Array
    known: Array


def split_pauses(timeline: Timeline, thread: int, begin: Array, end: Array) -> Pauses:
    """Find out what a thread did in its pauses.

    Parameters
    ----------
    begin, end : numpy.ndarray of int64
        Of the pauses, in the order of time.
    """
    ready, blocked, asleep = numpy.zeros((3, len(begin)))
    result = Pauses(ready, blocked, asleep, numpy.zeros(len(begin), "?"))
    long, looks = _looks_at(timeline, thread, begin, end)
    if not len(long):
        return result
    length = (end - begin)[long]
    waited = numpy.minimum(looks.runnable, length)
    # In calls a thread may have waited as well: what is left is the least that it waited in the pause.
    off = looks.end - looks.begin - looks.processor - looks.runnable
    off = numpy.clip(off - _calls(timeline, thread).between(looks.begin, looks.end), 0, length - waited)
    held = _others(timeline, thread, looks) >= _MOSTLY * off
    # Of threads that take turns, the others could use the device while one is away: they wait for its lock.
    held |= len(partners(timeline, thread)) > 1
    result.ready[long] = waited
    result.blocked[long] = numpy.where(held, off, 0)
    result.asleep[long] = numpy.where(held, 0, off)
    result.known[long] = True
    return result


def split_calls(timeline: Timeline, thread: int, begin: Array, end: Array, late: Array) -> tuple[Array, Array]:
    """Find out why a thread's waits ended late.

    Parameters
    ----------
    late : numpy.ndarray of float64
        How long each call went on after what it waited for.

    Returns
    -------
    ready, held : numpy.ndarray of float64
        How long the thread had no processor in that time, and how long it waited for another thread.
    """
    ready, held = numpy.zeros(len(begin)), numpy.zeros(len(begin))
    long, looks = _looks_at(timeline, thread, begin, end)
    if len(long):
        ready[long] = numpy.minimum(looks.runnable, late[long])
        rest = late[long] - ready[long]
        # Threads of a device run before the wait is over at most, no more of them at a time than on the average.
        wall = numpy.maximum(looks.end - looks.begin, 1)
        of_device = looks.process * (1 - numpy.minimum(late[long] / wall, 1))
        of_device = numpy.minimum(_device_threads(timeline, looks.begin, looks.end), of_device)
        others = looks.process - looks.processor - of_device - _waits(timeline, thread).between(looks.begin, looks.end)
        # A thread that has what it waited for wakes up at once: if others run meanwhile it waits for them.
        held[long] = numpy.where((rest >= PAUSE) & (others >= _SURELY * rest), rest, 0)
    return ready, held


def is_python(timeline: Timeline) -> bool:
    """Tell whether the program is a Python program: the file says so, or the name of the executable does."""
    process = timeline.process
    if HOST_PROGRAM in timeline.meta:
        return False
    executable = os.path.basename(process.executable or "")
    return isinstance(process.facts.get("python"), str) or executable.startswith(("python", "pypy"))


def lock_of(timeline: Timeline) -> str:
    """Tell what a blocked thread most likely waits for: in a Python program of several threads, the GIL."""
    free = timeline.process.facts.get("free_threaded") is True
    return "GIL" if is_python(timeline) and not free else "lock"


def _looks_at(timeline: Timeline, thread: int, begin: Array, end: Array) -> tuple[Array, Looks]:
    """Give which times have a look, and these looks."""
    looks = timeline.looks.take(timeline.looks.thread == thread)
    long = numpy.flatnonzero(end - begin >= PAUSE)
    if not len(looks) or not len(long):
        return long[:0], looks.take(numpy.zeros(0, "i8"))
    # A look lasts from the one before it to the first call behind a pause: it covers the middle of the pause.
    middle = (begin[long] + end[long]) // 2
    place = numpy.minimum(numpy.searchsorted(looks.end, middle), len(looks) - 1)
    covered = (looks.begin[place] <= middle) & (middle <= looks.end[place])
    return long[covered], looks.take(place[covered])


def _others(timeline: Timeline, thread: int, looks: Looks) -> Array:
    """Tell how long other threads of the process ran, those of a device left out, and those that wait for one."""
    others = looks.process - looks.processor - _device_threads(timeline, looks.begin, looks.end)
    others = others - _waits(timeline, thread).between(looks.begin, looks.end)
    return numpy.asarray(numpy.maximum(others, 0))


def _waits(timeline: Timeline, thread: int) -> Spans:
    """Give when other threads wait for a device: many do so running, and none has a lock that the program knows of.

    Such are launchpath's own, which wait in the place of a thread that is to hear of signals.
    """
    key = f"waits beside {thread}"
    if key not in timeline.notes:
        ops = timeline.ops
        chosen = (ops.role == Role.SYNCHRONIZE) & (ops.depth == 0) & (ops.thread != thread)
        timeline.notes[key] = union(ops.begin[chosen], ops.end[chosen])[0]
    spans: Spans = timeline.notes[key]
    return spans


def _calls(timeline: Timeline, thread: int) -> Spans:
    ops = timeline.ops
    rows = numpy.arange(*numpy.searchsorted(ops.thread, [thread, thread + 1]))
    rows = rows[ops.depth[rows] == 0]
    return Spans(ops.begin[rows], ops.end[rows])


def _device_threads(timeline: Timeline, begin: Array, end: Array) -> Array:
    """Tell how long the threads of a CPU's runtime ran at most, which are part of the process."""
    total = numpy.zeros(len(begin), "i8")
    described = timeline.meta.get("devices")
    for number, device in enumerate(described if isinstance(described, list) else []):
        if not isinstance(device, dict) or device.get("kind") != "cpu":
            continue
        units, works = device.get("units"), timeline.works
        chosen = works.device == number
        busy, _, _ = union(works.begin[chosen], works.end[chosen] + _SPINNING)
        # Without the number of its units a command may have run on all processors.
        factor = units if isinstance(units, int) and units > 0 else _PROCESSORS
        total += factor * busy.between(begin, end)
    return total
