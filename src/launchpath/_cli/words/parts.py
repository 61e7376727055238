"""Words for parts of traces: ``0,3-5`` for ranks, ``12.5:14`` for seconds."""

from __future__ import annotations

import math
import re

import click

_RANK = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
_MOST = 1_000_000  # ranks


def ranks_of(_context: click.Context, _option: click.Parameter, value: str | None) -> frozenset[int] | None:
    """Read numbers, and ranges of numbers."""
    if value is None:
        return None
    ranks: set[int] = set()
    for word in value.split(","):
        match = _RANK.fullmatch(word.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if not first <= last < first + _MOST:
            raise click.BadParameter(f"expected ranks such as 0,3-5, got {value!r}")
        ranks.update(range(first, last + 1))
    return frozenset(ranks)


def seconds_of(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> tuple[float | None, float | None] | None:
    """Read a begin and an end; where a side is empty, that of the trace is meant."""
    if value is None:
        return None
    try:
        begin, end = (float(word) if word.strip() else None for word in value.split(":"))
    except ValueError:
        begin = end = math.nan
    known = [each for each in (begin, end) if each is not None]
    if not known or not all(0 <= each < 1e9 for each in known) or known != sorted(set(known)):
        raise click.BadParameter(f"expected seconds such as 12.5:14, got {value!r}")
    return begin, end
