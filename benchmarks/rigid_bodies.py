"""Compare the kinds of arguments of examples/rigid_bodies.py, and steps with eager launches, in trials that take turns.

    .venv/bin/python -m benchmarks.rigid_bodies --device cuda --check --json benchmarks/results/rigid-bodies-cuda.json

Steps per second of each trial; and, on a CUDA device where torch is installed, how long the kernels of a step took on
the device in each mode, as CUPTI records it (torch's profiler brings that; it sees the kernels of the whole process).
The exit code is 1 if the runs came to different states, or to one that no physics allows, or with ``--check`` if a
figure is not what it must be; the others are those of ``launchpath bench``.
"""

from __future__ import annotations

import importlib
import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import click

import launchpath as lp
from examples.rigid_bodies import (
    MODES,
    RATIOS,
    SIZES,
    STEP,
    Layout,
    Simulation,
    descriptions,
    keeps_back,
    runs,
    skips,
    source,
)
from examples.rigid_bodies_comparison import Comparison, compare, report
from launchpath._cli.failure import Failure, in_words
from launchpath._cli.shown.output import Output
from launchpath._cli.words.options import Command, chosen, device_option, json_option

EXAMPLE_OVER_UPLOADS = 1.15  # steps per second with skipping over without, on a GPU
STEP_OVER_EAGER = 2.5  # steps per second with an lp.Step over without, on a GPU
KERNEL_TIME = 0.01  # by which the kernels' own time may differ then

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
    times: dict[str, list[float]] = {mode: [] for mode in MODES}
    for _ in range(TURNS):
        for mode, simulation in simulations.items():
            simulation.reset()
            times[mode].append(sum(recorded(torch, simulation)) / RECORDED)
    return times


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
    expected = RECORDED * len(simulation.step)
    if len(took) != expected:
        raise Failure(f"the profiler recorded {len(took)} kernels, {expected} were launched")
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
        "steps_per_second": {mode: [round(rate, 1) for rate in rates] for mode, rates in comparison.rates.items()},
        "step_over_eager": round(statistics.median(comparison.ratios(STEP, "skip")), 3),
        "identical": len(comparison.checksums) == 1,
        "problems": sorted(comparison.problems),
        "kernel_us_per_step": {mode: [round(time, 3) for time in each] for mode, each in kernels.items()},
    }


def missed(kind: str, comparison: Comparison, kernels: dict[str, list[float]]) -> list[str]:
    """Say which figures are not what they must be on a device of this kind."""
    problems = []
    for fast, slow, least in (("skip", "upload", EXAMPLE_OVER_UPLOADS), (STEP, "skip", STEP_OVER_EAGER)):
        over = statistics.median(comparison.ratios(fast, slow))
        if kind == "gpu" and over < least:
            problems.append(f"{fast} / {slow} is {over:.2f}, must be at least {least:.2f}")
    if kernels:
        ratio = statistics.median(kernels["skip"]) / statistics.median(kernels["upload"])
        if abs(ratio - 1) > KERNEL_TIME:
            problems.append(
                f"the kernels' own time, skip / upload, is {ratio:.3f}, must be within {KERNEL_TIME:.0%} of 1"
            )
    return problems


def sizes(command: Command) -> Command:
    """Add the example's options for sizes."""
    for name, (default, text) in reversed(SIZES.items()):
        description = f"{text.capitalize()}."
        option = click.option(f"--{name}", type=click.IntRange(1), default=default, show_default=True, help=description)
        command = option(command)
    return command


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@device_option
@json_option
@click.option("--check", is_flag=True, help="Exit with 1 if a figure is not what it must be.")
@sizes
@in_words()
def main(
    *,
    device_words: tuple[str, ...],
    json_file: str | None,
    check: bool,
    worlds: int,
    bodies: int,
    steps: int,
    trials: int,
) -> None:
    """Compare the kinds of arguments of examples/rigid_bodies.py, and steps, in trials that take turns."""
    output = Output(json_file)
    layout = Layout(worlds, bodies)
    results, wrong = [], []
    devices = chosen(device_words)
    if not skips():
        raise click.UsageError("LAUNCHPATH_SKIP_UPLOADS is 0: there is nothing to compare")
    if not keeps_back():
        raise click.UsageError("LAUNCHPATH_STEPS is 0: there is nothing to compare")
    for device in devices:
        output.print(f"{device.name} ({device.info['platform']}): {layout}, {steps} steps, {trials} trials")
        program = lp.compile(source(), device, name="rigid_bodies")
        comparison = compare(runs(program, layout), steps, trials)
        output.print(report(comparison, descriptions(), RATIOS))
        kernels = kernel_time(program, layout)
        for mode, each in kernels.items():
            spread = f"({min(each):.2f} to {max(each):.2f})"
            output.print(f"{mode:7} {statistics.median(each):.2f} µs of kernels a step {spread}")
        results.append(result(device, layout, steps, comparison, kernels))
        if not comparison.sane:
            wrong.append(f"{device.name}: the states differ, or are wrong")
        if check:
            wrong += [f"{device.name}: {each}" for each in missed(device.info["kind"], comparison, kernels)]
    output.json(results)
    if wrong:
        raise Failure("; ".join(wrong))


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.rigid_bodies")
