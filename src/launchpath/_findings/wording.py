"""Words for readers: devices, source lines, ranges and regions."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy

from launchpath._findings.amounts import percent_text
from launchpath._findings.idle.pauses import is_python
from launchpath._findings.regions.region import Region
from launchpath._findings.site import short_site
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import Role
from launchpath._findings.timeline.timeline import Timeline

_MOST_SITES = 8
_LOOKED_AT = 15  # repetitions that are enough to find the range that is around some calls
_AROUND = 64  # ranges that began last
_MOSTLY = 0.5


def device_facts(timeline: Timeline, device: int) -> dict[str, Any]:
    """Give what the file says of a device."""
    devices = timeline.meta.get("devices")
    facts = devices[device] if isinstance(devices, list) and device < len(devices) else None
    return facts if isinstance(facts, dict) else {}


def device_word(timeline: Timeline, device: int) -> str:
    """Call a device "the GPU" if it is one."""
    facts = device_facts(timeline, device)
    gpu = facts.get("driver") in ("cuda", "hip") or facts.get("kind") == "gpu"
    return "the GPU" if gpu else "the device"


def program_word(timeline: Timeline) -> str:
    """Call the host's code "Python" if it is."""
    return "Python" if is_python(timeline) else "host code"


def is_own(timeline: Timeline) -> bool:
    """Tell whether the records are launchpath's own: its calls take in all that a launch costs the host."""
    return timeline.meta.get("recorder") is not True


def sites_of(timeline: Timeline, rows: Array) -> list[str]:
    """Give the source lines of calls, the most frequent first."""
    numbers, counts = numpy.unique(timeline.ops.site[rows], return_counts=True)
    order = numpy.argsort(-counts, kind="stable")
    return [timeline.site(number) for number in numbers[order].tolist() if number][:_MOST_SITES]


def around(sites: list[str]) -> str:
    """Name the lines that source lines are at: "simulate.py:41 to 47"; empty if they are not known."""
    places = sorted({short_site(site) for site in sites}, key=_file_and_line)
    if not places:
        return ""
    files = {place.rpartition(":")[0] for place in places}
    if len(places) == 1 or len(files) > 1:
        return short_site(sites[0])
    return f"{places[0]} to {places[-1].rpartition(':')[2]}"


def _file_and_line(place: str) -> tuple[str, int]:
    file, _, line = place.rpartition(":")
    return file, int(line) if line.isdigit() else 0


def whole(region: Region) -> str:
    """Name the time of a repetition, for shares of it."""
    if region.source == "range":
        return f"`{region.name}`"
    return "the step" if region.source == "step" else "a repetition"


def share_of(part: float, region: Region, period: float) -> str:
    """Write a part of a repetition's time: "71 % of `step`"."""
    return f"{percent_text(part, period)} of {whole(region)}"


def subject_of(region: Region, rows: Array) -> str:
    """Name what calls are part of: the innermost range around each repetition's, else the kernel that most of them are.

    Parameters
    ----------
    rows : numpy.ndarray of int64
        Calls of the region, in the order of time.
    """
    named = _range_around(region, rows)
    if named:
        return named
    ops = region.timeline.ops
    kernels = rows[numpy.isin(ops.role[rows], (Role.LAUNCH, Role.DEFERRED))]
    if len(kernels):
        names, counts = numpy.unique(ops.name[kernels], return_counts=True)
        if counts.max() >= _MOSTLY * len(kernels):
            return region.timeline.names[int(names[numpy.argmax(counts)])]
    if len(rows) and not len(kernels):
        names, counts = numpy.unique(ops.name[rows], return_counts=True)
        return region.timeline.names[int(names[numpy.argmax(counts)])]
    return region.name


def _range_around(region: Region, rows: Array) -> str:
    timeline = region.timeline
    ranges = timeline.ranges.take(timeline.ranges.thread == region.thread)
    if not len(ranges) or not len(rows):
        return ""
    repetition = region.repetition_of(rows)
    found: Counter[str] = Counter()
    seen = numpy.unique(repetition)
    for each in seen[numpy.linspace(0, len(seen) - 1, min(_LOOKED_AT, len(seen))).astype("i8")].tolist():
        its = rows[repetition == each]
        begin, end = int(timeline.ops.begin[its].min()), int(timeline.ops.end[its].max())
        upto = int(numpy.searchsorted(ranges.begin, begin, "right"))
        open_ones = numpy.arange(max(upto - _AROUND, 0), upto)
        open_ones = open_ones[ranges.end[open_ones] >= end]
        found[timeline.names[int(ranges.name[open_ones[-1]])] if len(open_ones) else ""] += 1
    name, count = found.most_common(1)[0]
    return name if count > _MOSTLY * sum(found.values()) else ""
