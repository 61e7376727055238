"""``launchpath bench``: benchmarks, and with ``--check`` the requirement beside each figure."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import click

from launchpath._bench import BENCHMARKS, Result
from launchpath._bench.measure import BLOCKS, LAUNCHES, Size
from launchpath._bench.table import result_table
from launchpath._cli.failure import Failure
from launchpath._cli.shown.output import Output
from launchpath._cli.shown.progress import progress
from launchpath._cli.words.group import Group
from launchpath._cli.words.options import Command, chosen, device_option, json_option


@click.group(cls=Group)
def bench() -> None:
    """Measure the cost of launches and memory, beside C and other libraries, and the speed of compiled kernels."""


def _options(command: Command) -> Command:
    command = click.option("--launches", type=click.IntRange(1, 200), default=LAUNCHES, hidden=True)(command)
    return device_option(_without_device(command))


def _without_device(command: Command) -> Command:
    command = click.option("--blocks", type=click.IntRange(1), default=BLOCKS, hidden=True)(command)
    command = click.option(
        "--check",
        is_flag=True,
        help="Show what this project requires of its figures, and exit with 1 if one misses it.",
    )(command)
    return json_option(command)


@bench.command("launch")
@_options
def launch(**options: Any) -> None:
    """Launch with 0, 2 and 16 arguments, against C and other libraries, and beside a busy Python thread.

    The other libraries, if installed: PyOpenCL; on CUDA devices cuda.core, cuda.bindings, CuPy, tvm-ffi, Triton and
    torch. They need a clone of the repository. launchpath is also measured with their tensors and kernels. The figure
    is the host time of a launch on a stream that is held back, so that the device does not disturb it.
    """
    _run("launch", **options)


@bench.command("idle-streams")
@_options
def idle_streams(**options: Any) -> None:
    """Launch on the null stream beside idle and busy streams, with clocks and with a marker in every queue."""
    _run("idle-streams", **options)


@bench.command("arguments")
@_options
def arguments(**options: Any) -> None:
    """Launch with arguments in device memory: unchanged, changed, and allocated, uploaded and freed for each in C."""
    _run("arguments", **options)


@bench.command("memory")
@_options
def memory(**options: Any) -> None:
    """Allocate, copy in and out, and loop over temporaries, against C and other libraries.

    The other libraries, if installed, on CUDA and HIP devices: CuPy and torch. They need a clone of the repository.
    Copies are of pageable and of pinned memory. A copy "until complete" includes the wait for it. A copy without these
    words is asynchronous.
    """
    _run("memory", **options)


@bench.command("step")
@_options
def step_(**options: Any) -> None:
    """Launch 100 kernels in a step with nothing, one or every argument changed, without the step, and in C.

    C launches them in a loop, and on CUDA devices as a graph too, if there is a C compiler. The figures are the host
    time of a launch, and the time until 32 steps are complete. 2,000 launches on 8 streams, and 96 on 8 streams and on
    one, are measured too. The results of all launches are checked.
    """
    _run("step", **options)


@bench.command("trace")
@click.option("--phases", is_flag=True, help="What the parts of a trace cost, on a wide graph.")
@_options
def trace_(*, phases: bool, **options: Any) -> None:
    """Launch without a trace, with one of the host, with the device's times, and serialized; and in C.

    C's launches with the device's times have an event each, which is read at the end. With --phases: what a trace adds
    to each launch of a graph of 2,048 launches on 8 streams that wait for one another, by its parts: setup, timing
    object, arming, completion, and all of it for each dispatch.
    """
    _run("trace", more={"phases": phases}, **options)


@bench.command("compile")
@_options
def compile_(**options: Any) -> None:
    """Compile for the first time, and in a second process that finds the program in the cache."""
    _run("compile", **options)


@bench.command("generated")
@_options
def generated(**options: Any) -> None:
    """Run kernels compiled from HIP C++, against the same kernels written by hand in OpenCL C.

    Those run by PyOpenCL, and need a clone of the repository.
    """
    _run("generated", **options)


@bench.command("import")
@_without_device
def import_(*, json_file: str | None, check: bool, blocks: int) -> None:
    """Import launchpath and NumPy, each in separate processes."""
    output = Output(json_file)
    with progress("import") as step:
        result = BENCHMARKS["import"](Size(blocks, step=step))
    _print(output, result, result.device, check)
    _finish(output, [result], check)


def _run(
    name: str,
    *,
    device_words: tuple[str, ...],
    json_file: str | None,
    check: bool,
    blocks: int,
    launches: int,
    more: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    output = Output(json_file)
    results: list[Result] = []
    for device in chosen(device_words):
        with progress(f"{name} on {device.name}") as step:
            result = BENCHMARKS[name](device, Size(blocks, launches, step), **more)
        _print(output, result, f"{device.name} ({device.info['platform']})", check)
        results.append(result)
    _finish(output, results, check)


def _finish(output: Output, results: list[Result], check: bool) -> None:
    """Write the JSON, and fail if a figure was missed that is checked."""
    data = [result.as_json() for result in results]
    output.json(data[0] if len(data) == 1 else data)
    missed = [f"{figure.text()} {figure.against}" for result in results for figure in result.missed]
    if check and missed:
        raise Failure(f"figures that miss their requirements: {', '.join(missed)}")


def _print(output: Output, result: Result, device: str, check: bool) -> None:
    counts = [row.runs for row in result.rows]
    runs = " to ".join(str(count) for count in sorted({min(counts), max(counts)}))
    output.print(f"{result.benchmark} on {device}: {result.measured}, {runs} blocks\n")
    output.print(result_table(result, check))
    for peer, reason in result.left_out:
        output.print(f"skipped: {peer}: {reason}")
    output.print("")
