"""``launchpath demo``: what launchpath does, on programs of a few lines."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from launchpath import __version__
from launchpath._bench import demo as bench
from launchpath._bench.demo import Demonstration, Mistake
from launchpath._bench.measure import LAUNCHES, Size
from launchpath._bench.result import Result, Row, scaled
from launchpath._cli.failure import Failure
from launchpath._cli.shown.output import Output
from launchpath._cli.shown.progress import progress
from launchpath._cli.words.options import check_writable, chosen, device_option, json_option
from launchpath._findings.report import Report
from launchpath._findings.shown import sentences
from launchpath._report.wrapping import text_width
from launchpath.errors import LaunchpathError

WIDTH = 80
PICTURE = "launchpath-demo.png"
# What the results call the subjects that are always there; other libraries go by their own names.
SUBJECTS = {
    "c": "C, the driver's own calls",
    "launchpath": "launchpath",
    "pyopencl": "PyOpenCL",
    "pyopencl-typed": "PyOpenCL, types declared",
}
_FINDINGS = 3


@click.command()
@device_option
@json_option
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, writable=True),
    callback=check_writable,
    metavar="FILE",
    help=f"Where to write the picture. Default: {PICTURE}, here.",
)
@click.option("--blocks", type=click.IntRange(1), default=bench.BLOCKS, hidden=True)
@click.option("--launches", type=click.IntRange(1, 200), default=LAUNCHES, hidden=True)
def demo(device_words: tuple[str, ...], json_file: str | None, picture: str | None, blocks: int, launches: int) -> None:
    """Run a CUDA program that writes a picture, launch a kernel, and say why a program is slow.

    The cost of a launch is compared with the driver's calls in C, and with other libraries that are installed:
    PyOpenCL, and on CUDA devices those of `launchpath bench launch`. They need a clone of the repository. The messages
    of some mistakes follow. The values that kernels write are checked.
    """
    output = Output(json_file)
    results: list[dict[str, Any]] = []
    failed: list[str] = []
    for number, device in enumerate(chosen(device_words)):
        shown = Demonstration(device)
        output.print(f"launchpath {__version__} on {device.name} ({device.info['platform']})\n")
        about, reason = _program(output, shown, _target(picture, number))
        failed += [f"{reason} on {device.name}"] if reason else []
        count = _launch(output, shown)
        failed += [f"wrong values: {count} on {device.name}"] if count else []
        with progress(f"demo on {device.name}") as step:
            costs = shown.costs(Size(blocks, launches, step))
        _costs(output, costs, blocks, launches)
        findings = _findings(output, shown)
        mistakes, outside = shown.mistakes(), shown.outside()
        _mistakes(output, mistakes, outside)
        messages = [mistake.message for mistake in (*mistakes, *([outside] if outside else []))]
        about |= {"findings": [each.kind for each in findings.findings], "messages": messages}
        results.append({**costs.as_json(), "benchmark": "demo", "wrong": count, **about})
    output.print("Next: docs/tour.md. More libraries and figures: launchpath bench launch.")
    output.json(results[0] if len(results) == 1 else results)
    if failed:
        raise Failure(", ".join(failed))


def _target(picture: str | None, number: int) -> Path:
    """Give the picture's file: of further devices with their numbers in the name."""
    folder = os.getcwd() if os.access(os.getcwd(), os.W_OK) else tempfile.gettempdir()
    path = Path(picture or os.path.join(folder, PICTURE)).absolute()
    return path.with_stem(f"{path.stem}-{number}") if number else path


def _program(output: Output, shown: Demonstration, target: Path) -> tuple[dict[str, Any], str]:
    """Show the CUDA program, run it, and write its picture; give what JSON has of it, and why it failed, if it has."""
    output.print("1. A CUDA program with its main, unchanged: launchpath run mandelbrot.cu\n")
    lines = bench.PROGRAM.splitlines()
    first, last = (next(place for place, line in enumerate(lines) if line.startswith(each)) for each in bench.SHOWN)
    output.print(f"{_indented(chr(10).join([*lines[first:last], '    ...']))}\n")
    if sys.platform != "linux" or platform.machine() != "x86_64":
        output.print("    not run here: programs with host code are for Linux on x86-64\n")
        return {}, ""
    begun = time.monotonic()
    try:
        text, pixels = shown.program()
    except LaunchpathError as error:
        output.print(f"    {error}\n", as_it_is=True)
        return {}, "mandelbrot.cu did not run"
    took = time.monotonic() - begun
    try:
        target.write_bytes(bench.png(pixels))
    except OSError as error:
        raise Failure(f"cannot write {target}: {error.strerror}") from None
    output.print(textwrap.fill(text, WIDTH, initial_indent="    ", subsequent_indent="      "))
    output.print(f"    {took:.1f} s, with compiling what is not in the cache; it has written this picture:")
    output.print(f"    {target}\n", as_it_is=True)
    return {"program": text, "picture": str(target)}, ""


