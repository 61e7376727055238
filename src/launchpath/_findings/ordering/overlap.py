"""Overlap: whether a device runs commands of two streams at once, and a copy beside a kernel."""

from __future__ import annotations

import os
import socket

import numpy

from launchpath._findings.regions.region import Region
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import Role
from launchpath._findings.timeline.timeline import Timeline
from launchpath._findings.wording import device_facts

_SEEN = 0.01  # of the works of a device that overlap with those of other streams
# Of OpenCL's processors: they run kernels of two streams side by side, as far as these leave units without work.
_PLATFORMS = ("Portable Computing Language", "Intel(R) OpenCL")
_CLOCKS = 1000  # nanoseconds by which times may be wrong
_FEW = 0.5  # of the time of kernels, in which they leave processors to the host
_SLACK = 0.02  # of its time, by which a command that runs alone may seem to overlap with another one


def overlaps(timeline: Timeline, device: int) -> bool:
    """Tell whether a device can run commands of two streams at once: it was seen to, or its kind is known to."""
    facts = device_facts(timeline, device)
    if facts.get("driver") in ("cuda", "hip") or facts.get("kind") == "gpu" or facts.get("platform") in _PLATFORMS:
        return True
    return seen_to_overlap(timeline, device)


def seen_to_overlap(timeline: Timeline, device: int) -> bool:
    """Tell whether works of two streams of a device were seen to run at once."""
    works = timeline.works.take(timeline.works.device == device)
    if len(works) < 2:
        return False
    order = numpy.argsort(works.begin, kind="stable")
    begin, end, stream = works.begin[order], works.end[order], works.stream[order]
    over = (begin[1:] < end[:-1] - _CLOCKS) & (stream[1:] != stream[:-1])
    return bool(numpy.count_nonzero(over) >= max(3, _SEEN * len(over)))


def units(region: Region, device: int) -> int:
    """Give how many compute units a device has; 0: the trace does not tell."""
    value = device_facts(region.timeline, device).get("units")
    return value if isinstance(value, int) and value > 0 else 0


def shares_processors(timeline: Timeline, device: int) -> bool:
    """Tell whether a device's kernels may run on all processors that the host's threads have, as far as is known."""
    facts, processors = device_facts(timeline, device), _processors(timeline)
    number = facts.get("units")
    if facts.get("kind") != "cpu" or not isinstance(number, int) or not 0 < processors <= number:
        return False
    works, ops = timeline.works, timeline.ops
    rows = numpy.flatnonzero((works.device == device) & (works.role == Role.LAUNCH) & (ops.blocks[works.op] > 0))
    time = works.end[rows] - works.begin[rows]
    return bool(time[ops.blocks[works.op[rows]] < number].sum() <= _FEW * time.sum())


def _processors(timeline: Timeline) -> int:
    """Give on how many processors the process could run; 0: it is not known."""
    process = timeline.process
    number = process.facts.get("processors")
    if isinstance(number, int) and not isinstance(number, bool):
        return number
    return os.cpu_count() or 0 if process.host == socket.gethostname() else 0


def alone_on_device(region: Region, rows: Array) -> Array:
    """Tell which calls have a command beside which no other one runs on its device; in the shape of the rows."""
    if "alone" not in region.timeline.notes:
        works = region.timeline.works
        order = numpy.lexsort((works.begin, works.device))
        begin, end, device = works.begin[order], works.end[order], works.device[order]
        # Times of each device in a stretch of their own, so that one pass does for all.
        base = device.astype("i8") * (int(end.max(initial=0)) + 1)
        latest = numpy.maximum.accumulate(base + end)
        # Units of a device that copy and compute tell slightly different times.
        slack = _SLACK * (end - begin)
        alone = numpy.ones(len(order), "?")
        alone[1:] &= latest[:-1] <= (base + begin + slack)[1:]
        alone[:-1] &= (device[1:] != device[:-1]) | (begin[1:] >= (end - slack)[:-1])
        result = numpy.zeros(len(order), "?")
        result[order] = alone
        region.timeline.notes["alone"] = result
    alone, ops = region.timeline.notes["alone"], region.timeline.ops
    if not len(alone):
        return numpy.zeros(rows.shape, "?")
    return numpy.asarray((ops.works[rows] == 1) & alone[numpy.maximum(ops.work[rows], 0)])
