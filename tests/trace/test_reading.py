"""Reading trace files: whole ones, and those that a killed program left."""

import contextlib
import errno
import importlib.util
import json
import os
from pathlib import Path
from unittest.mock import Mock

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from launchpath._trace.files import ring as ring_module
from launchpath._trace.files.blocks import walk
from launchpath._trace.files.file import TraceFile
from launchpath._trace.format import CALL, COMMAND, DETAIL, LAYOUTS, META, PAGE, RING, RING_HEAD, SLOT, SLOTS
from launchpath._trace.formats.kernel_csv import write_csv
from launchpath._trace.formats.parquet import write_parquet
from launchpath._trace.formats.perfetto import write_perfetto
from launchpath._trace.summaries.summarize import summarize
from launchpath.errors import TraceFileError
from tests.trace.builder import FACTS, Builder, api, call, clocks, command, range_, slot, times


def numbers(path: Path, size: int = 1 << 18) -> list[tuple[int, int]]:
    """The thread and the correlation of every slot."""
    with TraceFile(path) as file:
        return [
            (int(thread), int(each))
            for chunk in file.chunks(size)
            for thread, each in zip(
                chunk.thread_of_run[chunk.runs], chunk.slots.view(LAYOUTS[CALL])["correlation"], strict=True
            )
        ]


def calls(first: int, last: int) -> list[bytes]:
    return [slot(CALL, correlation=number) for number in range(first, last)]


def test_blocks_come_in_the_order_of_their_slots(tmp_path: Path) -> None:
    built = Builder().slots(*calls(5, 9), first=5).slots(*calls(100, 103), ring=1, thread=12).slots(*calls(0, 5))
    path = built.write(tmp_path / "t")
    assert numbers(path) == [(11, number) for number in range(9)] + [(12, number) for number in range(100, 103)]
    with TraceFile(path) as file:
        assert (file.count, file.lost, file.unknown_blocks) == (12, 0, 0)


@pytest.mark.parametrize("size", [2, 3, 5, 7, 100])
def test_chunks_of_any_size_have_the_same_commands(tmp_path: Path, size: int) -> None:
    slots = [command(n, 10 * n, (10 * n + 1, 10 * n + 2), 10 * n + 3) for n in range(9)]
    slots.insert(4, slot(CALL, correlation=77))
    data = b"".join(slots)
    parts = [data[at : at + SLOT] for at in range(0, len(data), SLOT)]
    built = Builder().slots(*parts[:8]).slots(*parts[8:11], first=8).slots(*parts[11:], first=11)
    with TraceFile(built.write(tmp_path / "t")) as file:
        pairs = [chunk.commands() for chunk in file.chunks(size)]
    assert numpy.concatenate([first["correlation"] for first, _, _ in pairs]).tolist() == list(range(9))
    assert all((first["kind"] == COMMAND).all() and (second["kind"] == DETAIL).all() for first, second, _ in pairs)


def test_holes_are_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = Builder().hole(1).slots(*calls(0, 3)).hole(700).slots(*calls(3, 5), first=3).hole(2)
    path = built.write(tmp_path / "t")
    assert [number for _, number in numbers(path)] == [0, 1, 2, 3, 4]
    monkeypatch.setattr(os, "lseek", Mock(side_effect=OSError(errno.EINVAL, "a file system that knows no holes")))
    assert [number for _, number in numbers(path)] == [0, 1, 2, 3, 4]
    monkeypatch.setattr(os, "lseek", Mock(side_effect=OSError(errno.EIO, "a broken disk")))
    with pytest.raises(TraceFileError, match="a broken disk"):
        numbers(path)


def test_a_sparse_hole_is_not_read(tmp_path: Path) -> None:
    path = Builder().slots(*calls(0, 3)).write(tmp_path / "t")
    end = Builder().slots(*calls(3, 4), first=3).parts[1]
    with path.open("r+b") as file:
        file.seek(1 << 40)
        file.write(end)
    assert len(numbers(path)) == 4


def test_a_block_without_its_magic_number_is_a_hole(tmp_path: Path) -> None:
    built = Builder().slots(*calls(0, 200)).slots(*calls(200, 203), first=200)
    built.parts[1] = bytes(4) + built.parts[1][4:]
    path = built.write(tmp_path / "t")
    assert [number for _, number in numbers(path)] == [200, 201, 202]
    assert summarize(path).counts["lost"] == 200


def test_the_last_block_may_be_truncated(tmp_path: Path) -> None:
    built = Builder().slots(*calls(0, 3)).slots(*calls(3, 63 + 3), first=3)
    assert len(numbers(built.write(tmp_path / "t", cut=PAGE - SLOT - 10 * SLOT - 5))) == 3 + 10
    assert len(numbers(built.write(tmp_path / "t", cut=PAGE - 10))) == 3


def test_what_overlaps_is_read_once(tmp_path: Path) -> None:
    built = Builder().slots(*calls(0, 6)).slots(*calls(4, 9), first=4).slots(*calls(2, 3), first=2)
    assert [number for _, number in numbers(built.write(tmp_path / "t"))] == list(range(9))


