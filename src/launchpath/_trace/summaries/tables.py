"""The tables of a summary, as text and as HTML."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from launchpath._report import Entry, Tally, calls_table, format_bytes, format_time
from launchpath._report.calls import MOST_ROWS
from launchpath._report.console import console, printable, table
from launchpath._report.html import lines_html, table_html
from launchpath._report.table import Table
from launchpath._trace.hosts.report import clock_lines
from launchpath._trace.summaries.counts import COUNTS
from launchpath._trace.summaries.rank_picture import COLUMNS, picture, svg
from launchpath._trace.summaries.rank_table import rank_table

if TYPE_CHECKING:
    from launchpath._trace.summaries.summary import HostTime, Summary


MOST_THREADS = 20  # and hosts: thousands of processes have many thousands
_NUMBERS = ("Times", "Time", "Bytes")
_MOST_RANGES = 4  # of ranks
_MOST_LINES = 20  # of a kind, before the tables


def header(summary: Summary) -> list[str]:
    """Give the lines before the tables, all printable: what the records are of, and what is not in them."""
    processes = summary.processes
    hosts = len({str(process["host"]) for process in processes})
    modes = sorted({str(process["mode"] or "unknown") for process in processes})
    parts = [_number(hosts, "host"), _number(_count(processes), "process")]
    parts += [_number(sum(each[f"{noun}s"] for each in processes), noun) for noun in ("thread", "device", "stream")]
    lines = [f"{', '.join(parts)}; {format_time(summary.length)}; mode: {', '.join(modes)}"]
    tallies = (summary.calls, summary.driver_calls, summary.kernels, summary.traffic, summary.ranges)
    if not summary.marks and not any(map(len, tallies)) and not sum(summary.counts.values()):
        lines.append("nothing was recorded: no call, range or mark")
    if summary.marks:
        lines.append(_number(summary.marks, "mark"))
    for name, text in COUNTS.items():
        if summary.counts.get(name):
            most = f", by {format_time(summary.correction)} at most" if name == "clamped" else ""
            lines.append(f"{text}: {summary.counts[name]}{most}")
    lines += [f"calls that are not traced: {name}: {calls}" for name, calls in sorted(summary.not_traced.items())]
    timed = any(mode != "host" for mode in modes)
    for driver, cost in sorted(summary.tracing.items()):
        lines += cost.lines(driver, timed)
    # A source with a colon has the reason why it is not the usual source.
    sources = {source for each in processes for source in each.get("times", {}).items() if ":" in source[1]}
    lines += _first(f"times of device {device} by {text}" for device, text in sorted(sources))
    lines += _first(sorted({remark for each in processes for remark in each.get("remarks", ())}))
    lines += clock_lines(processes)
    lines += [f"not ended: {call}" for call in summary.open_calls[:MOST_ROWS]]
    if len(summary.open_calls) > MOST_ROWS:
        lines.append(f"not ended: {len(summary.open_calls) - MOST_ROWS} others")
    return list(map(printable, lines))


def titled(summary: Summary) -> Iterator[tuple[str, Table]]:
    """Give the tables that are not empty, with their titles."""
    for title, tally in (
        ("Calls of launchpath (the driver's calls in them included)", summary.calls),
        ("Calls of the driver", summary.driver_calls),
        ("Calls of the driver by what they are for", summary.categories),
        ("Kernels (time on the device)", _with_short_names(summary)),
    ):
        if len(tally):
            yield title, calls_table(tally, failed=True)
    if summary.host_times:
        yield "Where the time of a launch went (averages)", _host_times(summary)
    if len(summary.traffic):
        yield "Traffic (time on the device)", _traffic(summary)
    if len({str(process["host"]) for process in summary.processes}) > 1:
        yield "Hosts", _hosts(summary)
    if len(summary.threads) > 1:
        yield "Threads", _threads(summary)
    if len(summary.ranges):
        yield "Ranges", calls_table(summary.ranges, failed=False)
    if len(summary.after_synchronizing):
        yield "From the end of a synchronization to the start of the next kernel", _gaps(summary)
    if summary.evidence:
        yield "What may hold programs back (times of all processes, threads and streams together)", _evidence(summary)


def text(summary: Summary, width: int | None = None) -> str:
    """Draw all tables as text, no wider than they need, nor than a terminal of that width."""
    file = io.StringIO()
    where = console(file)
    where.width = width
    where.print("\n".join(header(summary)))
    if summary.ranks is not None:
        where.print(f"\n{printable(f'Ranks: {summary.ranks.title}')}\n")
        where.print("\n".join(map(printable, summary.ranks.sentences())) + "\n")
        where.print(rank_table(summary.ranks))
        where.print("\n" + "\n".join(map(printable, picture(summary.ranks, min(width or COLUMNS, COLUMNS)))))
    for title, drawn in titled(summary):
        where.print(f"\n{title}\n")
        where.print(drawn)
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


def html(summary: Summary) -> str:
    """Draw all tables as HTML."""
    parts = [lines_html(header(summary))]
    if summary.ranks is not None:
        drawn = rank_table(summary.ranks)
        heads = [column.header for column in drawn.columns]
        parts.append(table_html(heads, drawn.rows(), f"Ranks: {summary.ranks.title}"))
        parts += [lines_html(summary.ranks.sentences()), svg(summary.ranks)]
    for title, drawn in titled(summary):
        parts.append(table_html([column.header for column in drawn.columns], drawn.rows(), title))
    return "".join(parts)


def _with_short_names(summary: Summary) -> Tally:
    short, tally = summary.short_names, Tally()
    for entry in summary.kernels:
        tally.entry(short.get(entry.name, entry.name)).merge(entry)
    return tally


def _traffic(summary: Summary) -> Table:
    total = summary.traffic.total()
    sizes = {**summary.traffic_bytes, total.name: sum(summary.traffic_bytes.values())}
    more: dict[str, Callable[[Entry], str]] = {
        "Bytes": lambda entry: format_bytes(sizes.get(entry.name, 0)),
        "GB/s": lambda entry: f"{sizes.get(entry.name, 0) / entry.total:.2f}" if entry.total else "-",
    }
    return calls_table(summary.traffic, failed=True, more=more)


def _host_times(summary: Summary) -> Table:
    heads = ["Name", "Launches", "Launchpath", "Driver", "Waiting", "Enqueue to start", "Kernel"]
    drawn = table(*heads, right=heads[1:])
    short = summary.short_names
    times = sorted(summary.host_times.items(), key=lambda item: -_host(item[1]))
    for name, time in times[:MOST_ROWS]:
        average = summary.kernels[name].average if name in summary.kernels else 0
        drawn.add_row(
            printable(short.get(name, name)),
            str(time.launches),
            *(_average(part, time.launches) for part in (time.launchpath, time.driver, time.waiting)),
            _average(time.delay, time.started),
            format_time(average) if average else "-",
        )
    if len(times) > MOST_ROWS:
        drawn.add_row(f"({len(times) - MOST_ROWS} others)")
    return drawn


def _threads(summary: Summary) -> Table:
    hosts = len({str(process["host"]) for process in summary.processes}) > 1
    more = ["Host", "Rank"] if hosts else []
    heads = [*more, "Process", "Thread", "Name", "Commands", "Other calls", "Time in the driver"]
    drawn = table(*heads, right=heads[-3:])
    rows = sorted(summary.threads, key=lambda row: -row["us"])
    for row in rows[:MOST_THREADS]:
        pid = "-" if row["pid"] is None else str(row["pid"])
        counts = str(row["commands"]), str(row["calls"])
        where = [printable(str(row["host"])), "-" if row["rank"] is None else str(row["rank"])] if hosts else []
        name = printable(row["name"]) or "-"
        drawn.add_row(*where, pid, str(row["thread"]), name, *counts, format_time(row["us"] * 1e3))
    count = max(summary.n_threads, len(rows))
    if count > MOST_THREADS:
        drawn.add_row(*[""] * len(more), "", "", f"({count - MOST_THREADS} others)")
    return drawn


def _hosts(summary: Summary) -> Table:
    heads = ["Host", "Processes", "Ranks", "Threads", "Devices", "Streams"]
    drawn = table(*heads, right=heads[1:2] + heads[3:])
    hosts: dict[str, list[dict[str, Any]]] = {}
    for process in summary.processes:
        hosts.setdefault(str(process["host"]), []).append(process)
    rows = sorted(hosts.items(), key=lambda item: (-len(item[1]), item[0]))
    for host, processes in rows[:MOST_THREADS]:
        sums = [str(sum(each[noun] for each in processes)) for noun in ("threads", "devices", "streams")]
        ranks = _ranks({each["rank"] for each in processes if each["rank"] is not None})
        drawn.add_row(printable(host), str(_count(processes)), ranks, *sums)
    if len(rows) > MOST_THREADS:
        others = [process for _, processes in rows[MOST_THREADS:] for process in processes]
        sums = [str(sum(each[noun] for each in others)) for noun in ("threads", "devices", "streams")]
        drawn.add_row(f"({len(rows) - MOST_THREADS} others)", str(_count(others)), "", *sums)
    return drawn


def _count(processes: list[dict[str, Any]]) -> int:
    """Count processes: one that uses launchpath and other libraries has a file of each."""
    own = len({(process["host"], process["pid"]) for process in processes if process["pid"] is not None})
    return own + sum(process["pid"] is None for process in processes)


def _ranks(ranks: set[int]) -> str:
    """Write numbers as ranges, the first of them: ``0-7, 16``."""
    parts: list[list[int]] = []
    for rank in sorted(ranks):
        if parts and parts[-1][1] == rank - 1:
            parts[-1][1] = rank
        else:
            parts.append([rank, rank])
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in parts[:_MOST_RANGES]]
    return ", ".join(shown + ["..."] * (len(parts) > _MOST_RANGES)) or "-"


def _first(lines: Iterable[str]) -> list[str]:
    every = list(lines)
    others = [f"and {len(every) - _MOST_LINES} other lines like this"] if len(every) > _MOST_LINES else []
    return every[:_MOST_LINES] + others


def _gaps(summary: Summary) -> Table:
    heads = ["Device", "Count", "Average", "Min", "Max"]
    drawn = table(*heads, right=heads[1:])
    for entry in summary.after_synchronizing:
        times = (entry.average, entry.shortest, entry.longest)
        drawn.add_row(printable(entry.name), str(entry.calls), *map(format_time, times))
    return drawn


def _host(time: HostTime) -> int:
    return time.launchpath + time.driver + time.waiting


def _average(total: int, count: int) -> str:
    return format_time(total / count) if count else "-"


def _number(count: int, noun: str) -> str:
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{count} {noun if count == 1 else plural}"


def _evidence(summary: Summary) -> Table:
    drawn = table("Finding", "Event", "Where", *_NUMBERS, right=_NUMBERS)
    for row in summary.evidence:
        size = format_bytes(row.n_bytes) if row.n_bytes else ""
        drawn.add_row(row.kind, row.event, printable(row.where), str(row.count), format_time(row.ns), size)
    return drawn
