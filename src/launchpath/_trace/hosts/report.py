"""What a summary says of the clocks of hosts.

A process whose host's clock was measured has ``clock`` in its row of `Summary.processes`: ``id``, ``host``,
``reference_id``, ``reference_host`` and ``by`` as `host_clock` has them, ``ns_bound``, by how much its times on the
reference's clock may be wrong at most (null: its file has no measurement), ``measurements``, how many there are,
``steps``, how many contradict others, ``failed``, ``lost``, ``refused`` and ``failure``, and ``said``: sentences of
chrony, PTP and the kernel.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from launchpath._report import format_time
from launchpath._trace.hosts.host_clock import COUNTS, read
from launchpath._trace.hosts.offset import Offset
from launchpath._trace.hosts.statements import sentences

_NAMES = 5  # of hosts in a line


def process_clock(meta: dict[str, Any], limits: Any) -> dict[str, Any]:
    """Give what a process's row has of its clock: empty if its file says nothing of it.

    Parameters
    ----------
    meta : dict
        Of the file.
    limits : sequence of int or None
        First and last times of its records, in any order.
    """
    clock = read(meta)
    if clock is None:
        return {}
    offset = Offset(clock.measurements) if clock.measurements and not clock.is_reference else None
    bound = 0 if clock.is_reference else None
    if offset is not None:
        span = (offset.measurements[0].time, offset.measurements[-1].time) if limits is None else limits
        bound = offset.worst(int(min(span)), int(max(span)))
    facts = {name: getattr(clock, name) for name in ("id", "host", "reference_id", "reference_host", "by", *COUNTS)}
    more = {
        "ns_bound": bound,
        "measurements": sum(each.exchanges > 0 for each in clock.measurements),
        "steps": 0 if offset is None else offset.steps,
        "failure": clock.failure,
        "said": sentences(clock),
    }
    return {"clock": facts | more}


def clock_lines(processes: Sequence[dict[str, Any]]) -> list[str]:
    """Give a report's lines on the clocks of its processes: none if they are all of a host that nobody measured."""
    clocks: dict[str, list[dict[str, Any]]] = {}
    for process in processes:
        if process.get("clock"):
            clocks.setdefault(process["clock"]["id"], []).append(process["clock"])
    hosts = {each["host"] for rows in clocks.values() for each in rows}
    unknown = {str(process["host"]) for process in processes if not process.get("clock")} - hosts
    if len(clocks) + len(unknown) < 2:
        return _troubles(clocks)
    bounds: dict[str, dict[str, int]] = {}  # by reference, and by clock
    bare = set(unknown)
    for name, rows in clocks.items():
        known = [each["ns_bound"] for each in rows if each["ns_bound"] is not None]
        if known:
            bounds.setdefault(rows[0]["reference_id"], {})[name] = max(known)
        else:
            bare.add(rows[0]["host"])
    lines = []
    for of_reference in bounds.values():
        any_row = clocks[next(iter(of_reference))][0]
        number = sum(bound > 0 for bound in of_reference.values())
        if number:
            lines.append(
                f"clocks of {number} host{'s' * (number > 1)}: within {format_time(max(of_reference.values()))} of "
                f"{any_row['reference_host'] or 'the reference'}'s; times of two hosts that are closer than their "
                "clocks are known are not ordered"
            )
    if len(bounds) > 1:
        lines.append(f"references of clocks: {len(bounds)}; times of hosts with different ones are not ordered")
    if bare:
        lines.append(f"hosts whose clocks were not measured: {_listed(bare)}; their times and others' are not ordered")
    return lines + _troubles(clocks)


def _troubles(clocks: dict[str, list[dict[str, Any]]]) -> list[str]:
    lines: dict[str, None] = {}
    for rows in clocks.values():
        for row in rows:
            host = row["host"] or "a host"
            if row["steps"]:
                lines[f"clock of {host}: measurements that contradict others, for it was set: {row['steps']}"] = None
            if row["failed"]:
                lines[f"clock of {host}: measurements that failed: {row['failed']}; the last: {row['failure']}"] = None
            if row["lost"] + row["refused"]:
                lines[
                    f"clock of {host}: questions without an answer: {row['lost']}; answers that were refused: "
                    f"{row['refused']}"
                ] = None
            lines |= dict.fromkeys(row["said"])
    return list(lines)


def _listed(names: Iterable[str]) -> str:
    names = sorted(names)
    more = f" and {len(names) - _NAMES} others" if len(names) > _NAMES else ""
    return f"{len(names)} ({', '.join(names[:_NAMES])}{more})"
