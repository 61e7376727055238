"""``launchpath sql``: answers to queries over the records of traces."""

from __future__ import annotations

import os
from typing import Any

import click

from launchpath._cli.failure import Failure
from launchpath._cli.shown.output import Output
from launchpath._cli.shown.progress import progress
from launchpath._cli.shown.rows import Rows, write_csv, write_json, write_parquet
from launchpath._cli.words.options import check_writable, json_option
from launchpath._report.console import table
from launchpath._trace.files.blocks import is_trace
from launchpath._trace.formats.sql.query import answered
from launchpath._trace.formats.sql.views import VIEWS
from launchpath._trace.formats.target import check_target

_ROWS = 1000  # of a table
_WRITERS = {".csv": write_csv, ".json": write_json, ".parquet": write_parquet}


def _check_words(query: str | None, files: tuple[str, ...], schema: bool, targets: dict[str, str | None]) -> None:
    """Refuse a word in another's place, and files that are not there."""
    if schema:
        if query is not None:
            raise click.UsageError(
                f"expected no query and no file beside --schema, got {query!r}: the views are the same for all traces. "
                "Type `launchpath sql --schema`"
            )
        for option in ("output", "csv_file", "parquet_file"):
            if targets[option] is not None:
                name = option.removesuffix("_file")
                raise click.UsageError(
                    f"expected --json FILE beside --schema, got --{name}: --schema writes views, and no rows"
                )
        return
    if query is not None and (os.path.isdir(query) or is_trace(query)):
        raise click.UsageError(f"expected a query before the files, got {query!r}")
    for file in files:
        if not os.path.exists(file):
            raise click.BadParameter(f"Path {file!r} does not exist.", param_hint="FILE...")


@click.command()
@click.argument("query", required=False)
@click.argument("files", nargs=-1, type=click.Path(), metavar="FILE...")  # looked for once the query is read
@click.option("--schema", is_flag=True, help="Print the views and their columns: names, types and units.")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, writable=True),
    callback=check_writable,
    metavar="FILE",
    help="Write the rows to FILE, which ends with .csv, .json or .parquet.",
)
@json_option
@click.option(
    "--csv",
    "csv_file",
    type=click.Path(dir_okay=False, writable=True, allow_dash=True),
    callback=check_writable,
    metavar="FILE",
    help="Write the rows as CSV to FILE; `-` is standard output.",
)
@click.option(
    "--parquet",
    "parquet_file",
    type=click.Path(dir_okay=False, writable=True),
    callback=check_writable,
    metavar="FILE",
    help="Write the rows as Parquet to FILE.",
)
@click.option(
    "--rows",
    "most",
    type=click.IntRange(min=1),
    default=_ROWS,
    show_default=True,
    metavar="N",
    help="Print so many rows at most.",
)
def sql(query: str | None, files: tuple[str, ...], schema: bool, most: int, **targets: str | None) -> None:
    """Answer a query in SQL over the records of traces.

    \b
    launchpath sql "select name, count(*) from dispatches group by name" run.lptrace

    QUERY is DuckDB's SQL over the views dispatches, calls, ranges, processes, threads, streams and devices. Each FILE
    is a trace, or a folder that `launchpath report --parquet` wrote. The query reads them as a stream, and can read
    nothing else: no other file, and no network.
    """  # noqa: D301 (click's own sign)
    _check_words(query, files, schema, targets)
    if schema:
        _print_schema(Output(targets["json_file"]))
        return
    if query is None or not files:
        raise click.UsageError("expected a query and one file at least; --schema prints what a query may name")
    write, target = _target(targets)
    if target not in (None, "-"):
        check_target(files, target)
    with progress("sql") as step, answered(files, query, step) as reader:
        if write is None:
            _print(Rows(reader), most)
        else:
            try:
                rows = write(reader, target)
            except OSError as error:
                raise Failure(f"cannot write {target}: {error.strerror or error}") from None
            if target != "-":
                Output(None).print(f"written: {target} ({rows} rows)")


def _target(targets: dict[str, str | None]) -> tuple[Any, Any]:
    """Give the one function that writes the result, and the file; None, None: a table."""
    chosen = []
    for option, write in (("json_file", write_json), ("csv_file", write_csv), ("parquet_file", write_parquet)):
        if targets[option] is not None:
            chosen.append((write, targets[option]))
    output = targets["output"]
    if output is not None:
        ending = os.path.splitext(output)[1].lower()
        if ending not in _WRITERS:
            raise click.UsageError(f"--output: expected a file that ends with {', '.join(_WRITERS)}, got {output!r}")
        chosen.append((_WRITERS[ending], output))
    if len(chosen) > 1:
        raise click.UsageError("expected one of --output, --json, --csv and --parquet, got several")
    return chosen[0] if chosen else (None, None)


def _print(rows: Rows, most: int) -> None:
    output = Output(None)
    drawn, left = rows.table(most, output.console.width)
    output.print(drawn)
    if left:
        output.print(f"(the first {most} rows: --rows N prints more, --output FILE.csv writes all)")
    else:
        output.print("(1 row)" if len(drawn) == 1 else f"({len(drawn)} rows)")


def _print_schema(output: Output) -> None:
    for view, columns in VIEWS.items():
        drawn = table(view, "type", "meaning")
        for column in columns:
            drawn.add_row(column.name, column.type, column.meaning)
        output.print(drawn)
        output.print("")
    output.json(
        {
            view: [{"name": column.name, "type": column.type, "meaning": column.meaning} for column in columns]
            for view, columns in VIEWS.items()
        }
    )
