"""What a drawing of one repetition needs: lanes of threads and streams, with the calls and commands on them."""

from __future__ import annotations

from typing import Any

import numpy

from launchpath._findings.regions.region import Region
from launchpath._findings.timeline.ops import Array, Ops, Works
from launchpath._findings.timeline.roles import Role
from launchpath._findings.timeline.timeline import Timeline

_MOST = 600  # items of a lane: what is more is left out, and the lane says so


def drawing(region: Region, critical_calls: Array, critical_works: Array, repetition: int) -> dict[str, Any]:
    """Give one repetition of a region as JSON takes it, times in microseconds from its begin.

    Parameters
    ----------
    region : Region
    critical_calls, critical_works : numpy.ndarray of int64
        Rows of ``ops``: calls that are on the critical path of that repetition, and those whose works are.
    repetition : int
    """
    timeline = region.timeline
    begin, end = int(region.begun[repetition]), int(region.ended[repetition])
    ops, works = timeline.ops, timeline.works
    lanes = []
    shown = (ops.end > begin) & (ops.begin < end) & (ops.depth == 0)
    for thread in numpy.unique(ops.thread[shown]).tolist():
        rows = numpy.flatnonzero(shown & (ops.thread == thread))
        items = _items(timeline, ops, rows, numpy.isin(rows, critical_calls), begin, ops.site[rows])
        lanes.append(_lane(timeline.thread_names[thread], "thread", items, len(rows)))
    shown = (works.end > begin) & (works.begin < end)
    for device in numpy.unique(works.device[shown]).tolist():
        of_device = shown & (works.device == device)
        for stream in numpy.unique(works.stream[of_device]).tolist():
            rows = numpy.flatnonzero(of_device & (works.stream == stream))
            rows = rows[numpy.argsort(works.begin[rows], kind="stable")]
            critical = numpy.isin(works.op[rows], critical_works)
            items = _items(timeline, works, rows, critical, begin, ops.site[works.op[rows]])
            lanes.append(_lane(f"stream {stream}", "stream", items, len(rows)))
    return {"us": (end - begin) / 1e3, "region": region.name, "lanes": lanes}


def _lane(name: str, kind: str, items: list[dict[str, Any]], count: int) -> dict[str, Any]:
    return {"name": name, "kind": kind, "items": items, "left_out": max(count - _MOST, 0)}


def _items(
    timeline: Timeline, table: Ops | Works, rows: Array, critical: Array, start: int, sites: Array
) -> list[dict[str, Any]]:
    return [
        {
            "name": timeline.names[table.name[row]],
            "begin": (int(table.begin[row]) - start) / 1e3,
            "end": (int(table.end[row]) - start) / 1e3,
            "role": _role(Role(table.role[row]), table is timeline.works),
            "critical": bool(critical[place]),
            "site": timeline.site(int(sites[place])),
        }
        for place, row in enumerate(rows[:_MOST].tolist())
    ]


def _role(role: Role, on_device: bool) -> str:
    """Name a role for the drawing: what a launch runs on the device is a kernel."""
    return "kernel" if on_device and role in (Role.LAUNCH, Role.GRAPH, Role.DEFERRED) else role.name.lower()
