"""The difference of two kinds of runs that took turns."""

import math
import random
import statistics

import pytest

from launchpath._findings.statistics import student
from launchpath._proof.turns import difference, turn, turns_needed


def times(turns: int, effect: float, noise: float, drift: float, rng: random.Random) -> tuple[list[float], list[float]]:
    kinds: tuple[list[float], list[float]] = ([], [])
    run = 0
    for number in range(turns):
        for second in turn(number):
            kinds[second].append(1000 - effect * second + drift * run + rng.gauss(0, noise))
            run += 1
    return kinds


def test_without_noise_it_is_exact() -> None:
    found = difference(*times(3, 50, 0, 0, random.Random(1)))
    assert (found.value, found.half) == (pytest.approx(50), pytest.approx(0, abs=1e-6))


def test_a_drift_is_taken_out() -> None:
    found = difference(*times(4, 50, 0, 12, random.Random(1)))
    assert (found.value, found.half) == (pytest.approx(50), pytest.approx(0, abs=1e-6))


@pytest.mark.parametrize("turns", [3, 5, 12])
@pytest.mark.parametrize("drift", [0.0, 3.0])
def test_the_interval_has_the_effect_in_95_of_100(turns: int, drift: float) -> None:
    rng = random.Random(7)
    has = sum(
        found.low <= 20 <= found.high for _ in range(2000) for found in [difference(*times(turns, 20, 5, drift, rng))]
    )
    assert 0.93 <= has / 2000 <= 0.97


def test_more_turns_are_needed_for_a_narrow_interval() -> None:
    kinds = times(3, 20, 5, 0, random.Random(3))
    half = difference(*kinds).half
    assert turns_needed(*kinds, half) == 3
    few, many = turns_needed(*kinds, half / 2), turns_needed(*kinds, half / 4)
    assert 3 < few < many
    assert turns_needed(*kinds, 0.0) == 10_000


def test_the_turns_needed_are_enough() -> None:
    rng = random.Random(5)
    halves = []
    for _ in range(200):
        needed = turns_needed(*times(6, 20, 5, 0, rng), 4.0)
        halves.append(difference(*times(needed, 20, 5, 0, rng)).half)
    assert statistics.median(halves) == pytest.approx(4.0, rel=0.15)


def tesstudents() -> None:
    assert [student(n) for n in (1, 3, 30)] == [12.706, 3.182, 2.042]
    assert student(60) == pytest.approx(2.000, rel=2e-3)
    assert student(10**6) == pytest.approx(1.960, rel=1e-3)
    assert all(student(n) > student(n + 1) for n in range(1, 200))
    assert not math.isnan(student(31))
