"""Processes that end at random, and what the recorder has of them: ``python -m tests.recorder.ends --seeds 200``.

Each seed is a program of some processes and threads (`ends.c`). They launch, fork, exec, spawn and unload the driver's library,
and end in any way: by exit, a signal, a crash, or while threads still run. Threads count the launches that have returned. A
file must have each of them, and at most the one that was under way besides.

The last line counts programs and launches; the exit code is 1 if a record was missing, or too many, or a program hung.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy

import launchpath as lp
from launchpath._recorder.environment import loading
from launchpath._tracing.by_environment import BEGUN, OPTIONS, PATH
from tests.recorder.cuda_random import PTX, standin_variables
from tests.recorder.opencl import platform
from tests.recorder.programs import compiled
from tests.standin.build import library
from tests.standin.client import IMAGE

NO_PLATFORM = 92
PATIENCE = 60.0  # seconds until a program counts as hung
ROW = numpy.dtype([("pid", "i4"), ("tid", "i4"), ("returned", "u8")])
ROWS_MOST = 4000
FUNCTIONS = {"cuda": "cuLaunchKernel", "opencl": "clEnqueueNDRangeKernel"}


class Ended(NamedTuple):
    """How a program of a seed went."""

    problems: list[str]
    launches: int  # that had returned
    files: int
    absent: bool  # there is no such platform


def run(program: Path, folder: Path, seed: int, which: str = "standin") -> Ended:
    """Run the program of a seed, and compare its files with its counts.

    Parameters
    ----------
    program : path
        `ends.c`, compiled.
    folder : path
        An empty one.
    seed : int
    which : {"standin", "cuda", "Intel", "Portable"}
        Whose driver it uses; "cuda": that of a GPU.
    """
    draw = random.Random(f"{seed} {which}")
    kind = "cuda" if which in ("standin", "cuda") else "opencl"
    if kind == "cuda":
        loader = str(library("cuda")) if which == "standin" else "libcuda.so.1"
        variables = standin_variables() if which == "standin" else {}
        (folder / "image").write_bytes(IMAGE if which == "standin" else PTX)
        third = str(folder / "image")
    else:
        loader, variables = platform(which)
        third = which
    options = {
        "mode": draw.choice(["host", "device"]),
        "ring": draw.choice([64, 64, 256, 16384]),
        "when_full": draw.choice(["wait", "wait", "wait", "drop"]),
    }
    counts = folder / "counts"
    counts.write_bytes(bytes(8 + ROWS_MOST * ROW.itemsize))
    begun = time.time_ns()
    environment = {name: text for name, text in os.environ.items() if name not in (PATH, OPTIONS, BEGUN)}
    environment |= {**variables, PATH: str(folder / "t.lptrace")}
    environment |= loading(options, begun, environment).variables
    words = [str(program), kind, loader, third, str(counts), str(seed), "2"]
    outside = draw.choice([None, None, None, signal.SIGKILL, signal.SIGTERM])
    code, problems = _run(
        words, environment, counts, outside, draw.uniform(0.005, {"standin": 0.15, "cuda": 2.0}.get(which, 0.6))
    )
    rows = _rows(counts)
    problems += _compare(folder, rows, FUNCTIONS[kind], options["when_full"] == "drop")
    return Ended(problems, int(rows["returned"].sum()), len(list(folder.glob("*.lptrace"))), code == NO_PLATFORM)


def _run(
    words: list[str], environment: dict[str, str], counts: Path, outside: int | None, after: float
) -> tuple[int, list[str]]:
    """Run a program, kill it from outside perhaps, and wait for all of its processes."""
    with subprocess.Popen(
        words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        end = time.monotonic() + PATIENCE
        if outside is not None:
            time.sleep(after)
            process.send_signal(outside)
        hung, quiet = set(), 0
        while quiet < 3:  # a look may miss a process that begins while its parent ends
            process.poll()
            alive = _alive(process.pid)
            quiet = 0 if alive else quiet + 1
            if time.monotonic() > end:
                hung = alive
                break
            time.sleep(0.002)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        assert process.stderr is not None
        shown = process.stderr.read()
    problems = [f"hung: {sorted(hung)}"] if hung else []
    if "launchpath" in shown or process.returncode in range(90, 100):
        problems.append(f"exit code {process.returncode}: {shown.strip()}")
    return process.returncode, problems


def _alive(session: int) -> set[int]:
    """Find the processes of a session that have not ended."""
    alive = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, _, of = path.read_text().rpartition(")")[2].split()[:4]
            others = len(list((path.parent / "task").iterdir())) > 1  # of a process whose first thread has ended
            if int(of) == session and (state not in "ZX" or others):
                alive.add(int(path.parent.name))
    return alive


def _rows(counts: Path) -> Any:
    data = counts.read_bytes()
    return numpy.frombuffer(data, ROW, offset=8, count=int.from_bytes(data[:8], "little"))


def _compare(folder: Path, rows: Any, function: str, drops: bool) -> list[str]:
    returned: Counter[tuple[int, int]] = Counter()
    most: Counter[tuple[int, int]] = Counter()
    for row in rows:
        key = int(row["pid"]), int(row["tid"])
        returned[key] += int(row["returned"])
        most[key] += int(row["returned"]) + 1
    recorded: Counter[tuple[int, int]] = Counter()
    dropped: Counter[int] = Counter()
    problems = []
    for file in folder.glob("*.lptrace"):
        saved = lp.read_trace(file)
        (table,) = saved.dispatches()
        process, counters = saved.summary().processes[0], saved.summary().counts
        pid = process["pid"]
        for thread in table["thread"][(table["function"] == function) & ~table["failed"]].tolist():
            recorded[pid, thread] += 1
        dropped[pid] += counters["dropped"]
        if counters["lost"] or counters["unknown_blocks"]:
            problems.append(f"{file.name}: damaged")
    for pid, tid in returned.keys() | recorded.keys():
        key = pid, tid
        missing = returned[key] - recorded[key]
        if missing > (dropped[pid] if drops else 0):
            problems.append(
                f"process {pid}, thread {tid}: {missing} of {returned[key]} launches that returned have no record"
            )
        if recorded[key] > most[key]:
            problems.append(f"process {pid}, thread {tid}: {recorded[key]} records of {returned[key]} launches")
    return problems


def main() -> int:
    """Run the programs of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.recorder.ends", description=__doc__)
    parser.add_argument("--seeds", type=int, default=200, help="how many programs (200)")
    parser.add_argument("--seed", type=int, default=0, help="of the first (0)")
    parser.add_argument("--device", default="standin", help="standin, cuda, Intel or Portable (standin)")
    chosen = parser.parse_args()
    launches = files = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        program = compiled("ends", Path(folder))
        for seed in range(chosen.seed, chosen.seed + chosen.seeds):
            with tempfile.TemporaryDirectory() as own:
                ended = run(program, Path(own), seed, chosen.device)
            launches, files, failed = launches + ended.launches, files + ended.files, failed + bool(ended.problems)
            for problem in ended.problems:
                print(f"seed {seed}: {problem}", flush=True)
    print(
        f"{chosen.seeds} programs on {chosen.device}: {launches} launches returned, {files} files, {failed} programs failed"
    )
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
