"""A report as text: one screen of it, where what does not fit is counted and is in the HTML and the JSON, or all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

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
_ALL = 1 << 20  # lines, regions, characters: as many as there are
_FINDINGS = 3


class _Shape(NamedTuple):
    """How much of a report is drawn."""

    regions: int
    hidden: int  # lines of what is hidden
    not_said: int  # lines of what is not said
    saving: int = 1  # lines of what a mend saves
    mend: int = 2  # lines of a mend
    text: int = 2  # lines of other sentences
    tracing: int = 1  # lines of what the trace has cost
    name: int = sentences.LONGEST_NAME  # characters of a name


# The first that leaves room for the findings.
_SHAPES = (_Shape(2, 2, 3, 2, 3), _Shape(1, 2, 3, 2, 3), _Shape(1, 1, 1), _Shape(1, 1, 1, mend=1))
_WHOLE = _Shape(*[_ALL] * len(_Shape._fields))


def screen(report: Report, width: int = WIDTH, height: int | None = None) -> str:
    """Draw the report on one screen.

    Parameters
    ----------
    report : Report
    width : int
        Of the screen, in columns.
    height : int, optional
        Of the screen, in lines. Left out: `HEIGHT`, and as many more as a narrower screen needs.
    """
    height = _more_lines(HEIGHT, width) if height is None else height
    text = ""
    for shape in _SHAPES:
        text, shown = _drawn(report, width, height, shape)
        if shown >= min(len(report.findings), _FINDINGS):
            break
    return text


def whole(report: Report, width: int = WIDTH) -> str:
    """Draw all of the report, for files and pipes: no sentence is cut off."""
    return _drawn(report, width, _ALL, _WHOLE)[0]


def _drawn(report: Report, width: int, height: int, shape: _Shape) -> tuple[str, int]:
    """Draw a report, and tell how many findings are there."""
    head = _head(report, width, shape)
    tail = _tail(report, width, shape)
    room = height - len(head) - 1 - len(tail) - bool(tail)
    body, shown = _body(report, width, room, shape)
    return "\n".join([*head, "", *body, *([""] if tail else []), *tail]), shown


def _head(report: Report, width: int, shape: _Shape) -> list[str]:
    lines = _wrapped(sentences.title(report, shape.name), width, "", shape.tracing)
    causes = shape.text if len(report.regions) == 1 else shape.tracing
    for summary in report.regions[: shape.regions]:
        lines += _wrapped(sentences.region(summary, shape.name), width, _INDENT, shape.text)
        lines += _wrapped(sentences.idle(summary), width, _INDENT, causes, first=_INDENT)
    if len(report.regions) > shape.regions:
        lines += _wrapped(f"{counted(len(report.regions) - shape.regions, 'other region')}.", width, "", 1)
    return lines


def _body(report: Report, width: int, room: int, shape: _Shape) -> tuple[list[str], int]:
    """Draw as many findings as there is room for, and tell how many these are."""
    if sentences.is_silent(report):
        return _listed(f"{sentences.verdict(report)} ", report.not_said, width, room), 0
    if not report.findings:
        return _wrapped(sentences.verdict(report, shape.name), width, "", shape.text), 0
    lines: list[str] = []
    for number, finding in enumerate(report.findings, 1):
        drawn = _finding(number, finding, width, shape)
        left = len(report.findings) - number
        if len(lines) + len(drawn) + bool(left) > room:
            more = f"{counted(left + 1, 'more finding')}: in the report of --html or --json."
            return [*lines, *_wrapped(more, width, "", 1)], number - 1
        lines += drawn
    return lines, len(report.findings)


def _finding(number: int, finding: Finding, width: int, shape: _Shape) -> list[str]:
    """Draw a finding."""
    sentence = _wrapped(f"{number}. {finding.sentence.strip()}", width, _INDENT, shape.text)
    saving, mend = sentences.saving(finding), sentences.mend(finding)
    both = f"{saving} {mend}".strip()
    if text_width(printable(both)) + len(_INDENT) <= width:
        return [*sentence, *_wrapped(both, width, _INDENT, 1, first=_INDENT)]
    return [
        *sentence,
        *_wrapped(saving, width, _INDENT, shape.saving, first=_INDENT),
        *_wrapped(mend, width, _INDENT, shape.mend, first=_INDENT),
    ]


def _tail(report: Report, width: int, shape: _Shape) -> list[str]:
    lines = _listed(f"{sentences.HIDDEN}: ", [each.sentence for each in report.hidden], width, shape.hidden)
    not_said = 0 if sentences.is_silent(report) else shape.not_said
    lines += _listed("Not said: ", report.not_said, width, not_said)
    return lines + _wrapped(report.tracing, width, _INDENT, shape.tracing)


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
