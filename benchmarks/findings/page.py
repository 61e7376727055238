"""Write docs/findings-corpus.md from benchmarks/results: ``python -m benchmarks.findings.page [--check]``.

The page has a table for each device, the machine named: what `launchpath why` said of each program, what its faults
cost, and how far the predictions were off. With ``--check`` nothing is written, and the exit code is 1 if the page is
not up to date.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.findings.summary import EDGES, REQUIRED
from benchmarks.tables import RESULTS, table

PAGE = Path(__file__).parents[2] / "docs" / "findings-corpus.md"
DEVICES = ("intel", "pocl", "cuda")
HOWS = ("simulated", "replayed", "intervened")
BEGINNING = """# Findings, measured

This page shows how far [findings](findings.md) can be trusted. `python -m benchmarks.findings.page` writes it from the
results of `python -m benchmarks.findings --device DEVICE --prove`.

The corpus has programs with known faults. Each runs with its fault and without it, in turn and without a trace: the
difference is what the fault costs. Then `launchpath why` has to name the fault first, to say nothing of the program
without it, and to predict the difference. All three take turns three times, and medians are compared.

These are runs with `--quick`, so each difference is of three to five pairs of runs, and of up to eight where programs
of `cuda` were judged again. Proofs, which are replays and interventions, were asked for on `intel`, of some programs on
`pocl`, and on `cuda` of those that were judged again.
"""
LIMITS = """
## What keeps predictions from being better

- **The machines.** Both are virtual. On the 2 processors of `intel` and `pocl` a loop of kernels took 222 µs in
  one minute and 280 µs in another. One busy processor lost 1.5 % of its time to interrupts, both lost 3 %.
  Seven runs of one program took 1782 to 1886 µs a step, and a tenth of what a mend saves is less than that. Of
  more than half of the programs the difference is not known to 5 %.
- **Times of PyOpenCL's commands.** A trace asks the library for an event of each command, and Intel's runtime
  then works longer: a step of 64 launches took 337 to 402 µs in mode `host` and 482 to 580 µs with times, one
  of 64 small copies 870 to 1000 µs and 1290 to 1380 µs. What of that is the trace's cost no record tells:
  `pairs.pyopencl.launch_bound` and `small_copies` are predicted from the longer steps.
- **Memory that was just allocated.** A kernel of `allocations` took 41 µs where it was the first to touch its
  memory, and 39 µs on memory of the pool, 32 times a step. The prediction has the time of the calls alone.
- **Steps of short kernels on a GPU.** Times between kernels by CUPTI are longer than without it: 2 µs in place
  of 0.5 µs.
- **Uploads of many bytes.** To tell that bytes are the same a trace reads them: 0.6 to 0.9 ms for 4 MiB on the
  H200's host. What an upload costs is then known from a run in which it is slower: `apps.reaction_diffusion` on `cuda`.
- **Locks that one thread keeps.** Of `apps.serving` on `cuda` the lock is not named, but the host's code between two
  calls. Threads that only wait for a lock make no calls: a trace has no record of them.
- **Processors that threads share.** What a thread loses depends on what the system lets run next: the same
  program lost 711 and 981 µs a step in two runs, of which 798 and 902 µs were predicted.
"""


def page(results: dict[str, dict[str, Any]]) -> str:
    """Return the page for the results of some devices."""
    parts = [BEGINNING, "## All devices\n", _figures(results), LIMITS, "## Errors of the predictions\n"]
    parts += ["The share of what was measured by which a prediction is off: how many predictions.\n", _errors(results)]
    for device, result in results.items():
        parts += ["", f"## {device}\n", f"{result['machine']}; {result['device']}.\n", _programs(result)]
        if result.get("again"):
            parts.append(f"\nJudged again, after findings were mended: {', '.join(result['again'])}.")
        if result.get("left_out"):
            parts.append(f"\nNot judged here: {', '.join(result['left_out'])}.")
        if "bounds" in result:
            right = sum(row["right"] for row in result["bounds"])
            parts.append(
                f"\nOf {len(result['bounds'])} random programs, {right} were told right: bound by the host, by"
            )
            parts.append("the device, or by neither.")
    return "\n".join(parts) + "\n"


def _figures(results: dict[str, dict[str, Any]]) -> str:
    names = {"named": "the planted fault is named first", "line": "its line is", "silent": "nothing is said without it"}
    lines = [
        [text, _required(name), *(_percent(each["figures"][name]) for each in results.values())]
        for name, text in names.items()
    ]
    for how in HOWS:
        shares = [_percent(each["figures"][how]["share"]) for each in results.values()]
        lines.append([f"{how}: within 10 % or 5 µs a step", _required(how), *shares])
        possible = [_percent(each["figures"][how].get("possible")) for each in results.values()]
        lines.append(["the same, or within the interval of what was measured", "", *possible])
    return table(["figure", "must be", *results], lines)


def _errors(results: dict[str, dict[str, Any]]) -> str:
    lines = []
    for device, result in results.items():
        for how in HOWS:
            of = result["figures"][how]
            if of["predictions"]:
                lines.append([f"{device}, {how}", *map(str, of["counts"].values()), f"{of['median']:.1%}"])
    return table(["predictions", *(f"to {edge:.0%}" for edge in EDGES), "more", "median"], lines)


def _programs(result: dict[str, Any]) -> str:
    lines = []
    for row in result["rows"]:
        for kind, measured in row["us_measured"].items():
            half = (measured["high"] - measured["low"]) / 2
            of_kind = {each["how"]: each["us"] for each in row["predictions"] if each["kind"] == kind}
            predicted = [f"{of_kind[how]:.0f}" if how in of_kind else "" for how in HOWS]
            verdict = "yes" if row["named"] and row["costs"] else "costs nothing" if not row["costs"] else "no"
            cost = f"{measured['value']:.0f} ± {half:.0f}"
            lines.append([f"{row['program']}: {kind}", verdict, "yes" if row["silent"] else "no", cost, *predicted])
    return table(["program and fault", "named first", "silent without", "costs, µs a step", *HOWS], lines)


def _required(name: str) -> str:
    return f"at least {REQUIRED[name]:.0%}" if name in REQUIRED else ""


def _percent(share: float | None) -> str:
    return "not measured" if share is None else f"{share:.0%}"


def main() -> int:
    """Write the page, or check it."""
    files = {device: RESULTS / f"findings-{device}.json" for device in DEVICES}
    text = page({name: json.loads(file.read_text(encoding="utf-8")) for name, file in files.items() if file.exists()})
    if "--check" in sys.argv[1:]:
        return int(not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
