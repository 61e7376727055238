"""Some ranks and some seconds of traces: which blocks are read, and which records are written."""

import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import launchpath as lp
from launchpath._cli import main
from launchpath._trace import format
from launchpath._trace.choice import Choice
from launchpath._trace.dispatches import dispatches
from launchpath._trace.records import Records
from tests.trace.builder import (
    DEVICE_AHEAD,
    EPOCH,
    FACTS,
    TICKS,
    Builder,
    call,
    command,
    range_,
    slot,
    times,
)

MS = 1_000_000  # nanoseconds
LONG = 5_000  # milliseconds of a trace
BLOCK = 100  # milliseconds of a block


def host_clock(monotonic: int, real: int) -> bytes:
    """Give an anchor of the host."""
    return slot(format.HOST_CLOCK, ticks=monotonic * TICKS, monotonic=monotonic, real=monotonic + real)


def device_clock(monotonic: int) -> bytes:
    """Give an anchor of a device whose clock runs too fast, at first more than later."""
    ahead = monotonic // 1000 + (monotonic // MS) ** 2 // 100
    return slot(format.DEVICE_CLOCK, device_time=monotonic + DEVICE_AHEAD + ahead, monotonic=monotonic, error=1)


def long_trace(path: Path, backlog: int = 0, where: str = "in blocks", real: int = EPOCH, **meta: Any) -> Path:
    """Write a trace of two threads with a launch and a call every 10 ms, blocks of 100 ms, and kernels of 15 ms.

    Parameters
    ----------
    path : Path
    backlog : int
        Milliseconds by which kernels start later than they were launched.
    where : str
        Clocks stand ``in blocks`` of their own, or at the ``ends`` of the trace.
    real : int
        Nanoseconds since 1970 when the monotonic clock was 0.
    """
    built = Builder().meta(**{**FACTS, "begin": {"monotonic": 0, "real": real}, **meta}).names({1: "saxpy", 2: "block"})
    at = dict.fromkeys(range(4), 0)

    def add(ring: int, slots: list[bytes]) -> None:
        if slots:
            built.slots(*slots, ring=ring, thread=10 + ring, first=at[ring])
            at[ring] += sum(map(len, slots)) // format.SLOT

    ended: list[tuple[int, bytes]] = []
    for begin in range(0, LONG, BLOCK):
        if where == "in blocks" or begin in (0, LONG - BLOCK):
            add(3, [host_clock(begin * MS, real), device_clock(begin * MS)])
        for ring in (0, 1):
            slots = [range_(2, begin * MS, (begin + BLOCK - 1) * MS, correlation=begin * 10 + ring + 1)]
            for time in range(begin, begin + BLOCK, 10):
                number, now = time * 2 + ring + 1, time * MS
                slots += [
                    command(number, now, (now + 100, now + 200), now + 300),
                    call(3, now + 1000, now + 2 * MS, correlation=number),
                ]
                start = now + backlog * MS + ring * 1000 + 500
                ended.append((start + 15 * MS, times(number, now + 100, start, start + 15 * MS)))
            add(ring, slots[1:] + slots[:1])
        add(2, [row for end, row in ended if end < (begin + BLOCK) * MS])
        ended = [each for each in ended if each[0] >= (begin + BLOCK) * MS]
    add(2, [row for _, row in ended])
    return built.write(path)


def device_time_is_told(path: Path, stretch: tuple[int, int]) -> list[tuple[int, ...]]:
    with Records(path, stretch=stretch) as records:
        rows = []
        for chunk in records.chunks():
            placed = records.placed(chunk.slots_of(format.TIMES))
            within = records.overlap(placed.start, placed.end)
            columns = (placed.slots["correlation"], placed.start, placed.end)
            rows += list(zip(*(column[within].tolist() for column in columns), strict=True))
        return sorted(rows)


@pytest.mark.parametrize("backlog", [0, 40, 1000])
@pytest.mark.parametrize("where", ["in blocks", "ends"])
def test_a_stretch_has_all_of_its_records_and_the_same_times(tmp_path: Path, backlog: int, where: str) -> None:
    path, draw = long_trace(tmp_path / "t", backlog, where), random.Random(backlog)
    every = device_time_is_told(path, (-(1 << 60), 1 << 60))
    assert len(every) == LONG // 10 * 2
    whole = dispatches(path)
    host = list(zip(*(whole[name].tolist() for name in ("correlation", "begin", "end")), strict=True))
    for _ in range(5):
        begin = draw.randrange(0, LONG * MS)
        end = begin + draw.choice([1, 10 * MS, 300 * MS, 2000 * MS])
        assert device_time_is_told(path, (begin, end)) == [row for row in every if row[1] <= end and row[2] >= begin]
        with Records(path, stretch=(begin, end)) as records:
            seen = set()
            for chunk in records.chunks():
                seen.update(chunk.commands()[0]["correlation"].tolist())
        assert seen >= {row[0] for row in host if row[1] <= end and row[2] >= begin}
        # The commands that ran in it are there too, however long before they were launched.
        assert seen >= {row[0] for row in every if row[1] <= end and row[2] >= begin}


