"""Stretches of long traces: all calls of each are read, and none beside them."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy
import pytest

from launchpath._findings.timeline.building import read_timeline
from launchpath._findings.timeline.timeline import Timeline
from launchpath._trace import format
from launchpath._trace.files import stretches
from launchpath._trace.files.file import TraceFile
from launchpath._trace.files.piece import Piece
from launchpath._trace.format import SLOT
from launchpath._trace.records import Records
from tests.trace.builder import FACTS, TICKS, Builder, api, call, clocks, command, slot, times

MONITOR = 9  # the ring of the thread that writes the times of commands


class Long:
    """A trace of several threads that launch, wait, and call what calls others; in blocks of `each` slots."""

    def __init__(self, seed: int = 1, threads: int = 3, calls: int = 400, each: int = 16, pause: int = 0) -> None:
        self.random = random.Random(seed)
        self.rings: dict[int, list[bytes]] = defaultdict(list)
        self.rings[0] = clocks()
        self.late: list[tuple[int, bytes]] = []  # times of commands: when they were written
        self.number = 0
        for thread in range(threads):
            self._thread(thread, calls, pause)
        self.rings[MONITOR] = [slots for _, slots in sorted(self.late)]
        self.each = each

    def _thread(self, ring: int, calls: int, pause: int) -> None:
        now, rest = 2000 + 7 * ring, self.random
        for number in range(calls):
            self.number += 1
            now += rest.randrange(10, 2000) + (pause if number == calls // 2 else 0)
            took = rest.randrange(10, 500)
            if rest.random() < 0.5:
                end = now + took
                self.rings[ring] += _slots(command(self.number, now, (now, end), end, stream=ring + 1))
                done = end + rest.randrange(10, 3000)
                self.late.append((done + rest.randrange(0, 3000), times(self.number, now, end, done, stream=ring + 1)))
            elif rest.random() < 0.5:
                self.rings[ring].append(call(3, now, now + took, correlation=self.number))
            else:  # the record of the outer call comes behind those of the inner ones
                inner = [call(3, now + 5 * i, now + 5 * i + 4, correlation=self.number) for i in range(3)]
                took += 20
                self.rings[ring] += [*inner, api(0, now, now + took, correlation=self.number)]
            now += took

    def write(self, path: Path, cut: int = 0, **damage: Any) -> Path:
        builder = Builder().meta(**FACTS).names({1: "integrate"})
        blocks = []
        for ring, slots in self.rings.items():
            first = 0
            while first < len(slots):
                # A command and its detail are in one block, as rings write them.
                last = min(first + self.each, len(slots))
                last += last < len(slots) and slots[last][0] == format.DETAIL
                blocks.append((ring, first, slots[first:last]))
                first = last
        change = damage.get("change", lambda *block: block[2])
        for ring, first, its in sorted(blocks, key=lambda block: block[1]):
            builder.slots(*change(ring, first, its), ring=ring, thread=11 + ring, first=first)
        return builder.write(path / "long.lptrace", cut)

    @property
    def count(self) -> int:
        return sum(map(len, self.rings.values()))


def _slots(both: bytes) -> list[bytes]:
    return [both[:SLOT], both[SLOT:]]


def rows(timeline: Timeline, chosen: Any = slice(None)) -> list[tuple[int, ...]]:
    """The calls by all that is independent of which others are there."""
    ops = timeline.ops
    names = [timeline.names[name] for name in ops.name[chosen].tolist()]
    threads = [timeline.threads[thread] for thread in ops.thread[chosen].tolist()]
    columns = [getattr(ops, name)[chosen].tolist() for name in ("begin", "end", "correlation", "depth", "works")]
    return list(zip(threads, names, *columns, strict=True))


def inside(whole: Timeline, part: Timeline) -> numpy.ndarray:
    """Which calls of the whole trace are in a stretch of the part; computed one by one."""
    spans = part.stretches.tolist()
    times_of = zip(whole.ops.begin.tolist(), whole.ops.end.tolist(), strict=True)
    chosen = [any(low <= begin and end <= high for low, high in spans) for begin, end in times_of]
    for row, depth in enumerate(whole.ops.depth.tolist()):  # what is inside another call is with that one
        chosen[row] = chosen[row - 1] if depth else chosen[row]
    return numpy.array(chosen)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("share", [0.02, 0.3, 0.8])
def test_every_call_of_a_stretch_is_there_and_none_beside(tmp_path: Path, seed: int, share: float) -> None:
    long = Long(seed, each=random.Random(seed).choice([8, 16, 40]))
    path = long.write(tmp_path)
    whole, part = read_timeline(path), read_timeline(path, most=int(share * long.count))
    assert not len(whole.stretches) and 4 <= len(part.stretches) <= 8
    expected = inside(whole, part)
    assert rows(part) == rows(whole, expected)  # in the same order
    assert 0 < len(part.ops) < len(whole.ops)
    # Their works are all there, with the same times.
    works = numpy.isin(whole.works.op, numpy.flatnonzero(expected))
    for name in ("begin", "end", "enqueued", "stream"):
        assert sorted(getattr(part.works, name).tolist()) == sorted(getattr(whole.works, name)[works].tolist())
    assert part.untimed == whole.untimed == 0


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_stretches_are_spread_from_the_begin_to_the_end(tmp_path: Path, share: float) -> None:
    long = Long(calls=2000)
    path = long.write(tmp_path)
    whole, part = read_timeline(path), read_timeline(path, most=int(share * long.count))
    assert (part.stretches[0, 0], part.stretches[-1, 1]) == (whole.ops.begin.min(), whole.ops.end.max())
    assert (numpy.diff(part.stretches.reshape(-1)) >= 0).all()
    assert (part.begin, part.end) == (whole.begin, whole.end)
    # The calls of this trace are spread evenly, so that the share of the time is that of the calls.
    assert part.share == pytest.approx(share, rel=0.2)
    assert len(part.ops) / len(whole.ops) == pytest.approx(part.share, rel=0.1)


def test_a_long_pause_takes_no_stretch_from_the_calls(tmp_path: Path) -> None:
    long = Long(threads=1, calls=2000, pause=10**9)
    part = read_timeline(long.write(tmp_path), most=long.count // 4)
    assert len(part.stretches) == 8 and len(part.ops) > 300
    has = [((part.ops.begin >= low) & (part.ops.end <= high)).sum() for low, high in part.stretches.tolist()]
    assert min(has) > 0.5 * max(has)


def test_slots_that_are_read_are_as_many_as_asked_for(tmp_path: Path) -> None:
    long = Long(calls=4000)
    path = long.write(tmp_path)
    done: list[tuple[int, int]] = []
    for most in (long.count // 10, long.count // 2):
        with Records(path, lambda *words: done.append(words), passes=1, most=most) as records:
            # A stretch needs whole blocks, and one before and behind in each ring.
            assert most <= records.file.count <= most + 8 * 4 * 4 * 16
            assert int(records.kinds.sum()) == records.file.count
            assert done[-1] == (records.file.count, records.file.count)


@pytest.mark.parametrize("each", [300, 600, 5000])
def test_stretches_of_few_large_blocks_do_not_overlap(tmp_path: Path, each: int) -> None:
    long = Long(threads=1, each=each)
    path = long.write(tmp_path)
    whole, part = read_timeline(path), read_timeline(path, most=20)
    assert (numpy.diff(part.stretches.reshape(-1)) >= 0).all() and 0 < part.share <= 1
    assert rows(part) == rows(whole, inside(whole, part))


@pytest.mark.parametrize("more", [0, 1, 10**9])
def test_a_trace_with_fewer_slots_is_read_whole(tmp_path: Path, more: int) -> None:
    long = Long()
    path = long.write(tmp_path)
    whole, part = read_timeline(path), read_timeline(path, most=long.count + more)
    assert not len(part.stretches) and part.share == 1.0 and rows(part) == rows(whole)
    assert len(read_timeline(path, most=long.count - 1).stretches)


@pytest.mark.parametrize(
    "slots",
    [
        [slot(format.STREAM, stream=number) for number in range(400)],  # no times at all
        [call(3, 5000, 6000)] * 400,  # all at once
        [slot(0)] * 400,
    ],
    ids=["no times", "one time", "zeros"],
)
def test_without_different_times_all_is_read(tmp_path: Path, slots: list[bytes]) -> None:
    builder = Builder().meta(**FACTS)
    for first in range(0, len(slots), 20):
        builder.slots(*slots[first : first + 20], first=first)
    with TraceFile(builder.write(tmp_path / "a.lptrace")) as file:
        file.keep_stretches(50)
        assert not file.stretches and file.count == len(slots)


def test_the_times_are_where_the_format_has_them() -> None:
    first = {format.TIMES: "enqueued", format.HOST_CLOCK: "ticks"}
    for kind, offset in stretches.TICKS.items():
        assert format.LAYOUTS[kind].fields[first.get(kind, "begin")][1] == offset


@pytest.mark.parametrize("seed", range(4))
def test_pieces_without_a_time_are_taken_for_those_behind(tmp_path: Path, seed: int) -> None:
    long = Long(seed)
    lost = set(random.Random(seed).sample(range(0, 400, 16), 5))

    def change(ring: int, first: int, slots: list[bytes]) -> list[bytes]:
        return [slot(0)] * len(slots) if ring < 3 and first in lost else slots

    path = long.write(tmp_path, change=change)
    whole, part = read_timeline(path), read_timeline(path, most=long.count // 3)
    assert rows(part) == rows(whole, inside(whole, part)) and len(part.ops) > 0


def test_damaged_pieces_at_the_end_do_not_take_the_last_stretch(tmp_path: Path) -> None:
    long = Long(threads=1, calls=1000)

    def change(ring: int, first: int, slots: list[bytes]) -> list[bytes]:
        return [slot(0)] * len(slots) if ring == 0 and first > 0.6 * len(long.rings[0]) else slots

    path = long.write(tmp_path, change=change)
    whole, part = read_timeline(path), read_timeline(path, most=long.count // 4)
    assert len(part.stretches) == 8 and rows(part) == rows(whole, inside(whole, part))


def test_impossible_times_and_a_file_that_is_cut_off_do_no_harm(tmp_path: Path) -> None:
    long = Long()

    def change(ring: int, first: int, slots: list[bytes]) -> list[bytes]:
        wrong = slot(format.CALL, entry=3, begin=2**64 - 1, end=2**64 - 1)
        return [wrong, *slots[1:]] if ring == 1 and first == 160 else slots

    for cut in (0, 5000):
        path = long.write(tmp_path, cut, change=change)
        part = read_timeline(path, most=long.count // 3)
        assert len(part.stretches) >= 4 and len(part.ops) > 0


def test_a_ring_that_is_not_drained_yet_counts_too(tmp_path: Path) -> None:
    builder = Builder().meta(**FACTS)
    slots = [*clocks(), *(call(3, 2000 + 100 * number, 2050 + 100 * number) for number in range(996))]
    for first in range(0, 960, 20):
        builder.slots(*slots[first : first + 20], first=first)
    builder.ring(dict(enumerate(slots[960:], 960)), head=1000, tail=960)
    part = read_timeline(builder.write(tmp_path / "a.lptrace"), most=200)
    assert part.ops.end.max() == 2050 + 100 * 995 and len(part.stretches) == 8


def test_the_beside_pieces_are_of_the_same_ring() -> None:
    """What is read: pieces that overlap a stretch, and those before and behind in the same ring."""
    pieces, first_times = [], []
    for ring in (0, 1):
        for place in range(50):
            pieces.append(Piece(ring, 10 * place, 10, 11 + ring, 0, None))
            first_times.append(1000 * place + 500 * ring)

    def read(piece: Piece, begin: int, room: Any) -> None:
        time = first_times[pieces.index(piece)]
        room[:] = numpy.frombuffer(slot(format.CALL, begin=time) * (len(room) // SLOT), "u1")

    chosen = stretches.choose(pieces, 200, read)
    assert chosen is not None
    assert chosen.begins[0] == 0 and chosen.ends[-1] == format.TIME_MOST
    for begin, end in zip(chosen.begins, chosen.ends, strict=True):
        for ring in (0, 1):
            its = [piece.first // 10 for piece in chosen.pieces if piece.ring == ring]
            overlap = [
                place
                for place in range(50)
                if 1000 * place + 500 * ring < end and 1000 * (place + 1) + 500 * ring > begin
            ]
            assert {*overlap, max(overlap[0] - 1, 0), min(overlap[-1] + 1, 49)} <= set(its)
    assert len(chosen.pieces) < 60 and chosen.pieces == [piece for piece in pieces if piece in chosen.pieces]
    assert TICKS == 3
