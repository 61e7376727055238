"""Queries over records: `SavedTrace.sql`, its views, and what a query cannot do."""

import csv
from pathlib import Path
from typing import Any

import pytest

import launchpath as lp
from launchpath._trace import format
from launchpath._trace.calls import calls
from launchpath._trace.dispatches import dispatches
from launchpath._trace.formats.sql.query import answered, result_of
from launchpath._trace.formats.sql.views import OF_PROCESS, RECORDS, VIEWS
from launchpath._trace.ranges import ranges, streams
from tests.trace.builder import FACTS, Builder, api, call, clocks, command, range_, slot, stream
from tests.trace.sql.conftest import rows, run

pytest.importorskip("duckdb")
pyarrow = pytest.importorskip("pyarrow")

NULL_WITHOUT_TIMES = ("submitted", "started", "ended")


def expected(view: str, path: Path) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The rows of a view by NumPy, with None where a time is not known."""
    table = {"dispatches": dispatches, "calls": calls, "ranges": ranges, "streams": streams}[view](path)
    names = [column.name for column in VIEWS[view] if column.name not in OF_PROCESS]
    assert sorted(names) == sorted(table)
    result = []
    for row in zip(*(table[name].tolist() for name in names), strict=True):
        values = dict(zip(names, row, strict=True))
        unknown = NULL_WITHOUT_TIMES if not values.get("timed", True) else ("end",) if values.get("open") else ()
        result.append(tuple(None if name in unknown else value for name, value in values.items()))
    return names, result


def in_order(table: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(table, key=repr)


@pytest.mark.parametrize("view", [*RECORDS, "streams"])
def test_a_view_has_the_rows_of_the_table(trace: Path, view: str) -> None:
    names, table = expected(view, trace)
    columns = ", ".join(f'"{name}"' for name in names)
    assert len(table) > (0 if view == "streams" else 2)
    assert in_order(rows(trace, f"select {columns} from {view}")) == in_order(table)


@pytest.mark.parametrize("view", RECORDS)
def test_a_parquet_folder_has_the_same_rows(both: list[Path], folder: Path, view: str) -> None:
    query = f"select * exclude (process) from {view}"
    assert in_order(rows(both, query)) == in_order(rows(folder, query))
    assert len(rows(folder, query)) > 2


def test_processes_are_told_apart(both: list[Path], folder: Path) -> None:
    query = "select p.process, p.host, p.rank, p.pid, count(*) from dispatches d join processes p using (process) group by all order by 1"
    counts = [len(dispatches(path)["name"]) for path in both]
    of_files = [(0, "node0", 3, 7, counts[0]), (1, "node1", None, 7, counts[1])]
    assert rows(both, query) == of_files
    of_folder = rows(folder, query)
    assert sorted(row[1:] for row in of_folder) == sorted(row[1:] for row in of_files)
    assert [row[0] for row in of_folder] == [0, 1]
    together = rows([folder, both[0]], "select process, count(*) from dispatches group by 1 order by 1")
    assert [row[0] for row in together] == [0, 1, 2] and together[2][1] == counts[0]


def test_facts_of_processes_threads_and_devices(trace: Path, folder: Path) -> None:
    query = "select process, host, rank, pid, file, command, mode, begin, ended, lost, real from processes"
    assert rows(trace, query) == [
        (0, "node0", 3, 7, str(trace), "python a.py", "device", 1000, True, 0, 1_700_000_000_000_000_000)
    ]
    assert {(row[1], row[4], row[7], row[8], row[10]) for row in rows(folder, query)} == {
        (host, str(folder), None, None, 1_700_000_000_000_000_000) for host in ("node0", "node1")
    }
    threads = rows(trace, "select thread, name from threads order by 1")
    assert (11, "MainThread") in threads and len(threads) > 2
    devices = rows(trace, "select device, name, driver, platform, ordinal from devices")
    assert devices[0] == (0, "GPU 0", "cuda", "CUDA", 0)
    assert rows(folder, "select * from threads union all by name select * from devices") == []


@pytest.mark.parametrize("view", VIEWS)
def test_types_are_those_of_the_description(trace: Path, view: str) -> None:
    described = rows(trace, f"select column_name, column_type from (describe {view})")
    assert described == [(column.name, column.type) for column in VIEWS[view]]


@pytest.mark.parametrize(
    "condition",
    [
        "started is null", "started is not null and name = 'saxpy'", "name in ('saxpy', 'none')", "not timed", "thread = 11",
        "ended - started > 100 and direction = ''", "host = 'node0'", "host = 'node1'", "rank is null", "grid_x * block_x > 256",
        "name like '%reduce%'", "correlation between 10 and 20", "process = 0 and started >= 5000 and command <> 'copy'",
    ],
)  # fmt: skip
def test_conditions_choose_the_rows(trace: Path, folder: Path, condition: str) -> None:
    """DuckDB leaves some conditions to what it reads from. A copy of the rows is its own, with nothing left to others."""
    for source in (trace, folder):
        chosen = rows(source, f"select correlation, started, pid from dispatches where {condition}")
        copied = f"with copied as materialized (select * from dispatches offset 0) select correlation, started, pid from copied where {condition}"
        assert in_order(chosen) == in_order(rows(source, copied))


def test_views_are_read_again(trace: Path) -> None:
    query = "select count(*) from dispatches a join dispatches b using (correlation)"
    assert rows(trace, query) == rows(trace, "select count(*) from dispatches")


def test_amounts_do_not_overflow_and_differences_may_be_negative(tmp_path: Path) -> None:
    slots = [command(1, 100, (110, 120), 140, grid=(1 << 31, 1, 1), block=(1024, 1, 1), step=1)]
    slots += [command(2, 200, (210, 220), 240, command=format.COPY, name=0, bytes=(1 << 64) - 1, to=(1 << 64) - 1)]
    path = Builder().slots(*clocks(), *slots).write(tmp_path / "t")
    assert rows(path, "select grid_x * block_x, step - 5, stream - 7 from dispatches where name <> ''") == [
        (1 << 41, -4, -6)
    ]
    assert rows(path, "select bytes, \"to\" from dispatches where name = ''") == [((1 << 63) - 1, (1 << 64) - 1)]


def test_a_trace_without_records(tmp_path: Path) -> None:
    path = Builder().write(tmp_path / "t")
    for view in VIEWS:
        assert len(rows(path, f"select * from {view}")) == (view == "processes")
        assert rows(path, f"select count(*) from {view}") == [(int(view == "processes"),)]


def test_rows_come_as_a_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a query does not ask for is not read."""
    from launchpath._trace.files.file import TraceFile

    built = Builder().slots(*clocks(), ring=9)
    for n in range(2000):
        built.slots(call(3, n * 10, n * 10 + 5), first=n)
    path, read, chunks = built.write(tmp_path / "t"), [], TraceFile.chunks

    def counted(self: TraceFile, size: int, by_file: bool = False) -> Any:
        for chunk in chunks(self, 10, by_file):
            read.append(by_file)
            yield chunk

    monkeypatch.setattr(TraceFile, "chunks", counted)
    assert len(rows(path, "select * from calls limit 5")) == 5
    assert 1 <= sum(read) < 100  # of 201
    read.clear()
    assert rows(path, "select count(*) from calls") == [(2000,)]
    assert sum(read) == 201


