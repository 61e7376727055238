"""Drawings of bars in plain SVG, light and dark, in the colours of chart.py."""

from __future__ import annotations

from dataclasses import dataclass
from xml.sax.saxutils import escape

from benchmarks.chart import bar, style, text

WIDTH, MARGIN, LABELS, VALUES = 760, 20, 250, 70
ROW, HEADING, TOP, BETWEEN = 22, 26, 62, 18


@dataclass(frozen=True)
class Bar:
    """A median with its least and its greatest block, and what it is of."""

    name: str
    value: float
    least: float
    most: float
    own: bool  # launchpath's own


@dataclass(frozen=True)
class Panel:
    """Bars that can be compared with one another: the same device, machine, process and scale."""

    title: str
    bars: tuple[Bar, ...]


def figure(value: float) -> str:
    """Write a time with three digits, or a hundredth."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def words(title: str, panels: list[Panel]) -> str:
    """What the bars show, for readers who do not see them."""
    parts = [
        f"{panel.title}: {'; '.join(f'{each.name} {figure(each.value)}' for each in panel.bars)}." for panel in panels
    ]
    return " ".join([f"{title}.", *parts])


def drawing(title: str, panels: list[Panel]) -> str:
    """Draw panels below each other; each has its own scale."""
    height = TOP + sum(HEADING + ROW * len(panel.bars) + BETWEEN for panel in panels)
    left = MARGIN + LABELS
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" aria-labelledby="title words" font-family="system-ui, sans-serif">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="words">{escape(words(title, panels))}</desc>',
        style(),
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8" class="page edge"/>',
        text(MARGIN, 34, 17, "text", title, ' font-weight="600"'),
        text(WIDTH - MARGIN, 34, 13, "note", "shorter is better", ' text-anchor="end"'),
    ]
    y = TOP
    for panel in panels:
        parts.append(text(MARGIN, y + 8, 13, "text", panel.title, ' font-weight="600"'))
        scale = (WIDTH - MARGIN - VALUES - left) / max(each.value for each in panel.bars)
        y += HEADING
        for each in panel.bars:
            weight = ' font-weight="600"' if each.own else ""
            parts.append(text(left - 10, y + 9, 13, "text", each.name, f' text-anchor="end"{weight}'))
            parts.append(bar(left, y - 1, max(each.value * scale, 1), "own-many" if each.own else "many"))
            parts.append(text(left + each.value * scale + 6, y + 9, 12, "text", figure(each.value), weight))
            y += ROW
        y += BETWEEN
    return "\n".join([*parts, "</svg>"]) + "\n"