def test_other_blocks_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from launchpath._trace.files.file import TraceFile

    path, read, bytes_read = long_trace(tmp_path / "t"), TraceFile._read, []

    def counted(self: TraceFile, piece: Any, begin: int, slots: Any) -> None:
        bytes_read.append(slots.nbytes)
        read(self, piece, begin, slots)

    with Records(path) as records:
        every = records.file.count
    monkeypatch.setattr(TraceFile, "_read", counted)
    with Records(path, stretch=(2_500 * MS, 2_510 * MS)) as records:
        assert records.file.count < every / 5
        assert 10 < records.count < 300
    assert sum(bytes_read) < path.stat().st_size  # and of the other blocks their begin


def test_without_clocks_all_is_read(tmp_path: Path) -> None:
    slots = [command(n, n * 100, (n * 100, n * 100 + 10), n * 100 + 20) for n in range(1, 9)]
    path = Builder().slots(*slots).write(tmp_path / "t")
    with Records(path, stretch=(0, 1)) as records:
        assert records.file.count == 16


@pytest.fixture
def ranks(tmp_path: Path) -> list[Path]:
    """Traces of four ranks, two on each host; those of the second host began 1 s later, on another clock."""
    paths = []
    for rank in range(4):
        later = rank // 2
        process = {"pid": 50 + rank, "rank": rank, "host": f"node{rank // 2}"}
        paths.append(long_trace(tmp_path / f"{rank}.lptrace", process=process, real=EPOCH + later * 10**9))
    return paths


def parts(paths: list[Path], **choice: Any) -> list[tuple[str, Any]]:
    return [(Path(part.path).stem, part.stretch) for part in Choice(**choice).parts(paths)]


def test_ranks_and_seconds_choose_parts(ranks: list[Path]) -> None:
    assert parts(ranks) == [(str(rank), None) for rank in range(4)]
    assert parts(ranks, ranks={1, 3}) == [("1", None), ("3", None)]
    assert parts(ranks, ranks={1, 3}, seconds=(2.5, 3)) == [
        ("1", (2_500_000_000, 3_000_000_000)),
        ("3", (1_500_000_000, 2_000_000_000)),
    ]
    assert parts(ranks, ranks=[2], seconds=(None, 2.0)) == [("2", (-(1 << 60), 1_000_000_000))]
    assert parts(ranks, ranks=[2], seconds=(2.0, None)) == [("2", (1_000_000_000, 1 << 60))]


def test_a_trace_that_does_not_say_when_it_began(tmp_path: Path) -> None:
    path = long_trace(tmp_path / "t", begin=None)
    assert parts([path], seconds=(1, 2)) == [("t", (10**9, 2 * 10**9))]


@pytest.mark.parametrize(
    "choice, message",
    [
        ({"ranks": {3, 7, 9}}, "expected ranks of the traces, which are 0, 1, 2, 3, got 7, 9"),
        ({"seconds": (2.0, 2.0)}, "expected a begin before the end, got 2:2"),
    ],
)
def test_choices_that_there_are_not(ranks: list[Path], choice: dict[str, Any], message: str) -> None:
    with pytest.raises(lp.ArgumentValueError, match=message):
        Choice(**choice).parts(ranks)