@pytest.mark.parametrize(
    "query, message",
    [
        ("selec 1", r"syntax error at or near \"selec\"[\s\S]*LINE 1"),
        ("select nam from dispatches", r"Referenced column \"nam\" not found[\s\S]*Candidate[\s\S]*LINE 1"),
        ("select 1; select 2", "expected one query, got 2 statements"),
        ("", "expected one query, got 0 statements"),
        ("copy dispatches to 'x.csv'", "expected a query that reads .*, got COPY"),
        ("create table t as select 1", "expected a query that reads .*, got CREATE"),
        ("set threads = 1", "expected a query that reads .*, got SET"),
        ("install httpfs", "expected a query that reads .*, got LOAD"),
        ("attach 'x.db'", "expected a query that reads .*, got ATTACH"),
        ("select * from read_csv('/etc/passwd')", "disabled by configuration"),
        ("select * from '/etc/passwd'", "/etc/passwd does not exist"),
        ("select * from glob('/*')", "disabled by configuration"),
        ("select * from read_text('/etc/passwd')", "disabled by configuration"),
        ("select * from pyarrow", "pyarrow does not exist"),
        ("select error('own words')", "own words"),
        ("select 'x'::int from dispatches", "Could not convert string 'x'"),
    ],
)
def test_what_a_query_cannot_do(trace: Path, query: str, message: str) -> None:
    with pytest.raises(lp.errors.QueryError, match=message):
        lp.read_trace(trace).sql(query)


