"""The time of a repetition, from traces of known records."""

from pathlib import Path

import pytest

from launchpath._findings.anchor import Anchor
from launchpath._proof.period import period
from launchpath._trace import format
from launchpath.errors import ArgumentValueError, LaunchpathError
from tests.trace import builder
from tests.trace.builder import FACTS, Builder

MORE = format.RANGE_NAMES + 7


def written(path: Path, *slots: bytes, thread: int = 11) -> str:
    trace = Builder().meta(**FACTS).names({1: "integrate", 2: "other", MORE: "step"})
    trace.slots(*builder.clocks(), *slots, thread=thread)
    return str(trace.write(path / "t.lptrace"))


def launches(count: int, apart: int, name: int = 1, flags: int = 0, first: int = 10_000) -> list[bytes]:
    slots = []
    for i in range(count):
        at = first + i * apart
        slots.append(builder.command(i + 1, at, (at + 1, at + 2), at + 3, name=name, flags=flags))
    return slots


def wait(begin: int, end: int) -> bytes:
    return builder.api(0, begin, end)


def test_launches_of_a_kernel(tmp_path: Path) -> None:
    path = written(tmp_path, *launches(20, 500), *launches(60, 100, name=2), wait(19_700, 20_000))
    found = period([path], Anchor("kernel", "integrate"))
    assert found.time == pytest.approx(500, rel=1e-3)
    assert found.repetitions == 16


def test_each_other_launch(tmp_path: Path) -> None:
    path = written(tmp_path, *launches(40, 500), wait(29_900, 30_000))
    found = period([path], Anchor("kernel", "integrate", 2))
    assert found.time == pytest.approx(1000, rel=1e-3)


def test_what_the_host_submitted_ahead_is_waited_for(tmp_path: Path) -> None:
    path = written(tmp_path, *launches(20, 100), wait(12_000, 12_000 + 16 * 900))
    assert period([path], Anchor("kernel", "integrate")).time == pytest.approx(1000, rel=1e-3)


def test_a_disturbance_is_left_out(tmp_path: Path) -> None:
    slots = launches(50, 100) + launches(50, 100, first=10_000 + 49 * 100 + 90_000)
    path = written(tmp_path, *slots, wait(110_000, 110_100))
    assert period([path], Anchor("kernel", "integrate")).time == pytest.approx(100, rel=0.1)


def test_ranges(tmp_path: Path) -> None:
    slots = [builder.range_(MORE, 10_000 + 300 * i, 10_200 + 300 * i) for i in range(12)]
    path = written(tmp_path, *slots, wait(13_500, 13_600))
    assert period([path], Anchor("range", "step")).time == pytest.approx(300, rel=1e-2)


def test_commands_that_a_step_makes_are_no_launches_of_the_program(tmp_path: Path) -> None:
    kept, made = launches(20, 500, flags=format.KEPT_BACK), launches(20, 500, flags=format.IN_STEP, first=10_250)
    path = written(tmp_path, *kept, *made, wait(19_900, 20_000))
    assert period([path], Anchor("kernel", "integrate")).time == pytest.approx(500, rel=1e-3)


def test_the_process_that_has_most_of_them_counts(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    few = written(tmp_path, *launches(8, 900), wait(17_000, 17_200))
    many = written(tmp_path / "other", *launches(20, 500), wait(19_700, 20_000))
    assert period([few, many], Anchor("kernel", "integrate")).time == pytest.approx(500, rel=1e-3)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_too_few_repetitions(tmp_path: Path, count: int) -> None:
    path = written(tmp_path, *launches(count, 500))
    expected = f"expected at least 4 repetitions of the kernel 'integrate', got {count}"
    with pytest.raises(LaunchpathError, match=expected):
        period([path], Anchor("kernel", "integrate"))


def test_four_are_enough(tmp_path: Path) -> None:
    path = written(tmp_path, *launches(4, 500), wait(11_700, 12_000))
    assert period([path], Anchor("kernel", "integrate")).repetitions == 3


def test_no_file() -> None:
    with pytest.raises(LaunchpathError, match="got 0"):
        period([], Anchor("range", "step"))


def test_wrong_anchors() -> None:
    with pytest.raises(ArgumentValueError, match="expected 'kernel' or 'range' or 'function', got 'line'"):
        Anchor("line", "a")
    with pytest.raises(ArgumentValueError, match="expected `every` of 1 or more, got 0"):
        Anchor("kernel", "a", 0)
