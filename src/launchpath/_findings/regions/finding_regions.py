"""Finding the regions of a timeline."""

from __future__ import annotations

import numpy

from launchpath._findings.anchor import FUNCTION, KERNEL, RANGE, Anchor
from launchpath._findings.regions.completion import completed, runs_ahead
from launchpath._findings.regions.region import LEAST, Region
from launchpath._findings.regions.regular import regular
from launchpath._findings.regions.repetition import find_repetition
from launchpath._findings.regions.sequences import Stretches, tokens
from launchpath._findings.site import short_site
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import SUBMITS, Role
from launchpath._findings.timeline.timeline import Timeline

_SHARE = 0.05  # of the time of all threads' calls that a thread must have to be looked at
_COVERS = 0.3  # of the thread's time that ranges must cover to be the regions


def find_regions(timeline: Timeline) -> list[Region]:
    """Find what the threads of a process repeat: the longest region first."""
    ops = timeline.ops
    regions: list[Region] = []
    if not len(ops):
        return regions
    submits = numpy.isin(ops.role, (*SUBMITS, Role.DEFERRED)) & (ops.depth == 0)
    per_thread = numpy.bincount(ops.thread[submits], minlength=len(timeline.threads))
    for thread in numpy.flatnonzero(per_thread >= max(_SHARE * per_thread.sum(), LEAST)).tolist():
        by_range = _by_ranges(timeline, thread)
        span = _span(timeline, thread)
        if by_range and sum(region.time for region in by_range) >= _COVERS * span:
            regions += by_range
            continue
        repeated = _by_repetition(timeline, thread)
        regions += [repeated] if repeated else by_range
    return sorted(regions, key=lambda region: -region.time)


def _span(timeline: Timeline, thread: int) -> float:
    """Give the time of a thread of which the calls are known."""
    first, last = _rows_of(timeline, thread)
    span = int(timeline.ops.end[first:last].max() - timeline.ops.begin[first]) if last > first else 0
    return span * timeline.share


def _rows_of(timeline: Timeline, thread: int) -> tuple[int, int]:
    first, last = numpy.searchsorted(timeline.ops.thread, [thread, thread + 1])
    return int(first), int(last)


def _by_ranges(timeline: Timeline, thread: int) -> list[Region]:
    """Regions of the outermost ranges that repeat."""
    ranges = timeline.ranges
    mine = ranges.take(ranges.thread == thread)
    if not len(mine):
        return []
    names, counts = numpy.unique(mine.name, return_counts=True)
    repeated = mine.take(numpy.isin(mine.name, names[counts >= LEAST]))
    if not len(repeated):
        return []
    # Ranges are in the order of their begins: one is inside another if one before it ends later.
    latest = numpy.concatenate([[0], numpy.maximum.accumulate(repeated.end)[:-1]])
    outer = repeated.take(repeated.end > latest)
    regions = []
    for name in numpy.unique(outer.name).tolist():
        its = outer.take(outer.name == name)
        if len(its) >= LEAST:
            text = timeline.names[name]
            regions.append(_region(timeline, thread, text, "range", its.begin, its.end, Anchor(RANGE, text)))
    return [region for region in regions if region is not None]


def _by_repetition(timeline: Timeline, thread: int) -> Region | None:
    ops = timeline.ops
    first, last = _rows_of(timeline, thread)
    rows = numpy.arange(first, last)
    rows = rows[(ops.depth[rows] == 0) & ~numpy.isin(ops.role[rows], (Role.LOAD, Role.OTHER))]
    rows = rows[regular(timeline, rows)]
    sequence = tokens(ops, rows)
    repetition = find_repetition(sequence)
    if repetition is None:
        return None
    anchors = rows[repetition.places]
    begins = ops.begin[anchors]
    row = int(anchors[0])
    site = timeline.site(int(ops.site[row]))
    source = "step" if ops.role[row] == Role.GRAPH else "repetition"
    text = f"loop at {short_site(site)}" if site else f"repetition of {timeline.names[ops.name[row]]}"
    region = _region(timeline, thread, text, source, begins[:-1], begins[1:], None)
    if region is not None:
        region.anchor = _anchor(region)
    return region


def _anchor(region: Region) -> Anchor | None:
    """Choose what the repetitions of a running program are counted by: the rarest kernel, else the rarest function."""
    timeline, ops = region.timeline, region.timeline.ops
    matrix = region.aligned()
    if not matrix.size:
        return None
    rows = matrix[0]
    launches = rows[ops.role[rows] == Role.LAUNCH]
    chosen = launches if len(launches) else rows
    column = ops.name if len(launches) else ops.function
    values, counts = numpy.unique(column[chosen], return_counts=True)
    place = int(numpy.argmin(counts))
    name = timeline.names[int(values[place])]
    if not len(launches):
        return Anchor(FUNCTION, name, int(counts[place]), region.period.value)
    return Anchor(KERNEL, timeline.symbols.get(name, name), int(counts[place]), region.period.value)


def _region(
    timeline: Timeline, thread: int, name: str, source: str, begins: Array, ends: Array, anchor: Anchor | None
) -> Region | None:
    """Make a region. Repetitions that follow one another at once are extended to the next one's begin."""
    ops = timeline.ops
    start, stop = _rows_of(timeline, thread)
    durations = ends - begins
    following = numpy.append(begins[1:], ends[-1])
    close = following - ends <= numpy.maximum(durations, numpy.median(durations))
    ends = numpy.where(close, following, ends)
    first = start + numpy.searchsorted(ops.begin[start:stop], begins)
    last = start + numpy.searchsorted(ops.begin[start:stop], ends)
    full = (last > first) & timeline.is_whole(begins, ends)
    if numpy.count_nonzero(full) < LEAST:
        return None
    begins, ends, first, last = begins[full], ends[full], first[full], last[full]
    # Typical ones have the same outermost calls: polling, which has any number of calls, left out.
    rows = numpy.arange(start, stop)
    counted = (ops.depth[rows] == 0) & regular(timeline, rows)
    place = numpy.concatenate([[0], numpy.cumsum(counted)])
    stretches = Stretches(tokens(ops, rows[counted]))
    hashes = stretches.hashes(place[first - start], place[last - start])
    _, codes, counts = numpy.unique(hashes, return_inverse=True, return_counts=True)
    begun, ended = completed(timeline, begins, ends, first, last)
    typical = _typical(codes.reshape(-1), counts, ended - begun)
    if not runs_ahead((ends - begins)[typical], (ended - begun)[typical]):
        begun, ended = begins, ends
        typical = _typical(codes.reshape(-1), counts, ends - begins)
    return Region(timeline, name, source, thread, begins, ends, first, last, typical, begun, ended, anchor)


def _typical(codes: Array, counts: Array, durations: Array) -> Array:
    """Choose the repetitions with the calls that take most of the time, of those that come often enough."""
    time = numpy.bincount(codes, durations)
    typical = codes == int(numpy.argmax(numpy.where(counts >= LEAST, time, -1)))
    typical[0] = typical[0] and not typical[1:].sum() >= LEAST  # the first one loads, compiles and allocates
    return numpy.asarray(typical)
