"""Tables of dispatches, calls, ranges and streams, and their copies in CSV and Parquet."""

import csv
import json
from pathlib import Path

import numpy
import pytest

import launchpath as lp
from launchpath._trace import format
from launchpath._trace.calls import call_columns, calls
from launchpath._trace.columns import frame
from launchpath._trace.dispatches import dispatch_columns, dispatches
from launchpath._trace.extra import imported
from launchpath._trace.files.file import TraceFile
from launchpath._trace.formats.kernel_csv import HEAD, write_csv
from launchpath._trace.formats.parquet import write_parquet
from launchpath._trace.ranges import range_columns, ranges, streams
from launchpath._trace.summaries.summarize import summarize
from launchpath.errors import LibraryError, TraceFileError
from tests.trace.builder import EPOCH, FACTS, Builder, api, call, clocks, command, range_, slot, stream, times
from tests.trace.program import write


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A trace with a row of each kind."""
    built = Builder().meta(**FACTS).names({1: "saxpy", 2: "step", 3: "solver"})
    slots = [*clocks(), stream(1, type=1, handle=77), stream(5)]
    slots += [
        command(1, 100, (110, 120), 140, waited=5, shared=64, number=3, external=9, waits=2, left_out=1, grid=(4, 5, 6))
    ]
    slots += [
        command(
            2, 200, (210, 220), 240, command=format.COPY, name=0, flags=format.TIMED | 64, bytes=1000, to=50, source=60
        )
    ]
    slots += [command(3, 300, (0, 0), 340, flags=format.KEPT_BACK, step=7, node=1)]
    slots += [
        command(4, 400, (410, 420), 440, flags=format.IN_STEP | format.IN_GRAPH | format.TIMED, step=7, node=1, run=2)
    ]
    slots += [command(5, 500, (510, 520), 540, flags=format.FAILED, result=-5)]
    slots += [command(6, 600, (610, 620), 640, command=format.COPY_ROWS, name=0, shared=8, bytes=80)]
    slots += [
        api(0, 700, 800, correlation=10),
        call(3, 710, 790, parent=10, stream=5, quantity=3, result=1, flags=format.FAILED),
    ]
    slots += [
        range_(2, 50, 0, format.RANGE_BEGIN, correlation=20),
        range_(2, 50, 900, correlation=20, depth=1, payload=4),
    ]
    slots += [
        range_(2, 60, 0, format.RANGE_BEGIN, correlation=21, domain=3, flags=format.NVTX),
        slot(format.MARK, name=2, begin=70 * 3, color=5),
    ]
    rows = [
        times(1, 110, 150, 250, submitted=130),
        times(2, 210, 260, 300, command=format.COPY),
        times(4, 410, 420, 430, flags=format.FAILED),
    ]
    return built.slots(*slots).slots(*rows, ring=1, thread=99).write(tmp_path / "small.lptrace")


def test_dispatches_are_commands_with_their_times(small: Path) -> None:
    table = dispatches(small)
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    assert [row["correlation"] for row in rows] == [1, 2, 4, 5, 6]  # 3 was kept back
    first = {name: value.item() if hasattr(value, "item") else value for name, value in rows[0].items()}
    assert first == {
        "command": "launch", "name": "saxpy", "symbol": "saxpy", "correlation": 1, "external": 9, "thread": 11, "device": 0,
        "stream": 1, "number": 3, "step": 0, "node": 0, "run": 0, "grid_x": 4, "grid_y": 5, "grid_z": 6, "block_x": 64, "block_y": 1,
        "block_z": 1, "shared": 64, "bytes": 0, "to": 0, "source": 0, "rows": 0, "direction": "", "begin": 100,
        "driver_begin": 110, "driver_end": 120, "end": 140, "waited": 5, "timed": True, "submitted": 130, "started": 150,
        "ended": 250, "failed": False, "result": 0, "waits": 2, "left_out": 1, "in_step": False, "in_graph": False,
        "cooperative": False, "device_name": "GPU 0", "function": "cuLaunchKernel",
    }  # fmt: skip
    copy = rows[1]
    assert (copy["command"], copy["bytes"], copy["to"], copy["source"]) == ("copy", 1000, 50, 60)
    assert (copy["direction"], copy["grid_x"], copy["name"]) == ("host to device", 0, "")
    assert (rows[2]["step"], rows[2]["node"], rows[2]["run"], rows[2]["in_graph"]) == (7, 1, 2, True)
    assert [(row["timed"], row["failed"], row["started"]) for row in rows[2:]] == [
        (False, True, 0),
        (False, True, 0),
        (False, False, 0),
    ]
    assert (rows[3]["result"], rows[4]["rows"], rows[4]["bytes"]) == (-5, 8, 80)


def test_a_graph_has_a_row_for_each_node_and_run(tmp_path: Path) -> None:
    flags = format.TIMED | format.IN_STEP | format.IN_GRAPH
    slots, rows = [], []
    for run in range(6):
        for node in range(20):
            correlation = run * 20 + node + 1
            slots.append(
                command(
                    correlation,
                    run * 100,
                    (run * 100, run * 100 + 50),
                    run * 100 + 60,
                    flags=flags,
                    step=3,
                    node=node,
                    run=run,
                )
            )
            rows.append(times(correlation, run * 100, run * 100 + node, run * 100 + node + 1, step=3, node=node))
    path = Builder().slots(*clocks(), *slots).slots(*rows, ring=1).write(tmp_path / "t")
    table = dispatches(path)
    assert sorted(zip(table["run"].tolist(), table["node"].tolist(), strict=True)) == [
        (r, n) for r in range(6) for n in range(20)
    ]
    assert table["timed"].all()
    assert summarize(path).kernels["(name 1)"].calls == 120


def test_calls(small: Path) -> None:
    table = calls(small)
    assert {name: column.tolist() for name, column in table.items()} == {
        "name": ["Stream.synchronize", "cuStreamSynchronize"], "driver": [False, True], "thread": [11, 11], "device": [0, 0],
        "correlation": [10, 0], "parent": [0, 10], "external": [0, 0], "stream": [0, 5], "quantity": [0, 3],
        "result": [0, 1], "begin": [700, 710], "end": [800, 790], "failed": [False, True],
    }  # fmt: skip


def test_ranges_and_marks(small: Path) -> None:
    table = ranges(small)
    columns = ("name", "domain", "begin", "end", "mark", "open", "source", "depth", "payload", "color")
    assert list(zip(*(table[name].tolist() for name in columns), strict=True)) == [
        ("step", "", 50, 900, False, False, "launchpath", 1, 4, 0),
        ("step", "", 70, 70, True, False, "launchpath", 0, 0, 5),
        ("step", "solver", 60, 0, False, True, "nvtx", 0, 0, 0),
    ]


def test_streams(small: Path) -> None:
    assert {name: column.tolist() for name, column in streams(small).items()} == {
        "stream": [1, 5], "device": [0, 0], "type": ["blocking", "legacy"], "handle": [77, 0], "time": [0, 0],
    }  # fmt: skip


def test_empty_tables_have_all_columns(tmp_path: Path, small: Path) -> None:
    empty = Builder().write(tmp_path / "empty")
    for table in (dispatches, calls, ranges, streams):
        columns, rows = table(small), table(empty)
        assert {name: column.dtype for name, column in rows.items()} == {
            name: column.dtype for name, column in columns.items()
        }
        assert not any(map(len, rows.values()))


def test_frames(small: Path) -> None:
    pytest.importorskip("pandas")
    for columns, table in (
        (dispatch_columns(small), dispatches(small)),
        (call_columns(small), calls(small)),
        (range_columns(small), ranges(small)),
    ):
        framed = frame(columns)
        assert {name: framed[name].tolist() for name in framed} == {
            name: column.tolist() for name, column in table.items()
        }


def test_names_that_two_numbers_have(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    write(tmp_path / "t", 1)
    framed = frame(dispatch_columns(tmp_path / "t"))
    assert framed["name"].tolist() == dispatches(tmp_path / "t")["name"].tolist()


def test_a_package_that_is_not_installed() -> None:
    with pytest.raises(LibraryError, match=r"the package no_such_package, got: .*pip install 'launchpath\[trace\]'"):
        imported("no_such_package.part")


def test_csv_has_the_columns_of_rocprofv3(small: Path, tmp_path: Path) -> None:
    assert write_csv([small], tmp_path / "k.csv") == 1
    text = (tmp_path / "k.csv").read_text()
    assert text.startswith(
        '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name",'
    )
    (row,) = csv.DictReader(text.splitlines())
    assert tuple(row) == HEAD
    assert row == {
        "Kind": "KERNEL_DISPATCH", "Agent_Id": "Agent 0", "Queue_Id": "1", "Stream_Id": "1", "Thread_Id": "11",
        "Dispatch_Id": "1", "Kernel_Id": "1", "Kernel_Name": "saxpy", "Correlation_Id": "1", "Start_Timestamp": "150",
        "End_Timestamp": "250", "LDS_Block_Size": "64", "Scratch_Size": "0", "VGPR_Count": "0", "Accum_VGPR_Count": "0",
        "SGPR_Count": "0", "Workgroup_Size_X": "64", "Workgroup_Size_Y": "1", "Workgroup_Size_Z": "1",
        "Grid_Size_X": "256", "Grid_Size_Y": "5", "Grid_Size_Z": "6", "Private_Segment_Size": "0",
        "Group_Segment_Size": "64",
    }  # fmt: skip


def test_csv_of_several_processes(tmp_path: Path) -> None:
    for number in (1, 2):
        write(tmp_path / f"{number}", number)
    count = write_csv([tmp_path / "1", tmp_path / "2"], tmp_path / "k.csv")
    rows = list(csv.DictReader((tmp_path / "k.csv").open()))
    summaries = [summarize(tmp_path / f"{number}") for number in (1, 2)]
    assert len(rows) == count == sum(each.kernels.total().calls for each in summaries)
    time = sum(int(row["End_Timestamp"]) - int(row["Start_Timestamp"]) for row in rows)
    assert time == sum(each.kernels.total().total for each in summaries)
    assert {row["Kernel_Name"] for row in rows} == {"saxpy", "ns::reduce<float>"}


def test_csv_that_cannot_be_written(small: Path, tmp_path: Path) -> None:
    with pytest.raises(TraceFileError, match="expected a file that can be written: No such file"):
        write_csv([small], tmp_path / "none" / "k.csv")


def test_parquet_holds_what_the_tables_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = pytest.importorskip("pyarrow.dataset")
    expected = write(tmp_path / "t", 4, process={"pid": 5, "rank": 3, "host": "a"})
    chunks = TraceFile.chunks
    monkeypatch.setattr(TraceFile, "chunks", lambda self, size, by_file=False: chunks(self, 100, by_file))
    seen = []
    rows = write_parquet([tmp_path / "t"], tmp_path / "out", lambda done, total: seen.append((done, total)))
    assert (tmp_path / "out/dispatches/rank=3/pid=5/part-0.parquet").exists()
    for name, table in (("dispatches", dispatches), ("calls", calls), ("ranges", ranges)):
        columns = table(tmp_path / "t")
        read = dataset.dataset(tmp_path / "out" / name, partitioning="hive").to_table()
        assert read.num_rows == rows[name] == len(columns["begin"])
        assert set(read.column_names) == {*columns, "rank", "pid"}
        for column, values in columns.items():
            values_read = read[column].to_pylist()
            assert [0 if value is None else value for value in values_read] == values.tolist(), column
    assert rows["dispatches"] == expected.dispatches
    assert seen[-1][0] == seen[-1][1]


def test_parquet_has_nulls_where_times_are_not_known(small: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    write_parquet([small], tmp_path / "out")
    table = parquet.ParquetFile(tmp_path / "out/dispatches/rank=-1/pid=100/part-0.parquet")
    assert table.read()["started"].to_pylist() == [150, 260, None, None, None]
    metadata = table.schema_arrow.metadata
    assert json.loads(metadata[b"process"])["host"] == "node0" and int(metadata[b"real"]) == EPOCH
    assert parquet.ParquetFile(tmp_path / "out/ranges/rank=-1/pid=100/part-0.parquet").read()["end"].to_pylist() == [
        900,
        70,
        None,
    ]


def test_parquet_of_processes_with_the_same_number(tmp_path: Path, small: Path) -> None:
    dataset = pytest.importorskip("pyarrow.dataset")
    write_parquet([small, small], tmp_path / "out")
    read = dataset.dataset(tmp_path / "out/dispatches", partitioning="hive")
    assert len(read.files) == 2 and read.to_table().num_rows == 10


def test_parquet_goes_into_an_empty_folder(tmp_path: Path, small: Path) -> None:
    pytest.importorskip("pyarrow")
    with pytest.raises(TraceFileError, match="expected an empty folder"):
        write_parquet([small], tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(TraceFileError, match="expected a folder that can be written"):
        write_parquet([small], tmp_path / "file" / "folder")


def test_types_are_the_same_in_all_chunks(tmp_path: Path) -> None:
    write(tmp_path / "t", 4)
    table = dispatches(tmp_path / "t")
    assert table["grid_x"].dtype == numpy.dtype("u4") and table["bytes"].dtype == numpy.dtype("u8")


def test_a_saved_trace(tmp_path: Path, small: Path) -> None:
    write(tmp_path / "other", 1, process={"pid": 5, "rank": 2, "host": "a"})
    saved = lp.read_trace(small, tmp_path / "other")
    assert repr(saved) == f"<SavedTrace: {small}, {tmp_path / 'other'}>"
    assert str(saved.summary()) == str(summarize([small, tmp_path / "other"]))
    for method, table in (
        (saved.dispatches, dispatches),
        (saved.calls, calls),
        (saved.ranges, ranges),
        (saved.streams, streams),
    ):
        parts = method()
        assert [part["device" if "device" in part else "begin"].tolist() for part in parts] == [
            table(path)["device" if "device" in part else "begin"].tolist()
            for part, path in zip(parts, saved.paths, strict=True)
        ]
    saved.write_csv(tmp_path / "k.csv")
    assert len((tmp_path / "k.csv").read_text().splitlines()) == 1 + saved.summary().kernels.total().calls
    with pytest.raises(TraceFileError, match="No such file"):
        lp.read_trace(tmp_path / "none")


def test_paths_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="path: expected a str or a pathlib.Path, got the int 5"):
        lp.read_trace(5)
    with pytest.raises(TypeError, match=r"paths: expected a list of files, got the tuple \(\)"):
        lp.read_trace()
    for path in ("no\0file", "", tmp_path):
        with pytest.raises(TraceFileError, match="expected"):
            lp.read_trace(path)


def test_a_saved_trace_as_a_data_frame(tmp_path: Path, small: Path) -> None:
    pytest.importorskip("pandas")
    write(tmp_path / "other", 1, process={"pid": 5, "rank": 2, "host": "a"})
    saved = lp.read_trace(small, tmp_path / "other")
    for table, rows in (("dispatches", saved.dispatches), ("calls", saved.calls), ("ranges", saved.ranges)):
        frame = saved.to_pandas(table)
        assert frame["name"].tolist() == [name for part in rows() for name in part["name"].tolist()]
        assert set(frame["pid"]) == {100, 5}
    assert lp.read_trace(small).to_pandas()["command"].dtype == "category"
    with pytest.raises(lp.ArgumentValueError, match="table: expected 'dispatches', 'calls', 'ranges', got 'marks'"):
        saved.to_pandas("marks")
