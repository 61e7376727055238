"""Drafts of findings: what all of a region's have in common."""

from __future__ import annotations

from typing import Any

import numpy

from launchpath._findings.finding import Finding
from launchpath._findings.regions.region import Region
from launchpath._findings.timeline.ops import Array
from launchpath._findings.wording import sites_of


def draft(region: Region, kind: str, rows: Array, *, subject: str, sentence: str, mend: str, **others: Any) -> Finding:
    """Make a finding of some calls of a region.

    Parameters
    ----------
    rows : numpy.ndarray of int64
        The calls that it is about, of all repetitions: rows of ``timeline.ops``. Without any it is about the region's
        thread.
    **others : object
        Further fields of the `Finding`.
    """
    timeline = region.timeline
    threads = numpy.unique(timeline.ops.thread[rows]).tolist() or [region.thread]
    return Finding(
        kind=kind,
        subject=subject,
        region=region.name,
        sentence=sentence,
        mend=mend,
        sites=sites_of(timeline, rows),
        threads=[timeline.thread_names[thread] for thread in threads],
        count=len(rows),
        repetitions=len(region),
        period=region.period.value,
        **others,
    )


def us(nanoseconds: float) -> float:
    """Give microseconds, as evidence has them."""
    return round(float(nanoseconds) / 1e3, 3)
