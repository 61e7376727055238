"""``launchpath demo``: what launchpath does, on a kernel of four lines."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any

import click

from launchpath import __version__
from launchpath._bench.demo import BLOCKS, KERNEL, LAUNCH, TRACED, Demonstration, Mistake, wrong
from launchpath._bench.measure import LAUNCHES, Size
from launchpath._bench.result import Result, Row
from launchpath._cli.failure import Failure
from launchpath._cli.shown.output import Output
from launchpath._cli.shown.progress import progress
from launchpath._cli.words.options import chosen, device_option, json_option
from launchpath._report import calls_table
from launchpath._report.console import table
from launchpath._streams.device import Device

WIDTH = 80
# What the results call the subjects that are always there; other libraries go by their own names.
SUBJECTS = {
    "c": "C, the driver's own calls",
    "launchpath": "launchpath",
    "pyopencl": "PyOpenCL",
    "pyopencl-typed": "PyOpenCL, types declared",
}


@click.command()
@device_option
@json_option
@click.option("--blocks", type=click.IntRange(1), default=BLOCKS, hidden=True)
@click.option("--launches", type=click.IntRange(1, 200), default=LAUNCHES, hidden=True)
def demo(device_words: tuple[str, ...], json_file: str | None, blocks: int, launches: int) -> None:
    """Launch a kernel, and show what that costs, the messages of mistakes, and where the time goes.

    The values that the kernel writes are checked. The cost of a launch is compared with the driver's calls in C, and
    with other libraries that are installed: PyOpenCL, and on CUDA devices those of `launchpath bench launch`. They need
    a clone of the repository.
    """
    output = Output(json_file)
    results: list[dict[str, Any]] = []
    failed = []
    for device in chosen(device_words):
        shown = Demonstration(device)
        count = _launch(output, device, shown)
        failed += [f"{count} on {device.name}"] if count else []
        with progress(f"demo on {device.name}") as step:
            costs = shown.costs(Size(blocks, launches, step))
        _costs(output, costs, blocks, launches)
        mistakes = shown.mistakes()
        outside = shown.outside()
        _mistakes(output, mistakes, outside)
        times = shown.times()
        output.print(f"A trace: the times of {TRACED} launches on the device.\n")
        output.print(calls_table(times, failed=False))
        messages = [mistake.message for mistake in (*mistakes, *([outside] if outside else []))]
        results.append({**costs.as_json(), "benchmark": "demo", "wrong": count, "messages": messages})
    output.print("\nNext: docs/tour.md. More libraries and figures: launchpath bench launch.")
    output.json(results[0] if len(results) == 1 else results)
    if failed:
        raise Failure(f"wrong values: {', '.join(failed)}")


def _launch(output: Output, device: Device, shown: Demonstration) -> int:
    """Show the kernel and its launch; return how many of its values are wrong."""
    values = shown.launch()
    count = wrong(values)
    output.print(f"launchpath {__version__} on {device.name} ({device.info['platform']})\n")
    output.print(f"A kernel in CUDA C++, which is HIP C++ too, and its launch from Python.\n\n{_indented(KERNEL)}\n")
    first, last = " ".join(f"{value:.1f}" for value in values[:3]), f"{values[-1]:.1f}"
    verdict = f"{count} of {len(values)} values are wrong" if count else f"{len(values)} values, all right"
    output.print(f"{_indented(LAUNCH)}\n\n    {first} ... {last}: {verdict}\n")
    return count


def _costs(output: Output, costs: Result, blocks: int, launches: int) -> None:
    """Draw a line for each subject, with a column for each number of arguments."""
    counts = sorted({row.case["arguments"] for row in costs.rows})
    heads = [f"{count} arguments" for count in counts]
    by_subject: dict[str, dict[int, Row]] = {}
    for row in costs.rows:
        by_subject.setdefault(row.subject, {})[row.case["arguments"]] = row
    drawn = table("Launched by", *heads, right=heads)
    for subject, rows in sorted(by_subject.items(), key=lambda each: min(row.us for row in each[1].values())):
        cells = [f"{rows[count].us:.2f} us" if count in rows else "" for count in counts]
        drawn.add_row(SUBJECTS.get(subject, subject), *cells)
    text = (
        f"What a launch costs the host: the time until the call returns, the median of {blocks} blocks of {launches} "
        "launches. The lines take turns in this process. The kernels do nothing."
    )
    output.print(f"{textwrap.fill(text, WIDTH)}\n")
    output.print(drawn)
    for subject, reason in costs.left_out:
        output.print(textwrap.fill(f"not measured: {SUBJECTS.get(subject, subject)}: {reason}", WIDTH))
    output.print("")


def _mistakes(output: Output, mistakes: Iterable[Mistake], outside: Mistake | None) -> None:
    output.print("Mistakes are refused before the launch, with what to do.\n")
    for mistake in mistakes:
        _told(output, mistake)
    if outside is not None:
        output.print("On a CPU, LAUNCHPATH_DEBUG=bounds finds the accesses outside of memory.\n")
        _told(output, outside)


def _told(output: Output, mistake: Mistake) -> None:
    """Show the code, and the message below it."""
    output.print(_indented(mistake.code))
    for line in mistake.message.splitlines():
        marked = line.lstrip().startswith("^") or line.startswith((" ", "__global__"))  # the compiler's own lines
        output.print(f"      {line}" if marked else textwrap.fill(line, WIDTH - 6, **_MESSAGE))
    output.print("")


_MESSAGE: dict[str, Any] = {"initial_indent": "      ", "subsequent_indent": "      ", "break_long_words": False}


def _indented(code: str) -> str:
    return textwrap.indent(code.rstrip("\n"), "    ")
