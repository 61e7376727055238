"""The table of calls: ``Name | Time | Time(%) | Calls | Average | Min | Max``, as THAPI's iprof prints it.

A call may contain others of the table. The sum of times is that of outermost calls, and shares are of that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from launchpath._report.console import printable, table
from launchpath._report.table import Table
from launchpath._report.tally import Entry, Tally
from launchpath._report.units import format_share, format_time

MOST_ROWS = 1000  # of a table for people


def calls_table(
    tally: Tally, failed: bool | None = None, more: Mapping[str, Callable[[Entry], str]] | None = None
) -> Table:
    """Draw the table of calls, the longest total first, with a row for the sum.

    Of more than `MOST_ROWS` names, the last row before the sum is that of all others together.

    Parameters
    ----------
    tally : Tally
    failed : bool, optional
        Whether to show the column ``Failed``; if left out, only when something has.
    more : mapping, optional
        Further columns: for each its head, and what gives the cell of an entry. The sum is an entry too.

    Returns
    -------
    Table
        For a `Console` to print.
    """
    total = tally.total()
    if failed is None:
        failed = total.failed > 0
    columns = ["Name", "Time", "Time(%)", "Calls", "Average", "Min", "Max"] + ["Failed"] * failed + [*(more or {})]
    spare = ["Failed"] * (not total.failed) + ["Min", "Max", "Time(%)", "Average", "Calls"]
    drawn = table(*columns, right=columns, spare=spare)
    entries = _most(tally.by_time())
    nested = total.total > total.outermost  # calls inside others count once in the time of the sum, and have no average
    for entry in [*entries, total]:
        cells = [
            f"{entry.name} (outermost)" if entry is total and nested else printable(entry.name),
            format_time(total.outermost if entry is total else entry.total),
            format_share(total.outermost if entry is total else entry.total, total.outermost),
            str(entry.calls),
            "" if entry is total and nested else format_time(entry.average),
            format_time(entry.shortest),
            format_time(entry.longest),
        ] + [str(entry.failed)] * failed
        cells += [cell(entry) for cell in (more or {}).values()]
        drawn.add_row(*cells, end_section=bool(entries) and entry is entries[-1])
    return drawn


def _most(entries: list[Entry]) -> list[Entry]:
    if len(entries) <= MOST_ROWS:
        return entries
    others = Entry(f"({len(entries) - MOST_ROWS} others)")
    for entry in entries[MOST_ROWS:]:
        others.merge(entry)
    return [*entries[:MOST_ROWS], others]
