"""The condenser's tables by NumPy and plain Python, from slots that are in memory: clocks are taken as they are known."""

from collections import defaultdict
from typing import Any

import numpy

from launchpath._trace import format
from launchpath._trace.condensed.format import Table

MOST = 1 << 56
Cells = dict[tuple[int, int], "Sums"]


class Sums:
    """Counts and sums of a key."""

    def __init__(self) -> None:
        self.values: list[int] = []
        self.failed = self.nested = self.amount = 0

    def row(self) -> tuple[int, ...]:
        values = self.values
        return (
            len(values), self.failed, sum(values), sum(value * value for value in values), self.nested, self.amount,
            min(values, default=0), max(values, default=0),
        )  # fmt: skip


class HostClock:
    """Nanoseconds of ticks: by the two nearest measurements, as `_trace/clock.py` has it, rounded."""

    def __init__(self, anchors: list[tuple[int, int]], rate: float) -> None:
        kept: list[tuple[int, int]] = []
        for ticks, monotonic in sorted(anchors):
            if not kept or (ticks > kept[-1][0] and monotonic > kept[-1][1]):
                kept.append((ticks, monotonic))
        self.kept, self.unmeasured = kept, rate

    def _at(self, ticks: int) -> tuple[int, int, float]:
        if len(self.kept) < 2:
            there, here = self.kept[0] if self.kept else (0, 0)
            return there, here, self.unmeasured
        place = int(numpy.searchsorted([ticks for ticks, _ in self.kept], ticks, "right")) - 1
        place = min(max(place, 0), len(self.kept) - 2)
        (first, begin), (second, end) = self.kept[place : place + 2]
        return first, begin, (end - begin) / (second - first)

    def time(self, ticks: int) -> int:
        there, here, rate = self._at(ticks)
        away = (ticks - there) * rate
        return here + int(away - 0.5 if away < 0 else away + 0.5)

    def span(self, begin: int, end: int) -> int:
        return int(max((end - begin) * self._at(begin)[2], 0) + 0.5)


def cells(rings: list[list[list[Any]]], clock: HostClock, waits: set[int], recorder: bool) -> Cells:
    """Sum up what does not depend on the order of rings.

    Parameters
    ----------
    rings : list
        Of each ring its thread's number, then parts that are apart: lists of records of NumPy.
    """
    found: Cells = defaultdict(Sums)
    for thread, *parts in rings:
        calls: list[tuple[int, int, Sums]] = []
        for part in parts:
            for place, slot in enumerate(part):
                kind = int(slot["kind"])
                if kind == format.COMMAND and place + 1 < len(part) and int(part[place + 1]["kind"]) == format.DETAIL:
                    _command(found, clock, int(thread), slot, part[place + 1], recorder)  # type: ignore[call-overload]
                elif kind in (format.CALL, format.API, format.RANGE):
                    _call(found, clock, int(thread), kind, slot, calls)  # type: ignore[call-overload]
                elif kind == format.THREAD:
                    it = found[Table.LOOK, int(thread)]  # type: ignore[call-overload]
                    it.values.append(int(slot["processor"]))
                    it.nested += int(slot["runnable"])
                    it.amount += clock.span(int(slot["begin"]), int(slot["end"]))
    return found


def _command(found: Cells, clock: HostClock, thread: int, slot: Any, detail: Any, recorder: bool) -> None:
    flags, name = int(slot["flags"]), int(slot["name"])
    failed, kept, launch = flags & format.FAILED, flags & format.KEPT_BACK, int(detail["command"]) == format.LAUNCH
    called = not kept and not flags & format.IN_GRAPH
    whole = clock.span(int(slot["begin"]), int(slot["end"]))
    inside = 0 if kept else clock.span(int(slot["driver_begin"]), int(slot["driver_end"]))
    waited = clock.span(int(slot["begin"]), int(slot["begin"]) + int(slot["waited"]))
    around = 0 if recorder else max(whole - inside - waited, 0)
    key = int(detail["device"]) << 32 | int(detail["number" if recorder else "command"])
    if called:
        _add(found[Table.COMMAND, key], inside, failed)
        _add(found[Table.THREAD, thread << 1], inside)
    if recorder:
        found[Table.RECORDED, key].values.append(-1)  # they have no time
    elif launch and not flags & format.IN_STEP:
        _add(found[Table.LAUNCH, 0], whole, failed)
    if launch and kept:
        _add(found[Table.KEPT, name], around)
    elif launch and called and failed:
        _add(found[Table.REFUSED, name], 0, failed)
    elif launch and called:
        _add(found[Table.SENT, name], inside)
        if not recorder:
            _add(found[Table.AROUND, name], around)
        if waited:
            _add(found[Table.WAITED, name], waited)
    if not launch and not kept and not failed:
        command = int(detail["command"])
        direction = 4 if command == format.FILL else 3 if command == format.COPY_PEER else flags >> 6
        _add(found[Table.SIZE, direction], int(detail["bytes"]))


def _call(
    found: Cells, clock: HostClock, thread: int, kind: int, slot: Any, calls: list[tuple[int, int, Sums]]
) -> None:
    begin, end = int(slot["begin"]), int(slot["end"])
    took = clock.span(begin, end)
    if kind == format.RANGE:
        it = found[Table.RANGE, int(slot["domain"]) << 32 | int(slot["name"])]
        _add(it, took)
        it.nested += took if slot["depth"] else 0
        return
    failed = int(slot["flags"]) & format.FAILED
    if kind == format.API:
        it = found[Table.API, int(slot["entry"])]
        _add(it, took, failed)
        it.nested += took if slot["parent"] and not failed else 0
        return
    it = found[Table.CALL, int(slot["device"]) << 32 | int(slot["entry"])]
    _add(it, took, failed)
    _add(found[Table.THREAD, thread << 1 | 1], took)
    if not failed:  # those that began in it are part of it
        while calls and calls[-1][0] >= begin:
            _, inner, of = calls.pop()
            of.nested += inner
        calls.append((begin, took, it))


def _add(it: Sums, value: int, failed: int = 0) -> None:
    if failed:
        it.failed += 1
    else:
        it.values.append(min(max(value, 0), MOST))
