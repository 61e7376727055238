"""The trace itself: what of a region's time its records have taken."""

from __future__ import annotations

from collections import Counter

import numpy

from launchpath._findings.amounts import counted, plain_time
from launchpath._findings.draft import draft, us
from launchpath._findings.finding import Finding
from launchpath._findings.idle.idle import ordinary_of
from launchpath._findings.noise import floor
from launchpath._findings.regions.region import Region
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import SUBMITS, Role
from launchpath._findings.wording import share_of
from launchpath._trace.condensed.tracing_cost import tracing_costs

KIND = "tracing"
_WORTH = 0.05  # of a repetition
_WAITS = {"waits": "room in its records", "timing_waits": "an object that takes times"}


def facts(region: Region) -> list[Finding]:
    """Tell what the trace takes of a region's time, where that is much. It is not the program's, so it is hidden."""
    ordinary = ordinary_of(region)
    if floor(region) == float("inf") or not len(ordinary):
        return []
    timeline = region.timeline
    rows = _rows(region, ordinary)
    period = float(numpy.median(region.durations[ordinary]))
    cost = cost_of(region, rows) / len(ordinary)
    waits = {what: int(timeline.counters.get(name, 0)) for name, what in _WAITS.items()}
    parts = []
    if cost >= _WORTH * period:
        parts.append(f"records take {plain_time(cost)}, {share_of(cost, region, period)}")
    parts += [f"threads have waited {counted(count, 'time')} for {what}" for what, count in waits.items() if count]
    if not parts:
        return []
    text = " and ".join(parts)
    return [
        draft(
            region,
            KIND,
            rows,
            subject="launchpath trace",
            sentence=f"The trace costs time itself: {text}.",
            mend="Leave it: the program alone does not pay for it. `--mode host` and `--include` make a trace cheaper.",
            hidden=True,
            evidence={"us_records": us(cost), "share": round(cost / period, 4) if period else 0.0, **_named(waits)},
        )
    ]


def cost_of(region: Region, rows: Array) -> float:
    """Give the nanoseconds that the records of calls have taken, as far as the process has measured it."""
    timeline = region.timeline
    ops = timeline.ops
    submits = numpy.isin(ops.role[rows], (*SUBMITS, Role.DEFERRED))
    commands, calls = (
        Counter({timeline.names[name]: count for name, count in _counts(ops.function[rows[chosen]])})
        for chosen in (submits, ~submits)
    )
    costs = tracing_costs(timeline.meta.get("cost"), commands, calls, max(timeline.end - timeline.begin, 1))
    return sum(cost.time for cost in costs.values())


def _counts(functions: Array) -> list[tuple[int, int]]:
    values, counts = numpy.unique(functions, return_counts=True)
    return list(zip(values.tolist(), counts.tolist(), strict=True))


def _rows(region: Region, ordinary: Array) -> Array:
    """Give all calls of the ordinary repetitions, inner ones too: each has a record."""
    parts = [numpy.arange(region.first[each], region.last[each]) for each in ordinary.tolist()]
    return numpy.concatenate([*parts, numpy.zeros(0, "i8")]).astype("i8")


def _named(waits: dict[str, int]) -> dict[str, int]:
    return {name: waits[what] for name, what in _WAITS.items() if waits[what]}
