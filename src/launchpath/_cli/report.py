"""``launchpath report``: tables of what a trace holds, and other formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import click

from launchpath._cli.failure import Failure
from launchpath._cli.shown.output import Output
from launchpath._cli.shown.progress import progress
from launchpath._cli.words.options import check_writable, json_option
from launchpath._cli.words.parts import ranks_of, seconds_of
from launchpath._findings import why
from launchpath._findings.shown.sentences import lead, more
from launchpath._trace.choice import LIMIT, Choice
from launchpath._trace.condensed import packing
from launchpath._trace.executors.chosen import NAMES, Executor, executor
from launchpath._trace.executors.inputs import Inputs
from launchpath._trace.executors.outcome import Outcome
from launchpath._trace.executors.ranks import Ranks
from launchpath._trace.files.blocks import is_trace
from launchpath._trace.formats.kernel_csv import write_csv
from launchpath._trace.formats.parquet import write_parquet
from launchpath._trace.formats.perfetto import write_perfetto
from launchpath._trace.formats.target import check_target
from launchpath._trace.summaries.summary import Summary
from launchpath._trace.summaries.tables import text
from launchpath.errors import TraceFileError

Command = Callable[..., Any]
_SEARCHED = 16  # traces that findings are looked for in


def _target(name: str, folder: bool, text: str) -> Callable[[Command], Command]:
    return click.option(
        name,
        type=click.Path(file_okay=not folder, dir_okay=folder, writable=True),
        callback=check_writable,
        metavar="FOLDER" if folder else "FILE",
        help=text,
    )


def _executor(_context: click.Context, _option: click.Parameter, value: str | None) -> Executor:
    try:
        return executor(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--with",
    "reader",
    callback=_executor,
    metavar="EXECUTOR",
    help=f"What reads the files: {NAMES}. Default: mpi in ranks of mpirun or srun, else processes of this machine.",
)
@_target(
    "--lpsum", False, "Write what the files sum up to, in kilobytes, to FILE: `report` reads it as it reads traces."
)
@_target("--lpsum-each", True, "Write what each file sums up to, as a file of its own, to FOLDER.")
@_target("--perfetto", False, "Write the traces for Perfetto (ui.perfetto.dev) to FILE.")
@_target("--parquet", True, "Write dispatches, calls and ranges as Parquet to FOLDER, which is empty or new.")
@_target("--csv", False, "Write the kernels to FILE, with the columns that rocprofv3 gives them.")
@json_option
@click.option("--ranks", callback=ranks_of, metavar="0,3-5", help="For other formats: only the traces of these ranks.")
@click.option(
    "--seconds",
    callback=seconds_of,
    metavar="12.5:14",
    help="For other formats: only what is under way then, in seconds since the earliest trace began. `12.5:` goes to "
    "the end.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=LIMIT,
    show_default=True,
    metavar="N",
    help="Records that a file of --perfetto or --csv may have.",
)
def report(
    files: tuple[str, ...],
    reader: Executor,
    ranks: frozenset[int] | None,
    seconds: tuple[float | None, float | None] | None,
    limit: int,
    **targets: str | None,
) -> None:
    """Print what took how long in traces, or write them in other formats.

    Each FILE is the trace of one process, or what traces were summed up to (.lpsum). Those of several processes are
    summed up together. A file may be one that a program still writes, or that a killed program left. FILE may also be a
    folder, a pattern in quotes, or @LIST, a file with a name in each line.

    First come the lines that matter most: what holds the program back, which `launchpath why FILE...` says in full. The
    tables are printed unless only other formats than JSON are asked for.

    Files that cannot be read are named and left out; the exit code is then 1.
    """
    others = any(targets[name] is not None for name in ("perfetto", "parquet", "csv"))
    if not others and (ranks is not None or seconds is not None):
        raise click.UsageError("expected --perfetto, --parquet or --csv with --ranks or --seconds, got none of them")
    if isinstance(reader, Ranks) and reader.follows:
        reader.follow()
        return
    with reader.leading() if isinstance(reader, Ranks) else nullcontext():
        _report(files, reader, Choice(ranks, seconds, limit), **targets)


def _report(
    files: tuple[str, ...],
    reader: Executor,
    choice: Choice,
    *,
    lpsum: str | None,
    lpsum_each: str | None,
    perfetto: str | None,
    parquet: str | None,
    csv: str | None,
    json_file: str | None,
) -> None:
    inputs = Inputs.of(files)
    if not inputs.inputs:
        path, reason = inputs.left_out[0]
        raise click.BadParameter(f"{path!r} does not exist, or cannot be read: {reason}", param_hint="FILE...")
    paths = [each.path for each in inputs.inputs]
    for target in (lpsum, perfetto, csv, None if json_file == "-" else json_file):
        if target is not None:
            check_target(paths, target)
    if lpsum_each is not None:
        inputs = inputs.with_targets(lpsum_each)
    output = Output(json_file)
    writers = ((perfetto, write_perfetto, "perfetto"), (parquet, write_parquet, "parquet"), (csv, write_csv, "csv"))
    chosen = [(target, write, name) for target, write, name in writers if target is not None]
    condensed = lpsum is not None or lpsum_each is not None
    if condensed or json_file is not None or not chosen:
        outcome = _read(inputs, reader)
        _write_condensed(outcome, lpsum, lpsum_each, output)
        if json_file is not None or not (chosen or condensed):
            _tables(paths, outcome, output)
    else:
        count = len(inputs.inputs) + len(inputs.left_out)
        outcome = Outcome(left_out=inputs.left_out, files=count, repeated=inputs.repeated)
        _tell(outcome)
    for target, write, name in chosen:
        with progress(name) as step:
            write(paths, target, step, choice)
        output.print(f"written: {target}")
    if outcome.left_out:
        raise click.exceptions.Exit(Failure.exit_code)


def _read(inputs: Inputs, reader: Executor) -> Outcome:
    """Read all files, and say on standard error which could not be read."""
    with progress("summary") as step:
        outcome = reader.run(inputs.inputs, step)
    outcome.files += len(inputs.left_out)
    outcome.left_out += inputs.left_out
    outcome.repeated = inputs.repeated
    outcome.ordered()
    if len(outcome.left_out) == outcome.files:
        path, reason = outcome.left_out[0]
        others = f" (and {outcome.files - 1} other files)" if outcome.files > 1 else ""
        raise TraceFileError(f"{path}: {reason}{others}")
    _tell(outcome)
    return outcome


def _tell(outcome: Outcome) -> None:
    for line in outcome.lines():
        click.echo(line, err=True)


def _write_condensed(outcome: Outcome, lpsum: str | None, lpsum_each: str | None, output: Output) -> None:
    if lpsum is not None:
        try:
            packing.write(outcome.condensed, lpsum)
        except OSError as error:
            raise Failure(f"cannot write {lpsum}: {error.strerror}") from None
        output.print(f"written: {lpsum}")
    if lpsum_each is not None:
        output.print(f"written: {outcome.files - len(outcome.left_out)} files in {lpsum_each}")


def _tables(paths: Sequence[str], outcome: Outcome, output: Output) -> None:
    """Print findings, where they can be looked for, and the tables."""
    summary = Summary.of(outcome.condensed)
    left_out = [each._asdict() for each in outcome.left_out]
    output.json(summary.as_json() | ({"left_out": left_out} if left_out else {}))
    without = {each.path for each in outcome.left_out}
    traces = [path for path in paths if path not in without]
    if len(traces) > _SEARCHED:
        output.print(
            f"not looked for in {len(traces)} files: what holds the program back; `launchpath why FILE...` does"
        )
    elif not all(map(is_trace, traces)):
        output.print(
            "what holds the program back is not looked for: a summary (.lpsum) does not have the order of calls"
        )
    else:
        with progress("findings") as step:
            found = why.findings(traces, step)
        for line in (*lead(found), *more(found)):
            output.print(line)
    output.print("")
    output.print(text(summary, output.console.width), as_it_is=True)
