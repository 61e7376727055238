"""Ranks: the turn that processes share, own work and waiting told apart, stragglers and their causes."""

import json
import random

import numpy
import pytest

from launchpath._trace.condensed.turns import Turns
from launchpath._trace.summaries.common import common
from launchpath._trace.summaries.ranks import NO_LOOKS, Ranks
from launchpath._trace.summaries.stragglers import CAUSES
from tests.trace.summaries.made_up import MS, USUAL, lockstep, row

PART_OF = {"slow host": "host", "slow copies": "copy", "slow device": "wait", "late launches": "submit", "slow calls": "call"}  # fmt: skip


def of(rows: list[Turns]) -> Ranks:
    result = Ranks.of(rows)
    assert result is not None
    return result


def noisy(draw: random.Random, **more: int) -> dict[str, int]:
    return {part: int(time * draw.uniform(0.9, 1.1)) + more.get(part, 0) for part, time in USUAL.items()}


def works(ranks: int, steps: int, seed: int = 0) -> list[list[dict[str, int]]]:
    draw = random.Random(seed)
    return [[noisy(draw) for _ in range(steps)] for _ in range(ranks)]


@pytest.mark.parametrize("cause", PART_OF)
@pytest.mark.parametrize("ranks", [2, 3, 8])
def test_a_straggler_in_lockstep(cause: str, ranks: int) -> None:
    made = works(ranks, 40)
    slow = ranks - 1
    for step in made[slow]:
        step[PART_OF[cause]] += 4 * MS
    ranks_ = of(lockstep(made))
    (found,) = ranks_.stragglers
    assert (found.rank, found.cause, found.all_along) == (slow, cause, True)
    assert found.longer == pytest.approx(4 * MS, rel=0.25)
    assert found.waited == pytest.approx(found.longer, rel=0.2) and found.share == pytest.approx(4 / 13, rel=0.25)
    assert [row.causes for row in ranks_.rows] == [[]] * slow + [[cause]]
    assert all(row.away > 2 * MS for row in ranks_.rows[:slow]) and ranks_.rows[slow].away < MS


@pytest.mark.parametrize("seed", range(20))
def test_nobody_is_accused(seed: int) -> None:
    ranks = of(lockstep(works(8, 40, seed)))
    assert ranks.stragglers == []
    assert ranks.sentences() == [f"No process takes longer than the others in the steps that all have ({ranks.title})."]


@pytest.mark.parametrize("shift", [0, 2])
def test_from_step_to_step(shift: int) -> None:
    made = works(8, 64)
    for step in made[5][20:32]:
        step["copy"] += 6 * MS
    (found,) = of(lockstep(made, shift=shift)).stragglers
    assert (found.rank, found.cause, found.first, found.last, found.all_along) == (5, "slow copies", 20, 31, False)
    assert "from step 20 to step 31" in found.sentence(7)


def test_single_steps_are_not_told() -> None:
    """As those that lost their processor for a moment, unless they take a tenth of all time."""
    made = works(8, 40)
    made[5][20]["host"] += 15 * MS
    assert of(lockstep(made)).stragglers == []
    made[5][20]["host"] += 60 * MS
    (found,) = of(lockstep(made)).stragglers
    assert (found.rank, found.first, found.last) == (5, 20, 20) and "in step 20:" in found.sentence(7)


def test_no_processor() -> None:
    made = works(8, 40)
    for step in made[2]:
        step["host"] += 5 * MS
        step["ready"] = 5 * MS
    rows = lockstep(made)
    for window in rows[2].windows:
        window["parts"][4] -= 5 * MS  # it did not run in that time
    (found,) = of(rows).stragglers
    assert (found.rank, found.cause) == (2, "no processor")


def test_who_runs_longer_on_a_busy_machine_is_slow_itself() -> None:
    """All are ready as long as they run; the slow one too."""
    made = works(8, 40)
    for rank, steps in enumerate(made):
        for step in steps:
            step["host"] += 3 * MS * (rank == 2)
            step["ready"] = step["host"]
            step["host"] *= 2
    rows = lockstep(made)
    for each in rows:
        each.windows["parts"][:, 4] -= each.windows["parts"][:, 5]
    (found,) = of(rows).stragglers
    assert (found.rank, found.cause) == (2, "slow host")


def test_it_waits_for_another() -> None:
    made = works(8, 40)
    for step in made[3]:
        step["away"] = 6 * MS
    rows = [row(rank, steps) for rank, steps in enumerate(made)]
    (found,) = of(rows).stragglers
    assert (found.rank, found.cause, found.waits_for) == (3, "waits for another process", None)
    assert "for which one is not in the traces" in found.sentence(7)
    for step in made[3]:
        step["host"] += MS  # its part in that
    (found,) = of([row(rank, steps) for rank, steps in enumerate(made)]).stragglers
    assert (found.rank, found.cause, found.waits_for) == (3, "waits for another process", None)
    for step in made[6]:
        step["host"] += 6 * MS
    first, second = of([row(rank, steps) for rank, steps in enumerate(made)]).stragglers
    cause, victim = (first, second) if first.rank == 6 else (second, first)
    assert (cause.rank, cause.cause, cause.waits_for) == (6, "slow host", None)
    assert (victim.rank, victim.cause, victim.waits_for) == (3, "waits for another process", "rank 6")


