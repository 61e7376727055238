"""The text of delays, and which are taken."""

import re

import pytest

from launchpath._findings.anchor import Anchor
from launchpath._findings.intervention.delays import TARGETS, Arm, Delays, DelaysError, arms, parse
from launchpath._findings.intervention.plan import plan

TEXT = "target=submissions;delays=0,1000,2000;anchor=step"


def test_a_text_is_read() -> None:
    delays = parse("target=copies;delays=0,5;target=host-code;delays=0,100;every=3;repetitions=4;settle=2;warmup=0;seed=9;"
                   "kind=range;anchor=a;b=c, d")  # fmt: skip
    assert delays.arms == (Arm("copies", 0), Arm("copies", 5), Arm("host-code", 0), Arm("host-code", 100))
    assert delays == Delays(arms(copies=(0, 5), host_code=(0, 100)), "a;b=c, d", "range", 3, 4, 2, 0, 9)


def test_what_is_left_out_has_a_default() -> None:
    delays = parse(TEXT)
    assert (delays.kind, delays.every, delays.repetitions, delays.settle) == ("kernel", 1, 8, 1)


@pytest.mark.parametrize("target", TARGETS)
def test_the_text_of_delays_is_read_as_these(target: str) -> None:
    delays = Delays((Arm(target, 0), Arm(target, 7)), "void f<int, (char)59>(int*);", repetitions=5, every=2)
    assert parse(delays.text) == delays


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected anchor=NAME"),
        ("anchor=step", "at least two delays, got 0"),
        ("target=submissions;delays=0;anchor=step", "at least two delays, got 1"),
        ("target=launches;delays=0,1;anchor=step", "a target of submissions, synchronizations, copies, host-code, got 'launches'"),
        ("delays=0,1;anchor=step", "target= before delays="),
        ("target=copies;delays=0,-1;anchor=step", "a number for a delay, got '-1'"),
        ("target=copies;delays=0,;anchor=step", "a number for a delay, got ''"),
        ("target=copies;delays=0,1e3;anchor=step", "got '1e3'"),
        ("target=copies;delays=0,100000001;anchor=step", "from 0 to 100000000, got 100000001"),
        ("target=copies;delays=0,1;anchor=", "an anchor's name of 1 to 4095 bytes"),
        ("target=copies;delays=0,1;anchor=" + 5000 * "a", "1 to 4095 bytes"),
        ("target=copies;delays=0,1;kind=line;anchor=step", "a kind of kernel, range, function, got 'line'"),
        ("target=copies;delays=0,1;repetitions=0;anchor=step", "repetitions from 1 to 1000000, got 0"),
        ("target=copies;delays=0,1;every=0;anchor=step", "every from 1"),
        ("target=copies;delays=0,1;speed=3;anchor=step", "got 'speed'"),
        ("target=copies;delays=0,1;seed;anchor=step", "expected NAME=VALUE, got 'seed'"),
        ("target=copies;delays=" + ",".join(["1"] * 65) + ";anchor=step", "at most 64 delays, got 65"),
    ],
)  # fmt: skip
def test_a_wrong_text_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(DelaysError, match=re.escape(message)):
        parse(text)


def test_delays_are_a_small_part_of_a_repetition() -> None:
    planned = plan(Anchor("range", "step", period=1e6), {"submissions": 20, "synchronizations": 1, "copies": 0})
    assert planned.left_out == {"copies": "a repetition has no such call"}
    assert [arm.delay for arm in planned.delays.arms] == [0, 3000, 6000, 0, 60_000, 120_000]
    assert planned.delays.repetitions == 4


def test_short_repetitions_have_longer_blocks_and_no_delays_that_cannot_be_measured() -> None:
    planned = plan(Anchor("kernel", "k", 2, 10e3), {"submissions": 100})
    assert planned.delays.repetitions == 50
    assert [arm.delay for arm in planned.delays.arms] == [0, 500, 1000]
    assert planned.delays.every == 2
    # 3 levels of 51 repetitions of 10 us, 40 groups of them, and the warm-up
    assert 0.06 < planned.seconds(40) < 0.08


@pytest.mark.parametrize(("host", "longest"), [(1e6, 120), (3e5, 400), (1e3, 2000)])
def test_little_host_code_has_long_delays(host: float, longest: int) -> None:
    planned = plan(Anchor("kernel", "k", period=1e6), {"host-code": host})
    assert [arm.delay for arm in planned.delays.arms] == [0, longest // 2, longest]


def test_nothing_to_delay_is_an_error() -> None:
    with pytest.raises(ValueError, match="expected a target with calls"):
        plan(Anchor("range", "step"), {"copies": 0})
