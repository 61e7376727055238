"""Launch-bound regions: calls that submit one command after the other, and a device that waits for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy

from launchpath._findings.amounts import counted, percent_text, plain_time
from launchpath._findings.draft import draft, us
from launchpath._findings.finding import Finding
from launchpath._findings.idle.idle import Idle, idle_of
from launchpath._findings.idle.places import Places, places_of
from launchpath._findings.noise import floor
from launchpath._findings.regions.arguments import changing_arguments, repeats
from launchpath._findings.regions.region import Region
from launchpath._findings.simulation.edits import AsStep, Before, Edit, Faster, Merge, Together
from launchpath._findings.statistics import median_interval
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import SUBMITS, Role
from launchpath._findings.wording import around, device_facts, device_word, is_own, share_of, sites_of, subject_of
from launchpath._trace.format import HOST_PROGRAM

KIND = "launch-bound"
_LEAST = 3  # submissions that a run has
_MAIN = 0.5  # of a run, which launching takes at least
_COSTLY = 0.1  # of a repetition: launching that takes so much of the host is spoken of, hidden or not
_SEVERAL = 3.0  # the host code before a launch is its caller's own if it is no longer than so many medians of the run
_OWN_CODE, _OTHER_CODE = 3e3, 30e3  # nanoseconds: and no longer than this; of launchpath's own calls, and of drivers'
_MOVING, _MOVING_LEAST = 10.0, 20e3  # times a launch, and nanoseconds: a copy whose call takes longer moves bytes
_LAUNCHING = (*SUBMITS, Role.RECORD, Role.ORDER, Role.FLUSH)  # what a step keeps back is in a step already


@dataclass
class Run:
    """Submissions without a wait between them.

    Attributes
    ----------
    columns : numpy.ndarray of int64
        Their places in a repetition.
    calling : numpy.ndarray of bool
        Before which of them the host code is short: what a caller needs to make the next call.
    """

    columns: Array
    calling: Array


def facts(region: Region) -> list[Finding]:
    """Find the runs of launches that hold a region's device back."""
    idle = idle_of(region)
    if idle is None or floor(region) == float("inf"):
        return []
    places = places_of(region, idle)
    groups: dict[str, list[Run]] = {}
    for run in runs(region, places):
        groups.setdefault(subject_of(region, places.rows[:, run.columns].reshape(-1)), []).append(run)
    findings = [_finding(region, idle, places, subject, its) for subject, its in groups.items()]
    return [finding for finding in findings if finding is not None]


def runs(region: Region, places: Places) -> Iterator[Run]:
    """Give the runs of submissions of a region."""
    longest = _OWN_CODE if is_own(region.timeline) else _OTHER_CODE
    ends = places.waits | (places.role == Role.LOAD) | _moves_bytes(places)
    pieces = numpy.median(places.pieces, axis=0) if len(places) else numpy.zeros(0)
    number = numpy.cumsum(ends)
    launching = numpy.isin(places.role, _LAUNCHING) & ~ends
    for each in numpy.unique(number[launching]).tolist():
        columns = numpy.flatnonzero(launching & (number == each))
        if numpy.count_nonzero(numpy.isin(places.role[columns], SUBMITS)) < _LEAST:
            continue
        following = numpy.concatenate([[False], numpy.diff(columns) == 1])
        typical = float(numpy.median(pieces[columns[following]])) if following.any() else 0.0
        calling = following & (pieces[columns] <= min(max(_SEVERAL * typical, 1e3), longest))
        yield Run(columns, calling)


def _moves_bytes(places: Places) -> Array:
    """Tell which copies take the host far longer than launches do: it moves their bytes, which no step makes faster."""
    if not len(places):
        return numpy.zeros(0, "?")
    time = numpy.median(places.duration, axis=0)
    launches = time[places.role == Role.LAUNCH]
    usual = float(numpy.median(launches)) if len(launches) else 0.0
    return numpy.isin(places.role, (Role.COPY, Role.FILL)) & (time > max(_MOVING * usual, _MOVING_LEAST))


