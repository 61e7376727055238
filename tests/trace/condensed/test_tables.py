"""The tables of the host's records are those that plain Python sums up."""

import random
from pathlib import Path

import numpy
import pytest

from launchpath._trace import format
from launchpath._trace.condensed import reading
from launchpath._trace.condensed.format import Table
from launchpath._trace.files.file import TraceFile
from launchpath._trace.labels import Labels
from tests.sample import amount
from tests.trace.builder import FACTS, Builder, call, clocks, command, slot, times
from tests.trace.condensed import random_slots, reference
from tests.trace.condensed.reference import HostClock

TABLES = (
    Table.SENT, Table.AROUND, Table.WAITED, Table.KEPT, Table.REFUSED, Table.COMMAND, Table.CALL, Table.API, Table.LAUNCH,
    Table.SIZE, Table.RANGE, Table.THREAD, Table.LOOK,
)  # fmt: skip
RATE = 3_100_000_000  # ticks in a second, as the file says


def apart(slots: list[bytes]) -> list[bytes]:
    return [data[at : at + 64] for data in slots for at in range(0, len(data), 64)]


def records(slots: list[bytes]) -> list[object]:
    return [numpy.frombuffer(data, format.LAYOUTS.get(data[0], format.CALL_SLOT))[0] for data in slots]


@pytest.mark.parametrize("measured", ["often", "rarely", "once", "never"])
@pytest.mark.parametrize("recorder", [False, True])
@pytest.mark.parametrize("seed", range(amount(2, 40)))
def test_tables(tmp_path: Path, seed: int, recorder: bool, measured: str) -> None:
    draw = random.Random(seed)
    count = {"often": 300, "rarely": 3, "once": 1, "never": 0}[measured]
    anchors, ticks, now = [], 5000, 1000
    for _ in range(count):
        anchors.append((ticks, now))
        step = 3_000_000 // count
        ticks, now = ticks + step, now + int(step * draw.uniform(0.3, 0.4)) + 1
    built = Builder().meta(**FACTS, clock={"ticks_per_second": RATE}, recorder=recorder)
    built.slots(
        *(slot(format.HOST_CLOCK, ticks=ticks, monotonic=now, real=now) for ticks, now in draw.sample(anchors, len(anchors))),
        ring=9, thread=99,
    )  # fmt: skip
    rings: list[list[object]] = []
    for ring in range(3):
        slots = [
            data
            for data in random_slots.slots(draw, 200, wild=0)
            if data[0] not in (format.HOST_CLOCK, format.DEVICE_CLOCK)
        ]
        slots = apart(slots)
        cut = draw.randrange(len(slots))
        gap = draw.choice([0, 7])
        built.slots(*slots[:cut], ring=ring, thread=20 + ring)
        built.slots(*slots[cut:], ring=ring, thread=20 + ring, first=cut + gap)
        parts = [slots[:cut], slots[cut:]] if gap else [slots]
        rings.append([20 + ring, *map(records, parts)])
    clock = HostClock(anchors, 1e9 / RATE)
    expected = reference.cells(rings, clock, set(), recorder)  # type: ignore[arg-type]
    with TraceFile(built.write(tmp_path / "t")) as file:
        blob = reading.blob_of(file, Labels(file.meta, file.names))
    for table in TABLES:
        found = {
            key: (row.calls, row.failed, row.total, row.squares, row.nested, row.amount, row.shortest, row.longest)
            for key, row in blob.cells[table].items()
            if row.calls or row.failed
        }
        of_table = {key: sums.row() for (each, key), sums in expected.items() if each == table}
        assert found == of_table, table.name
    if recorder:
        recorded = {key: len(sums.values) for (table, key), sums in expected.items() if table == Table.RECORDED}
        assert {key: row.calls for key, row in blob.cells[Table.RECORDED].items()} == recorded
    slots_of = {key: sum(len(part) for part in parts) for key, *parts in rings}  # type: ignore[misc]
    assert blob.counts["slots"] == sum(slots_of.values()) + count


