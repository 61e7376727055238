"""Sentences about regions and findings, which the screen and the page share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from launchpath._findings.amounts import (
    counted,
    cut,
    number_text,
    percent_text,
    short_time,
    site_text,
    time_text,
)
from launchpath._findings.completeness import WITH_EVIDENCE
from launchpath._findings.finding import INTERVENED, REPLAYED, SIMULATED, Finding
from launchpath._findings.region_summary import DEVICE, HOST, NEITHER, RANGE, REPETITION, STEP, UNKNOWN, RegionSummary

if TYPE_CHECKING:
    from launchpath._findings.report import Report

LONGEST_NAME = 60  # characters
PROOFS = {SIMULATED: "simulated", INTERVENED: "intervened", REPLAYED: "replayed"}
SOURCES = {RANGE: "range", STEP: "step", REPETITION: "sequence that repeats"}
HIDDEN = "Hidden behind longer work, leave it"
_LEAST_IDLE = 0.0005  # of a repetition: less would be written as 0.0 %
_MUCH = 0.1  # of the time in which the device works
_MOST_WORKS = 2
_UNEVEN = 1.5  # times the typical repetition: the mean one is spoken of
BOUNDS = {
    HOST: "host-bound",
    DEVICE: "device-bound",
    NEITHER: "neither the host nor the device alone bounds it",
    UNKNOWN: "what bounds it is not known",
}


def title(report: Report, longest: int = LONGEST_NAME) -> str:
    """Say what the report is about: the program, in so many characters, its processes, and how long it ran."""
    parts = counted(report.processes, "process"), short_time(report.length)
    return f"{cut(report.program or 'the program', longest)}: {', '.join(parts)}"


def region(summary: RegionSummary, longest: int = LONGEST_NAME) -> str:
    """Say how often a region ran, how long it takes, and what its time depends on; names in so many characters."""
    times = counted(summary.repetitions, "time")
    origin = f"{SOURCES.get(summary.source, summary.source)}, {times}"
    thread = f" on {cut(summary.thread, longest // 2)}" if summary.thread else ""
    uneven = f", and {short_time(summary.mean)} in the mean" if summary.mean > _UNEVEN * summary.period.value else ""
    return (
        f"`{cut(summary.name, longest)}` ({origin}{thread}) takes {time_text(summary.period)}{uneven}. "
        f"The device works {percent_text(summary.busy)} of it: {BOUNDS.get(summary.bound, BOUNDS[UNKNOWN])}."
        f"{_works(summary, longest // 2)}"
    )


def _works(summary: RegionSummary, longest: int) -> str:
    """Say what takes the device's time, where the time of a repetition is the device's; else nothing."""
    least = _MUCH * summary.busy
    most = [each for each in summary.works[:_MOST_WORKS] if each.part >= least]
    if summary.bound not in (DEVICE, NEITHER) or not most:
        return ""
    first, *others = [f"`{cut(each.name, longest)}`" for each in most]
    parts = [percent_text(each.part) for each in most]
    more = "".join(f", and {name} {part}" for name, part in zip(others, parts[1:], strict=True))
    return f" {first} takes {parts[0]}{more}."


def idle(summary: RegionSummary) -> str:
    """Say why the device is idle, the longest cause first; empty: it is not idle, or the causes are not known."""
    whole = summary.period.value
    least = _LEAST_IDLE * whole
    causes = sorted(((time, cause) for cause, time in summary.idle.items() if time > least), reverse=True)
    texts = [f"{cause} {short_time(time)} ({percent_text(time, whole)})" for time, cause in causes]
    return f"Idle: {', '.join(texts)}." if texts else ""


def saving(finding: Finding) -> str:
    """Say what the mend saves of a repetition and in all, and how that is known."""
    known = "; ".join([*_known(finding), *slopes(finding)])
    if finding.saving is None:
        return f"What it costs is not known{f'; {known}' if known else ''}."
    if finding.is_most:
        saved = finding.saving.high
        text, total = f"at most {short_time(saved)}", saved * finding.repetitions
    else:
        saved, text, total = finding.saving.value, time_text(finding.saving), finding.total
    share = f" ({percent_text(saved, finding.period)})" if finding.period else ""
    text = f"Saves {text} of {short_time(finding.period)}{share}"
    if finding.repetitions > 1:
        text += f", {short_time(total)} in all"
    return f"{text}; {known}."


def slopes(finding: Finding) -> list[str]:
    """Say what the last intervention gave; nothing, where there was none."""
    slopes = [proof.slope for proof in finding.proofs if proof.slope is not None]
    return [f"intervention: slope {number_text(slope)}" for slope in slopes[-1:]]


def mend(finding: Finding) -> str:
    """Say what to do, and where."""
    sites = [site_text(site) for site in finding.sites[:1]]
    named = finding.mend + finding.sentence
    where = "".join(f" ({site})" for site in sites if site not in named)
    if not where:
        return finding.mend
    return f"{finding.mend.rstrip().removesuffix('.')}{where}." if finding.mend else f"At{where}."


def verdict(report: Report, most: int = LONGEST_NAME) -> str:
    """Say that there is no finding, and what that means, names in so many characters; empty: there are some."""
    if report.findings:
        return ""
    if report.regions:
        summary = report.regions[0]
        name = cut(summary.name, most)
        if summary.bound == DEVICE and summary.works:
            longest = summary.works[0]
            takes = f"`{cut(longest.name, most // 2)}` takes {percent_text(longest.part)} of it"
            faster = "a faster kernel, or less work for it," if longest.role == "kernel" else "fewer bytes"
            return f"Nothing holds `{name}` back but the device's own work: {takes}. Only {faster} would save time."
        return f"Nothing holds `{name}` back: no mend (a change of the program) that launchpath knows would save time."
    if is_silent(report):
        return "What holds the program back is not said:"
    return "What holds the program back is not said: no region of it repeats."


def is_silent(report: Report) -> bool:
    """Whether nothing can be told of the program, for reasons."""
    return not report.findings and not report.regions and bool(report.not_said)


def lead(report: Report) -> list[str]:
    """Give the lines that matter most, three at most: findings, or why there is none."""
    if report.findings:
        return [
            f"{number}. {cut(finding.sentence.strip(), 400)} {saving(finding)}"
            for number, finding in enumerate(report.findings[:3], 1)
        ]
    if is_silent(report):
        return [f"{verdict(report)} {cut(report.not_said[0].strip(), 400)}"]
    return [verdict(report)]


def more(report: Report) -> list[str]:
    """Say where there is more than `lead` gives."""
    lines = ["What to do, and where: `launchpath why FILE...`."] if report.findings else []
    lacks = not is_silent(report) and any(WITH_EVIDENCE in each for each in report.not_said)
    return lines + ["`launchpath trace --findings` records what more is found by, and the source lines."] * lacks


def _known(finding: Finding) -> list[str]:
    """How the saving is known: by the strongest proof that gives it. What an intervention says stands in `slopes`."""
    if finding.saving is None:
        return []
    giving = [proof.how for proof in finding.proofs if proof.saving == finding.saving]
    others = [how for how in giving if how != INTERVENED]
    if giving and not others:
        return []
    return [PROOFS.get(others[-1], others[-1]) if others else "estimated"]
