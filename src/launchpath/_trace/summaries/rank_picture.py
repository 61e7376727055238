"""A picture of ranks and steps: own work of each against the median of all, in a terminal and as SVG."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy

from launchpath._trace.summaries.common import Grid
from launchpath._trace.summaries.ranks import Ranks

ROWS, COLUMNS = 16, 80
_SHADES = " .:-=+*#%@"  # from the median to twice of it and more
_CELL, _HEIGHT, _LEFT = 10, 14, 130  # of the SVG


def picked(ranks: Ranks) -> tuple[list[int], list[int]]:
    """Give the places of the rows that differ most, in their order, and those of the rest."""
    count = len(ranks.rows)
    if count <= ROWS:
        return list(range(count)), []
    differs = numpy.abs(ranks.relative() - 1).max(axis=1)
    first = sorted(numpy.argsort(-differs, kind="stable")[: ROWS - 1].tolist())
    chosen = set(first)
    return first, [place for place in range(count) if place not in chosen]


def picture(ranks: Ranks, most: int = COLUMNS) -> list[str]:
    """Draw it in at most `ROWS` rows and so many columns, and a line that says what it shows."""
    first, rest = picked(ranks)
    labels = _labels(ranks, first, rest)
    width = max(map(len, labels))
    room = max(most - width - 2, 1)
    lines = [
        f"{label:>{width}} |{''.join(map(_shade, _narrowed(row, room)))}"
        for label, row in zip(labels, _rows(ranks, first, rest), strict=True)
    ]
    columns = min(ranks.grid.shape[1], room)
    per = -(-ranks.steps // columns)
    steps = "a step" if per == 1 else f"about {per} steps"
    return [*lines, f"own time: ' ' the median of all, '@' twice or more; a column is {steps}"]


def svg(ranks: Ranks) -> str:
    """Draw it as SVG, in colors that read on light and on dark pages."""
    first, rest = picked(ranks)
    labels, rows = _labels(ranks, first, rest), _rows(ranks, first, rest)
    width, height = _LEFT + _CELL * ranks.grid.shape[1] + 4, _HEIGHT * len(rows) + 4
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img" '
        f'aria-label="own time of ranks by steps" font-family="sans-serif" font-size="11" fill="currentColor">'
    ]
    for number, (label, row) in enumerate(zip(labels, rows, strict=True)):
        y = 2 + number * _HEIGHT
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 10}" text-anchor="end">{html.escape(label)}</text>')
        for column, value in enumerate(row.tolist()):
            shade = min(max(value - 1, 0), 1)
            title = f"{label}, from step {column * ranks.window}: {value:.2f} x the median"
            parts.append(
                f'<rect x="{_LEFT + column * _CELL}" y="{y}" width="{_CELL - 1}" height="{_HEIGHT - 1}" fill="#d1493f" '
                f'fill-opacity="{0.08 + 0.92 * shade:.2f}"><title>{html.escape(title)}</title></rect>'
            )
    return "".join([*parts, "</svg>"])


def _labels(ranks: Ranks, first: list[int], rest: list[int]) -> list[str]:
    names = [_short(ranks.rows[place].name) for place in first]
    return names + ([f"{len(rest)} others"] if rest else [])


def _short(name: str) -> str:
    return name if len(name) <= 24 else f"...{name[-21:]}"


def _rows(ranks: Ranks, first: list[int], rest: list[int]) -> list[Grid]:
    relative = ranks.relative()
    rows = [relative[place] for place in first]
    return rows + ([numpy.median(relative[rest], axis=0)] if rest else [])


def _narrowed(row: Grid, room: int) -> Sequence[float]:
    """Put neighbors together where there is no room for all: the largest of them is shown."""
    if len(row) <= room:
        values: list[float] = row.tolist()
        return values
    return [float(part.max()) for part in numpy.array_split(row, room)]


def _shade(value: float) -> str:
    return _SHADES[min(max(int((value - 1) * len(_SHADES)), 0), len(_SHADES) - 1)]
