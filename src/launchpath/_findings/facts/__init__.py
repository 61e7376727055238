"""Facts: one file for each kind of finding, a function that gives findings.

`OF_REGIONS` take a region, `OF_PROGRAMS` the timeline of a process and its regions, `OF_REGION_GROUPS` all regions of
all processes, and give the region that each finding is of as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from launchpath._findings.facts import (
    allocations,
    crossing_temporaries,
    equal_uploads,
    first_launches,
    host_code,
    launch_bound,
    locks,
    needless_order,
    needless_synchronize,
    not_running,
    pageable_copies,
    serial_copies,
    serial_streams,
    small_copies,
    small_kernels,
    stragglers,
    tracing,
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
    pageable_copies.facts,
    serial_copies.facts,
    serial_streams.facts,
    small_kernels.facts,
    allocations.facts,
    crossing_temporaries.facts,
    first_launches.facts,
    locks.facts,
    not_running.facts,
    tracing.facts,
)
OF_PROGRAMS: tuple[Callable[[Timeline, Sequence[Region]], list[Finding]], ...] = (first_launches.program_facts,)
OF_REGION_GROUPS: tuple[Callable[[Sequence[Region]], list[tuple[Region, Finding]]], ...] = (
    locks.facts_of_groups,
    stragglers.facts_of_groups,
)
