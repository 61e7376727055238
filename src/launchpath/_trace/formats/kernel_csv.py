"""Kernels as CSV, with the columns that rocprofv3 gives them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import IO

from launchpath._trace.choice import EVERYTHING, Choice
from launchpath._trace.columns import Array, Table, cut, named
from launchpath._trace.dispatches import commands
from launchpath._trace.format import LAUNCH
from launchpath._trace.formats.target import check_target
from launchpath._trace.records import Progress, Records
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
_BATCH = 1 << 13  # rows
_FORMULAS = ("=", "+", "-", "@")
# What a trace does not have: registers, and memory of a thread.
_NOT_KNOWN = ("Scratch_Size", "VGPR_Count", "Accum_VGPR_Count", "SGPR_Count", "Private_Segment_Size")


def write_csv(
    paths: Sequence[str | os.PathLike[str]],
    target: str | os.PathLike[str],
    progress: Progress | None = None,
    choice: Choice = EVERYTHING,
) -> int:
    """Write the kernels of traces that have times: a row for each.

    Times are nanoseconds of the monotonic clock. Grids are in work-items. Registers and scratch memory are 0: traces do
    not have them. LDS is the dynamic shared memory of the launch. A name that begins with ``=``, ``+``, ``-`` or ``@``,
    which a spreadsheet would calculate, gets an apostrophe before it.

    Parameters
    ----------
    paths : sequence of paths
        The files: one for each process.
    target : path
        The file to write.
    progress : callable, optional
        Called with how much was read, and how much there is, of each file in turn.
    choice : Choice
        Which ranks and seconds, and how many records at most.

    Returns
    -------
    int
        The number of rows.

    Raises
    ------
    ArgumentValueError
        There are more records, or there is no such rank.
    TraceFileError
        A file cannot be read, or is not a trace; or `target` cannot be written, or is one of them.
    """
    check_target(paths, target)
    rows = 0
    parts = choice.parts(paths)
    choice.check(parts, "as CSV")
    try:
        with open(target, "w", newline="", encoding="utf-8") as file:
            file.write(",".join(map(_quoted, HEAD)) + "\n")
            for part in parts:
                with part.records(progress, passes=3) as records:
                    rows += _write(file, records)
    except OSError as error:
        raise TraceFileError(f"{os.fspath(target)}: expected a file that can be written: {error.strerror}") from None
    return rows


def _write(file: IO[str], records: Records) -> int:
    timings, rows = Timings(records), 0
    for chunk in records.chunks():
        table = commands(chunk, records, timings)
        chosen = (table["command"] == LAUNCH) & table["timed"] & ~table["kept_back"]
        chosen &= records.overlap(table["started"], table["ended"])
        # Some rows at a time: Python's numbers take much memory.
        for part in cut({name: column[chosen] for name, column in table.items()}, _BATCH):
            columns = _columns(part, records, rows)
            file.writelines(f"{','.join(row)}\n" for row in zip(*(columns[name] for name in HEAD), strict=True))
            rows += len(part["command"])
    return rows


def _cell(name: str) -> str:
    """The name of a kernel as a spreadsheet takes it. No kernel's name begins as a formula does; a crafted one may."""
    return _quoted(f"'{name}" if name.startswith(_FORMULAS) else name)


def _quoted(text: str) -> str:
    escaped = text.replace('"', '""')
    return f'"{escaped}"'


def _numbers(column: Array) -> list[str]:
    return list(map(str, column.tolist()))


def _columns(table: Table, records: Records, before: int) -> dict[str, list[str]]:
    count = len(table["command"])
    agents = named(table["device"], lambda device: _quoted(f"Agent {records.labels.agent(device)}"))
    names = named(table["name"], lambda number: _cell(records.labels.kernel(number)))
    sizes = {}
    for axis in "xyz":
        block = table[f"block_{axis}"].astype("u8")
        sizes[f"Workgroup_Size_{axis.upper()}"] = _numbers(block)
        sizes[f"Grid_Size_{axis.upper()}"] = _numbers(table[f"grid_{axis}"] * block)
    return {
        "Kind": [_quoted(KIND)] * count,
        "Agent_Id": agents.array().tolist(),
        "Queue_Id": _numbers(table["stream"]),
        "Stream_Id": _numbers(table["stream"]),
        "Thread_Id": _numbers(table["thread"]),
        "Dispatch_Id": list(map(str, range(before + 1, before + count + 1))),
        "Kernel_Id": _numbers(table["name"]),
        "Kernel_Name": names.array().tolist(),
        "Correlation_Id": _numbers(table["correlation"]),
        "Start_Timestamp": _numbers(table["started"]),
        "End_Timestamp": _numbers(table["ended"]),
        "LDS_Block_Size": _numbers(table["shared"]),
        "Group_Segment_Size": _numbers(table["shared"]),
        **dict.fromkeys(_NOT_KNOWN, ["0"] * count),
        **sizes,
    }
