"""``launchpath demo``: a workload of 10,000 launches under three orderings."""

from __future__ import annotations

from typing import Any

import click

from launchpath._bench.demo import ORDERINGS, Outcome, Size, run
from launchpath._cli.failure import Failure
from launchpath._cli.options import chosen, device_option, json_option
from launchpath._cli.output import Output
from launchpath._cli.progress import progress
from launchpath._report import calls_table, format_time
from launchpath._report.console import table
from launchpath._streams.device import Device

EXPLANATION = """\
A launch on the legacy default stream comes after the work of all other blocking streams. The demonstration compares
three ways to make sure of this order. A marker is a driver event that other commands wait for: the first two ways put
markers in the other queues before each launch. The third way, launchpath's own, keeps a clock: it knows which work is
already in order, and makes a marker only for the rest. Fewer markers make a launch cheaper for the host.
On CUDA and HIP devices the driver keeps the order itself, so the three ways are the same there.
Times are of the host. A busy machine changes them.
"""
NUMBERS = ("Average launch", "Over clocks", "Markers made", "Markers avoided")


@click.command()
@device_option
@json_option
@click.option("--rounds", type=click.IntRange(1), default=Size.rounds, hidden=True)
@click.option("--arrays", type=click.IntRange(1), default=Size.arrays, hidden=True)
@click.option("--streams", type=click.IntRange(0), default=Size.streams, hidden=True)
def demo(wanted: tuple[str, ...], json_file: str | None, rounds: int, arrays: int, streams: int) -> None:
    """Run 10,000 launches on the legacy default stream, beside 20 idle streams, under three orderings.

    The orderings: a marker in every queue before each launch; a marker in every queue that is not empty; clocks. For
    each ordering, the host time of HIP's calls, and the numbers of markers made and avoided. Every array is verified.
    """
    output = Output(json_file)
    size = Size(streams=streams, arrays=arrays, rounds=rounds)
    results: list[dict[str, Any]] = []
    wrong = []
    devices = chosen(wanted)
    output.print(EXPLANATION)
    for device in devices:
        with progress(f"demo on {device.name}") as step:
            outcomes = run(device, size, step)
        _print(output, device, size, outcomes)
        results.append({"demo": "null-stream", "device": device.name, "runs": [each.as_json() for each in outcomes]})
        wrong += [f"{len(each.wrong)} with {each.ordering} on {device.name}" for each in outcomes if each.wrong]
    output.json(results[0] if len(results) == 1 else results)
    if wrong:
        raise Failure(f"arrays with wrong values: {', '.join(wrong)}")


def _print(output: Output, device: Device, size: Size, outcomes: list[Outcome]) -> None:
    output.print(
        f"{device.name} ({device.info['platform']}): {size.rounds * size.arrays} launches on the "
        f"legacy default stream, {size.streams} other blocking streams, {size.arrays} arrays"
    )
    for outcome in outcomes:
        output.print(f"\nOrdering: {ORDERINGS[outcome.ordering]}\n")
        output.print(calls_table(outcome.calls))
        output.print(f"\nMarkers made: {outcome.markers_made}, avoided: {outcome.markers_left_out}")
        output.print(f"Arrays verified: {len(outcome.verified)} of {len(outcome.verified) + len(outcome.wrong)}")
    clocks = outcomes[-1].launch_us
    drawn = table("Ordering", *NUMBERS, right=NUMBERS)
    for outcome in outcomes:
        drawn.add_row(
            ORDERINGS[outcome.ordering],
            format_time(outcome.launch_us * 1e3),
            f"{outcome.launch_us / clocks:.2f} x",
            str(outcome.markers_made),
            str(outcome.markers_left_out),
        )
    output.print("\nComparison\n")
    output.print(drawn)
    output.print("")
