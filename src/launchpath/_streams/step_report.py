"""What steps did: counts, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

# Why a step was submitted before it was left, by the core's names.
_EARLY = {
    "seen": "the program waited for work, asked whether it was complete, or called a host function",
    "mixed": "a command could not wait: its stream was handed out, or it is timed",
    "shared": "another thread or another step used the same streams or events",
    "handed_out": "an address was handed out (Array.pointer, DLPack, an array interface)",
    "kernel": "a kernel was dropped",
}


_COUNTS = ("runs", "commands", "direct", "submissions", "graphs", "graph_runs", "nodes", "updated", "compared")
_MOST_CAUSES = 16


@dataclass(frozen=True)
class StepReport:
    """What a step did since it was created; ``print(report)`` explains it.

    Attributes
    ----------
    runs : int
        How often it was left.
    commands : int
        Launches, copies, fills and events that it kept back until then.
    direct : int
        Commands inside it that went to the driver at once: because other code has their streams or memory, or in a mode
        in which nothing is kept back.
    submissions : int
        How often commands that were kept back went to the driver.
    early : dict of str to int
        Submissions before the step was left, by their reason.
    graphs : int
        Graphs that were built.
    graph_runs, nodes : int
        Submissions of a graph, and the commands in them.
    updated : int
        Commands of graphs whose arguments or grid were changed.
    compared : int
        Bytes of arguments that were compared with those of the run before.
    causes : list of str
        How new sequences of commands differed from those known, for the latest of them.
    without_trigger : dict of str to str
        Of a frozen step: kernels in small grids that do not let the next one start at once, and why.
    on : bool
        Whether commands are kept back at all: not with ``LAUNCHPATH_STEPS=0``, and not while accesses are checked.
    """

    runs: int
    commands: int
    direct: int
    submissions: int
    early: dict[str, int]
    graphs: int
    graph_runs: int
    nodes: int
    updated: int
    compared: int
    causes: list[str]
    on: bool = True
    without_trigger: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        if not self.on:
            return "steps are off (LAUNCHPATH_STEPS=0, or LAUNCHPATH_DEBUG=bounds): commands go to the driver at once"
        graphs = "no graphs"
        if self.graphs:
            graphs = f"{counted(self.graph_runs, 'run')} of {counted(self.graphs, 'graph')}: "
            graphs += f"{counted(self.nodes, 'command')}, {self.updated} updated"
        lines = [
            f"{counted(self.runs, 'run')}: {counted(self.commands, 'command')} in "
            f"{counted(self.submissions, 'submission')}, {self.direct} at once",
            f"{graphs}, {self.compared:,} bytes compared",
        ]
        if self.direct:
            lines.append(
                "at once: other code has, or may have, the memory or the streams that these commands use, or each "
                "command is submitted at its call (a debug mode, a trace)"
            )
        lines += [f"submitted early {counted(count, 'time')}: {reason}" for reason, count in self.early.items()]
        lines += [f"no early trigger: {kernel}: {reason}" for kernel, reason in self.without_trigger.items()]
        return "\n".join(lines + [f"new sequence: {cause}" for cause in self.causes])

    def _repr_html_(self) -> str:
        from launchpath._report.html import lines_html  # noqa: PLC0415 (only notebooks need it)

        return lines_html(str(self).splitlines())


def counted(count: int, noun: str) -> str:
    """Say how many there are."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _cause(place: int, n: int, expected_n: int, expected: str, command: str, instead: str = "") -> str:
    if expected_n == 0:
        return f"the first one, of {counted(n, 'command')}"
    if not expected or not command:
        return f"{counted(n, 'command')}, expected {expected_n}"
    return f"command {place + 1} of {n}: got {command}, expected {instead or expected}"


def merged(reports: Sequence[StepReport], on: bool) -> StepReport:
    """Add reports up; the causes are those of the last of them."""
    early: Counter[str] = Counter()
    for report in reports:
        early.update(report.early)
    totals = {name: sum(getattr(report, name) for report in reports) for name in _COUNTS}
    causes = [cause for report in reports for cause in report.causes]
    return StepReport(early=dict(early), causes=causes[-_MOST_CAUSES:], on=on, **totals)


def step_report(counts: dict[str, Any], on: bool = True) -> StepReport:
    """Put the core's counts into a report."""
    early = {_EARLY[name]: count for name, count in counts["early"].items() if count}
    values = {name: counts[name] for name in _COUNTS}
    return StepReport(early=early, causes=[_cause(*cause) for cause in counts["causes"]], on=on, **values)
