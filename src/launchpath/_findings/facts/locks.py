"""Locks: a device waits for a thread that waits for another thread."""

from __future__ import annotations

import numpy

from launchpath._findings.charge import Charge, lock_word
from launchpath._findings.facts.draft import draft, us
from launchpath._findings.finding import Finding
from launchpath._findings.idle import Idle, idle_of
from launchpath._findings.noise import floor
from launchpath._findings.pauses import PAUSE
from launchpath._findings.regions.region import Region
from launchpath._findings.simulation.edits import Before, Edit, Faster, Together
from launchpath._findings.statistics import mean_interval
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.timeline import Timeline
from launchpath._findings.turns import partners
from launchpath._findings.wording import device_word, share_of, time_text

KIND = "lock"
_UNDISTURBED = 0.1  # of the pauses: those in which a thread waited for no other one


def facts(region: Region) -> list[Finding]:
    """Find what a region's device loses because its thread waits for other threads."""
    idle = idle_of(region)
    least = floor(region)
    if idle is None or least == float("inf"):
        return []
    calls, timeline = idle.calls, region.timeline
    held = mean_interval(idle.each(calls.held))
    if held.low < least:
        return []
    turns = partners(timeline, region.thread)
    if region.thread != turns[0]:
        return []  # said of the first of them
    rows = numpy.flatnonzero(calls.held > 0)
    device, thread = device_word(timeline, idle.device), timeline.thread_names[region.thread]
    part = f"{time_text(held.value)}, {share_of(held.value, region, idle.period)}"
    if len(turns) > 1:
        sentence = (
            f"{len(turns)} threads take turns, as a lock makes them: {device} is idle for {part}, while one of "
            f"them has the lock or waits for it."
        )
        mend = "Hold the lock only while commands are submitted, and not while their results are waited for or used."
    elif lock_word(timeline) == "GIL":
        sentence = f"`{thread}` waits for the GIL while other threads run, and {device} is idle for {part}."
        mend = "Move what the other threads compute in Python to code that lets the GIL go, or to another process."
    else:
        sentence = f"`{thread}` waits for another thread of the process, and {device} is idle for {part}."
        mend = "Let the other threads hold their locks for less time, or give each thread its own."
    finding = draft(
        region,
        KIND,
        thread,
        sentence,
        mend,
        calls.rows[rows],
        evidence={
            "us_idle": us(held.value),
            "us_idle_low": us(held.low),
            "us_idle_high": us(held.high),
            "waits": round(len(rows) / len(idle.repetitions), 2),
            "threads": len(turns),
            "busy": round(idle.busy, 4),
        },
        edit=_together(timeline, turns) if len(turns) > 1 else without(region, idle, calls.held),
    )
    finding.threads = [timeline.thread_names[each] for each in turns]
    return [finding]


def _together(timeline: Timeline, threads: list[int]) -> Edit:
    """Make the edit that lets threads go on at once: each is away between its turns for as long as it has to."""
    ops = timeline.ops
    edits: list[Edit] = []
    for thread in threads:
        rows = numpy.arange(*numpy.searchsorted(ops.thread, [thread, thread + 1]))
        rows = rows[ops.depth[rows] == 0]
        pauses = ops.begin[rows[1:]] - ops.end[rows[:-1]]
        long = numpy.flatnonzero(pauses >= PAUSE)
        if len(long):
            # A thread that had not to wait was away for its own reasons alone.
            least = numpy.quantile(pauses[long], _UNDISTURBED)
            factor = float(numpy.minimum(pauses[long], least).sum() / pauses[long].sum())
            edits.append(Before(rows[1:][long], factor))
    return Together(numpy.zeros(0, "i8"), tuple(edits))


def without(region: Region, idle: Idle, lost: Array) -> Edit:
    """Make the edit that takes a thread's lost time away: of each call, or of the code before it.

    Parameters
    ----------
    lost : numpy.ndarray of float64
        A part of the charge of each call.
    """
    ops, calls = region.timeline.ops, idle.calls
    rows = numpy.flatnonzero(lost > 0)
    of_code = _is_of_code(calls, rows)
    edits: list[Edit] = []
    duration = ops.end[calls.rows] - ops.begin[calls.rows]
    for chosen, whole, kind in ((rows[of_code], calls.pieces, Before), (rows[~of_code], duration, Faster)):
        total = float(whole[chosen].sum())
        if total > 0:
            factor = max(1.0 - float(lost[chosen].sum()) / total, 0.0)
            edits.append(kind(calls.rows[chosen], factor))
    return edits[0] if len(edits) == 1 else Together(numpy.zeros(0, "i8"), tuple(edits))


def _is_of_code(calls: Charge, rows: Array) -> Array:
    """Tell where the time was lost in the code before the call, which is then the longer wait."""
    return numpy.asarray(calls.known[rows])
