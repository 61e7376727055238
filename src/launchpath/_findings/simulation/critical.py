"""The critical path of a repetition: the calls and works that its time depends on."""

from __future__ import annotations

from typing import NamedTuple

import numpy

from launchpath._findings.simulation.extracting import Stretch
from launchpath._findings.simulation.running import Run
from launchpath._findings.timeline.ops import Array


class Critical(NamedTuple):
    """What is on the critical path: rows of ``Timeline.ops``, in their order."""

    calls: Array  # that the thread makes
    works: Array  # whose works on the device


def critical_path(stretch: Stretch, result: Run) -> Critical:
    """Follow the path back from the end of a stretch's last repetition to its begin."""
    program, marks = stretch.program, stretch.marks
    times = marks.times(program, result)
    begin = float(times[-2])
    end_host = float(result.end[marks.previous[-1]]) if marks.previous[-1] >= 0 else 0.0
    place = int(marks.previous[-1])
    calls: set[int] = set()
    works: set[int] = set()
    previous = _previous(program.thread)
    mine = [each for each in range(place + 1) if program.thread[each] == marks.thread] if place >= 0 else []
    on_device = False
    if mine and (last := max(mine, key=lambda each: result.done[each])) >= 0 and result.done[last] > end_host:
        place, on_device = last, float(times[-1]) > end_host + 1e-6 and result.done[last] >= float(times[-1]) - 1e-6
    for _ in range(4 * len(program) + 4):
        if place < 0:
            break
        if on_device:
            if result.done[place] <= begin:
                break
            works.add(place)
            behind = result.behind[place]
            if behind >= 0 and behind != place:
                place = behind
                continue
            on_device = False
            if result.started[place] == float("-inf"):
                continue
            if result.waited[place] == place:
                # The call waits for its own work: its begin is what that was behind.
                calls.add(place)
                place = previous[place]
            continue
        if result.end[place] <= begin:
            break
        calls.add(place)
        waited = result.waited[place]
        if waited >= 0:
            place, on_device = waited, True
        else:
            place = previous[place]
    rows = numpy.array(program.rows, "i8")
    return Critical(
        numpy.sort(rows[sorted(calls)]) if calls else numpy.zeros(0, "i8"),
        numpy.sort(rows[sorted(works)]) if works else numpy.zeros(0, "i8"),
    )


def _previous(thread: list[int]) -> list[int]:
    """Give for each call the place of its thread's call before; -1: there is none."""
    last: dict[int, int] = {}
    result = []
    for place, its in enumerate(thread):
        result.append(last.get(its, -1))
        last[its] = place
    return result
