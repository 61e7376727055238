"""Why a program takes as long as it does: from trace files to a report."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from launchpath._findings.alike import joined
from launchpath._findings.completeness import completeness
from launchpath._findings.drawing import drawing
from launchpath._findings.facts import OF_PROGRAMS, OF_REGION_GROUPS, OF_REGIONS, locks, stragglers, tracing
from launchpath._findings.finding import SHARED_PROCESSORS, SIMULATED, Finding, Proof
from launchpath._findings.idle.idle import Idle, idle_of
from launchpath._findings.idle.shares import shares_of
from launchpath._findings.interval import Interval
from launchpath._findings.noise import floor_of
from launchpath._findings.ordering.overlap import shares_processors
from launchpath._findings.region_summary import UNKNOWN, RegionSummary
from launchpath._findings.regions.finding_regions import find_regions
from launchpath._findings.regions.region import LEAST, Region
from launchpath._findings.report import Report
from launchpath._findings.simulation.calibration import Calibration
from launchpath._findings.simulation.extracting import Extractor
from launchpath._findings.simulation.simulation import Simulation
from launchpath._findings.timeline.building import read_timeline
from launchpath._findings.timeline.roles import SUBMITS, Role
from launchpath._findings.timeline.timeline import Timeline
from launchpath._findings.wording import is_own

Progress = Callable[[int, int], None]
Calibrate = Callable[[Sequence[dict[str, Any]]], Calibration | None]
_ASLEEP = 0.5  # of the time in which a device waits, the thread does
_REGIONS = 4  # of a process, the longest ones
_AT_ONCE = ("needless-synchronize", "host-code")  # kinds whose mend lets the host work while kernels run
_BESIDE = (
    "The device has as many units as its host has processors: how much slower kernels and the host's code become where "
    "both run at the same time is not known."
)


def findings(
    paths: Sequence[str | os.PathLike[str]], progress: Progress | None = None, calibrate: Calibrate | None = None
) -> Report:
    """Find what holds a program back.

    Parameters
    ----------
    paths : sequence of path
        The traces of its processes.
    progress : callable, optional
        Called as ``progress(done, total)`` while each file is read.
    calibrate : callable, optional
        Takes the facts of a trace's devices, and gives what a step and pinned memory cost there, measured: without it
        savings by these cannot be simulated.

    Returns
    -------
    Report

    Raises
    ------
    TraceFileError
        A file cannot be read, or is not a trace.
    """
    examination = _Examination(calibrate)
    for path in paths:
        examination.add(read_timeline(path, progress))
    return examination.finish()


class _Examination:
    """What is so in the processes of a program, one after the other."""

    def __init__(self, calibrate: Calibrate | None) -> None:
        self._report = Report()
        self._calibrate = calibrate
        self._simulations: list[Simulation] = []  # of all regions of which something can be said
        self._region_of: dict[int, Region] = {}  # of each finding of a region, by its identity
        self._longest = 0  # nanoseconds of the region that is drawn
        self._aside: list[Timeline] = []  # processes that submit nothing, such as those that compile for another one

    def add(self, timeline: Timeline) -> None:
        """Examine a process."""
        report, submits = self._report, bool(numpy.isin(timeline.ops.role, (*SUBMITS, Role.DEFERRED)).any())
        if submits:
            self._count(timeline)
        else:
            self._aside.append(timeline)
        complete, regions = completeness(timeline), find_regions(timeline)[:_REGIONS]
        report.not_said += complete.sentences
        if not regions and submits:
            report.not_said.append(
                f"Nothing repeats {LEAST} times in process {timeline.process.pid}: no two to compare."
            )
        extractor = Extractor(timeline)
        calibration = self._calibration(timeline) if regions and complete.findings else None
        for region in regions:
            idle = idle_of(region)
            summary = _summary(region, idle)
            report.regions.append(summary)
            if complete.findings and idle is not None:
                simulation = Simulation(region, calibration, extractor)
                summary.bound = simulation.bound
                self._simulations.append(simulation)
                for fact in OF_REGIONS:
                    for finding in fact(region):
                        self._decide(finding, simulation)
                self._draw(simulation)
        if complete.findings:
            for finding in (finding for fact in OF_PROGRAMS for finding in fact(timeline, regions)):
                (report.hidden if finding.hidden else report.findings).append(finding)

    def _count(self, timeline: Timeline) -> None:
        """Count a process as one of the program's."""
        report = self._report
        report.processes += 1
        report.program = report.program or shlex.join(timeline.process.argv)
        report.length = max(report.length, float(timeline.end - timeline.begin))

    def _calibration(self, timeline: Timeline) -> Calibration | None:
        devices = timeline.meta.get("devices")
        if self._calibrate is None or not isinstance(devices, list):
            return None
        # Facts of all devices are in the file: the one that did most comes first.
        used = numpy.argsort(-numpy.bincount(timeline.works.device, minlength=len(devices)), kind="stable").tolist()
        facts = [devices[place] for place in used if place < len(devices)]
        return self._calibrate([each for each in facts if isinstance(each, dict)])

    def finish(self) -> Report:
        """Give the report, what saves most first."""
        report = self._report
        for timeline in self._aside if not report.processes else ():
            self._count(timeline)
        simulations = {id(simulation.region): simulation for simulation in self._simulations}
        for fact in OF_REGION_GROUPS:
            for region, finding in fact([simulation.region for simulation in self._simulations]):
                self._decide(finding, simulations[id(region)])
        report.findings = [finding for finding in report.findings if not self._is_explained(finding)]
        report.findings = joined(report.findings, self._thread_of)
        report.regions.sort(key=lambda region: -region.period.value * region.repetitions)
        report.hidden.sort(key=lambda finding: -finding.count)
        report.arrange()
        return report

    def _thread_of(self, finding: Finding) -> tuple[int, int] | None:
        region = self._region_of.get(id(finding))
        return None if region is None else (id(region.timeline), region.thread)

    def _is_explained(self, finding: Finding) -> bool:
        """Tell whether a finding is of the time in which a thread waits for the slowest one, of which another is."""
        region = self._region_of.get(id(finding))
        if region is None or stragglers.WAITS not in region.notes:
            return False
        named = any(each.kind == stragglers.KIND for each in self._report.findings)
        return named and (finding.kind == locks.KIND or finding.evidence.get("share_asleep", 0.0) >= _ASLEEP)

    def _decide(self, finding: Finding, simulation: Simulation) -> None:
        """Tell whether a finding holds the program back, is hidden, or cannot be told."""
        report, share = self._report, simulation.timeline.share
        finding.repetitions, finding.count = round(finding.repetitions / share), round(finding.count / share)
        if finding.kind == tracing.KIND:
            report.tracing = finding.sentence
            return
        if finding.hidden:
            report.hidden.append(finding)
            return
        if finding.saving is None and finding.edit is not None:
            saving = simulation.saving(finding.edit)
            if saving is None:
                report.not_said.append(
                    f"{finding.sentence} What mending that would save is not known: {simulation.refusal}."
                )
                return
            finding.saving = _possible(saving, finding.period)
            finding.proofs.append(
                Proof(SIMULATED, finding.saving, text="the recorded order was run again with the mend")
            )
        saving = finding.saving
        if saving is None or saving.value < floor_of(finding.kind, simulation.region) or saving.low <= 0:
            finding.hidden = True
            report.hidden.append(finding)
            return
        report.findings.append(finding)
        self._region_of[id(finding)] = simulation.region
        idle = idle_of(simulation.region)
        if finding.kind in _AT_ONCE and idle is not None and shares_processors(simulation.timeline, idle.device):
            finding.evidence[SHARED_PROCESSORS] = True
            report.not_said.append(_BESIDE)

    def _draw(self, simulation: Simulation) -> None:
        """Draw the middle one of a region's repetitions, if no longer region is drawn."""
        region = simulation.region
        rows = numpy.flatnonzero(region.typical)
        if region.time <= self._longest or not len(rows):
            return
        middle = int(rows[numpy.argsort(region.durations[rows])[len(rows) // 2]])
        critical = simulation.critical(middle)
        self._report.timeline = drawing(region, critical.calls, critical.works, middle)
        self._longest = region.time


def _summary(region: Region, idle: Idle | None) -> RegionSummary:
    return RegionSummary(
        name=region.name,
        source=region.source,
        thread=region.timeline.thread_names[region.thread],
        repetitions=round(len(region) / region.timeline.share),
        period=region.period,
        busy=idle.busy if idle else 0.0,
        idle=_typical(idle, region.period.value) if idle else {},
        works=shares_of(region, idle) if idle else [],
        bound=UNKNOWN,
        anchor=region.anchor,
        counts=_counts(region),
        mean=float(region.durations.mean()),
        own=is_own(region.timeline),
    )


def _typical(idle: Idle, period: float) -> dict[str, float]:
    """Give the causes as parts of a typical repetition: those of idle time are means, and its length is a median.

    Code at the ends of stretches can be counted with a repetition beside it: the parts are scaled to the idle time.
    """
    total = sum(idle.causes.values())
    factor = (1 - min(idle.busy, 1.0)) * period / total if total else 0.0
    return {cause: time * factor for cause, time in idle.causes.items()}


def _counts(region: Region) -> dict[str, float]:
    """Count the calls of a repetition that an intervention can delay; of host code the nanoseconds."""
    ops, calls = region.timeline.ops, region.aligned()
    if not calls.size:
        return {}
    between = ops.begin[calls[:, 1:]] - ops.end[calls[:, :-1]]
    targets = {
        "submissions": (Role.LAUNCH, Role.GRAPH),
        "synchronizations": (Role.SYNCHRONIZE,),
        "copies": (Role.COPY, Role.FILL),
    }
    counts = {target: float(numpy.isin(ops.role[calls[0]], its).sum()) for target, its in targets.items()}
    return counts | {"host-code": float(numpy.median(between.sum(axis=1)))}


def _possible(saving: Interval, period: float) -> Interval:
    """Limit a saving to the time that there is."""
    return Interval(min(saving.value, period), min(saving.low, period), min(saving.high, period))
