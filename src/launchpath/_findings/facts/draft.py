"""Drafts of findings: what all of a region's have in common."""

from __future__ import annotations

from typing import Any

from launchpath._findings.finding import Finding
from launchpath._findings.regions.region import Region
from launchpath._findings.timeline.ops import Array
from launchpath._findings.wording import sites_of


def draft(region: Region, kind: str, subject: str, sentence: str, mend: str, rows: Array, **others: Any) -> Finding:
    """Make a finding of some calls of a region.

    Parameters
    ----------
    rows : numpy.ndarray of int64
        The calls that it is about, of all repetitions: rows of ``timeline.ops``.
    **others : object
        Further fields of the `Finding`.
    """
    return Finding(
        kind=kind,
        subject=subject,
        region=region.name,
        sentence=sentence,
        mend=mend,
        sites=sites_of(region.timeline, rows),
        threads=[region.timeline.thread_names[region.thread]],
        count=len(rows),
        repetitions=len(region),
        period=region.period.value,
        **others,
    )


def us(nanoseconds: float) -> float:
    """Give microseconds, as evidence has them."""
    return round(float(nanoseconds) / 1e3, 3)
