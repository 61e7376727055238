"""``launchpath trace``: run a program, unchanged, with a trace of each of its processes that uses a device."""

from __future__ import annotations

import glob
import json
import os
import re
import shlex
import sys
from collections.abc import Sequence
from typing import Any

import click

from launchpath._cli.failure import Failure
from launchpath._cli.signals import signals_kept
from launchpath._recorder.environment import loading
from launchpath._tracing.by_environment import BEGUN, OPTIONS, PATH
from launchpath._tracing.file_name import clock_of
from launchpath._tracing.options import MODES
from launchpath._tracing.session import trace as make_trace

NO_TRACE = "no trace: no process of the program submitted work that launchpath sees, or could begin one"


@click.command("trace", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option(
    "--output",
    "-o",
    default="launchpath.lptrace",
    show_default=True,
    metavar="FILE",
    help="Where to write. %pid%, %rank%, %hostname% and %env{NAME}% are replaced.",
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
    metavar="DELAY:DURATION[:REPEAT]",
    help="Record for DURATION seconds after DELAY seconds, so many times; 0: until the end.",
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
@click.option("--no-sites", is_flag=True, help="Without the source lines of calls.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def trace(output: str, command: tuple[str, ...], **options: Any) -> None:
    """Run COMMAND with a trace; `launchpath report` shows it.

    COMMAND is any program that uses CUDA, OpenCL or HIP, by whatever library, and needs no change. Its child processes
    write files of their own: their number goes into the name, unless it has %pid%. The exit code is the program's. A
    process that runs already cannot be traced: start it by this command.
    """
    if command[0].startswith("-"):  # what is no option here would be taken for the program
        context = click.get_current_context()
        raise click.NoSuchOption(command[0].partition("=")[0], ctx=context)
    trace_options = {name: value for name, value in options.items() if value not in (None, (), False)}
    if trace_options.pop("no_sites", False):
        trace_options["sites"] = False
    code, written = run_traced(command, output, trace_options)
    if written:
        click.echo(f"launchpath: to see the trace: launchpath report {shlex.join(written)}", err=True)
    else:
        click.echo(f"launchpath: {NO_TRACE}", err=True)
    sys.exit(code)


def run_traced(command: Sequence[str], output: str, trace_options: dict[str, Any]) -> tuple[int, list[str]]:
    """Run a program with a trace of each of its processes; give its exit code, and the files that these have written.

    Raises
    ------
    Failure
        The program cannot be run, or no trace can be written there.
    LaunchpathError
        An option of the trace is wrong.
    """
    with signals_kept() as signals:  # before threads start, for each of them could take a signal
        make_trace(output, **trace_options)  # it refuses wrong options, once
        output = os.path.abspath(output)
        begun = _checked(output)
        recorder = loading(trace_options, begun)
        for remark in recorder.remarks:
            click.echo(f"launchpath: {remark}", err=True)
        own = {PATH: output, OPTIONS: json.dumps(trace_options), BEGUN: str(begun)}
        environment = {**os.environ, **recorder.variables, **own}
        try:
            code = signals.run(command, environment)
        except OSError as error:
            raise Failure(f"cannot run {command[0]}: {error.strerror}") from None
    return 128 - code if code < 0 else code, _written(output, begun)


def _checked(output: str) -> int:
    """Refuse a name that no trace can be written to; return its file system's time now."""
    folder = os.path.dirname(output)
    if not os.access(folder, os.W_OK):
        raise Failure(f"cannot write {output}: it is not in a writable folder")
    if os.path.exists(output) and not os.path.isfile(output):
        raise Failure(f"cannot write {output}: expected a file or a new name, got a folder, a device or a pipe")
    try:
        return clock_of(folder)
    except OSError as error:
        raise Failure(f"cannot write {output}: {error.strerror}") from None


def _written(output: str, begun: int) -> list[str]:
    """Find the files that the program's processes have written."""
    root, extension = os.path.splitext(output)
    root = root.replace("%%", "\0")
    pattern = re.sub(r"%(pid|rank|hostname|env\\?\{[^}]*\})%", "*", glob.escape(root)).replace("\0", "%")
    candidates = {*glob.glob(pattern + extension), *glob.glob(pattern + ".*" + extension)}
    return sorted(os.path.relpath(path) for path in candidates if os.stat(path).st_mtime_ns >= begun)
