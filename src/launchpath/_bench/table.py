"""A benchmark's result as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from launchpath._bench.memory.figures import sized
from launchpath._bench.result import Result, scaled
from launchpath._report.console import table
from launchpath._report.table import Table

NUMBERS = ("Median", "Min", "Max", "Figure")


def describe(case: Mapping[str, Any]) -> str:
    """Put a case into words: ``2 arguments, 64 idle streams``."""
    parts = [str(case["kernel"])] if "kernel" in case else []
    parts += _memory(case) if "operation" in case else []
    parts += [f"{case['process']} process"] if "process" in case else []
    parts += [f"import {case['import']}"] if "import" in case else []
    parts += [f"{case['arguments']} arguments"] if "arguments" in case else []
    if "spelling" in case:
        parts.append("a launcher made anew" if case["spelling"] == "anew" else str(case["spelling"]))
    parts += [f"a block of {case['block_bytes']:,} bytes"] if "block_bytes" in case else []
    parts += _step(case) if "measure" in case else []
    if "changed" in case and "measure" not in case:
        parts.append("changed" if case["changed"] else "unchanged")
    parts += ["compared"] if case.get("compared") else []
    if case.get("complete"):
        parts.append("until complete")
    for kind in ("idle", "busy"):
        count = case.get(f"{kind}_streams")
        if count is not None:
            parts.append(f"{count} {kind} stream{'s' * (count != 1)}")
    if "ordering" in case:
        parts.append("a marker in every queue" if case["ordering"] == "always" else str(case["ordering"]))
    if "launch" in case:
        is_run = case["launch"] == "second on"
        parts.append("launches from the second on" if is_run else f"{case['launch']} launch")
    parts += [str(case["configuration"])] if "configuration" in case else []
    if "launching_threads" in case:
        parts.append(f"from {case['launching_threads']} thread{'s' * (case['launching_threads'] != 1)}")
    parts += _trace(case)
    if case.get("changing") is False:
        parts.append("unchanged")
    if case.get("synchronize"):
        parts.append("and synchronize")
    if case.get("busy_thread"):
        parts.append("beside a busy thread")
    return ", ".join(parts)


def _memory(case: Mapping[str, Any]) -> list[str]:
    """Put what is allocated or copied into words: ``4 KiB in``, ``pinned``."""
    size, operation = sized(case["bytes"]), case["operation"]
    words = "out to a new array" if operation == "new" else operation
    parts = [f"{operation} {size}" if operation in ("allocate", "pool") else f"{size} {words}"]
    parts += [f"{case['stream']} stream"] if "stream" in case else []
    parts += [f"{case['waiting']:,} arrays wait"] if "waiting" in case else []
    parts += [f"{case['count']:,} with a {case['work']} each"] if "work" in case else []
    parts += ["pinned" if case["pinned"] else "pageable"] if "pinned" in case else []
    return parts


def _step(case: Mapping[str, Any]) -> list[str]:
    """Put the launches of a step into words: ``100 launches, one changed, host``."""
    parts = [f"{case['launches']:,} launches", f"{case['changed']} changed"]
    parts += [f"{case['streams']} stream{'s' * (case['streams'] != 1)}"] if "streams" in case else []
    return [*parts, "until complete" if case["measure"] == "completion" else str(case["measure"])]


def _trace(case: Mapping[str, Any]) -> list[str]:
    """Put what is traced into words: ``tracing device, until complete``."""
    parts = [str(case["phase"])] if "phase" in case else []
    parts += [f"a record on {case['threads']} threads"] if "record" in case else []
    parts += [f"tracing {case['tracing']}"] if "tracing" in case else []
    parts += [f"times by {case['times']}"] if "times" in case else []
    parts += [f"{case['when']} all traces"] if "when" in case else []
    return [*parts, f"until {case['until']}"] if "until" in case else parts


def result_table(result: Result, required: bool = False) -> Table:
    """Draw the table: a line for each row, and one more for each further figure of it.

    Parameters
    ----------
    result : Result
    required : bool
        With the requirement beside each figure that has one.

    Returns
    -------
    Table
        For a `Console` to print.
    """
    drawn = table(
        "Case", "Subject", *NUMBERS, "Compared", *["Must be"] * required, right=NUMBERS, spare=("Max", "Min")
    )  # fmt: skip
    for row in result.rows:
        cells = [describe(row.case), row.subject, *(scaled(us, 3) for us in (row.us, row.us_min, row.us_max))]
        figures = [
            [figure.text(), figure.against, *[figure.requirement()] * required]
            for figure in result.figures
            if figure.row is row
        ]
        for figure in figures or [[]]:
            drawn.add_row(*cells, *figure)
            cells = [""] * len(cells)
    return drawn
