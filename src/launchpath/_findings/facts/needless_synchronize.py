"""Synchronizations that nothing needs."""

from __future__ import annotations

import numpy

from launchpath._findings.amounts import counted, plain_time
from launchpath._findings.draft import draft
from launchpath._findings.finding import Finding
from launchpath._findings.noise import floor
from launchpath._findings.ordering.synchronizations import synchronizations_of
from launchpath._findings.regions.calls import everywhere
from launchpath._findings.regions.region import Region
from launchpath._findings.simulation.edits import Return

NEEDS = ""
KIND = "needless-synchronize"

_SHARE = 0.95  # of a place's synchronizations that nothing may need


def facts(region: Region) -> list[Finding]:
    """Find synchronizations behind which the host reads nothing that the device wrote, before the next one."""
    limit = floor(region)
    if not numpy.isfinite(limit):
        return []
    looked_up, ops = synchronizations_of(region), region.timeline.ops
    if looked_up.shares_memory:
        return []
    findings = []
    for place in looked_up.places():
        each = ops.end[place.rows] - ops.begin[place.rows]
        cost = float(each.sum(axis=1).mean())
        if cost < limit:
            continue
        needs = looked_up.needs(place)
        needless = sum(not need.reason for need in needs)
        if needless < _SHARE * len(needs):
            continue
        rows, calls = everywhere(place), place.rows.shape[1]
        times = f" {counted(calls, 'time')} a repetition" if calls > 1 else ""
        sentence = (
            f"{place.named('synchronize')} waits {plain_time(float(numpy.median(each)))}{times}"
            " and nothing reads its result before the next one."
        )
        read = any(need.read for need in needs)
        mend = "Leave it out: the copy behind it waits by itself." if read else "Leave it out."
        findings.append(
            draft(
                region, KIND, rows, subject=place.named("synchronize"), sentence=sentence, mend=mend,
                evidence={
                    "us_waited": float(numpy.median(each)) / 1e3, "synchronizations": calls, "looked_at": len(needs),
                    "needless": needless,
                },
                edit=Return(rows),
            )
        )  # fmt: skip
    return findings
