"""Facts: one file for each kind of finding, a function that gives findings.

`OF_REGIONS` take a region, `OF_PROGRAMS` the timeline of a process, `OF_REGION_GROUPS` all regions of all processes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from launchpath._findings.finding import Finding
from launchpath._findings.regions.region import Region
from launchpath._findings.timeline.timeline import Timeline

OF_REGIONS: tuple[Callable[[Region], list[Finding]], ...] = ()
OF_PROGRAMS: tuple[Callable[[Timeline], list[Finding]], ...] = ()
OF_REGION_GROUPS: tuple[Callable[[Sequence[Region]], list[Finding]], ...] = ()
