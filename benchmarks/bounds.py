"""Run the corpus of tests/corpus with checks of each access (LAUNCHPATH_DEBUG=bounds), and tell what they cost.

    .venv/bin/python -m benchmarks.bounds --device intel --json benchmarks/results/bounds.json

Each case runs with checks and without, in two processes. A kernel is clean if no check of its failed, and all that it
computes is what NumPy says. The time of a case is the device's, of all its launches, the least of some runs. The exit
code is 1 if a kernel is not clean, or a case takes more than `MOST` times as long with checks. A second run takes the
programs from the cache. ``--theme NAME`` chooses themes.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import launchpath as lp
from launchpath import _core
from tests.corpus.cases import load
from tests.corpus.registry import Case
from tests.corpus.run import compile_source, features, kernels, run

RUNS = 3
MOST = 10.0


def chosen(themes: list[str]) -> list[Case]:
    """Give the cases of some themes, or all."""
    return [case for name, theme in load().items() for case in theme if not themes or name in themes]


def kernel_time(case: Case, program: lp.Program, device: lp.Device) -> float:
    """Run a case, and give the device's time for its launches, in microseconds."""
    run(case, program, device)
    device.synchronize()
    rows = _core.command_times(device)
    return sum((row[6] - row[5]) / 1000 for row in rows if row[0] == "launch" and row[5] is not None)


def measure(device: lp.Device, themes: list[str]) -> None:
    """Run the cases in this process, and print a line for each: the time and the kernels, or what went wrong."""
    here = features(device)
    programs: dict[str, lp.Program] = {}
    _core.time_commands(device)
    for case in chosen(themes):
        names = [f"{path}: {name}" for path, name in sorted(kernels([case]))]
        if case.source.needs - here:
            continue
        try:
            if case.source.key not in programs:
                programs[case.source.key] = compile_source(case.source, device)
            program = programs[case.source.key]
            times = [kernel_time(case, program, device)]
            with suppress(AssertionError):  # a program that counts its runs in a variable gives something else next
                times += [kernel_time(case, program, device) for _ in range(RUNS - 1)]
            outcome: dict[str, Any] = {"microseconds": min(times)}
        except (lp.LaunchpathError, AssertionError, KeyError) as error:
            outcome = {"wrong": f"{type(error).__name__}: {str(error).strip()}"}
        print(json.dumps({"case": case.name, "kernels": names, **outcome}), flush=True)


def in_process(device: str, themes: list[str], bounds: bool) -> dict[str, Any]:
    """Run the cases in a process, with checks or without."""
    environment = {name: value for name, value in os.environ.items() if name != "LAUNCHPATH_DEBUG"}
    environment |= {"LAUNCHPATH_DEBUG": "bounds"} if bounds else {"LAUNCHPATH_LAUNCH_BLOCKING": "1"}
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.bounds", "--measure", "--device", device]
    command += [word for theme in themes for word in ("--theme", theme)]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return read(done.stdout)


def read(text: str) -> dict[str, Any]:
    """Read what `measure` printed, by case."""
    rows = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return {row["case"]: row for row in rows}


def compared(device: str, plain: dict[str, Any], checked: dict[str, Any]) -> dict[str, Any]:
    """Compare the cases without checks and with."""
    every = {name for case_result in checked.values() for name in case_result["kernels"]}
    wrong = {name: case_result["wrong"] for name, case_result in checked.items() if "wrong" in case_result}
    unclean = {name for case in wrong for name in checked[case]["kernels"]}
    slowdowns = {
        case: case_result["microseconds"] / plain[case]["microseconds"]
        for case, case_result in checked.items()
        if case_result.get("microseconds") and plain.get(case, {}).get("microseconds")
    }
    sums = [sum(side[case]["microseconds"] for case in slowdowns) for side in (plain, checked)]
    return {
        "device": lp.device(device).name,
        "kernels": len(every),
        "clean": len(every - unclean),
        "wrong": wrong,
        "cases": len(checked),
        "slowdown": {
            "sum": round(sums[1] / sums[0], 2) if sums[0] else 0,
            "median": round(statistics.median(slowdowns.values()), 2) if slowdowns else 0,
            "most": dict(sorted(slowdowns.items(), key=lambda pair: -pair[1])[:10]),
            "over": sum(times > MOST for times in slowdowns.values()),
        },
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--device", action="append", metavar="WORDS", help="as lp.device takes it; default: every CPU")
    parser.add_argument("--theme", action="append", default=[], help="default: all")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--measure", action="store_true", help="run the cases in this process, and print what came out")
    options = parser.parse_args()
    if options.measure:
        measure(lp.device(options.device[0]), options.theme)
        return 0
    cpus = [
        str(at)
        for at, device in enumerate(lp.devices())
        if (device.info["driver"], device.info["kind"]) == ("opencl", "cpu")
    ]
    results = [
        compared(words, *(in_process(words, options.theme, bounds) for bounds in (False, True)))
        for words in options.device or cpus
    ]
    for result in results:
        slower = result["slowdown"]
        print(
            f"{result['device']}: {result['clean']} of {result['kernels']} kernels clean; kernel time with checks: "
            f"{slower['sum']} x in sum, {slower['median']} x in the median case, {slower['over']} of {result['cases']} "
            f"cases over {MOST:g} x"
        )
        for case, times in slower["most"].items():
            print(f"  {times:6.1f} x  {case}")
        for case, text in result["wrong"].items():
            print(f"  {case}: {text[:400]}")
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=1) + "\n")
    return int(any(result["wrong"] or result["slowdown"]["over"] for result in results))


if __name__ == "__main__":
    sys.exit(main())
