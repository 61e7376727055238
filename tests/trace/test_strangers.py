"""Traces from anywhere: sizes that are not true, texts of any bytes, and outputs that grow with the file alone."""

import csv
import json
import os
import stat
import struct
from pathlib import Path

import numpy
import pytest

import launchpath as lp
from launchpath._report.calls import MOST_ROWS
from launchpath._trace.clock import Clock
from launchpath._trace.files.facts import Facts
from launchpath._trace.files.file import TraceFile
from launchpath._trace.format import CALL, LAYOUTS, META, NAMES, PAGE, RANGE, RING, SLOT, SLOTS, TIME_MOST
from launchpath._trace.summaries.summarize import summarize
from launchpath._trace.text import LONGEST, fact_text, name_text
from tests.python import python
from tests.trace.builder import FACTS, Builder, clocks, command, range_, slot, times

HOLE = 1 << 40


def sparse(path: Path, built: Builder, size: int = HOLE) -> Path:
    """A file of a terabyte that takes as much of the disk as what was written."""
    built.write(path)
    os.truncate(path, size)
    return path


def test_a_ring_takes_the_memory_of_what_the_file_holds(tmp_path: Path) -> None:
    built = Builder(state=0).ring({0: slot(CALL, correlation=7)}, head=1 << 14, tail=0, capacity=1 << 14)
    built.parts[-1] = built.parts[-1][: 2 * PAGE]
    with TraceFile(sparse(tmp_path / "t", built)) as file:
        (ring,) = file.rings.values()
        assert sum(run.slots.nbytes for run in ring.runs) == PAGE
        assert (file.count, file.lost) == (PAGE // SLOT, (1 << 14) - PAGE // SLOT)


@pytest.mark.parametrize("capacity", [(1 << 14) + 1, 1 << 22, 1 << 30, 1 << 62])
def test_a_ring_of_more_slots_than_any_is_not_read(tmp_path: Path, capacity: int) -> None:
    data = struct.pack("<Q", capacity).ljust(PAGE - SLOT, b"\0") + slot(CALL)
    built = Builder(state=0).block(RING, data, capacity=capacity, size=min(capacity * SLOT + 2 * PAGE, (1 << 64) - 1))
    with TraceFile(sparse(tmp_path / "t", built)) as file:
        assert (file.count, file.lost) == (0, capacity)


def test_slots_in_a_hole_are_lost_and_not_read(tmp_path: Path) -> None:
    whole = slot(CALL, correlation=7) * (PAGE // SLOT)
    built = Builder().block(SLOTS, whole, count=1 << 30, size=1 << 39)
    with TraceFile(sparse(tmp_path / "t", built)) as file:
        assert (file.count, file.lost) == (2 * PAGE // SLOT - 1, (1 << 30) - (2 * PAGE // SLOT - 1))


@pytest.mark.parametrize("kind", [NAMES, META])
def test_names_and_facts_are_read_as_far_as_the_file_holds_them(
    tmp_path: Path, kind: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = Builder().block(kind, b'{"mode": 1}', count=1 << 39, size=1 << 39)
    asked = []
    monkeypatch.setattr(os, "pread", lambda *args, read=os.pread: asked.append(args[1]) or read(*args))
    with TraceFile(sparse(tmp_path / "t", built)) as file:
        assert file.unknown_blocks == 1
    assert max(asked) <= PAGE


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(lp.TraceFileError, match="no regular file"):
        lp.read_trace(tmp_path / "pipe")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@pytest.mark.parametrize(
    "text",
    ["[" * 200_000, '{"a":' * 50_000, '{"a": ' + "[" * 9 + "]" * 9 + "}", "[]", '{"a": ' + "9" * 5000 + "}",
     '{"a": [' + ",".join(["{}"] * 100_000) + "]}"],
    ids=["brackets", "braces", "deep", "list", "number", "many"],
)  # fmt: skip
def test_facts_that_no_trace_has_are_counted(tmp_path: Path, text: str) -> None:
    built = Builder().meta(mode="device").block(META, text.encode(), count=len(text))
    with TraceFile(built.write(tmp_path / "t")) as file:
        assert (file.meta, file.unknown_blocks) == ({"mode": "device"}, 1)


def test_numbers_of_facts_are_finite_and_of_64_bits() -> None:
    facts = Facts()
    facts.add(b'{"a": NaN, "b": -1e999, "c": 18446744073709551616, "d": 18446744073709551615, "e": 0.5, "f": true}')
    assert facts.values == {"a": None, "b": None, "c": None, "d": (1 << 64) - 1, "e": 0.5, "f": True}


@pytest.mark.parametrize(
    "data, text",
    [
        (b"saxpy<float>", "saxpy<float>"),
        ("zwölf 😀".encode(), "zwölf 😀"),
        (b"a\xffb", r"a\xffb"),
        (b"\xed\xa0\x80", r"\xed\xa0\x80"),
        (b"\x1b[2J\0\n\t\x7f", r"\x1b[2J\x00\n\t\x7f"),
        ("\x85".encode(), r"\x85"),
    ],
)
def test_names_are_of_one_line_and_utf_8(data: bytes, text: str) -> None:
    assert name_text(data) == text


def test_facts_have_the_bytes_of_arguments() -> None:
    assert fact_text(os.fsdecode(b"argument\xff")) == r"argument\xff"
    assert fact_text("\ud800 \udfff") == r"\ud800 \udfff"


def test_names_that_are_cut_stay_different() -> None:
    first, second = (name_text(b"x" * LONGEST + end) for end in (b"1", b"2"))
    assert first != second and max(len(first), len(second)) <= LONGEST
    assert f"({LONGEST + 1} bytes, " in first
    assert name_text(b"x" * LONGEST) == "x" * LONGEST
    assert len(name_text("é".encode() * LONGEST).encode()) <= LONGEST
    assert len(name_text(b"\x1b" * LONGEST)) <= LONGEST


def test_text_that_is_not_utf_8_in_every_output(tmp_path: Path) -> None:
    for package in ("pandas", "pyarrow", "perfetto"):
        pytest.importorskip(package)
    text = os.fsdecode(b"odd\xff\x1b[0m")
    process = {"pid": 5, "host": text, "argv": [text], "executable": text}
    built = Builder().meta(**{**FACTS, "process": process, "threads": {"11": text}, "mode": text}).slots(*clocks())
    name = b"\xff\x1b[0m"
    built.block(NAMES, struct.pack("<II", 1, len(name)) + name.ljust(8, b"\0"), count=1)
    built.slots(command(1, 2000, (2010, 2020), 2030), times(1, 2015, 3000, 4000), range_(1, 2000, 3000), first=4)
    saved = lp.read_trace(built.write(tmp_path / "t"))
    summary = saved.summary()
    assert r"\xff\x1b[0m" in summary.kernels and summary.processes[0]["host"] == r"odd\xff\x1b[0m"
    assert "\x1b" not in str(summary) + summary._repr_html_()
    json.dumps(summary.as_json()).encode()
    saved.write_csv(tmp_path / "out.csv")
    saved.write_perfetto(tmp_path / "out.pftrace")
    saved.write_parquet(tmp_path / "out.parquet")
    assert saved.to_pandas("ranges")["name"].tolist() == [r"\xff\x1b[0m"]
    for target in (tmp_path / "out.csv", tmp_path / "out.pftrace"):
        data = target.read_bytes()
        assert rb"\xff\x1b[0m" in data and b"\x1b[0m" not in data


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "'=1", 'a"b', "a,b"])
def test_no_cell_is_a_formula(tmp_path: Path, name: str) -> None:
    built = Builder().meta(**FACTS).names({1: name}).slots(*clocks())
    built.slots(command(1, 2000, (2010, 2020), 2030), times(1, 2015, 3000, 4000), first=4)
    lp.read_trace(built.write(tmp_path / "t")).write_csv(tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["Kernel_Name"] == (f"'{name}" if name[0] in "=+-@" else name)


def test_tables_of_many_names_sum_up_the_last_ones(tmp_path: Path) -> None:
    count = MOST_ROWS + 500
    rows = [range_(number, 5000, 5000 + 10 * (count - number)) for number in range(count)]
    summary = summarize(Builder().slots(*clocks(), *rows).write(tmp_path / "t"))
    text = str(summary)
    (others,) = [line for line in text.splitlines() if "(500 others)" in line]
    assert [cell.strip() for cell in others.split("|")][3] == "500"
    assert f"(name {MOST_ROWS - 1}) " in text and f"(name {MOST_ROWS}) " not in text
    assert summary._repr_html_().count("<tr>") == MOST_ROWS + 3
    assert len(summary.as_json()["ranges"]) == count


def test_times_that_are_too_large_take_no_clock_along() -> None:
    clock = Clock(numpy.array([0, 10, (1 << 64) - 1], "u8"), numpy.array([0, 20, 5], "u8"))
    assert clock(numpy.array([5, 1 << 63, (1 << 64) - 1], "u8")).tolist() == [10, TIME_MOST, TIME_MOST]
    steep = Clock(numpy.array([0, 1]), numpy.array([0, TIME_MOST - 1]))
    assert steep(numpy.array([TIME_MOST - 1], "u8")).tolist() == [TIME_MOST]


def test_times_before_0_and_numbers_of_any_size_in_perfetto(tmp_path: Path) -> None:
    pytest.importorskip("perfetto")
    most = (1 << 64) - 1
    rows = [
        range_(1, 5, 9, payload=most), slot(RANGE, begin=most, end=3), times(1, 2000, 1, 1, submitted=most >> 1),
        command(1, 5000, (6000, 7000), 8000),
    ]  # fmt: skip
    built = (
        Builder().meta(**{**FACTS, "begin": {"monotonic": -5, "real": most}}).slots(*clocks(), *rows, thread=1 << 31)
    )
    path = built.write(tmp_path / "t")
    lp.read_trace(*[path] * 600).write_perfetto(tmp_path / "out")  # their pids are made different


def test_a_name_of_a_pair_is_short_since_there_may_be_one_for_each_pair(tmp_path: Path) -> None:
    built = Builder().names({1: "n" * 4000, 2: "d" * 4000}).slots(*clocks(), range_(1, 5, 9, domain=2))
    (entry,) = summarize(built.write(tmp_path / "t")).ranges
    assert len(entry.name) <= LONGEST // 8 and entry.name.startswith("ddd")


def test_peak_memory_does_not_follow_a_number_of_the_file(tmp_path: Path) -> None:
    """A range for each of many domains, with a name of the largest number: it took 50 MB for each domain."""
    slots = numpy.zeros(2000, LAYOUTS[RANGE])
    slots["kind"], slots["domain"], slots["name"] = RANGE, numpy.arange(2000) + 1, (1 << 32) - 1
    path = Builder().block(SLOTS, slots.tobytes(), count=2000).write(tmp_path / "t")
    code = (
        "import resource, sys; from launchpath._trace.summaries.summarize import summarize\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        f"assert len(summarize({str(path)!r}).ranges) == 2000\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    assert int(python("-c", code).stdout) < 64 << 10  # KiB
