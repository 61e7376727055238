"""A report as one screen of text. What does not fit is counted, and is in the HTML and the JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from launchpath._findings.amounts import counted
from launchpath._findings.finding import Finding
from launchpath._findings.shown import sentences
from launchpath._report.console import printable
from launchpath._report.wrapping import text_width

if TYPE_CHECKING:
    from launchpath._findings.report import Report

WIDTH, HEIGHT = 100, 24
_INDENT = "   "
_MORE = "..."
# How many regions, and lines of what is hidden and of what is not said: the first that leaves room for the findings.
_SHAPES = ((2, 2, 3), (1, 2, 3), (1, 1, 1))
_FINDINGS = 3


def screen(report: Report, width: int = WIDTH, height: int | None = None) -> str:
    """Draw the report.

    Parameters
    ----------
    report : Report
    width : int
        Of the screen, in columns.
    height : int, optional
        Of the screen, in lines. Left out: `HEIGHT`, and as many more as a narrower screen needs.
    """
    height = _more_lines(HEIGHT, width) if height is None else height
    lines: list[str] = []
    for regions, hidden, not_said in _SHAPES:
        head = _head(report, width, regions)
        tail = _tail(report, width, hidden, 0 if sentences.is_silent(report) else not_said)
        room = height - len(head) - 1 - len(tail) - bool(tail)
        body, shown = _body(report, width, room)
        lines = [*head, "", *body, *([""] if tail else []), *tail]
        if shown >= min(len(report.findings), _FINDINGS):
            break
    return "\n".join(lines)


def _head(report: Report, width: int, most: int) -> list[str]:
    lines = _wrapped(sentences.title(report), width, "", 1)
    for summary in report.regions[:most]:
        lines += _wrapped(sentences.region(summary), width, _INDENT, 2)
        lines += _wrapped(sentences.idle(summary), width, _INDENT, 2 if len(report.regions) == 1 else 1, first=_INDENT)
    if len(report.regions) > most:
        lines += _wrapped(f"{counted(len(report.regions) - most, 'other region')}.", width, "", 1)
    return lines


def _body(report: Report, width: int, room: int) -> tuple[list[str], int]:
    """Draw as many findings as there is room for, and tell how many these are."""
    if sentences.is_silent(report):
        return _listed(f"{sentences.verdict(report)} ", report.not_said, width, room), 0
    if not report.findings:
        return _wrapped(sentences.verdict(report), width, "", 2), 0
    lines: list[str] = []
    for number, finding in enumerate(report.findings, 1):
        drawn = _finding(number, finding, width)
        left = len(report.findings) - number
        if len(lines) + len(drawn) + bool(left) > room:
            more = f"{counted(left + 1, 'more finding')}: in the report of --html or --json."
            return [*lines, *_wrapped(more, width, "", 1)], number - 1
        lines += drawn
    return lines, len(report.findings)


def _finding(number: int, finding: Finding, width: int) -> list[str]:
    """Draw a finding, in four lines at most of the usual width."""
    sentence = _wrapped(f"{number}. {finding.sentence.strip()}", width, _INDENT, 2)
    saving, mend = sentences.saving(finding), sentences.mend(finding)
    both = f"{saving} {mend}".strip()
    if text_width(printable(both)) + len(_INDENT) <= width:
        return [*sentence, *_wrapped(both, width, _INDENT, 1, first=_INDENT)]
    return [
        *sentence,
        *_wrapped(saving, width, _INDENT, 1, first=_INDENT),
        *_wrapped(mend, width, _INDENT, 2 if len(sentence) == 1 else 1, first=_INDENT),
    ]


def _tail(report: Report, width: int, hidden: int, not_said: int) -> list[str]:
    lines = _listed(f"{sentences.HIDDEN}: ", [each.sentence for each in report.hidden], width, hidden)
    lines += _listed("Not said: ", report.not_said, width, not_said)
    return lines + _wrapped(report.tracing, width, _INDENT, 1)


def _listed(begin: str, texts: Sequence[str], width: int, most: int) -> list[str]:
    """Draw as many of the sentences as fit into so many lines, the first one at least, and count the others."""
    room = _more_lines(most, width)
    for shown in range(len(texts) if most else 0, 0, -1):
        left = len(texts) - shown
        text = begin + "; ".join(each.strip().removesuffix(".") for each in texts[:shown])
        end = f"; and {left} more." if left else "."
        lines = _lines(text + end, width, _INDENT)
        while len(lines) > room and shown == 1 and " " in text:
            text = text.rpartition(" ")[0]
            lines = _lines(text + _MORE + end, width, _INDENT)
        if len(lines) <= room:
            return lines
    return []


def _more_lines(count: int, width: int) -> int:
    """How many lines hold what so many lines of the usual width hold."""
    return -(-count * WIDTH // min(width, WIDTH))


def _wrapped(text: str, width: int, indent: str, most: int, first: str = "") -> list[str]:
    """Break a text between words into lines: the last one ends with "..." if more would follow.

    There are `most` at most, and more on a screen that is narrower than `WIDTH`.
    """
    most = _more_lines(most, width)
    lines = _lines(text, width, indent, first)
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    while text_width(last) + len(_MORE) > width:
        last = last[:-1]
    return [*lines[: most - 1], last.rstrip() + _MORE]


def _lines(text: str, width: int, indent: str, first: str = "") -> list[str]:
    """Break a text between words into lines."""
    lines: list[str] = []
    line = first
    empty = True  # so far the line has no word
    for word in _words(printable(" ".join(text.split())), width - len(indent)):
        if not empty and text_width(line) + 1 + text_width(word) > width:
            lines.append(line)
            line, empty = indent, True
        line = f"{line}{'' if empty else ' '}{word}"
        empty = False
    if not empty:
        lines.append(line)
    return lines


def _words(text: str, width: int) -> list[str]:
    """The words of a text; those that are wider than a line are in parts."""
    words: list[str] = []
    for word in text.split(" "):
        rest = word
        while text_width(rest) > width:
            part = rest
            while text_width(part) > width:
                part = part[: max(len(part) - max((text_width(part) - width) // 2, 1), 1)]
            words.append(part)
            rest = rest[len(part) :]
        if rest:
            words.append(rest)
    return words
