"""Shares: which kernels and copies a device runs in the time of a repetition."""

from __future__ import annotations

import numpy

from launchpath._findings.idle.idle import Idle
from launchpath._findings.idle.spans import union
from launchpath._findings.region_summary import Share
from launchpath._findings.regions.region import Region
from launchpath._findings.timeline.roles import Role

_MOST = 3  # names: those of the longest works
_LEAST = 0.001  # of a repetition


def shares_of(region: Region, idle: Idle) -> list[Share]:
    """Give the works that take most of the device's time, the longest first: each as the union of its runs.

    Works of other threads are counted too, as they are in `Idle.busy`.
    """
    timeline, ordinary = region.timeline, idle.ordinary
    works, period = timeline.works, idle.period
    begun, ended = region.begun[ordinary], region.ended[ordinary]
    chosen = (works.device == idle.device) & (works.end > begun[0]) & (works.begin < ended[-1])
    rows = numpy.flatnonzero(chosen)
    if not len(rows) or not period:
        return []
    time = numpy.bincount(works.name[rows], works.end[rows] - works.begin[rows])
    shares = []
    for name in numpy.argsort(-time, kind="stable")[:_MOST].tolist():
        its = rows[works.name[rows] == name]
        if not len(its):
            continue
        spans, _, _ = union(works.begin[its], works.end[its])
        part = float(spans.between(begun, ended).mean()) / period
        if part >= _LEAST:
            role = Role(int(works.role[its[0]]))
            shares.append(Share(timeline.names[name], "kernel" if role == Role.LAUNCH else role.name.lower(), part))
    return sorted(shares, key=lambda share: -share.part)
