"""The table of ranks: a step of each, its own work, waiting for others, and why it takes longer."""

from __future__ import annotations

from launchpath._report import format_time
from launchpath._report.console import printable, table
from launchpath._report.table import Table
from launchpath._trace.summaries.ranks import Rank, Ranks

_MOST = 16


def rank_table(ranks: Ranks) -> Table:
    """Draw it: all ranks in their order, or those that take longer and then those that work longest."""
    heads = ["Rank", "Host", "Step", "Own", "Waits for others", "Cause"]
    drawn = table(*heads, right=heads[2:5])
    rows = ranks.rows
    if len(rows) > _MOST:
        rows = sorted(rows, key=lambda row: (not row.causes, -row.own))[:_MOST]
    for row in rows:
        rank = row.process.rpartition(":")[2] if row.rank is None else str(row.rank)
        drawn.add_row(
            printable(rank),
            printable(row.host) or "-",
            format_time(row.step),
            format_time(row.own),
            _away(row, ranks),
            ", ".join(dict.fromkeys(row.causes)),
        )
    if len(ranks.rows) > len(rows):
        drawn.add_row(f"({len(ranks.rows) - len(rows)} others)")
    return drawn


def _away(row: Rank, ranks: Ranks) -> str:
    return format_time(row.away) if ranks.has_looks else "-"