def _launch(output: Output, shown: Demonstration) -> int:
    """Show the kernel and its launch; return how many of its values are wrong."""
    values = shown.launch()
    count = bench.wrong(values)
    output.print(
        f"2. A kernel in CUDA C++, which is HIP C++ too, and its launch from Python.\n\n{_indented(bench.KERNEL)}"
    )
    first, last = " ".join(f"{value:.1f}" for value in values[:3]), f"{values[-1]:.1f}"
    verdict = f"{count} of {len(values)} values are wrong" if count else f"{len(values)} values, all right"
    output.print(f"\n{_indented(bench.LAUNCH)}\n\n    {first} ... {last}: {verdict}\n")
    return count


def _costs(output: Output, costs: Result, blocks: int, launches: int) -> None:
    """Draw a bar for each subject, for each number of arguments."""
    text = (
        f"What a launch costs the host: the time until the call returns, the median of {blocks} blocks of {launches} "
        "launches. The bars' launches take turns in this process. The kernels do nothing."
    )
    output.print(f"{textwrap.fill(text, WIDTH)}\n")
    width = min(output.console.width or WIDTH, WIDTH)
    for count in sorted({row.case["arguments"] for row in costs.rows}):
        output.print(f"    {count} arguments")
        rows = sorted((row for row in costs.rows if row.case["arguments"] == count), key=lambda row: row.us)
        output.print("\n".join(_bars(rows, width)) + "\n", as_it_is=True)
    for subject, reason in costs.left_out:
        output.print(textwrap.fill(f"not measured: {SUBJECTS.get(subject, subject)}: {reason}", WIDTH) + "\n")


def _bars(rows: list[Row], width: int) -> Iterable[str]:
    names = [SUBJECTS.get(row.subject, row.subject) for row in rows]
    times = [scaled(row.us) for row in rows]
    room = width - max(map(text_width, names)) - max(map(len, times)) - 6
    narrow = room < 8  # the bar has a line of its own
    room = width - 8 if narrow else room
    for name, time_, row in zip(names, times, rows, strict=True):
        bar = "#" * max(1, round(room * row.us / max(each.us for each in rows)))
        if narrow:
            yield from (f"      {name}: {time_}", f"      {bar}")
        else:
            yield f"    {name:{max(map(text_width, names))}} {time_:>{max(map(len, times))}} {bar}"


def _findings(output: Output, shown: Demonstration) -> Report:
    """Show the slow program's loop, and what holds it back."""
    output.print("3. Why is a program slow? launchpath why -- python slow.py\n")
    lines = list(enumerate(bench.SLOW.splitlines(), 1))
    begin = next(number for number, line in lines if line.startswith("for "))
    output.print("\n".join(f"    {number:3}  {line}" for number, line in lines if number >= begin) + "\n")
    report = shown.findings()
    width = min(output.console.width or WIDTH, WIDTH)
    texts = [
        f"{number}. {finding.sentence} {sentences.saving(finding)} {sentences.mend(finding)}"
        for number, finding in enumerate(report.findings[:_FINDINGS], 1)
    ]
    for text in texts or sentences.lead(report):
        output.print(textwrap.fill(text, width, initial_indent="    ", subsequent_indent="       "))
    output.print("")
    return report


def _mistakes(output: Output, mistakes: Iterable[Mistake], outside: Mistake | None) -> None:
    output.print("4. Mistakes are refused before the launch, with what to do.\n")
    for mistake in mistakes:
        _told(output, mistake)
    if outside is not None:
        output.print("On a CPU, LAUNCHPATH_DEBUG=bounds finds the accesses outside of memory.\n")
        _told(output, outside)


def _told(output: Output, mistake: Mistake) -> None:
    """Show the code, and the message below it."""
    output.print(_indented(mistake.code))
    width = min(output.console.width or WIDTH, WIDTH)
    for line in mistake.message.splitlines():
        marked = line.lstrip().startswith("^") or line.startswith((" ", "__global__"))  # the compiler's own lines
        output.print(f"      {line}" if marked else textwrap.fill(line, width - 2, **_MESSAGE), as_it_is=marked)
    output.print("")


_MESSAGE: dict[str, Any] = {"initial_indent": "      ", "subsequent_indent": "      ", "break_long_words": False}


def _indented(code: str) -> str:
    return textwrap.indent(code.rstrip("\n"), "    ")
