"""``launchpath sql``: tables, files, errors and exit codes."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from launchpath._report.wrapping import text_width
from launchpath._trace import format
from launchpath._trace.formats.sql.query import result_of
from launchpath._trace.formats.sql.views import VIEWS
from tests.trace.builder import FACTS, Builder, command, slot, stream
from tests.trace.sql.conftest import rows, run

pytest.importorskip("duckdb")
pyarrow = pytest.importorskip("pyarrow")

NULL_WITHOUT_TIMES = ("submitted", "started", "ended")

QUERY = "select name, count(*) as n, sum(shared) as s, avg(waited) / 3 as w, max(started) as m from dispatches group by name order by name"


def test_a_table_is_printed(trace: Path) -> None:
    result = run(QUERY, trace)
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].replace(" ", "") == "name|n|s|w|m" and set(lines[1]) <= set("-+")
    table = result_of([trace], QUERY).to_pylist()
    assert lines[-1] == f"({len(table)} rows)" and len(lines) == len(table) + 3
    for line, row in zip(lines[2:], table, strict=False):
        cells = [cell.strip() for cell in line.split(" | ")]
        assert cells[:3] == [row["name"], str(row["n"]), str(row["s"])] and float(cells[3]) == pytest.approx(
            row["w"], abs=1e-3
        )
    assert run("select 1 as a", trace).stdout.splitlines() == ["a", "-", "1", "(1 row)"]
    assert (
        run("select null as a, true as b, 1e-9 as c, '\x1b' as d", trace).stdout.splitlines()[2]
        == "NULL | true | 1e-09 | \\x1b"
    )


def test_more_rows_than_are_printed_are_not_silent(trace: Path) -> None:
    result = run("select * from range(10)", trace, "--rows", 3)
    assert result.stdout.splitlines()[2:] == [
        "    0",
        "    1",
        "    2",
        "(the first 3 rows: --rows N prints more, --output FILE.csv writes all)",
    ]
    assert run("select * from range(3)", trace, "--rows", 3).stdout.splitlines()[-1] == "(3 rows)"


def test_a_table_fits_the_terminal() -> None:
    from launchpath._cli.shown.rows import Rows

    table = pyarrow.table({"name": ["x" * 300, "short"], "number": [1, 2], "other": ["y" * 100, "日本" * 30]})
    drawn, more = Rows(table.to_reader()).table(10, 80)
    lines = list(drawn.lines(80))
    assert not more and max(map(text_width, lines)) <= 80 and "xxx...xxx" in lines[2] and "..." in lines[3]
    assert max(map(len, Rows(table.to_reader()).table(10, None)[0].lines(None))) > 300


@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_files(trace: Path, tmp_path: Path, ending: str) -> None:
    table = result_of([trace], QUERY).to_pylist()
    for number, options in enumerate([(f"--{ending}",), ("-o",)]):
        target = tmp_path / f"{number}.{ending}"
        result = run(QUERY, trace, *options, target)
        assert (result.exit_code, result.stdout) == (0, f"written: {target} ({len(table)} rows)\n"), result.stderr
        if ending == "parquet":
            from pyarrow import parquet

            assert parquet.read_table(target).to_pylist() == table
        elif ending == "json":
            data = json.loads(target.read_text())
            assert [row["s"] for row in data] == [int(row["s"]) for row in table]
            assert [(row["name"], row["w"], row["m"]) for row in data] == [
                (row["name"], row["w"], row["m"]) for row in table
            ]
        else:
            data = list(csv.DictReader(target.open()))
            assert [(row["name"], row["n"], float(row["w"])) for row in data] == [
                (row["name"], str(row["n"]), row["w"]) for row in table
            ]
    if ending != "parquet":
        assert run(QUERY, trace, f"--{ending}", "-").stdout == target.read_text()


def test_the_schema_is_printed(tmp_path: Path) -> None:
    result = run("--schema", "--json", tmp_path / "s.json")
    assert result.exit_code == 0
    for view, columns in VIEWS.items():
        assert f"\n{view} " in f"\n{result.stdout}"
        assert all(f"\n{column.name} " in result.stdout and column.meaning in result.stdout for column in columns)
    assert json.loads((tmp_path / "s.json").read_text())["calls"][0] == {
        "name": "process", "type": "INTEGER", "meaning": VIEWS["calls"][0].meaning,
    }  # fmt: skip


def test_exit_codes(trace: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no trace")
    for args, code, text in (
        (("select 1", tmp_path / "text"), 1, "expected a trace, which begins with"),
        (("select x", trace), 1, "QueryError: Binder Error"),
        ((), 2, "expected a query and one file at least"),
        (("select 1",), 2, "expected a query and one file at least"),
        ((trace,), 2, "expected a query before the files"),
        ((trace, "select 1"), 2, "expected a query before the files"),
        (("select 1", tmp_path / "none"), 2, "does not exist"),
        (("select 1", trace, "-o", tmp_path / "x.txt"), 2, "expected a file that ends with .csv, .json, .parquet"),
        (("select 1", trace, "-o", tmp_path / "x.csv", "--json", "-"), 2, "got several"),
        (("select 1", trace, "--csv", tmp_path / "none" / "x.csv"), 2, "not in a writable folder"),
        (("select 1", trace, "--csv", trace), 2, "which would be lost: name another one"),
        (("--schema", "select 1"), 2, "expected no query and no file beside --schema, got 'select 1'"),
        (("--schema", trace), 2, "the same for all traces. Type `launchpath sql --schema`"),
        ((trace, "--schema"), 2, "the same for all traces. Type `launchpath sql --schema`"),
        (("--schema", "--csv", tmp_path / "x.csv"), 2, "expected --json FILE beside --schema, got --csv"),
        (("--schema", "-o", tmp_path / "x.csv"), 2, "expected --json FILE beside --schema, got --output"),
    ):
        result = run(*args)
        assert (result.exit_code, text in result.stderr) == (code, True), result.stderr


@pytest.mark.processes
@pytest.mark.parametrize("package", ["duckdb", "pyarrow"])
def test_a_missing_package(trace: Path, package: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; from launchpath._cli import main; main(['sql', 'select 1', {str(trace)!r}])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert (
        f"LibraryError: expected the package {package}" in done.stderr
        and "pip install 'launchpath[trace]'" in done.stderr
    )


def test_numbers_of_any_size(tmp_path: Path) -> None:
    most = (1 << 64) - 1
    facts = {**FACTS, "process": {"pid": most, "rank": -1, "host": 5}, "begin": {"monotonic": most, "real": -most}}
    slots = [
        slot(kind, **{name: most for name in ("correlation", "begin", "end") if kind != format.DETAIL})
        for kind in (format.CALL, format.API, format.RANGE)
    ]
    slots += [
        command(most, 1, (2, 3), 4, step=(1 << 32) - 1, number=most, external=most),
        stream((1 << 32) - 1, handle=most),
    ]
    path = Builder(dropped=most).meta(**facts).slots(*slots, first=most // 2).write(tmp_path / "t")
    for view in VIEWS:
        assert rows(path, f"select * from {view}") != [], view
    assert rows(path, "select pid, rank, host, begin, dropped from processes") == [(None, None, None, None, None)]
    assert rows(path, "select correlation, number, external, step from dispatches") == [
        (most, most, most, (1 << 32) - 1)
    ]


def test_no_bar_is_drawn_on_the_standard_output(trace: Path) -> None:
    assert rows(trace, "select current_setting('enable_progress_bar')") == [(False,)]