def test_missing_numbers_are_counted(tmp_path: Path) -> None:
    built = Builder().slots(*calls(2, 4), first=2).slots(*calls(7, 9), first=7).slots(*calls(0, 1), ring=1, first=10)
    with TraceFile(built.write(tmp_path / "t")) as file:
        assert file.lost == 2 + 3 + 10


def test_a_command_whose_detail_is_lost_is_counted(tmp_path: Path) -> None:
    whole = command(5, 1, (2, 3), 4)
    # Number 1 is missing, so the command at 0 and the detail at 2 are not of the same launch.
    built = Builder().slots(*clocks(), ring=9).slots(whole[:SLOT]).slots(whole[SLOT:], first=2)
    summary = summarize(built.write(tmp_path / "t"))
    assert (summary.counts["lost"], summary.counts["halves"], len(summary.driver_calls)) == (1, 2, 0)


def test_a_killed_program_leaves_slots_in_its_rings(tmp_path: Path) -> None:
    """The ring has gone round: 64 places, and slots 60 to 69 are not in blocks yet."""
    held = {number: slot(CALL, correlation=number) for number in range(6, 70)}
    built = Builder(state=0).slots(*calls(0, 60)).ring(held, head=70, tail=60)
    path = built.write(tmp_path / "t")
    assert [number for _, number in numbers(path)] == list(range(70))
    assert summarize(path).counts["not_ended"] == 1
    assert "the program still runs, or was killed): 1" in str(summarize(path))


def test_a_block_may_be_newer_than_the_tail(tmp_path: Path) -> None:
    held = {number: slot(CALL, correlation=number) for number in range(5, 12)}
    built = Builder(state=0).ring(held, head=12, tail=5).slots(*calls(0, 8))
    assert [number for _, number in numbers(built.write(tmp_path / "t"))] == list(range(12))


@given(head=st.integers(0, 400), held=st.integers(0, 64), capacity=st.sampled_from([1, 2, 7, 64]))
def test_rings_go_round(tmp_path_factory: pytest.TempPathFactory, head: int, held: int, capacity: int) -> None:
    tail = max(head - min(held, capacity), 0)
    slots = {number: slot(CALL, correlation=number) for number in range(max(head - capacity, 0), head)}
    built = Builder(state=0).ring(slots, head=head, tail=tail, capacity=capacity)
    if tail:
        built.slots(*calls(0, tail))
    path = built.write(tmp_path_factory.mktemp("ring") / "t")
    assert [number for _, number in numbers(path)] == list(range(head))
    with TraceFile(path) as file:
        assert file.lost == 0


def test_a_ring_that_is_cut_off_loses_slots(tmp_path: Path) -> None:
    held = {number: slot(CALL, correlation=number) for number in range(64)}
    path = Builder(state=0).ring(held, head=64, tail=0).write(tmp_path / "t", cut=14 * SLOT)
    assert summarize(path).counts["lost"] == 14


