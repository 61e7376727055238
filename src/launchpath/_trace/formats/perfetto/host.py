"""The host's side of a Perfetto file: calls, ranges and marks of threads."""

from __future__ import annotations

from typing import Any

import numpy

from launchpath._trace.chunk import Chunk
from launchpath._trace.columns import Array, Table
from launchpath._trace.format import API, CALL, COMMAND_NAMES, FAILED, LAUNCH
from launchpath._trace.formats.perfetto.lanes import begun
from launchpath._trace.formats.perfetto.packets import Packets
from launchpath._trace.formats.perfetto.slices import BEGIN, Columns, Rows, events
from launchpath._trace.labels import Labels
from launchpath._trace.records import Records

# Rows of a thread, the outer ones first.
_API, _COMMAND, _CALL, _SUBMIT = range(4)
_CATEGORIES = ("launchpath", "launchpath", "driver", "driver")
_GRAPH = 1 << 15  # as an entry: the call that runs a graph


class HostSlices:
    """What the threads of a process called."""

    def __init__(self, records: Records) -> None:
        self._records, self._labels = records, records.labels
        self._calls = Columns(
            thread="u4", begin="i8", end="i8", row="u1", entry="u2", device="u2", name="u4", quantity="u8",
            correlation="u8", failed="?", flows="?",
        )  # fmt: skip
        self._ranges = Columns(
            thread="u4", begin="i8", end="i8", name="u4", domain="u4", payload="u8", depth="u2", mark="?", open="?"
        )
        # Commands of graphs: the call that runs them begins at the same time.
        self._graphs = Columns(thread="u4", begin="i8", end="i8", device="u2", correlation="u8", timed="?")
        self._flows: dict[tuple[int, int], list[int]] = {}

    def add(self, chunk: Chunk, commands: Table, ranges: Table) -> None:
        """Take the calls and ranges of a chunk."""
        host = self._records.host
        for kind, row in ((API, _API), (CALL, _CALL)):
            slots, threads = chunk.slots_of(kind), chunk.threads(kind)
            begin, end = host(slots["begin"]), host(slots["end"])
            within = self._records.overlap(begin, end)
            if not within.all():
                slots, threads, begin, end = slots[within], threads[within], begin[within], end[within]
            self._calls.add(
                len(slots),
                thread=threads,
                begin=begin,
                end=end,
                row=row,
                failed=(slots["flags"] & FAILED) != 0,
                **{name: slots[name] for name in ("entry", "device", "quantity", "correlation")},
            )
        self._add_commands(commands)
        self.add_ranges(ranges)

    def add_ranges(self, ranges: Table) -> None:
        """Take ranges and marks."""
        ends = numpy.where(ranges["open"], numpy.iinfo("i8").max, ranges["end"])
        within = self._records.overlap(ranges["begin"], ends)
        ranges = {name: column[within] for name, column in ranges.items()}
        self._ranges.add(len(ranges["begin"]), **ranges)

    def _add_commands(self, table: Table) -> None:
        within = self._records.overlap(table["begin"], table["end"])
        if not within.all():
            table = {name: column[within] for name, column in table.items()}
        single = ~table["in_graph"]
        for row, begin, end, chosen in (
            (_COMMAND, "begin", "end", single),
            (_SUBMIT, "driver_begin", "driver_end", single & ~table["kept_back"]),
        ):
            same = {name: table[name][chosen] for name in ("thread", "device", "name", "correlation")}
            self._calls.add(
                int(numpy.count_nonzero(chosen)),
                begin=table[begin][chosen],
                end=table[end][chosen],
                row=row,
                entry=table["number" if row == _SUBMIT and self._labels.recorder else "command"][chosen],
                quantity=table["waited" if row == _COMMAND else "bytes"][chosen],
                failed=table["failed"][chosen] & ~table["timed"][chosen],
                flows=table["timed"][chosen] & (row == _SUBMIT),
                **same,
            )
        graph = {name: table[name][~single] for name in ("thread", "device", "correlation", "timed")}
        count = int(numpy.count_nonzero(~single))
        if count:
            times = {"begin": table["driver_begin"][~single], "end": table["driver_end"][~single]}
            self._graphs.add(count, **times, **graph)

    def write(self, packets: Packets, pid: int, process: int) -> None:
        """Write the tracks of all threads."""
        self._join_graphs(packets)
        threads: dict[int, int] = {}
        for (thread,), table in self._calls.groups("thread"):
            threads[thread] = packets.thread(pid, thread, self._labels.thread(thread), process)
            self._write_calls(packets, threads[thread], thread, table)
        for (thread,), table in self._ranges.groups("thread"):
            if thread not in threads:
                threads[thread] = packets.thread(pid, thread, self._labels.thread(thread), process)
            self._write_ranges(packets, threads[thread], table)

    def _join_graphs(self, packets: Packets) -> None:
        """Make a call of each run of a graph, if there is none yet, and let the flows to its commands begin there."""
        called: set[tuple[int, int]] = set()
        for part in self._calls.parts() if self._graphs.parts() else ():
            chosen = part["row"] == _CALL
            called.update(zip(part["thread"][chosen].tolist(), part["begin"][chosen].tolist(), strict=True))
        for (thread, begin), table in self._graphs.groups("thread", "begin"):
            timed = table["correlation"][table["timed"]].tolist()
            self._flows[thread, begin] = [packets.flow(correlation) for correlation in timed]
            if (thread, begin) not in called:
                self._calls.add(
                    1,
                    thread=thread,
                    begin=begin,
                    end=table["end"][0],
                    row=_CALL,
                    entry=_GRAPH,
                    device=table["device"][0],
                )

    def _write_calls(self, packets: Packets, track: int, thread: int, table: dict[str, Array]) -> None:
        rows = Rows(table, "begin", "end", "row")
        drawn = events(rows.table["begin"], rows.table["end"], rows.table["row"])
        for event, lane in begun(packets, drawn, "calls that overlap", track, track):
            row = rows[event.place]
            flows = [packets.flow(row["correlation"])] if row["flows"] else []
            if row["row"] == _CALL:
                # A call that another call of the same time is part of may have them already.
                flows += self._flows.pop((thread, row["begin"]), [])
            name = _name(row, self._labels)
            packets.event(event, lane, name, _CATEGORIES[row["row"]], _annotations(row), flows)

    def _write_ranges(self, packets: Packets, thread: int, table: dict[str, Array]) -> None:
        last = max(int(table["end"].max()), int(table["begin"].max()))
        rows = Rows({**table, "end": numpy.where(table["open"], last, table["end"])}, "begin", "end", "depth")
        drawn = events(rows.table["begin"], rows.table["end"], rows.table["depth"], rows.table["mark"])
        for event, lane in begun(packets, drawn, "ranges", thread):
            row = rows[event.place]
            annotations: dict[str, int | str] = {"payload": row["payload"]} if row["payload"] else {}
            if row["domain"]:
                annotations["domain"] = self._labels.name(row["domain"])
            if row["open"]:
                annotations["open"] = "not ended when the records end"
            category = "range" if event.type == BEGIN else "mark"
            packets.event(event, lane, self._labels.name(row["name"]), category, annotations)


def _name(row: dict[str, Any], labels: Labels) -> str:
    if row["row"] == _API:
        return labels.api(row["entry"])
    if row["row"] == _CALL:
        return labels.graph_run(row["device"]) if row["entry"] == _GRAPH else labels.entry(row["device"], row["entry"])
    if row["row"] == _SUBMIT:
        return (labels.entry if labels.recorder else labels.command)(row["device"], row["entry"])
    command = COMMAND_NAMES.get(row["entry"], f"(command {row['entry']})")
    return f"{command} {labels.kernel_name(row['name']).short}" if row["entry"] == LAUNCH else command


def _annotations(row: dict[str, Any]) -> dict[str, int | str]:
    annotations: dict[str, int | str] = {}
    if row["correlation"]:
        annotations["correlation"] = row["correlation"]
    if row["quantity"]:
        annotations["waited (ns)" if row["row"] == _COMMAND else "bytes"] = row["quantity"]
    if row["failed"]:
        annotations["failed"] = "yes"
    return annotations
