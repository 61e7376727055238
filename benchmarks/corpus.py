"""Run the corpus of tests/corpus on every device, and tell how many of its kernels are right.

    .venv/bin/python -m benchmarks.corpus --json benchmarks/results/corpus.json

A kernel counts as right if everything it computes in all of its cases is what NumPy says; a template is one kernel.
Kernels that a device cannot express (warp functions where there are no sub-groups) are counted by what they need. The
exit code is 1 if any kernel that a device can express is wrong. ``--device WORDS`` chooses devices.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import launchpath as lp
from tests.corpus.cases import load
from tests.corpus.registry import Case
from tests.corpus.run import compile_source, features, kernels, run


def on_device(device: lp.Device, cases: list[Case]) -> dict[str, Any]:
    """Run the cases."""
    here = features(device)
    wrong: dict[tuple[str, str], str] = {}
    lacking: dict[tuple[str, str], str] = {}
    programs: dict[str, lp.Program | lp.LaunchpathError] = {}
    for case in cases:
        missing = case.source.needs - here
        if missing:
            lacking |= dict.fromkeys(kernels([case]), ", ".join(sorted(missing)))
            continue
        key = case.source.key
        if key not in programs:
            try:
                programs[key] = compile_source(case.source, device)
            except lp.LaunchpathError as error:
                programs[key] = error
        program = programs[key]
        try:
            if isinstance(program, lp.LaunchpathError):
                raise program
            run(case, program, device)
        except (lp.LaunchpathError, AssertionError, KeyError) as error:
            wrong |= dict.fromkeys(kernels([case]), f"{case.name}: {type(error).__name__}: {str(error).strip()}")
    everything = kernels(cases)
    return {
        "device": device.name,
        "kernels": len(everything),
        "right": len(everything) - len(wrong) - len(lacking),
        "not_expressible": dict(Counter(lacking.values())),
        "wrong": sorted(set(wrong.values())),
        "cases": len(cases),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--device", action="append", metavar="WORDS", help="as lp.device takes it; default: all")
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    cases = [case for theme in load().values() for case in theme]
    devices = [lp.device(words) for words in arguments.device] if arguments.device else list(lp.devices())
    results = []
    for device in devices:
        began = time.perf_counter()
        result = on_device(device, cases)
        took = time.perf_counter() - began
        results.append(result)
        lacks = "".join(f", {count} need {what}" for what, count in result["not_expressible"].items())
        print(f"{device.name}: {result['right']} of {result['kernels']} kernels right{lacks}; {took:.1f} s")
        for line in result["wrong"]:
            print(f"  {line[:300]}")
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    return int(any(result["wrong"] for result in results))


if __name__ == "__main__":
    raise SystemExit(main())
