"""Bars in SVG. Their places are in per cent, so that a bar is as wide as its page, and text on it is not stretched."""

from __future__ import annotations

from html import escape

from launchpath._findings.shown.roles import GROUPS, Group

# What is filled into bars that are not solid: 8 pixels square.
_PATTERNS = {
    "copy": '<path d="M0 1.5H8M0 5.5H8" stroke-width="2"/>',
    "wait": '<path d="M-2 2 2 -2M-2 10 10 -2M6 10 10 6" stroke-width="2.4"/>',
    "memory": '<path d="M0 4H8M4 0V8" stroke-width="2"/>',
    "host": "",
    "other": '<path d="M2 2h.1M6 6h.1" stroke-width="3" stroke-linecap="round"/>',
}


def patterns() -> str:
    """Define the patterns: once on each page, in a drawing that takes no room."""
    drawn = "".join(
        f'<pattern id="lp-{name}" width="8" height="8" patternUnits="userSpaceOnUse">'
        f'<rect width="8" height="8" style="fill:var(--panel);stroke:none"/>'
        f'<g style="stroke:var(--{name});fill:none">{path}</g></pattern>'
        for name, path in _PATTERNS.items()
    )
    return f'<svg aria-hidden="true" style="position:absolute;width:0;height:0"><defs>{drawn}</defs></svg>'


def swatch(group: Group) -> str:
    """Draw what the legend shows of a group."""
    return f'<svg aria-hidden="true" height="16"><rect class="{group.name}" x="1" y="1" width="24" height="14"/></svg>'


def legend(groups: set[Group], more: str) -> str:
    """Draw what the patterns mean, of those groups that are on the page."""
    items = "".join(f"<li>{swatch(group)}{escape(group.text)}</li>" for group in GROUPS if group in groups)
    return f'<ul class="legend">{items}{more}</ul>'


def share_bar(part: float, text: str, kind: str, low: float | None = None, high: float | None = None) -> str:
    """Draw a share of a whole, from 0 to 1, and its interval as a line with two ends.

    Parameters
    ----------
    part : float
    text : str
        What it says to those that do not see it, and above the bar.
    kind : str
        A class of the style: ``save``, or a group's name.
    low, high : float, optional
        The interval.
    """
    drawn = '<rect class="base" width="100%" y="4" height="10"/>'
    drawn += f'<rect class="{kind}" y="4" height="10" width="{_at(part)}"/>'
    if low is not None and high is not None and high > low:
        drawn += f'<line class="whisker" x1="{_at(low)}" x2="{_at(high)}" y1="9" y2="9"/>'
        drawn += "".join(f'<line class="whisker" x1="{_at(x)}" x2="{_at(x)}" y1="4.5" y2="13.5"/>' for x in (low, high))
    title = escape(text)
    return f'<svg role="img" aria-label="{title}" height="18"><title>{title}</title>{drawn}</svg>'


def _at(share: float) -> str:
    return f"{100 * min(max(share, 0.0), 1.0):.2f}%"
