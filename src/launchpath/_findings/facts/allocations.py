"""Allocations in a region that repeats: memory that could be allocated once."""

from __future__ import annotations

import numpy

from launchpath._findings.amounts import counted, plain_time
from launchpath._findings.draft import draft, us
from launchpath._findings.finding import Finding
from launchpath._findings.idle.idle import idle_of
from launchpath._findings.idle.places import places_of
from launchpath._findings.noise import floor
from launchpath._findings.regions.region import Region
from launchpath._findings.simulation.edits import Remove
from launchpath._findings.statistics import median_interval
from launchpath._findings.timeline.roles import Role
from launchpath._findings.wording import around, device_word, is_own, share_of, sites_of
from launchpath._report.units import format_bytes

KIND = "allocations"


def facts(region: Region) -> list[Finding]:
    """Find allocations and frees that take a region's time."""
    idle = idle_of(region)
    least = floor(region)
    if idle is None or least == float("inf"):
        return []
    places = places_of(region, idle)
    columns = numpy.flatnonzero(numpy.isin(places.role, (Role.ALLOCATE, Role.FREE)))
    if not len(columns):
        return []
    ops, timeline = region.timeline.ops, region.timeline
    taken = median_interval(places.duration[:, columns].sum(axis=1))
    waited = float(numpy.median(places.inside[:, columns].sum(axis=1)))
    if taken.low < least:
        return []
    hidden = (1 - idle.busy) * idle.period < least
    calls = region.aligned()[:, columns]
    allocating = columns[places.role[columns] == Role.ALLOCATE]
    size = int(numpy.median(ops.size[places.rows[:, allocating]].sum(axis=1))) if len(allocating) else 0
    names, counts = numpy.unique(ops.name[places.rows[0, columns]], return_counts=True)
    subject = timeline.names[int(names[numpy.argmax(counts)])]
    device = device_word(timeline, idle.device)
    lines = around(sites_of(timeline, places.rows[:, columns].reshape(-1)))
    of_bytes = f" of {format_bytes(size)} in all" if size > 1 else ""
    number = (
        f"{counted(len(allocating), 'allocation')}{of_bytes} and {counted(len(columns) - len(allocating), 'free')}"
        if len(allocating)
        else counted(len(columns), "free")
    )
    sentence = (
        f"{number} take {plain_time(taken.value)} of each repetition, {share_of(taken.value, region, idle.period)}; "
        f"{device} is idle for {plain_time(waited)} of that."
    )
    pool = "" if is_own(timeline) else ", or take it from a pool"
    mend = (
        f"Leave it: {device} is never idle."
        if hidden
        else f"Allocate once, before the loop{pool}{': ' + lines if lines else ''}."
    )
    return [
        draft(
            region,
            KIND,
            calls.reshape(-1),
            subject=subject,
            sentence=sentence,
            mend=mend,
            hidden=hidden,
            evidence={
                "allocations": len(allocating),
                "frees": len(columns) - len(allocating),
                "bytes": size,
                "us_calls": us(taken.value),
                "us_idle": us(waited),
                "busy": round(idle.busy, 4),
            },
            edit=Remove(calls.reshape(-1)),
        )
    ]
