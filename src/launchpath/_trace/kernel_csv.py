"""Kernels as CSV, with the columns that rocprofv3 gives them."""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from typing import Any

import numpy

from launchpath._trace.columns import Table, named
from launchpath._trace.dispatches import commands
from launchpath._trace.format import LAUNCH
from launchpath._trace.records import Progress, Records
from launchpath._trace.target import check_target
from launchpath._trace.timings import Timings
from launchpath.errors import TraceFileError

# In the order of ROCm 7. The last two are the names of LDS_Block_Size and Scratch_Size in ROCm 6.
HEAD = (
    "Kind", "Agent_Id", "Queue_Id", "Stream_Id", "Thread_Id", "Dispatch_Id", "Kernel_Id", "Kernel_Name",
    "Correlation_Id", "Start_Timestamp", "End_Timestamp", "LDS_Block_Size", "Scratch_Size", "VGPR_Count",
    "Accum_VGPR_Count", "SGPR_Count", "Workgroup_Size_X", "Workgroup_Size_Y", "Workgroup_Size_Z", "Grid_Size_X",
    "Grid_Size_Y", "Grid_Size_Z", "Private_Segment_Size", "Group_Segment_Size",
)  # fmt: skip
KIND = "KERNEL_DISPATCH"
# What a trace does not have: registers, and memory of a thread.
_NOT_KNOWN = ("Scratch_Size", "VGPR_Count", "Accum_VGPR_Count", "SGPR_Count", "Private_Segment_Size")


def write_csv(
    paths: Sequence[str | os.PathLike[str]], target: str | os.PathLike[str], progress: Progress | None = None
) -> int:
    """Write the kernels of traces that have times: a row for each.

    Times are nanoseconds of the monotonic clock. Grids are in work-items. Registers and scratch memory are 0: traces do
    not have them. LDS is the dynamic shared memory of the launch.

    Parameters
    ----------
    paths : sequence of paths
        The files: one for each process.
    target : path
        The file to write.
    progress : callable, optional
        Called with how much was read, and how much there is, of each file in turn.

    Returns
    -------
    int
        The number of rows.

    Raises
    ------
    TraceFileError
        A file cannot be read, or is not a trace; or `target` cannot be written, or is one of them.
    """
    check_target(paths, target)
    rows = 0
    try:
        with open(target, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
            writer.writerow(HEAD)
            for path in paths:
                with Records(path, progress, passes=3) as records:
                    rows += _write(writer, records)
    except OSError as error:
        raise TraceFileError(f"{os.fspath(target)}: expected a file that can be written: {error.strerror}") from None
    return rows


def _write(writer: Any, records: Records) -> int:
    timings, rows = Timings(records), 0
    for chunk in records.chunks():
        table = commands(chunk, records, timings)
        chosen = (table["command"] == LAUNCH) & table["timed"] & ~table["kept_back"]
        columns = _columns({name: column[chosen] for name, column in table.items()}, records, rows)
        writer.writerows(zip(*(columns[name] for name in HEAD), strict=True))
        rows += int(numpy.count_nonzero(chosen))
    return rows


def _columns(table: Table, records: Records, before: int) -> dict[str, list[Any]]:
    count = len(table["command"])
    zeros = [0] * count
    agents = named(table["device"], lambda device: f"Agent {records.labels.agent(device)}")
    sizes = {}
    for axis in "xyz":
        block = table[f"block_{axis}"].astype("u8")
        sizes[f"Workgroup_Size_{axis.upper()}"] = block.tolist()
        sizes[f"Grid_Size_{axis.upper()}"] = (table[f"grid_{axis}"] * block).tolist()
    return {
        "Kind": [KIND] * count,
        "Agent_Id": agents.array().tolist(),
        "Queue_Id": table["stream"].tolist(),
        "Stream_Id": table["stream"].tolist(),
        "Thread_Id": table["thread"].tolist(),
        "Dispatch_Id": list(range(before + 1, before + count + 1)),
        "Kernel_Id": table["name"].tolist(),
        "Kernel_Name": named(table["name"], records.labels.name).array().tolist(),
        "Correlation_Id": table["correlation"].tolist(),
        "Start_Timestamp": table["started"].tolist(),
        "End_Timestamp": table["ended"].tolist(),
        "LDS_Block_Size": table["shared"].tolist(),
        "Group_Segment_Size": table["shared"].tolist(),
        **dict.fromkeys(_NOT_KNOWN, zeros),
        **sizes,
    }
