"""A report as a page of HTML: one file, without a script, which asks for nothing from anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any

from launchpath._findings.amounts import (
    counted,
    cut,
    number_text,
    percent_text,
    share_text,
    short_time,
    site_text,
    time_text,
)
from launchpath._findings.finding import INTERVENED, REPLAYED, SIMULATED, Finding, Proof
from launchpath._findings.kinds import KINDS
from launchpath._findings.region_summary import RegionSummary
from launchpath._findings.shown import sentences
from launchpath._findings.shown.bars import patterns, share_bar
from launchpath._findings.shown.roles import group_of
from launchpath._findings.shown.style import style
from launchpath._findings.shown.timeline import timeline
from launchpath._report.console import printable

if TYPE_CHECKING:
    from launchpath._findings.report import Report

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_LONGEST_NAME = 60  # characters, in a heading
_HOW = {
    SIMULATED: "Simulated from the recorded order",
    INTERVENED: "Intervention: delays in alternating blocks",
    REPLAYED: "Replayed with the mend",
}


def page(report: Report) -> str:
    """Draw the report as a page of its own."""
    title = escape(f"What holds {printable(report.program) or 'the program'} back")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{title}</title><style>html{{background:#ffffff}}"
        "@media (prefers-color-scheme: dark){html{background:#0d1117}}body{margin:0}</style></head>\n"
        f"<body>{fragment(report)}</body></html>\n"
    )


def fragment(report: Report) -> str:
    """Draw the report as a part of another page, as notebooks take it."""
    parts = [f"<style>{style()}</style>", patterns(), _head(report), _findings(report)]
    if report.timeline and report.timeline.get("lanes"):
        name = f" of {_code(cut(report.regions[0].name, _LONGEST_NAME))}" if report.regions else ""
        parts.append(_section(f"One repetition{name}", f'<div class="panel">{timeline(report.timeline)}</div>'))
    parts.append(_section("Where the time goes", "".join(_region(each) for each in report.regions)))
    parts.append(_section(sentences.HIDDEN, _hidden(report.hidden)))
    if not sentences.is_silent(report):
        parts.append(_section("Not said", _plain(report.not_said)))
    return f'<main class="launchpath-findings">{"".join(parts)}</main>'


def _section(head: str, body: str) -> str:
    return f"<section><h2>{head}</h2>{body}</section>" if body else ""


def _head(report: Report) -> str:
    facts = f"{counted(report.processes, 'process')}, {short_time(report.length)}"
    tracing = f" {_prose(report.tracing)}" if report.tracing else ""
    program = cut(report.program, _LONGEST_NAME)
    name = _code(program) if program else "the program"
    whole = ""
    if program != printable(report.program):
        whole = (
            '<details><summary><span class="more">the whole command</span></summary>'
            f"<p>{_code(report.program)}</p></details>"
        )
    return f'<header><h1>What holds {name} back</h1>{whole}<p class="note">{facts}.{tracing}</p></header>'


def _findings(report: Report) -> str:
    if sentences.is_silent(report):
        return f'<section class="panel"><p>{sentences.verdict(report)}</p>{_plain(report.not_said)}</section>'
    if not report.findings:
        return f'<section class="panel"><p>{_prose(sentences.verdict(report))}</p></section>'
    items = "".join(_finding(number, each, report) for number, each in enumerate(report.findings, 1))
    note = "Each bar is a share of the program&#39;s whole time; the line on it is the interval of 95 %."
    return _section("Findings", f'<p class="note">{note}</p><ol>{items}</ol>')


def _finding(number: int, finding: Finding, report: Report) -> str:
    opened = " open" if number == 1 else ""
    mend = f"<p>{_prose(sentences.mend(finding))}</p>" if finding.mend or finding.sites else "<p></p>"
    return (
        f'<li class="panel"><details class="finding"{opened}><summary><span class="number">{number}.</span>'
        f'<span class="sentence">{_prose(finding.sentence)}</span>{mend}'
        f'<span class="more">evidence</span>'
        f'<div class="saving">{_saving(finding, report)}</div></summary>'
        f'<div class="inside">{_inside(finding)}</div></details></li>'
    )


def _saving(finding: Finding, report: Report) -> str:
    if finding.saving is None:
        return "What it costs is not known."
    text, saved, total = time_text(finding.saving), finding.saving.value, finding.total
    if finding.is_most:
        saved = finding.saving.high
        text, total = f"at most {short_time(saved)}", saved * finding.repetitions
    part = f"{percent_text(saved, finding.period)} of " if finding.period else "of "
    text = f"<b>saves {text}</b><br>{part}{short_time(finding.period)}"
    if finding.repetitions > 1:
        text += f", {short_time(total)} in all"
    if not report.length:
        return text
    low, value, high = (
        bound * max(finding.repetitions, 1) / report.length
        for bound in (finding.saving.low, finding.saving.value, finding.saving.high)
    )
    label = f"saves {percent_text(value)} of the program's time, {percent_text(low)} to {percent_text(high)}"
    return text + share_bar(value, label, "save", low, high)


def _inside(finding: Finding) -> str:
    facts: list[tuple[str, str]] = [("kind", escape(KINDS.get(finding.kind, finding.kind)))]
    facts += [("about", _code(finding.subject))] * bool(finding.subject)
    facts += [("region", _code(finding.region))] * bool(finding.region)
    facts.append(("read from", f"{counted(finding.count, 'record')}, {counted(finding.repetitions, 'repetition')}"))
    facts += [("share", f"{share_text(finding.share)} of a repetition")] if finding.share else []
    facts += [("lines", "<br>".join(_site(site) for site in finding.sites))] * bool(finding.sites)
    facts += [("threads", escape(printable(", ".join(finding.threads))))] * bool(finding.threads)
    facts += [(escape(_label(name)), escape(_value(name, value))) for name, value in finding.evidence.items()]
    rows = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)
    proofs = "".join(f"<li>{_proof(proof)}</li>" for proof in finding.proofs)
    known = f'<h3>How it is known</h3><ul class="plain">{proofs}</ul>' if proofs else ""
    return f"{known}<dl>{rows}</dl>"


def _proof(proof: Proof) -> str:
    numbers = []
    if proof.saving is not None:
        most = "at most " if proof.how == INTERVENED else ""
        numbers.append(f"saves {most}{time_text(proof.saving)}")
    if proof.slope is not None:
        numbers.append(f"slope {number_text(proof.slope)}")
    text = f"<b>{escape(_HOW.get(proof.how, proof.how))}</b>"
    text += f": {', '.join(numbers)}" if numbers else ""
    return f"{text}.{f' {_prose(_sentence(proof.text))}' if proof.text else ''}"


def _region(summary: RegionSummary) -> str:
    whole = summary.period.value
    rows = [("device works", summary.busy, summary.busy * whole, "kernel")]
    causes = sorted(summary.idle.items(), key=lambda item: -item[1])
    rows += [(f"idle: {cause}", time / whole if whole else 0.0, time, "") for cause, time in causes if time > 0]
    drawn = "".join(
        f'<div class="cause"><span>{escape(name)}</span>'
        f"{share_bar(share, f'{name}: {percent_text(share)}', kind or group_of(name.removeprefix('idle: ')).name)}"
        f'<span class="amount">{short_time(time)}, {percent_text(share)}</span></div>'
        for name, share, time, kind in rows
    )
    return f'<div class="panel"><p>{_prose(sentences.region(summary))}</p>{drawn}</div>'


def _hidden(hidden: Iterable[Finding]) -> str:
    return _plain([each.sentence for each in hidden])


def _plain(texts: Iterable[str]) -> str:
    items = "".join(f"<li>{_prose(text)}</li>" for text in texts)
    return f'<ul class="plain">{items}</ul>' if items else ""


def _site(site: str) -> str:
    short = site_text(site)
    rest = printable(site)
    return f'{_code(short)} <span class="note">{escape(rest)}</span>' if rest != short else _code(short)


def _label(name: str) -> str:
    return printable(name.removeprefix("us_").replace("_", " "))


def _value(name: str, value: Any) -> str:
    """Write a number of the evidence; those of times begin with ``us_``."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        if name.startswith("us_"):
            return short_time(value * 1e3)
        return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
    if isinstance(value, (list, tuple)):
        return ", ".join(_value(name, each) for each in value)
    if isinstance(value, dict):
        return ", ".join(f"{printable(str(key))}: {_value(name, each)}" for key, each in value.items())
    return printable(str(value))


def _code(text: str) -> str:
    return f"<code>{escape(printable(text))}</code>"


def _prose(text: str) -> str:
    """Escape a text; what stands between backquotes is code."""
    parts = re.split("`([^`]+)`", printable(" ".join(text.split())))
    return "".join(_code(part) if number % 2 else escape(part) for number, part in enumerate(parts))


def _sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
