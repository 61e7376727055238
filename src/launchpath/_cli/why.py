"""``launchpath why``: what holds a program back, what a mend would save, and how that is known."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

import click

from launchpath._cli.failure import Failure
from launchpath._cli.shown.output import Output
from launchpath._cli.shown.progress import progress
from launchpath._cli.trace import NO_TRACE, run_traced
from launchpath._cli.words.group import no_such_option
from launchpath._cli.words.options import check_writable, json_option
from launchpath._findings import why as analysis
from launchpath._findings.report import Report
from launchpath._findings.shown.screen import WIDTH, screen, whole
from launchpath._proof.calibration import calibration_of
from launchpath._proof.proving import prove as prove_findings
from launchpath._trace.files.blocks import is_trace
from launchpath._trace.formats.target import check_target
from launchpath._tracing.options import MODES
from launchpath.errors import LaunchpathError

_NARROWEST = 40  # columns
_EXTENSION, _SUMMARY = ".lptrace", ".lpsum"
_OF_A_PROGRAM = {
    "kept": "--output",
    "mode": "--mode",
    "prove": "--prove",
    "no_sites": "--no-sites",
    "no_cupti": "--no-cupti",
}


@click.command("why", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option(
    "--html",
    "html_file",
    type=click.Path(dir_okay=False, writable=True),
    callback=check_writable,
    metavar="FILE",
    help="Write the report as a page of HTML to FILE: with the timeline of a repetition, and the evidence.",
)
@json_option
@click.option("--prove", is_flag=True, help="Run the program again, with delays and with mends, to prove the findings.")
@click.option(
    "--no-cupti",
    is_flag=True,
    help="Take times of CUDA devices by events, which make short kernels longer, if CUPTI makes the program fail.",
)
@click.option("--no-sites", is_flag=True, help="Without source lines: the program then runs closer to its own time.")
@click.option(
    "--output", "-o", "kept", metavar="FILE", help="Keep the traces, as `launchpath trace --output FILE` names them."
)
@click.option(
    "--mode",
    type=click.Choice(MODES),
    help="As for `launchpath trace`. Default: device. Without the device's times little can be said.",
)
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="COMMAND... | FILE...")
def why(words: tuple[str, ...], html_file: str | None, json_file: str | None, **options: Any) -> None:
    """Say what holds a program back, what a mend would save, and how that is known.

    A mend is the change of the program that the report asks for.

    \b
    launchpath why -- python simulate.py
    launchpath why run.lptrace run.4711.lptrace

    COMMAND is run with a trace, as `launchpath trace` does it. The report comes when it has ended, on standard error:
    the program's own output stays as it is. The exit code is the program's. Each FILE is the trace of one process; best
    are those of `launchpath trace --findings`.
    """  # noqa: D301 (click's own sign)
    if words[0].startswith("-"):  # what is no option here would be taken for the program
        raise no_such_option(words[0])
    targets = [os.path.abspath(each) for each in (html_file, json_file, options["kept"]) if each not in (None, "-")]
    if len(set(targets)) < len(targets):
        raise click.UsageError("expected a file of its own for each of --html, --json and --output, got one name twice")
    if words[0].endswith(_SUMMARY):
        raise click.UsageError(
            f"expected a program, or traces ({_EXTENSION}), got {words[0]}: a summary does not have the order of "
            f"calls; `launchpath report {words[0]}` shows what it knows of findings"
        )
    if words[0].endswith(_EXTENSION) or is_trace(words[0]):
        _check_files(words, options)
        for target in (html_file, None if json_file == "-" else json_file):
            if target is not None:
                check_target(words, target)
        _show(_report_of(words), Output(json_file), html_file)
        return
    sys.exit(_of_a_program(words, Output(json_file, stderr=True), html_file, **options))


def _check_files(paths: Sequence[str], options: dict[str, Any]) -> None:
    """Refuse options for a program, and files that there are not."""
    for name, option in _OF_A_PROGRAM.items():
        if options[name]:
            raise click.UsageError(f"expected {option} before the command of a program, got it before traces")
    for path in paths:
        if not os.path.isfile(path):
            raise click.BadParameter(f"expected the file of a trace, got {path!r}: there is no such file")


def _of_a_program(
    command: Sequence[str],
    output: Output,
    html_file: str | None,
    *,
    prove: bool,
    no_sites: bool,
    no_cupti: bool,
    mode: str | None,
    kept: str | None,
) -> int:
    """Run a program with a trace, and show what was found; give its exit code."""
    trace_options: dict[str, Any] = {"findings": True}
    trace_options |= {"sites": False} if no_sites else {}
    # By events around each launch a kernel of 2 us would seem to take 7, and its launch as much more.
    trace_options |= {} if no_cupti or mode == "host" else {"cupti": True}
    trace_options |= {"mode": mode} if mode else {}
    with tempfile.TemporaryDirectory(prefix="launchpath-why-") as folder:
        code, written = run_traced(command, kept or os.path.join(folder, f"why{_EXTENSION}"), trace_options)
        if not written:
            click.echo(f"launchpath: {NO_TRACE}", err=True)
            return code
        try:
            report = _report_of(written)
        except LaunchpathError as error:  # the program's own exit code counts, where it has failed too
            click.echo(f"Error: {type(error).__name__}: {error}", err=True)
            return code or 1
        report.program = shlex.join(command)  # a process may have been started by others of the program
        if prove:
            prove_findings(
                report, command, trace_options, lambda text: click.echo(f"launchpath: for the proof, {text}", err=True)
            )
    try:
        _show(report, output, html_file)
    except Failure as error:
        error.show()
        return code or error.exit_code
    if kept:
        click.echo(f"launchpath: to see this again: launchpath why {shlex.join(written)}", err=True)
    return code


def _report_of(paths: Sequence[str]) -> Report:
    with progress("findings") as step:
        return analysis.findings(paths, step, calibration_of)


def _show(report: Report, output: Output, html_file: str | None) -> None:
    """Print the report, and write it where that was asked for."""
    width = output.console.width
    output.print(whole(report) if width is None else screen(report, min(max(width, _NARROWEST), WIDTH)))
    output.json(report.as_json())
    if html_file is None:
        return
    try:
        report.write_html(html_file)
    except OSError as error:
        raise Failure(f"cannot write {html_file}: {error.strerror}") from None
    output.print(f"written: {html_file}")
