"""``launchpath report``: tables of what a trace holds, and other formats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from launchpath._cli.options import check_writable, json_option
from launchpath._cli.output import Output
from launchpath._cli.parts import ranks_of, seconds_of
from launchpath._cli.progress import progress
from launchpath._findings import why
from launchpath._findings.shown.sentences import lead
from launchpath._trace.choice import LIMIT, Choice
from launchpath._trace.formats.kernel_csv import write_csv
from launchpath._trace.formats.parquet import write_parquet
from launchpath._trace.formats.perfetto import write_perfetto
from launchpath._trace.formats.target import check_target
from launchpath._trace.summaries.summarize import summarize

Command = Callable[..., Any]


def _target(name: str, folder: bool, text: str) -> Callable[[Command], Command]:
    return click.option(
        name,
        type=click.Path(file_okay=not folder, dir_okay=folder, writable=True),
        callback=check_writable,
        metavar="FOLDER" if folder else "FILE",
        help=text,
    )


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False), metavar="FILE...")
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
    perfetto: str | None,
    parquet: str | None,
    csv: str | None,
    json_file: str | None,
    ranks: frozenset[int] | None,
    seconds: tuple[float | None, float | None] | None,
    limit: int,
) -> None:
    """Print what took how long in traces, or write them in other formats.

    Each FILE is the trace of one process. Traces of several processes are summed up together. A file may be one that a
    program still writes, or that a killed program left.

    First come the lines that matter most: what holds the program back, which `launchpath why FILE...` says in full. The
    tables are printed unless only other formats than JSON are asked for.
    """
    for target in (perfetto, csv, None if json_file == "-" else json_file):
        if target is not None:
            check_target(files, target)
    output = Output(json_file)
    writers = ((perfetto, write_perfetto, "perfetto"), (parquet, write_parquet, "parquet"), (csv, write_csv, "csv"))
    chosen = [(target, write, name) for target, write, name in writers if target is not None]
    if not chosen and (ranks is not None or seconds is not None):
        raise click.UsageError("expected --perfetto, --parquet or --csv with --ranks or --seconds, got none of them")
    choice = Choice(ranks, seconds, limit)
    if json_file is not None or not chosen:
        with progress("summary") as step:
            summary = summarize(files, step)
        output.json(summary.as_json())
        with progress("findings") as step:
            found = why.findings(files, step)
        for line in lead(found):
            output.print(line)
        output.print(f"\n{summary}")
    for target, write, name in chosen:
        with progress(name) as step:
            write(files, target, step, choice)
        output.print(f"written: {target}")
