"""Clocks, against Python's own integers and fractions."""

from bisect import bisect_right
from fractions import Fraction
from pathlib import Path

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from launchpath._trace.clock import Clock
from launchpath._trace.format import TIMES_SLOT
from launchpath._trace.records import Records
from tests.trace.builder import DEVICE_AHEAD, TICKS, Builder, device_clock, host_clock, slot, times

DAYS = 30 * 24 * 3600 * 10**9


def expected(anchors: list[tuple[int, int]], time: int) -> int:
    """Interpolate in fractions, rounded towards the anchor before."""
    points = [point for point, _ in anchors]
    after = bisect_right(points, time)
    if 0 < after < len(anchors):
        (begin, value), (end, last) = anchors[after - 1], anchors[after]
    else:
        begin, value = anchors[max(after - 1, 0)]
        (first, start), (end, last) = anchors[0], anchors[-1]
        rate = Fraction(last - start, end - first) if len(anchors) > 1 else Fraction(1)
        return value + int((time - begin) * rate)
    return value + int(Fraction(time - begin) * Fraction(last - value, end - begin))


@st.composite
def clocks(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Anchors of a clock of 0.3 to 4 ticks in a nanosecond, microseconds or days apart."""
    point, value = draw(st.integers(0, 1 << 55)), draw(st.integers(0, 1 << 50))
    anchors = [(point, value)]
    for _ in range(draw(st.integers(0, 5))):
        step = draw(st.one_of(st.integers(1, 10**6), st.integers(1, DAYS)))
        point, value = point + 1 + step * draw(st.integers(3, 40)) // 10, value + step
        anchors.append((point, value))
    return anchors


@given(anchors=clocks(), offsets=st.lists(st.integers(-DAYS, 3 * DAYS), min_size=1, max_size=20), data=st.data())
def test_interpolation_is_exact(anchors: list[tuple[int, int]], offsets: list[int], data: st.DataObject) -> None:
    asked = [max(anchors[0][0] + offset, 0) for offset in offsets] + [point + 1 for point, _ in anchors]
    shuffled = data.draw(st.permutations(anchors))
    clock = Clock(numpy.array([point for point, _ in shuffled]), numpy.array([value for _, value in shuffled]))
    result = clock(numpy.array(asked, "u8"))
    assert result.tolist() == [expected(anchors, time) for time in asked]
    assert [int(clock(numpy.array([time], "u8"))[0]) for time in asked] == result.tolist()
    ordered = clock(numpy.sort(numpy.array(asked)))
    assert (numpy.diff(ordered) >= 0).all()


def test_a_clock_of_a_single_anchor_has_the_rate_that_is_passed() -> None:
    clock = Clock(numpy.array([3000]), numpy.array([70]), rate=(10**9, 3 * 10**9))
    assert clock(numpy.array([3000, 3003, 6000, 0])).tolist() == [70, 71, 1070, -930]
    assert Clock(numpy.array([3000]), numpy.array([70]))(numpy.array([3005])).tolist() == [75]


def test_a_clock_without_anchors_is_the_monotonic_clock() -> None:
    assert Clock(numpy.zeros(0), numpy.zeros(0))(numpy.array([5, 6])).tolist() == [5, 6]


def test_anchors_that_are_too_close_for_their_errors_are_left_out() -> None:
    """Two anchors 1 ms apart that are each 10 us wrong would say that the clock is 2% fast."""
    times_, values = numpy.array([0, 10**6, 10**9]), numpy.array([10_000, 10**6 - 10_000, 10**9])
    clock = Clock(times_, values, numpy.array([10_000, 10_000, 100]))
    assert clock.anchors == 2
    alone = Clock(times_[:2], values[:2], numpy.array([10_000, 5_000]))
    assert (alone.anchors, alone(numpy.array([10**6 + 50])).tolist()) == (1, [10**6 - 10_000 + 50])


def test_an_anchor_that_goes_back_does_not_take_times_back() -> None:
    clock = Clock(numpy.array([0, 100, 200]), numpy.array([0, 110, 105]))
    assert (numpy.diff(clock(numpy.arange(300))) >= 0).all()


def test_a_device_whose_clock_drifts(tmp_path: Path) -> None:
    """It gains 50 us a second, and is measured again after each second: between, the error is that of rounding."""
    second, gain = 10**9, 50_000
    anchors = [slot(7, device=0, device_time=n * (second + gain) + 12345, monotonic=n * second) for n in range(5)]
    moments = [n * 10**7 for n in range(1, 400)]
    on_device = [moment + moment * gain // second + 12345 - DEVICE_AHEAD for moment in moments]
    rows = [times(n, 0, time, time + 100) for n, time in enumerate(on_device)]
    path = Builder().slots(host_clock(0), host_clock(5 * second), *anchors, *rows).write(tmp_path / "t")
    with Records(path) as records:
        placed = records.placed(numpy.frombuffer(b"".join(rows), TIMES_SLOT))
    assert (abs(placed.start - numpy.array(moments)) <= 1).all()
    assert (placed.end - placed.start >= 99).all()


def rows(path: Path, *slots: bytes) -> tuple[list[list[int]], int, int]:
    path = Builder().slots(host_clock(0), host_clock(10**9), device_clock(0), device_clock(10**9), *slots).write(path)
    with Records(path) as records:
        placed = records.placed(numpy.frombuffer(b"".join(slots), TIMES_SLOT))
    columns = (placed.enqueued, placed.submitted, placed.start, placed.end)
    return numpy.stack(columns, axis=1).tolist(), placed.clamped, placed.correction


def test_commands_do_not_start_before_they_are_enqueued(tmp_path: Path) -> None:
    result = rows(
        tmp_path / "t",
        times(1, 100, 150, 250, submitted=120),
        times(2, 300, 280, 380, submitted=290),  # moved by 20, with its own time
        times(3, 500, 460, 500, submitted=600),
        times(4, 700, 720, 710),  # it seems to end before its start
        times(5, 900, 0, 0, flags=1),
    )
    assert result == (
        [[100, 120, 150, 250], [300, 300, 300, 400], [500, 500, 500, 540], [700, 700, 720, 720], [900, 0, 0, 0]],
        3,
        40,
    )


@given(
    moments=st.lists(
        st.tuples(st.integers(0, 2000), st.integers(1, 2000), st.integers(1, 2000), st.integers(0, 2000)), min_size=1
    )
)
def test_times_are_in_order_whatever_the_clocks_say(
    tmp_path_factory: pytest.TempPathFactory, moments: list[tuple[int, int, int, int]]
) -> None:
    slots = [times(n, a, b, c, submitted=d) for n, (a, b, c, d) in enumerate(moments)]
    result, clamped, _ = rows(tmp_path_factory.mktemp("clamped") / "t", *slots)
    assert all(a <= b <= c <= d for a, b, c, d in result)
    assert clamped == sum(start < enqueued or end < start for enqueued, start, end, _ in moments)


def test_a_device_whose_clock_was_not_measured(tmp_path: Path) -> None:
    path = Builder().slots(host_clock(0), host_clock(10**9), times(1, 100, 10**15, 10**15 + 50)).write(tmp_path / "t")
    with Records(path) as records:
        placed = records.placed(numpy.frombuffer(times(1, 100, 10**15, 10**15 + 50), TIMES_SLOT))
        assert (placed.start.tolist(), placed.end.tolist(), records.unrelated) == ([100], [150], 1)


def test_the_host_clock_of_a_file_that_measured_it_once(tmp_path: Path) -> None:
    built = Builder().meta(clock={"ticks_per_second": 3 * 10**9}).slots(host_clock(1000))
    with Records(built.write(tmp_path / "t")) as records:
        assert records.host(numpy.array([5000 * TICKS])).tolist() == [5000]
        assert records.host.anchors == 1