def test_slots_that_may_be_overwritten_meanwhile_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread writes 5 slots while its ring is copied, which has 8 places: 3 of those that it held are in blocks now."""
    held = {number: slot(CALL, correlation=number) for number in range(2, 8)}
    path = Builder(state=0).slots(*calls(0, 2)).ring(held, head=8, tail=2, capacity=8).write(tmp_path / "t")
    heads, tails = iter([8, 13]), iter([2, 5])

    def number(descriptor: int, block: object, at: int) -> int:
        return next(heads if at == RING_HEAD else tails)

    monkeypatch.setattr(ring_module, "_number", number)
    descriptor = os.open(path, os.O_RDONLY)
    try:
        block = next(block for block in walk(descriptor) if block.kind == RING)
        copied = ring_module.copy_ring(descriptor, block)
    finally:
        os.close(descriptor)
    (run,) = copied.runs
    assert (run.first, run.slots.view(LAYOUTS[CALL])["correlation"].tolist()) == (5, [5, 6, 7])


def test_calls_that_a_killed_thread_was_in(tmp_path: Path) -> None:
    built = Builder(state=0).meta(**FACTS).names({1: "saxpy"})
    built.ring({}, head=0, tail=0, frame=command(1, 5, (6, 0), 0))
    built.ring({}, head=0, tail=0, ring=1, thread=12, frame=call(3, 5, 0))
    built.ring({}, head=0, tail=0, ring=2, thread=13, frame=api(0, 5, 0))
    built.ring({}, head=0, tail=0, ring=3, thread=14)
    summary = summarize(built.write(tmp_path / "t"))
    assert sorted(summary.open_calls) == sorted(
        [
            "cuLaunchKernel of saxpy in thread MainThread",
            "cuStreamSynchronize in thread 12",
            "Stream.synchronize in thread 13",
        ]
    )


def test_a_file_that_grows_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    built = Builder(state=0).slots(*calls(0, 3))
    path = built.write(tmp_path / "t")
    with TraceFile(path) as file:
        path.write_bytes(b"".join(built.slots(*calls(3, 9), first=3).parts))
        assert [len(chunk) for chunk in file.chunks()] == [3]
    assert len(numbers(path)) == 9


def test_what_is_not_known_is_counted(tmp_path: Path) -> None:
    built = Builder().block(77, b"new").block(META, b"{no JSON", count=8)
    built.slots(slot(200), slot(0), slot(201), call(0, 1, 2))
    summary = summarize(built.write(tmp_path / "t"))
    assert (summary.counts["unknown_slots"], summary.counts["unknown_blocks"], summary.counts["lost"]) == (2, 2, 1)
    assert summary.driver_calls["(call 0)"].calls == 1


def test_meta_and_names_are_merged(tmp_path: Path) -> None:
    built = Builder().meta(process={"pid": 5, "host": "a"}, mode="host").names({1: "one", 300: "zwölf<int>"})
    built.meta(process={"host": "b"}, devices=[{}]).names({1: "other"})
    with TraceFile(built.write(tmp_path / "t")) as file:
        assert file.meta == {"process": {"pid": 5, "host": "b"}, "mode": "host", "devices": [{}]}
        assert file.names == {1: "other", 300: "zwölf<int>"}


def test_names_that_are_cut_off(tmp_path: Path) -> None:
    built = Builder().names({1: "one", 2: "x" * 5000})
    with TraceFile(built.write(tmp_path / "t", cut=PAGE)) as file:
        assert (file.names, file.unknown_blocks) == ({1: "one"}, 1)


def test_counters(tmp_path: Path) -> None:
    with TraceFile(Builder(dropped=5, uploads_skipped=7).write(tmp_path / "t")) as file:
        assert (file.counters["state"], file.counters["dropped"], file.counters["uploads_skipped"]) == (1, 5, 7)


@pytest.mark.parametrize(
    "data, text",
    [
        (b"", "expected a trace, which begins with 4c 50 42 4b, got an empty file"),
        (b"GIF89a" + bytes(100), "got 47 49 46 38"),
        (b"LPBK\1\0\1\0", "expected a header of 64 bytes, got a file of 8 bytes"),
        (b"LPBK\1\0\2\0" + bytes(100), "expected version 1 of the format, got 2"),
        (b"LPBK\3\0\1\0" + bytes(100), "expected a header as the first block, got a block of kind 3"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, data: bytes, text: str) -> None:
    path = tmp_path / "other.lptrace"
    path.write_bytes(data)
    with pytest.raises(TraceFileError, match=text) as error:
        TraceFile(path)
    assert str(path) in str(error.value)


def test_missing_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TraceFileError, match="No such file"):
        TraceFile(tmp_path / "none")


def test_a_file_of_a_header_alone(tmp_path: Path) -> None:
    summary = summarize(Builder(state=0).write(tmp_path / "t"))
    assert (summary.slots, summary.length, summary.counts["not_ended"]) == (0, 0, 1)
    assert str(summary).startswith("1 host, 1 process, 0 threads")


@given(
    cut=st.integers(0, 9 * PAGE), flips=st.lists(st.tuples(st.integers(0, 9 * PAGE), st.integers(0, 255)), max_size=8)
)
def test_damaged_files_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, cut: int, flips: list) -> None:
    built = (
        Builder().meta(**FACTS).names({1: "saxpy"}).hole(1).slots(*clocks(), command(1, 5, (6, 7), 8), range_(1, 2, 9))
    )
    held = {number: slot(CALL, correlation=number) for number in range(4)}
    path = built.ring(held, head=4, tail=0, capacity=8, ring=1).write(tmp_path_factory.mktemp("damaged") / "t", cut=cut)
    data = bytearray(path.read_bytes())
    for at, value in flips:
        if at < len(data):
            data[at] = value
    path.write_bytes(data)
    with contextlib.suppress(TraceFileError):
        str(summarize(path))


def test_kinds_of_blocks_are_those_of_the_format() -> None:
    assert (RING, SLOTS, META) == (2, 3, 5)


TEXT = st.sampled_from(["", "pid", "host", "argv", "launch", "cuda", "11", "real", "\x1b[0m"])
ODD = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 1 << 70) | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)


@given(meta=st.fixed_dictionaries({}, optional=dict.fromkeys([*FACTS, "clock"], ODD)))
def test_odd_facts_do_no_harm(tmp_path_factory: pytest.TempPathFactory, meta: dict[str, object]) -> None:
    slots = [*clocks(), command(1, 5, (6, 7), 8), api(0, 1, 2), call(1, 2, 3), range_(1, 2, 9), times(1, 6, 7, 8)]
    path = Builder().meta(**meta).slots(*slots).write(tmp_path_factory.mktemp("odd") / "t")
    summary = summarize(path)
    assert str(summary) and json.dumps(summary.as_json()) and summary.kernels.total().calls == 1
    write_csv([path], path.with_suffix(".csv"))
    if importlib.util.find_spec("perfetto") and importlib.util.find_spec("pyarrow"):
        write_perfetto([path], path.with_suffix(".pftrace"))
        write_parquet([path], path.with_suffix(".parquet"))