def test_python(trace: Path) -> None:
    table = lp.read_trace(trace).sql(
        "select name, count(*) as launches from dispatches where command = 'launch' group by name"
    )
    assert isinstance(table, pyarrow.Table) and table.column_names == ["name", "launches"]
    assert table.to_pandas()["launches"].sum() == (dispatches(trace)["command"] == "launch").sum()


def test_progress_is_told(trace: Path) -> None:
    seen: list[tuple[int, int]] = []
    lp.read_trace(trace).sql("select count(*) from calls", lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] > 0


def test_an_error_while_rows_are_read_is_told_as_it_is(trace: Path, tmp_path: Path) -> None:
    with answered([trace], "select count(*) from calls") as reader:
        assert len(list(reader)) == 1
    (tmp_path / "text").write_text("no trace")
    with pytest.raises(lp.TraceFileError, match="expected a trace"):
        result_of([tmp_path / "text"], "select 1")
    with pytest.raises(lp.TraceFileError, match="expected a folder with dispatches, calls, ranges"):
        result_of([tmp_path], "select 1")

    def interrupted(done: int, total: int) -> None:
        raise lp.TraceFileError("the disk is gone")

    with pytest.raises(lp.TraceFileError, match="^the disk is gone$"):
        result_of([trace], "select count(*) from calls", interrupted)


def test_damaged_folders(folder: Path) -> None:
    file = next(folder.rglob("calls/**/*.parquet"))
    file.write_bytes(file.read_bytes()[:50])
    with pytest.raises(lp.TraceFileError, match="expected a Parquet file that can be read"):
        result_of([folder], "select count(*) from calls")
    file.unlink()
    (folder / "calls" / "other").mkdir()
    next(folder.rglob("dispatches/**/*.parquet")).rename(folder / "calls" / "other" / "x.parquet")
    with pytest.raises(lp.TraceFileError, match="expected a file in rank=NUMBER/pid=NUMBER"):
        result_of([folder], "select count(*) from calls")


def test_odd_names(tmp_path: Path) -> None:
    names = {1: "=1+1", 2: "a,b\"c'd", 3: "日本" * 50}
    slots = [command(n, n * 100, (n * 100, n * 100 + 10), n * 100 + 20, name=n) for n in names]
    path = Builder().names(names).slots(*clocks(), *slots).write(tmp_path / "it's.lptrace")
    query = "select name from dispatches order by correlation"
    assert rows(path, query) == [(name,) for name in names.values()]
    result = run(query, path, "--csv", "-")
    assert [row[0] for row in csv.reader(result.stdout.splitlines())] == ["name", "'=1+1", *list(names.values())[1:]]


def test_the_page_has_the_columns() -> None:
    page = Path(__file__).parents[3] / "docs" / "sql.md"
    if not page.exists():
        pytest.skip("not in a checkout")
    text = page.read_text(encoding="utf-8")
    for view, columns in VIEWS.items():
        section = text.partition(f"\n### {view}\n")[2].partition("\n#")[0]
        lines = [f"| `{column.name}` | {column.type} | {column.meaning} |" for column in columns]
        assert [line for line in section.splitlines() if line.startswith("| `")] == lines[len(OF_PROCESS) :]
        assert all(line in text for line in lines)


def test_a_mark_and_an_open_range(tmp_path: Path) -> None:
    slots = [
        range_(1, 100, 0, format.RANGE_BEGIN, correlation=1),
        slot(format.MARK, name=1, begin=300),
        api(0, 1, 2),
        stream(4),
    ]
    path = Builder().meta(**FACTS).names({1: "r"}).slots(*clocks(), *slots).write(tmp_path / "t")
    query = 'select name, begin, "end", mark, open from ranges order by mark desc'
    assert rows(path, query) == [("r", 100, 100, True, False), ("r", 100, None, False, True)]
