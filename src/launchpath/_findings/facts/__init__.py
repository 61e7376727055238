"""Facts: one file for each kind of finding, a function that gives findings.

`OF_REGIONS` take a region, `OF_PROGRAMS` the timeline of a process, `OF_REGION_GROUPS` all regions of all processes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from launchpath._findings.facts import (
    crossing_temporaries,
    equal_uploads,
    needless_order,
    needless_synchronize,
    pageable_copies,
    serial_copies,
    serial_streams,
    small_copies,
    small_kernels,
    wide_synchronize,
)
from launchpath._findings.finding import Finding
from launchpath._findings.regions.region import Region
from launchpath._findings.timeline.timeline import Timeline

OF_REGIONS: tuple[Callable[[Region], list[Finding]], ...] = (
    equal_uploads.facts,
    needless_synchronize.facts,
    wide_synchronize.facts,
    needless_order.facts,
    small_copies.facts,
    pageable_copies.facts,
    serial_copies.facts,
    serial_streams.facts,
    small_kernels.facts,
    crossing_temporaries.facts,
)
OF_PROGRAMS: tuple[Callable[[Timeline], list[Finding]], ...] = ()
OF_REGION_GROUPS: tuple[Callable[[Sequence[Region]], list[Finding]], ...] = ()
