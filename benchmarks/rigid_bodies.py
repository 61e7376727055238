"""Hold the three ways of giving arguments of examples/rigid_bodies.py against each other, in trials that take turns.

    .venv/bin/python -m benchmarks.rigid_bodies --device cuda --json benchmarks/results/rigid-bodies-cuda.json

Steps per second of each trial; and, on a CUDA device where torch is installed, how long the kernels of a step took on
the device in each mode, as CUPTI records it (torch's profiler brings that; it sees the kernels of the whole process).
The exit code is 1 if the modes came to different states, or to one that no physics allows.
"""

from __future__ import annotations

import argparse
import importlib
import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import launchpath as lp
from examples.rigid_bodies import MODES, Comparison, Layout, Simulation, compare, show, source

RECORDED = 300  # steps at a time under the profiler
TURNS = 5  # of the modes there


def kernel_time(program: lp.Program, layout: Layout) -> dict[str, list[float]]:
    """Record how long the kernels of a step took, in microseconds, by mode, several times; empty without a profiler."""
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        return {}
    if program.device.info["driver"] != "cuda" or not torch.cuda.is_available():
        return {}
    torch.zeros(1, device="cuda")  # the profiler begins with torch's own context
    simulations = {mode: Simulation(program, layout, mode) for mode in MODES}
    for simulation in simulations.values():
        simulation.run(1)
    found: dict[str, list[float]] = {mode: [] for mode in MODES}
    for _ in range(TURNS):
        for mode, simulation in simulations.items():
            simulation.reset()
            found[mode].append(sum(recorded(torch, simulation)) / RECORDED)
    return found


def recorded(torch: Any, simulation: Simulation) -> list[float]:
    """Run steps under the profiler, and give how long each kernel took, in microseconds."""
    activities = [torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities) as profile:
        simulation.run(RECORDED)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        profile.export_chrome_trace(str(path))
        events = json.loads(path.read_text(encoding="utf-8"))["traceEvents"]
    took = [float(event["dur"]) for event in events if event.get("cat") == "kernel"]
    wanted = RECORDED * len(simulation.step)
    if len(took) != wanted:
        raise RuntimeError(f"the profiler recorded {len(took)} kernels, {wanted} were launched")
    return took


def result(
    device: lp.Device, layout: Layout, steps: int, comparison: Comparison, kernels: dict[str, list[float]]
) -> dict[str, Any]:
    """Give what was found as JSON has it."""
    return {
        "benchmark": "rigid-bodies",
        "device": device.name,
        "driver": device.info["driver"],
        "worlds": layout.worlds,
        "bodies": layout.bodies,
        "steps": steps,
        "steps_per_second": {mode: [round(one, 1) for one in rates] for mode, rates in comparison.rates.items()},
        "identical": len(comparison.checksums) == 1,
        "problems": sorted(comparison.problems),
        "kernel_us_per_step": {mode: [round(one, 3) for one in each] for mode, each in kernels.items()},
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Arguments of examples/rigid_bodies.py: skipped, uploaded and plain.")
    parser.add_argument("--device", action="append", help="an index, or words; several times (the current device)")
    parser.add_argument("--worlds", type=int, default=256)
    parser.add_argument("--bodies", type=int, default=6)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--json", metavar="FILE")
    given = parser.parse_args()
    layout = Layout(given.worlds, given.bodies)
    results, sane = [], True
    for words in given.device or [None]:
        device = lp.device(words) if words else lp.current_device()
        print(f"{device.name} ({device.info['platform']}): {layout}, {given.steps} steps, {given.trials} trials")
        program = lp.compile(source(), device, name="rigid_bodies")
        comparison = compare(program, layout, given.steps, given.trials)
        show(comparison)
        kernels = kernel_time(program, layout)
        for mode, each in kernels.items():
            print(f"{mode:7} {statistics.median(each):.2f} µs of kernels a step ({min(each):.2f} to {max(each):.2f})")
        results.append(result(device, layout, given.steps, comparison, kernels))
        sane &= comparison.sane
    if given.json:
        Path(given.json).write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    return 0 if sane else 1


if __name__ == "__main__":
    raise SystemExit(main())
