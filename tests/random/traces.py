"""Check the traces of random programs: ``python -m tests.random.traces FOLDER``.

The programs ran with ``LAUNCHPATH_TRACE=FOLDER/%pid%.lptrace``. Each command that should have times has them once, or is
counted; commands of a stream ran one after the other.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from launchpath._trace import format
from tests.tracing.raw import Raw, read

SLACK = 1000  # nanoseconds by which times may overlap, besides the errors of the clock that timings count from


def check(path: Path) -> str:
    """Return what is wrong with a trace, or an empty text."""
    raw = read(path)
    if raw.counters["state"] != 1:
        return ""  # its process was killed, as hung programs are
    commands = [pair for pair in raw.commands() if not pair[0]["flags"] & format.KEPT_BACK]
    timed = sorted(int(command["correlation"]) for command, _ in commands if command["flags"] & format.TIMED)
    slots = raw.slots(format.TIMES)
    told = sorted(int(slot["correlation"]) for slot in slots)
    if len(set(told)) != len(told):
        return f"{len(told) - len(set(told))} commands have their times twice"
    if set(told) - set(timed):
        return f"{len(set(told) - set(timed))} times belong to no command"
    if len(timed) - len(told) != raw.counters["unfinished"]:
        return f"{len(timed) - len(told)} commands have no times, and {raw.counters['unfinished']} are counted"
    return _order(raw, commands)


def _order(raw: Raw, commands: list[tuple[np.void, np.void]]) -> str:
    times = raw.times()
    slack = SLACK + 2 * int(raw.slots(format.DEVICE_CLOCK)["error"].max(initial=0))
    ended: dict[int, int] = {}
    overlaps = largest = 0
    for command, detail in sorted(commands, key=lambda pair: (int(pair[1]["number"]), int(pair[0]["correlation"]))):
        slot = times.get(int(command["correlation"]))
        if slot is None or slot["flags"] & format.FAILED or detail["step"]:
            continue
        stream = int(command["stream"])
        early = ended.get(stream, 0) - int(slot["started"])
        overlaps, largest = overlaps + (early > slack), max(largest, early)
        ended[stream] = int(slot["ended"])
    return f"{overlaps} commands began before the one before them had ended, by up to {largest} ns" if overlaps else ""


def main() -> int:
    """Check all traces of a folder, and return the exit code."""
    wrong, commands, sources = 0, 0, set()
    files = sorted(Path(sys.argv[1]).glob("*.lptrace"))
    for path in files:
        text = check(path)
        raw = read(path)
        commands += len(raw.slots(format.TIMES))
        sources |= {source.split(":")[0] for source in raw.meta.get("times", {}).values()}
        if text:
            wrong += 1
            print(f"{path}: {text}")
    print(
        f"{len(files)} traces, {commands} commands with times, from {', '.join(sorted(sources)) or 'timings'}: {wrong} wrong"
    )
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