def test_processes_that_do_not_wait_for_each_other() -> None:
    made = works(4, 40)
    for step in made[1]:
        step["submit"] += 9 * MS
    (found,) = of([row(rank, steps) for rank, steps in enumerate(made)]).stragglers
    assert (found.rank, found.cause, found.waited) == (1, "late launches", 0)
    assert found.sentence(3).endswith(CAUSES["late launches"] + ".")


def test_they_wait_for_it_in_collective_kernels() -> None:
    """All wait in the driver, for kernels that wait for the slowest."""
    made = works(8, 40)
    for rank, steps in enumerate(made):
        for step in steps:
            step["host"] += 5 * MS * (rank == 4)
            step["wait"] += 5 * MS * (rank != 4)
    (found,) = of(lockstep(made)).stragglers
    assert (found.rank, found.cause) == (4, "slow host")
    assert found.waited == pytest.approx(5 * MS, rel=0.2)


def test_without_looks() -> None:
    made = works(8, 40)
    for step in made[1]:
        step["host"] += 5 * MS
    ranks = of(lockstep(made, looks=False))
    assert ranks.stragglers == [] and ranks.notes == [NO_LOOKS]
    assert ranks.sentences()[-1].startswith("The traces have no looks at threads")
    for step in made[1]:
        step["copy"] += 5 * MS
    (found,) = of(lockstep(made, looks=False)).stragglers
    assert (found.rank, found.cause) == (1, "slow copies")
    rows = [row(rank, steps, looks=False) for rank, steps in enumerate(works(8, 40))]
    rows[2] = row(2, [step | {"host": 9 * MS} for step in made[2]], looks=False)
    (found,) = of(rows).stragglers
    assert (found.rank, found.cause) == (2, "code or waiting")


def test_the_turn_that_they_share() -> None:
    steps = [USUAL] * 10
    rows = [row(rank, steps) for rank in range(4)]
    assert common([]) is None and common(rows[:1]) is None and Ranks.of(rows[:1]) is None
    rows += [row(rank, steps * 3, name="part", between=5) for rank in range(4)]
    rows += [row(rank, steps * 5, name="clFinish", kind="wait") for rank in range(4)]
    turn = common(rows)
    assert turn is not None and (turn.name, turn.kind, turn.turns, turn.left_out) == ("part", "range", 30, 0)
    turn = common([*rows[:4], rows[8], rows[9]])
    assert turn is not None and turn.name == "step"
    other = common([*rows[:3], row(3, steps * 4), row(4, steps, name="other")])
    assert other is not None and (len(other.members), other.left_out) == (3, 2)
    assert of([*rows[:3], row(4, steps, name="other")]).notes[-1].startswith("1 other process is not compared")


def test_windows_of_several_sizes() -> None:
    steps = [{"host": number * MS} for number in range(1, 11)]
    turn = common([row(0, steps), row(1, steps, shift=1), row(2, steps[:9], shift=2)])
    assert turn is not None and (turn.shift, turn.turns, turn.total.shape) == (2, 9, (3, 3))
    assert (turn.total[:2, 0] == 2.5 * MS).all() and (turn.total[:, 1] == 6.5 * MS).all()
    assert turn.steps(0, 0) == (0, 3) and turn.steps(1, 2) == (4, 8)
    assert numpy.array_equal(turn.period[:, :2], turn.total[:, :2])


def test_periods_of_ranges() -> None:
    turn = common([row(rank, [USUAL] * 8, between=MS, shift=rank) for rank in range(2)])
    assert turn is not None and (turn.period[:, :-1] == 10 * MS).all() and (turn.total == 9 * MS).all()


def test_names() -> None:
    rows = [row(0, [USUAL] * 4, host="a"), row(0, [USUAL] * 4, host="b")]
    assert [each.name for each in of(rows).rows] == ["process a:100", "process b:100"]
    assert [each.host for each in of(rows).rows] == ["a", "b"]
    rows = [row(rank, [USUAL] * 4) for rank in range(2)]
    assert [each.name for each in of(rows).rows] == ["rank 0", "rank 1"]


def test_any_order() -> None:
    made = works(12, 40)
    made[7] = [step | {"host": 9 * MS} for step in made[7]]
    rows = lockstep(made)
    expected = json.dumps(of(rows).as_json())
    for seed in range(5):
        random.Random(seed).shuffle(rows)
        assert json.dumps(of(rows).as_json()) == expected


def test_many_ranks() -> None:
    made = [[USUAL] * 64 for _ in range(200)]
    made[123] = [USUAL | {"copy": 9 * MS}] * 64
    (found,) = of([row(rank, steps) for rank, steps in enumerate(made)]).stragglers
    assert (found.rank, found.cause) == (123, "slow copies")