def test_too_many_records_are_refused(ranks: list[Path], tmp_path: Path) -> None:
    count = 4 * (LONG // 10 * 4 + LONG // BLOCK * 2)
    trace = lp.read_trace(*ranks)
    for write in (trace.write_perfetto, trace.write_csv):
        message = rf"expected at most 1,000 records in one file .*, got {count:,} of 4 traces: choose some .*--limit {count}\)"
        with pytest.raises(lp.ArgumentValueError, match=message):
            write(tmp_path / "out", limit=1000)
        assert not (tmp_path / "out").exists()
        write(tmp_path / "out", limit=count)
        (tmp_path / "out").unlink()
        write(tmp_path / "out", limit=1000, ranks=[1], seconds=(5, 5.1))
        (tmp_path / "out").unlink()
    assert Choice().limit == 20_000_000


def test_parquet_and_csv_of_a_stretch(ranks: list[Path], tmp_path: Path) -> None:
    dataset = pytest.importorskip("pyarrow.dataset")
    trace = lp.read_trace(*ranks)
    trace.write_parquet(tmp_path / "p", ranks=[0, 2], seconds=(3.0, 3.2))
    rows = {
        name: dataset.dataset(tmp_path / "p" / name, partitioning="hive").to_table().to_pylist()
        for name in ("dispatches", "calls", "ranges")
    }
    for rank, (begin, end) in ((0, (3000, 3200)), (2, (2000, 2200))):
        low, high = begin * MS, end * MS
        for name, table in rows.items():
            mine = [row for row in table if row["rank"] == rank]
            assert mine and all(
                (row["begin"] <= high and row["end"] >= low)
                or (row.get("timed") and row["started"] <= high and row["ended"] >= low)
                for row in mine
            ), name
        whole = dispatches(ranks[rank])
        within = (whole["begin"] <= high) & (whole["end"] >= low) | (whole["started"] <= high) & (whole["ended"] >= low)
        assert sorted(row["correlation"] for row in rows["dispatches"] if row["rank"] == rank) == sorted(
            whole["correlation"][within].tolist()
        )
    assert {row["rank"] for table in rows.values() for row in table} == {0, 2}
    trace.write_csv(tmp_path / "k.csv", ranks=[0, 2], seconds=(3.0, 3.2))
    assert len((tmp_path / "k.csv").read_text().splitlines()) - 1 == sum(
        row["started"] <= high and row["ended"] >= low
        for row in rows["dispatches"]
        for low, high in [(3000 * MS, 3200 * MS) if row["rank"] == 0 else (2000 * MS, 2200 * MS)]
    )


def test_perfetto_of_a_stretch(ranks: list[Path], tmp_path: Path) -> None:
    message = pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")
    lp.read_trace(*ranks).write_perfetto(tmp_path / "out", ranks=[1, 3], seconds=(3.0, 3.2))
    packets = message.Trace.FromString((tmp_path / "out").read_bytes()).packet
    assert {packet.track_descriptor.process.pid for packet in packets if packet.track_descriptor.process.pid} == {
        51,
        53,
    }
    begun = [packet.timestamp for packet in packets if packet.track_event.type == 1]
    # Kernels that ran at its begin, and the driver's call in a launch that began at its end.
    assert len(begun) > 100 and min(begun) >= 2985 * MS and max(begun) <= 3200 * MS + 100
    lp.read_trace(*ranks).write_perfetto(tmp_path / "whole", ranks=[1])
    assert (tmp_path / "whole").stat().st_size > 5 * (tmp_path / "out").stat().st_size


def run(*args: object) -> Result:
    return CliRunner().invoke(main, ["report", *map(str, args)])


def test_the_command(ranks: list[Path], tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    result = run(
        *ranks, "--csv", tmp_path / "k.csv", "--parquet", tmp_path / "p", "--ranks", "0,2-3", "--seconds", "3:3.2"
    )
    assert result.exit_code == 0, result.stderr
    assert sorted(path.name for path in (tmp_path / "p" / "calls").iterdir()) == ["rank=0", "rank=2", "rank=3"]
    assert 60 < len((tmp_path / "k.csv").read_text().splitlines()) < 200
    for args, code, text in (
        (("--csv", tmp_path / "x", "--ranks", "9"), 1, "expected ranks of the traces, which are 0, 1, 2, 3, got 9"),
        (("--csv", tmp_path / "x", "--limit", "10"), 1, "expected at most 10 records in one file as CSV, got "),
        (("--csv", tmp_path / "x", "--ranks", "a"), 2, "expected ranks such as 0,3-5, got 'a'"),
        (("--csv", tmp_path / "x", "--ranks", "5-3"), 2, "expected ranks such as 0,3-5"),
        (("--csv", tmp_path / "x", "--ranks", "0-99999999"), 2, "expected ranks such as 0,3-5"),
        *((("--csv", tmp_path / "x", "--seconds", words), 2, "expected seconds such as 12.5:14") for words in ("3", ":", "4:3", "3:3", "a:4", "nan:4", "-1:4", "1:2:3")),
        (("--ranks", "0"), 2, "expected --perfetto, --parquet or --csv with --ranks or --seconds"),
        (("--json", "-", "--seconds", "1:2"), 2, "expected --perfetto, --parquet or --csv"),
    ):  # fmt: skip
        result = run(*ranks, *args)
        assert (result.exit_code, text in result.stderr) == (code, True), (args, result.stderr)
        assert not (tmp_path / "x").exists()


def test_a_side_may_be_left_out(ranks: list[Path], tmp_path: Path) -> None:
    counts = []
    for words in ("4:", ":1", "0:4.99", "3.5:"):
        assert run(ranks[0], "--csv", tmp_path / "k.csv", "--seconds", words).exit_code == 0
        counts.append(len((tmp_path / "k.csv").read_text().splitlines()) - 1)
    assert counts[0] < counts[3] < counts[2] and abs(counts[0] - counts[1]) <= 6 and 195 <= counts[1] <= 206
