"""Commands with their times in one pass: the same rows as by reading all times first."""

from pathlib import Path
from typing import Any

import numpy
import pytest

from launchpath._trace import format
from launchpath._trace.columns import combined, distinct, plain
from launchpath._trace.dispatches import dispatches
from launchpath._trace.files.file import TraceFile
from launchpath._trace.pairing import dispatch_parts
from launchpath._trace.records import Records
from tests.trace.builder import FACTS, Builder, clocks, command, times
from tests.trace.program import write


def rows(path: Path, wanted: list[str], size: int = 1 << 18) -> list[tuple[Any, ...]]:
    with Records(path) as records:
        parts = [plain(part) for part in dispatch_parts(records, wanted, size)]
    return [row for part in parts for row in zip(*(part[name].tolist() for name in wanted), strict=True)]


@pytest.mark.parametrize("size", [2, 3, 17, 1000, 1 << 18])
def test_the_rows_are_those_of_all_times_read_first(tmp_path: Path, size: int) -> None:
    write(tmp_path / "t", 3)
    table = dispatches(tmp_path / "t")
    expected = list(zip(*(column.tolist() for column in table.values()), strict=True))
    assert len(expected) > 100
    assert sorted(rows(tmp_path / "t", list(table), size)) == sorted(expected)


@pytest.mark.parametrize("wanted", [["name"], ["function"], ["device_name", "ended"], ["timed"], ["symbol", "failed"]])
def test_some_columns(tmp_path: Path, wanted: list[str]) -> None:
    write(tmp_path / "t", 4)
    table = dispatches(tmp_path / "t")
    assert sorted(rows(tmp_path / "t", wanted)) == sorted(zip(*(table[name].tolist() for name in wanted), strict=True))


@pytest.fixture
def apart(tmp_path: Path) -> Path:
    """Two threads whose blocks stand in turn, and commands that stand in one block and their details in the next."""
    first = [command(n, n * 100, (n * 100 + 10, n * 100 + 20), n * 100 + 30) for n in range(1, 7)]
    second = [command(n, n * 100, (n * 100 + 10, n * 100 + 20), n * 100 + 30) for n in range(11, 17)]
    one, two = b"".join(first), b"".join(second)
    cut = 3 * format.SLOT
    built = Builder().meta(**FACTS).names({1: "saxpy"}).slots(*clocks(), ring=9, thread=99)
    for place in range(0, len(one), cut):
        number = place // format.SLOT
        built.slots(one[place : place + cut], ring=0, thread=11, first=number)
        built.slots(two[place : place + cut], ring=1, thread=12, first=number)
    return built.slots(
        *(times(n, n * 100 + 10, n * 100 + 40, n * 100 + 50) for n in (*range(1, 7), 15)), ring=2, thread=98
    ).write(tmp_path / "apart")


@pytest.mark.parametrize("size", [2, 3, 4, 5, 100])
def test_a_detail_in_another_block(apart: Path, size: int) -> None:
    numbers = [*range(1, 7), *range(11, 17)]
    expected = [(n, 11 if n < 10 else 12, n * 100 + 40 if n < 10 or n == 15 else 0) for n in numbers]
    assert sorted(rows(apart, ["correlation", "thread", "started"], size)) == expected
    assert sorted(rows(apart, ["correlation", "thread"], size)) == [row[:2] for row in expected]


def test_slots_in_the_order_of_the_file(apart: Path) -> None:
    with TraceFile(apart) as file:
        by_ring = [chunk.commands()[2].tolist() for chunk in file.chunks()]
        by_file = [chunk.commands()[2].tolist() for chunk in file.chunks(by_file=True)]
        assert sum(map(len, file.chunks(3, by_file=True))) == file.count
    assert by_ring == [[11] * 6 + [12] * 6]
    assert by_file == [[11, 12, 11, 11, 12, 12, 11, 12, 11, 11, 12, 12]]


def test_times_before_their_command(tmp_path: Path) -> None:
    path = (
        Builder()
        .slots(times(1, 110, 150, 250), ring=1)
        .slots(*clocks(), command(1, 100, (110, 120), 140))
        .write(tmp_path / "t")
    )
    assert rows(path, ["correlation", "timed", "ended"], 2) == [(1, True, 250)]


def test_a_command_that_failed_while_it_ran_or_was_refused(tmp_path: Path) -> None:
    slots = [*clocks(), command(1, 100, (110, 120), 140), command(2, 200, (210, 220), 240, flags=format.FAILED)]
    path = Builder().slots(*slots).slots(times(1, 110, 0, 0, flags=format.FAILED), ring=1).write(tmp_path / "t")
    assert rows(path, ["correlation", "timed", "failed"]) == [(1, False, True), (2, False, True)]


def test_no_more_commands_wait_than_were_in_flight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from launchpath._trace import pairing

    built = Builder().slots(*clocks(), ring=9)
    for n in range(1, 201):
        begin = n * 100
        built.slots(command(n, begin, (begin, begin + 10), begin + 20), first=2 * (n - 1))
        if n > 3:
            built.slots(times(n - 3, begin - 300, begin - 250, begin - 200), ring=1, first=n - 4)
    path = built.write(tmp_path / "t")
    most = []
    add = pairing._Waiting.add
    monkeypatch.setattr(
        pairing._Waiting,
        "add",
        lambda self, table: (add(self, table), most.append(sum(len(part["correlation"]) for part in self._parts))),
    )
    table = rows(path, ["correlation", "timed"], 4)
    assert sorted(table) == [(n, n <= 197) for n in range(1, 201)]
    assert 3 <= max(most) <= 5


def test_different_numbers() -> None:
    random = numpy.random.default_rng(1)
    for numbers in (
        random.integers(0, 50, 1000),
        random.integers(0, 1 << 40, 1000),
        numpy.zeros(0, "u4"),
        numpy.array([-5, 3, -5]),
    ):
        values, codes = distinct(numbers)
        assert values.tolist() == sorted(set(numbers.tolist())) and values[codes].tolist() == numbers.tolist()
    columns = random.integers(0, 5, 300), random.integers(0, 1 << 33, 300) // (1 << 31), random.integers(0, 2, 300)
    found, codes = combined(*columns)
    expected = list(zip(*(column.tolist() for column in columns), strict=True))
    assert found == sorted(set(expected)) and [found[code] for code in codes.tolist()] == expected
    assert combined(numpy.zeros(0, "u4"), numpy.zeros(0, "u4"))[0] == []
