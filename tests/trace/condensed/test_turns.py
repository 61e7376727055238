"""Turns: windows of as many occurrences each, and windows of several sizes together."""

import random
from typing import Any

import numpy
import pytest
from numpy.typing import NDArray

from launchpath._trace import format
from launchpath._trace.condensed.blob import Blob
from launchpath._trace.condensed.format import Table
from launchpath._trace.condensed.library import Condenser, Part
from launchpath._trace.condensed.turns import PART_NAMES, WINDOW_TYPE, Turns
from tests.trace.builder import slot

WINDOWS, MOST = 64, (1 << 64) - 1
Turn = tuple[int, int, list[int]]  # begin, end, parts


def windows(turns: list[Turn], shift: int) -> NDArray[Any]:
    """The windows, in plain Python."""
    result = numpy.zeros(-(-len(turns) >> shift) if turns else 0, WINDOW_TYPE)
    for place, window in enumerate(result):
        part = list(enumerate(turns))[place << shift : (place + 1) << shift]
        window["turns"], window["total"] = len(part), min(sum(end - begin for _, (begin, end, _) in part), MOST)
        longest = max(end - begin for _, (begin, end, _) in part)
        window["longest"] = longest
        window["longest_number"] = next(number for number, (begin, end, _) in part if end - begin == longest)
        window["begin"], window["end"] = min(turn[0] for _, turn in part), max(turn[1] for _, turn in part)
        for number in range(7):
            window["parts"][number] = min(sum(turn[2][number] for _, turn in part), MOST)
    return result


def program(draw: random.Random, count: int) -> tuple[list[bytes], list[Turn]]:
    """Ranges of a thread, with commands, copies, calls, waits and looks in them."""
    slots, turns, now = [], [], 1000
    for _ in range(count):
        begin, parts = now, [0] * 7
        slots.append(slot(format.RANGE_BEGIN, name=7, begin=begin))
        for _ in range(draw.randrange(4)):
            part, time = draw.randrange(6), draw.randrange(1, 500)
            parts[part] += time
            if part < 2:
                copy = {"command": format.COPY, "bytes": 1} if part else {"command": format.LAUNCH}
                slots.append(slot(format.COMMAND, begin=now, driver_begin=now, driver_end=now + time, end=now + time))
                slots.append(slot(format.DETAIL, **copy))
            elif part < 4:
                slots.append(slot(format.CALL, entry=3 if part == 2 else 4, begin=now, end=now + time, parent=1))
            else:
                slots.append(
                    slot(format.THREAD, begin=now, end=now + time, **{("processor", "runnable")[part - 4]: time})
                )
            now += time
        slots.append(slot(format.RANGE, name=7, begin=begin, end=now))
        turns.append((begin, now, parts))
        now += draw.randrange(3)
    return slots, turns


def condensed(slots: list[bytes]) -> Blob:
    condenser = Condenser(False, calls=[3])
    condenser.read({(0, 1): [Part(len(slots), False, numpy.frombuffer(b"".join(slots), "u1"))]})
    return Blob(condenser.blob())


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 127, 128, 129, 200, 256, 257, 1000])
def test_windows(count: int) -> None:
    slots, turns = program(random.Random(count), count)
    ((table, key, number, shift, found),) = condensed(slots).turns
    assert (table, key, number) == (Table.RANGE, 7, count)
    assert len(found) <= WINDOWS and (shift == 0 or count > WINDOWS << (shift - 1))
    assert found.tobytes() == windows(turns, shift).tobytes()


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 129, 257, 1000])
def test_larger_windows(count: int) -> None:
    slots, turns = program(random.Random(count), count)
    ((_, _, number, shift, found),) = condensed(slots).turns
    row = Turns("a:1", 0, "step", "range", number, shift, found)
    for more in range(12):
        assert row.at(shift + more).tobytes() == windows(turns, shift + more).tobytes()
    assert row.at(0) is row.windows and Turns.unpack(row.pack()).order() == row.order()


def test_a_turn_of_a_wait_is_from_one_to_the_next() -> None:
    ends = [100, 350, 360, 900]
    slots = [slot(format.CALL, entry=3, begin=end - 10, end=end) for end in ends]
    ((table, key, number, _, found),) = condensed(slots).turns
    assert (table, key, number) == (Table.CALL, 3, 3)
    assert found["total"].tolist() == [250, 10, 540] and found["parts"][:, 2].tolist() == [10, 10, 10]


