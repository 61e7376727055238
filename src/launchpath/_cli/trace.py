"""``launchpath trace``: run a program, unchanged, with a trace of each of its processes that uses a device."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click

from launchpath._cli.failure import Failure
from launchpath._cli.signals import signals_kept
from launchpath._cli.words.group import no_such_option
from launchpath._host.run_words import SOURCES
from launchpath._recorder.starting import OutputError, start
from launchpath._trace.condensed.condense import condense_in_place
from launchpath._tracing.clocks.beside import ClockBeside
from launchpath._tracing.clocks.inside import VARIABLE
from launchpath._tracing.keep import KINDS
from launchpath._tracing.options import MODES
from launchpath.errors import LaunchpathError

NO_TRACE = "no trace: no process of the program submitted work that launchpath sees, or could begin one"


@click.command("trace", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option(
    "--output",
    "-o",
    default=None,
    metavar="FILE",
    help="Where to write. %pid%, %rank%, %hostname% and %env{NAME}% are replaced. [launchpath.lptrace; with --keep "
    "summary launchpath.lpsum]",
)
@click.option(
    "--mode",
    type=click.Choice(MODES),
    default="device",
    show_default=True,
    help="`host`: no times of the device, at less cost. `serialized`: one kernel at a time.",
)
@click.option(
    "--device", multiple=True, metavar="WHICH", help="Only these devices: an index, or words. May be repeated."
)
@click.option("--include", multiple=True, metavar="REGEX", help="Only kernels with such a name. May be repeated.")
@click.option("--exclude", multiple=True, metavar="REGEX", help="No kernels with such a name. May be repeated.")
@click.option(
    "--period",
    metavar="[@]DELAY:DURATION[:REPEAT]",
    help="Record for DURATION seconds after DELAY seconds, so many times; 0: until the end. @8:2:0: in all processes "
    "the same seconds, 2 from each multiple of 8 + 2 on the clock.",
)
@click.option(
    "--when-full",
    type=click.Choice(["wait", "drop"]),
    default="wait",
    show_default=True,
    help="What a thread does when its records find no room.",
)
@click.option("--timing-objects", type=click.IntRange(1), default=4096, show_default=True, help="At most so many.")
@click.option(
    "--cupti",
    is_flag=True,
    help="Let CUPTI, where it is installed and free, tell the times of launches on CUDA devices. That costs less than "
    "events. It can crash programs of several threads: see docs/tracing.md.",
)
@click.option("--findings", is_flag=True, help="Record what `launchpath why` reads its findings from, too.")
@click.option(
    "--keep",
    type=click.Choice(KINDS),
    default="records",
    show_default=True,
    help="`summary`: what the records sum up to, in kilobytes. `slow`: that, and the records around slow steps.",
)
@click.option("--slow", type=float, metavar="SECONDS", help="With --keep slow: from when on a step takes long.")
@click.option(
    "--window",
    type=float,
    metavar="SECONDS",
    help="With --keep slow: records before a slow step and after it. [1]",
)
@click.option("--no-sites", is_flag=True, help="Without the source lines of calls.")
@click.option(
    "--clock",
    metavar="HOST:PORT",
    help="Measure this host's clock against that of HOST, so that times of several hosts can be compared: one of the "
    "hosts, the same for all, or one where `launchpath clock serve` runs. Default: LAUNCHPATH_TRACE_CLOCK.",
)
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def trace(output: str | None, command: tuple[str, ...], clock: str | None, **options: Any) -> None:
    """Run COMMAND with a trace; `launchpath report` shows it.

    COMMAND is any program that uses CUDA, OpenCL or HIP, by whatever library, and needs no change. Its child processes
    write files of their own: their number goes into the name, unless it has %pid%. The exit code is the program's. A
    process that runs already cannot be traced: start it by this command.
    """
    if command[0].startswith("-"):  # what is no option here would be taken for the program
        raise no_such_option(command[0])
    if options["keep"] == "slow" and options["slow"] is None:
        raise click.UsageError("expected --slow SECONDS with --keep slow: from when on a step takes long")
    output = output or ("launchpath.lpsum" if options["keep"] == "summary" else "launchpath.lptrace")
    trace_options = {name: value for name, value in options.items() if value not in (None, (), False)}
    if trace_options.pop("no_sites", False):
        trace_options["sites"] = False
    code, written = run_traced(command, output, trace_options, clock)
    if written:
        click.echo(f"launchpath: to see the trace: launchpath report {shlex.join(written)}", err=True)
    else:
        click.echo(f"launchpath: {NO_TRACE}", err=True)
    sys.exit(code)


def run_traced(
    command: Sequence[str], output: str, trace_options: dict[str, Any], clock: str | None = None
) -> tuple[int, list[str]]:
    """Run a program with a trace of each of its processes; give its exit code, and the files that these have written.

    This host's clock is measured against `clock`, or what the environment names, if there is one.

    Raises
    ------
    Failure
        The program cannot be run, or no trace can be written there.
    LaunchpathError
        An option of the trace is wrong.
    """
    with signals_kept() as signals:  # before threads start, for each of them could take a signal
        # The program's own traces would measure as well, and worse.
        environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
        try:
            prepared = start(output, trace_options, environment)
        except OutputError as error:
            raise Failure(str(error)) from None
        _remark(prepared.remarks)
        where = clock or os.environ.get(VARIABLE)
        beside = ClockBeside(where) if where else None
        try:
            code = signals.run(command, prepared.environment)
        except OSError as error:
            python = command[0].endswith(".py") and os.path.exists(command[0])
            hint = f": a program in Python is run by `python {command[0]}`" if python else ""
            if command[0].endswith(SOURCES) and os.path.exists(command[0]):
                hint = f": a source is compiled and run by `launchpath run {command[0]}`"
            raise Failure(f"cannot run {command[0]}: {error.strerror}{hint}") from None
        finally:
            if beside is not None:
                _remark(beside.end())
    written = prepared.written()
    if beside is not None:
        _remark(beside.note(written))
    if trace_options.get("keep") == "summary":
        _condense(written)
    return 128 - code if code < 0 else code, written


def _condense(written: Iterable[str]) -> None:
    """Make condensed traces of what processes have left that kept their summaries alone."""
    for path in written:
        try:
            condense_in_place(path)
        except (LaunchpathError, OSError) as error:  # as it is `launchpath report` reads it too
            click.echo(f"launchpath: {path}: it stays as the program has left it: {error}", err=True)


def _remark(remarks: Iterable[str]) -> None:
    for remark in remarks:
        click.echo(f"launchpath: {remark}", err=True)
