"""Checks of traces with CUPTI: the times in the file are those of CUPTI's records, each with its own command."""

from pathlib import Path

import launchpath as lp
from launchpath import _core
from launchpath._trace import format
from tests.gpu.standin import Standin
from tests.standin.client import soon
from tests.standin.cupti_control import KERNEL, CuptiControl
from tests.tracing.raw import Raw, read

ANOTHER = "events: another profiler is attached to this process"
SOURCE = "cupti"


def known() -> bool:
    """Whether the times of all submitted commands are known."""
    _core.trace_wait(100)
    return _core.trace_outstanding()[0] == 0


def all_known() -> None:
    """Wait until the times of all submitted commands are known."""
    assert soon(known)


def names(raw: Raw) -> dict[int, tuple[str, int]]:
    """Kernels and their grids by the launches' correlation ids."""
    return {
        int(command["correlation"]): (raw.name(command), int(detail["grid"][0])) for command, detail in raw.dispatches()
    }


def check(path: Path, cupti: CuptiControl) -> Raw:
    """Read a file; check that each command has one slot of times, its own kernel's, in the order of its stream."""
    raw = read(path)
    commands = [pair for pair in raw.commands() if not pair[0]["flags"] & format.KEPT_BACK]
    times = raw.times()
    timed = [int(command["correlation"]) for command, _ in commands if command["flags"] & format.TIMED]
    assert len(set(timed)) == len(timed)
    assert sorted(timed) == sorted(times)
    assert all(slot["started"] <= slot["ended"] for slot in times.values())
    records = [record for record in cupti.complete_records() if record.kind == KERNEL]
    kernels = {(record.start, record.end): (record.name, record.grid) for record in records}
    launches = names(raw)
    for correlation, slot in times.items():
        if correlation in launches:
            assert kernels[int(slot["started"]), int(slot["ended"])] == launches[correlation]
    _check_order(commands, times, clock_error(raw))
    return raw


def clock_error(raw: Raw) -> int:
    """Nanoseconds by which times of launches may be off from those of copies and fills: events tell the latter."""
    return 2 * int(raw.slots(format.DEVICE_CLOCK)["error"].max(initial=0))


def _check_order(commands, times, error) -> None:
    """Commands of a stream run one after the other; a kernel behind a kernel may begin before that has ended."""
    last: dict[int, tuple[int, int, bool]] = {}
    for command, detail in sorted(commands, key=lambda pair: (int(pair[1]["number"]), int(pair[0]["correlation"]))):
        slot = times.get(int(command["correlation"]))
        if slot is None:
            continue
        stream = int(command["stream"])
        is_launch = int(detail["command"]) == format.LAUNCH
        began, ended, was_launch = last.get(stream, (0, 0, False))
        assert int(slot["started"]) + error >= (began if is_launch and was_launch else ended)
        assert int(slot["ended"]) + error >= ended
        last[stream] = int(slot["started"]), int(slot["ended"]), is_launch


def rows(path: Path) -> dict:
    """The table of the trace's commands."""
    (table,) = lp.read_trace(path).dispatches()
    return table


def source(path: Path, ordinal: int = 0) -> str:
    """The source of a CUDA device's times, as the file names it; devices of other drivers may be in the file too."""
    meta = read(path).meta
    places = [place for place, facts in enumerate(meta["devices"]) if facts["driver"] == "cuda"]
    return str(meta["times"][str(places[ordinal])])


def calls_of(gpu: Standin, *names: str) -> list[str]:
    """The CUDA library's calls of these names since the last time."""
    return [call.name for call in gpu.calls(*names)]


def events_recorded(gpu: Standin) -> int:
    """Count events that were recorded in streams with launches since the last time: measuring clocks has its own stream."""
    calls = gpu.calls()
    streams = {call.stream for call in calls if call.name in ("cuLaunchKernel", "cuGraphLaunch")}
    return sum(call.name == "cuEventRecord" and call.stream in streams for call in calls)


def detached(cupti):
    """Wait until the monitor has detached it."""
    return soon(lambda: not cupti.attached)


def by_events(gpu, launcher):
    """Launch ten times; return whether events were recorded before and behind each."""
    gpu.forget_calls()
    for _ in range(10):
        launcher()
    all_known()
    recorded = events_recorded(gpu)
    assert recorded == 0 or recorded >= 20
    return recorded != 0
