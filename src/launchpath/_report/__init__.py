"""Parts of reports: tallies of calls, units, and the table of calls.

`Tally` counts, `calls_table` draws: everything that shows such a table makes it here.
"""

from launchpath._report.calls import calls_table
from launchpath._report.tally import Entry, Tally
from launchpath._report.units import format_bytes, format_share, format_time

__all__ = ["Entry", "Tally", "calls_table", "format_bytes", "format_share", "format_time"]
