"""Locks: a device waits for a thread that waits for another thread."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from launchpath._findings.amounts import percent_text, plain_time
from launchpath._findings.draft import draft, us
from launchpath._findings.finding import SIMULATED, Finding, Proof
from launchpath._findings.idle.charge import lock_word
from launchpath._findings.idle.idle import Idle, idle_of
from launchpath._findings.idle.turns import partners
from launchpath._findings.interval import Interval
from launchpath._findings.noise import least
from launchpath._findings.regions.region import Region
from launchpath._findings.simulation.edits import Before, Edit, Faster, Together
from launchpath._findings.statistics import mean_interval
from launchpath._findings.timeline.ops import Array, Ops
from launchpath._findings.timeline.roles import Role
from launchpath._findings.wording import device_word, share_of

KIND = "lock"
_NOTHING = 1.0  # nanoseconds: what is less is of rounding
_LEAST_SHARE = 0.01  # of code: the device waited for less of it by chance


def facts(region: Region) -> list[Finding]:
    """Find what a region's device loses because its thread waits for other threads; threads that take turns apart."""
    idle = idle_of(region)
    if idle is None or len(partners(region.timeline, region.thread)) > 1:
        return []
    finding = _finding(region, idle)
    return [finding] if finding else []


def facts_of_groups(regions: Sequence[Region]) -> list[tuple[Region, Finding]]:
    """Find threads that take turns: a finding for all that do, of the region that loses the most by it."""
    groups: dict[tuple[int, int], list[tuple[Region, Idle]]] = {}
    for region in regions:
        idle = idle_of(region)
        turns = partners(region.timeline, region.thread)
        if idle is not None and len(turns) > 1:
            groups.setdefault((id(region.timeline), turns[0]), []).append((region, idle))
    findings = [_of_group(group) for group in groups.values()]
    return [pair for pair in findings if pair is not None]


def _finding(region: Region, idle: Idle) -> Finding | None:
    timeline = region.timeline
    held = mean_interval(idle.each(idle.calls.held))
    if held.low < least(region):
        return None
    device, thread = device_word(timeline, idle.device), timeline.thread_names[region.thread]
    part = f"{plain_time(held.value)}, {share_of(held.value, region, idle.period)}"
    if lock_word(timeline, region.thread) == "GIL":
        sentence = f"`{thread}` waits for the GIL while other threads run, and {device} is idle for {part}."
        mend = "Move what the other threads compute in Python to code that lets the GIL go, or to another process."
    else:
        sentence = f"`{thread}` waits for another thread of the process, and {device} is idle for {part}."
        mend = "Let the other threads hold their locks for less time, or give each thread its own."
    finding = _draft(region, idle, held, 1, sentence, mend)
    finding.edit = without(idle, timeline.ops, idle.calls.held, idle.calls.held_inside)
    return finding


def _of_group(group: list[tuple[Region, Idle]]) -> tuple[Region, Finding] | None:
    """Make one finding of threads that take turns. Its repetitions are those of all of them."""
    region, idle = max(group, key=lambda each: float(each[1].each(each[1].calls.held).sum()))
    timeline, turns = region.timeline, partners(region.timeline, region.thread)
    lost = [(mean_interval(its.each(its.calls.held)), len(member)) for member, its in group]
    count = sum(number for _, number in lost)
    # One of them comes after the other, so each has its part of the time.
    begin, end = min(int(member.begun[0]) for member, _ in group), max(int(member.ended[-1]) for member, _ in group)
    period = (end - begin) / count
    value = min(sum(each.value * number for each, number in lost) / count, period)
    half = sum((each.half * number) ** 2 for each, number in lost) ** 0.5 / count
    held = Interval(value, value - half, value + half)
    if held.low < least(region) * min(period / region.period.value, 1.0):
        return None
    sentence = (
        f"{len(turns)} threads take turns, as a lock makes them: {device_word(timeline, idle.device)} is idle for "
        f"{plain_time(value)}, {percent_text(value, period)} of the time of a turn, while one of them has "
        "the lock or waits for it."
    )
    mend = "Hold the lock only while commands are submitted, and not while their results are waited for or used."
    finding = _draft(region, idle, held, len(turns), sentence, mend)
    # In which order threads get a lock is not in the records: what can be told is that the others could use the
    # device while it is idle.
    finding.threads = [timeline.thread_names[each] for each in turns]
    finding.repetitions, finding.period, finding.saving = count, period, held
    finding.proofs.append(
        Proof(SIMULATED, held, text="the time in which the device is idle and the other threads wait")
    )
    return region, finding


def _draft(region: Region, idle: Idle, held: Interval, threads: int, sentence: str, mend: str) -> Finding:
    rows = numpy.flatnonzero(idle.calls.held > 0)
    return draft(
        region,
        KIND,
        idle.calls.rows[rows],
        subject=region.timeline.thread_names[region.thread],
        sentence=sentence,
        mend=mend,
        evidence={
            "us_idle": us(held.value),
            "us_idle_low": us(held.low),
            "us_idle_high": us(held.high),
            "waits": round(len(rows) / len(idle.repetitions), 2),
            "threads": threads,
            "busy": round(idle.busy, 4),
        },
    )


def without(idle: Idle, ops: Ops, lost: Array, inside: Array) -> Edit:
    """Make the edit that takes a thread's lost time away: of calls, and of the code before them.

    Parameters
    ----------
    lost, inside : numpy.ndarray of float64
        A part of the charge of each call, and how much of it is in the call.
    """
    calls = idle.calls
    waits = numpy.isin(ops.role[calls.rows], (Role.SYNCHRONIZE, Role.COPY, Role.FILL))
    # Of a wait what is shortened is the time behind what it waits for.
    late = calls.inside + calls.ready_inside + calls.held_inside
    duration = numpy.where(waits, late, ops.end[calls.rows] - ops.begin[calls.rows])
    edits: list[Edit] = []
    # Of code all of its lost time: what the device's work has hidden of it would show where the rest is gone.
    between = numpy.minimum((lost - inside) / numpy.maximum(calls.share, _LEAST_SHARE), calls.pieces)
    for part, whole, kind in (
        (between, calls.pieces, Before),
        (numpy.where(waits, inside, 0), duration, Faster),
        (numpy.where(waits, 0, inside), duration, Faster),
    ):
        chosen = numpy.flatnonzero(part > _NOTHING)
        if len(chosen):
            edits.append(kind(calls.rows[chosen], numpy.clip(1 - part[chosen] / numpy.maximum(whole[chosen], 1), 0, 1)))
    return edits[0] if len(edits) == 1 else Together(numpy.zeros(0, "i8"), tuple(edits))
