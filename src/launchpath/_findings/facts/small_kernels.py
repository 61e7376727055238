"""Kernels with fewer blocks than the device has units."""

from __future__ import annotations

import numpy

from launchpath._findings.amounts import counted, plain_time
from launchpath._findings.draft import draft
from launchpath._findings.finding import AT_MOST, Finding
from launchpath._findings.noise import floor
from launchpath._findings.ordering.overlap import alone_on_device, units
from launchpath._findings.regions.calls import typical_calls, work_time
from launchpath._findings.regions.region import Region
from launchpath._findings.simulation.edits import Faster
from launchpath._findings.timeline.roles import Role

NEEDS = ""
KIND = "small-kernels"

_MOSTLY = 0.5  # of the repetitions
_FEW = 0.5  # of the device's units: kernels with more blocks leave few units without work, and are not small


def facts(region: Region) -> list[Finding]:
    """Find kernels that leave units of the device without work, each by its name and its number of blocks.

    The saving is of work that can be divided among all units. Whether it can is not in the records.
    """
    ops, calls, limit = region.timeline.ops, typical_calls(region), floor(region)
    if not calls.size or not numpy.isfinite(limit):
        return []
    first = calls[0]
    columns = numpy.flatnonzero((ops.role[first] == Role.LAUNCH) & (ops.blocks[first] > 0))
    groups: dict[tuple[int, int, int], list[int]] = {}
    for column in columns.tolist():
        row = int(first[column])
        groups.setdefault((int(ops.name[row]), int(ops.blocks[row]), int(ops.device[row])), []).append(column)
    findings = []
    for (name, blocks, device), its in groups.items():
        most = units(region, device)
        if blocks > _FEW * most:
            continue
        rows = calls[:, its]
        alone = rows[:, alone_on_device(region, rows).mean(axis=0) > _MOSTLY]
        times = work_time(region, alone)
        taken = float(numpy.median(times.sum(axis=1))) if alone.size else 0.0
        saved = taken * (1 - blocks / most)
        if saved < limit:
            continue
        every, kernel = numpy.sort(alone.reshape(-1)), region.timeline.names[name]
        findings.append(
            draft(
                region, KIND, every, subject=kernel,
                sentence=f"`{kernel}` has {counted(blocks, 'block')} for {counted(most, 'unit')} of the device, and "
                f"nothing else runs beside it: {plain_time(taken)} a repetition.",
                mend=f"Launch it with {most} blocks or more, each with less to do, as far as its work can be divided.",
                evidence={
                    "blocks": blocks, "units": most, "launches": alone.shape[1], "us_device": taken / 1e3,
                    AT_MOST: True,
                },
                edit=Faster(every, work=blocks / most),
            )
        )  # fmt: skip
    return findings
