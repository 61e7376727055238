"""Facts: one file for each kind of finding, with a function that gives findings.

`OF_REGIONS` take a region. `OF_PROGRAMS` take a process's timeline and its regions. `OF_REGION_GROUPS` take the regions
of all processes; each of their findings comes with the region that it is of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from launchpath._findings.facts import (
    allocations,
    equal_uploads,
    first_launches,
    host_code,
    launch_bound,
    needless_order,
    needless_synchronize,
    small_copies,
    small_kernels,
    wide_synchronize,
)
from launchpath._findings.finding import Finding
from launchpath._findings.regions.region import Region
from launchpath._findings.timeline.timeline import Timeline

OF_REGIONS: tuple[Callable[[Region], list[Finding]], ...] = (
    launch_bound.facts,
    host_code.facts,
    equal_uploads.facts,
    needless_synchronize.facts,
    wide_synchronize.facts,
    needless_order.facts,
    small_copies.facts,
    small_kernels.facts,
    allocations.facts,
    first_launches.facts,
)
OF_PROGRAMS: tuple[Callable[[Timeline, Sequence[Region]], list[Finding]], ...] = ()
OF_REGION_GROUPS: tuple[Callable[[Sequence[Region]], list[tuple[Region, Finding]]], ...] = ()