@pytest.mark.parametrize("seed", range(amount(5, 100)))
def test_calls_in_calls(tmp_path: Path, seed: int) -> None:
    """What a call contains comes before it; a thread may be in many at once."""
    draw, slots = random.Random(seed), []
    nested = 0

    def tree(now: int, depth: int) -> tuple[int, int]:
        """Draw a call; gives its begin, and its end."""
        nonlocal nested
        begin = now
        now += draw.choice([0, 0, 1, 50])
        for _ in range(draw.choice([0, 0, 1, 2, 5]) if depth < 6 else 0):
            inner, end = tree(now, depth + 1)
            nested += end - inner
            now = end + draw.choice([1, 30])
        now += draw.choice([1, 50])
        slots.append(call(5, begin, now))
        return begin, now

    now = 2000
    for _ in range(20):
        now = tree(now, 0)[1] + draw.choice([1, 100])
    path = Builder().meta(**FACTS).slots(*clocks(), ring=9).slots(*slots).write(tmp_path / "t")
    with TraceFile(path) as file:
        row = reading.blob_of(file, Labels(file.meta, file.names)).cells[Table.CALL][5]
    assert (row.calls, row.nested) == (len(slots), nested) and nested > 0


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("seed", range(amount(5, 100)))
def test_copies_and_their_evidence(tmp_path: Path, seed: int, lost: bool) -> None:
    """A copy and its times come in any order, far apart; of evidence a call of its thread comes right before it."""
    draw = random.Random(seed)
    host, device = [], [slot(format.DEVICE_CLOCK, device_time=5_001_000, monotonic=1000)]
    traffic: dict[int, list[int]] = {}
    sums: dict[tuple[int, int], list[int]] = {}
    there: dict[int, int] = {}

    def add(table: int, key: int, time: int, amount: int = 0) -> None:
        it = sums.setdefault((table, key), [0, 0, 0])
        it[0], it[1], it[2] = it[0] + 1, it[1] + time, it[2] + amount

    for number in range(1, 1500):
        now, direction, size, time = (
            10_000 * number,
            draw.randrange(4),
            draw.randrange(1, 9999),
            draw.randrange(1, 5000),
        )
        took, to, content, site = draw.randrange(1, 900), draw.randrange(8), draw.randrange(2), draw.randrange(3)
        flags = draw.choice([0, format.PINNED, format.PAGEABLE]) | format.CONTENT
        has_copy, has_times = (not lost or draw.random() < 0.9 for _ in range(2))
        fields = {"command": format.COPY, "bytes": size, "to": to, "name": 0}
        if has_copy:
            host.append(
                command(number, now, (now, now + took), now + took, flags=format.TIMED | direction << 6, **fields)  # type: ignore[arg-type]
                + slot(format.EVIDENCE, correlation=number, site=site, content=content, flags=flags)
            )
            if site:
                add(Table.SITE, site << 17 | 1 << 16 | format.COPY, took)
            if flags & (format.PINNED | format.PAGEABLE):
                add(Table.MEMORY, direction << 1 | bool(flags & format.PINNED), took, size)
            if direction == 1:
                add(Table.UPLOAD, site, took, size)
                if there.get(to) == content:
                    add(Table.EQUAL, site, took, size)
                there[to] = content
        if has_times:
            device.append(times(number, now, now + 100, now + 100 + time, command=format.COPY, name=0))
            it = traffic.setdefault(direction if has_copy else 0, [0, 0, 0])
            it[0], it[1], it[2] = it[0] + 1, it[1] + time, it[2] + size * has_copy
    tail = device[1:]
    draw.shuffle(tail)
    built = Builder().meta(**FACTS).slots(*clocks(), ring=9).slots(*device[:1], *tail, ring=8).slots(*host)
    with TraceFile(built.write(tmp_path / "t")) as file:
        blob = reading.blob_of(file, Labels(file.meta, file.names))
    found = {key: [row.calls, row.total, row.amount] for key, row in blob.cells[Table.TRAFFIC].items() if row.calls}
    assert found == traffic and blob.counts["untracked"] == 0
    found_sums = {
        (table, key): [row.calls, row.total, row.amount]
        for table in (Table.SITE, Table.MEMORY, Table.UPLOAD, Table.EQUAL)
        for key, row in blob.cells[table].items()
    }
    assert found_sums == sums


def test_devices_without_a_clock(tmp_path: Path) -> None:
    """Their times have a length, and no place: devices beyond those that can have a clock as well."""
    slots = [times(n, 5000, 6000, 6000 + n, device=device) for n, device in enumerate((0, 1, 255, 256, 60_000), 1)]
    path = Builder().meta(**FACTS).slots(*clocks(), ring=9).slots(*slots).write(tmp_path / "t")
    with TraceFile(path) as file:
        blob = reading.blob_of(file, Labels(file.meta, file.names))
    assert blob.counts["unrelated"] == 2  # 1 and 255: those from 256 on have none
    (row,) = blob.cells[Table.KERNEL].values()
    assert (row.calls, row.total) == (5, 15)
    assert sum(row.calls for row in blob.cells[Table.DELAY].values()) == 1


@pytest.mark.parametrize("seed", range(amount(5, 100)))
def test_gaps_and_runs(tmp_path: Path, seed: int) -> None:
    """Of streams whose times come in order, with classes of gaps that change."""
    draw, slots = random.Random(seed), [slot(format.DEVICE_CLOCK, device_time=5_001_000, monotonic=1000)]
    ends: dict[int, int] = {}
    gaps: dict[int, list[int]] = {0: [], 1: []}
    runs: dict[int, list[int]] = {number: [] for number in range(6)}
    last: dict[int, tuple[int, int]] = {}
    start = 10_000
    for number in range(200):
        stream = draw.randrange(3)
        start = max(start, ends.get(stream, 0)) + draw.choice([0, 500, 5000, 50_000, 500_000, 5_000_000, 50_000_000])
        end, enqueued = start + draw.randrange(1, 3000), max(start - draw.randrange(1, 9000), 0)
        slots.append(times(number + 1, enqueued, start, end, stream=stream, name=draw.randrange(4)))
        if stream in ends:
            gap = start - ends[stream]
            gaps[enqueued > ends[stream]].append(gap)
            sort = sum(gap >= limit for limit in (1000, 10_000, 100_000, 1_000_000, 10_000_000))
            before, length = last.get(stream, (sort, 0))
            if before != sort:
                runs[before].append(length)
                length = 0
            last[stream] = (sort, length + 1)
        ends[stream] = end
    for sort, length in last.values():
        runs[sort].append(length)
    anchors = [slot(format.HOST_CLOCK, ticks=3 * now, monotonic=now) for now in (1000, 10**11)]
    path = Builder().meta(**FACTS).slots(*anchors, ring=9).slots(*slots).write(tmp_path / "t")
    with TraceFile(path) as file:
        blob = reading.blob_of(file, Labels(file.meta, file.names))
    for table, lists in ((Table.GAP, gaps), (Table.RUN, runs)):
        found = {key: (row.calls, row.total, row.longest) for key, row in blob.cells[table].items()}
        assert found == {key: (len(each), sum(each), max(each)) for key, each in lists.items() if each}
    assert sum(row.calls for row in blob.cells[Table.KERNEL].values()) == 200
    assert sum(row.calls for row in blob.cells[Table.DELAY].values()) == 200
