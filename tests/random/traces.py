"""Check the traces of random programs: ``python -m tests.random.traces FOLDER``.

The programs ran with ``LAUNCHPATH_TRACE=FOLDER/%pid%.lptrace``. Each command that should have times has them once, or is
counted; commands of a stream ran one after the other.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import launchpath as lp
from launchpath._trace import format
from tests.tracing.raw import Raw, read

from .recorder import Recorder
from .report import Outcome

if TYPE_CHECKING:
    from .program import Program

ENDED = 1  # the state of a trace that was ended
SLACK = 1000  # nanoseconds by which times may overlap, besides the errors of the clock that timings count from


def check(raw: Raw, submitting: int = 0) -> str:
    """Return what is wrong with a trace, or an empty text.

    At its end so many threads may have been submitting a command: it has no record, and counts as unfinished or has its times
    already.
    """
    commands = [pair for pair in raw.commands() if not pair[0]["flags"] & format.KEPT_BACK]
    wanted = sorted(int(command["correlation"]) for command, _ in commands if command["flags"] & format.TIMED)
    timed = sorted(int(slot["correlation"]) for slot in raw.slots(format.TIMES))
    if len(set(timed)) != len(timed):
        return f"{len(timed) - len(set(timed))} commands have their times twice"
    if len(set(timed) - set(wanted)) > submitting:
        return f"{len(set(timed) - set(wanted))} times belong to no command"
    missing = len(set(wanted) - set(timed))
    if not 0 <= raw.counters["unfinished"] - missing <= submitting:
        return f"{missing} commands have no times, and {raw.counters['unfinished']} are counted"
    return _order(raw, commands)


def _order(raw: Raw, commands: list[tuple[np.void, np.void]]) -> str:
    """Return what is wrong with the order of a stream's commands.

    A kernel behind a kernel may begin before that has ended, but not before it has begun, and ends after it. All others begin
    when the command before has ended.
    """
    times = raw.times()
    has_dependent = any(facts["driver"] == "cuda" for facts in raw.meta["devices"])
    slack = SLACK + 2 * int(raw.slots(format.DEVICE_CLOCK)["error"].max(initial=0))
    before: dict[
        int, tuple[int, int, bool]
    ] = {}  # by stream: when the last command began and ended, and whether it is a launch
    overlaps: list[tuple[int, str]] = []
    for command, detail in sorted(commands, key=lambda pair: (int(pair[1]["number"]), int(pair[0]["correlation"]))):
        slot = times.get(int(command["correlation"]))
        if slot is None or slot["flags"] & format.FAILED or detail["step"]:
            continue
        stream = int(command["stream"])
        is_launch = has_dependent and int(detail["command"]) == format.LAUNCH
        began, ended, was_launch = before.get(stream, (0, 0, False))
        early = (began if is_launch and was_launch else ended) - int(slot["started"])
        early = max(early, ended - int(slot["ended"]))
        if early > slack:
            overlaps.append(
                (early, f"{command['correlation']} ({raw.name(command) or 'a copy or fill'}) of stream {stream}")
            )
        before[stream] = int(slot["started"]), int(slot["ended"]), is_launch
    if not overlaps:
        return ""
    most, which = max(overlaps)
    return f"{len(overlaps)} commands are not in order: command {which} by {most} ns"


def check_all(recorder: Recorder, threads: int) -> str:
    """Return what is wrong with the traces that a program has begun, or an empty text. Those that are right are removed."""
    texts = []
    for number, path in enumerate(recorder.paths):
        raw = read(path)
        text = check(raw, threads) or recorder.check(number, raw)
        if text:
            texts.append(f"{path}: {text}")
        else:
            path.unlink()
    return "\n".join(texts)


def run_traced(program: Program, options: dict[str, Any]) -> Outcome:
    """Run a program in a trace of its own, and check both."""
    with tempfile.NamedTemporaryFile(suffix=".lptrace", delete=False) as file:
        path = Path(file.name)
    with lp.trace(path, **options):
        outcome = program.run()
    text = check(read(path)) if outcome.kind == "right" else ""
    if text:
        return Outcome(outcome.seed, "wrong", outcome.operations, f"{program}: {path}: {text}")
    path.unlink()
    return outcome


def main() -> int:
    """Check all traces of a folder, and return the exit code."""
    wrong, commands, sources = 0, 0, set()
    files = sorted(Path(sys.argv[1]).glob("*.lptrace"))
    for path in files:
        raw = read(path)
        commands += len(raw.slots(format.TIMES))
        sources |= {source.split(":")[0] for source in raw.meta.get("times", {}).values()}
        text = check(raw) if raw.counters["state"] == ENDED else ""  # others are of processes that were killed
        if text:
            wrong += 1
            print(f"{path}: {text}")
    print(
        f"{len(files)} traces, {commands} commands with times, from {', '.join(sorted(sources)) or 'timings'}: {wrong} wrong"
    )
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
