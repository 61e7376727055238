"""Writing traces for Perfetto."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import IO

from launchpath._trace.choice import EVERYTHING, Choice
from launchpath._trace.dispatches import commands
from launchpath._trace.formats.perfetto.device import DeviceSlices
from launchpath._trace.formats.perfetto.host import HostSlices
from launchpath._trace.formats.perfetto.moves import Moves
from launchpath._trace.formats.perfetto.packets import Packets
from launchpath._trace.formats.target import check_target
from launchpath._trace.hosts.clocks import Clocks
from launchpath._trace.ranges import open_ranges, range_table
from launchpath._trace.records import Progress, Records
from launchpath._trace.timings import Timings
from launchpath.errors import TraceFileError

_PASSES = 5  # writing takes longer than reading, about so much
_PIDS = 1 << 31  # Perfetto has none above
_APART = (1 << 22) + 1  # Linux has none above, and an odd number comes round to every other one


def write_perfetto(
    paths: Sequence[str | os.PathLike[str]],
    target: str | os.PathLike[str],
    progress: Progress | None = None,
    choice: Choice = EVERYTHING,
) -> None:
    """Write traces for Perfetto: calls and ranges of each thread, commands of each stream, and flows between them.

    Times are the monotonic clock's. Those of several hosts are moved, see `moves`.

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

    Raises
    ------
    ArgumentValueError
        There are more records, or there is no such rank.
    TraceFileError
        A file cannot be read, or is not a trace; or `target` cannot be written, or is one of them.
    LibraryError
        perfetto or protobuf is not installed.
    """
    check_target(paths, target)
    moves = Moves(Clocks.of_files(paths) if len(paths) > 1 else None)
    pids: set[int] = set()
    parts = choice.parts(paths)
    choice.check(parts, "for Perfetto")
    try:
        with open(target, "wb") as file:
            for number, part in enumerate(parts):
                with part.records(progress, passes=_PASSES) as records:
                    _write(file, number, records, moves, pids)
    except OSError as error:
        raise TraceFileError(f"{os.fspath(target)}: expected a file that can be written: {error.strerror}") from None


def _write(file: IO[bytes], number: int, records: Records, moves: Moves, pids: set[int]) -> None:
    about = records.process
    move = moves.of(records)
    packets = Packets(file, number, move.moved, records.proceed)
    if not number:
        packets.clocks(move.moved(records.begin), records.begin + records.real)
    pid = about.pid or 0
    while pid in pids:  # the same on another host
        pid = (pid + _APART) % _PIDS
    pids.add(pid)
    name = " ".join(about.argv) or about.executable or "process"
    process = packets.process(pid, name if about.rank is None else f"rank {about.rank}: {name}", about.argv, move.label)
    timings = Timings(records)
    host, device = HostSlices(records), DeviceSlices(records)
    for chunk in records.chunks():
        table = commands(chunk, records, timings)
        host.add(chunk, table, range_table(chunk, records))
        device.add(table)
    host.add_ranges(open_ranges(records))
    host.write(packets, pid, process)
    device.write(packets, process)
