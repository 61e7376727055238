"""What steps did: counts, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

# Why a step was submitted before it was left, by the core's names.
_EARLY = {
    "seen": "the program waited for work, asked whether it was complete, called a host function, or copied more than "
    "32 MiB of host memory, or more than 512 times",
    "mixed": "a command could not wait: its stream was handed out, or it is timed",
    "shared": "another thread or another step used the same streams or events",
    "handed_out": "an address was handed out (Array.pointer, DLPack, an array interface)",
    "kernel": "a kernel was dropped",
}
# Why commands went to the driver without a graph, by the core's names.
_OBSTACLES = {
    "driver": "the driver of the device has none",
    "log": "LAUNCHPATH_LOG=1 has each command submitted by itself",
    "times": "a trace or a profiler has the times of each command",
    "short": "fewer than 4 launches, copies and fills in a row on a stream",
    "kind": "graphs do not take cooperative launches, fills of more than 4 bytes, copies of rows and between devices",
    "refused": "the driver refused to build one",
}
_EVENT = "an event"
_EVENTS = (
    "an event: of stream.record or stream.wait; or launchpath's own, behind copies between host and device (asarray, "
    "copy_from, to_numpy, lp.In) and between streams, also one behind such a copy before the step"
)

_COUNTS = (
    "runs", "commands", "direct", "submissions", "graphs", "graph_runs", "nodes", "updated", "compared", "events"
)  # fmt: skip
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
    events : int
        How many of the commands are events: of ``stream.record`` and ``stream.wait``, and launchpath's own, behind
        copies between host and device and between streams.
    direct : int
        Commands inside it that went to the driver at once: because other code has their streams or memory, or in a mode
        in which nothing is kept back.
    submissions : int
        How often commands that were kept back went to the driver.
    early : dict of str to int
        Submissions before the step was left, by their reason.
    graphs : int
        Graphs that were built.
    without_graph : list of str
        Why commands of a sequence that came again went to the driver without a graph.
    graph_runs, nodes : int
        Submissions of a graph, and the commands in them.
    updated : int
        Commands of graphs whose arguments or grid were changed.
    compared : int
        Bytes of arguments that were compared with those of the run before. Launches of a frozen step compare those of
        the first command of each stream, and of commands that stand alone between events.
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
    events: int = 0
    without_graph: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        if not self.on:
            return "steps are off (LAUNCHPATH_STEPS=0, or LAUNCHPATH_DEBUG=bounds): commands go to the driver at once"
        graphs = f"no graphs ({self._why_no_graphs()})"
        if self.graphs:
            graphs = f"{counted(self.graph_runs, 'run')} of {counted(self.graphs, 'graph')}: "
            graphs += f"{counted(self.nodes, 'command')}, {self.updated} updated"
        lines = [
            f"{counted(self.runs, 'run')}: {counted(self.commands, 'command')}{self._of_them()} in "
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
        lines += [f"new sequence: {cause}" for cause in self.causes]
        if self.events or any(_EVENT in cause for cause in self.causes):
            lines.append(_EVENTS)
        return "\n".join(lines)

    def _of_them(self) -> str:
        return f" ({counted(self.events, 'event')} among them)" if self.events else ""

    def _why_no_graphs(self) -> str:
        if self.without_graph:
            return "; ".join(self.without_graph)
        if not self.commands:
            return "no commands were kept back"
        return "no sequence of commands came a second time"

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
    obstacles = list(dict.fromkeys(reason for report in reports for reason in report.without_graph))
    return StepReport(early=dict(early), causes=causes[-_MOST_CAUSES:], on=on, without_graph=obstacles, **totals)


def step_report(counts: dict[str, Any], on: bool = True) -> StepReport:
    """Put the core's counts into a report."""
    early = {_EARLY[name]: count for name, count in counts["early"].items() if count}
    values = {name: counts[name] for name in _COUNTS}
    obstacles = [_OBSTACLES[name] for name in counts["obstacles"]]
    causes = [_cause(*cause) for cause in counts["causes"]]
    return StepReport(early=early, causes=causes, on=on, without_graph=obstacles, **values)
