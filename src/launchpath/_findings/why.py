"""Why a program takes as long as it does: from trace files to a report."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence

import numpy

from launchpath._findings.completeness import completeness
from launchpath._findings.drawing import drawing
from launchpath._findings.facts import OF_PROGRAMS, OF_REGION_GROUPS, OF_REGIONS
from launchpath._findings.finding import SIMULATED, Finding, Proof
from launchpath._findings.idle import idle_of
from launchpath._findings.interval import Interval
from launchpath._findings.noise import floor
from launchpath._findings.region_summary import UNKNOWN, RegionSummary
from launchpath._findings.regions.finding_regions import find_regions
from launchpath._findings.regions.region import LEAST, Region
from launchpath._findings.report import Report
from launchpath._findings.simulation.calibration import Calibration
from launchpath._findings.simulation.simulation import Simulation
from launchpath._findings.timeline.building import read_timeline

Progress = Callable[[int, int], None]
_REGIONS = 4  # of a process, the longest ones


def findings(
    paths: Sequence[str | os.PathLike[str]], progress: Progress | None = None, calibration: Calibration | None = None
) -> Report:
    """Find what holds a program back.

    Parameters
    ----------
    paths : sequence of path
        The traces of its processes.
    progress : callable, optional
        Called as ``progress(done, total)`` while each file is read.
    calibration : Calibration, optional
        What a step and pinned memory cost on the device, measured: without it their savings cannot be simulated.

    Returns
    -------
    Report

    Raises
    ------
    TraceFileError
        A file cannot be read, or is not a trace.
    """
    report, regions = Report(), []
    for path in paths:
        timeline = read_timeline(path, progress)
        report.processes += 1
        report.program = report.program or shlex.join(timeline.process.argv)
        report.length = max(report.length, float(timeline.end - timeline.begin))
        complete = completeness(timeline)
        report.not_said += complete.sentences
        its = find_regions(timeline)[:_REGIONS]
        if not its and len(timeline.ops):
            report.not_said.append(
                f"Nothing repeats {LEAST} times in process {timeline.process.pid}: no two to compare."
            )
        for region in its:
            _examine(region, report, calibration, complete.findings)
        if complete.findings:
            regions += its
            report.findings += [finding for fact in OF_PROGRAMS for finding in fact(timeline)]
    report.findings += [finding for fact in OF_REGION_GROUPS for finding in fact(regions)]
    report.regions.sort(key=lambda region: -region.period.value * region.repetitions)
    report.findings.sort(key=lambda finding: -finding.total)
    report.not_said = list(dict.fromkeys(report.not_said))
    return report


def _examine(region: Region, report: Report, calibration: Calibration | None, complete: bool) -> None:
    """Add what is so in a region to the report."""
    idle = idle_of(region)
    summary = RegionSummary(
        name=region.name,
        source=region.source,
        thread=region.timeline.thread_names[region.thread],
        repetitions=len(region),
        period=region.period,
        busy=idle.busy if idle else 0.0,
        idle=idle.causes if idle else {},
        bound=UNKNOWN,
    )
    report.regions.append(summary)
    if not complete or idle is None:
        return
    simulation = Simulation(region, calibration)
    summary.bound = simulation.bound
    for fact in OF_REGIONS:
        for finding in fact(region):
            _decide(finding, region, simulation, report)
    if not report.timeline or region.time > report.timeline["us_all"] * 1e3:
        durations = region.durations
        rows = numpy.flatnonzero(region.typical)
        middle = int(rows[numpy.argsort(durations[rows])[len(rows) // 2]])
        critical = simulation.critical(middle)
        report.timeline = {**drawing(region, critical.calls, critical.works, middle), "us_all": region.time / 1e3}


def _decide(finding: Finding, region: Region, simulation: Simulation, report: Report) -> None:
    """Tell whether a finding holds the program back, is hidden, or cannot be told."""
    if finding.hidden:
        report.hidden.append(finding)
        return
    if finding.saving is None and finding.edit is not None:
        saving = simulation.saving(finding.edit)
        if saving is None:
            report.not_said.append(f"{finding.sentence} What a mend would save is not known: {simulation.refusal}.")
            return
        finding.saving = _possible(saving, finding.period)
        finding.proofs.append(Proof(SIMULATED, finding.saving, text="the recorded order was run again with the mend"))
    if finding.saving is None or finding.saving.value < floor(region) or finding.saving.low <= 0:
        finding.hidden = True
        report.hidden.append(finding)
    else:
        report.findings.append(finding)


def _possible(saving: Interval, period: float) -> Interval:
    """Limit a saving to the time that there is."""
    return Interval(min(saving.value, period), min(saving.low, period), min(saving.high, period))
