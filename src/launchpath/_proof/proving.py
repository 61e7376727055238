"""Proofs of findings: the program runs again, with delays and with mends forced."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from launchpath._findings.anchor import FUNCTION
from launchpath._findings.finding import Finding
from launchpath._findings.region_summary import RegionSummary
from launchpath._findings.report import Report
from launchpath._proof.intervention import intervene, targets_of
from launchpath._proof.mend_text import mend_text
from launchpath._proof.replay import replay
from launchpath.errors import LaunchpathError

_MOST = 4  # findings whose mends are forced: each takes some runs of the program
_SHARE = 0.02  # of a repetition: what saves less, when it is measured, is hidden

Progress = Callable[[str], object]


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
        Told of each run, in words.
    """
    if not report.regions:
        report.not_said.append("Nothing is proved by running the program again: nothing repeats in it.")
        return
    region = report.regions[0]  # the longest: its repetitions are those of the program
    if region.anchor is None:
        report.not_said.append(f"`{region.name}` is not proved: no call tells its repetitions while the program runs.")
        return
    mine = [each for each in [*report.findings, *report.hidden] if each.region == region.name]
    _intervene(report, region, mine, command, options, progress)
    if region.own:
        shown = [each for each in report.findings if each.region == region.name and not each.hidden]
        for finding in shown[:_MOST]:
            _replay(report, region, finding, command, progress)
    report.arrange()


def _intervene(
    report: Report,
    region: RegionSummary,
    findings: Sequence[Finding],
    command: Sequence[str],
    options: Mapping[str, Any],
    progress: Progress,
) -> None:
    """Add the slopes of what the findings are about."""
    targets = targets_of(findings)
    counts = {target: region.counts.get(target, 0.0) for target in targets}
    counts = {target: count for target, count in counts.items() if count}
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
    result.attach(findings)
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
        if finding.saving.high <= 0 or finding.saving.value < _SHARE * finding.period:
            finding.hidden = True
