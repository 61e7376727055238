"""First launches: kernels that are compiled or loaded while the program runs."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy

from launchpath._findings.amounts import counted, percent_text, plain_time
from launchpath._findings.draft import draft, us
from launchpath._findings.finding import SIMULATED, Finding, Proof
from launchpath._findings.idle.idle import Idle, idle_of
from launchpath._findings.idle.places import places_of
from launchpath._findings.idle.spans import union
from launchpath._findings.interval import Interval
from launchpath._findings.noise import floor
from launchpath._findings.regions.region import LEAST, Region
from launchpath._findings.simulation.edits import Before, Remove, Together
from launchpath._findings.statistics import median_interval
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import Role
from launchpath._findings.timeline.timeline import Timeline
from launchpath._findings.wording import device_word, share_of, sites_of

KIND = "slow-first-launch"
_SHARE = 0.02  # of the program's time
_TIME = 1e6  # nanoseconds
_TIMES = 10.0  # a first launch is slow if it takes so many times what later ones do
_NEARLY = 0.9
_QUICK = 10e3  # nanoseconds: what takes less has looked up what is loaded, as libraries do before each launch
_OFTEN = 0.5  # of the repetitions: what is called in so many is called in each
_SHOWN = 8
_RELEASES = re.compile(r".*(Release|Unload|Destroy|Free)")  # what gives programs back compiles and loads nothing


def facts(region: Region) -> list[Finding]:
    """Find what is compiled or loaded in each repetition of a region."""
    idle = idle_of(region)
    least = floor(region)
    if idle is None or least == float("inf"):
        return []
    places = places_of(region, idle)
    quick = (places.role == Role.LOAD) & (numpy.median(places.duration, axis=0) < _QUICK)
    quick &= numpy.median(places.loading, axis=0) == 0  # no other thread compiles before it
    loads = places.loads & ~quick
    if not loads.any():
        return []
    calls = numpy.flatnonzero((places.role == Role.LOAD) & ~quick)
    # The host's code around these calls is part of compiling: a compiler, or a thread that is waited for.
    code = loads.copy()
    code[1:] |= loads[:-1]
    code &= ~places.waits | loads
    taken = median_interval(places.duration[:, calls].sum(axis=1) + places.pieces[:, code].sum(axis=1))
    waited = places.inside[:, calls].sum(axis=1) + (places.before + places.loading)[:, code].sum(axis=1)
    lost = float(numpy.median(waited))
    if taken.low < least:
        return []
    timeline, aligned = region.timeline, region.aligned()
    names = _loading(region, idle)
    device, hidden = device_word(timeline, idle.device), lost < least
    edits = (Remove(aligned[:, calls].reshape(-1)), Before(aligned[:, code].reshape(-1), 0.0))
    return [
        draft(
            region,
            KIND,
            aligned[:, loads].reshape(-1),
            subject=names[0] if names else region.name,
            sentence=f"Kernels are compiled or loaded in each repetition: {plain_time(taken.value)}, "
            f"{share_of(taken.value, region, idle.period)}; {device} is idle for {plain_time(lost)} of that.",
            mend=f"Leave it: {device} works meanwhile." if hidden else "Compile and load once, before the loop.",
            hidden=hidden,
            evidence={"calls": names[:_SHOWN], "us_loading": us(taken.value), "us_idle": us(lost)},
            edit=Together(numpy.zeros(0, "i8"), edits),
        )
    ]


def _loading(region: Region, idle: Idle) -> list[str]:
    """Name the calls of all threads that compile or load in a region's time, those that take longest first."""
    ops = region.timeline.ops
    begin, end = int(region.begins[idle.ordinary[0]]), int(region.ends[idle.ordinary[-1]])
    rows = numpy.flatnonzero((ops.role == Role.LOAD) & (ops.begin >= begin) & (ops.begin < end))
    time = numpy.bincount(ops.name[rows], ops.end[rows] - ops.begin[rows])
    order = numpy.argsort(-time, kind="stable")
    return [region.timeline.names[name] for name in order.tolist() if time[name] > 0]


