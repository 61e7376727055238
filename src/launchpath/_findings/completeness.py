"""What a trace cannot tell: records that are lost, times that are missing. What is not known is not said."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy

from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import SUBMITS, Role
from launchpath._findings.timeline.timeline import Timeline
from launchpath._report import format_time

WITH_EVIDENCE = "Trace with --findings."
_UNTIMED = 0.02  # a share of the commands without times above which nothing is said
_CORRECTION = 5_000  # nanoseconds by which times of devices may be moved before that is said


@dataclass
class Completeness:
    """What is missing in the trace of a process.

    Attributes
    ----------
    findings : bool
        Whether findings can be told.
    sentences : list of str
        What is missing, and what to do.
    """

    findings: bool = True
    sentences: list[str] = field(default_factory=list)


def completeness(timeline: Timeline) -> Completeness:
    """Tell what a trace cannot support."""
    result, name = Completeness(), _name(timeline)
    lost = timeline.counters.get("dropped", 0)
    if lost:
        result.findings = False
        result.sentences.append(
            f"{name}: {lost} records are lost, so nothing is said. Trace with --when-full wait, on a disk with room."
        )
    ops = timeline.ops
    submitted = (ops.depth == 0) & ~ops.failed & numpy.isin(ops.role, SUBMITS)
    copies = submitted & numpy.isin(ops.role, (Role.COPY, Role.FILL))
    missing = submitted & (ops.works == 0)
    share = _share(missing & ~copies, submitted & ~copies)
    if submitted.any() and not len(timeline.works):
        result.findings = False
        result.sentences.append(
            f"{name}: no command has a time of the device, so nothing is said. Trace in mode device."
        )
    elif share > _UNTIMED:
        result.findings = False
        result.sentences.append(f"{name}: {share:.0%} of the launches have no time of the device, so nothing is said.")
    elif _share(missing & copies, copies) > _UNTIMED:
        result.sentences.append(
            f"{name}: {_share(missing & copies, copies):.0%} of the copies have no time of the device: what they cost "
            "there is not known."
        )
    if len(timeline.stretches):
        result.sentences.append(
            f"{name}: the trace is long: findings are read from {len(timeline.stretches)} stretches of it, "
            f"{timeline.share:.0%} of its time."
        )
    if timeline.meta.get("unseen"):
        names = ", ".join(sorted(map(str, timeline.meta["unseen"])))
        result.sentences.append(f"{name}: calls of {names} are not in the records: what they cost is not known.")
    if timeline.correction > _CORRECTION:
        moved = format_time(timeline.correction)
        result.sentences.append(f"{name}: times of the device are exact to {moved}: what is shorter is not said.")
    if not timeline.evidence and len(timeline.ops):
        result.sentences.append(
            f"{name}: the trace has no evidence, so source lines, equal uploads and waits for events are not known. "
            f"{WITH_EVIDENCE}"
        )
    return result


def _share(some: Array, all_: Array) -> float:
    return float(numpy.count_nonzero(some)) / max(int(numpy.count_nonzero(all_)), 1)


def _name(timeline: Timeline) -> str:
    return f"process {timeline.process.pid}" if timeline.process.pid else timeline.path