def _finding(region: Region, idle: Idle, places: Places, subject: str, its: list[Run]) -> Finding | None:
    columns = numpy.concatenate([run.columns for run in its])
    calling = columns[numpy.concatenate([run.calling for run in its])]
    launches = columns[places.submits[columns]]
    waited = places.inside[:, columns].sum(axis=1) + places.before[:, calling].sum(axis=1)
    taken = places.duration[:, columns].sum(axis=1) + places.pieces[:, calling].sum(axis=1)
    between = _between(region, idle, places, its)
    host = float(numpy.median(waited))
    held = median_interval(waited + between)
    cost = float(numpy.median(taken))
    if cost < _MAIN * (cost + float(numpy.median(places.pieces[:, _code(its)].sum(axis=1)))):
        return None  # the run is host code with a few launches in it
    least = floor(region)
    hidden = held.value < least
    if cost < max(least, _COSTLY * idle.period) if hidden else held.low < least:
        return None
    rows = places.rows[:, columns]
    calls = region.aligned()[:, columns]
    count, each = len(launches), cost / len(launches)
    device = device_word(region.timeline, idle.device)
    evidence: dict[str, Any] = {
        "launches": count,
        "us_launch": us(each),
        "us_call": us(float(numpy.median(places.duration[:, launches]))),
        "us_launching": us(cost),
        "us_idle": us(held.value),
        "us_idle_of_device": us(held.value - host),
        "us_idle_low": us(held.low),
        "us_idle_high": us(held.high),
        "busy": round(idle.busy, 4),
        **repeats(region, places.rows[0, launches]),
        **changing_arguments(region, places.rows[:, launches]),
    }
    where, number = f"in `{subject}`", _counted(places, launches)
    if hidden:
        sentence = (
            f"{number} of {plain_time(each)} {where} take {plain_time(cost)} of the host, and {device} has work "
            f"meanwhile: it is idle for {plain_time(held.value)} of that."
        )
        mend = "Leave it: launching is hidden behind what the device does."
    else:
        part = percent_text(held.value, idle.period) + " of its time"
        part = part if subject == region.name else share_of(held.value, region, idle.period)
        gap = plain_time(float(numpy.median(between)) / count)
        how = f"{gap} between two of them" if held.value > 2 * host else "then idle"
        sentence = f"Launching holds {device} back {where} ({part}): {number} of {plain_time(each)}, {how}."
        mend = _mend(
            region, idle, subject, sites_of(region.timeline, rows[:, places.submits[columns]].reshape(-1)), evidence
        )
    return draft(
        region,
        KIND,
        calls[:, places.submits[columns]].reshape(-1),
        subject=subject,
        sentence=sentence,
        mend=mend,
        hidden=hidden,
        evidence=evidence,
        edit=_edit(region, idle, its, places),
    )


def _counted(places: Places, launches: Array) -> str:
    """Write how many launches there are, or submissions if there are others too."""
    only = (places.role[launches] == Role.LAUNCH).all()
    return counted(len(launches), "launch", "launches") if only else counted(len(launches), "submission")


def _between(region: Region, idle: Idle, places: Places, its: list[Run]) -> Array:
    """Give how long the device itself takes between the commands of runs, where fewer commands are the mend."""
    if not _fewer(region, idle):
        return numpy.zeros(len(places.rows))
    columns = numpy.concatenate([run.columns[places.submits[run.columns]][1:] for run in its])
    return numpy.asarray(places.latency[:, columns].sum(axis=1))


def _fewer(region: Region, idle: Idle) -> bool:
    """Tell whether the mend is fewer and larger kernels: there is neither a step nor a graph."""
    graphs = device_facts(region.timeline, idle.device).get("driver") in ("cuda", "hip")
    return not is_own(region.timeline) and not graphs


def _code(its: list[Run]) -> Array:
    """Give the places inside of runs before which the host code is the program's own."""
    return numpy.concatenate([run.columns[1:][~run.calling[1:]] for run in its])


def _mend(region: Region, idle: Idle, subject: str, sites: list[str], evidence: dict[str, Any]) -> str:
    lines = around(sites)
    where = f"around {lines}" if lines else f"around the launches of `{subject}`"
    changing, arguments = evidence.get("arguments_that_change"), evidence.get("arguments")
    changes = f" {changing} of {arguments} arguments change from one repetition to the next." if arguments else ""
    if HOST_PROGRAM in region.timeline.meta:
        begin, run = "`cudaStreamBeginCapture`", "`cudaGraphLaunch`"
        launches = where.removeprefix("around ")
        return f"Capture {launches} in a graph ({begin}), and run that in each repetition ({run}).{changes}"
    if is_own(region.timeline):
        return f"`with lp.Step():` {where}.{changes}"
    place = where.removeprefix("around ")
    if not _fewer(region, idle):
        return f"Capture {place} in a graph, and run that in each repetition.{changes}"
    return f"Fewer and larger kernels at {place}: what follows one another in one kernel.{changes}"


def _edit(region: Region, idle: Idle, its: list[Run], places: Places) -> Edit:
    """Make the mend of each run: a step for launchpath's own launches, a graph or a larger kernel for others."""
    calls, ops = region.aligned(), region.timeline.ops
    edits: list[Edit] = []
    for run in its:
        if is_own(region.timeline):
            columns = run.columns[places.submits[run.columns]]
            edits.append(AsStep(calls[:, columns].reshape(-1)))
            continue
        columns = run.columns[places.submits[run.columns]]
        if _fewer(region, idle) and len(numpy.unique(ops.stream[calls[0, columns]])) == 1:
            group = numpy.repeat(numpy.arange(len(calls)), len(columns))
            edits.append(Merge(calls[:, columns].reshape(-1), group, _work(region, places.rows[:, columns])))
            edits.append(Before(calls[:, run.columns[run.calling]].reshape(-1), factor=0.0))
            continue
        # One call submits all: the first one stays.
        edits.append(Faster(calls[:, run.columns[1:]].reshape(-1), host=0.0))
        edits.append(Before(calls[:, run.columns[run.calling]].reshape(-1), factor=0.0))
    return edits[0] if len(edits) == 1 else Together(numpy.zeros(0, "i8"), tuple(edits))


def _work(region: Region, rows: Array) -> float:
    """Give how long all works of a repetition's calls take together, the median."""
    ops, works = region.timeline.ops, region.timeline.works
    sums = numpy.concatenate([[0], numpy.cumsum(works.end - works.begin)])
    first, count = ops.work[rows].astype("i8"), ops.works[rows].astype("i8")
    first = numpy.maximum(first, 0)
    return float(numpy.median((sums[first + count] - sums[first]).sum(axis=1)))