def program_facts(timeline: Timeline, regions: Sequence[Region]) -> list[Finding]:
    """Find what a program compiles and loads apart from its repetitions: a finding of its whole time."""
    ops = timeline.ops
    length = timeline.end - timeline.begin
    rows, excess = _slow_calls(timeline, regions)
    if not len(rows):
        return []
    # Time in which a device worked is not lost.
    busy, _, _ = union(timeline.works.begin, timeline.works.end)
    begin = ops.begin[rows]
    waited = numpy.maximum(excess - busy.between(begin, begin + excess), 0)
    total = float(waited.sum())
    if total < max(_SHARE * length, _TIME):
        return []
    order = numpy.argsort(-waited, kind="stable")
    names = list(dict.fromkeys(timeline.names[int(ops.name[row])] for row in rows[order].tolist()))
    first = ops.role[rows] != Role.LOAD
    loading, launching = (float(waited[chosen].sum()) for chosen in (~first, first))
    parts = [
        f"{plain_time(time)} in {counted(int(number), noun, plural)}"
        for time, number, noun, plural in (
            (loading, (~first).sum(), "call of the driver", "calls of the driver"),
            (launching, first.sum(), "first launch", "first launches"),
        )
        if time > 0
    ]
    early = begin + excess <= _loop_begin(timeline, regions)
    at_begin = float(waited[early].sum()) >= _NEARLY * total
    saving = Interval(total, 0.0, total)
    where = "before the program's loop begins" if at_begin else "while no device works"
    return [
        Finding(
            kind=KIND,
            subject=names[0],
            region="",
            sentence=f"Compiling and loading take {plain_time(total)} of {plain_time(length)} "
            f"({percent_text(total, length)}) {where}: {' and '.join(parts)}.",
            mend="Leave it if the program runs for long: it is paid once. Programs that are kept compiled load faster."
            if at_begin
            else "Compile and load before the loop, or keep compiled programs from run to run.",
            sites=sites_of(timeline, rows[order]),
            threads=[timeline.thread_names[thread] for thread in numpy.unique(ops.thread[rows]).tolist()],
            count=len(rows),
            repetitions=1,
            period=float(length),
            saving=saving,
            proofs=[Proof(SIMULATED, saving, text="at most the time of these calls in which no device works")],
            hidden=at_begin,
            evidence={
                "us": us(total),
                "us_calls": us(loading),
                "us_first_launches": us(launching),
                "calls": int((~first).sum()),
                "first_launches": int(first.sum()),
                "slowest": names[:_SHOWN],
            },
        )
    ]


def _loop_begin(timeline: Timeline, regions: Sequence[Region]) -> int:
    """Give when the program does for the second time what it does again and again."""
    return min((int(region.begins[1]) for region in regions if len(region) > 1), default=timeline.end)


def _slow_calls(timeline: Timeline, regions: Sequence[Region]) -> tuple[Array, Array]:
    """Give the calls that compile or load once, and slow first launches; and by how much they are too long."""
    ops = timeline.ops
    gives_back = numpy.array([_RELEASES.match(name) is not None for name in timeline.names] or [False])
    loads = numpy.flatnonzero((ops.role == Role.LOAD) & (ops.depth == 0) & ~gives_back[ops.function])
    for region in regions:
        # What is called in each repetition is said of the region, whichever thread calls it. The first and the last
        # round of a loop may be in part outside of it.
        begin, reach = ops.begin[loads], int(region.period.value)
        place = numpy.maximum(numpy.searchsorted(region.begins, begin, "right") - 1, 0)
        inside = (region.begins[place] <= begin) & (begin < region.ends[place])
        often = numpy.count_nonzero(numpy.bincount(place[inside])) >= _OFTEN * len(region)
        around = (begin >= region.begins[0] - reach) & (begin < region.ends[-1] + reach)
        loads = loads[~around] if often else loads
    launches = numpy.flatnonzero((ops.role == Role.LAUNCH) & (ops.depth == 0))
    order = launches[numpy.lexsort((ops.begin[launches], ops.name[launches]))]
    duration = ops.end[order] - ops.begin[order]
    bounds = numpy.flatnonzero(numpy.concatenate([[True], numpy.diff(ops.name[order]) != 0, [True]]))
    slow, excess = [], []
    for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        if stop - start > LEAST:
            usual = float(numpy.median(duration[start + 1 : stop]))
            if duration[start] >= _TIMES * usual:
                slow.append(order[start])
                excess.append(int(duration[start] - usual))
    own = ops.end[loads] - ops.begin[loads]
    rows = numpy.concatenate([loads, numpy.array(slow, "i8")]).astype("i8")
    return rows, numpy.concatenate([own, numpy.array(excess, "i8")]).astype("i8")
