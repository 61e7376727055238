"""Proofs of findings: the program runs again, with delays and with mends forced."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from launchpath._findings.anchor import FUNCTION
from launchpath._findings.finding import AT_MOST, SHARED_PROCESSORS, Finding
from launchpath._findings.region_summary import RegionSummary
from launchpath._findings.report import Report
from launchpath._proof.intervention import intervene, targets_of
from launchpath._proof.mend_text import mend_text
from launchpath._proof.replay import RUNS, replay
from launchpath._proof.run_progress import Progress, RunProgress
from launchpath.errors import LaunchpathError

_MOST = 4  # findings whose mends are forced: each takes some runs of the program
_SHARE = 0.02  # of a repetition: what saves less, when it is measured, is hidden


def prove(
    report: Report, command: Sequence[str], options: Mapping[str, Any], progress: Progress = lambda text: None
) -> None:
    """Run a program again, and add what that proves to the findings of a report, in place.

    An intervention is one run, with delays. A replay is several runs, with a mend forced and without: of programs of
    launchpath's own API. What the program prints in these runs is not shown.

    Parameters
    ----------
    report : Report
    command : sequence of str
        The program and its arguments.
    options : mapping
        Those of its trace.
    progress : callable, optional
        Called with a line for each run: how many are left, and how long they take.
    """
    if not report.regions:
        report.not_said.append("Nothing is proved by running the program again: nothing repeats in it.")
        return
    region = report.regions[0]  # the longest: its repetitions are those of the program
    if region.anchor is None:
        report.not_said.append(f"`{region.name}` is not proved: no call tells its repetitions while the program runs.")
        return
    mine = [each for each in [*report.findings, *report.hidden] if each.region == region.name]
    runs = bool(_counts(region, mine)) + RUNS * len(_replayed(report, region))
    if not runs:
        report.not_said.append(
            "Nothing is proved by running the program again: there is no finding that a delay or a mend could prove."
        )
        return
    run_progress = RunProgress(progress, report.length, runs)
    _intervene(report, region, mine, command, options, run_progress)
    tried = _replayed(report, region)
    for number, finding in enumerate(tried):
        run_progress.left = RUNS * (len(tried) - number)
        _replay(report, region, finding, command, run_progress)
    report.arrange()


def _counts(region: RegionSummary, findings: Sequence[Finding]) -> dict[str, float]:
    """Give what is delayed, each with how many such calls a repetition has."""
    counts = {target: region.counts.get(target, 0.0) for target in targets_of(findings)}
    return {target: count for target, count in counts.items() if count}


def _replayed(report: Report, region: RegionSummary) -> list[Finding]:
    """List the findings whose mends are forced."""
    shown = [each for each in report.findings if each.region == region.name and not each.hidden]
    return [each for each in shown[:_MOST] if mend_text(each.kind, each.sites, region.anchor)] if region.own else []


def _intervene(
    report: Report,
    region: RegionSummary,
    findings: Sequence[Finding],
    command: Sequence[str],
    options: Mapping[str, Any],
    progress: Progress,
) -> None:
    """Add the slopes of what the findings are about."""
    counts = _counts(region, findings)
    if not counts or region.anchor is None:
        return
    progress("a run with delays")
    anchor = replace(region.anchor, period=region.period.value)
    try:
        result = intervene(command, anchor, counts, options=options, run=_quietly)
    except (LaunchpathError, OSError) as error:
        report.not_said.append(f"No intervention: {error}.")
        return
    if result.code:
        report.not_said.append(f"No intervention: with delays the program ended with code {result.code}.")
        return
    result.attach(findings, counts)
    report.not_said += result.not_said


def _quietly(command: Sequence[str], environment: Mapping[str, str]) -> int:
    nothing = subprocess.DEVNULL
    return subprocess.run(
        command, env=environment, check=False, stdin=nothing, stdout=nothing, stderr=nothing
    ).returncode


def _replay(
    report: Report, region: RegionSummary, finding: Finding, command: Sequence[str], progress: Progress
) -> None:
    """Force a finding's mend, and take the saving that is measured."""
    anchor = region.anchor
    mend = mend_text(finding.kind, finding.sites, anchor)
    if anchor is None or not mend:
        return
    if anchor.kind == FUNCTION:
        report.not_said.append(f"LAUNCHPATH_MEND={mend} is not tried: `{region.name}` has no kernel to time it by.")
        return
    try:
        result = replay(command, mend, anchor, environment=os.environ, progress=progress)
    except LaunchpathError as error:
        report.not_said.append(f"LAUNCHPATH_MEND={mend} could not be tried: {error}.")
        return
    if result.refused:
        report.not_said.append(f"LAUNCHPATH_MEND={mend} proves nothing: {result.refused}.")
        return
    finding.proofs.append(result.proof)
    if result.proof.saving is not None:
        finding.saving = result.proof.saving
        for name in (AT_MOST, SHARED_PROCESSORS):  # it is measured
            finding.evidence.pop(name, None)
        if finding.saving.high <= 0 or finding.saving.value < _SHARE * finding.period:
            finding.hidden = True
