"""Whether a straggler planted in one of several processes is named, with its cause.

    python -m benchmarks.ranks [--processes 8] [--steps 80] [--device N] [--json FILE]

In each of the programs the processes wait for each other after every step, by a barrier, and each has a trace of its
own that keeps the summary alone. In one process something is planted: its own code runs for 3 ms more in each step, it
copies 24 MiB more, it launches 600 kernels and not 4, or it waits for 4 ms until a process without a trace answers.
Each of these is planted in three different processes in turn. The report of the traces is right if it names that
process first, with that cause, and no other process as slower in all steps. Root's processes come before others of the
machine. Exit code 1: one of them was not right.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.any_program.__main__ import _processor
from benchmarks.ranks import worker
from benchmarks.ranks.scenes import Scene, scenes
from launchpath._trace.condensed.condense import condensed_files
from launchpath._trace.summaries.summary import Summary

RESULT = Path(__file__).parents[1] / "results" / "ranks.json"
_PATIENCE = 900  # seconds


def main() -> None:
    """Run the programs, and print what was named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--steps", type=int, default=80)
    parser.add_argument("--places", type=int, default=3, help="processes that it is planted in, in turn (3)")
    parser.add_argument("--device", type=int, help="the first one if it is not given")
    parser.add_argument("--json", type=Path, default=RESULT)
    parser.add_argument("--full", action="store_true", help="print the whole comparison of each program")
    asked = parser.parse_args()
    given = scenes(asked.processes, asked.places)
    with tempfile.TemporaryDirectory() as folder:
        run(folder, given, asked.processes, asked.steps, asked.device)
        rows = [row(folder, number, scene, asked.processes, asked.full) for number, scene in enumerate(given)]
    right = sum(each["right"] for each in rows)
    sys.stdout.write(f"{right} of {len(rows)} are right\n")
    result = {
        "benchmark": "ranks",
        "machine": f"{_processor()}, Python {platform.python_version()}, {platform.system()} {platform.release()}",
        "load when it ended": round(os.getloadavg()[0], 1),
        "processes": asked.processes,
        "steps": asked.steps,
        "right": right,
        "of": len(rows),
        "rows": rows,
    }
    asked.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    sys.exit(right < len(rows))


def run(folder: str, given: list[Scene], processes: int, steps: int, device: int | None = None) -> None:
    """Run all scenes in the same processes, one after the other; the folder gets ``SCENE.RANK.lptrace``."""
    context = multiprocessing.get_context("spawn")
    barrier, members, answers = context.Barrier(processes), [], []
    for rank in range(processes):
        mine, its = context.Pipe()
        answers.append(context.Process(target=worker.answer, args=(its,), daemon=True))
        members.append(context.Process(target=worker.work, args=(rank, folder, given, steps, barrier, mine, device)))
    for process in answers + members:
        process.start()
    for process in members:
        process.join(_PATIENCE)
    codes = [process.exitcode for process in members]
    for process in answers + members:
        process.kill()
    if any(codes):
        raise SystemExit(f"expected processes that end with 0, got {codes}")


def row(folder: str, number: int, scene: Scene, processes: int, full: bool = False) -> dict[str, Any]:
    """Tell what a report of a scene's traces names."""
    paths = [f"{folder}/{number}.{rank}.lptrace" for rank in range(processes)]
    summary = Summary.of(condensed_files(paths))
    named = summary.stragglers
    right = bool(named) and (named[0].rank, named[0].cause) == (scene.rank, scene.kind)
    right = right and not any(each.all_along for each in named if each.rank != scene.rank)
    sentence = named[0].sentence(processes - 1) if named else "nobody is named"
    sys.stdout.write(f"{'right' if right else 'WRONG'}: {scene.kind}, rank {scene.rank}: {sentence}\n")
    if full and summary.ranks is not None:
        sys.stdout.write(f"{summary.ranks.sentences()}\n{json.dumps(summary.ranks.as_json()['ranks'], indent=0)}\n")
    return {
        "planted": scene.kind,
        "rank": scene.rank,
        "right": right,
        "sentence": sentence,
        "named": [each.as_json() for each in named],
    }


if __name__ == "__main__":
    main()