def look(begin: int, end: int, processor: int, runnable: int = 0) -> bytes:
    return slot(format.THREAD, begin=begin, end=end, processor=processor, runnable=runnable)


MS = 1_000_000


@pytest.mark.parametrize(
    ("inside", "parts"),
    [
        ([look(0, 9 * MS, 2 * MS, 3 * MS)], {"run": 2, "ready": 3, "away": 4}),
        # A long wait for the device: asleep, but not away.
        ([slot(format.CALL, entry=3, begin=MS, end=5 * MS, parent=1), look(0, 9 * MS, 2 * MS)], {"wait": 4, "run": 2, "away": 3}),
        # The same of a wait by launchpath itself, with a call of the driver in it.
        (
            [
                slot(format.CALL, entry=4, begin=2 * MS, end=3 * MS, parent=1),
                slot(format.API, entry=2, begin=MS, end=5 * MS),
                look(0, 9 * MS, 2 * MS),
            ],
            {"call": 1, "wait": 3, "run": 2, "away": 3},
        ),
        # A call that ran: it is not subtracted from sleep that was not there.
        ([slot(format.CALL, entry=4, begin=MS, end=5 * MS), look(0, 6 * MS, 5 * MS)], {"call": 4, "run": 5}),
        # Calls in a call count once.
        (
            [
                slot(format.CALL, entry=4, begin=2 * MS, end=3 * MS),
                slot(format.CALL, entry=4, begin=MS, end=5 * MS),
                look(0, 6 * MS, MS),
            ],
            {"call": 4, "run": 1, "away": 1},
        ),
        # A copy is what launchpath stages for it, too, but not the wait in between, which has a record.
        (
            [
                slot(format.CALL, entry=3, begin=2 * MS, end=3 * MS, parent=1),
                slot(format.COMMAND, begin=MS, driver_begin=5 * MS, driver_end=6 * MS, end=6 * MS),
                slot(format.DETAIL, command=format.COPY, bytes=1),
                look(0, 7 * MS, 4 * MS),
            ],
            {"wait": 1, "copy": 4, "run": 4},
        ),
        # The second look knows of no call of the first.
        (
            [slot(format.CALL, entry=3, begin=0, end=4 * MS, parent=1), look(0, 4 * MS, 0), look(4 * MS, 8 * MS, MS)],
            {"wait": 4, "run": 1, "away": 3},
        ),
    ],
)  # fmt: skip
def test_sleep_outside_of_calls(inside: list[bytes], parts: dict[str, int]) -> None:
    begin = slot(format.RANGE_BEGIN, name=7, begin=0)
    condenser = Condenser(False, calls=[3], api=[2])
    slots = [begin, *inside, slot(format.RANGE, name=7, begin=0, end=10 * MS)]
    condenser.read({(0, 1): [Part(len(slots), False, numpy.frombuffer(b"".join(slots), "u1"))]})
    (found,) = [row[4] for row in Blob(condenser.blob()).turns if row[0] == Table.RANGE]
    named = dict(zip(PART_NAMES, found["parts"][0].tolist(), strict=True))
    assert named == {name: parts.get(name, 0) * MS for name in PART_NAMES}


def test_rows_of_turns_are_those_of_the_first_names() -> None:
    slots = [slot(format.RANGE, name=name, begin=1, end=2) for name in range(70) for _ in range(2)]
    blob = condensed(slots)
    assert [key for _, key, *_ in blob.turns] == list(range(64))
    assert len(blob.cells[Table.RANGE]) == 70


def test_sums_stop_at_the_largest_number() -> None:
    """Looks of a damaged file: 2^56 nanoseconds each, the most that a value can be."""
    slots = []
    for number in range(400):
        slots.append(slot(format.RANGE_BEGIN, name=7, begin=number))
        slots += [slot(format.THREAD, processor=1 << 60)] * (number < 300)
        slots.append(slot(format.RANGE, name=7, begin=number, end=1 << 60))
    ((_, _, number, shift, found),) = condensed(slots).turns
    row = Turns("a:1", 0, "step", "range", number, shift, found)
    assert int(row.at(20)["total"][0]) == int(row.at(20)["parts"][0][4]) == MOST
    assert row.total > MOST
