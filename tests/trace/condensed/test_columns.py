"""Rows and tables merge in any order to the same."""

import random

from launchpath._trace.condensed.columns import Columns, Row

SUMS = ("calls", "failed", "total", "squares", "nested", "amount")


def row(draw: random.Random) -> Row:
    if draw.random() < 0.2:  # nothing but failures
        return Row(failed=draw.randrange(3))
    shortest = draw.randrange(3)
    return Row(
        calls=1, failed=draw.randrange(2), total=draw.randrange(1 << 70), squares=draw.randrange(1 << 130), nested=1,
        amount=draw.randrange(9), shortest=shortest, longest=shortest + draw.randrange(3), at=draw.randrange(3),
        where=draw.choice(["a:1", "b:2"]),
    )  # fmt: skip


def values(it: Row) -> tuple[object, ...]:
    return tuple(getattr(it, name) for name in (*SUMS, "shortest", "longest", "at", "where"))


def test_rows_merge_in_any_order() -> None:
    for seed in range(300):
        states = set()
        for order in range(6):
            draw = random.Random(seed)
            rows = [row(draw) for _ in range(draw.randrange(1, 6))]
            counted = [each for each in rows if each.calls]
            expected = (
                *(sum(getattr(each, name) for each in rows) for name in SUMS),
                min((each.shortest for each in counted), default=0),
                *min(((-each.longest, each.at, each.where) for each in counted), default=(0, 0, "")),
            )
            random.Random(order).shuffle(rows)
            while len(rows) > 1:
                rows.insert(0, rows.pop(random.Random(order).randrange(len(rows))))
                rows[0].merge(rows.pop())
            states.add(values(rows[0]))
            assert values(rows[0]) == (*expected[:7], -expected[7], *expected[8:])
        assert len(states) == 1


def test_tables_merge() -> None:
    one, other = Columns(), Columns()
    one.add("b", Row(calls=1, total=5, longest=5, shortest=5))
    one.add("b", Row(calls=1, total=7, longest=7, shortest=7))
    other.add("b", Row(calls=1, total=2, longest=2, shortest=2))
    other.add("a", Row(failed=1))
    one.merge(other)
    assert [name for name, _ in one.in_order()] == ["a", "b"]
    assert (one["b"].calls, one["b"].total, one["b"].shortest, one["b"].longest) == (3, 14, 2, 7)
    assert (one["a"].calls, one["a"].failed) == (0, 1)
